//! The `repr` of a Data component: what it must be, and what to write if it is not.

use proc_macro2::TokenStream;
use syn::{DeriveInput, Error, Ident, Result, parenthesized, token::Paren};

/// The layout of a struct.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StructRepr {
    /// Fields in the order of the source.
    C,
    /// The layout of the only field that has bytes.
    Transparent,
}

const INTEGERS: [&str; 8] = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"];

impl StructRepr {
    pub(super) fn of(input: &DeriveInput) -> Result<Self> {
        let words = repr_words(input)?;
        if let Some(packed) = find(&words, "packed") {
            return Err(packed_fields(input, packed));
        }
        match (find(&words, "C"), find(&words, "transparent")) {
            (Some(_), _) => Ok(Self::C),
            (_, Some(_)) => Ok(Self::Transparent),
            _ => Err(missing(input, "`#[repr(C)]`", "order")),
        }
    }
}

/// The integer that a field-less enum is stored as.
pub(super) fn enum_repr(input: &DeriveInput) -> Result<Ident> {
    let words = repr_words(input)?;
    let fixed = words.iter().find(|word| INTEGERS.iter().any(|integer| *word == integer));
    fixed.cloned().ok_or_else(|| missing(input, "`#[repr(u8)]` (or u16 to u64, i8 to i64)", "size"))
}

fn missing(input: &DeriveInput, repr: &str, what: &str) -> Error {
    let message = format!(
        "`{}` is a Data component without a fixed {what} of its bytes: write {repr} above it, or `#[component(opaque)]` if its \
         values are more than plain bytes",
        input.ident
    );
    Error::new(input.ident.span(), message)
}

fn packed_fields(input: &DeriveInput, packed: &Ident) -> Error {
    let message = format!(
        "`{}` is packed: queries hand out references to its fields, which would not be aligned; write `#[repr(C)]` and order \
         the fields from the largest to the smallest",
        input.ident
    );
    Error::new(packed.span(), message)
}

fn find<'a>(words: &'a [Ident], wanted: &str) -> Option<&'a Ident> {
    words.iter().find(|word| *word == wanted)
}

/// The words of every `#[repr(..)]`: `C`, `u8`, `align`.
fn repr_words(input: &DeriveInput) -> Result<Vec<Ident>> {
    let mut words = Vec::new();
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        attribute.parse_nested_meta(|meta| {
            words.push(meta.path.require_ident()?.clone());
            if meta.input.peek(Paren) {
                let number;
                parenthesized!(number in meta.input);
                number.parse::<TokenStream>()?;
            }
            Ok(())
        })?;
    }
    Ok(words)
}
