//! Derives of tickweave: `Component`, `Bundle`, `StateValue`, `MapEntities` and `Resource`.
//!
//! Used through `tickweave`, which exports each derive beside the trait of the same name; the generated code names
//! everything by paths that start with `::tickweave`.
//!
//! Generated `unsafe impl`s carry the tokens of the expansion, not of the user, so they compile in crates that forbid
//! unsafe code: what they promise is checked by the derive on the real fields.

mod attr;
mod bundle;
mod component;
mod fields;
mod map_entities;
mod resource;
mod state_value;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a type a component: Data, a tag, or opaque.
///
/// A struct without fields (`PhantomData` aside) is a tag. Everything else is Data unless it says
/// `#[component(opaque)]`: `Copy`, `#[repr(C)]` or `#[repr(transparent)]` (a field-less enum: `#[repr(u8)]` or another
/// integer of a fixed size), no padding, fields that are Data themselves.
///
/// On the type: `#[component(track)]`, `#[component(opaque)]`, `#[component(opaque, state)]`,
/// `#[component(opaque, entities)]`. On a field of a Data component: `#[component(trust = "reason")]`.
///
/// A Data component is `Data`, `StateValue` and `MapEntities` as well.
#[proc_macro_derive(Component, attributes(component))]
pub fn component(input: TokenStream) -> TokenStream {
    finish(component::expand(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a struct of bundles a bundle: its fields are spawned or inserted as one move, in the order of the source.
#[proc_macro_derive(Bundle)]
pub fn bundle(input: TokenStream) -> TokenStream {
    finish(bundle::expand(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a struct or an enum of state values a state value, and implements `MapEntities` for it.
///
/// Fields are written in the order of the source; an enum writes the index of its variant first, as a `u32`.
/// `PhantomData` is skipped.
#[proc_macro_derive(StateValue)]
pub fn state_value(input: TokenStream) -> TokenStream {
    finish(state_value::expand(&parse_macro_input!(input as DeriveInput)))
}

/// Maps the entities in each field of a struct or an enum; `PhantomData` is skipped.
#[proc_macro_derive(MapEntities)]
pub fn map_entities(input: TokenStream) -> TokenStream {
    finish(map_entities::expand(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a type a resource of one class.
///
/// `#[resource(state)]` is the default; the others are `constant`, `host` and `input`. All but `host` need
/// `StateValue`.
#[proc_macro_derive(Resource, attributes(resource))]
pub fn resource(input: TokenStream) -> TokenStream {
    finish(resource::expand(&parse_macro_input!(input as DeriveInput)))
}

fn finish(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(syn::Error::into_compile_error).into()
}
