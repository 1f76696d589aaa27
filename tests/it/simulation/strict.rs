//! What a simulation refuses of its systems.

use tickweave::prelude::*;
use tickweave::simulation::{BuildError, CustomBuffer, FlushContext, Manager, PassBuilder, Strictness};

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Known(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Unknown(u32);

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct UnknownTracked(u32);

#[derive(Component)]
#[component(opaque)]
struct Name(#[expect(dead_code, reason = "that it is opaque is all")] String);

#[derive(Clone, Component, StateValue)]
#[component(opaque, state)]
struct Title(String);

#[derive(Resource)]
#[resource(host)]
struct Window;

fn build(strictness: Strictness, fill: impl FnOnce(&mut PassBuilder)) -> Result<Simulation, BuildError> {
    Simulation::builder()
        .component::<Known>()
        .component::<Name>()
        .component::<Title>()
        .resource(Window)
        .strictness(strictness)
        .phase("Main", |main| fill(main.pass("all")))
        .build()
}

/// The error names the system and something else; the one switch lets it pass.
#[track_caller]
fn refused(code: &str, names: &str, off: Strictness, fill: impl Fn(&mut PassBuilder)) {
    let error = build(Strictness::ALL, &fill).unwrap_err();
    assert_eq!(error.code(), code);
    assert!(error.to_string().contains("`bad`") && error.to_string().contains(names), "{error}");
    assert!(build(off, &fill).is_ok());
}

#[test]
fn opaque_components_without_state_are_refused_by_name() {
    let off = Strictness { opaque: false, ..Strictness::ALL };
    refused("strict-opaque", "Name", off, |pass| {
        pass.system(each(|_: &Name| {}).named("bad"));
    });
    refused("strict-opaque", "Name", off, |pass| {
        pass.system((|_: Lookup<&Name>| {}).named("bad"));
    });
    assert!(
        build(Strictness::ALL, |pass| {
            pass.system(each(|_: &Title| {}));
        })
        .is_ok()
    );
}

#[test]
fn resources_of_the_host_and_what_it_lends_are_refused() {
    let off = Strictness { host: false, ..Strictness::ALL };
    refused("strict-host", "Window", off, |pass| {
        pass.system((|_: Res<Window>| {}).named("bad"));
    });
    refused("strict-host", "u32", off, |pass| {
        pass.system((|_: Host<u32>| {}).named("bad"));
    });
    let mut sim = build(off, |pass| {
        pass.system(|mut drawn: Host<u32>| *drawn += 1);
    })
    .unwrap();
    let mut drawn = 0u32;
    sim.step_with((), &mut drawn).unwrap();
    assert_eq!((drawn, sim.step(()).unwrap_err().code()), (1, "host-missing"));
}

#[test]
fn closures_that_capture_and_pointers_to_functions_are_refused_as_systems_and_as_conditions() {
    let off = Strictness { captures: false, ..Strictness::ALL };
    let number = std::hint::black_box(3);
    refused("strict-capture", "captures", off, |pass| {
        pass.system((move || assert!(number > 2)).named("bad"));
    });
    refused("strict-capture", "captures", off, |pass| {
        pass.system(each(move |known: &mut Known| known.0 += number).named("bad"));
    });
    refused("strict-capture", "captures", off, |pass| {
        pass.system((|| {}).named("bad").run_if(move || number > 2));
    });
    let pointer: fn() = || {};
    refused("strict-capture", "captures", off, |pass| {
        pass.system(pointer.named("bad"));
    });
    assert!(
        build(Strictness::ALL, |pass| {
            pass.system((|| {}).run_if(|| true));
        })
        .is_ok()
    );
}

#[test]
fn queries_of_components_that_are_not_registered_are_refused() {
    let off = Strictness { unregistered: false, ..Strictness::ALL };
    refused("strict-unregistered", "Unknown", off, |pass| {
        pass.system((|_: Query<&Unknown>| {}).named("bad"));
    });
    refused("strict-unregistered", "", off, |pass| {
        pass.system(each(|_: &mut Unknown| {}).named("bad"));
    });
    refused("strict-unregistered", "Unknown", off, |pass| {
        pass.system((|_: Lookup<&Unknown>| {}).named("bad"));
    });
    refused("strict-unregistered", "Unknown", off, |pass| {
        pass.system(each(|_: &mut Known, _: Lookup<(Entity, &Unknown)>| {}).named("bad"));
    });
    refused("strict-unregistered", "UnknownTracked", off, |pass| {
        pass.system((|_: Removed<UnknownTracked>| {}).named("bad"));
    });
    assert!(
        build(Strictness::ALL, |pass| {
            pass.system(|_: Lookup<(Entity, Option<&Unknown>, Has<Unknown>)>, _: Query<&Known, Without<Unknown>>| {});
        })
        .is_ok(),
        "what is found without them is found"
    );
}

#[derive(Clone, Default, StateValue, Resource)]
struct Needed(u32);

fn needs(needed: Res<Needed>) {
    assert_eq!(needed.0, 3);
}

#[test]
fn resources_that_a_system_requires_and_that_the_world_lacks_after_the_setups_are_refused() {
    let off = Strictness { missing: false, ..Strictness::ALL };
    refused("strict-missing", "Needed", off, |pass| {
        pass.system(needs.named("bad"));
    });
    refused("strict-missing", "Needed", off, |pass| {
        pass.system((|_: ResMut<Needed>| {}).named("bad"));
    });
    refused("strict-missing", "Needed", off, |pass| {
        pass.system((|| {}).named("bad").run_if(|needed: Res<Needed>| needed.0 > 0));
    });
    let may_be_missing =
        |pass: &mut PassBuilder| _ = pass.system(|needed: Option<Res<Needed>>| assert!(needed.is_none()));
    build(Strictness::ALL, may_be_missing).unwrap().step(()).unwrap();
    let there = Simulation::builder()
        .setup(|world| _ = world.insert_resource(Needed(3)))
        .phase("Main", |main| _ = main.pass("all").system(needs));
    there.build().unwrap().step(()).unwrap();
    let mut later = build(off, |pass| _ = pass.system(needs)).unwrap();
    assert_eq!(later.step(()).unwrap_err().code(), "resource-missing");
    later.world_mut().insert_resource(Needed(3));
    later.step(()).unwrap();
}

/// A manager whose value no hash knows.
#[derive(Default)]
struct Hidden(u32);
impl Manager for Hidden {}

/// One that is state.
#[derive(Clone, Default, StateValue)]
struct Open(u32);
impl Manager for Open {}

#[derive(Clone, Default, StateValue)]
struct Tray;

impl CustomBuffer for Tray {
    fn flush(&mut self, _: &mut FlushContext<'_>) {}
    fn clear(&mut self) {}
}

fn with_managers(strictness: Strictness, fill: impl FnOnce(&mut PassBuilder)) -> Result<Simulation, BuildError> {
    let builder = Simulation::builder().command_buffer(Tray).opaque_manager(Hidden(5)).manager(Open(6));
    let builder = builder.component::<Known>().strictness(strictness).resource(Needed(3));
    builder.phase("Main", |main| fill(main.pass("all"))).build()
}

#[test]
fn managers_that_are_no_state_are_refused_where_a_system_reads_them() {
    let off = Strictness { managers: false, ..Strictness::ALL };
    let bad = |pass: &mut PassBuilder| {
        pass.system((|open: Mgr<Open>, _: Mgr<Tray>| assert_eq!(open.0, 6)).named("fine"));
        pass.system((|hidden: Mgr<Hidden>| assert_eq!(hidden.0, 5)).named("bad"));
    };
    let error = with_managers(Strictness::ALL, bad).unwrap_err();
    assert_eq!(error.code(), "strict-manager");
    let text = error.to_string();
    assert!(
        ["`bad`", "Hidden", "StateValue", "`Strictness::managers`"].iter().all(|word| text.contains(word)),
        "{text}"
    );
    with_managers(off, bad).unwrap().step(()).unwrap();
    let fine = |pass: &mut PassBuilder| _ = pass.system(|_: Mgr<Open>, _: Mgr<Tray>| {});
    assert!(with_managers(Strictness::ALL, fine).is_ok());
}

#[test]
fn the_spec_and_the_plan_tell_which_managers_a_system_reads_and_no_edge_comes_of_it() {
    let plan = |fill: fn(&mut PassBuilder)| {
        let sim = with_managers(Strictness::NONE, fill).unwrap();
        (sim.schedule().plan().unwrap().clone(), sim.schedule().explain())
    };
    let (reading, text) = plan(|pass| {
        pass.system((|_: Mgr<Open>, _: Mgr<Hidden>, _: Res<Needed>| {}).named("both"));
        pass.system((|_: Mgr<Open>| {}).named("one"));
    });
    let reads = |system: &str| {
        let id = reading.systems().find(|&id| reading.spec(id).name == system).unwrap();
        reading.spec(id).access.manager_reads.iter().collect::<Vec<u32>>()
    };
    assert_eq!((reads("both"), reads("one")), (vec![1, 2], vec![2]));
    assert!(text.contains("reads Needed, reads managers Hidden Open"), "{text}");
    let json = reading.explain().json();
    assert!(json.contains(r#""manager_reads": ["Hidden", "Open"]"#), "{json}");
    assert!(reading.edges().is_empty());
    let (silent, _) = plan(|pass| {
        pass.system((|_: Res<Needed>| {}).named("both"));
        pass.system((|| {}).named("one"));
    });
    let (other, _) = plan(|pass| {
        pass.system((|_: Mgr<Open>, _: Res<Needed>| {}).named("both"));
        pass.system((|_: Mgr<Open>| {}).named("one"));
    });
    assert!(reading.hash() != silent.hash() && reading.hash() != other.hash() && silent.hash() != other.hash());
}
