//! Words in helper attributes: `#[component(track)]`, `#[component(trust = "reason")]`.

use syn::{Attribute, Error, Ident, LitStr, Result, meta::ParseNestedMeta};

/// The words that an attribute may hold in one place.
pub(crate) struct Known {
    pub(crate) attribute: &'static str,
    pub(crate) words: &'static [&'static str],
    /// What to say after an unknown word.
    pub(crate) help: &'static str,
}

/// A word, and its value if it was written `word = "value"`.
pub(crate) struct Word {
    pub(crate) ident: Ident,
    pub(crate) value: Option<LitStr>,
}

/// The words that were found, each at most once.
pub(crate) struct Words(Vec<Word>);

impl Words {
    /// Reads every `#[attribute(..)]` among `attributes`.
    pub(crate) fn read(attributes: &[Attribute], known: &Known) -> Result<Self> {
        let mut words = Self(Vec::new());
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(known.attribute)) {
            attribute.parse_nested_meta(|meta| words.push(&meta, known))?;
        }
        Ok(words)
    }

    /// The word, if it was written.
    pub(crate) fn find(&self, word: &str) -> Option<&Word> {
        self.0.iter().find(|found| found.ident == word)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Word> {
        self.0.iter()
    }

    fn push(&mut self, meta: &ParseNestedMeta<'_>, known: &Known) -> Result<()> {
        let ident = known_word(meta, known)?;
        if self.0.iter().any(|found| found.ident == ident) {
            return Err(meta.error(format!("`{ident}` is said twice")));
        }
        let value = if meta.input.peek(syn::Token![=]) { Some(meta.value()?.parse()?) } else { None };
        self.0.push(Word { ident, value });
        Ok(())
    }
}

fn known_word(meta: &ParseNestedMeta<'_>, known: &Known) -> Result<Ident> {
    match meta.path.get_ident() {
        Some(ident) if known.words.iter().any(|word| ident == word) => Ok(ident.clone()),
        _ => {
            let word = meta.path.get_ident().map_or_else(|| "this".into(), |ident| format!("`{ident}`"));
            Err(meta.error(format!("`#[{}(..)]` does not know {word} here: {}", known.attribute, known.help)))
        }
    }
}

impl Word {
    /// Refuses a value behind a word that takes none.
    pub(crate) fn without_value(&self) -> Result<()> {
        match &self.value {
            Some(value) => Err(Error::new(value.span(), format!("`{}` takes no value", self.ident))),
            None => Ok(()),
        }
    }
}
