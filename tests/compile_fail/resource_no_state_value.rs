use tickweave_derive::Resource;

#[derive(Resource)]
struct Score(u32);

fn main() {}
