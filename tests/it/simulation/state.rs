//! What a simulation keeps is state, noun by noun: the hash tells of it, the future follows from it, a rollback and a save bring it
//! back.

use tickweave::machine::{MachineState, Rule, Rules};
use tickweave::prelude::*;
use tickweave::simulation::{FixedStep, FlushContext, Manager, SimulationBuilder};

use super::kit::{Ask, First, Health, Put, Second, Store, Told, everywhere, game, said, say};

#[derive(Clone, Debug, Default, PartialEq, StateValue)]
struct Bullet {
    born: u64,
}

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Mode {
    Build,
    Run,
}

impl MachineState for Mode {
    type Transition = u8;
}

const FLIP: u8 = 0;
const TABLE: [Rule<Mode, ()>; 2] = [Rule::new(Mode::Build, FLIP, Mode::Run), Rule::new(Mode::Run, FLIP, Mode::Build)];
const RULES: Rules<'static, Mode, ()> = Rules::new(&TABLE);

/// A pace inside of the game: how far it is into its next beat is an accumulator.
#[derive(Clone, StateValue, Resource)]
struct Beat(FixedStep);

/// Owns a pool and a machine: they are state inside of a manager, too.
#[derive(Clone, Debug, PartialEq, StateValue)]
struct Armory {
    bullets: ObjectPool<Bullet>,
    mode: StateMachine<Mode>,
}

impl Manager for Armory {
    fn flush(&mut self, context: &mut FlushContext<'_>) {
        self.mode.apply(&RULES, &mut ());
        let tick = context.tick();
        if self.mode.current() == Mode::Run && self.bullets.iter().all(|(_, bullet)| bullet.born != tick) {
            self.bullets.retain(|_, bullet| bullet.born + 3 > tick);
            let shot = self.bullets.acquire().map(|(handle, bullet)| {
                bullet.born = tick;
                (handle.index(), handle.generation())
            });
            say(format!("shot {shot:?}"));
        }
    }
}

fn fire(tick: Tick, mut bullets: ResMut<ObjectPool<Bullet>>, mut commands: Commands) {
    let Some((handle, bullet)) = bullets.acquire() else { return };
    bullet.born = tick.0;
    bullets.retain(|_, bullet| bullet.born + 2 > tick.0);
    commands.queue(move |_| say(format!("fired {}.{}", handle.index(), handle.generation())));
}

fn switch(mut mode: ResMut<StateMachine<Mode>>, tick: Tick, mut commands: Commands) {
    mode.request(Mode::Build, FLIP);
    if tick.0 % 2 == 0 {
        mode.apply(&RULES, &mut ());
    }
    let (now, changes) = (mode.current(), mode.changes());
    commands.queue(move |_| say(format!("{now:?} {changes}")));
}

fn beat(mut beat: ResMut<Beat>, mut commands: Commands) {
    let due = beat.0.advance(7_000_000).steps;
    commands.queue(move |_| say(format!("beats {due}")));
}

fn ask(tick: Tick, mut commands: Commands) {
    commands.submit_after(3, Ask(tick.0 as u32));
    commands.submit(Put(tick.0 as u32));
}

fn build() -> SimulationBuilder {
    let pace = FixedStep::new(core::num::NonZeroU32::new(100).unwrap());
    let bullets = ObjectPool::new(&Bullet::default(), 4);
    game()
        .resource(Beat(pace))
        .resource(StateMachine::new(Mode::Build))
        .resource(bullets.clone())
        .manager(Armory { bullets, mode: StateMachine::new(Mode::Run) })
        .rollback(8)
        .phase("Main", |main| {
            main.pass("all").system(fire).system(switch).system(beat).system(ask);
        })
}

/// Plays some ticks: what happens in them, and the state behind them.
fn play(sim: &mut Simulation, ticks: u32) -> (String, u64) {
    said();
    (0..ticks).for_each(|_| {
        sim.step(()).unwrap();
    });
    (said(), sim.state_hash().unwrap().get())
}

/// Whoever is changed in the middle is another one, with another future; back is back, through the ring, in place from bytes, and in
/// a simulation that was built anew.
fn is_state(change: impl Fn(&mut Simulation)) {
    everywhere(build, |sim| {
        play(sim, 3);
        let there = sim.state_hash().unwrap();
        let bytes = sim.world().save().unwrap();
        let future = play(sim, 4);

        sim.rollback_to(3).unwrap();
        assert_eq!(sim.state_hash().unwrap(), there);
        change(sim);
        assert_ne!(sim.state_hash().unwrap(), there, "the hash does not tell");
        assert_ne!(play(sim, 4).0, future.0, "the future does not follow");

        sim.rollback_to(3).unwrap();
        assert_eq!(sim.state_hash().unwrap(), there, "rolled back");
        assert_eq!(play(sim, 4), future, "rolled back");

        change(sim);
        sim.world_mut().load(&bytes).unwrap();
        assert_eq!(sim.state_hash().unwrap(), there, "loaded");
        assert_eq!(play(sim, 4), future, "loaded");

        let mut other = build().build().unwrap();
        change(&mut other);
        other.world_mut().load(&bytes).unwrap();
        assert_eq!((other.state_hash().unwrap(), play(&mut other, 4)), (there, future), "loaded anew");
    });
}

#[test]
fn what_a_manager_keeps_is_state() {
    is_state(|sim| sim.manager_mut::<First>().unwrap().taken.push(40));
}

#[test]
fn what_a_command_buffer_holds_is_state() {
    is_state(|sim| sim.manager_mut::<Store>().unwrap().0.push(41));
}

#[test]
fn a_pool_is_state_with_the_objects_that_nobody_holds_and_the_turn_of_each() {
    is_state(|sim| assert!(sim.world_mut().resource_mut::<ObjectPool<Bullet>>().unwrap().acquire().is_some()));
    // A use that is over: all objects are as they were, but for the generation of one and the order of their turns.
    is_state(|sim| {
        let pool = sim.world_mut().resource_mut::<ObjectPool<Bullet>>().unwrap();
        let (first, _) = pool.acquire().unwrap();
        let (second, _) = pool.acquire().unwrap();
        assert!(pool.release(first) && pool.release(second));
    });
}

#[test]
fn a_pool_inside_of_a_manager_is_state() {
    is_state(|sim| assert!(sim.manager_mut::<Armory>().unwrap().bullets.acquire().is_some()));
}

#[test]
fn a_machine_is_state_with_the_requests_that_wait() {
    is_state(|sim| {
        let mode = sim.world_mut().resource_mut::<StateMachine<Mode>>().unwrap();
        let now = mode.current();
        mode.request(now, FLIP);
        mode.apply(&RULES, &mut ());
    });
    is_state(|sim| {
        let mode = sim.world_mut().resource_mut::<StateMachine<Mode>>().unwrap();
        (0..2).for_each(|_| mode.request(Mode::Run, FLIP));
    });
}

#[test]
fn a_machine_inside_of_a_manager_is_state() {
    is_state(|sim| sim.manager_mut::<Armory>().unwrap().mode.request(Mode::Run, FLIP));
}

#[test]
fn delayed_commands_and_those_that_wait_for_the_next_commit_are_state() {
    is_state(|sim| sim.submit_at(sim.tick() + 2, Ask(42)).unwrap());
    is_state(|sim| sim.submit(Ask(43)).unwrap());
}

#[test]
fn accumulated_time_is_state() {
    is_state(|sim| _ = sim.world_mut().resource_mut::<Beat>().unwrap().0.advance(4_000_000));
}

/// A tracked value that comes and goes.
#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Mark(u32);

#[derive(Clone, Default, StateValue, Resource)]
#[resource(input)]
struct Wish(u32);

fn gamble(
    mut rng: Rng,
    mut rounds: Local<u32>,
    wish: Res<Wish>,
    mut told: EventReader<Told>,
    marked: Query<Entity, With<Mark>>,
    mut commands: Commands<Told>,
) {
    *rounds += 1;
    told.clear();
    let number = rng.next_u32() % 100 + wish.0 + *rounds;
    commands.send(Told(number));
    commands.spawn((Health(number), Mark(number)));
    marked.iter().take(1).for_each(|entity| commands.remove::<Mark>(entity));
    say(format!("gambled {number}"));
}

#[test]
fn after_a_reset_all_of_the_state_is_as_after_init_noun_by_noun() {
    let build = || {
        build().seed(3).component::<Mark>().input::<Wish>().setup(|world| _ = world.spawn(Mark(1))).phase(
            "Post",
            |post| {
                post.pass("all").system(gamble.named("gamble").pinned());
            },
        )
    };
    let words = [
        "tick",
        "slot",
        "archetype",
        "removal",
        "resource",
        "Wish",
        "StateMachine",
        "ObjectPool",
        "Beat",
        "local",
        "last runs",
        "stream gamble",
        "events",
        "reader",
        "commands",
        "order of commands",
        "First",
        "Second",
        "Armory",
        "command buffer",
    ];
    everywhere(build, |sim| {
        let built = sim.world().dump();
        let play = |sim: &mut Simulation| {
            said();
            (1..=3).for_each(|number| _ = sim.step(&Wish(number)).unwrap());
            (said(), sim.world().dump())
        };
        let first = play(sim);
        assert!(first.0.contains("gambled"), "{}", first.0);
        sim.submit(Ask(43)).unwrap();
        sim.manager_mut::<Store>().unwrap().0.push(1);
        sim.manager_mut::<Second>().unwrap().asks.push(2);
        sim.manager_mut::<Armory>().unwrap().mode.request(Mode::Run, FLIP);
        let changed = sim.world().dump().diff(&built).unwrap();
        for word in words {
            assert!(changed.lines.iter().any(|(path, ..)| path.contains(word)), "`{word}` did not change: {changed}");
        }
        sim.reset().unwrap();
        assert_eq!(sim.world().dump().diff(&built), None);
        assert_eq!(play(sim), first, "the same again");
    });
}
