use super::*;
use crate::system::{Commands, IntoSystemConfig, Tick};

fn nothing() {}

#[test]
fn a_gate_is_plain_only_where_there_is_nothing_to_do_but_to_run_the_system() {
    let (mut world, mut schedule) = (World::new(), Schedule::new());
    let plain = schedule.add(nothing);
    let disabled = schedule.add(nothing.disabled());
    schedule.add(nothing.every(2));
    schedule.add(nothing.run_if(|tick: Tick| tick.0 > 3));
    schedule.add(|_: Commands| ());
    schedule.add(|_: &mut World| ());
    schedule.build(&mut world).unwrap();
    let plain_gates = |schedule: &Schedule| {
        let gates = schedule.binding.iter().flat_map(|binding| &binding.gates);
        gates.map(|gate| gate.plain).collect::<Vec<_>>()
    };
    assert_eq!(plain_gates(&schedule), [true, false, false, false, false, false]);
    schedule.set_enabled(plain, false);
    schedule.set_enabled(disabled, true);
    assert_eq!(plain_gates(&schedule), [false, true, false, false, false, false]);
}
