#![expect(unsafe_code, reason = "Data values are read and written as bytes")]

use super::{DecodeError, Schema, Sink, Source};
use crate::entity::{Entity, EntityMapper};

/// Plain bytes with a known meaning: what a column can share, hash, save and compare without asking the type.
///
/// Integers, `bool`, `char`, `f32`, [`Entity`], `Option<Entity>`, numbers of the `fixed` crate, field-less enums with a
/// `repr`, arrays and structs (`#[repr(C)]`, no padding) of those. `derive(Component)` implements it and checks the
/// real fields. Refused: `f64` and transcendental mathematics (not the same everywhere), `usize` (not the same size
/// everywhere), pointers and references (addresses), anything with padding (its bytes are not part of the value).
///
/// # Safety
///
/// * Every byte of every value is initialised: no padding, no unused bytes of a union or a niche.
/// * [`SCHEMA`](Self::SCHEMA) covers exactly the `size_of::<Self>()` bytes, and every byte string for which
///   [`Schema::is_valid`] is true is a valid value.
/// * Where the schema says [`Schema::Entity`] or [`Schema::OptionEntity`], an aligned field of that type lies.
/// * The type has no interior mutability.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data that is the same on every machine",
    label = "not `Data`",
    note = "Data fields are integers of a fixed size, `bool`, `char`, `f32`, `Entity`, `Option<Entity>`, `fixed` numbers, arrays and Data structs or enums of those",
    note = "instead of `f64` use `f32` or a `fixed` number; instead of `usize` use `u32` or `u64`; instead of a pointer use `Entity` or an index",
    note = "for a struct or enum of your own: `#[derive(Component, Clone, Copy)]` with `#[repr(C)]` or `#[repr(u8)]`",
    note = "for a foreign plain type: `#[component(trust = \"why every byte is initialised and every pattern valid\")]` on the field",
    note = "for String, Vec and the like: `#[component(opaque)]` on the component"
)]
pub unsafe trait Data: Copy + Send + Sync + 'static {
    /// What the bytes mean.
    const SCHEMA: Schema;
}

/// The bytes of a value.
pub(crate) fn bytes_of<T: Data>(value: &T) -> &[u8] {
    const { assert!(T::SCHEMA.size() == size_of::<T>(), "the schema of a Data type covers each of its bytes") };
    // SAFETY: `T: Data` promises that all `size_of::<T>()` bytes are initialised and free of interior mutability; the
    // reference keeps them alive and unchanged.
    unsafe { core::slice::from_raw_parts(core::ptr::from_ref(value).cast(), size_of::<T>()) }
}

/// Writes the bytes of a Data value.
#[doc(hidden)]
pub fn encode_data<T: Data>(value: &T, sink: &mut Sink<'_>) {
    sink.bytes(bytes_of(value));
}

/// Reads a Data value after checking its bits.
#[doc(hidden)]
pub fn decode_data<T: Data>(source: &mut Source<'_>) -> Result<T, DecodeError> {
    let bytes = source.bytes(size_of::<T>())?;
    if !T::SCHEMA.is_valid(bytes) {
        return Err(DecodeError::invalid::<T>());
    }
    // SAFETY: the slice has `size_of::<T>()` bytes, `T: Data` promises that a byte string that its schema accepts is a
    // valid value, and `read_unaligned` asks for no alignment.
    Ok(unsafe { bytes.as_ptr().cast::<T>().read_unaligned() })
}

/// Replaces the entities inside of a Data value.
#[doc(hidden)]
pub fn map_data_entities<T: Data>(value: &mut T, mapper: &mut dyn EntityMapper) {
    if const { !T::SCHEMA.has_entities() } {
        return;
    }
    let base = core::ptr::from_mut(value).cast::<u8>();
    T::SCHEMA.entity_offsets(0, &mut |offset| {
        // SAFETY: `T: Data` promises an aligned `Entity` or `Option<Entity>` at this offset inside of the value, which is
        // borrowed mutably; both have the layout of `Option<Entity>`, and an entity is only replaced by an entity.
        unsafe {
            let field = base.add(offset).cast::<Option<Entity>>();
            if let Some(entity) = field.read() {
                field.write(Some(mapper.map(entity)));
            }
        }
    });
}

macro_rules! plain {
    ($($type:ty => $schema:expr;)*) => {$(
        // SAFETY: a primitive without padding or interior mutability; the schema has its size and accepts exactly its
        // valid patterns.
        unsafe impl Data for $type {
            const SCHEMA: Schema = $schema;
        }
        data_state_value!($type);
    )*};
}

/// Implements `StateValue` and `MapEntities` for a Data type through its bytes.
macro_rules! data_state_value {
    ($type:ty) => {
        impl crate::entity::MapEntities for $type {
            fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
                map_data_entities(self, mapper);
            }
        }
        impl super::StateValue for $type {
            fn encode(&self, sink: &mut Sink<'_>) {
                encode_data(self, sink);
            }
            fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
                decode_data(source)
            }
        }
    };
}

plain! {
    u8 => Schema::Unsigned(1);
    u16 => Schema::Unsigned(2);
    u32 => Schema::Unsigned(4);
    u64 => Schema::Unsigned(8);
    u128 => Schema::Unsigned(16);
    i8 => Schema::Signed(1);
    i16 => Schema::Signed(2);
    i32 => Schema::Signed(4);
    i64 => Schema::Signed(8);
    i128 => Schema::Signed(16);
    f32 => Schema::Float;
    bool => Schema::Bool;
    char => Schema::Char;
    Entity => Schema::Entity;
}

// SAFETY: eight bytes through the niche of `Entity`, no padding; zero is `None`, and the schema accepts only zero and
// valid entities.
unsafe impl Data for Option<Entity> {
    const SCHEMA: Schema = Schema::OptionEntity;
}

// SAFETY: an array has no bytes but those of its elements.
unsafe impl<T: Data, const N: usize> Data for [T; N] {
    const SCHEMA: Schema = Schema::Array { element: &T::SCHEMA, stride: size_of::<T>(), length: N };
}

macro_rules! fixed_point {
    ($($type:ident: $size:literal, $signed:literal;)*) => {$(
        // SAFETY: `repr(transparent)` over an integer of this size; every pattern is valid.
        unsafe impl<Fraction: 'static + Send + Sync> Data for fixed::$type<Fraction>
        where
            fixed::$type<Fraction>: fixed::traits::Fixed,
        {
            const SCHEMA: Schema = Schema::Fixed {
                size: $size,
                fraction: <fixed::$type<Fraction> as fixed::traits::Fixed>::FRAC_NBITS,
                signed: $signed,
            };
        }
        impl<Fraction: 'static + Send + Sync> crate::entity::MapEntities for fixed::$type<Fraction> {}
        impl<Fraction: 'static + Send + Sync> super::StateValue for fixed::$type<Fraction>
        where
            fixed::$type<Fraction>: fixed::traits::Fixed,
        {
            fn encode(&self, sink: &mut Sink<'_>) {
                encode_data(self, sink);
            }
            fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
                decode_data(source)
            }
        }
    )*};
}

fixed_point! {
    FixedI8: 1, true;
    FixedI16: 2, true;
    FixedI32: 4, true;
    FixedI64: 8, true;
    FixedI128: 16, true;
    FixedU8: 1, false;
    FixedU16: 2, false;
    FixedU32: 4, false;
    FixedU64: 8, false;
    FixedU128: 16, false;
}
