use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn of_a_loop(rows: &mut Query<&Health>, commands: &mut Commands) {
    rows.par_for_each_with(commands, |_, lane| std::mem::swap(lane, &mut *CommandBuffer::new()));
}

fn of_a_system(mut commands: Commands, kept: &mut CommandBuffer) {
    std::mem::swap(&mut *commands, &mut **kept);
}

fn of_a_script(world: &mut DynamicWorld, kept: &mut Lane) {
    std::mem::swap(world.commands().unwrap(), kept);
}

fn taken(lane: &mut Lane) -> Lane {
    std::mem::take(lane)
}

fn main() {}
