use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::lane::{OwnLane, Step};
use super::pending::{PendingMap, Resolve};
use super::refusal::{CommandReport, Refusal, RefusalReason};
use super::typed::{Command, CommandTypes, Due};
use crate::component::Bundle;
use crate::entity::{Entity, MapEntities};
use crate::jobs::discard;
use crate::world::World;

/// Applies the commands of lanes, one at a time, in the order of the lanes. It keeps its memory from merge to merge.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    pending: PendingMap,
    /// The lanes that may hold commands, in order, by their indices.
    waiting: Vec<usize>,
    /// How many of them were merged without their structure: their entities are real.
    withheld: usize,
    /// Where typed commands go.
    types: Option<Arc<CommandTypes>>,
}

/// Code of the user panicked while a command was applied. Steps before it are applied, the rest was dropped.
pub(crate) struct MergePanic {
    /// Position in the plan of the system that recorded the command; 0 for the host.
    pub(crate) position: u32,
    pub(crate) payload: Box<dyn Any + Send>,
}

impl Merger {
    /// Has typed commands go to the queues of these types.
    pub(crate) fn set_types(&mut self, types: Arc<CommandTypes>) {
        self.types = Some(types);
    }

    /// Forgets the lanes of a run that ended early; entities that were made real and have no row yet are given up, if the
    /// world is still the one with the id `home`, which has them.
    pub(crate) fn abandon(&mut self, world: &mut World, home: u64) {
        if core::mem::take(&mut self.withheld) > 0 && world.id() == home {
            Merge::of(&self.pending, None, world).release_reserved();
        }
        self.waiting.clear();
    }

    /// Makes the ids of the lanes real, lane by lane, applies every command, and leaves the lanes empty. `order` names the
    /// lanes by their index.
    ///
    /// # Errors
    ///
    /// [`MergePanic`] if a command panics: what came before it is applied, the rest is dropped.
    pub(crate) fn merge(
        &mut self,
        world: &mut World,
        lanes: &mut [OwnLane],
        order: impl Iterator<Item = usize>,
        report: &mut CommandReport,
    ) -> Result<(), MergePanic> {
        self.wait(order);
        self.merge_waiting(world, lanes, true, report)
    }

    /// Notes lanes that are merged next, behind those that wait already.
    pub(crate) fn wait(&mut self, lanes: impl Iterator<Item = usize>) {
        self.waiting.extend(lanes);
    }

    /// Makes the ids of the lanes that came since the last merge real, and applies the commands of all that wait. Without
    /// `structure` changes of structure stay in their lanes, and wait for a merge with it.
    ///
    /// # Errors
    ///
    /// As for [`merge`](Self::merge).
    pub(crate) fn merge_waiting(
        &mut self,
        world: &mut World,
        lanes: &mut [OwnLane],
        structure: bool,
        report: &mut CommandReport,
    ) -> Result<(), MergePanic> {
        self.make_real(world, lanes);
        let mut merge = Merge::of(&self.pending, self.types.as_deref(), world);
        let mut result = Ok(());
        for &index in &self.waiting {
            let lane = &mut lanes[index];
            if !lane.has_commands() {
                continue;
            }
            let mut waits = false;
            if result.is_ok() {
                let applied = merge.apply(lane, structure, report);
                waits = matches!(applied, Ok(true));
                result = applied.map(|_| ());
            }
            if !structure && (waits || result.is_err()) {
                lane.read_again();
            }
            if waits {
                continue;
            }
            match drop_rest(lane) {
                Err(panic) if result.is_ok() => result = Err(panic),
                Err(panic) => discard(panic.payload),
                Ok(()) => {}
            }
        }
        if result.is_err() {
            merge.release_reserved();
        }
        if structure || result.is_err() {
            self.waiting.clear();
        }
        self.withheld = self.waiting.len();
        result
    }

    /// Makes ids real, lane by lane. Those of entities whose rows wait stay known.
    fn make_real(&mut self, world: &mut World, lanes: &[OwnLane]) {
        if self.withheld == 0 {
            self.pending.clear();
        }
        let slots = world.storage_mut().slots_mut();
        for &index in &self.waiting[self.withheld..] {
            lanes[index].for_each_spawned(&mut |key, first, count| {
                self.pending.add(key, first, (0..count).map(|_| slots.reserve()));
            });
        }
        self.pending.seal();
    }
}

/// A merge under way, as commands see it.
#[derive(Debug)]
pub(super) struct Merge<'m> {
    /// The world for which the ids were made real: a closure may put another one in its place.
    home: u64,
    world: &'m mut World,
    pending: &'m PendingMap,
    types: Option<&'m CommandTypes>,
}

impl<'m> Merge<'m> {
    fn of(pending: &'m PendingMap, types: Option<&'m CommandTypes>, world: &'m mut World) -> Self {
        Self { home: world.id(), world, pending, types }
    }

    /// Applies the commands of a lane; returns whether some of them wait for their structure.
    fn apply(&mut self, lane: &mut OwnLane, structure: bool, report: &mut CommandReport) -> Result<bool, MergePanic> {
        let (position, mut waits) = (lane.position(), false);
        loop {
            while let Some(lane) = lane.next_loop() {
                waits |= self.apply(lane, structure, report)?;
            }
            let step = catch_unwind(AssertUnwindSafe(|| self.step(lane, structure)));
            match step.map_err(|payload| MergePanic { position, payload })? {
                None => return Ok(waits),
                Some(Step::Done(_, Ok(()))) => report.applied += 1,
                Some(Step::Done(command, Err(reason))) => report.refuse(Refusal { position, command, reason }),
                Some(Step::Waits) => waits = true,
                Some(Step::Gone) => {}
            }
        }
    }

    /// Uses the next command up, on the world for which it was recorded only.
    fn step(&mut self, lane: &mut OwnLane, structure: bool) -> Option<Step> {
        if self.world.id() == self.home {
            return lane.apply_next(self, structure);
        }
        lane.drop_next().map(|command| Step::Done(command, Err(RefusalReason::WorldReplaced)))
    }

    /// After a panic: entities that were made real and have no row yet are given up.
    fn release_reserved(&mut self) {
        if self.world.id() == self.home {
            self.pending.made().for_each(|entity| self.give_up(entity));
        }
    }

    pub(super) const fn world(&mut self) -> &mut World {
        self.world
    }

    /// Queues a typed command whose entities are real.
    pub(super) fn submit<C: Command>(&mut self, due: Due, command: C) -> Result<(), RefusalReason> {
        let unknown = RefusalReason::UnknownCommand { command: core::any::type_name::<C>() };
        self.types.ok_or(unknown)?.submit(self.world, due, command)
    }

    /// The real entity that a command means.
    pub(super) fn resolve(&self, entity: Entity) -> Result<Entity, RefusalReason> {
        let real = self.pending.resolve(entity)?;
        if self.world.contains(real) { Ok(real) } else { Err(self.world.no_such_entity(real).into()) }
    }

    /// Makes pending entities inside of a bundle real.
    pub(super) fn map<B: Bundle>(&self, mut bundle: B) -> Result<B, RefusalReason> {
        if B::HOLDS_ENTITIES {
            self.resolve_all(|resolve| bundle.map_bundle(resolve))?;
        }
        Ok(bundle)
    }

    /// Makes pending entities inside of a value real.
    pub(super) fn map_value<V: MapEntities>(&self, mut value: V) -> Result<V, RefusalReason> {
        self.resolve_all(|resolve| value.map_entities(resolve))?;
        Ok(value)
    }

    fn resolve_all(&self, map: impl FnOnce(&mut Resolve<'_>)) -> Result<(), RefusalReason> {
        let mut resolve = Resolve::new(self.pending);
        map(&mut resolve);
        resolve.refused.map_or(Ok(()), Err)
    }

    /// Ends an entity that was made real but whose row can't be made.
    pub(super) fn give_up(&mut self, entity: Entity) {
        let storage = self.world.storage_mut();
        if storage.slots().contains(entity) && storage.place_of(entity).is_none() {
            storage.slots_mut().release(entity);
        }
    }
}

/// Drops the commands of a lane that were not applied; a destructor may panic.
fn drop_rest(lane: &mut OwnLane) -> Result<(), MergePanic> {
    let position = lane.position();
    catch_unwind(AssertUnwindSafe(|| lane.clear_all())).map_err(|payload| MergePanic { position, payload })
}
