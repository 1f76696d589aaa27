use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, Manager};

struct Window(String);

impl Manager for Window {
    fn flush(&mut self, _: &mut FlushContext<'_>) {}
}

fn main() {
    let _ = Simulation::builder().manager(Window(String::new()));
}
