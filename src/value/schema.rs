use crate::entity::Entity;

/// What the bytes of a [`Data`](super::Data) value mean: a tree that one interpreter walks for checks, entity fields
/// and dumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// An unsigned integer of this many bytes.
    Unsigned(usize),
    /// A signed integer of this many bytes.
    Signed(usize),
    /// A fixed-point number of this many bytes.
    Fixed {
        /// Size in bytes.
        size: usize,
        /// Bits behind the point.
        fraction: u32,
        /// Whether negative numbers exist.
        signed: bool,
    },
    /// `f32`, compared and hashed by its bits.
    Float,
    /// One byte, 0 or 1.
    Bool,
    /// A Unicode scalar value of four bytes.
    Char,
    /// [`Entity`].
    Entity,
    /// `Option<Entity>`: eight zero bytes for `None`.
    OptionEntity,
    /// An enum without fields.
    Enum {
        /// Size of the discriminant in bytes.
        size: usize,
        /// The variants, in the order of the source.
        variants: &'static [Variant],
    },
    /// A struct; the fields cover every byte.
    Struct(&'static [Field]),
    /// An array.
    Array {
        /// What each element is.
        element: &'static Schema,
        /// Size of an element in bytes.
        stride: usize,
        /// Number of elements.
        length: usize,
    },
    /// Bytes of a foreign type that the author vouched for: any pattern is taken, and they are shown in hexadecimal.
    Trusted(usize),
}

/// A field of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name; the index for tuple structs.
    pub name: &'static str,
    /// Where it starts, in bytes from the start of the struct.
    pub offset: usize,
    /// What it is.
    pub schema: &'static Schema,
}

/// A variant of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// Its discriminant, as the unsigned integer of the same bits.
    pub bits: u64,
}

impl Schema {
    /// Size in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        match self {
            Self::Unsigned(size) | Self::Signed(size) | Self::Trusted(size) => *size,
            Self::Fixed { size, .. } | Self::Enum { size, .. } => *size,
            Self::Float | Self::Char => 4,
            Self::Bool => 1,
            Self::Entity | Self::OptionEntity => 8,
            Self::Array { stride, length, .. } => *stride * *length,
            Self::Struct(fields) => {
                let (mut size, mut index) = (0, 0);
                while index < fields.len() {
                    size += fields[index].schema.size();
                    index += 1;
                }
                size
            }
        }
    }

    /// Whether an entity is somewhere inside.
    #[must_use]
    pub const fn has_entities(&self) -> bool {
        match self {
            Self::Entity | Self::OptionEntity => true,
            Self::Array { element, length, .. } => *length > 0 && element.has_entities(),
            Self::Struct(fields) => {
                let mut index = 0;
                while index < fields.len() {
                    if fields[index].schema.has_entities() {
                        return true;
                    }
                    index += 1;
                }
                false
            }
            _ => false,
        }
    }

    /// Whether `bytes` (of [`size`](Self::size)) are a value.
    ///
    /// # Panics
    ///
    /// If a part of the value lies beyond the bytes.
    #[must_use]
    pub fn is_valid(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Unsigned(_) | Self::Signed(_) | Self::Fixed { .. } | Self::Float | Self::Trusted(_) => true,
            Self::Bool => bytes[0] <= 1,
            Self::Char => char::from_u32(number(bytes) as u32).is_some(),
            Self::Entity => is_real(number(bytes)),
            Self::OptionEntity => number(bytes) == 0 || is_real(number(bytes)),
            Self::Enum { variants, .. } => variants.iter().any(|variant| variant.bits == number(bytes)),
            Self::Struct(fields) => fields.iter().all(|field| field.schema.is_valid(field.of(bytes))),
            Self::Array { element, stride, .. } => {
                bytes.chunks_exact((*stride).max(1)).all(|one| element.is_valid(one))
            }
        }
    }

    /// Calls `found` with the offset of each entity (or optional entity) inside, ascending.
    pub fn entity_offsets(&self, base: usize, found: &mut dyn FnMut(usize)) {
        match self {
            Self::Entity | Self::OptionEntity => found(base),
            Self::Struct(fields) => {
                for field in *fields {
                    field.schema.entity_offsets(base + field.offset, found);
                }
            }
            Self::Array { element, stride, length } if element.has_entities() => {
                (0..*length).for_each(|index| element.entity_offsets(base + index * stride, found));
            }
            _ => {}
        }
    }

    /// Calls `leaf` with the path and the printed value of each leaf: `.x`, `.slots[3]`, or nothing for a bare value.
    pub fn leaves(&self, bytes: &[u8], path: &mut String, leaf: &mut dyn FnMut(&str, String)) {
        let length = path.len();
        match self {
            Self::Struct(fields) => {
                for field in *fields {
                    path.push('.');
                    path.push_str(field.name);
                    field.schema.leaves(field.of(bytes), path, leaf);
                    path.truncate(length);
                }
            }
            Self::Array { element, stride, .. } => {
                for (index, one) in bytes.chunks_exact((*stride).max(1)).enumerate() {
                    path.push_str(&format!("[{index}]"));
                    element.leaves(one, path, leaf);
                    path.truncate(length);
                }
            }
            _ => leaf(path, self.print(bytes)),
        }
    }

    fn print(&self, bytes: &[u8]) -> String {
        match self {
            Self::Unsigned(_) => wide(bytes).to_string(),
            Self::Signed(size) => sign_extend(wide(bytes), *size).to_string(),
            Self::Fixed { size, fraction, signed } => {
                let raw = if *signed { sign_extend(wide(bytes), *size) } else { wide(bytes) as i128 };
                format!("{raw}/2^{fraction}")
            }
            Self::Float => {
                let bits = number(bytes) as u32;
                format!("{:?} (0x{bits:08x})", f32::from_bits(bits))
            }
            Self::Bool => (bytes[0] != 0).to_string(),
            Self::Char => char::from_u32(number(bytes) as u32).map_or_else(|| hex(bytes), |c| format!("{c:?}")),
            Self::Entity | Self::OptionEntity => {
                Entity::from_bits(number(bytes)).map_or_else(|| "none".into(), |entity| entity.to_string())
            }
            Self::Enum { variants, .. } => {
                let bits = number(bytes);
                variants.iter().find(|variant| variant.bits == bits).map_or_else(|| hex(bytes), |v| v.name.into())
            }
            Self::Trusted(_) | Self::Struct(_) | Self::Array { .. } => hex(bytes),
        }
    }
}

impl Field {
    fn of<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.offset..self.offset + self.schema.size()]
    }
}

/// Whether the bits are those of an entity that is not pending.
fn is_real(bits: u64) -> bool {
    Entity::from_bits(bits).is_some_and(|entity| !entity.is_pending())
}

/// Up to sixteen little-endian bytes as a number.
fn wide(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Up to eight little-endian bytes as a number.
fn number(bytes: &[u8]) -> u64 {
    wide(bytes) as u64
}

fn sign_extend(raw: u128, size: usize) -> i128 {
    let unused = 128 - 8 * size as u32;
    ((raw << unused) as i128) >> unused
}

fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}
