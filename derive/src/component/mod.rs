//! `derive(Component)`: which kind of component a type is, and what the registry is told of it.

mod data;
mod layout;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Attribute, Data, DeriveInput, Error, Fields, Generics, Result};

use crate::attr::{Known, Word, Words};
use crate::fields::{keepable, no_lifetimes, place, real, whole_bounded};

const ON_TYPE: Known = Known {
    attribute: "component",
    words: &["track", "opaque", "state", "entities"],
    help: "on a type write `track`, `opaque`, `state` or `entities`; on a field `trust = \"reason\"`",
};

const ON_FIELD: Known = Known {
    attribute: "component",
    words: &["trust"],
    help: "on a field write `trust = \"reason\"`; on a type `track`, `opaque`, `state` or `entities`",
};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    no_lifetimes(input, "a component")?;
    let words = Words::read(&input.attrs, &ON_TYPE)?;
    words.iter().try_for_each(Word::without_value)?;
    if words.find("opaque").is_some() {
        no_words_inside(input, "an opaque component")?;
        return Ok(opaque(input, &words));
    }
    only_with_opaque(&words)?;
    if is_tag(input) {
        no_words_inside(input, "a tag")?;
        return Ok(tag(input, &words));
    }
    data::expand(input, &words)
}

/// A struct without a field that has a value.
fn is_tag(input: &DeriveInput) -> bool {
    match &input.data {
        Data::Struct(data) => real(&data.fields).next().is_none(),
        _ => false,
    }
}

fn only_with_opaque(words: &Words) -> Result<()> {
    match words.find("state").or_else(|| words.find("entities")) {
        Some(word) => Err(Error::new(
            word.ident.span(),
            format!(
                "`{0}` goes with `opaque`: write `#[component(opaque, {0})]`, or leave it out: Data components can do it \
                 already, and tags have no need",
                word.ident
            ),
        )),
        None => Ok(()),
    }
}

fn no_words_inside(input: &DeriveInput, what: &str) -> Result<()> {
    for attributes in attributes_inside(&input.data) {
        if let Some(word) = Words::read(attributes, &ON_FIELD)?.iter().next() {
            let message = format!("`{}` is for fields of Data structs: {what} has no use for it", word.ident);
            return Err(Error::new(word.ident.span(), message));
        }
    }
    Ok(())
}

fn attributes_inside(data: &Data) -> Vec<&[Attribute]> {
    match data {
        Data::Struct(data) => of_fields(&data.fields).collect(),
        Data::Enum(data) => {
            data.variants.iter().flat_map(|each| of_fields(&each.fields).chain([each.attrs.as_slice()])).collect()
        }
        Data::Union(data) => data.fields.named.iter().map(|field| field.attrs.as_slice()).collect(),
    }
}

fn of_fields(fields: &Fields) -> impl Iterator<Item = &[Attribute]> {
    fields.iter().map(|field| field.attrs.as_slice())
}

fn tag(input: &DeriveInput, words: &Words) -> TokenStream {
    let generics = whole_bounded(input, &keepable());
    let descriptor = quote!(::tickweave::component::ComponentDescriptor::tag::<Self>());
    let told = Told { descriptor, has_entities: quote!(false), map_entities: quote!() };
    let (component, no_destructor) = (component(input, &generics, words, &told), no_destructor(input));
    quote!(#no_destructor #component)
}

/// Says at the definition what the descriptor of a tag asks for; that of a generic one is left to the descriptor.
fn no_destructor(input: &DeriveInput) -> Option<TokenStream> {
    let name = &input.ident;
    let message = format!(
        "`{name}` has a destructor: a tag is a bit without a value that could be dropped; write `#[component(opaque)]` above it"
    );
    input.generics.params.is_empty().then(|| {
        quote_spanned! {place(name)=>
            const _: () = ::core::assert!(!::core::mem::needs_drop::<#name>(), #message);
        }
    })
}

fn opaque(input: &DeriveInput, words: &Words) -> TokenStream {
    let (state, entities) = (words.find("state"), words.find("entities"));
    let with_state = state.map(|word| quote_spanned!(place(&word.ident)=> .with_state::<Self>()));
    let with_entities = entities.map(|word| quote_spanned!(place(&word.ident)=> .with_entities::<Self>()));
    let state_bound = state.map(|_| quote!(+ ::tickweave::value::StateValue));
    let map_bound = entities.map(|_| quote!(+ ::tickweave::entity::MapEntities));
    let (keepable, descriptor) = (keepable(), quote!(::tickweave::component::ComponentDescriptor::opaque::<Self>()));
    let told = Told {
        descriptor: quote!(#descriptor #with_state #with_entities),
        has_entities: if state.or(entities).is_some() { quote!(true) } else { quote!(false) },
        map_entities: state.or(entities).map_or_else(TokenStream::new, map_through_trait),
    };
    component(input, &whole_bounded(input, &quote!(#keepable #state_bound #map_bound)), words, &told)
}

fn map_through_trait(word: &Word) -> TokenStream {
    quote_spanned!(place(&word.ident)=> ::tickweave::entity::MapEntities::map_entities(self, mapper);)
}

/// What the impl of `Component` says, which depends on the kind.
struct Told {
    descriptor: TokenStream,
    has_entities: TokenStream,
    map_entities: TokenStream,
}

fn component(input: &DeriveInput, generics: &Generics, words: &Words, told: &Told) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (name, Told { descriptor, has_entities, map_entities }) = (&input.ident, told);
    let is_tracked = words.find("track").is_some();
    let tracked = is_tracked.then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics ::tickweave::component::Tracked for #name #ty_generics #where_clause {}
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics ::tickweave::component::Component for #name #ty_generics #where_clause {
            const ENTITIES_INSIDE: bool = #has_entities;
            const TRACKED: bool = #is_tracked;

            fn descriptor() -> ::tickweave::component::ComponentDescriptor {
                #descriptor
            }

            fn map_inside(&mut self, mapper: &mut dyn ::tickweave::entity::EntityMapper) {
                #map_entities
            }
        }
        #tracked
    }
}
