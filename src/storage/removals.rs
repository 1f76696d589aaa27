use std::collections::VecDeque;

use crate::component::ComponentId;
use crate::entity::Entity;

/// A component that an entity lost: because it was removed, or because the entity was despawned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The entity that lost it; it may be dead.
    pub entity: Entity,
    /// When the loss took effect.
    pub stamp: u64,
}

/// Removals of tracked components, component by component, in the order in which they took effect.
///
/// An entry lives for a fixed number of ticks, whoever has read it.
#[derive(Debug)]
pub(crate) struct RemovalLog {
    by_component: Vec<VecDeque<Removal>>,
    ticks: u32,
}

impl Clone for RemovalLog {
    fn clone(&self) -> Self {
        Self { by_component: self.by_component.clone(), ticks: self.ticks }
    }

    /// Keeps what memory it can.
    fn clone_from(&mut self, source: &Self) {
        self.by_component.clone_from(&source.by_component);
        self.ticks = source.ticks;
    }
}

impl RemovalLog {
    pub(crate) const fn new(ticks: u32) -> Self {
        Self { by_component: Vec::new(), ticks }
    }

    /// For how many ticks an entry lives.
    pub(crate) const fn ticks(&self) -> u32 {
        self.ticks
    }

    pub(crate) fn push(&mut self, component: ComponentId, entity: Entity, stamp: u64) {
        let index = component.index();
        if index >= self.by_component.len() {
            self.by_component.resize_with(index + 1, VecDeque::new);
        }
        self.by_component[index].push_back(Removal { entity, stamp });
    }

    /// Removals of a component that took effect after `since`, oldest first.
    pub(crate) fn since(&self, component: ComponentId, since: u64) -> impl Iterator<Item = Removal> + '_ {
        let log = self.by_component.get(component.index());
        log.into_iter().flat_map(move |log| log.range(log.partition_point(|removal| removal.stamp <= since)..).copied())
    }

    /// Forgets what took effect before `stamp`.
    pub(crate) fn forget_before(&mut self, stamp: u64) {
        for log in &mut self.by_component {
            let gone = log.partition_point(|removal| removal.stamp < stamp);
            log.drain(..gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_gets_what_is_newer_than_its_last_stamp_in_order() {
        let component = ComponentId::new(3).unwrap();
        let mut log = RemovalLog::new(4);
        let entities = [1, 2, 3].map(|slot| Entity::new(slot, 1));
        for (entity, stamp) in entities.into_iter().zip([5, 5, 9]) {
            log.push(component, entity, stamp);
        }
        let seen = |log: &RemovalLog, since| log.since(component, since).map(|r| r.entity).collect::<Vec<_>>();
        assert_eq!(seen(&log, 4), entities);
        assert_eq!(seen(&log, 5), [entities[2]]);
        assert_eq!(seen(&log, 9), []);
        log.forget_before(6);
        assert_eq!(seen(&log, 0), [entities[2]]);
        assert_eq!(log.since(ComponentId::new(1).unwrap(), 0).count(), 0);
    }
}
