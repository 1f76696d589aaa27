use super::*;
use crate::entity::Entity;
use crate::prelude::*;
use crate::value::Data;

#[derive(Component, Clone, Copy)]
#[repr(u16)]
enum Mood {
    Calm,
    Angry = 7,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct All {
    mood: [Mood; 2],
    price: fixed::types::I16F16,
    friends: [Option<Entity>; 3],
}

#[test]
fn a_notation_tells_every_kind_of_field_and_where_it_lies() {
    assert_eq!(
        notation(&All::SCHEMA),
        "{mood@0: [u16{Calm=0, Angry=7}; 2], price@4: i32/16, friends@8: [Option<Entity>; 3]}"
    );
    let simple = [u8::SCHEMA, i128::SCHEMA, f32::SCHEMA, bool::SCHEMA, char::SCHEMA, Entity::SCHEMA];
    let texts: Vec<String> = simple.iter().map(notation).collect();
    assert_eq!(texts, ["u8", "i128", "f32", "bool", "char", "Entity"]);
    assert_eq!(notation(&Schema::Trusted(16)), "trusted(16)");
}
