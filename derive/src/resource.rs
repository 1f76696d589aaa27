//! `derive(Resource)`: a class, and what the class asks for.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, Error, Ident, Result};

use crate::attr::{Known, Words};
use crate::fields::{keepable, no_lifetimes, place, whole_bounded};

const CLASSES: Known = Known {
    attribute: "resource",
    words: &["state", "constant", "host", "input"],
    help: "write `state` (the default), `constant`, `host` or `input`",
};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    no_lifetimes(input, "a resource")?;
    let class = Class::of(input)?;
    let generics = whole_bounded(input, &class.self_bound());
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (name, variant) = (&input.ident, class.variant());
    let descriptor = class.descriptor(name);
    let marker = class.marker().map(|marker| {
        quote! {
            #[automatically_derived]
            impl #impl_generics ::tickweave::resource::#marker for #name #ty_generics #where_clause {}
        }
    });
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::tickweave::resource::Resource for #name #ty_generics #where_clause {
            const CLASS: ::tickweave::resource::ResourceClass = #variant;

            fn descriptor() -> ::tickweave::resource::ResourceDescriptor {
                #descriptor
            }
        }
        #marker
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    State,
    Constant,
    Host,
    Input,
}

impl Class {
    fn of(input: &DeriveInput) -> Result<Self> {
        let words = Words::read(&input.attrs, &CLASSES)?;
        let mut classes = words.iter();
        let Some(word) = classes.next() else { return Ok(Self::State) };
        word.without_value()?;
        if let Some(second) = classes.next() {
            let message = format!("a resource has one class: `{}` or `{}`, not both", word.ident, second.ident);
            return Err(Error::new(second.ident.span(), message));
        }
        Ok(Self::named(&word.ident))
    }

    fn named(word: &Ident) -> Self {
        match word.to_string().as_str() {
            "constant" => Self::Constant,
            "host" => Self::Host,
            "input" => Self::Input,
            _ => Self::State,
        }
    }

    fn variant(self) -> TokenStream {
        let name = match self {
            Self::State => "State",
            Self::Constant => "Constant",
            Self::Host => "Host",
            Self::Input => "Input",
        };
        let name = format_ident!("{name}");
        quote!(::tickweave::resource::ResourceClass::#name)
    }

    /// Systems write State and Host; Constant is never written, and Input by the simulation's step alone.
    /// The trait that says who writes it.
    fn marker(self) -> Option<Ident> {
        match self {
            Self::State | Self::Host => Some(format_ident!("MutableResource")),
            Self::Input => Some(format_ident!("InputResource")),
            Self::Constant => None,
        }
    }

    fn self_bound(self) -> TokenStream {
        match self {
            Self::Host => keepable(),
            _ => quote!(::tickweave::value::StateValue),
        }
    }

    fn descriptor(self, name: &Ident) -> TokenStream {
        let place = place(name);
        match self {
            Self::Host => quote_spanned!(place=> ::tickweave::resource::ResourceDescriptor::host::<Self>()),
            _ => quote_spanned!(place=> ::tickweave::resource::ResourceDescriptor::state_value::<Self>()),
        }
    }
}
