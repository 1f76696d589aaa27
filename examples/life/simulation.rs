//! The game itself: cells that die, cells that are born.
//!
//! Every live cell is an entity. Four systems make a generation, and what they touch puts them in order: `plot` writes the
//! plane that the others read, `count` writes the numbers that `die` reads. Births and deaths are commands, so that nothing
//! changes before the barrier at the end of the tick, where births come first: they were recorded first.

#[cfg(test)]
mod tests;
#[cfg(test)]
mod truth;

use tickweave::prelude::*;

use crate::cell::Cell;
use crate::plane::Plane;

/// How many of the eight cells around a live cell live.
#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Neighbours(u32);

#[derive(Bundle)]
struct LiveCell {
    cell: Cell,
    neighbours: Neighbours,
}

impl LiveCell {
    const fn new(cell: Cell) -> Self {
        Self { cell, neighbours: Neighbours(0) }
    }
}

fn plot(cells: Query<&Cell>, mut plane: ResMut<Plane>) {
    plane.rebuild(cells.iter().copied());
}

fn count(cell: &Cell, neighbours: &mut Neighbours, plane: Res<Plane>) {
    neighbours.0 = plane.count(*cell);
}

/// Each birth is found by the first of the three live cells around it, and by no other.
fn give_birth(parent: &Cell, plane: Res<Plane>, mut commands: Commands) {
    for child in plane.births_of(*parent) {
        commands.spawn(LiveCell::new(child));
    }
}

fn die(cell: Entity, neighbours: &Neighbours, mut commands: Commands) {
    if !matches!(neighbours.0, 2 | 3) {
        commands.despawn(cell);
    }
}

/// A population and the plane on which it lives.
pub(crate) struct Life {
    world: World,
    generation: Schedule,
}

impl Life {
    /// A game that starts with these cells, each given once.
    pub(crate) fn new(cells: Vec<Cell>) -> Self {
        let mut world = World::new();
        world.insert_resource(Plane::new());
        world.spawn_batch(cells.into_iter().map(LiveCell::new));
        let mut generation = Schedule::new();
        generation.set_executor(Executor::Serial);
        generation.add(plot);
        generation.add(each(count));
        generation.add(each(give_birth));
        generation.add(each(die));
        Self { world, generation }
    }

    /// Has the systems run on the threads of a pool from now on.
    pub(crate) fn run_on(&mut self, pool: Pool) {
        self.generation.set_executor(Executor::Parallel);
        self.generation.set_pool(pool);
    }

    /// Goes on by one generation.
    ///
    /// # Errors
    ///
    /// [`RunError`] if a generation has more births than a lane has room for.
    pub(crate) fn step(&mut self) -> Result<(), RunError> {
        self.generation.run(&mut self.world)
    }

    /// How many cells live.
    pub(crate) fn population(&self) -> usize {
        self.world.len()
    }

    /// The hash of all state: two games with the same hash have the same future.
    ///
    /// # Errors
    ///
    /// [`Unhashable`](tickweave::state::Unhashable): never here, since every component is plain data.
    pub(crate) fn state_hash(&self) -> Result<tickweave::state::StateHash, tickweave::state::Unhashable> {
        self.world.state_hash()
    }
}
