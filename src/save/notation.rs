use core::fmt::{self, Write};

use crate::value::{Schema, Variant};

/// A schema as text: equal texts mean the same bytes. It stands in what is saved, and in messages.
///
/// ```text
/// u8 i32 f32 bool char Entity Option<Entity>   i32/16 (16 bits behind the point)   [f32; 3]   trusted(16)
/// {x@0: f32, y@4: f32}   u8{Calm=0, Angry=1}
/// ```
pub(super) fn notation(schema: &Schema) -> String {
    Notation(schema).to_string()
}

struct Notation<'s>(&'s Schema);

impl fmt::Display for Notation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.0 {
            Schema::Unsigned(size) => write!(f, "u{}", 8 * size),
            Schema::Signed(size) => write!(f, "i{}", 8 * size),
            Schema::Fixed { size, fraction, signed } => {
                write!(f, "{}{}/{fraction}", if signed { 'i' } else { 'u' }, 8 * size)
            }
            Schema::Float => f.write_str("f32"),
            Schema::Bool => f.write_str("bool"),
            Schema::Char => f.write_str("char"),
            Schema::Entity => f.write_str("Entity"),
            Schema::OptionEntity => f.write_str("Option<Entity>"),
            Schema::Enum { size, variants } => {
                write!(f, "u{}", 8 * size)?;
                list(f, variants, |f, Variant { name, bits }| write!(f, "{name}={bits}"))
            }
            Schema::Struct(fields) => {
                list(f, fields, |f, field| write!(f, "{}@{}: {}", field.name, field.offset, Notation(field.schema)))
            }
            Schema::Array { element, length, .. } => write!(f, "[{}; {length}]", Notation(element)),
            Schema::Trusted(size) => write!(f, "trusted({size})"),
        }
    }
}

/// Items in braces.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    each: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_char('{')?;
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        each(f, item)?;
    }
    f.write_char('}')
}

#[cfg(test)]
mod tests;
