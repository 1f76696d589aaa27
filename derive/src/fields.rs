//! What the derives share: walking fields, binding them, bounds on the types of fields, places of errors.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, Generics, Ident, Member, Result, Type, parse_quote};

/// A struct, or one variant of an enum.
pub(crate) struct Shape<'a> {
    /// `Self` or `Self::Variant`.
    pub(crate) path: TokenStream,
    pub(crate) fields: &'a Fields,
}

/// A field and the name that a pattern binds it to.
pub(crate) struct Bound<'a> {
    pub(crate) name: Ident,
    pub(crate) member: Member,
    pub(crate) field: &'a Field,
}

impl<'a> Shape<'a> {
    /// Every field but `PhantomData`, which has no value.
    pub(crate) fn bound(&self) -> Vec<Bound<'a>> {
        real(self.fields)
            .enumerate()
            .map(|(index, (member, field))| Bound {
                name: format_ident!("__field_{index}", span = Span::mixed_site()),
                member,
                field,
            })
            .collect()
    }

    /// Takes a value apart: `Self { x: ref __field_0, 1: ref __field_1, .. }`, where `ref` is the `mode`.
    pub(crate) fn pattern(&self, mode: &TokenStream) -> TokenStream {
        let path = &self.path;
        let bound = self.bound();
        let members = bound.iter().map(|bound| &bound.member);
        let names = bound.iter().map(|bound| &bound.name);
        quote!(#path { #(#members: #mode #names,)* .. })
    }
}

/// The struct, or the variants of the enum.
pub(crate) fn shapes<'a>(input: &'a DeriveInput, derive: &str) -> Result<Vec<Shape<'a>>> {
    match &input.data {
        Data::Struct(data) => Ok(vec![Shape { path: quote!(Self), fields: &data.fields }]),
        Data::Enum(data) => Ok(data
            .variants
            .iter()
            .map(|variant| {
                let name = &variant.ident;
                Shape { path: quote!(Self::#name), fields: &variant.fields }
            })
            .collect()),
        Data::Union(_) => Err(no_union(input, derive)),
    }
}

/// Nobody knows which field of a union is alive.
pub(crate) fn no_union(input: &DeriveInput, derive: &str) -> Error {
    let message = format!(
        "`{}` is a union: `{derive}` can't know which of its fields is alive; use a struct or an enum",
        input.ident
    );
    Error::new(input.ident.span(), message)
}

/// Refuses lifetimes where values must be `'static`.
pub(crate) fn no_lifetimes(input: &DeriveInput, what: &str) -> Result<()> {
    match input.generics.lifetimes().next() {
        Some(lifetime) => Err(Error::new(
            lifetime.lifetime.span(),
            format!(
                "{what} can't borrow: the world keeps it for as long as it likes; own the value, or keep an `Entity` or an index"
            ),
        )),
        None => Ok(()),
    }
}

/// Every field but `PhantomData`.
pub(crate) fn real(fields: &Fields) -> impl Iterator<Item = (Member, &Field)> {
    fields.members().zip(fields).filter(|(_, field)| !is_phantom(&field.ty))
}

/// Whether the type is written as `PhantomData`.
pub(crate) fn is_phantom(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"),
        _ => false,
    }
}

/// The place of `at` for errors, and the expansion for lints: those of the user's crate leave generated code alone.
pub(crate) fn place(at: &impl Spanned) -> Span {
    Span::call_site().located_at(at.span())
}

/// What everything that a world keeps must be.
pub(crate) fn keepable() -> TokenStream {
    quote!(::core::marker::Send + ::core::marker::Sync + 'static)
}

/// The generics of `input`, and `self_bound` on the whole of a generic type.
pub(crate) fn whole_bounded(input: &DeriveInput, self_bound: &TokenStream) -> Generics {
    bounded(input, core::iter::empty(), &quote!(), self_bound)
}

/// The generics of `input`, and what an impl for it asks of them: `field_bound` of each type in `fields` that depends on
/// a type parameter, `self_bound` of the whole.
pub(crate) fn bounded<'a>(
    input: &DeriveInput,
    fields: impl Iterator<Item = &'a Type>,
    field_bound: &TokenStream,
    self_bound: &TokenStream,
) -> Generics {
    let mut generics = input.generics.clone();
    let params: Vec<&Ident> = input.generics.type_params().map(|param| &param.ident).collect();
    if params.is_empty() {
        return generics;
    }
    let predicates = &mut generics.make_where_clause().predicates;
    for bounded in fields.flat_map(|ty| dependent(input, &params, ty)) {
        predicates.push(parse_quote!(#bounded: #field_bound));
    }
    predicates.push(parse_quote!(Self: #self_bound));
    generics
}

/// What an impl must bound so that it may use `ty`: the type if it depends on a parameter. Of a type that mentions the
/// deriving type the parameters only: a bound on the whole would ask for what is being defined.
fn dependent(input: &DeriveInput, params: &[&Ident], ty: &Type) -> Vec<TokenStream> {
    let tokens = ty.to_token_stream();
    let used = params.iter().filter(|param| mentions(tokens.clone(), &|ident| ident == **param));
    let used: Vec<TokenStream> = used.map(ToTokens::to_token_stream).collect();
    match mentions(tokens.clone(), &|ident| *ident == input.ident || ident == "Self") {
        false if !used.is_empty() => vec![tokens],
        _ => used,
    }
}

/// Whether one of the identifiers is `wanted`, keywords included.
pub(crate) fn mentions(tokens: TokenStream, wanted: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => wanted(&ident),
        TokenTree::Group(group) => mentions(group.stream(), wanted),
        _ => false,
    })
}

/// The tokens with `Self` written out, for places outside of an impl.
pub(crate) fn without_self(tokens: TokenStream, name: &Ident) -> TokenStream {
    let written_out = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            let mut name = name.clone();
            name.set_span(ident.span());
            name.into()
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_self(group.stream(), name));
            inner.set_span(group.span());
            inner.into()
        }
        other => other,
    };
    tokens.into_iter().map(written_out).collect()
}

/// The name of a field as people write it: without `r#`, the index for tuples.
pub(crate) fn name_of(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The types of every field in `shapes` but `PhantomData`.
pub(crate) fn types<'a>(shapes: &[Shape<'a>]) -> impl Iterator<Item = &'a Type> {
    shapes.iter().flat_map(|shape| real(shape.fields)).map(|(_, field)| &field.ty)
}
