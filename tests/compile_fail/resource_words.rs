use tickweave_derive::Resource;

#[derive(Resource)]
#[resource(global)]
struct Unknown(u32);

#[derive(Resource)]
#[resource(state, host)]
struct Both(u32);

#[derive(Resource)]
#[resource(host)]
struct Borrowed<'a>(&'a str);

fn main() {}
