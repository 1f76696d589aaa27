//! `derive(MapEntities)`: each field is mapped.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Result};

use crate::fields::{Shape, bounded, place, shapes, types};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let shapes = shapes(input, "MapEntities")?;
    let generics = bounded(input, types(&shapes), &quote!(::tickweave::entity::MapEntities), &quote!());
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = &input.ident;
    let arms = shapes.iter().map(arm);
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::tickweave::entity::MapEntities for #name #ty_generics #where_clause {
            fn map_entities(&mut self, mapper: &mut dyn ::tickweave::entity::EntityMapper) {
                match *self { #(#arms)* }
            }
        }
    })
}

fn arm(shape: &Shape<'_>) -> TokenStream {
    let pattern = shape.pattern(&quote!(ref mut));
    let calls = shape.bound().into_iter().map(|bound| {
        let (name, ty) = (bound.name, &bound.field.ty);
        quote_spanned!(place(ty)=> <#ty as ::tickweave::entity::MapEntities>::map_entities(#name, mapper);)
    });
    quote!(#pattern => { #(#calls)* })
}
