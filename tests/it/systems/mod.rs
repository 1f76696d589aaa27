//! Systems: their shapes, their parameters, and what each parameter promises.

pub(crate) mod kit;

mod change;
mod conditions;
mod dynamic;
mod escape;
mod exclusive;
mod hosts;
mod locals;
mod lookups;
mod once;
mod pairs;
mod removals;
mod shapes;
mod streams;
