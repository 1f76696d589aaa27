//! `derive(Event)`: a state value that tells what happened.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Result};

use crate::fields::{no_lifetimes, whole_bounded};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    no_lifetimes(input, "an event")?;
    let generics = whole_bounded(input, &quote!(::tickweave::value::StateValue));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::tickweave::event::Event for #name #ty_generics #where_clause {}
    })
}
