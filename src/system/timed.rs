#![expect(unsafe_code, reason = "passes on the contract of the system inside")]

use super::{Context, ParamError, Shape, System, SystemError, SystemMeta};
use crate::clock::Clock;
use crate::world::World;

/// A system whose runs are timed. Systems without a budget are not wrapped: measuring costs them nothing.
pub(crate) struct Timed {
    system: Box<dyn System>,
    clock: Clock,
    took: Option<u64>,
}

impl Timed {
    pub(crate) fn new(system: Box<dyn System>, clock: Clock) -> Self {
        Self { system, clock, took: None }
    }
}

impl System for Timed {
    fn type_name(&self) -> &'static str {
        self.system.type_name()
    }

    fn captures(&self) -> bool {
        self.system.captures()
    }

    fn shape(&self) -> Shape {
        self.system.shape()
    }

    fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError> {
        self.system.bind(world, meta)
    }

    unsafe fn run(&mut self, context: &Context<'_>) -> Result<(), SystemError> {
        let started = self.clock.nanoseconds();
        // SAFETY: the contract is passed on.
        let outcome = unsafe { self.system.run(context) };
        self.took = Some(self.clock.nanoseconds().saturating_sub(started));
        outcome
    }

    fn take_time(&mut self) -> Option<u64> {
        self.took.take()
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.clock = clock.clone();
    }
}
