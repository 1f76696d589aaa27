use super::facts::Facts;
use super::parse::Settings;
use super::writer::Writer;
use super::{Contents, SaveError};
use crate::component::ComponentId;
use crate::storage::{Archetype, ChunkId, Place, SlotState};
use crate::world::World;

impl World {
    /// All state of the world as canonical bytes: what [`load`](Self::load) makes the same world of.
    ///
    /// # Errors
    ///
    /// [`SaveError`] inside of a tick, while a manager is initialised, and if an entity has a component that can't be saved.
    ///
    /// # Determinism
    ///
    /// Worlds with the same registrations and the same [`state_hash`](Self::state_hash) have the same bytes, on every
    /// platform and in every build; saving changes nothing.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy)]
    /// #[repr(C)]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// world.spawn(Health(3));
    /// let bytes = world.save()?;
    ///
    /// let mut other = World::builder().with_component::<Health>().build()?;
    /// other.load(&bytes)?;
    /// assert_eq!(other.state_hash()?, world.state_hash()?);
    /// assert_eq!(other.save()?, bytes);
    /// assert_eq!(other.spawn(Health(1)), world.spawn(Health(1))); // the future is the same
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        let mut bytes = Vec::new();
        self.save_into(&mut bytes)?;
        Ok(bytes)
    }

    /// The same, in the place of what `bytes` held: for those who save often.
    ///
    /// # Errors
    ///
    /// As for [`save`](Self::save); `bytes` are of no use then.
    pub fn save_into(&self, bytes: &mut Vec<u8>) -> Result<(), SaveError> {
        let mut writer = self.begin_save(bytes, Contents::World)?;
        if let Some(manager) = self.manager_at_work() {
            return Err(SaveError::ManagerAtWork { manager });
        }
        writer.u64(self.tick());
        writer.u8(u8::from(self.torn().is_some()));
        writer.u64(self.components().epoch());
        self.save_slots(&mut writer);
        writer.u32(self.storage().archetypes().len() as u32);
        let mut encoded = Vec::new();
        for (_, archetype) in self.storage().archetypes().iter() {
            self.save_archetype(archetype, &mut writer, &mut encoded)?;
        }
        self.save_removals(&mut writer);
        self.save_sections(&mut writer);
        writer.finish();
        Ok(())
    }

    /// Header, settings and component types.
    pub(super) fn begin_save<'b>(&self, bytes: &'b mut Vec<u8>, contents: Contents) -> Result<Writer<'b>, SaveError> {
        if self.is_inside_tick() {
            return Err(SaveError::InsideTick);
        }
        let mut writer = Writer::new(bytes, contents);
        let Settings { chunk_rows, batch_rows, removal_ticks } = self.settings();
        [chunk_rows, batch_rows, removal_ticks].iter().for_each(|&setting| writer.u32(setting));
        writer.u32(self.components().ids().count() as u32);
        self.components().ids().for_each(|id| Facts::of(self, id).write(&mut writer));
        Ok(writer)
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            chunk_rows: self.storage().shape().chunk_rows(),
            batch_rows: self.storage().shape().batch_rows(),
            removal_ticks: self.storage().removals().ticks(),
        }
    }

    fn save_slots(&self, writer: &mut Writer<'_>) {
        let slots = self.storage().slots();
        writer.u32(slots.len());
        for slot in 0..slots.len() {
            let (kind, generation) = match slots.state(slot) {
                Some(SlotState::Placed(generation)) => (0, generation),
                Some(SlotState::Reserved(generation)) => (1, generation),
                Some(SlotState::Free(next)) => (2, next),
                Some(SlotState::Retired) | None => (3, 0),
            };
            writer.u8(kind);
            writer.u32(generation);
        }
        writer.u32(slots.free_list().count() as u32);
        slots.free_list().for_each(|slot| writer.u32(slot));
    }

    fn save_archetype(
        &self,
        archetype: &Archetype,
        writer: &mut Writer<'_>,
        encoded: &mut Vec<u8>,
    ) -> Result<(), SaveError> {
        writer.u32(archetype.components().len() as u32);
        archetype.components().iter().for_each(|id| writer.u32(id.bit()));
        writer.u32(archetype.len());
        self.chunks_of(archetype).for_each(|(chunk, rows)| writer.bytes(self.entity_rows(chunk, rows)));
        self.chunks_of(archetype).for_each(|(chunk, _)| writer.u64(self.storage().entity_column().stamp(chunk)));
        let with_columns = if archetype.len() == 0 { &[] } else { archetype.components() };
        with_columns.iter().try_for_each(|&id| self.save_column(id, archetype, writer, encoded))
    }

    fn save_column(
        &self,
        id: ComponentId,
        archetype: &Archetype,
        writer: &mut Writer<'_>,
        encoded: &mut Vec<u8>,
    ) -> Result<(), SaveError> {
        self.chunks_of(archetype).for_each(|(chunk, _)| writer.u64(self.storage().column(id).stamp(chunk)));
        if self.components().descriptor(id).is_plain() {
            self.chunks_of(archetype).try_for_each(|(chunk, rows)| self.save_rows(id, chunk, rows, writer, encoded))?;
        } else {
            writer.measured(|writer| {
                self.chunks_of(archetype).try_for_each(|(chunk, rows)| self.save_rows(id, chunk, rows, writer, encoded))
            })?;
        }
        let stamps = |(chunk, rows)| self.row_stamps(id, chunk, rows);
        self.chunks_of(archetype).filter_map(stamps).for_each(|(added, _)| writer.bytes(added));
        self.chunks_of(archetype).filter_map(stamps).for_each(|(_, changed)| writer.bytes(changed));
        Ok(())
    }

    fn save_rows(
        &self,
        id: ComponentId,
        chunk: ChunkId,
        rows: u32,
        writer: &mut Writer<'_>,
        encoded: &mut Vec<u8>,
    ) -> Result<(), SaveError> {
        encoded.clear();
        let values = self.rows_as_bytes(id, chunk, rows, encoded).ok_or_else(|| self.unsaveable(id))?;
        self.check_handles(id, Place { chunk, row: 0 }, values)?;
        writer.bytes(values);
        Ok(())
    }

    pub(super) fn unsaveable(&self, id: ComponentId) -> SaveError {
        SaveError::Opaque { component: self.type_name_of(id).unwrap_or("?") }
    }

    /// Whether the values of Data that begin at a place hold no pending handle, which no reader would take.
    pub(super) fn check_handles(&self, id: ComponentId, first: Place, values: &[u8]) -> Result<(), SaveError> {
        let schema = self.components().descriptor(id).schema.filter(|schema| schema.has_entities());
        let Some(schema) = schema else { return Ok(()) };
        match values.chunks_exact(schema.size()).position(|value| !schema.is_valid(value)) {
            None => Ok(()),
            Some(row) => Err(SaveError::Pending {
                component: self.type_name_of(id).unwrap_or("?"),
                entity: self.storage().entity_at(Place { row: first.row + row as u32, ..first }),
            }),
        }
    }

    fn save_removals(&self, writer: &mut Writer<'_>) {
        for id in self.components().ids() {
            writer.u32(self.storage().removals().since(id, 0).count() as u32);
            for removal in self.storage().removals().since(id, 0) {
                writer.u64(removal.entity.to_bits());
                writer.u64(removal.stamp);
            }
        }
    }

    fn save_sections(&self, writer: &mut Writer<'_>) {
        writer.list(|writer| {
            let (mut count, mut sections) = (0, self.named_sections().into_iter());
            self.for_each_section(|_, key, bytes| {
                let named = sections.find(|section| section.key == *key).expect("every section is named");
                writer.text(&named.name);
                writer.u64(bytes.len() as u64);
                writer.bytes(bytes);
                count += 1;
            });
            count
        });
    }
}
