use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, InitContext, Manager};

#[derive(Clone, StateValue, Command)]
struct Open(u32);

#[derive(Clone, StateValue)]
struct Plain(u32);

#[derive(Clone, StateValue)]
struct Doors;

impl Manager for Doors {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        context.handles::<Open>();
    }

    fn flush(&mut self, _: &mut FlushContext<'_>) {}
}

fn submits(mut commands: Commands) {
    commands.submit(Plain(1));
}

fn main() {
    let _ = Simulation::builder().manager(Doors).phase("Main", |main| {
        main.pass("all").system(submits);
    });
    let _ = Simulation::builder().executing::<Open>();
}
