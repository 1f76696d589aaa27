use tickweave::prelude::*;

#[derive(QueryRow)]
enum Either {
    One(Entity),
}

#[derive(QueryRow)]
union Both {
    one: Entity,
}

#[derive(QueryRow)]
struct Two<'w, 'x> {
    one: Option<&'w Health>,
    two: Option<&'x Health>,
}

#[derive(QueryRow)]
#[query_row(read_only)]
struct Word(Entity);

#[derive(QueryRow)]
struct FieldWord(#[query_row(writes)] Entity);

#[derive(QueryRow)]
struct NoTerm(#[query_row(term)] bool);

#[derive(QueryRow)]
struct Seventeen(
    Entity, Entity, Entity, Entity, Entity, Entity, Entity, Entity,
    Entity, Entity, Entity, Entity, Entity, Entity, Entity, Entity,
    Entity,
);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn main() {}
