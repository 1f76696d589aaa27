use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::component::ComponentId;
use crate::entity::Entity;
use crate::storage::{Archetype, ArchetypeId, ChunkId, Place, SlotState, stamp};
use crate::world::World;

/// Lines that a printed difference shows; all are counted.
const LINES_SHOWN: usize = 20;

/// One fact of a [`Dump`]: where it is, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DumpLine {
    /// Where: unique in the dump.
    pub path: String,
    /// What.
    pub value: String,
}

/// Everything that decides the future of a world, fact by fact, for people and tests.
///
/// Values of Data components are shown field by field, others by their canonical bytes; opaque ones without `state` only by
/// their presence. Two dumps are compared with [`diff`](Self::diff).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    lines: Vec<DumpLine>,
}

/// How two dumps differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Facts that differ: where, and what each side says; `None` where a side lacks the fact.
    pub lines: Vec<(String, Option<String>, Option<String>)>,
}

impl Dump {
    /// The facts, in order.
    #[must_use]
    pub fn lines(&self) -> &[DumpLine] {
        &self.lines
    }

    /// What differs; `None` if nothing does.
    #[must_use]
    pub fn diff(&self, other: &Self) -> Option<Difference> {
        let mut theirs: BTreeMap<&str, &str> = other.lines.iter().map(|line| (&*line.path, &*line.value)).collect();
        let mut lines = Vec::new();
        for line in &self.lines {
            let their = theirs.remove(&*line.path);
            if their != Some(&line.value) {
                lines.push((line.path.clone(), Some(line.value.clone()), their.map(str::to_owned)));
            }
        }
        let extra = other.lines.iter().filter(|line| theirs.contains_key(&*line.path));
        lines.extend(extra.map(|line| (line.path.clone(), None, Some(line.value.clone()))));
        (!lines.is_empty()).then_some(Difference { lines })
    }

    fn say(&mut self, path: impl Into<String>, value: impl fmt::Display) {
        self.lines.push(DumpLine { path: path.into(), value: value.to_string() });
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{}: {}", line.path, line.value))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} facts differ", self.lines.len())?;
        let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "(nothing)".to_owned());
        for (path, left, right) in self.lines.iter().take(LINES_SHOWN) {
            writeln!(f, "  {path}: {} against {}", side(left), side(right))?;
        }
        Ok(())
    }
}

impl World {
    /// Everything that decides the future, fact by fact.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy)]
    /// #[repr(C)]
    /// struct Health { now: u32 }
    ///
    /// let mut world = World::new();
    /// let wolf = world.spawn(Health { now: 3 });
    /// let before = world.dump();
    /// world.get_mut::<Health>(wolf)?.now = 2;
    /// let difference = world.dump().diff(&before).expect("a field changed");
    /// assert_eq!(difference.lines.len(), 1);
    /// assert!(difference.to_string().contains("Health.now: 2 against 3"));
    /// # Ok::<(), tickweave::world::ComponentError>(())
    /// ```
    #[must_use]
    pub fn dump(&self) -> Dump {
        let mut dump = Dump { lines: Vec::new() };
        dump.say("tick", self.tick());
        dump.say("torn", self.torn().is_some());
        self.dump_registry(&mut dump);
        self.dump_slots(&mut dump);
        for (id, archetype) in self.storage().archetypes().iter() {
            self.dump_archetype(id, archetype, &mut dump);
        }
        self.dump_removals(&mut dump);
        self.for_each_section(|number, key, bytes| dump.say(format!("section {number}, {key}"), hex(bytes)));
        dump
    }

    fn dump_registry(&self, dump: &mut Dump) {
        dump.say("registry epoch", self.components().epoch());
        for info in self.components().ids().filter_map(|id| self.components().info(id)) {
            let facts = (info.name(), info.size(), info.alignment(), info.kind());
            let flags = (info.is_tracked(), info.is_hidden(), info.is_registered());
            dump.say(format!("component {}", info.id().get()), format!("{facts:?} {flags:?}"));
        }
    }

    fn dump_slots(&self, dump: &mut Dump) {
        let slots = self.storage().slots();
        for slot in 0..slots.len() {
            let state = match slots.state(slot) {
                Some(SlotState::Placed(generation)) => format!("lives, generation {generation}"),
                Some(SlotState::Reserved(generation)) => format!("reserved, generation {generation}"),
                Some(SlotState::Free(next)) => format!("free, next generation {next}"),
                Some(SlotState::Retired) | None => "retired".to_owned(),
            };
            dump.say(format!("slot {slot}"), state);
        }
        dump.say("free list", format!("{:?}", slots.free_list().collect::<Vec<_>>()));
    }

    fn dump_archetype(&self, id: ArchetypeId, archetype: &Archetype, dump: &mut Dump) {
        let head = format!("archetype {}", id.get());
        let names: Vec<&str> = archetype.components().iter().filter_map(|&id| self.type_name_of(id)).collect();
        dump.say(&head, format!("[{}], {} rows", names.join(", "), archetype.len()));
        for (index, (chunk, rows)) in self.chunks_of(archetype).enumerate() {
            let head = format!("{head}, chunk {index}");
            dump.say(format!("{head}, entities written"), when(self.storage().entity_column().stamp(chunk)));
            for &id in archetype.components() {
                let name = self.label(id);
                dump.say(format!("{head}, {name} written"), when(self.storage().column(id).stamp(chunk)));
            }
            for row in 0..rows {
                let entity = self.storage().entity_at(Place { chunk, row });
                dump.say(format!("{head}, row {row}"), entity);
                self.dump_row(&head, entity, archetype, chunk, row, dump);
            }
        }
    }

    fn dump_row(&self, head: &str, entity: Entity, archetype: &Archetype, chunk: ChunkId, row: u32, dump: &mut Dump) {
        for &id in archetype.components() {
            let path = format!("{head}, entity {entity}, {}", self.label(id));
            self.dump_value(&path, id, Place { chunk, row }, dump);
            if let Some((added, changed)) = self.row_stamps(id, chunk, row + 1) {
                dump.say(format!("{path} added"), when(last_word(added)));
                dump.say(format!("{path} changed"), when(last_word(changed)));
            }
        }
    }

    fn dump_value(&self, path: &str, id: ComponentId, place: Place, dump: &mut Dump) {
        let mut encoded = Vec::new();
        let bytes = self.row_as_bytes(id, place, &mut encoded);
        let schema = self.components().info(id).and_then(|info| info.schema());
        match (schema, bytes) {
            (Some(schema), Some(bytes)) => {
                schema.leaves(bytes, &mut String::new(), &mut |field, value| dump.say(format!("{path}{field}"), value));
            }
            (None, Some(bytes)) => dump.say(path, hex(bytes)),
            (_, None) => dump.say(path, "opaque"),
        }
    }

    /// The name of a component, with its id if another type has that name too.
    fn label(&self, id: ComponentId) -> Cow<'static, str> {
        let name = self.type_name_of(id).unwrap_or("?");
        let named_so = |other: &ComponentId| self.type_name_of(*other) == Some(name);
        match self.components().ids().filter(named_so).nth(1) {
            Some(_) => format!("{name} (component {})", id.get()).into(),
            None => name.into(),
        }
    }

    fn dump_removals(&self, dump: &mut Dump) {
        for id in self.components().ids() {
            for (index, removal) in self.storage().removals().since(id, 0).enumerate() {
                let name = self.label(id);
                dump.say(
                    format!("removal {index} of {name}"),
                    format!("{} at {}", removal.entity, when(removal.stamp)),
                );
            }
        }
    }
}

/// A stamp in words.
fn when(stamp: u64) -> String {
    format!("tick {}, step {}", stamp::tick(stamp), stamp::position(stamp))
}

fn last_word(stamps: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&stamps[stamps.len() - 8..]);
    u64::from_le_bytes(word)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
