use tickweave::prelude::*;

#[derive(Clone, Default, StateValue, Resource)]
struct Score(u32);

fn main() {
    let _ = Simulation::builder().input::<Score>();
}
