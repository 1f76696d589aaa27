//! What a simulation refuses of its systems.

use tickweave::prelude::*;
use tickweave::simulation::{BuildError, PassBuilder, Strictness};

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
