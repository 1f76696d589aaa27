//! Data components: a schema made of the real fields, and proof that they cover every byte.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, Generics, LitStr, Member, Result, Type};

use super::layout::{StructRepr, enum_repr};
use super::{ON_FIELD, Told, component, no_words_inside};
use crate::attr::Words;
use crate::fields::{bounded, keepable, name_of, no_union, place, real, without_self};

pub(super) fn expand(input: &DeriveInput, words: &Words) -> Result<TokenStream> {
    let meaning = match &input.data {
        Data::Struct(data) => struct_meaning(input, &data.fields)?,
        Data::Enum(data) => {
            no_words_inside(input, "an enum")?;
            enum_meaning(input, data)?
        }
        Data::Union(_) => return Err(no_union(input, "Component")),
    };
    let (field_bound, keepable) = (quote!(::tickweave::value::Data), keepable());
    let self_bound = quote!(::core::marker::Copy + #keepable);
    let generics = bounded(input, meaning.must_be_data.iter().copied(), &field_bound, &self_bound);
    let data = data(input, &generics, &meaning);
    let state_value = state_value(input, &generics);
    let told = Told {
        descriptor: quote!(::tickweave::component::ComponentDescriptor::data::<Self>()),
        has_entities: meaning.has_entities(),
        map_entities: quote!(::tickweave::value::map_data_entities(self, mapper);),
    };
    let component = component(input, &generics, words, &told);
    Ok(quote!(#data #state_value #component))
}

/// What the bytes of a type mean.
struct Meaning<'a> {
    schema: TokenStream,
    /// Stops the compiler if bytes of the value are in no field.
    checks: TokenStream,
    /// The types of the fields that nobody vouches for.
    must_be_data: Vec<&'a Type>,
}

impl Meaning<'_> {
    fn has_entities(&self) -> TokenStream {
        let fields = self.must_be_data.iter().map(|ty| schema_of(ty));
        quote!(false #(|| #fields.has_entities())*)
    }
}

/// Why generated code may name deprecated fields.
const REASON: &str = "a deprecated field is part of the layout too";

/// A generic type is checked where its schema is used, any other where it is defined.
fn data(input: &DeriveInput, generics: &Generics, meaning: &Meaning<'_>) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (name, Meaning { schema, checks, .. }) = (&input.ident, meaning);
    let (at_definition, in_schema) = match input.generics.params.is_empty() {
        true => (here(input, checks), quote!()),
        false => (quote!(), quote!(#checks)),
    };
    // SAFETY: `Data` asks for three things. No padding: every field is `Data` or vouched for by its author, and the checks
    // refuse bytes between and behind them; an enum is its discriminant. A schema that covers the value and accepts valid
    // bytes only: it is made of the schemas of those fields at their real offsets, or lists exactly the discriminants. No
    // interior mutability: as the fields; an enum has no fields.
    quote! {
        #at_definition
        #[automatically_derived]
        #[allow(deprecated, reason = #REASON)]
        unsafe impl #impl_generics ::tickweave::value::Data for #name #ty_generics #where_clause {
            const SCHEMA: ::tickweave::value::Schema = { #in_schema #schema };
        }
    }
}

fn here(input: &DeriveInput, checks: &TokenStream) -> TokenStream {
    let checks = without_self(checks.clone(), &input.ident);
    quote! {
        #[allow(deprecated, reason = #REASON)]
        const _: () = { #checks };
    }
}

fn state_value(input: &DeriveInput, generics: &Generics) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = &input.ident;
    // The checks of a generic type must have passed before its bytes are read.
    let checked =
        (!input.generics.params.is_empty()).then(|| quote!(const { _ = <Self as ::tickweave::value::Data>::SCHEMA };));
    quote! {
        #[automatically_derived]
        impl #impl_generics ::tickweave::entity::MapEntities for #name #ty_generics #where_clause {
            fn map_entities(&mut self, mapper: &mut dyn ::tickweave::entity::EntityMapper) {
                ::tickweave::value::map_data_entities(self, mapper);
            }
        }
        #[automatically_derived]
        impl #impl_generics ::tickweave::value::StateValue for #name #ty_generics #where_clause {
            fn encode(&self, sink: &mut ::tickweave::value::Sink<'_>) {
                #checked
                ::tickweave::value::encode_data(self, sink);
            }
            fn decode(
                source: &mut ::tickweave::value::Source<'_>,
            ) -> ::core::result::Result<Self, ::tickweave::value::DecodeError> {
                ::tickweave::value::decode_data(source)
            }
        }
    }
}

/// A field with bytes.
struct Column<'a> {
    member: Member,
    ty: &'a Type,
    /// Whether the author vouches for the type.
    trusted: bool,
}

fn struct_meaning<'a>(input: &DeriveInput, fields: &'a Fields) -> Result<Meaning<'a>> {
    let repr = StructRepr::of(input)?;
    let columns = real(fields).map(|(member, field)| Column::read(member, field)).collect::<Result<Vec<_>>>()?;
    let gaps = match repr {
        StructRepr::C => gaps(input, &columns),
        StructRepr::Transparent => quote!(),
    };
    let (rest, entries) = (rest(input, &columns), columns.iter().map(Column::entry));
    Ok(Meaning {
        schema: quote!(::tickweave::value::Schema::Struct(const { &[#(#entries),*] })),
        checks: quote!(#gaps #rest),
        must_be_data: columns.iter().filter(|column| !column.trusted).map(|column| column.ty).collect(),
    })
}

/// Refuses padding in front of each field; the fields of `repr(C)` lie in the order of the source.
fn gaps(input: &DeriveInput, columns: &[Column<'_>]) -> TokenStream {
    let pairs = columns.iter().zip(columns.iter().skip(1));
    let check = |(before, column): (&Column<'_>, &Column<'_>)| {
        let (previous, previous_ty, member) = (&before.member, before.ty, &column.member);
        let bytes = quote! {
            ::core::mem::offset_of!(Self, #member)
                - (::core::mem::offset_of!(Self, #previous) + ::core::mem::size_of::<#previous_ty>())
        };
        let gap = format!("in front of `{}`", name_of(member));
        no_padding(input, column.ty, [&gap, ", or order the fields from the largest to the smallest"], &bytes)
    };
    pairs.map(check).collect()
}

/// Refuses every byte of the value that is in no field: with no gap in front of a field, those at the end.
fn rest(input: &DeriveInput, columns: &[Column<'_>]) -> TokenStream {
    let types = columns.iter().map(|column| column.ty);
    let bytes = quote!(::core::mem::size_of::<Self>() - (0 #(+ ::core::mem::size_of::<#types>())*));
    no_padding(input, &input.ident, ["at its end", ""], &bytes)
}

fn no_padding(input: &DeriveInput, at: &impl Spanned, words: [&str; 2], bytes: &TokenStream) -> TokenStream {
    let (name, [gap, otherwise]) = (input.ident.to_string(), words);
    quote_spanned!(place(at)=> ::tickweave::layout::no_padding(#name, #gap, #bytes, #otherwise);)
}

impl<'a> Column<'a> {
    fn read(member: Member, field: &'a Field) -> Result<Self> {
        no_address(&member, &field.ty)?;
        let words = Words::read(&field.attrs, &ON_FIELD)?;
        let trusted = match words.find("trust") {
            Some(word) => {
                reason(&word.ident, word.value.as_ref())?;
                true
            }
            None => false,
        };
        Ok(Self { member, ty: &field.ty, trusted })
    }

    fn entry(&self) -> TokenStream {
        let (member, name, schema) = (&self.member, name_of(&self.member), self.schema());
        quote! {
            ::tickweave::value::Field {
                name: #name,
                offset: ::core::mem::offset_of!(Self, #member),
                schema: &#schema,
            }
        }
    }

    fn schema(&self) -> TokenStream {
        let ty = self.ty;
        if self.trusted {
            return quote!(::tickweave::value::Schema::Trusted(::core::mem::size_of::<#ty>()));
        }
        schema_of(ty)
    }
}

fn schema_of(ty: &Type) -> TokenStream {
    quote_spanned!(place(ty)=> <#ty as ::tickweave::value::Data>::SCHEMA)
}

fn no_address(member: &Member, ty: &Type) -> Result<()> {
    match ty {
        Type::Ptr(_) | Type::Reference(_) | Type::BareFn(_) => Err(Error::new_spanned(
            ty,
            format!(
                "`{}` holds an address, which is another one in every run: keep an `Entity`, an index or the value itself, \
                 or write `#[component(opaque)]` above the type",
                name_of(member)
            ),
        )),
        _ => Ok(()),
    }
}

fn reason(word: &syn::Ident, value: Option<&LitStr>) -> Result<()> {
    match value {
        Some(text) if !text.value().trim().is_empty() => Ok(()),
        _ => Err(Error::new(
            value.map_or_else(|| word.span(), LitStr::span),
            "say why the type may be trusted: `trust = \"every byte of it is initialised and every bit pattern valid, \
             because ..\"`",
        )),
    }
}

fn enum_meaning<'a>(input: &DeriveInput, data: &DataEnum) -> Result<Meaning<'a>> {
    refuse_values(input, data)?;
    let repr = enum_repr(input)?;
    let unsigned = format_ident!("u{}", repr.to_string()[1..]);
    let entries = data.variants.iter().map(|variant| {
        let (ident, name) = (&variant.ident, variant.ident.unraw().to_string());
        quote! {
            ::tickweave::value::Variant { name: #name, bits: Self::#ident {} as #repr as #unsigned as u64 }
        }
    });
    let schema = quote! {
        ::tickweave::value::Schema::Enum {
            size: ::core::mem::size_of::<Self>(),
            variants: const { &[#(#entries),*] },
        }
    };
    Ok(Meaning { schema, checks: quote!(), must_be_data: Vec::new() })
}

fn refuse_values(input: &DeriveInput, data: &DataEnum) -> Result<()> {
    if data.variants.is_empty() {
        return Err(Error::new(input.ident.span(), format!("`{}` has no variants, so no value", input.ident)));
    }
    match data.variants.iter().find(|variant| !variant.fields.is_empty()) {
        Some(variant) => Err(Error::new(
            variant.ident.span(),
            format!(
                "`{}::{}` has fields: the bytes of such an enum are not all initialised, so `{0}` is no plain data; write \
                 `#[component(opaque)]` above it (`#[component(opaque, state)]` and `StateValue` to save it too)",
                input.ident, variant.ident
            ),
        )),
        None => Ok(()),
    }
}
