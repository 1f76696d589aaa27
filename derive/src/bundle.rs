//! `derive(Bundle)`: a struct whose fields are bundles.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Error, Result, Type};

use crate::fields::{Shape, bounded, keepable, no_lifetimes, place, types};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    no_lifetimes(input, "a bundle")?;
    let shape = only_structs(input)?;
    let types: Vec<&Type> = types(core::slice::from_ref(&shape)).collect();
    let generics = bounded(input, types.iter().copied(), &quote!(::tickweave::component::Bundle), &keepable());
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (name, has_entities) = (&input.ident, types.iter().map(|ty| has_entities(ty)));
    let describe = types.iter().map(|ty| describe(ty));
    let (put, map_entities) = (put(&shape), map_entities(&shape));
    // SAFETY: `Bundle` asks that `put` hands out what `descriptors` names, in that order. Both walk the same fields in the
    // order of the source and leave each to the `Bundle` impl of its type, which promises the same.
    Ok(quote! {
        #[automatically_derived]
        unsafe impl #impl_generics ::tickweave::component::Bundle for #name #ty_generics #where_clause {
            const HOLDS_ENTITIES: bool = false #(|| #has_entities)*;

            fn descriptors(name: &mut dyn ::core::ops::FnMut(::tickweave::component::ComponentDescriptor)) {
                #(#describe)*
            }

            #[inline(always)]
            fn put(self, sink: &mut impl ::tickweave::component::BundleSink) {
                #put
            }

            fn map_bundle(&mut self, mapper: &mut dyn ::tickweave::entity::EntityMapper) {
                #map_entities
            }
        }
    })
}

fn only_structs(input: &DeriveInput) -> Result<Shape<'_>> {
    match &input.data {
        Data::Struct(data) => Ok(Shape { path: quote!(Self), fields: &data.fields }),
        _ => Err(Error::new(
            input.ident.span(),
            format!("`{}` is no struct: a bundle always holds the same components", input.ident),
        )),
    }
}

fn has_entities(ty: &Type) -> TokenStream {
    quote_spanned!(place(ty)=> <#ty as ::tickweave::component::Bundle>::HOLDS_ENTITIES)
}

fn describe(ty: &Type) -> TokenStream {
    quote_spanned!(place(ty)=> <#ty as ::tickweave::component::Bundle>::descriptors(name);)
}

fn put(shape: &Shape<'_>) -> TokenStream {
    let pattern = shape.pattern(&quote!());
    let calls = shape.bound().into_iter().map(|bound| {
        let (name, ty) = (bound.name, &bound.field.ty);
        quote_spanned!(place(ty)=> <#ty as ::tickweave::component::Bundle>::put(#name, sink);)
    });
    quote!(match self { #pattern => { #(#calls)* } })
}

fn map_entities(shape: &Shape<'_>) -> TokenStream {
    let pattern = shape.pattern(&quote!(ref mut));
    let calls = shape.bound().into_iter().map(|bound| {
        let (name, ty) = (bound.name, &bound.field.ty);
        quote_spanned!(place(ty)=> <#ty as ::tickweave::component::Bundle>::map_bundle(#name, mapper);)
    });
    quote!(match *self { #pattern => { #(#calls)* } })
}
