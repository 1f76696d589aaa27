//! Inserters: arms that carry single items off belts and onto them.

use tickweave::prelude::*;
use tickweave::query::QueryError;

use crate::belt::{Arrived, Belt, Layout, OnBelt, Traffic};
use crate::item::{Item, Kind};
use crate::ledger::Deliver;
use crate::machine::Stock;

/// Ticks that an arm needs after each item.
const SWING: u32 = 3;

/// An arm that rests for some ticks.
#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Arm {
    rest: u32,
}

impl Arm {
    /// One that can begin.
    pub(crate) const READY: Self = Self { rest: 0 };
}

/// Carries from the end of a belt, which knows it, to a machine or chest.
#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Unloader {
    pub(crate) to: Entity,
}

/// Carries from a miner or machine to the start of a belt.
#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Loader {
    pub(crate) from: Entity,
    pub(crate) belt: u64,
}

/// An arm rests.
pub(crate) fn swing(arm: &mut Arm) {
    arm.rest = arm.rest.saturating_sub(1);
}

/// Takes what arrived off the belts, and tells the ledger; a belt whose item can't be taken will stand still.
pub(crate) fn unload(
    mut arrived: EventReader<Arrived>,
    layout: Res<Layout>,
    mut traffic: ResMut<Traffic>,
    mut arms: Query<(&mut Arm, &Unloader)>,
    mut stocks: Query<&mut Stock>,
    mut commands: Commands,
) -> Result<(), QueryError> {
    for &Arrived { item, belt } in arrived.read() {
        let Belt { unloader, carries, .. } = layout.0[belt as usize];
        let (arm, unloader) = arms.get_mut(unloader)?;
        if arm.rest == 0 && stocks.get_mut(unloader.to)?.bring() {
            arm.rest = SWING;
            commands.despawn(item);
            commands.submit(Deliver { kind: carries });
        } else {
            traffic.block(belt as u32);
        }
    }
    Ok(())
}

/// Puts what is ready on belts that have room.
pub(crate) fn load(
    mut arms: Query<(&mut Arm, &Loader)>,
    mut stocks: Query<(&mut Stock, &Kind)>,
    layout: Res<Layout>,
    mut traffic: ResMut<Traffic>,
    mut commands: Commands,
) -> Result<(), QueryError> {
    for (arm, &Loader { from, belt }) in &mut arms {
        let belt = belt as u32;
        if arm.rest > 0 || !traffic.has_room(belt) {
            continue;
        }
        let (stock, &kind) = stocks.get_mut(from)?;
        if stock.take() {
            arm.rest = SWING;
            traffic.fill(belt);
            commands.spawn(Item::new(kind, OnBelt { belt, left: layout.0[belt as usize].length }));
        }
    }
    Ok(())
}
