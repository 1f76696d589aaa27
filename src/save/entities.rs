use super::error::LoadError;
use super::facts::Facts;
use super::load::mismatch;
use super::parse::{Head, SavedArchetype};
use super::rows::fill;
use super::writer::Writer;
use super::{Contents, EntityMap, SaveError};
use crate::component::ComponentId;
use crate::entity::Entity;
use crate::storage::{ArchetypeId, Rebuild, StorageFull};
use crate::world::World;

impl World {
    /// Some entities and the values of their components as canonical bytes, without history: a level, a scene, a prefab.
    ///
    /// An entity that is named twice is saved once. The order is that of the world's archetypes and rows.
    ///
    /// # Errors
    ///
    /// [`SaveError`] inside of a tick, if an entity does not exist, and if one has a component that can't be saved.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// #[repr(C)]
    /// struct Parent(Entity);
    ///
    /// let mut editor = World::new();
    /// let house = editor.spawn(());
    /// let door = editor.spawn(Parent(house));
    /// let level = editor.save_entities([house, door])?;
    ///
    /// let mut game = World::builder().with_component::<Parent>().build()?;
    /// game.spawn_batch([(), ()]); // the numbers of the editor are taken here
    /// let map = game.load_entities(&level)?;
    /// let (house, door) = (map.get(house).unwrap(), map.get(door).unwrap());
    /// assert_eq!(game.get::<Parent>(door)?, &Parent(house));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_entities(&self, entities: impl IntoIterator<Item = Entity>) -> Result<Vec<u8>, SaveError> {
        let mut bytes = Vec::new();
        let mut writer = self.begin_save(&mut bytes, Contents::Entities)?;
        let places = entities.into_iter().map(|entity| match self.storage().row_of(entity) {
            Some(place) => Ok(place),
            None => Err(SaveError::from(self.no_such_entity(entity))),
        });
        let mut places = places.collect::<Result<Vec<(ArchetypeId, u32)>, _>>()?;
        places.sort_unstable();
        places.dedup();
        let groups: Vec<_> = places.chunk_by(|a, b| a.0 == b.0).collect();
        writer.u32(groups.len() as u32);
        let mut encoded = Vec::new();
        groups.into_iter().try_for_each(|rows| self.save_group(rows, &mut writer, &mut encoded))?;
        writer.finish();
        Ok(bytes)
    }

    /// Some rows of one archetype.
    fn save_group(
        &self,
        rows: &[(ArchetypeId, u32)],
        writer: &mut Writer<'_>,
        encoded: &mut Vec<u8>,
    ) -> Result<(), SaveError> {
        let (storage, shape) = (self.storage(), self.storage().shape());
        let archetype = storage.archetypes().get(rows[0].0);
        writer.u32(archetype.components().len() as u32);
        archetype.components().iter().for_each(|id| writer.u32(id.bit()));
        writer.u32(rows.len() as u32);
        rows.iter().for_each(|row| writer.u64(storage.entity_at(archetype.place(row.1, shape)).to_bits()));
        let mut value = |id: ComponentId, row: u32, writer: &mut Writer<'_>| {
            encoded.clear();
            let place = archetype.place(row, shape);
            let bytes = self.row_as_bytes(id, place, encoded).ok_or_else(|| self.unsaveable(id))?;
            self.check_handles(id, place, bytes)?;
            writer.bytes(bytes);
            Ok::<_, SaveError>(())
        };
        for &id in archetype.components() {
            if self.components().descriptor(id).is_plain() {
                rows.iter().try_for_each(|row| value(id, row.1, writer))?;
            } else {
                writer.measured(|writer| rows.iter().try_for_each(|row| value(id, row.1, writer)))?;
            }
        }
        Ok(())
    }

    /// Makes new entities of saved ones: those of [`save_entities`](Self::save_entities), or all of a world's
    /// [`save`](Self::save).
    ///
    /// Component types are found by their names, so that the world need not be the one that was saved; the types that the
    /// entities have must be the same. Handles inside of components follow to the new entities; those that refer to an
    /// entity that is not among the saved ones become [`Entity::NOBODY`], never another entity, and are counted. Resources
    /// and everything else of a saved world are left out.
    ///
    /// # Errors
    ///
    /// [`LoadError`]; the world is as it was.
    ///
    /// # Panics
    ///
    /// Where a type of the user panics while it is decoded or mapped; the world is as it was.
    ///
    /// # Determinism
    ///
    /// The new entities are made in the order in which they were saved, as by [`spawn`](Self::spawn), each with all of its
    /// components at once.
    pub fn load_entities(&mut self, bytes: &[u8]) -> Result<EntityMap, LoadError> {
        if self.is_inside_tick() {
            return Err(LoadError::InsideTick);
        }
        let head = Head::read(bytes)?;
        let known = self.find_components(&head.components);
        let archetypes = read_archetypes(head, &known)?;
        self.check_room(&archetypes)?;
        let saved = archetypes.iter().flat_map(|(_, archetype)| archetype.handles());
        let pairs = saved.zip(self.storage().slots().upcoming()).collect();
        let twice = || LoadError::malformed(0, "an entity that stands in two rows");
        let mut map = EntityMap::new(pairs).ok_or_else(twice)?;
        let mut rebuild = self.read_rows(&archetypes, map.iter().map(|(_, new)| new))?;
        rebuild.map_entities(&mut map);
        let (rows, stamp) = (rebuild.into_rows(), self.stamp());
        self.storage().check_adoption(&rows)?;
        self.storage_mut().adopt(rows, stamp)?;
        Ok(map)
    }

    /// The saved rows beside those of this world, under the handles of the entities that are to be made.
    fn read_rows(
        &self,
        archetypes: &Found<'_>,
        mut made: impl Iterator<Item = Entity>,
    ) -> Result<Rebuild<'_>, LoadError> {
        let mut rebuild = Rebuild::new(self.storage(), self.components());
        let mut last = None;
        for (ids, archetype) in archetypes {
            let mut columns: Vec<_> = ids.iter().copied().zip(archetype.columns.iter().copied()).collect();
            columns.sort_unstable_by_key(|(id, _)| *id);
            let ids: Vec<_> = columns.iter().map(|(id, _)| *id).collect();
            let target = rebuild.archetype(&ids);
            if last.replace(target).is_some_and(|last| target <= last) {
                return Err(LoadError::malformed(archetype.at, "archetypes in an order that no save has"));
            }
            let entities: Vec<Entity> = made.by_ref().take(archetype.rows as usize).collect();
            fill(&mut rebuild, self.components(), target, archetype, &columns, entities.into_iter())?;
        }
        Ok(rebuild)
    }

    fn check_room(&self, archetypes: &Found<'_>) -> Result<(), StorageFull> {
        let rows: u64 = archetypes.iter().map(|(_, archetype)| u64::from(archetype.rows)).sum();
        Ok(self.storage().slots().check_room(u32::try_from(rows).unwrap_or(u32::MAX))?)
    }

    /// For each component type of a save the id of the same one here, or how that differs.
    fn find_components(&self, saved: &[Facts<'_>]) -> Vec<Result<ComponentId, super::Mismatch>> {
        let known: Vec<_> = self.components().ids().map(|id| (id, Facts::of(self, id))).collect();
        let find = |(saved, number): (&Facts<'_>, u32)| {
            let found = known.iter().find(|(_, known)| known.name == saved.name);
            match found {
                Some((id, known)) if known.has_values_of(saved) && known.is_registered() => Ok(*id),
                _ => Err(mismatch(number, saved, found.map(|(_, known)| known))),
            }
        };
        saved.iter().zip(1..).map(find).collect()
    }
}

/// Archetypes with rows, and the ids of their components here, in the order of the save.
type Found<'a> = Vec<(Vec<ComponentId>, SavedArchetype<'a>)>;

fn read_archetypes<'a>(head: Head<'a>, known: &[Result<ComponentId, super::Mismatch>]) -> Result<Found<'a>, LoadError> {
    let archetypes = match head.contents {
        Contents::World => head.world()?.archetypes,
        Contents::Entities => head.entities()?,
    };
    let with_rows = || archetypes.iter().filter(|archetype| archetype.rows > 0);
    let mut wanted: Vec<u32> = with_rows().flat_map(|archetype| archetype.components.iter().copied()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mismatches = wanted.iter().filter_map(|&bit| known[bit as usize].clone().err());
    let mismatches: Vec<_> = mismatches.collect();
    if !mismatches.is_empty() {
        return Err(LoadError::Components(mismatches));
    }
    let found = |bit: &u32| known[*bit as usize].clone().ok();
    let with_ids = |archetype: SavedArchetype<'a>| (archetype.components.iter().filter_map(found).collect(), archetype);
    Ok(archetypes.into_iter().filter(|archetype| archetype.rows > 0).map(with_ids).collect())
}
