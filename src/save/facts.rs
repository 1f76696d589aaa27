use core::fmt;
use std::borrow::Cow;

use super::error::LoadError;
use super::notation::notation;
use super::reader::Reader;
use super::writer::Writer;
use crate::component::{ComponentId, ComponentKind};
use crate::world::World;

const TRACKED: u8 = 1;
const HIDDEN: u8 = 2;
const REGISTERED: u8 = 4;
const ENCODED: u8 = 8;

/// What must be the same of a component type on both sides of a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Facts<'a> {
    pub(super) name: &'a str,
    pub(super) size: u64,
    alignment: u64,
    pub(super) kind: ComponentKind,
    flags: u8,
    schema: Cow<'a, str>,
}

impl<'a> Facts<'a> {
    /// Those of a component of a world.
    pub(super) fn of(world: &World, id: ComponentId) -> Facts<'static> {
        let info = world.components().info(id).expect("an id of this world");
        let encoded = world.components().descriptor(id).encode_row.is_some();
        let flags = [
            (info.is_tracked(), TRACKED),
            (info.is_hidden(), HIDDEN),
            (info.is_registered(), REGISTERED),
            (encoded, ENCODED),
        ];
        Facts {
            name: info.name(),
            size: info.size() as u64,
            alignment: info.alignment() as u64,
            kind: info.kind(),
            flags: flags.iter().map(|&(is, flag)| if is { flag } else { 0 }).sum(),
            schema: info.schema().map_or(Cow::Borrowed(""), |schema| notation(&schema).into()),
        }
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.text(self.name);
        writer.u64(self.size);
        writer.u64(self.alignment);
        writer.u8(match self.kind {
            ComponentKind::Tag => 0,
            ComponentKind::Data => 1,
            ComponentKind::Opaque => 2,
        });
        writer.u8(self.flags);
        writer.text(&self.schema);
    }

    /// Bytes of the shortest facts: without a name and a schema.
    pub(super) const LEAST: usize = 26;

    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, LoadError> {
        let (name, size, alignment) = (reader.text()?, reader.u64()?, reader.u64()?);
        let at = reader.at();
        let kind = match reader.u8()? {
            0 => ComponentKind::Tag,
            1 => ComponentKind::Data,
            2 => ComponentKind::Opaque,
            _ => return Err(LoadError::malformed(at, "a kind of component that there is not")),
        };
        let (flags, schema) = (reader.u8()?, reader.text()?.into());
        Ok(Self { name, size, alignment, kind, flags, schema })
    }

    /// Whether values of the one are values of the other: what is known of them beside that may differ.
    pub(super) fn has_values_of(&self, other: &Facts<'_>) -> bool {
        let values = |facts: &Facts<'_>| (facts.size, facts.alignment, facts.kind, facts.flags & ENCODED);
        self.name == other.name && values(self) == values(other) && self.schema == other.schema
    }

    pub(super) const fn is_tracked(&self) -> bool {
        self.flags & TRACKED != 0
    }

    pub(super) const fn is_registered(&self) -> bool {
        self.flags & REGISTERED != 0
    }

    /// Whether opaque values have canonical bytes.
    pub(super) const fn is_encoded(&self) -> bool {
        self.flags & ENCODED != 0
    }
}

impl fmt::Display for Facts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ComponentKind::Tag => "tag",
            ComponentKind::Data => "data",
            ComponentKind::Opaque if self.is_encoded() => "opaque with state",
            ComponentKind::Opaque => "opaque",
        };
        write!(f, "`{}` ({kind}, {} bytes aligned to {}", self.name, self.size, self.alignment)?;
        f.write_str(if self.is_tracked() { ", tracked" } else { "" })?;
        f.write_str(if self.flags & HIDDEN != 0 { ", hidden" } else { "" })?;
        f.write_str(if self.is_registered() { "" } else { ", unregistered" })?;
        if !self.schema.is_empty() {
            write!(f, ", {}", self.schema)?;
        }
        f.write_str(")")
    }
}
