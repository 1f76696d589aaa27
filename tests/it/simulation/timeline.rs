//! Which ticks a simulation keeps, whatever is put into its world: those behind the present, and none of another past.

use tickweave::prelude::*;
use tickweave::simulation::SimulationBuilder;

#[derive(Clone, Default, StateValue, Resource)]
#[resource(input)]
struct Push(u64);

#[derive(Clone, Debug, PartialEq, StateValue, Resource)]
struct Sum(u64);

fn add(push: Res<Push>, mut sum: ResMut<Sum>) {
    sum.0 = sum.0 * 3 + push.0;
}

/// Fails while it is pushed with 13.
fn fail(push: Res<Push>) -> Result<(), &'static str> {
    if push.0 == 13 { Err("unlucky") } else { Ok(()) }
}

fn builder() -> SimulationBuilder {
    Simulation::builder().input::<Push>().resource(Sum(0)).rollback(8).phase("Main", |main| {
        main.pass("all").system(add).system(fail);
    })
}

/// So many ticks, pushed in each.
fn played(ticks: usize, push: u64) -> Simulation {
    let mut sim = builder().build().unwrap();
    (0..ticks).for_each(|_| _ = sim.step(&Push(push)).unwrap());
    sim
}

fn sum(sim: &Simulation) -> u64 {
    sim.world().resource::<Sum>().unwrap().0
}

/// The ticks that are kept, among the first hundred.
fn kept(sim: &Simulation) -> Vec<u64> {
    (0..100).filter(|&tick| sim.snapshot_of(tick).is_some()).collect()
}

#[track_caller]
fn not_kept(sim: &mut Simulation, tick: u64) -> String {
    let before = (sim.tick(), sim.state_hash());
    let error = sim.rollback_to(tick).unwrap_err();
    assert_eq!((error.code(), before), ("rollback-not-kept", (sim.tick(), sim.state_hash())));
    error.to_string()
}

#[test]
fn behind_a_state_that_was_restored_lies_nothing_of_what_was_there_before() {
    let (mut one, other) = (played(5, 1), played(5, 2));
    one.restore(other.snapshot_of(5).unwrap()).unwrap();
    assert_eq!((one.state_hash(), kept(&one)), (other.state_hash(), vec![5]));
    one.step(&Push(7)).unwrap();
    assert_eq!(kept(&one), [5, 6]);
    not_kept(&mut one, 4);
    one.rollback_to(5).unwrap();
    assert_eq!((one.state_hash(), sum(&one)), (other.state_hash(), sum(&other)));
}

#[test]
fn behind_a_save_that_was_loaded_lies_nothing_of_what_was_there_before() {
    let far = played(40, 1);
    let mut near = builder().build().unwrap();
    near.load(&far.save().unwrap()).unwrap();
    assert_eq!((near.state_hash(), kept(&near)), (far.state_hash(), vec![40]));
    near.step(&Push(7)).unwrap();
    near.rollback_to(40).unwrap();
    assert_eq!(near.state_hash(), far.state_hash());
    not_kept(&mut near, 0);
}

#[test]
fn state_that_is_put_into_the_world_beside_the_simulation_has_the_ring_begin_anew() {
    let other = played(5, 2);
    let (snapshot, bytes) = (other.world().snapshot().unwrap(), other.save().unwrap());
    let doors: [&dyn Fn(&mut World); 2] =
        [&|world| world.restore(&snapshot).unwrap(), &|world| world.load(&bytes).unwrap()];
    for door in doors {
        let put = || {
            let mut sim = played(5, 1);
            door(sim.world_mut());
            sim
        };
        let mut stepped = put();
        assert!(kept(&stepped).is_empty(), "nothing of another past");
        stepped.step(&Push(7)).unwrap();
        assert_eq!(kept(&stepped), [5, 6]);
        stepped.rollback_to(5).unwrap();
        assert_eq!(stepped.state_hash(), other.state_hash());
        let mut taken_back = put();
        not_kept(&mut taken_back, 4);
        taken_back.rollback_to(5).unwrap();
        assert_eq!((taken_back.state_hash(), kept(&taken_back)), (other.state_hash(), vec![5]));
    }
}

#[test]
fn a_snapshot_of_its_own_that_was_restored_is_a_new_beginning_too() {
    let mut sim = played(5, 1);
    let middle = sim.world().snapshot().unwrap();
    sim.step(&Push(9)).unwrap();
    sim.rollback_to(4).unwrap();
    sim.step(&Push(2)).unwrap();
    sim.step(&Push(2)).unwrap();
    sim.restore(&middle).unwrap();
    assert_eq!(kept(&sim), [5], "tick 4 of another past was not before it");
}

#[test]
fn ticks_that_were_undone_are_kept_until_the_next_step() {
    let mut sim = played(5, 1);
    let there = sim.state_hash();
    sim.rollback_to(2).unwrap();
    assert_eq!(kept(&sim), [0, 1, 2, 3, 4, 5]);
    sim.rollback_to(5).unwrap();
    assert_eq!(sim.state_hash(), there);
    sim.rollback_to(2).unwrap();
    sim.step(&Push(9)).unwrap();
    assert_eq!(kept(&sim), [0, 1, 2, 3]);
    sim.rollback_to(1).unwrap();
    sim.rollback_to(3).unwrap();
    assert_eq!(sum(&sim), 4 * 3 + 9);
}

/// A simulation of five ticks on whose world another schedule ran some.
fn ran_by_another(ticks: usize) -> Simulation {
    let (mut sim, mut other) = (played(5, 1), crate::serial());
    other.add(|mut sum: ResMut<Sum>| sum.0 += 100);
    let world = sim.world_mut();
    (0..ticks).for_each(|_| other.run(world).unwrap());
    sim
}

#[test]
fn ticks_that_another_schedule_ran_leave_no_gap() {
    let mut one = ran_by_another(1);
    one.step(&Push(1)).unwrap();
    assert_eq!(kept(&one), [0, 1, 2, 3, 4, 5, 6, 7], "nothing is missing before it");
    let mut three = ran_by_another(3);
    let there = three.state_hash();
    three.step(&Push(1)).unwrap();
    assert_eq!(kept(&three), [8, 9]);
    three.rollback_to(8).unwrap();
    assert_eq!(three.state_hash(), there);
    let mut taken_back = ran_by_another(3);
    taken_back.rollback_to(5).unwrap();
    assert_eq!(sum(&taken_back), sum(&played(5, 1)), "what was kept is still behind it");
}

#[test]
fn what_is_put_into_the_world_is_kept_before_the_host_edits_it() {
    let mut sim = ran_by_another(1);
    let there = sum(&sim);
    sim.world_mut().resource_mut::<Sum>().unwrap().0 = 9;
    sim.rollback_to(6).unwrap();
    assert_eq!(sum(&sim), there);
    let other = played(3, 2);
    sim.world_mut().load(&other.save().unwrap()).unwrap();
    sim.world_mut().resource_mut::<Sum>().unwrap().0 = 9;
    assert_eq!(kept(&sim), [3]);
    sim.rollback_to(3).unwrap();
    assert_eq!(sim.state_hash(), other.state_hash());
}

#[test]
fn a_world_that_is_lent_and_given_back_has_its_past_still() {
    let mut sim = played(3, 1);
    let mut away = World::new();
    core::mem::swap(sim.world_mut(), &mut away);
    sim.world_mut().spawn(());
    assert!(kept(&sim).is_empty());
    core::mem::swap(sim.world_mut(), &mut away);
    assert_eq!(kept(&sim), [0, 1, 2, 3]);
    sim.rollback_to(1).unwrap();
}

#[test]
fn a_failed_tick_is_taken_back_and_one_that_is_declared_whole_is_kept() {
    let mut sim = played(3, 1);
    sim.step(&Push(13)).unwrap_err();
    assert_eq!(kept(&sim), [0, 1, 2, 3]);
    sim.rollback_to(3).unwrap();
    sim.step(&Push(13)).unwrap_err();
    sim.world_mut().clear_torn();
    sim.step(&Push(1)).unwrap();
    assert_eq!(kept(&sim), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_tick_that_is_not_kept_is_told_with_those_that_are_and_with_what_helps() {
    let mut full = played(20, 1);
    let text = not_kept(&mut full, 3);
    assert!(text.contains("from tick 12 to tick 20") && text.contains("raise `rollback`"), "{text}");
    let text = not_kept(&mut full, 21);
    assert!(text.contains("from tick 12 to tick 20") && text.contains("`step`"), "{text}");
    assert!(!text.contains("raise"), "{text}");
    let mut loaded = builder().build().unwrap();
    loaded.load(&full.save().unwrap()).unwrap();
    let text = not_kept(&mut loaded, 3);
    assert!(text.contains("from tick 20 to tick 20") && text.contains("begins with tick 20"), "{text}");
    assert!(!text.contains("raise"), "{text}");
}

#[test]
fn a_save_of_a_torn_world_leaves_the_world_torn_and_nothing_behind_it() {
    let mut torn = played(3, 2);
    torn.step(&Push(13)).unwrap_err();
    let mut sim = played(3, 1);
    sim.load(&torn.save().unwrap()).unwrap();
    assert!(sim.world().torn().is_some());
    assert_eq!((kept(&sim), sim.step(&Push(1)).unwrap_err().code()), (vec![], "world-torn"));
    let text = not_kept(&mut sim, 3);
    assert!(text.contains("no tick is") && text.contains("`reset`"), "{text}");
    sim.reset().unwrap();
    assert_eq!((kept(&sim), sum(&sim)), (vec![0], 0));
}

#[test]
fn what_is_refused_leaves_the_ticks_that_are_kept() {
    let mut sim = played(3, 1);
    assert_eq!(sim.load(b"no save").unwrap_err().code(), "load-not-a-save");
    assert_eq!(sim.restore(&World::new().snapshot().unwrap()).unwrap_err().code(), "restore-registration");
    assert_eq!(kept(&sim), [0, 1, 2, 3]);
}

#[test]
fn after_a_reset_the_ring_begins_with_what_was_built() {
    let mut sim = played(5, 1);
    sim.reset().unwrap();
    assert_eq!(kept(&sim), [0]);
    sim.step(&Push(4)).unwrap();
    sim.reset().unwrap();
    assert_eq!(kept(&sim), [0]);
    sim.step(&Push(5)).unwrap();
    sim.rollback_to(0).unwrap();
    assert_eq!(sum(&sim), 0);
}
