use super::{AnyValue, SectionId, SectionKey, Sections};
use crate::value::{DecodeError, Source};

/// Values that take the place of others: what a load needs.
impl Sections {
    /// Every section that is state, in order.
    pub(crate) fn state(&self) -> impl Iterator<Item = (SectionId, &SectionKey)> {
        self.met.iter().map(|&id| (id, &self.list[id.0 as usize].key))
    }

    /// Reads a value of the section's type.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the bytes are none.
    ///
    /// # Panics
    ///
    /// If the section is no state.
    pub(crate) fn decode(&self, id: SectionId, source: &mut Source<'_>) -> Result<AnyValue, DecodeError> {
        let hooks = self.list[id.0 as usize].hooks.expect("only state is decoded");
        (hooks.decode)(source)
    }

    /// Puts a value of the section's own type, or none, into it; returns what it held.
    pub(crate) fn replace(&mut self, id: SectionId, value: Option<AnyValue>) -> Option<AnyValue> {
        let section = &mut self.list[id.0 as usize];
        section.version.forget();
        core::mem::replace(section.value.get_mut(), value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decoded_has_the_type_of_its_section_and_takes_the_place_of_what_was_there() {
        let mut sections = Sections::default();
        sections.add(SectionKey::Resource("host", core::any::TypeId::of::<u8>()), None);
        let id = sections.ensure::<u16>(SectionKey::Local(1, 1, 0));
        assert_eq!(sections.state().collect::<Vec<_>>(), [(id, &SectionKey::Local(1, 1, 0))]);
        let value = sections.decode(id, &mut Source::new(&[7, 1])).unwrap();
        assert!(sections.decode(id, &mut Source::new(&[7])).is_err());
        let old = sections.replace(id, Some(value)).and_then(|old| old.downcast::<u16>().ok());
        assert_eq!((old.as_deref(), sections.value_mut::<u16>(id)), (Some(&0), Some(&mut 0x0107)));
    }
}
