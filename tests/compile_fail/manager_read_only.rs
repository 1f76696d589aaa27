use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, HandlesCommand, Manager, Verdict};

#[derive(Clone, StateValue, Command)]
struct Add(u32);

#[derive(Clone, StateValue)]
struct Score(u32);

impl Manager for Score {
    fn flush(&mut self, _: &mut FlushContext<'_>) {}
}

impl HandlesCommand<Add> for Score {
    fn submit(&mut self, add: Add) -> Verdict {
        self.0 += add.0;
        Verdict::Accepted
    }
}

fn writes_a_field(mut score: Mgr<Score>) {
    score.0 += 1;
}

fn submits_by_hand(mut score: Mgr<Score>) {
    score.submit(Add(1));
}

fn flushes(context: &mut FlushContext<'_>) {
    let manager: &mut Score = context.world().manager().unwrap();
    manager.0 += 1;
}

fn main() {
    let _ = Simulation::builder().manager(Score(0)).phase("Main", |main| {
        main.pass("all").system(writes_a_field).system(submits_by_hand);
    });
    let _ = flushes;
}
