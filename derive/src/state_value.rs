//! `derive(StateValue)`: fields in the order of the source, behind the index of the variant.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DeriveInput, Member, Result, Type};

use crate::fields::{Shape, bounded, is_phantom, keepable, no_lifetimes, place, shapes, types};
use crate::map_entities;

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    no_lifetimes(input, "a state value")?;
    let shapes = shapes(input, "StateValue")?;
    let (state_value, keepable) = (quote!(::tickweave::value::StateValue), keepable());
    let generics = bounded(input, types(&shapes), &state_value, &quote!(::core::clone::Clone + #keepable));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (name, map_entities) = (&input.ident, map_entities::expand(input)?);
    let (encode, decode) = match input.data {
        Data::Enum(_) => (encode_enum(&shapes), decode_enum(&shapes)),
        _ => (encode_struct(&shapes[0]), decode_struct(&shapes[0])),
    };
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #state_value for #name #ty_generics #where_clause {
            fn encode(&self, sink: &mut ::tickweave::value::Sink<'_>) {
                #encode
            }
            fn decode(
                source: &mut ::tickweave::value::Source<'_>,
            ) -> ::core::result::Result<Self, ::tickweave::value::DecodeError> {
                #decode
            }
        }
        #map_entities
    })
}

fn encode_struct(shape: &Shape<'_>) -> TokenStream {
    let arm = encode_arm(shape, None);
    quote!(match *self { #arm })
}

fn encode_enum(shapes: &[Shape<'_>]) -> TokenStream {
    let arms = (0u32..).zip(shapes).map(|(index, shape)| encode_arm(shape, Some(index)));
    quote!(match *self { #(#arms)* })
}

fn encode_arm(shape: &Shape<'_>, index: Option<u32>) -> TokenStream {
    let pattern = shape.pattern(&quote!(ref));
    let index = index.map(|index| quote!(<u32 as ::tickweave::value::StateValue>::encode(&#index, sink);));
    let calls = shape.bound().into_iter().map(|bound| {
        let (name, ty) = (bound.name, &bound.field.ty);
        quote_spanned!(place(ty)=> <#ty as ::tickweave::value::StateValue>::encode(#name, sink);)
    });
    quote!(#pattern => { #index #(#calls)* })
}

fn decode_struct(shape: &Shape<'_>) -> TokenStream {
    let value = decode_value(shape);
    quote!(::core::result::Result::Ok(#value))
}

fn decode_enum(shapes: &[Shape<'_>]) -> TokenStream {
    let indices = 0u32..;
    let values = shapes.iter().map(decode_value);
    quote! {
        match <u32 as ::tickweave::value::StateValue>::decode(source)? {
            #(#indices => ::core::result::Result::Ok(#values),)*
            _ => ::core::result::Result::Err(::tickweave::value::DecodeError::invalid::<Self>()),
        }
    }
}

fn decode_value(shape: &Shape<'_>) -> TokenStream {
    let path = &shape.path;
    let fields = shape.fields.members().zip(shape.fields).map(|(member, field)| decode_field(&member, &field.ty));
    quote!(#path { #(#fields,)* })
}

fn decode_field(member: &Member, ty: &Type) -> TokenStream {
    if is_phantom(ty) {
        return quote!(#member: ::core::marker::PhantomData);
    }
    quote_spanned!(place(ty)=> #member: <#ty as ::tickweave::value::StateValue>::decode(source)?)
}
