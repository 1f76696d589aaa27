//! A crate that forbids what crates like to forbid, with names that generated code might fall over.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unused_qualifications, clippy::all, clippy::pedantic)]

use std::marker::PhantomData;

use tickweave::entity::Entity;
use tickweave_derive::{Bundle, Component, Event, MapEntities, QueryRow, Resource, StateValue};

/// A name of the standard library.
#[derive(Debug)]
pub struct Option;

/// Another one.
#[derive(Debug)]
pub struct Result;

/// Names of tickweave and of generated code.
#[derive(Component, Debug, Clone, Copy)]
#[component(track)]
#[repr(C)]
pub struct Data {
    /// A length that needs `Self`.
    pub bytes: [u8; Self::SINK],
    /// A field that nobody else should name.
    #[deprecated]
    pub source: u32,
    mapper: Entity,
}

impl Data {
    /// A length.
    pub const SINK: usize = 4;
}

/// Discriminants below zero.
#[derive(Component, Debug, Clone, Copy)]
#[repr(i8)]
pub enum Schema {
    /// A variant with a name of the prelude.
    Some = -1,
    /// A raw name.
    #[expect(non_camel_case_types, reason = "a raw name")]
    r#type,
}

/// A tag for each type.
#[derive(Component, Debug)]
pub struct Tag<T>(PhantomData<T>);

#[derive(Component, Debug, Clone, Copy)]
#[repr(transparent)]
struct Private<T>(T);

/// A public type around a private one.
#[derive(Component, Debug, Clone, Copy)]
#[repr(C)]
pub struct Public<T: Copy, const N: usize>
where
    T: Send,
{
    private: Private<T>,
    rest: [T; N],
}

/// Variants with names of the prelude.
#[derive(StateValue, Resource, Event, Debug, Clone)]
pub enum Error<T> {
    /// Named fields.
    Err {
        /// A name of generated code.
        sink: u32,
        /// Another one.
        source: T,
    },
    /// Fields by index.
    Ok(Vec<T>, Entity),
    /// A variant that nobody else should name.
    #[deprecated]
    Old,
}

/// No value at all.
#[derive(StateValue, Debug, Clone)]
pub enum Never {}

/// A lifetime.
#[derive(MapEntities, Debug)]
pub struct Borrowed<'a, T>(PhantomData<&'a T>, T);

/// A bundle of bundles.
#[derive(Bundle, Debug)]
pub struct Name<T> {
    name: Data,
    /// A name of generated code.
    pub sink: (Schema, T),
}

/// A row with names of generated code.
#[derive(QueryRow, Debug)]
pub struct Row<'w, T: tickweave::component::Component, const N: usize> {
    /// A name of generated code.
    pub row: &'w T,
    state: &'w mut Data,
    /// Another one.
    #[query_row(term = "tickweave::query::Has<Schema>")]
    pub chunk: bool,
    /// A field that nobody else should name.
    #[deprecated]
    pub old: Entity,
    fetch: PhantomData<[u8; N]>,
}

fn main() {}
