//! `derive(Command)`: a state value that asks for something.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Result};

use crate::fields::{no_lifetimes, whole_bounded};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    no_lifetimes(input, "a command")?;
    let generics = whole_bounded(input, &quote!(::tickweave::value::StateValue));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::tickweave::command::Command for #name #ty_generics #where_clause {}
    })
}
