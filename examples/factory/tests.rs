use std::io;
use std::num::NonZeroU32;

use tickweave::prelude::*;
use tickweave::state::StateHash;

use super::belt::{Layout, OnBelt, SPACING, Spot};
use super::cli::{Executor, NoExecutor, Options};
use super::factory::{Factory, Order};
use super::hall::{Hall, INSPECTION_EVERY, INSPECTION_TICKS, Turn};
use super::item::Kind;
use super::ledger::Deliver;
use super::line::PlaceLine;
use super::machine::{Machine, Miner, Stock};
use super::operator::Throttle;
use super::{Failure, run};

const ITEMS: u32 = 5_000;

fn options(ticks: u64, threads: Executor) -> Options {
    Options { ticks, threads, seed: 4, items: 20_000 }
}

fn output(options: &Options) -> Vec<String> {
    let mut out = Vec::new();
    run(options, &mut out).expect("the factory should run");
    String::from_utf8(out).unwrap().lines().map(String::from).collect()
}

/// The last line up to the executor.
fn result(options: &Options) -> String {
    output(options).last().unwrap().split(" executor=").next().unwrap().to_owned()
}

#[test]
fn last_line_is_the_report() {
    let lines = output(&options(20, Executor::Serial));
    let report = lines.last().unwrap();
    assert!(report.starts_with("tick=20 population="), "{report}");
    assert!(report.ends_with(" executor=serial threads=1"), "{report}");
    assert_eq!(lines.len(), 12, "ten lines of progress, the mean, the report");
    assert_eq!(output(&options(0, Executor::Serial)).len(), 1);
}

#[test]
fn any_number_of_threads_gives_the_same_population_and_hash() {
    let serial = result(&options(200, Executor::Serial));
    for threads in [1, 2, 3, 8] {
        let parallel = Executor::Parallel(NonZeroU32::new(threads).unwrap());
        assert_eq!(result(&options(200, parallel)), serial, "{threads} threads");
    }
    assert_ne!(result(&Options { seed: 5, ..options(200, Executor::Serial) }), serial);
}

#[test]
fn output_that_nobody_takes_is_an_error_and_no_panic() {
    let failure = run(&options(1, Executor::Serial), &mut [].as_mut_slice()).unwrap_err();
    assert!(matches!(failure, Failure::Output(_)), "{failure}");
    assert!(run(&options(0, Executor::Serial), &mut io::sink()).is_ok());
}

#[test]
fn words_that_are_no_executor_are_refused() {
    assert_eq!("serial".parse(), Ok(Executor::Serial));
    assert_eq!("2".parse(), Ok(Executor::Parallel(NonZeroU32::new(2).unwrap())));
    assert_eq!(["0", "", "two", "-1"].map(str::parse::<Executor>), [const { Err(NoExecutor) }; 4]);
}

/// An empty hall. A command without effect fails its tick, unless the test asks for such.
fn hall(seed: u64, strict: bool) -> Factory {
    let order = Order { seed, items: ITEMS };
    Factory::new(order, |builder| builder.executor(tickweave::prelude::Executor::Serial).strict_commands(strict))
        .unwrap()
}

/// A hall in its first tick of work.
fn factory(seed: u64) -> Factory {
    let mut factory = hall(seed, true);
    go_until(&mut factory, Hall::Run);
    factory
}

fn go_until(factory: &mut Factory, hall: Hall) {
    for _ in 0..2 * INSPECTION_EVERY {
        factory.step().unwrap();
        if factory.hall() == hall {
            return;
        }
    }
    panic!("never {hall:?}");
}

fn line(speed: u32) -> PlaceLine {
    PlaceLine { heading: 1, tiles: 0, speed, belts: [24; 4], crafts: [1; 3] }
}

/// All that moves or is worked on.
struct Work {
    items: Vec<(Entity, OnBelt, Spot)>,
    stocks: Vec<(Entity, [u32; 3])>,
    machines: Vec<(Entity, u32)>,
}

fn work(factory: &mut Factory) -> Work {
    let world = factory.sim().world();
    let items = world.query::<(Entity, &OnBelt, &Spot), ()>();
    let stocks = world.query::<(Entity, &Stock), ()>();
    let machines = world.query::<(Entity, &Machine), ()>();
    Work {
        items: items.iter().map(|(item, on, spot)| (item, *on, *spot)).collect(),
        stocks: stocks.iter().map(|(entity, of)| (entity, [of.waiting, of.most, of.ready])).collect(),
        machines: machines.iter().map(|(entity, machine)| (entity, machine.left)).collect(),
    }
}

impl Work {
    /// Whether it stands still since `before`, but for what was added.
    fn stands_still_since(&self, before: &Self) -> bool {
        self.items.starts_with(&before.items)
            && before.stocks.iter().all(|stock| self.stocks.contains(stock))
            && self.machines.starts_with(&before.machines)
    }
}

#[test]
fn the_hall_is_built_line_by_line_and_runs_as_soon_as_belts_are_as_full_as_was_asked_for() {
    let mut factory = hall(3, true);
    let mut populations = vec![0];
    while factory.hall() == Hall::Build {
        factory.step().unwrap();
        populations.push(factory.population());
    }
    assert!(populations.len() > 8, "{populations:?}");
    let [.., before, full, _] = populations[..] else { unreachable!() };
    assert!(before < 5_156 && full >= 5_156, "a thirty-second more than was asked for: {populations:?}");
    let layout = factory.sim().world().resource::<Layout>().unwrap();
    assert_eq!(layout.0.iter().map(|belt| belt.length / SPACING).sum::<u32>() as usize, full);
    assert_eq!(layout.0.len() % Kind::ALL.len(), 0);
}

#[test]
fn while_the_hall_is_built_nothing_moves() {
    let mut factory = hall(3, true);
    (0..4).for_each(|_| _ = factory.step().unwrap());
    let before = work(&mut factory);
    (0..2).for_each(|_| _ = factory.step().unwrap());
    let after = work(&mut factory);
    assert_eq!(factory.hall(), Hall::Build);
    assert!(after.stands_still_since(&before) && after.items.len() > before.items.len());
}

#[test]
fn a_hall_does_not_run_before_its_belts_are_full() {
    let mut factory = hall(3, true);
    factory.sim().submit(Turn::START).unwrap();
    (0..2).for_each(|_| _ = factory.step().unwrap());
    let machine = factory.sim().world().resource::<StateMachine<Hall>>().unwrap();
    assert_eq!((machine.current(), machine.refusals().guarded), (Hall::Build, 1));
}

#[test]
fn a_line_that_can_not_be_built_is_refused_and_counted() {
    let mut factory = hall(3, false);
    let unsound =
        [line(0), line(3), line(128), PlaceLine { heading: 0, ..line(4) }, PlaceLine { crafts: [0; 3], ..line(4) }];
    let count = unsound.len();
    unsound.into_iter().for_each(|line| factory.sim().submit(line).unwrap());
    assert_eq!(factory.step().unwrap().refused, count as u64);
    assert!(factory.sim().refusals().iter().all(|refusal| refusal.reason.code() == "manager-refused"));
}

#[test]
fn in_a_pause_nothing_moves_and_nobody_works_while_commits_go_on() {
    let mut factory = factory(3);
    go_until(&mut factory, Hall::Pause);
    let (before, ledger) = (work(&mut factory), factory.ledger());
    factory.sim().submit(Deliver { kind: Kind::Gear }).unwrap();
    factory.sim().submit(line(8)).unwrap();
    factory.step().unwrap();
    assert_eq!(factory.hall(), Hall::Pause);
    let after = work(&mut factory);
    assert!(after.stands_still_since(&before));
    assert_eq!(after.items.len(), before.items.len() + line(8).items() as usize, "a line was placed all the same");
    assert_eq!(factory.ledger().count(Kind::Gear), ledger.count(Kind::Gear) + 1);
    go_until(&mut factory, Hall::Run);
    assert!(!work(&mut factory).stands_still_since(&after));
}

#[test]
fn a_pause_mends_what_broke() {
    let mut factory = factory(3);
    factory.sim().world_mut().query_mut::<&mut Machine, ()>().into_iter().for_each(|machine| machine.broken = 1_000);
    go_until(&mut factory, Hall::Pause);
    let world = factory.sim().world();
    assert!(world.query::<&Machine, ()>().iter().all(|machine| machine.broken == 0));
}

#[test]
fn inspections_come_at_their_rate_and_are_short() {
    let mut factory = factory(3);
    let every = u64::from(INSPECTION_EVERY);
    while factory.sim().tick() < 4 * every {
        factory.step().unwrap();
        let (tick, state) = (factory.sim().tick(), factory.hall());
        let paused = tick > every && (1..INSPECTION_TICKS).contains(&(tick % every));
        assert_eq!(state, if paused { Hall::Pause } else { Hall::Run }, "tick {tick}");
    }
}

#[test]
fn a_line_that_is_placed_while_the_hall_runs_works_with_the_others() {
    let mut factory = factory(3);
    factory.sim().submit(line(16)).unwrap();
    let belts = factory.sim().world().resource::<Layout>().unwrap().0.len() as u32;
    (0..80).for_each(|_| _ = factory.step().unwrap());
    let world = factory.sim().world();
    let new: Vec<_> = world.query::<(Entity, &OnBelt), ()>().into_iter().filter(|(_, on)| on.belt >= belts).collect();
    assert!(new.len() >= 380 && new.iter().any(|(item, _)| item.generation() > 1), "{}", new.len());
    let machine = world.resource::<StateMachine<Hall>>().unwrap();
    assert_eq!((machine.changes(), machine.refusals()), (1, Default::default()), "nobody asked for another start");
}

#[test]
fn what_was_delivered_is_in_machines_chests_and_what_they_made() {
    let mut factory = factory(6);
    let before = of_each_kind(&mut factory);
    (0..500).for_each(|_| _ = factory.step().unwrap());
    let (ledger, after) = (factory.ledger(), of_each_kind(&mut factory));
    let delivered = Kind::ALL.map(|kind| ledger.count(kind));
    let mut taken = [0; 4];
    let stocks = factory.sim().world().query::<(&Stock, Option<&Kind>, Option<&Machine>), Without<Miner>>();
    for (stock, makes, machine) in stocks.iter() {
        let working = machine.map_or(0, |machine| u32::from(machine.left > 0));
        let takes = makes.map_or(Kind::Engine as usize, |&kind| kind as usize - 1);
        taken[takes] += u64::from(stock.waiting + stock.ready + working);
    }
    for made in 1..4 {
        taken[made - 1] += after[made] + delivered[made] - before[made];
    }
    assert_eq!(delivered, taken);
    assert!(delivered.iter().all(|&items| items > 500), "{delivered:?}");
}

/// Items on belts.
fn of_each_kind(factory: &mut Factory) -> [u64; 4] {
    let mut counts = [0; 4];
    let items = factory.sim().world().query::<&Kind, With<OnBelt>>();
    items.iter().for_each(|&kind| counts[kind as usize] += 1);
    counts
}

#[test]
fn belts_move_as_often_as_the_operator_lets_them() {
    let mut factory = factory(3);
    let mut moved = Vec::new();
    for _ in 0..12 {
        let items = work(&mut factory).items;
        factory.sim().step(&Throttle { rest: 3 }).unwrap();
        let world = factory.sim().world();
        if items.iter().any(|(item, before, _)| world.get::<OnBelt>(*item).is_ok_and(|on| on != before)) {
            moved.push(factory.sim().tick());
        }
    }
    assert_eq!(moved.len(), 3, "{moved:?}");
    assert!(moved.iter().all(|tick| tick % 4 == 0), "{moved:?}");
}

#[test]
fn after_a_rollback_the_same_ticks_give_the_same_hashes_on_any_number_of_threads() {
    let serial = hashes(Executor::Serial);
    for threads in [1, 2, 3] {
        assert_eq!(hashes(Executor::Parallel(NonZeroU32::new(threads).unwrap())), serial, "{threads} threads");
    }
}

/// The hash after each tick, which is the same after each eight ticks were undone and done again.
fn hashes(threads: Executor) -> Vec<StateHash> {
    let order = Order { seed: 7, items: ITEMS };
    let mut factory = Factory::new(order, |builder| threads.runs(builder).rollback(8)).unwrap();
    let (mut hashes, mut halls) = (Vec::new(), Vec::new());
    for before in (0..104).step_by(8) {
        let first: Vec<_> = (0..8).map(|_| hash_of_next(&mut factory)).collect();
        factory.sim().rollback_to(before).unwrap();
        let second: Vec<_> = (0..8).map(|_| hash_of_next(&mut factory)).collect();
        assert_eq!(first, second, "behind tick {before}, {threads:?}");
        hashes.extend(first);
        halls.push(factory.hall());
    }
    assert!([Hall::Build, Hall::Run, Hall::Pause].iter().all(|hall| halls.contains(hall)), "{halls:?}");
    hashes
}

fn hash_of_next(factory: &mut Factory) -> StateHash {
    factory.step().unwrap();
    factory.state_hash().unwrap()
}

#[test]
fn after_a_reset_the_factory_is_built_again_and_ends_alike() {
    let mut factory = hall(8, true);
    let first: Vec<_> = (0..30).map(|_| hash_of_next(&mut factory)).collect();
    factory.sim().reset().unwrap();
    assert_eq!((factory.population(), factory.hall()), (0, Hall::Build));
    let second: Vec<_> = (0..30).map(|_| hash_of_next(&mut factory)).collect();
    assert_eq!(first, second);
}

#[test]
fn items_of_a_belt_keep_their_distance_and_their_place_on_the_map() {
    let mut factory = factory(1);
    for _ in 0..300 {
        factory.step().unwrap();
    }
    let world = factory.sim().world();
    let layout = world.resource::<Layout>().unwrap().clone();
    let mut places: Vec<(u32, u32)> = Vec::new();
    for (on, spot) in world.query::<(&OnBelt, &Spot), ()>().iter() {
        places.push((on.belt, on.left));
        let just_loaded = on.left == layout.0[on.belt as usize].length;
        assert!(just_loaded || layout.spot(on) == *spot, "{on:?} {spot:?}");
    }
    places.sort_unstable();
    let close = places.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[1].1 - pair[0].1 < SPACING);
    assert_eq!(close, None);
}

#[test]
fn items_come_and_go_and_belts_stay_as_full_as_was_asked_for() {
    let mut factory = factory(2);
    let full = factory.population();
    let mut ends = Vec::new();
    for _ in 0..2_000 {
        factory.step().unwrap();
        ends.push(factory.population());
    }
    assert!(ends.iter().all(|&items| (ITEMS as usize..=full).contains(&items)), "{:?} {:?}", ends.iter().min(), full);
    while factory.sim().tick() % 10 != 0 {
        factory.step().unwrap();
    }
    assert_eq!(factory.census().items(), factory.population() as u64, "counted behind all commits of the tick");
    assert!(factory.sim().world().query::<Entity, With<OnBelt>>().iter().any(|item| item.generation() > 1));
}
