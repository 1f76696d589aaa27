#![expect(unsafe_code, reason = "values of different sections are reached at the same time through a shared table")]

mod key;
mod makers;
mod replace;

pub(crate) use key::SectionKey;
pub(crate) use makers::{how_both_have, maker_of};

use core::any::Any;
use core::cell::UnsafeCell;

use crate::entity::EntityMapper;
use crate::fault::{Fault, planted};
use crate::hash::StateHasher;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering, next_unique};
use crate::value::{DecodeError, Sink, Source, StateValue};

/// A value whose type is erased.
pub(crate) type AnyValue = Box<dyn Any + Send + Sync>;

/// The domain of the hashes of sections.
const SECTION: u64 = 13;

/// The number of a section in its world, in the order of registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[doc(hidden)]
pub struct SectionId(u32);

/// What can be done with a value whose type is erased.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionHooks {
    encode: fn(&(dyn Any + Send + Sync), &mut Sink<'_>),
    copy: fn(&(dyn Any + Send + Sync), &mut Value),
    map: fn(&mut (dyn Any + Send + Sync), &mut dyn EntityMapper),
    decode: fn(&mut Source<'_>) -> Result<AnyValue, DecodeError>,
}

impl SectionHooks {
    pub(crate) const fn of<T: StateValue>() -> Self {
        Self {
            encode: |value, sink| {
                if let Some(value) = value.downcast_ref::<T>() {
                    value.encode(sink);
                }
            },
            copy: |value, copy| {
                let Some(value) = value.downcast_ref::<T>() else { return };
                match copy.as_mut().and_then(|copy| copy.downcast_mut::<T>()) {
                    Some(copy) => copy.clone_from(value),
                    None => *copy = Some(Box::new(value.clone())),
                }
            },
            map: |value, mapper| {
                if let Some(value) = value.downcast_mut::<T>() {
                    value.map_entities(mapper);
                }
            },
            decode: |source| Ok(Box::new(T::decode(source)?)),
        }
    }
}

/// A value that is no column.
#[derive(Debug)]
struct Section {
    key: SectionKey,
    hooks: Option<SectionHooks>,
    value: UnsafeCell<Value>,
    version: Version,
    is_met: bool,
}

/// A value whose type is erased; none where nothing was put in, or it was taken out.
type Value = Option<AnyValue>;

/// What is known of a value since it was last written.
#[derive(Debug, Default)]
struct Version {
    /// Tells values apart, in this process; 0 while nobody asked.
    label: AtomicU64,
    /// The hash of its canonical bytes; 0 while nobody asked.
    hash: AtomicU64,
}

impl Version {
    /// Whoever may write the value says so: nothing is known of it any more.
    fn forget(&self) {
        self.label.store(0, Ordering::Relaxed);
        self.hash.store(0, Ordering::Relaxed);
    }

    /// The label of the value as it is.
    fn label(&self) -> u64 {
        match self.label.load(Ordering::Relaxed) {
            0 => {
                let label = next_unique();
                self.label.store(label, Ordering::Relaxed);
                label
            }
            label => label,
        }
    }

    /// Is that of another value from now on, which is equal.
    fn copy_from(&self, other: &Self) {
        self.label.store(other.label(), Ordering::Relaxed);
        self.hash.store(other.hash.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// All state that is no column, and what the host lends: one list, so that hash, dump and snapshots walk it and know neither
/// systems nor resources.
///
/// An id stays that of its section for ever. The order in which the world met those that are state is kept beside the list:
/// it is state, and a restore takes it back, so that what is met again takes the place that it had.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    list: Vec<Section>,
    /// Sections that are state, in the order in which the world met them.
    met: Vec<SectionId>,
    /// What values were encoded in when they were last hashed, for the next time.
    buffer: Mutex<Vec<u8>>,
}

/// How many sections there are, and how many of them were met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionCount {
    known: usize,
    met: usize,
}

// SAFETY: the cells are the only reason why the compiler asks. A shared table is read through `get` and `get_mut`, whose
// callers hold the access to that section that the plan granted them; the values are `Send + Sync` themselves.
unsafe impl Sync for Sections {}

impl Sections {
    /// Adds a section without a value. Without hooks it is no state: it is neither hashed nor kept in snapshots.
    pub(crate) fn add(&mut self, key: SectionKey, hooks: Option<SectionHooks>) -> SectionId {
        let id = SectionId(u32::try_from(self.list.len()).expect("fewer sections than slots"));
        let (value, version) = (UnsafeCell::new(None), Version::default());
        self.list.push(Section { key, hooks, value, version, is_met: false });
        self.meet(id);
        id
    }

    /// Notes that the world knows the section, if it is state: from now on, unless it did before.
    pub(crate) fn meet(&mut self, id: SectionId) {
        let section = &mut self.list[id.0 as usize];
        if section.hooks.is_some() && !section.is_met {
            section.is_met = true;
            self.met.push(id);
        }
    }

    pub(crate) fn count(&self) -> SectionCount {
        SectionCount { known: self.list.len(), met: self.met.len() }
    }

    /// Forgets the sections that came, or were met, since `count` was taken.
    pub(crate) fn truncate(&mut self, count: SectionCount) {
        for id in self.met.drain(count.met..) {
            let section = &mut self.list[id.0 as usize];
            section.is_met = false;
            drop(section.lose());
        }
        self.list.truncate(count.known);
    }

    /// The section with this key, made with the default value if there is none.
    pub(crate) fn ensure<T: StateValue + Default>(&mut self, key: SectionKey) -> SectionId {
        self.ensure_with(key, T::default)
    }

    /// The section with this key, made with a value if there is none, or if it has none of this type: a schedule that was bound
    /// before under the number of another may have had locals of other types.
    pub(crate) fn ensure_with<T: StateValue>(&mut self, key: SectionKey, value: impl FnOnce() -> T) -> SectionId {
        let found = self.find(&key);
        if let Some(id) = found.filter(|&id| self.peek::<T>(id).is_some()) {
            self.meet(id);
            return id;
        }
        // Code of the user, which may panic: before there is a section that would have no value.
        let value = value();
        let hooks = Some(SectionHooks::of::<T>());
        let id = found.unwrap_or_else(|| self.add(key, hooks));
        self.list[id.0 as usize].hooks = hooks;
        self.set(id, value);
        id
    }

    /// The section with this key.
    pub(crate) fn find(&self, key: &SectionKey) -> Option<SectionId> {
        self.list.iter().position(|section| section.key == *key).map(|index| SectionId(index as u32))
    }

    pub(crate) fn set<T: Any + Send + Sync>(&mut self, id: SectionId, value: T) -> Option<T> {
        self.meet(id);
        let section = &mut self.list[id.0 as usize];
        section.version.forget();
        let old = section.value.get_mut().replace(Box::new(value))?;
        old.downcast::<T>().ok().map(|old| *old)
    }

    pub(crate) fn take<T: Any + Send + Sync>(&mut self, id: SectionId) -> Option<T> {
        let section = &mut self.list[id.0 as usize];
        section.version.forget();
        let value = section.value.get_mut().take()?;
        value.downcast::<T>().ok().map(|value| *value)
    }

    /// The value, for reading: what is known of it stays known.
    pub(crate) fn peek<T: Any>(&mut self, id: SectionId) -> Option<&T> {
        self.list[id.0 as usize].value.get_mut().as_ref()?.downcast_ref()
    }

    pub(crate) fn value_mut<T: Any>(&mut self, id: SectionId) -> Option<&mut T> {
        let section = &mut self.list[id.0 as usize];
        section.version.forget();
        section.value.get_mut().as_mut()?.downcast_mut()
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
        let section = &self.list[id.0 as usize];
        section.version.forget();
        // SAFETY: no other reference into this cell lives, by this function's contract.
        unsafe { (*section.value.get()).as_mut()?.downcast_mut() }
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

    /// Whether the hash of the section's value is known.
    #[cfg(test)]
    pub(crate) fn knows_hash(&self, id: SectionId) -> bool {
        self.list[id.0 as usize].version.hash.load(Ordering::Relaxed) != 0
    }

    /// Whether the section holds a value.
    pub(crate) fn holds_value(&mut self, id: SectionId) -> bool {
        self.list[id.0 as usize].value.get_mut().is_some()
    }

    /// Whose value the section holds.
    pub(crate) fn key(&self, id: SectionId) -> &SectionKey {
        &self.list[id.0 as usize].key
    }

    /// Whether the section is state, whether or not it has a value.
    pub(crate) fn is_state(&self, id: SectionId) -> bool {
        self.list[id.0 as usize].hooks.is_some()
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
        section.version.forget();
        // SAFETY: nobody else refers to the value, by this function's contract.
        if let (Some(hooks), Some(value)) = (section.hooks, unsafe { &mut *section.value.get() }) {
            (hooks.map)(&mut **value, mapper);
        }
    }

    /// Every section that is state and has a value, in order: its number among those, its key and the canonical bytes of its
    /// value.
    ///
    /// # Safety
    ///
    /// Nobody writes a section meanwhile.
    pub(crate) unsafe fn for_each_state(&self, mut each: impl FnMut(u32, &SectionKey, &[u8])) {
        let (mut number, mut bytes) = (0, Vec::new());
        for section in self.met() {
            bytes.clear();
            // SAFETY: no `&mut` to a cell lives, by this function's contract.
            if unsafe { section.encode(&mut bytes) } {
                each(number, &section.key, &bytes);
                number += 1;
            }
        }
    }

    /// The hash of every section that is state and has a value, in order, with its number and its key. `trusted`: those that are
    /// known are used.
    ///
    /// # Safety
    ///
    /// Nobody writes a section meanwhile.
    pub(crate) unsafe fn for_each_hash(&self, trusted: bool, mut each: impl FnMut(u32, &SectionKey, u64)) {
        let (mut number, mut bytes) = (0, core::mem::take(&mut *self.buffer()));
        for section in self.met() {
            // SAFETY: this function's contract.
            if let Some(hash) = unsafe { section.hash(trusted, &mut bytes) } {
                each(number, &section.key, hash);
                number += 1;
            }
        }
        *self.buffer() = bytes;
    }

    fn buffer(&self) -> MutexGuard<'_, Vec<u8>> {
        self.buffer.lock().expect("no code of a user runs under this lock")
    }

    /// Has met the sections that `source` has met, in the same order. If it had met others, they are forgotten, and their values
    /// are returned. No code of a user runs.
    pub(crate) fn meet_those_of(&mut self, source: &Self) -> Option<Vec<AnyValue>> {
        if self.met.len() == source.met.len() && !self.differs(source) {
            return None;
        }
        let before = core::mem::take(&mut self.met);
        before.iter().for_each(|id| self.list[id.0 as usize].is_met = false);
        for &theirs in &source.met {
            let id = self.like(theirs, &source.list[theirs.0 as usize]);
            self.meet(id);
        }
        let (mut forgot, mut values) = (false, Vec::new());
        for id in before {
            let section = &mut self.list[id.0 as usize];
            if !section.is_met {
                forgot = true;
                values.extend(section.lose());
            }
        }
        forgot.then_some(values)
    }

    /// Has equal values to those of `source` in every section, which are the same ones already. What the host lends stays.
    ///
    /// # Safety
    ///
    /// Nobody writes a section of `source` meanwhile.
    ///
    /// # Panics
    ///
    /// If a clone or a destructor of a value does.
    pub(crate) unsafe fn copy_values(&mut self, source: &Self) {
        for (&ours, &theirs) in self.met.iter().zip(&source.met) {
            // SAFETY: this function's contract.
            unsafe { self.list[ours.0 as usize].copy_from(&source.list[theirs.0 as usize]) };
        }
    }

    /// The section that a section of another world is, which has the id `theirs` there, and most often here too.
    fn like(&mut self, theirs: SectionId, section: &Section) -> SectionId {
        let same = self.list.get(theirs.0 as usize).is_some_and(|ours| ours.key == section.key);
        let found = if same { Some(theirs) } else { self.find(&section.key) };
        found.unwrap_or_else(|| self.add(section.key.clone(), section.hooks))
    }

    /// The id that a section of another world has here.
    pub(crate) fn id_like(&self, other: &Self, id: SectionId) -> Option<SectionId> {
        self.find(&other.list[id.0 as usize].key)
    }

    /// The sections that are state, in order.
    fn met(&self) -> impl Iterator<Item = &Section> {
        self.met.iter().map(|id| &self.list[id.0 as usize])
    }

    /// Whether a section, in order, is another one in `other`.
    fn differs(&self, other: &Self) -> bool {
        self.met().zip(other.met()).any(|(ours, theirs)| ours.key != theirs.key)
    }

    /// What a simulation keeps, if the state is that of one.
    fn of_simulation(&self) -> impl Iterator<Item = &SectionKey> {
        self.met().map(|section| &section.key).filter(|key| key.is_of_simulation())
    }

    /// The first section of a simulation, in order, that is another one in `other`: its names here and there.
    pub(crate) fn simulation_unlike(&self, other: &Self) -> Option<(String, String)> {
        let (mut ours, mut theirs) = (self.of_simulation(), other.of_simulation());
        loop {
            let pair = (ours.next(), theirs.next());
            match pair {
                (None, None) => return None,
                (ours, theirs) if ours == theirs => {}
                (ours, theirs) => {
                    let name = |key: Option<&SectionKey>| key.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                    return Some((name(ours), name(theirs)));
                }
            }
        }
    }

    /// The first section of a simulation, in order, that has no value.
    ///
    /// # Safety
    ///
    /// Nobody writes a section meanwhile.
    pub(crate) unsafe fn lost_by_simulation(&self) -> Option<String> {
        // SAFETY: no `&mut` to a cell lives, by this function's contract.
        let is_lost = |section: &&Section| section.key.is_of_simulation() && unsafe { &*section.value.get() }.is_none();
        self.met().find(is_lost).map(|section| section.key.to_string())
    }

    /// The first section, in order, that is another one in `other`: its names there and here.
    pub(crate) fn differs_from(&self, other: &Self) -> Option<(String, String)> {
        let mut both = self.met().zip(other.met());
        let (ours, theirs) = both.find(|(ours, theirs)| ours.key != theirs.key)?;
        Some((ours.key.to_string(), theirs.key.to_string()))
    }
}

/// The hash of the canonical bytes of a value, which is never 0.
fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = StateHasher::new(SECTION);
    hasher.bytes(bytes);
    hasher.finish().max(1)
}

impl Section {
    /// Writes the canonical bytes of its value; `false` if it is no state or has none.
    ///
    /// # Safety
    ///
    /// Nobody writes the section meanwhile.
    unsafe fn encode(&self, bytes: &mut Vec<u8>) -> bool {
        // SAFETY: no `&mut` to the cell lives, by this function's contract.
        let (Some(hooks), Some(value)) = (self.hooks, unsafe { &*self.value.get() }) else { return false };
        (hooks.encode)(&**value, &mut Sink::new(bytes));
        true
    }

    /// The hash of its value; `None` if it is no state or has none.
    ///
    /// # Safety
    ///
    /// Nobody writes the section meanwhile.
    unsafe fn hash(&self, trusted: bool, bytes: &mut Vec<u8>) -> Option<u64> {
        let known = self.version.hash.load(Ordering::Relaxed);
        if trusted && known != 0 {
            return Some(known);
        }
        bytes.clear();
        // SAFETY: this function's contract.
        if !unsafe { self.encode(bytes) } {
            return None;
        }
        let hash = hash_of(bytes);
        if trusted {
            self.version.hash.store(hash, Ordering::Relaxed);
        }
        Some(hash)
    }

    /// # Safety
    ///
    /// Nobody writes the other section meanwhile.
    unsafe fn copy_from(&mut self, other: &Self) {
        if self.version.label.load(Ordering::Relaxed) == other.version.label() {
            return;
        }
        if planted(Fault::CursorNotRestored) && matches!(self.key, SectionKey::Cursor(..)) {
            return;
        }
        self.version.forget();
        self.hooks = other.hooks;
        // SAFETY: no `&mut` to the cell lives, by this function's contract.
        match (unsafe { &*other.value.get() }, self.hooks) {
            (Some(value), Some(hooks)) => (hooks.copy)(&**value, self.value.get_mut()),
            _ => drop(self.lose()),
        }
        self.version.copy_from(&other.version);
    }

    /// Gives its value away.
    fn lose(&mut self) -> Option<AnyValue> {
        self.version.forget();
        self.value.get_mut().take()
    }
}

#[cfg(test)]
mod tests;
