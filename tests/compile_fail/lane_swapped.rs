use tickweave::prelude::*;

// As `std::mem` has them: where that lies is shown by some installations of the compiler and by others not.
fn swap<T>(_: &mut T, _: &mut T) {}

fn take<T: Default>(_: &mut T) -> T {
    T::default()
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn of_a_loop(rows: &mut Query<&Health>, commands: &mut Commands) {
    rows.par_for_each_with(commands, |_, lane| swap(lane, &mut *CommandBuffer::new()));
}

fn of_a_system(mut commands: Commands, kept: &mut CommandBuffer) {
    swap(&mut *commands, &mut **kept);
}

fn of_a_script(world: &mut DynamicWorld, kept: &mut Lane) {
    swap(world.commands().unwrap(), kept);
}

fn taken(lane: &mut Lane) -> Lane {
    take(lane)
}

fn main() {}
