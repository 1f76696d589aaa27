//! Managers and command buffers: order, access, who handles what.

use tickweave::prelude::*;
use tickweave::simulation::{CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, Verdict};

use super::kit::{Ask, Do, First, Health, Put, Second, Store, everywhere, game, said};

#[test]
fn managers_are_initialised_and_listed_in_the_order_of_registration_after_all_were_added() {
    said();
    let sim = game().build().unwrap();
    assert_eq!(said(), "init first | init second");
    let short = |name: &'static str| name.rsplit("::").next().unwrap();
    assert_eq!(sim.managers().map(short).collect::<Vec<_>>(), ["First", "Second"]);
    assert_eq!(sim.command_buffers().map(short).collect::<Vec<_>>(), ["Store"]);
}

#[test]
fn a_manager_is_had_by_its_type_or_its_absence_is_said() {
    #[derive(Debug)]
    struct Nobody;
    let mut sim = game().build().unwrap();
    assert!(sim.has_manager::<First>() && sim.has_manager::<Store>() && !sim.has_manager::<Nobody>());
    assert_eq!(sim.manager::<First>().unwrap(), &First::default());
    assert_eq!(sim.try_manager::<Second>(), Some(&Second::default()));
    assert!(sim.try_manager::<Nobody>().is_none());
    assert_eq!(sim.manager::<Nobody>().unwrap_err().code(), "manager-missing");
    assert_eq!(sim.manager_mut::<Nobody>().unwrap_err().code(), "manager-missing");
    sim.manager_mut::<Store>().unwrap().0.push(3);
    assert_eq!(sim.manager::<Store>().unwrap().0, [3]);
}

#[derive(Clone, Default, StateValue, Resource)]
struct Seen(Vec<u32>);

fn read(first: Mgr<First>, store: Mgr<Store>, mut seen: ResMut<Seen>) {
    seen.0.push(first.flushes);
    seen.0.push(store.0.len() as u32);
}

#[test]
fn systems_read_managers_by_a_declared_parameter_that_conflicts_with_nothing() {
    fn beside(first: Mgr<First>) {
        assert_eq!(first.flushes % 5, 1);
    }
    let build = || {
        game().resource(Seen::default()).phase("Main", |main| {
            main.pass("all").system(read).system(beside);
        })
    };
    let (seen, _) = everywhere(build, |sim| {
        assert_eq!(sim.schedule().plan().unwrap().edges(), []);
        sim.step(()).unwrap();
        sim.step(()).unwrap();
        said();
        sim.world().resource::<Seen>().unwrap().0.clone()
    });
    assert_eq!(seen, [1, 0, 6, 0]);
}

#[test]
fn a_system_that_reads_a_manager_is_refused_outside_of_a_simulation_that_has_it() {
    let mut schedule = crate::serial();
    schedule.add(read);
    let mut world = World::new();
    world.insert_resource(Seen::default());
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "manager-missing");
    let built = Simulation::builder()
        .phase("Main", |main| {
            main.pass("all").system(read);
        })
        .build();
    assert_eq!(built.unwrap_err().code(), "manager-missing");
}

#[test]
fn a_handler_wins_over_a_command_that_could_execute_itself_whatever_comes_first() {
    #[derive(Clone, Default, StateValue)]
    struct Third(u32);
    impl Manager for Third {
        fn init(&mut self, context: &mut InitContext<'_, Self>) {
            context.handles::<Do>();
        }
    }
    impl HandlesCommand<Do> for Third {
        fn submit(&mut self, task: Do) -> Verdict {
            self.0 += task.0;
            Verdict::Accepted
        }
    }
    let build = || game().manager(Third(0)).executing::<Do>();
    let (sum, words) = everywhere(build, |sim| {
        sim.submit(Do(4)).unwrap();
        sim.step(()).unwrap();
        sim.manager::<Third>().unwrap().0
    });
    assert_eq!(sum, 4);
    assert!(!words.contains("do 4"));
}

#[test]
fn buffers_flush_before_managers_and_what_they_hold_is_state() {
    let (hashes, words) = everywhere(game, |sim| {
        let before = sim.state_hash().unwrap();
        sim.manager_mut::<Store>().unwrap().0.push(8);
        let filled = sim.state_hash().unwrap();
        sim.submit(Put(9)).unwrap();
        sim.step(()).unwrap();
        before == filled
    });
    assert!(!hashes);
    assert!(
        words.starts_with(
            "put 9 | flush store [8, 9] | flush first | flush second | stored 8 | stored 9 | flush store []"
        ),
        "{words}"
    );
}

#[test]
fn a_manager_sees_the_world_and_other_managers_while_it_flushes_but_not_itself() {
    #[derive(Clone, Default, StateValue)]
    struct Curious(Vec<bool>);
    impl Manager for Curious {
        fn flush(&mut self, context: &mut FlushContext<'_>) {
            let world = context.world();
            self.0 =
                vec![world.manager::<First>().is_ok(), world.manager::<Self>().is_ok(), context.tick() == world.tick()];
        }
    }
    let (seen, _) = everywhere(
        || game().manager(Curious::default()),
        |sim| {
            sim.step(()).unwrap();
            said();
            sim.manager::<Curious>().unwrap().0.clone()
        },
    );
    assert_eq!(seen, [true, false, true]);
}

#[test]
fn a_snapshot_shows_managers_as_they_were() {
    let mut sim = game().rollback(4).build().unwrap();
    sim.step(()).unwrap();
    sim.step(()).unwrap();
    let flushes = |tick| sim.snapshot_of(tick).unwrap().world().manager::<First>().unwrap().flushes;
    assert_eq!([0, 1, 2].map(flushes), [0, 4, 8]);
}

#[test]
fn refused_commands_are_counted_and_reported_with_command_and_manager() {
    fn ask(mut commands: Commands) {
        commands.submit(Ask(100));
        commands.submit(Ask(1));
        commands.submit(Ask(200));
    }
    let build = || {
        game().phase("Main", |main| {
            main.pass("all").system(ask);
        })
    };
    let (code, _) = everywhere(build, |sim| {
        let report = sim.step(()).unwrap();
        said();
        assert_eq!((report.tick, report.refused), (1, 2));
        let refusal = &sim.refusals()[0];
        assert!(refusal.command.ends_with("Ask"), "{refusal:?}");
        let text = refusal.reason.to_string();
        assert!(
            ["First", "`submit`", "Verdict::Refused", "`refusals`"].iter().all(|part| text.contains(part)),
            "{text}"
        );
        refusal.reason.code()
    });
    assert_eq!(code, "manager-refused");
}

#[test]
fn a_command_whose_type_nobody_registered_is_refused_and_counted() {
    #[derive(Clone, StateValue, Command)]
    struct Stranger;
    let build = || {
        game().phase("Main", |main| {
            main.pass("all").system(|mut c: Commands| c.submit(Stranger));
        })
    };
    let (code, _) = everywhere(build, |sim| {
        assert_eq!(sim.step(()).unwrap().refused, 1);
        said();
        assert_eq!(sim.submit(Stranger).unwrap_err().code(), "command-unknown");
        sim.refusals()[0].reason.code()
    });
    assert_eq!(code, "command-unknown");
    let mut buffer = CommandBuffer::new();
    buffer.submit(Ask(1));
    assert_eq!(buffer.apply(&mut World::new()).refusals[0].reason.code(), "command-unknown");
}

/// Spawns, takes it back, and spawns again; says whether it had recorded anything when its turn began.
fn waver(lane: &mut Lane, number: u32) {
    assert!(lane.is_empty(), "what others recorded is not its own");
    lane.spawn(Health(0));
    assert!(!lane.is_empty());
    lane.clear();
    assert!(lane.is_empty());
    lane.spawn(Health(number));
}

#[derive(Clone, Default, StateValue)]
struct Waverer<const N: u32>;

impl<const N: u32> Manager for Waverer<N> {
    fn flush(&mut self, context: &mut FlushContext<'_>) {
        waver(context, N);
    }
}

impl<const N: u32> CustomBuffer for Waverer<N> {
    fn flush(&mut self, context: &mut FlushContext<'_>) {
        waver(context, N);
    }

    fn clear(&mut self) {}
}

#[derive(Clone, StateValue, Command)]
struct Waver(u32);

impl Execute for Waver {
    fn execute(self, _: &mut World, commands: &mut Lane) {
        waver(commands, self.0);
    }
}

#[test]
fn what_is_taken_back_at_a_commit_point_is_that_of_whoever_has_its_turn() {
    let build = || {
        Simulation::builder()
            .component::<Health>()
            .executing::<Waver>()
            .command_buffer(Waverer::<3>)
            .command_buffer(Waverer::<4>)
            .manager(Waverer::<5>)
            .manager(Waverer::<6>)
            .phase("Main", |_| {})
    };
    everywhere(build, |sim| {
        sim.submit(Waver(1)).unwrap();
        sim.submit(Waver(2)).unwrap();
        sim.step(()).unwrap();
        let healths: Vec<u32> = sim.world().query::<&Health, ()>().iter().map(|health| health.0).collect();
        assert_eq!(healths[..6], [1, 2, 3, 4, 5, 6]);
        assert_eq!(healths[6..], [3, 4, 5, 6].repeat(3));
    });
}

#[test]
fn a_manager_records_while_it_goes_through_the_world() {
    #[derive(Clone, Default, StateValue)]
    struct Reaper;
    impl Manager for Reaper {
        fn flush(&mut self, context: &mut FlushContext<'_>) {
            for (entity, health) in context.world().query::<(Entity, &Health), ()>().iter() {
                if health.0 < 2 {
                    context.despawn(entity);
                }
            }
        }
    }
    let build = || {
        let fill = |world: &mut World| _ = world.spawn_batch((0..4).map(Health));
        Simulation::builder().component::<Health>().manager(Reaper).setup(fill)
    };
    everywhere(build, |sim| {
        assert_eq!(sim.step(()).unwrap().applied, 2);
        assert_eq!(sim.world().len(), 2);
    });
}
