#![expect(unsafe_code, reason = "type-erased hooks take pointers to values")]

use core::alloc::Layout;
use core::any::TypeId;

use super::Component;
use crate::entity::{EntityMapper, MapEntities};
use crate::value::{Data, DecodeError, Schema, Sink, Source, StateValue};

/// How the values of a component are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentKind {
    /// A bit in the signature, no bytes.
    Tag,
    /// Plain bytes with a schema.
    Data,
    /// Values that only their type understands.
    Opaque,
}

/// Drops `count` values that lie one behind the other.
pub(crate) type DropRows = unsafe fn(first: *mut u8, count: usize);
/// Writes a clone of the value at `from` to the row `to`, which holds none.
pub(crate) type CloneRow = unsafe fn(from: *const u8, to: *mut u8);
/// Writes the canonical bytes of one value.
pub(crate) type EncodeRow = unsafe fn(row: *const u8, sink: &mut Sink<'_>);
/// Reads the value that [`EncodeRow`] wrote to a row without one, which has none still if that fails.
pub(crate) type DecodeRow = unsafe fn(row: *mut u8, source: &mut Source<'_>) -> Result<(), DecodeError>;
/// Replaces the entities inside of one value.
pub(crate) type MapRow = unsafe fn(row: *mut u8, mapper: &mut dyn EntityMapper);

/// What the registry and the storage know of a component type: made from the type, never by hand.
#[derive(Clone, Copy, Debug)]
pub struct ComponentDescriptor {
    pub(crate) type_id: TypeId,
    pub(crate) name: &'static str,
    pub(crate) layout: Layout,
    pub(crate) kind: ComponentKind,
    pub(crate) tracked: bool,
    pub(crate) schema: Option<Schema>,
    pub(crate) drop_rows: Option<DropRows>,
    pub(crate) clone_row: Option<CloneRow>,
    pub(crate) encode_row: Option<EncodeRow>,
    pub(crate) decode_row: Option<DecodeRow>,
    pub(crate) map_row: Option<MapRow>,
}

impl ComponentDescriptor {
    /// A Data component.
    #[must_use]
    pub fn data<T: Component + Data>() -> Self {
        Self { kind: ComponentKind::Data, schema: Some(T::SCHEMA), ..Self::opaque::<T>() }
    }

    /// A tag.
    ///
    /// It does not compile if values of `T` have bytes or a destructor.
    #[must_use]
    pub fn tag<T: Component>() -> Self {
        const {
            assert!(size_of::<T>() == 0 && !core::mem::needs_drop::<T>(), "a tag has neither fields nor a destructor");
        }
        Self { kind: ComponentKind::Tag, ..Self::opaque::<T>() }
    }

    /// A component of any type.
    #[must_use]
    pub fn opaque<T: Component>() -> Self {
        Self {
            type_id: TypeId::of::<T>(),
            name: core::any::type_name::<T>(),
            layout: Layout::new::<T>(),
            kind: ComponentKind::Opaque,
            tracked: T::TRACKED,
            schema: None,
            drop_rows: core::mem::needs_drop::<T>().then_some(drop_rows::<T> as DropRows),
            clone_row: None,
            encode_row: None,
            decode_row: None,
            map_row: None,
        }
    }

    /// What `T` says of itself.
    ///
    /// # Panics
    ///
    /// If it describes another type: rows of its column are read and written as `T`, so that nobody may be taken at their
    /// word.
    pub(crate) fn of<T: Component>() -> Self {
        let descriptor = T::descriptor();
        descriptor.assert_describes::<T>();
        descriptor
    }

    #[track_caller]
    fn assert_describes<T: 'static>(&self) {
        assert!(
            self.type_id == TypeId::of::<T>(),
            "the descriptor of component `{}` is that of `{}`; derive `Component`, or make it with `Self`",
            core::any::type_name::<T>(),
            self.name,
        );
    }

    /// Hooks see values through references, which the shared blocks of plain ones forbid.
    #[track_caller]
    fn assert_opaque(&self) {
        assert!(!self.is_plain(), "component `{}` is plain: its schema says all that a hook could", self.name);
    }

    /// Whether the bytes of a value are the value: Data, and tags, which have none.
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.kind, ComponentKind::Data | ComponentKind::Tag)
    }

    /// The same opaque component, which can be hashed and saved.
    ///
    /// # Panics
    ///
    /// If the descriptor is that of another type.
    #[must_use]
    pub fn with_state<T: Component + StateValue>(self) -> Self {
        self.assert_describes::<T>();
        self.assert_opaque();
        Self {
            clone_row: Some(clone_row::<T>),
            encode_row: Some(encode_row::<T>),
            decode_row: Some(decode_row::<T>),
            map_row: Some(map_row::<T>),
            ..self
        }
    }

    /// The same opaque component, whose entities can be mapped.
    ///
    /// # Panics
    ///
    /// If the descriptor is that of another type.
    #[must_use]
    pub fn with_entities<T: Component + MapEntities>(self) -> Self {
        self.assert_describes::<T>();
        self.assert_opaque();
        Self { map_row: Some(map_row::<T>), ..self }
    }
}

/// # Safety
///
/// `first` points to `count` valid values of `T` in a row, which nobody uses afterwards.
unsafe fn drop_rows<T>(first: *mut u8, count: usize) {
    // SAFETY: the caller hands over `count` valid values of `T` that start at `first`.
    unsafe { core::ptr::slice_from_raw_parts_mut(first.cast::<T>(), count).drop_in_place() }
}

/// # Safety
///
/// `row` points to a valid `T` that nobody writes meanwhile.
unsafe fn clone_row<T: Clone>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller says that `from` is a valid `T` that nobody writes, and `to` a row for a `T` that holds none.
    unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) };
}

unsafe fn encode_row<T: StateValue>(row: *const u8, sink: &mut Sink<'_>) {
    // SAFETY: the caller says that `row` is a valid, unshared-for-writing `T`.
    unsafe { &*row.cast::<T>() }.encode(sink);
}

/// # Safety
///
/// `row` is aligned room for a `T` that nobody else uses; it holds no value.
unsafe fn decode_row<T: StateValue>(row: *mut u8, source: &mut Source<'_>) -> Result<(), DecodeError> {
    let value = T::decode(source)?;
    // SAFETY: the caller says that `row` is room for a `T`, ours alone, without a value to drop.
    unsafe { row.cast::<T>().write(value) };
    Ok(())
}

/// # Safety
///
/// `row` points to a valid `T` that nobody else uses meanwhile.
unsafe fn map_row<T: MapEntities>(row: *mut u8, mapper: &mut dyn EntityMapper) {
    // SAFETY: the caller says that `row` is a valid `T` for us alone.
    unsafe { &mut *row.cast::<T>() }.map_entities(mapper);
}
