//! Random commands: recorded into a lane, and run one at a time on the model.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tickweave::command::{CommandReport, Lane, REFUSALS_KEPT, Refusal, RefusalReason};
use tickweave::component::RegistryError;
use tickweave::entity::Entity;
use tickweave::world::{EntityCapacity, NoSuchEntity, StructureError, World};

use super::oracle::{Model, Refused};
use super::parts::*;
use super::steps::{Pick, Pool, any_bundle, any_pick, parts_of};
use super::tables::{BUNDLES, PARTS, part_of};

/// A command of a random program; picks choose among pending entities of the lane and all other handles.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    Spawn(usize, u8),
    Insert(usize, Pick, u8),
    Remove(usize, Pick),
    Despawn(Pick),
    QueueSpawn(u8),
    QueueDespawn(Pick),
    QueueClear,
    QueueOn(Pick, u8),
    /// Everything that was recorded so far is dropped.
    Forget,
}

pub(crate) fn any_command() -> impl Strategy<Value = Command> {
    let byte = any::<u8>();
    prop_oneof![
        8 => (any_bundle(), byte).prop_map(|(bundle, seed)| Command::Spawn(bundle, seed)),
        8 => (any_bundle(), any_pick(), byte).prop_map(|(bundle, pick, seed)| Command::Insert(bundle, pick, seed)),
        6 => (any_bundle(), any_pick()).prop_map(|(bundle, pick)| Command::Remove(bundle, pick)),
        5 => any_pick().prop_map(Command::Despawn),
        2 => byte.prop_map(Command::QueueSpawn),
        2 => any_pick().prop_map(Command::QueueDespawn),
        1 => Just(Command::QueueClear),
        3 => (any_pick(), byte).prop_map(|(pick, seed)| Command::QueueOn(pick, seed)),
        1 => Just(Command::Forget),
    ]
}

/// A command with its handles and values, as it was recorded.
#[derive(Clone, Debug)]
enum Recorded {
    Spawn(Entity, Vec<(Kind, Value)>),
    Insert(Entity, Vec<(Kind, Value)>),
    Remove(Entity, Vec<Kind>),
    Despawn(Entity),
    QueueSpawn(Value),
    QueueDespawn(Entity),
    QueueClear,
    QueueOn(Entity, Value),
}

/// What a lane holds: the commands, and the pending entities in the order in which they were spawned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording {
    commands: Vec<Recorded>,
    pub(crate) pending: Vec<Entity>,
    /// Pending entities of spawns that were dropped.
    pub(crate) forgotten: Vec<Entity>,
}

/// Records a program.
pub(crate) fn record(program: &[Command], lane: &mut Lane, pool: &Pool) -> Recording {
    let mut recording = Recording::default();
    for command in program {
        recording.record(command, lane, pool);
    }
    recording
}

impl Recording {
    fn record(&mut self, command: &Command, lane: &mut Lane, pool: &Pool) {
        let choose = |pick: Pick| match pick.asks_for_the_dead() && !self.forgotten.is_empty() {
            true => pool.choose(pick, &self.forgotten),
            false => pool.choose(pick, &self.pending),
        };
        let recorded = match *command {
            Command::Spawn(bundle, seed) => {
                let parts = parts_of(bundle, seed, choose);
                let pending = (BUNDLES[bundle].record_spawn)(lane, &mut give(&parts));
                assert!(!self.forgotten.contains(&pending), "{pending} came back");
                self.pending.push(pending);
                Recorded::Spawn(pending, parts)
            }
            Command::Insert(bundle, pick, seed) => {
                let parts = parts_of(bundle, seed, choose);
                let entity = choose(pick);
                (BUNDLES[bundle].record_insert)(lane, entity, &mut give(&parts));
                Recorded::Insert(entity, parts)
            }
            Command::Remove(bundle, pick) => {
                (BUNDLES[bundle].record_remove)(lane, choose(pick));
                Recorded::Remove(choose(pick), (BUNDLES[bundle].kinds)())
            }
            Command::Despawn(pick) => {
                lane.despawn(choose(pick));
                Recorded::Despawn(choose(pick))
            }
            Command::QueueOn(pick, seed) => {
                let (entity, value) = (choose(pick), Value::Seed(seed.into()));
                lane.entity(entity).queue(move |entity| {
                    let _ = entity.insert(Small::make(value));
                });
                Recorded::QueueOn(entity, value)
            }
            Command::QueueDespawn(pick) => {
                let entity = choose(pick);
                lane.queue(move |world| {
                    let _ = world.despawn(entity);
                });
                Recorded::QueueDespawn(entity)
            }
            Command::QueueSpawn(seed) => {
                let value = Value::Seed(seed.into());
                lane.queue(move |world| drop(world.try_spawn(Small::make(value))));
                Recorded::QueueSpawn(value)
            }
            Command::QueueClear => {
                lane.queue(World::clear);
                Recorded::QueueClear
            }
            Command::Forget => {
                lane.clear();
                self.forgotten.append(&mut self.pending);
                return self.commands.clear();
            }
        };
        self.commands.push(recorded);
    }
}

/// Gives the values of parts one after the other.
pub(crate) fn give(parts: &[(Kind, Value)]) -> impl FnMut(Kind) -> Value + '_ {
    let mut next = parts.iter().cycle();
    move |kind| {
        let &(expected, value) = next.next().expect("a bundle with parts");
        assert_eq!(kind, expected);
        value
    }
}

/// The rule: every pending entity is made real first, in order; then each command runs in turn.
pub(crate) fn apply(recording: &Recording, model: &mut Model) -> CommandReport {
    let made = recording.pending.iter().map(|&pending| (pending, model.reserve())).collect();
    let mut merge = OneAtATime { model, made };
    let mut report = CommandReport::default();
    for command in &recording.commands {
        match merge.run(command) {
            Ok(()) => report.applied += 1,
            Err((command, reason)) => {
                report.refused += 1;
                if report.refusals.len() < REFUSALS_KEPT {
                    report.refusals.push(Refusal { position: 0, command, reason });
                }
            }
        }
    }
    report
}

struct OneAtATime<'m> {
    model: &'m mut Model,
    made: BTreeMap<Entity, Option<Entity>>,
}

impl OneAtATime<'_> {
    fn run(&mut self, command: &Recorded) -> Result<(), (&'static str, RefusalReason)> {
        let named = |name| move |reason| (name, reason);
        match command {
            Recorded::Spawn(entity, parts) => self.spawn(*entity, parts).map_err(named("spawn")),
            Recorded::Insert(entity, parts) => self.insert(*entity, parts).map_err(named("insert")),
            Recorded::Remove(entity, kinds) => {
                self.on(*entity, |model, entity| model.remove(entity, kinds)).map_err(named("remove"))
            }
            Recorded::Despawn(entity) => self.on(*entity, Model::despawn).map_err(named("despawn")),
            Recorded::QueueOn(entity, value) => self
                .on(*entity, |model, entity| match model.rows[&entity].archetype {
                    Some(_) => {
                        let _ = model.insert(entity, &[(Kind::Small, *value)]);
                        Ok(())
                    }
                    None => Err(Refused::Gone(tickweave::world::Missing::Reserved)),
                })
                .map_err(named("queue")),
            Recorded::QueueSpawn(value) => {
                let _ = self.model.spawn(&[(Kind::Small, *value)]);
                Ok(())
            }
            Recorded::QueueDespawn(entity) => {
                let _ = self.model.despawn(*entity);
                Ok(())
            }
            Recorded::QueueClear => {
                self.model.clear();
                Ok(())
            }
        }
    }

    fn spawn(&mut self, entity: Entity, parts: &[(Kind, Value)]) -> Result<(), RefusalReason> {
        let entity = self.living(entity)?;
        self.mapped(parts).and_then(|parts| self.step(entity, |model| model.insert(entity, &parts))).inspect_err(|_| {
            self.model.give_up(entity);
        })
    }

    fn insert(&mut self, entity: Entity, parts: &[(Kind, Value)]) -> Result<(), RefusalReason> {
        let entity = self.living(entity)?;
        let parts = self.mapped(parts)?;
        self.step(entity, |model| model.insert(entity, &parts))
    }

    fn on(
        &mut self,
        entity: Entity,
        step: impl FnOnce(&mut Model, Entity) -> Result<(), Refused>,
    ) -> Result<(), RefusalReason> {
        let entity = self.living(entity)?;
        self.step(entity, |model| step(model, entity))
    }

    fn step(
        &mut self,
        entity: Entity,
        step: impl FnOnce(&mut Model) -> Result<(), Refused>,
    ) -> Result<(), RefusalReason> {
        step(self.model).map_err(|refused| match refused {
            Refused::Gone(why) => NoSuchEntity { entity, why }.into(),
            Refused::InsideTick(kind) => {
                RefusalReason::Structure(StructureError::Registry(RegistryError::InsideTick {
                    name: (part_of(kind).name)(),
                }))
            }
            other => panic!("{other:?} can't happen to a command"),
        })
    }

    fn real(&self, entity: Entity) -> Result<Entity, RefusalReason> {
        if !entity.is_pending() {
            return Ok(entity);
        }
        let made = self.made.get(&entity).ok_or(RefusalReason::UnknownPending(entity))?;
        made.ok_or_else(|| RefusalReason::Structure(EntityCapacity { capacity: self.model.capacity() }.into()))
    }

    fn living(&self, entity: Entity) -> Result<Entity, RefusalReason> {
        let entity = self.real(entity)?;
        match self.model.why_gone(entity) {
            Some(why) => Err(NoSuchEntity { entity, why }.into()),
            None => Ok(entity),
        }
    }

    fn mapped(&self, parts: &[(Kind, Value)]) -> Result<Vec<(Kind, Value)>, RefusalReason> {
        parts.iter().map(|&(kind, value)| Ok((kind, self.mapped_value(value)?))).collect()
    }

    fn mapped_value(&self, value: Value) -> Result<Value, RefusalReason> {
        match value {
            Value::Link(to, other) => Ok(Value::Link(self.real(to)?, other.map(|other| self.real(other)).transpose()?)),
            value => Ok(value),
        }
    }
}

/// Every table stands where its kind says.
#[test]
fn tables_stand_in_the_order_of_kinds() {
    assert!(PARTS.iter().enumerate().all(|(index, table)| table.kind as usize == index));
}
