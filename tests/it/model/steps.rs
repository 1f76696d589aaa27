//! Random programs of world operations, run on a world and on the model.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use tickweave::command::CommandBuffer;
use tickweave::entity::Entity;
use tickweave::executor::RunError;
use tickweave::query::Write;
use tickweave::resource::Resource;
use tickweave::schedule::Schedule;
use tickweave::value::StateValue;
use tickweave::world::{ComponentError, NoSuchEntity, StructureError, World};

use super::commands::{self, Command, any_command, give};
use super::oracle::{Model, Refused, Stamp};
use super::parts::*;
use super::tables::{BUNDLES, PARTS, part_of};
use super::ticks::{self, Seen};

/// Chooses a handle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pick {
    class: u8,
    index: u16,
}

impl Pick {
    /// Whether it goes to pending entities whose commands were dropped, if there are any.
    pub(crate) const fn asks_for_the_dead(self) -> bool {
        self.class == 2
    }
}

pub(crate) fn any_pick() -> impl Strategy<Value = Pick> + Clone {
    (0u8..8, any::<u16>()).prop_map(|(class, index)| Pick { class, index })
}

pub(crate) fn any_bundle() -> impl Strategy<Value = usize> + Clone {
    0..BUNDLES.len()
}

fn any_kind() -> impl Strategy<Value = Kind> + Clone {
    (0..PARTS.len()).prop_map(|index| PARTS[index].kind)
}

/// One operation of the host.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Spawn(usize, u8),
    SpawnBatch(usize, usize, u8),
    Despawn(Pick),
    Insert(usize, Pick, u8),
    Remove(usize, Pick),
    /// Insert one bundle and remove another, through `entity_mut`.
    Chain(usize, usize, Pick, u8),
    Take(Kind, Pick),
    Set(Kind, Pick, u8),
    SetMany(Kind, [Pick; 3], u8),
    WriteRows(Kind, u8),
    WriteEven(u8),
    Clear,
    Register(Kind),
    Unregister(Kind),
    Hide(Kind),
    InsertResource(u8),
    RemoveResource,
    /// A tick, one system of which records commands.
    Tick(u8, Vec<Command>),
    /// Record and apply.
    Commands(Vec<Command>),
    /// Record and drop.
    DropCommands(Vec<Command>),
}

pub(crate) fn any_step(commands: u32) -> impl Strategy<Value = Step> {
    let byte = any::<u8>();
    let program = || proptest::collection::vec(any_command(), 0..24);
    prop_oneof![
        10 => (any_bundle(), byte).prop_map(|(bundle, seed)| Step::Spawn(bundle, seed)),
        4 => (any_bundle(), 0usize..7, byte).prop_map(|(bundle, count, seed)| Step::SpawnBatch(bundle, count, seed)),
        6 => any_pick().prop_map(Step::Despawn),
        8 => (any_bundle(), any_pick(), byte).prop_map(|(bundle, pick, seed)| Step::Insert(bundle, pick, seed)),
        6 => (any_bundle(), any_pick()).prop_map(|(bundle, pick)| Step::Remove(bundle, pick)),
        3 => (any_bundle(), any_bundle(), any_pick(), byte).prop_map(|(a, b, pick, seed)| Step::Chain(a, b, pick, seed)),
        4 => (any_kind(), any_pick()).prop_map(|(kind, pick)| Step::Take(kind, pick)),
        4 => (any_kind(), any_pick(), byte).prop_map(|(kind, pick, seed)| Step::Set(kind, pick, seed)),
        3 => (any_kind(), [any_pick(), any_pick(), any_pick()], byte)
            .prop_map(|(kind, picks, seed)| Step::SetMany(kind, picks, seed)),
        2 => (any_kind(), byte).prop_map(|(kind, seed)| Step::WriteRows(kind, seed)),
        2 => byte.prop_map(Step::WriteEven),
        1 => Just(Step::Clear),
        1 => any_kind().prop_map(Step::Register),
        2 => any_kind().prop_map(Step::Unregister),
        1 => any_kind().prop_map(Step::Hide),
        1 => byte.prop_map(Step::InsertResource),
        1 => Just(Step::RemoveResource),
        5 => (byte, program()).prop_map(|(seed, program)| Step::Tick(seed, program)),
        commands => program().prop_map(Step::Commands),
        commands.div_ceil(8) => program().prop_map(Step::DropCommands),
    ]
}

/// Every handle that a program has seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    pub(crate) known: Vec<Entity>,
    live: Vec<Entity>,
}

impl Pool {
    fn new() -> Self {
        let made_up: [(u32, u32); 4] = [(0, 1), (3, 7), (u32::MAX, 1), (2, 0x7fff_ffff)];
        let handle = |(slot, generation): (u32, u32)| Entity::from_bits(u64::from(generation) << 32 | u64::from(slot));
        let stranger = CommandBuffer::new().spawn(()).id();
        let known = made_up.into_iter().filter_map(handle);
        Self { known: known.chain([stranger]).collect(), live: Vec::new() }
    }

    /// A handle: mostly of `first` or a living entity, now and then any that was ever seen.
    pub(crate) fn choose(&self, pick: Pick, first: &[Entity]) -> Entity {
        let from = match pick.class {
            0..=2 if !first.is_empty() => first,
            0..=5 if !self.live.is_empty() => &self.live,
            _ => &self.known,
        };
        from[usize::from(pick.index) % from.len()]
    }

    fn note(&mut self, model: &Model, more: &[Entity]) {
        self.live = model.rows.keys().copied().collect();
        self.known.extend(self.live.iter().chain(more));
        self.known.sort_unstable();
        self.known.dedup();
    }
}

/// The values of a bundle: numbers from the seed, and entities that `choose` picks.
pub(crate) fn parts_of(bundle: usize, seed: u8, choose: impl Fn(Pick) -> Entity) -> Vec<(Kind, Value)> {
    let kinds = (BUNDLES[bundle].kinds)();
    let value = |(place, kind)| (kind, value_of(kind, seed.wrapping_add(place as u8 * 37), &choose));
    kinds.into_iter().enumerate().map(value).collect()
}

fn value_of(kind: Kind, seed: u8, choose: impl Fn(Pick) -> Entity) -> Value {
    let pick = |salt: u8| Pick { class: seed.wrapping_add(salt) % 8, index: u16::from(seed) * 7 + u16::from(salt) };
    match kind {
        Kind::Enemy | Kind::Guard => Value::Nothing,
        Kind::Link => Value::Link(choose(pick(0)), (seed % 3 > 0).then(|| choose(pick(3)))),
        _ => Value::Seed(seed.into()),
    }
}

#[derive(Clone, Debug, PartialEq, StateValue, Resource)]
struct Weather(u32);

/// A world and its model.
pub(crate) struct Subject {
    pub(crate) world: World,
    pub(crate) model: Model,
    pub(crate) pool: Pool,
    weather: Option<u32>,
    schedule: Option<Schedule>,
    seen: Arc<Mutex<Seen>>,
    last_run: Stamp,
    buffer: CommandBuffer,
}

fn of_structure(error: StructureError) -> Refused {
    match error {
        StructureError::NoSuchEntity(error) => Refused::Gone(error.why),
        StructureError::Full(_) => Refused::Full,
        other => panic!("{other}"),
    }
}

fn of_component(error: ComponentError) -> Refused {
    match error {
        ComponentError::NoSuchEntity(error) => Refused::Gone(error.why),
        ComponentError::Missing { .. } => Refused::Lacks,
        ComponentError::Aliased { .. } => Refused::Aliased,
        other => panic!("{other}"),
    }
}

fn of_entity(error: NoSuchEntity) -> Refused {
    Refused::Gone(error.why)
}

impl Subject {
    pub(crate) fn new(chunk_rows: u32, batch_rows: u32, capacity: u32) -> Self {
        let builder = World::builder().chunk_rows(chunk_rows).batch_rows(batch_rows);
        let world = builder.entity_capacity(capacity).removal_ticks(2).build().expect("a possible shape");
        Self {
            world,
            model: Model::new(capacity, 2),
            pool: Pool::new(),
            weather: None,
            schedule: None,
            seen: Arc::default(),
            last_run: Stamp::default(),
            buffer: CommandBuffer::new(),
        }
    }

    /// Does a step on both sides and compares what it returns.
    pub(crate) fn step(&mut self, step: &Step) {
        self.do_step(step);
        self.pool.note(&self.model, &[]);
        let weather = self.world.resource::<Weather>().ok().map(|weather| weather.0);
        assert_eq!(weather, self.weather, "the resource");
    }

    fn choose(&self, pick: Pick) -> Entity {
        self.pool.choose(pick, &[])
    }

    fn parts(&self, bundle: usize, seed: u8) -> Vec<(Kind, Value)> {
        parts_of(bundle, seed, |pick| self.pool.choose(pick, &[])).into_iter().map(no_pending).collect()
    }

    fn do_step(&mut self, step: &Step) {
        match *step {
            Step::Spawn(bundle, seed) => self.spawn(bundle, seed),
            Step::SpawnBatch(bundle, count, seed) => self.spawn_batch(bundle, count, seed),
            Step::Despawn(pick) => {
                let entity = self.choose(pick);
                let done = self.world.despawn(entity).map_err(of_entity);
                assert_eq!(done, self.model.despawn(entity), "despawn {entity}");
            }
            Step::Insert(bundle, pick, seed) => {
                let (entity, parts) = (self.choose(pick), self.parts(bundle, seed));
                let done = (BUNDLES[bundle].insert)(&mut self.world, entity, &mut give(&parts)).map_err(of_structure);
                assert_eq!(done, self.model.insert(entity, &parts), "insert {parts:?} into {entity}");
            }
            Step::Remove(bundle, pick) => {
                let entity = self.choose(pick);
                let done = (BUNDLES[bundle].remove)(&mut self.world, entity).map_err(of_entity);
                let kinds = (BUNDLES[bundle].kinds)();
                assert_eq!(done, self.model.remove(entity, &kinds), "remove {kinds:?} from {entity}");
            }
            Step::Chain(bundle, other, pick, seed) => self.chain(bundle, other, pick, seed),
            Step::Take(kind, pick) => {
                let entity = self.choose(pick);
                let taken = (part_of(kind).take)(&mut self.world, entity).map_err(of_component);
                assert_eq!(taken, self.model.take(entity, kind), "take {kind:?} from {entity}");
            }
            Step::Set(kind, pick, seed) => {
                let (entity, value) = (self.choose(pick), self.value(kind, seed));
                let done = (part_of(kind).set)(&mut self.world, entity, value).map_err(of_component);
                assert_eq!(done, self.model.set(entity, kind, value), "write {kind:?} of {entity}");
            }
            Step::SetMany(kind, picks, seed) => {
                let (entities, value) = (picks.map(|pick| self.choose(pick)), self.value(kind, seed));
                let done = (part_of(kind).set_many)(&mut self.world, entities, value).map_err(of_component);
                assert_eq!(done, self.model.set_many(&entities, kind, value), "write {kind:?} of {entities:?}");
            }
            Step::WriteRows(kind, seed) => self.write_rows(kind, seed),
            Step::WriteEven(seed) => self.write_even(seed),
            Step::Clear => {
                self.world.clear();
                self.model.clear();
            }
            Step::Register(kind) => {
                let id = (part_of(kind).register)(&mut self.world).ok();
                assert_eq!(id, self.model.register(kind), "register {kind:?}");
            }
            Step::Unregister(kind) => {
                let done = (part_of(kind).unregister)(&mut self.world).is_ok();
                assert_eq!(done, self.model.unregister(kind), "unregister {kind:?}");
            }
            Step::Hide(kind) => {
                let id = (part_of(kind).hide)(&mut self.world).ok();
                self.model.register(kind);
                self.model.hidden.insert(kind);
                assert_eq!(id, self.model.id_of(kind), "hide {kind:?}");
            }
            Step::InsertResource(seed) => {
                let replaced = self.world.insert_resource(Weather(seed.into())).map(|weather| weather.0);
                assert_eq!(replaced, self.weather.replace(seed.into()));
            }
            Step::RemoveResource => {
                assert_eq!(self.world.remove_resource::<Weather>().map(|weather| weather.0), self.weather.take());
            }
            Step::Tick(seed, ref program) => self.tick(seed, program),
            Step::Commands(ref program) => self.commands(program),
            Step::DropCommands(ref program) => {
                let mut buffer = CommandBuffer::new();
                commands::record(program, &mut buffer, &self.pool);
            }
        }
    }

    fn value(&self, kind: Kind, seed: u8) -> Value {
        no_pending((kind, value_of(kind, seed, |pick| self.choose(pick)))).1
    }

    fn spawn(&mut self, bundle: usize, seed: u8) {
        let parts = self.parts(bundle, seed);
        let spawned = (BUNDLES[bundle].spawn)(&mut self.world, &mut give(&parts)).map_err(of_structure);
        assert_eq!(spawned, self.model.spawn(&parts), "spawn {parts:?}");
    }

    fn spawn_batch(&mut self, bundle: usize, count: usize, seed: u8) {
        let parts = self.parts(bundle, seed);
        let spawned = (BUNDLES[bundle].spawn_batch)(&mut self.world, count, &mut give(&parts)).map_err(of_structure);
        assert_eq!(spawned, self.model.spawn_batch(&vec![parts; count]), "spawn {count} of bundle {bundle}");
    }

    fn chain(&mut self, bundle: usize, other: usize, pick: Pick, seed: u8) {
        let (entity, parts) = (self.choose(pick), self.parts(bundle, seed));
        let done = (BUNDLES[bundle].chain)(&mut self.world, entity, &mut give(&parts), other).map_err(of_structure);
        let inserted = self.model.insert(entity, &parts);
        let both = inserted.and_then(|()| self.model.remove(entity, &(BUNDLES[other].kinds)()));
        assert_eq!(done, both, "insert {parts:?} and remove bundle {other} of {entity}");
    }

    fn write_rows(&mut self, kind: Kind, seed: u8) {
        let value = self.value(kind, seed);
        (part_of(kind).write_rows)(&mut self.world, value);
        let everyone: Vec<Entity> = self.model.shown([kind]).map(|(entity, _)| entity).collect();
        for entity in everyone {
            let _ = self.model.set(entity, kind, value);
        }
    }

    /// Writes every even `Big` through a term that marks only what it writes.
    fn write_even(&mut self, seed: u8) {
        let new = Value::Seed(seed.into());
        let is_even = |value| matches!(value, Value::Seed(number) if number % 2 == 0);
        for mut big in self.world.query_mut::<Write<Big>, ()>() {
            if is_even(big.value()) {
                *big = Big::make(new);
            }
        }
        let everyone: Vec<Entity> = self.model.shown([Kind::Big]).map(|(entity, _)| entity).collect();
        for entity in everyone {
            if self.model.get(entity, Kind::Big).is_ok_and(is_even) {
                self.model.set(entity, Kind::Big, new).expect("it has one");
            }
        }
    }

    fn commands(&mut self, program: &[Command]) {
        let recording = commands::record(program, &mut self.buffer, &self.pool);
        let report = self.buffer.apply(&mut self.world);
        assert_eq!(report, commands::apply(&recording, &mut self.model), "{recording:?}");
        assert!(self.buffer.is_empty());
        self.pool.note(&self.model, &recording.pending);
        self.pool.note(&self.model, &recording.forgotten);
    }

    /// Runs a tick of systems that write and of systems that look for changes.
    fn tick(&mut self, seed: u8, program: &[Command]) {
        let schedule = self.schedule.get_or_insert_with(|| ticks::schedule(&self.seen));
        {
            let mut seen = self.seen.lock().expect("no system panicked");
            (seen.seed, seen.program, seen.pool) = (seed, program.to_vec(), self.pool.clone());
        }
        match schedule.run(&mut self.world) {
            Ok(()) => {}
            Err(RunError::Stale) => {
                // The registry changed: a new schedule, whose readers have seen nothing yet.
                self.last_run = Stamp::default();
                self.schedule = None;
                return self.tick(seed, program);
            }
            Err(error) => panic!("{error}"),
        }
        let seen = self.seen.lock().expect("no system panicked");
        let (last_run, report) = ticks::run(&mut self.model, self.last_run, &seen);
        assert_eq!(*schedule.report(), report, "{:?}", seen.recording);
        self.last_run = last_run;
        self.pool.note(&self.model, &seen.recording.pending);
        self.pool.note(&self.model, &seen.recording.forgotten);
    }
}

/// The host puts real handles into values; pending ones are for commands.
fn no_pending((kind, value): (Kind, Value)) -> (Kind, Value) {
    let real =
        |entity: Entity| if entity.is_pending() { Entity::from_bits(9 << 32).expect("a handle") } else { entity };
    match value {
        Value::Link(to, other) => (kind, Value::Link(real(to), other.map(real))),
        value => (kind, value),
    }
}
