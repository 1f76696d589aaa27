use tickweave::prelude::*;

#[derive(Clone, Default, StateValue, Resource)]
#[resource(input)]
struct Stick(i32);

fn main() {
    let mut sim = Simulation::builder().input::<Stick>().build().unwrap();
    sim.step(Stick(1)).unwrap();
    sim.step(7_u32).unwrap();
}
