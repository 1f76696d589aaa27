use std::collections::HashMap;
use tickweave_derive::StateValue;

#[derive(Clone, StateValue)]
struct Scores {
    by_name: HashMap<String, u32>,
}

fn main() {}
