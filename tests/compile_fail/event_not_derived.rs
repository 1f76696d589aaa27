use tickweave::prelude::*;

#[derive(Clone, StateValue)]
struct NotDerived(u32);

#[derive(Event)]
struct NotState(u32);

#[derive(Clone, StateValue, Event)]
struct Borrows<'a>(&'a u32);

fn writes(_: EventWriter<NotDerived>) {}

fn reads(_: EventReader<NotDerived>) {}

fn reads_by_row(_: &NotDerived, _: EventReader<NotDerived>) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(writes);
    schedule.add(reads);
    schedule.add(each(reads_by_row));
}
