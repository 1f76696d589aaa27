use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

use std::sync::Mutex;

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

static ROW: Mutex<Option<&'static Health>> = Mutex::new(None);
static SCORE: Mutex<Option<&'static Score>> = Mutex::new(None);

fn keep_row(rows: Query<&Health>) {
    *ROW.lock().unwrap() = rows.iter().next();
}

fn keep_moved_row(rows: Query<&Health>) {
    *ROW.lock().unwrap() = rows.into_iter().next();
}

fn keep_resource(score: Res<Score>) {
    *SCORE.lock().unwrap() = Some(&score);
}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(keep_row);
    schedule.add(keep_moved_row);
    schedule.add(keep_resource);
}
