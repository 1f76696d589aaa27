use super::Contents;
use super::error::{LoadError, Mismatch};
use super::facts::Facts;
use super::parse::{Head, SavedWorld, Settings};
use super::reader::Run;
use super::rows::fill;
use super::section_names::NamedSection;
use crate::component::ComponentId;
use crate::storage::{AnyValue, Rebuild, SectionId, SectionKey, Storage, StorageFull, stamp};
use crate::value::Source;
use crate::world::{NewState, World};

impl World {
    /// Puts the state that [`save`](Self::save) made bytes of in the place of this world's: same hash, same future.
    ///
    /// The world has the registrations of the one that was saved, in the same order, or more behind them: component types,
    /// resources, and the schedules that were built on it (`schedule.build(&mut world)` is enough). Host resources and managers that
    /// are no state stay.
    ///
    /// The bytes may come from anywhere: they are checked, all of them, before anything of the world is touched; they never
    /// cause a panic, and never take more memory than `docs/save.md` says.
    ///
    /// # Errors
    ///
    /// [`LoadError`]; the world is as it was.
    ///
    /// # Panics
    ///
    /// Where a [`StateValue`](crate::value::StateValue) of the user panics while it is decoded; the world is as it was.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Clone, StateValue, Resource)]
    /// struct Score(u32);
    ///
    /// let mut world = World::new();
    /// world.insert_resource(Score(7));
    /// let bytes = world.save()?;
    /// world.insert_resource(Score(0));
    /// world.load(&bytes)?;
    /// assert_eq!(world.resource::<Score>()?.0, 7);
    /// assert_eq!(world.load(&bytes[1..]).unwrap_err().code(), "load-not-a-save");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        if self.is_inside_tick() {
            return Err(LoadError::InsideTick);
        }
        let head = Head::read(bytes)?;
        if head.contents != Contents::World {
            return Err(LoadError::NotAWorld);
        }
        self.check_settings(head.settings)?;
        self.check_components(&head.components)?;
        let registered = head.components.len();
        let saved = head.world()?;
        let sections = self.read_sections(&saved)?;
        let storage = self.read_storage(&saved)?;
        let SavedWorld { tick, torn, epoch, .. } = saved;
        // Of more types than were saved the registry is another one, and has a count of its own.
        let same = self.components().ids().count() == registered;
        let epoch = if same { epoch } else { self.components().epoch() };
        // Whatever schedules keep is made again where they bind.
        let unbind = sections.len() > saved.sections.len();
        self.replace_state(NewState { storage, sections, tick, torn, epoch, unbind });
        Ok(())
    }

    fn check_settings(&self, saved: Settings) -> Result<(), LoadError> {
        let known = self.settings();
        let differ = |what: &str, saved: u32, known: u32| {
            let mismatch = || Mismatch { what: what.into(), saved: saved.to_string(), known: known.to_string() };
            (saved != known).then(mismatch)
        };
        let mismatches: Vec<_> = [
            differ("rows of a chunk (`chunk_rows`)", saved.chunk_rows, known.chunk_rows),
            differ("rows of a batch (`batch_rows`)", saved.batch_rows, known.batch_rows),
            differ("ticks that a removal lives (`removal_ticks`)", saved.removal_ticks, known.removal_ticks),
        ]
        .into_iter()
        .flatten()
        .collect();
        if mismatches.is_empty() { Ok(()) } else { Err(LoadError::Settings(mismatches)) }
    }

    /// Whether the world has the component types of the save, with the same ids.
    fn check_components(&self, saved: &[Facts<'_>]) -> Result<(), LoadError> {
        let mut known = self.components().ids();
        let mut mismatches = Vec::new();
        for (saved, number) in saved.iter().zip(1..) {
            let known = known.next().map(|id| Facts::of(self, id));
            if known.as_ref() != Some(saved) {
                mismatches.push(mismatch(number, saved, known.as_ref()));
            }
        }
        if mismatches.is_empty() { Ok(()) } else { Err(LoadError::Components(mismatches)) }
    }

    fn read_storage(&self, saved: &SavedWorld<'_>) -> Result<Storage, LoadError> {
        let mut rebuild = Rebuild::new(self.storage(), self.components());
        rebuild.slots(&saved.slots, &saved.free).map_err(StorageFull::from)?;
        for (index, archetype) in saved.archetypes.iter().enumerate() {
            let ids: Vec<_> = archetype.components.iter().map(|&bit| ComponentId::from_bit(bit)).collect();
            let id = rebuild.archetype(&ids);
            if id.index() != index {
                return Err(LoadError::malformed(archetype.at, "an archetype that stands in the list twice"));
            }
            let columns: Vec<_> = ids.into_iter().zip(archetype.columns.iter().copied()).collect();
            fill(&mut rebuild, self.components(), id, archetype, &columns, archetype.handles())?;
        }
        for (removals, id) in saved.removals.iter().zip(self.components().ids()) {
            let log = rebuild.removals_mut();
            removals.iter().for_each(|removal| log.push(id, removal.entity, removal.stamp));
        }
        Ok(rebuild.finish())
    }

    /// The value of each section that is state: those of the save are among them, in the same order.
    fn read_sections(&mut self, saved: &SavedWorld<'_>) -> Result<Vec<(SectionId, Option<AnyValue>)>, LoadError> {
        let known = self.named_sections();
        let mut rest = saved.sections.iter().peekable();
        let mut values = Vec::with_capacity(known.len());
        for NamedSection { id, key, name } in known {
            let value = match rest.next_if(|(saved, _)| *saved == name) {
                Some((_, run)) => Some(self.read_section(id, &name, *run)?),
                None if self.needs_value(&key) => {
                    return Err(LoadError::MissingSection { section: name });
                }
                None => None,
            };
            let value = match (&key, value) {
                (SectionKey::LastRuns(_), Some(value)) => Some(self.fit_last_runs(id, &name, value, saved)?),
                (_, value) => value,
            };
            values.push((id, value));
        }
        match rest.next() {
            Some((section, _)) => Err(LoadError::UnknownSection { section: (*section).into() }),
            None => Ok(values),
        }
    }

    fn read_section(&self, id: SectionId, name: &str, run: Run<'_>) -> Result<AnyValue, LoadError> {
        let mut source = Source::new(run.bytes);
        let value = self.sections().decode(id, &mut source);
        let offset = run.at + run.bytes.len() - source.remaining();
        let value = value.map_err(|error| LoadError::Value { offset, what: name.into(), error })?;
        match source.remaining() {
            0 => Ok(value),
            _ => Err(LoadError::malformed(offset, "bytes behind the value of a section")),
        }
    }

    /// An entry for each system of the schedule, none of them later than the last tick.
    fn fit_last_runs(
        &mut self,
        id: SectionId,
        name: &str,
        value: AnyValue,
        world: &SavedWorld<'_>,
    ) -> Result<AnyValue, LoadError> {
        let mut stamps = value.downcast::<Vec<u64>>().map_or_else(|_| Vec::new(), |stamps| *stamps);
        // Of a schedule that is to bind anew nothing is known.
        let known = self.sections_mut().value_mut::<Vec<u64>>(id).map_or(stamps.len(), |stamps| stamps.len());
        if stamps.len() > known {
            return Err(LoadError::Systems { section: name.into(), saved: stamps.len(), known });
        }
        if stamps.iter().any(|&stamp| stamp > stamp::at(world.tick, stamp::MAX_POSITION)) {
            return Err(LoadError::malformed(0, "a system that ran later than the tick of the save"));
        }
        stamps.resize(known, 0);
        Ok(Box::new(stamps))
    }
}

/// How a component type differs.
pub(super) fn mismatch(number: u32, saved: &Facts<'_>, known: Option<&Facts<'_>>) -> Mismatch {
    Mismatch {
        what: format!("component {number}"),
        saved: saved.to_string(),
        known: known.map_or_else(|| "not registered".into(), Facts::to_string),
    }
}
