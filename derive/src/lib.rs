//! Derives of tickweave: `Component`, `Bundle`, `StateValue`, `MapEntities`, `Resource`, `Event`, `Command` and `QueryRow`.
//!
//! Used through `tickweave`, which exports each derive beside the trait of the same name; the generated code names
//! everything by paths that start with `::tickweave`.
//!
//! Generated `unsafe impl`s carry the tokens of the expansion, not of the user, so they compile in crates that forbid
//! unsafe code: what they promise is checked by the derive on the real fields.

mod attr;
mod bundle;
mod command;
mod component;
mod event;
mod fields;
mod map_entities;
mod query_row;
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

/// Makes a state value an event: `#[derive(Clone, StateValue, Event)]`, or `#[derive(Component, Clone, Copy, Event)]` for a
/// Data component.
#[proc_macro_derive(Event)]
pub fn event(input: TokenStream) -> TokenStream {
    finish(event::expand(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a state value a typed command: `#[derive(Clone, StateValue, Command)]`, or
/// `#[derive(Component, Clone, Copy, Command)]` for a Data component.
#[proc_macro_derive(Command)]
pub fn command(input: TokenStream) -> TokenStream {
    finish(command::expand(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a struct a row of a query: each field is a term, and the query yields the struct.
///
/// A field is `&T`, `&mut T`, `Write<T>`, `Option` of a term, `Entity`, a tuple of terms or another row; at most 16, and
/// one lifetime for all that is borrowed. A field whose type is not the term that fetches it names the term:
/// `#[query_row(term = "Has<Enemy>")] enemy: bool`. `PhantomData` is left alone. Type parameters are bounded by the struct:
/// `struct Pair<'w, T: Component>`.
///
/// **Shared iteration** (`query.iter()`, `query.get(..)`): a row that only reads yields itself. A row that writes yields the
/// tuple of its terms without the right to write, since `&mut T` fields can't hold what is only shared. It writes if a
/// field's type says `mut` or `Write`; where a nested row writes, say `#[query_row(writes)]` above the struct, else it does
/// not compile.
#[proc_macro_derive(QueryRow, attributes(query_row))]
pub fn query_row(input: TokenStream) -> TokenStream {
    finish(query_row::expand(&parse_macro_input!(input as DeriveInput)))
}

fn finish(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(syn::Error::into_compile_error).into()
}
