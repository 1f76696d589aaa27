use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, Manager, PhaseBuilder};

#[derive(Clone, StateValue)]
struct Score(u32);

impl Manager for Score {
    fn flush(&mut self, _: &mut FlushContext<'_>) {}
}

fn reads(_: Mgr<Score>) {}

fn reads_as_resource(_: Res<Score>) {}

fn writes_as_resource(_: ResMut<Score>) {}

fn borrows(_: &mut Score) {}

fn fill(main: &mut PhaseBuilder) {
    main.pass("all").system(reads);
    main.pass("all").system(reads_as_resource);
    main.pass("all").system(writes_as_resource);
    main.pass("all").system(each(borrows));
}

fn main() {
    let _ = Simulation::builder().manager(Score(0)).phase("Main", fill);
}
