use tickweave::prelude::*;

#[derive(Component)]
struct Enemy;

struct NoComponent(u32);

#[derive(QueryRow)]
struct Owned {
    name: String,
}

#[derive(QueryRow)]
struct Foreign<'w> {
    value: &'w NoComponent,
}

#[derive(QueryRow)]
struct TermAsField {
    enemy: Has<Enemy>,
}

#[derive(QueryRow)]
struct Unbounded<'w, T> {
    value: &'w T,
}

fn main() {}
