//! Belts, and how items move on them.
//!
//! A belt is rigid, like a chain with trays: either all of it moves by its speed or, while its first item can't leave it, nothing
//! does. So items need not know each other, and a million of them move in a loop over rows. They lie at least [`SPACING`]
//! apart from the start and stay so.

use tickweave::prelude::*;
use tickweave::simulation::Execute;

use crate::item::Kind;
use crate::operator::Throttle;

/// Steps of a tile, in which places on belts and on the map are counted.
pub(crate) const TILE: u32 = 256;

/// From one item of a belt to the next, at least.
pub(crate) const SPACING: u32 = 64;

/// Where an item is: on which belt, and how far from its end.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct OnBelt {
    pub(crate) belt: u32,
    pub(crate) left: u32,
}

/// A place on the map.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Spot {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// A belt as it was built.
#[derive(Clone, StateValue)]
pub(crate) struct Belt {
    pub(crate) end: Spot,
    /// 1 if it runs to the right, -1 if to the left.
    pub(crate) heading: i32,
    pub(crate) length: u32,
    /// Steps in a tick: a divisor of [`SPACING`].
    pub(crate) speed: u32,
    pub(crate) carries: Kind,
    /// The inserter that takes items off its end.
    pub(crate) unloader: Entity,
}

/// All belts as they were built.
#[derive(Clone, Default, StateValue, Resource)]
pub(crate) struct Layout(pub(crate) Vec<Belt>);

impl Layout {
    /// Where on the map something on a belt is.
    pub(crate) fn spot(&self, on: &OnBelt) -> Spot {
        let Belt { end, heading, .. } = self.0[on.belt as usize];
        Spot { x: end.x - heading * on.left as i32, y: end.y }
    }
}

/// What changes about the belts: each list has a value for each belt.
#[derive(Clone, Default, StateValue, Resource)]
pub(crate) struct Traffic {
    /// How far it moves in this tick.
    steps: Vec<u32>,
    /// How far the last item is from the start of the belt, up to [`SPACING`].
    room: Vec<u32>,
    /// Whether its first item could not leave it.
    blocked: Vec<bool>,
}

impl Traffic {
    /// Belts until there are so many; those that come are full up to their starts.
    fn grow(&mut self, belts: usize) {
        self.steps.resize(belts, 0);
        self.room.resize(belts, 0);
        self.blocked.resize(belts, false);
    }

    /// Has a belt stand still in the next tick.
    pub(crate) fn block(&mut self, belt: u32) {
        self.blocked[belt as usize] = true;
    }

    /// Whether an item fits on the start of a belt.
    pub(crate) fn has_room(&self, belt: u32) -> bool {
        self.room[belt as usize] >= SPACING
    }

    /// An item was put on the start of a belt.
    pub(crate) fn fill(&mut self, belt: u32) {
        self.room[belt as usize] = 0;
    }
}

/// Adds belts behind those that were built: their numbers go on.
#[derive(Clone, StateValue, Command)]
pub(crate) struct LayBelts(pub(crate) Vec<Belt>);

impl Execute for LayBelts {
    fn execute(self, world: &mut World, _: &mut Lane) {
        let Ok(layout) = world.resource_mut::<Layout>() else { return };
        layout.0.extend(self.0);
        let belts = layout.0.len();
        if let Ok(traffic) = world.resource_mut::<Traffic>() {
            traffic.grow(belts);
        }
    }
}

/// The first item of a belt is at its end.
#[derive(Component, Clone, Copy, Event)]
#[repr(C)]
pub(crate) struct Arrived {
    pub(crate) item: Entity,
    pub(crate) belt: u64,
}

/// Decides which belts move in this tick.
pub(crate) fn run_belts(mut traffic: ResMut<Traffic>, layout: Res<Layout>, throttle: Res<Throttle>, tick: Tick) {
    let rests = !throttle.moves(tick.0);
    let Traffic { steps, room, blocked } = &mut *traffic;
    for (((step, room), blocked), belt) in steps.iter_mut().zip(room).zip(blocked).zip(&layout.0) {
        *step = if std::mem::take(blocked) || rests { 0 } else { belt.speed };
        *room = (*room + *step).min(SPACING);
    }
}

/// Moves an item with its belt.
pub(crate) fn advance(on: &mut OnBelt, traffic: Res<Traffic>) {
    on.left = on.left.saturating_sub(traffic.steps[on.belt as usize]);
}

/// Finds where on the map an item is now.
pub(crate) fn locate(spot: &mut Spot, on: &OnBelt, layout: Res<Layout>) {
    *spot = layout.spot(on);
}

/// Tells of items that are at the end of their belt.
pub(crate) fn arrive(on: &OnBelt, item: Entity, mut arrived: EventWriter<Arrived>) {
    if on.left == 0 {
        arrived.send(Arrived { item, belt: on.belt.into() });
    }
}
