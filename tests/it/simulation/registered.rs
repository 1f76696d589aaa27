//! What is registered with the builder, and in which order: values, buffers, handlers, types of commands, setups.

use tickweave::event::EventSetup;
use tickweave::prelude::*;
use tickweave::simulation::{CustomBuffer, Execute, FlushContext, HandlesCommand, Manager, SimulationBuilder, Verdict};

use super::kit::{Do, First, Second, Store, Told, everywhere, game, said, say};

#[test]
fn managers_and_buffers_begin_as_the_values_that_they_were_registered_with() {
    let build = |number: u32| {
        Simulation::builder()
            .event::<Told>()
            .manager(Second { asks: vec![number, number + 1] })
            .command_buffer(Store(vec![number + 2]))
            .manager(First { taken: vec![number + 3], flushes: number })
    };
    for number in [10, 20] {
        let sim = build(number).build().unwrap();
        assert_eq!(sim.manager::<Second>().unwrap().asks, [number, number + 1]);
        assert_eq!(sim.manager::<Store>().unwrap().0, [number + 2]);
        assert_eq!(sim.manager::<First>().unwrap(), &First { taken: vec![number + 3], flushes: number });
    }
    let ((), words) = everywhere(
        || build(10),
        |sim| {
            sim.step(()).unwrap();
        },
    );
    let first = "flush store [12] | flush second | flush first | stored 12 | structure of 13 | ask 10 | ask 11 | ";
    assert!(words.starts_with(first), "{words}");
}

macro_rules! buffers {
    ($($name:ident)*) => {$(
        #[derive(Clone, Default, StateValue)]
        struct $name;

        impl CustomBuffer for $name {
            fn flush(&mut self, _: &mut FlushContext<'_>) {
                say(concat!("flush ", stringify!($name)));
            }

            fn clear(&mut self) {
                say(concat!("clear ", stringify!($name)));
            }
        }
    )*};
}

buffers!(Shelf Bin Drawer);

#[test]
fn buffers_are_listed_flushed_and_cleared_in_the_order_of_registration() {
    type Build = fn() -> SimulationBuilder;
    let orders: [(Build, [&str; 3]); 2] = [
        (|| game().command_buffer(Shelf).command_buffer(Bin).command_buffer(Drawer), ["Shelf", "Bin", "Drawer"]),
        (|| game().command_buffer(Drawer).command_buffer(Bin).command_buffer(Shelf), ["Drawer", "Bin", "Shelf"]),
    ];
    for (build, [one, two, three]) in orders {
        let ((), words) = everywhere(build, |sim| {
            let short = |name: &'static str| name.rsplit("::").next().unwrap();
            assert_eq!(sim.command_buffers().map(short).collect::<Vec<_>>(), ["Store", one, two, three]);
            sim.step(()).unwrap();
            sim.reset().unwrap();
        });
        let commit = format!("flush store [] | flush {one} | flush {two} | flush {three} | flush first | flush second");
        let reset = format!("reset first | reset second | clear store | clear {one} | clear {two} | clear {three}");
        assert_eq!(words, [&*commit, &*commit, &*commit, &*commit, &*reset].join(" | "));
    }
}

#[test]
fn a_handler_that_the_builder_names_wins_in_front_of_executing_and_behind_it() {
    #[derive(Clone, Default, StateValue)]
    struct Taker(u32);
    impl Manager for Taker {}
    impl HandlesCommand<Do> for Taker {
        fn submit(&mut self, task: Do) -> Verdict {
            self.0 += task.0;
            Verdict::Accepted
        }
    }
    let orders: [fn(SimulationBuilder) -> SimulationBuilder; 2] = [
        |builder| builder.handler::<Do, Taker>().executing::<Do>(),
        |builder| builder.executing::<Do>().handler::<Do, Taker>(),
    ];
    for order in orders {
        let (sum, words) = everywhere(
            || order(Simulation::builder().manager(Taker(0))),
            |sim| {
                sim.submit(Do(4)).unwrap();
                sim.step(()).unwrap();
                sim.manager::<Taker>().unwrap().0
            },
        );
        assert_eq!((sum, words.as_str()), (4, ""));
    }
}

macro_rules! tasks {
    ($($name:ident)*) => {$(
        #[derive(Clone, Default, StateValue, Command)]
        struct $name;

        impl Execute for $name {
            fn execute(self, _: &mut World, _: &mut Lane) {}
        }
    )*};
}

tasks!(One Two Three);

/// The order of the commands that wait, as a dump shows it: the numbers of their types.
fn order_of_commands(sim: &Simulation) -> String {
    let dump = sim.world().dump();
    let line = dump.lines().iter().find(|line| line.path.ends_with(", order of commands"));
    line.unwrap().value.clone()
}

#[test]
fn types_of_commands_are_numbered_by_each_simulation_in_the_order_of_registration_whatever_others_registered_before() {
    /// What waits in a simulation of these two types: one of the first, one of the second, one of the first.
    fn waiting<A: Execute + Default, B: Execute + Default>() -> (String, u64) {
        let mut sim = Simulation::builder().executing::<A>().executing::<B>().build().unwrap();
        sim.submit(A::default()).unwrap();
        sim.submit(B::default()).unwrap();
        sim.submit(A::default()).unwrap();
        (order_of_commands(&sim), sim.state_hash().unwrap().get())
    }
    let first = waiting::<One, Two>();
    let others = [waiting::<One, Two>(), waiting::<Two, One>(), waiting::<Three, One>(), waiting::<Two, Three>()];
    assert!(others.iter().all(|other| *other == first), "{first:?}, {others:?}");
    let mut sim = Simulation::builder().executing::<One>().executing::<Two>().build().unwrap();
    sim.submit(Two).unwrap();
    let (count, second, delayed) = ("0100000000000000", "01000000", "0000000000000000");
    assert_eq!(order_of_commands(&sim), [count, second, delayed].concat());
}

#[test]
fn what_the_builder_is_told_comes_first_then_managers_are_initialised_then_setups_fill_the_world() {
    said();
    let with = |name: &'static str| move |_: EventSetup<'_, Told>| say(name);
    let builder = Simulation::builder()
        .setup(|_| say("setup one"))
        .manager(Second::default())
        .event_with::<Told>(with("event"))
        .manager(First::default())
        .setup(|world| say(format!("setup two, {} managers", u8::from(world.manager::<First>().is_ok()))));
    builder.build().unwrap();
    assert_eq!(said(), "event | init second | init first | setup one | setup two, 1 managers");
}
