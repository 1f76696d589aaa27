//! `derive(QueryRow)`: a struct whose fields are terms of a query, fetched as the tuple of those terms.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, GenericParam, Ident, Member, Result, Type};

use crate::attr::{Known, Word, Words};
use crate::fields::{is_phantom, mentions, place, real};

/// As many as a tuple of terms may have.
const MAX_FIELDS: usize = 16;

const ON_TYPE: Known = Known {
    attribute: "query_row",
    words: &["writes"],
    help: "on a struct write `writes`; on a field `term = \"Has<T>\"`",
};

const ON_FIELD: Known = Known {
    attribute: "query_row",
    words: &["term"],
    help: "on a field write `term = \"Has<T>\"`; on the struct `writes`",
};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    at_most_one_lifetime(input)?;
    let words = Words::read(&input.attrs, &ON_TYPE)?;
    words.iter().try_for_each(Word::without_value)?;
    let row = Row::of(input)?;
    let writes = words.find("writes").is_some() || row.columns.iter().any(Column::writes);
    let (query_data, marker) = (row.query_data(writes), (!writes).then(|| row.read_only()));
    Ok(quote!(#query_data #marker))
}

fn at_most_one_lifetime(input: &DeriveInput) -> Result<()> {
    match input.generics.lifetimes().nth(1) {
        Some(second) => Err(Error::new(
            second.lifetime.span(),
            format!(
                "`{}` has two lifetimes: what a row borrows lives as long as the query, so one lifetime is enough",
                input.ident
            ),
        )),
        None => Ok(()),
    }
}

/// A field and the term that fetches it.
struct Column<'a> {
    name: Ident,
    member: Member,
    field: &'a Field,
    term: Type,
}

impl<'a> Column<'a> {
    fn of(index: usize, (member, field): (Member, &'a Field)) -> Result<Self> {
        let words = Words::read(&field.attrs, &ON_FIELD)?;
        let term = words.find("term").map(said).transpose()?.unwrap_or_else(|| field.ty.clone());
        let at = Span::mixed_site().located_at(field.ty.span());
        Ok(Self { name: format_ident!("__field_{index}", span = at), member, field, term })
    }

    /// Whether the term says that it writes.
    fn writes(&self) -> bool {
        let term = &self.term;
        mentions(quote!(#term), &|ident| ident == "mut" || ident == "Write")
    }

    /// The field, with what its term yields.
    fn filled(&self) -> TokenStream {
        let (member, name) = (&self.member, &self.name);
        quote_spanned!(place(&self.field.ty)=> #member: #name)
    }

    /// Stops the compiler at a term that writes after all.
    fn reads_only(&self) -> TokenStream {
        let term = &self.term;
        quote_spanned!(place(term)=> reads_only::<#term>();)
    }
}

fn said(word: &Word) -> Result<Type> {
    match &word.value {
        Some(term) => term.parse(),
        None => Err(Error::new(word.ident.span(), "`term` needs the term that fetches the field: `term = \"Has<T>\"`")),
    }
}

struct Row<'a> {
    input: &'a DeriveInput,
    columns: Vec<Column<'a>>,
    phantoms: Vec<Member>,
}

impl<'a> Row<'a> {
    fn of(input: &'a DeriveInput) -> Result<Self> {
        let fields = only_structs(input)?;
        let columns = real(fields).enumerate().map(|(index, field)| Column::of(index, field));
        let columns: Vec<Column<'a>> = columns.collect::<Result<_>>()?;
        if let Some(extra) = columns.get(MAX_FIELDS) {
            let message =
                format!("a row has at most {MAX_FIELDS} fields; put some into a row of their own and nest it");
            return Err(Error::new(extra.field.span(), message));
        }
        let phantoms = fields.members().zip(fields).filter(|(_, field)| is_phantom(&field.ty));
        Ok(Self { input, columns, phantoms: phantoms.map(|(member, _)| member).collect() })
    }

    /// The tuple of terms that the row is fetched as.
    fn terms(&self) -> TokenStream {
        let terms = self.columns.iter().map(|column| &column.term);
        quote!((#(#terms,)*))
    }

    /// The row for as long as `'__row` lasts.
    fn item(&self) -> TokenStream {
        let name = &self.input.ident;
        let params = self.input.generics.params.iter().map(|param| match param {
            GenericParam::Lifetime(_) => quote!('__row),
            GenericParam::Type(param) => param.ident.clone().into_token_stream(),
            GenericParam::Const(param) => param.ident.clone().into_token_stream(),
        });
        quote!(#name<#(#params),*>)
    }

    /// The row, made of what the terms yield.
    fn filled(&self) -> TokenStream {
        let (name, phantoms) = (&self.input.ident, &self.phantoms);
        let columns = self.columns.iter().map(Column::filled);
        quote!(#name { #(#columns,)* #(#phantoms: ::core::marker::PhantomData,)* })
    }

    fn reads_only(&self) -> TokenStream {
        let checks = self.columns.iter().map(Column::reads_only);
        quote! {
            fn reads_only<D: ::tickweave::query::ReadOnlyQueryData>() {}
            #(#checks)*
        }
    }

    // SAFETY: `QueryData` asks that `terms` names what `fetch` and `item` touch, that `admits` and `present` are true only
    // where every column is there, and that `NEEDED`, `TOUCHED`, `fetch_present` and `ReadOnly` agree with them. All of them are
    // those of the tuple of terms, which promises the same.
    fn query_data(&self, writes: bool) -> TokenStream {
        let (impl_generics, ty_generics, where_clause) = self.input.generics.split_for_impl();
        let (name, terms, item, filled) = (&self.input.ident, self.terms(), self.item(), self.filled());
        let names = self.columns.iter().map(|column| &column.name);
        let terms = quote!(<#terms as ::tickweave::query::QueryData>);
        let read_only = if writes { quote!(#terms::ReadOnly) } else { quote!(Self) };
        let checks = (!writes).then(|| self.reads_only());
        quote! {
            #[automatically_derived]
            unsafe impl #impl_generics ::tickweave::query::QueryData for #name #ty_generics #where_clause {
                type Item<'__row> = #item;
                type ReadOnly = #read_only;
                type State = #terms::State;
                type Fetch<'__row> = #terms::Fetch<'__row>;
                const NEEDED: u32 = #terms::NEEDED;
                const TOUCHED: u32 = #terms::TOUCHED;

                fn resolve(resolver: ::tickweave::query::Resolver<'_>) -> Self::State {
                    #checks
                    #terms::resolve(resolver)
                }

                fn admits(state: Self::State, mask: &::tickweave::access::IdSet) -> bool {
                    #terms::admits(state, mask)
                }

                fn terms(state: Self::State, term: &mut dyn ::core::ops::FnMut(::tickweave::query::Term)) {
                    #terms::terms(state, term);
                }

                #[inline]
                fn present(state: Self::State, chunk: ::tickweave::query::ChunkView<'_>) -> bool {
                    #terms::present(state, chunk)
                }

                #[inline]
                unsafe fn fetch<'__row>(
                    state: Self::State,
                    chunk: ::tickweave::query::ChunkView<'__row>,
                ) -> Self::Fetch<'__row> {
                    unsafe { #terms::fetch(state, chunk) }
                }

                #[inline(always)]
                unsafe fn fetch_present<'__row>(
                    state: Self::State,
                    chunk: ::tickweave::query::ChunkView<'__row>,
                ) -> ::core::option::Option<Self::Fetch<'__row>> {
                    unsafe { #terms::fetch_present(state, chunk) }
                }

                #[inline(always)]
                unsafe fn item<'__row>(fetch: Self::Fetch<'__row>, row: u32) -> Self::Item<'__row> {
                    let (#(#names,)*) = unsafe { #terms::item(fetch, row) };
                    #filled
                }
            }
        }
    }

    // SAFETY: `ReadOnlyQueryData` asks that no term writes: `resolve` does not compile for a row with one that does.
    fn read_only(&self) -> TokenStream {
        let (impl_generics, ty_generics, where_clause) = self.input.generics.split_for_impl();
        let name = &self.input.ident;
        quote! {
            #[automatically_derived]
            unsafe impl #impl_generics ::tickweave::query::ReadOnlyQueryData for #name #ty_generics #where_clause {}
        }
    }
}

fn only_structs(input: &DeriveInput) -> Result<&Fields> {
    match &input.data {
        Data::Struct(data) => Ok(&data.fields),
        _ => Err(Error::new(
            input.ident.span(),
            format!("`{}` is no struct: a row always has the same fields", input.ident),
        )),
    }
}
