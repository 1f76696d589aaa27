use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::lane::OwnLane;
use super::pending::{PendingMap, Resolve};
use super::refusal::{CommandReport, Refusal, RefusalReason};
use crate::component::Bundle;
use crate::entity::{Entity, MapEntities};
use crate::jobs::discard;
use crate::world::World;

/// Applies the commands of lanes, one at a time, in the order of the lanes. It keeps its memory from merge to merge.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    pending: PendingMap,
}

/// Code of the user panicked while a command was applied. Steps before it are applied, the rest was dropped.
pub(crate) struct MergePanic {
    /// Position in the plan of the system that recorded the command; 0 for the host.
    pub(crate) position: u32,
    pub(crate) payload: Box<dyn Any + Send>,
}

impl Merger {
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
        order: impl Iterator<Item = usize> + Clone,
        report: &mut CommandReport,
    ) -> Result<(), MergePanic> {
        self.pending.clear();
        let slots = world.storage_mut().slots_mut();
        for lane in order.clone().map(|index| &lanes[index]) {
            lane.for_each_spawned(&mut |key, first, count| {
                self.pending.add(key, first, (0..count).map(|_| slots.reserve()));
            });
        }
        self.pending.seal();
        let mut merge = Merge { home: world.id(), world, pending: &self.pending };
        let mut result = Ok(());
        for index in order {
            let lane = &mut lanes[index];
            if !lane.has_commands() {
                continue;
            }
            if result.is_ok() {
                result = merge.apply(lane, report);
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
        result
    }
}

/// A merge under way, as commands see it.
#[derive(Debug)]
pub(super) struct Merge<'m> {
    /// The world for which the ids were made real: a closure may put another one in its place.
    home: u64,
    world: &'m mut World,
    pending: &'m PendingMap,
}

impl Merge<'_> {
    fn apply(&mut self, lane: &mut OwnLane, report: &mut CommandReport) -> Result<(), MergePanic> {
        let position = lane.position();
        loop {
            while let Some(lane) = lane.next_loop() {
                self.apply(lane, report)?;
            }
            let step = catch_unwind(AssertUnwindSafe(|| self.step(lane)));
            match step.map_err(|payload| MergePanic { position, payload })? {
                None => return Ok(()),
                Some((_, Ok(()))) => report.applied += 1,
                Some((command, Err(reason))) => report.refuse(Refusal { position, command, reason }),
            }
        }
    }

    /// Uses the next command up, on the world for which it was recorded only.
    fn step(&mut self, lane: &mut OwnLane) -> Option<(&'static str, Result<(), RefusalReason>)> {
        if self.world.id() == self.home {
            return lane.apply_next(self);
        }
        lane.drop_next().map(|command| (command, Err(RefusalReason::WorldReplaced)))
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
