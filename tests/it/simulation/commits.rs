//! The order of a commit, which is normative.

use tickweave::machine::{StateMachine, StateMask};
use tickweave::prelude::*;
use tickweave::simulation::{Commit, FlushContext, Manager};

use super::kit::{Ask, Beg, Do, First, Health, Mode, Second, everywhere, game, look, record, said, say};

#[test]
fn a_commit_merges_then_delivers_commands_then_flushes_buffers_and_managers_then_merges_theirs_then_swaps_events() {
    let build = || {
        game().phase("Main", |main| {
            main.pass("first").system(record);
            main.pass("second").system(look("two"));
        })
    };
    let ((), trace) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        said_until_two();
    });
    assert_eq!(trace, "");
}

/// What is said from the first commit of `Main` to the system behind it.
fn said_until_two() {
    let all = said();
    let main = all.split("structure 1").nth(1).unwrap();
    let (commit, _) = main.split_once("two: 1 entities, told [101, 1]").unwrap();
    assert_eq!(
        commit,
        " | ask 1 | do 1 | put 1 | flush store [1] | flush first | flush second | done 1 | stored 1 | structure of 1 | "
    );
}

#[test]
fn typed_commands_are_delivered_in_the_order_recorded_across_types_systems_and_batches() {
    fn shout(health: &Health, mut commands: Commands) {
        commands.submit(Ask(health.0));
        commands.submit(Beg(health.0));
    }
    fn late(mut commands: Commands) {
        commands.submit(Beg(50));
        commands.submit(Ask(51));
    }
    let build = || {
        game()
            .world(|world| world.chunk_rows(4).batch_rows(1))
            .setup(|world| {
                world.spawn_batch((1..=6).map(Health));
            })
            .phase("Main", |main| {
                main.pass("all").system(each(shout)).system(late);
            })
    };
    let (words, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        let all = said();
        all.split(" | ").filter(|word| word.contains("ask") || word.contains("beg")).collect::<Vec<_>>().join(" ")
    });
    assert_eq!(words, "ask 1 beg 1 ask 2 beg 2 ask 3 beg 3 ask 4 beg 4 ask 5 beg 5 ask 6 beg 6 beg 50 ask 51");
}

#[test]
fn pending_entities_inside_of_typed_commands_are_real_when_they_are_delivered() {
    #[derive(Clone, StateValue, Command)]
    struct Hurt(Entity);
    impl tickweave::simulation::Execute for Hurt {
        fn execute(self, world: &mut World, _: &mut Lane) {
            world.get_mut::<Health>(self.0).unwrap().0 -= 1;
        }
    }
    fn spawn(mut commands: Commands) {
        let wolf = commands.spawn(Health(7)).id();
        commands.submit(Hurt(wolf));
    }
    let build = || {
        game().executing::<Hurt>().phase("Main", |main| {
            main.pass("all").system(spawn);
        })
    };
    let (health, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        said();
        sim.world().query::<&Health, ()>().single().unwrap().0
    });
    assert_eq!(health, 6);
}

#[test]
fn commands_of_a_flush_wait_for_the_next_commit_and_events_of_a_flush_are_visible_at_this_one() {
    let build = || {
        game().phase("Main", |main| {
            main.pass("first").system(look("one"));
            main.pass("second").system(look("two"));
            main.pass("third").system(look("last"));
        })
    };
    let ((), trace) = everywhere(build, |sim| {
        sim.manager_mut::<Second>().unwrap().asks = vec![7];
        sim.step(()).unwrap();
    });
    // The commit of phase `Pre` flushes the second manager, whose command waits for the commit of the first pass; the event
    // of that flush of the first manager is read in the second pass.
    let words: Vec<&str> = trace.split(" | ").filter(|word| !word.contains("store")).collect();
    assert_eq!(
        words[..9].join(" | "),
        "flush first | flush second | one: 0 entities, told [] | ask 7 | flush first | flush second | structure of 7 | \
         two: 0 entities, told [7] | flush first"
    );
}

#[test]
fn a_skipped_pass_runs_no_system_and_commits_all_the_same() {
    let build = || {
        game().resource(StateMachine::new(Mode::Pause)).phase("Main", |main| {
            main.pass("first").system(record).run_in(StateMask::of([Mode::Run]));
            main.pass("second").system(look("two"));
        })
    };
    let (flushes, trace) = everywhere(build, |sim| {
        sim.submit(Ask(9)).unwrap();
        sim.step(()).unwrap();
        sim.world_mut().insert_resource(StateMachine::new(Mode::Run));
        sim.step(()).unwrap();
        sim.manager::<First>().unwrap().flushes
    });
    // Two passes, three phases and the tick, in each of two ticks.
    assert_eq!(flushes, 12);
    assert!(!trace.contains("structure 1") && trace.contains("structure 2"), "{trace}");
    assert!(trace.contains("two: 0 entities, told [9]") && trace.contains("two: 1 entities, told [102, 2]"), "{trace}");
}

#[test]
fn whether_a_pass_runs_is_asked_when_it_begins_and_not_again() {
    fn switch(mut mode: ResMut<StateMachine<Mode>>) {
        *mode = StateMachine::new(Mode::Pause);
    }
    fn second(world: &mut World) {
        assert_eq!(world.resource::<StateMachine<Mode>>().unwrap().current(), Mode::Pause);
        say("second");
    }
    let build = || {
        game().resource(StateMachine::new(Mode::Run)).phase("Main", |main| {
            main.pass("first").system(switch).barrier().system(second).run_in(StateMask::of([Mode::Run]));
            main.pass("again").system(second.named("again")).run_in(StateMask::of([Mode::Run]));
        })
    };
    let (times, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        said().matches("second").filter(|_| true).count() - 6
    });
    // Six flushes of the second manager say its name, too.
    assert_eq!(times, 1);
}

#[test]
fn every_pass_phase_and_tick_ends_with_a_commit_and_the_default_phases_are_there_without_a_word() {
    let sim = game().build().unwrap();
    let names: Vec<&str> = sim.schedule().plan().unwrap().commits().iter().map(|point| point.name.as_str()).collect();
    assert_eq!(names, ["Pre", "Main", "Post", "tick"]);
    let (flushes, _) = everywhere(game, |sim| {
        sim.step(()).unwrap();
        said();
        sim.manager::<First>().unwrap().flushes
    });
    assert_eq!(flushes, 4);
}

#[test]
fn a_command_of_the_host_is_delivered_at_the_first_commit_of_the_next_tick() {
    let ((), trace) = everywhere(game, |sim| {
        sim.submit(Do(1)).unwrap();
        sim.submit(Ask(2)).unwrap();
        sim.step(()).unwrap();
    });
    assert!(trace.starts_with("do 1 | ask 2 | flush store [] | flush first"), "{trace}");
}

#[test]
fn typed_commands_of_systems_of_any_phase_are_delivered_at_the_commit_of_their_own_pass() {
    let build = || {
        game()
            .phase("Pre", |pre| {
                pre.pass("all").system((|mut commands: Commands| commands.submit(Ask(1))).named("before"));
            })
            .phase("Main", |main| {
                main.pass("all").system((|mut commands: Commands| commands.submit(Do(2))).named("within"));
                main.pass("see").system(look("two"));
            })
            .phase("Post", |post| {
                post.pass("all").system((|mut commands: Commands| commands.submit(Beg(3))).named("behind"));
                post.pass("see").system(look("last"));
            })
    };
    let ((), trace) = everywhere(build, |sim| {
        sim.step(()).unwrap();
    });
    let words = trace.split(" | ").filter(|word| !word.starts_with("flush") && !word.starts_with("structure"));
    assert_eq!(
        words.collect::<Vec<_>>().join(" | "),
        "ask 1 | do 2 | done 2 | two: 0 entities, told [1] | beg 3 | last: 0 entities, told [1]"
    );
}

#[derive(Clone, Default, StateValue, Resource)]
struct Trail(Vec<u32>);

/// A system that leaves its number behind.
macro_rules! leaves {
    ($number:literal, $name:literal) => {
        (|mut trail: ResMut<Trail>| trail.0.push($number)).named($name)
    };
}

#[test]
fn phases_passes_and_systems_run_in_the_order_in_which_they_were_first_named_whatever_they_are_called() {
    let build = || {
        game()
            .resource(Trail::default())
            .phase("z", |z| {
                z.pass("late").system(leaves!(1, "f")).system(leaves!(2, "e"));
                z.pass("early").system(leaves!(4, "c"));
                z.pass("late").system(leaves!(3, "d"));
            })
            .phase("a", |a| {
                a.pass("y").system(leaves!(6, "b"));
                a.pass("x").system(leaves!(7, "a"));
            })
            .phase("z", |z| {
                z.pass("early").system(leaves!(5, "g"));
            })
    };
    let (trail, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        said();
        let plan = sim.schedule().plan().unwrap();
        let names: Vec<&str> = plan.order().map(|id| plan.spec(id).name.as_str()).collect();
        assert_eq!(names.join(" "), "f e d c g b a");
        let points: Vec<&str> = plan.commits().iter().map(|point| point.name.as_str()).collect();
        assert_eq!(points, ["z/late", "z/early", "z", "a/y", "a/x", "a", "tick"]);
        sim.world().resource::<Trail>().unwrap().0.clone()
    });
    assert_eq!(trail, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn the_bits_of_pending_handles_at_commits_ascend_from_commit_to_commit_and_are_those_of_every_executor() {
    /// Says the bits of what it spawns.
    #[derive(Clone, StateValue)]
    struct Speller;
    impl Manager for Speller {
        fn flush(&mut self, context: &mut FlushContext<'_>) {
            (0..2).for_each(|number| say(context.spawn(Health(number)).id().to_bits().to_string()));
        }
    }
    let build = || {
        Simulation::builder().component::<Health>().manager(Speller).phase("Main", |main| {
            main.pass("one")
                .system(|mut commands: Commands| _ = commands.spawn(Health(9)).id())
                .commit(Commit::MANAGERS);
            main.pass("two").system(|| {});
        })
    };
    let ((), words) = everywhere(build, |sim| {
        sim.step(()).unwrap();
    });
    let bits: Vec<u64> = words.split(" | ").map(|word| word.parse().unwrap()).collect();
    // Two passes, three phases and the tick.
    assert_eq!(bits.len(), 6 * 2);
    assert!(bits.is_sorted_by(|one, next| one < next), "{bits:?}");
    assert!(bits.chunks(2).all(|pair| pair[0] + 1 == pair[1]), "{bits:?}");
}
