#![expect(unsafe_code, reason = "values of different sections are reached at the same time through a shared table")]

use core::any::Any;
use core::cell::UnsafeCell;
use core::fmt;

use crate::entity::EntityMapper;
use crate::value::{Sink, StateValue};

/// The number of a section in its world, in the order of registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[doc(hidden)]
pub struct SectionId(u32);

/// Whose value a section holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SectionKey {
    /// A resource, by the name of its type.
    Resource(&'static str),
    /// A local of a system: schedule, system, place among the system's locals.
    Local(u32, u32, u32),
    /// When each system of a schedule last ran.
    LastRuns(u32),
    /// The seed of random numbers.
    Seed,
    /// A stream of random numbers, by its key.
    Stream(String),
    /// The queue of an event type, by its name.
    Events(&'static str),
    /// How far a reader of events has come: schedule, system, place among the system's readers.
    Cursor(u32, u32, u32),
}

impl fmt::Display for SectionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource(name) => write!(f, "resource {name}"),
            Self::Local(schedule, system, local) => {
                write!(f, "local {} of system {system} of schedule {schedule}", local + 1)
            }
            Self::LastRuns(schedule) => write!(f, "last runs of schedule {schedule}"),
            Self::Seed => f.write_str("seed"),
            Self::Stream(key) => write!(f, "stream {key}"),
            Self::Events(name) => write!(f, "events {name}"),
            Self::Cursor(schedule, system, reader) => {
                write!(f, "reader {} of system {system} of schedule {schedule}", reader + 1)
            }
        }
    }
}

/// What can be done with a value whose type is erased.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionHooks {
    encode: fn(&(dyn Any + Send + Sync), &mut Sink<'_>),
    map: fn(&mut (dyn Any + Send + Sync), &mut dyn EntityMapper),
}

impl SectionHooks {
    pub(crate) const fn of<T: StateValue>() -> Self {
        Self {
            encode: |value, sink| {
                if let Some(value) = value.downcast_ref::<T>() {
                    value.encode(sink);
                }
            },
            map: |value, mapper| {
                if let Some(value) = value.downcast_mut::<T>() {
                    value.map_entities(mapper);
                }
            },
        }
    }
}

/// A value that is no column.
#[derive(Debug)]
struct Section {
    key: SectionKey,
    hooks: Option<SectionHooks>,
    value: UnsafeCell<Option<Box<dyn Any + Send + Sync>>>,
}

/// All state that is no column, and what the host lends: one list, in the order of registration, so that hash, dump and
/// snapshots walk it and know neither systems nor resources.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    list: Vec<Section>,
}

// SAFETY: the cells are the only reason why the compiler asks. A shared table is read through `get` and `get_mut`, whose
// callers hold the access to that section that the plan granted them; the values are `Send + Sync` themselves.
unsafe impl Sync for Sections {}

impl Sections {
    /// Adds a section without a value. Without hooks it is no state: it is neither hashed nor kept in snapshots.
    pub(crate) fn add(&mut self, key: SectionKey, hooks: Option<SectionHooks>) -> SectionId {
        let id = SectionId(u32::try_from(self.list.len()).expect("fewer sections than slots"));
        self.list.push(Section { key, hooks, value: UnsafeCell::new(None) });
        id
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Drops all but the first sections.
    pub(crate) fn truncate(&mut self, sections: usize) {
        self.list.truncate(sections);
    }

    /// The section with this key, made with the default value if there is none.
    pub(crate) fn ensure<T: StateValue + Default>(&mut self, key: SectionKey) -> SectionId {
        self.ensure_with(key, T::default)
    }

    /// The section with this key, made with a value if there is none.
    pub(crate) fn ensure_with<T: StateValue>(&mut self, key: SectionKey, value: impl FnOnce() -> T) -> SectionId {
        self.find(&key).unwrap_or_else(|| {
            // Code of the user, which may panic: before there is a section that would have no value.
            let value = value();
            self.add_state(key, value)
        })
    }

    /// Adds a section that is state, with its value.
    pub(crate) fn add_state<T: StateValue>(&mut self, key: SectionKey, value: T) -> SectionId {
        let id = self.add(key, Some(SectionHooks::of::<T>()));
        self.set(id, value);
        id
    }

    /// The section with this key.
    pub(crate) fn find(&self, key: &SectionKey) -> Option<SectionId> {
        self.list.iter().position(|section| section.key == *key).map(|index| SectionId(index as u32))
    }

    pub(crate) fn set<T: Any + Send + Sync>(&mut self, id: SectionId, value: T) -> Option<T> {
        let cell = self.list[id.0 as usize].value.get_mut();
        let old = cell.replace(Box::new(value))?;
        old.downcast::<T>().ok().map(|old| *old)
    }

    pub(crate) fn take<T: Any + Send + Sync>(&mut self, id: SectionId) -> Option<T> {
        let value = self.list[id.0 as usize].value.get_mut().take()?;
        value.downcast::<T>().ok().map(|value| *value)
    }

    pub(crate) fn value_mut<T: Any>(&mut self, id: SectionId) -> Option<&mut T> {
        self.list[id.0 as usize].value.get_mut().as_mut()?.downcast_mut()
    }

    /// # Safety
    ///
    /// Nobody writes the section while the reference lives.
    pub(crate) unsafe fn get<T: Any>(&self, id: SectionId) -> Option<&T> {
        // SAFETY: no `&mut` to this cell lives, by this function's contract.
        unsafe { (*self.list[id.0 as usize].value.get()).as_ref()?.downcast_ref() }
    }

    /// # Safety
    ///
    /// Nobody else uses the section while the reference lives.
    #[expect(clippy::mut_from_ref, reason = "the plan grants each section to one writer")]
    pub(crate) unsafe fn get_mut<T: Any>(&self, id: SectionId) -> Option<&mut T> {
        // SAFETY: no other reference into this cell lives, by this function's contract.
        unsafe { (*self.list[id.0 as usize].value.get()).as_mut()?.downcast_mut() }
    }

    /// Whether the section holds a value.
    ///
    /// # Safety
    ///
    /// Nobody writes the section meanwhile.
    pub(crate) unsafe fn is_set(&self, id: SectionId) -> bool {
        // SAFETY: no `&mut` to this cell lives, by this function's contract.
        unsafe { (*self.list[id.0 as usize].value.get()).is_some() }
    }

    /// Whether the section holds a value.
    pub(crate) fn holds_value(&mut self, id: SectionId) -> bool {
        self.list[id.0 as usize].value.get_mut().is_some()
    }

    /// What the section is, in words.
    pub(crate) fn name(&self, id: SectionId) -> String {
        self.list[id.0 as usize].key.to_string()
    }

    /// Replaces the entities inside of a section's value.
    ///
    /// # Safety
    ///
    /// The caller holds the section alone.
    pub(crate) unsafe fn map_entities(&self, id: SectionId, mapper: &mut dyn EntityMapper) {
        let section = &self.list[id.0 as usize];
        // SAFETY: nobody else refers to the value, by this function's contract.
        if let (Some(hooks), Some(value)) = (section.hooks, unsafe { &mut *section.value.get() }) {
            (hooks.map)(&mut **value, mapper);
        }
    }

    /// Every section that is state, in order: its key and the canonical bytes of its value, none if it has no value.
    ///
    /// # Safety
    ///
    /// Nobody writes a section meanwhile.
    pub(crate) unsafe fn for_each_state(&self, mut each: impl FnMut(&SectionKey, Option<&[u8]>)) {
        let mut bytes = Vec::new();
        for section in &self.list {
            let Some(hooks) = section.hooks else { continue };
            bytes.clear();
            // SAFETY: no `&mut` to a cell lives, by this function's contract.
            let value = unsafe { &*section.value.get() };
            let encoded = value.as_deref().map(|value| {
                (hooks.encode)(value, &mut Sink::new(&mut bytes));
                bytes.as_slice()
            });
            each(&section.key, encoded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_walked_in_the_order_of_registration_and_host_values_are_left_out() {
        let mut sections = Sections::default();
        let first = sections.add(SectionKey::Resource("first"), Some(SectionHooks::of::<u16>()));
        let host = sections.add(SectionKey::Resource("host"), None);
        sections.add(SectionKey::Local(0, 1, 0), Some(SectionHooks::of::<u8>()));
        sections.set(first, 0x0201u16);
        sections.set(host, "window");
        let mut seen = Vec::new();
        // SAFETY: nobody else uses the sections.
        unsafe { sections.for_each_state(|key, bytes| seen.push((key.clone(), bytes.map(<[u8]>::to_vec)))) };
        assert_eq!(seen, [(SectionKey::Resource("first"), Some(vec![1, 2])), (SectionKey::Local(0, 1, 0), None)]);
    }

    #[derive(Clone, crate::entity::MapEntities)]
    struct NoDefault;

    impl StateValue for NoDefault {
        fn encode(&self, _: &mut Sink<'_>) {}
        fn decode(_: &mut crate::value::Source<'_>) -> Result<Self, crate::value::DecodeError> {
            Ok(Self)
        }
    }

    impl Default for NoDefault {
        fn default() -> Self {
            panic!("no default today")
        }
    }

    #[test]
    fn a_default_that_panics_leaves_no_section_behind() {
        let mut sections = Sections::default();
        let key = SectionKey::Local(1, 1, 0);
        let made = std::panic::AssertUnwindSafe(|| sections.ensure::<NoDefault>(SectionKey::Local(1, 1, 0)));
        assert!(std::panic::catch_unwind(made).is_err());
        assert_eq!(sections.find(&key), None);
    }

    #[test]
    fn a_value_is_replaced_taken_and_found_by_its_key() {
        let mut sections = Sections::default();
        let id = sections.add(SectionKey::Resource("r"), None);
        assert_eq!(sections.set(id, 1u8), None);
        assert_eq!(sections.set(id, 2u8), Some(1));
        assert_eq!(sections.find(&SectionKey::Resource("r")), Some(id));
        assert_eq!(sections.take::<u8>(id), Some(2));
        assert_eq!(sections.value_mut::<u8>(id), None);
    }
}
