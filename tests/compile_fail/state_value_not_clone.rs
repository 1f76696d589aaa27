use tickweave_derive::StateValue;

#[derive(StateValue)]
struct Score(u32);

#[derive(StateValue)]
struct Borrowed<'a>(&'a str);

fn main() {}
