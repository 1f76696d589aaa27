//! Changes of a whole world.

use std::panic::resume_unwind;

use tickweave::prelude::*;

use super::data::Deed;
use super::kit::Kit;
use super::office::Mode;
use super::orders::guess;
use super::parts::{Dial, Kind, Note, Spare, Stuff};
use super::tables::{recipe, table_of};

/// Panics without a word on the console.
pub(crate) fn panic_quietly(what: &str) -> ! {
    resume_unwind(Box::new(what.to_owned()))
}

/// The entity with a number, in the order of archetypes and rows.
pub(crate) fn nth(world: &World, number: u32) -> Entity {
    let entities: Vec<Entity> = world.archetypes().flat_map(|archetype| archetype.entities()).collect();
    if entities.is_empty() { guess(number, 1) } else { entities[number as usize % entities.len()] }
}

/// Does it, or nothing if it is not possible.
pub(crate) fn perform(deed: Deed, world: &mut World, kit: &Kit) {
    match deed {
        Deed::Spawn { recipe: number, count, seed } => {
            let to = nth(world, seed as u32);
            (recipe(number).spawn_batch)(world, count, Stuff { seed, to, kit });
        }
        Deed::Despawn { nth: number } => {
            let _ = world.despawn(nth(world, number));
        }
        Deed::Insert { nth: number, recipe: bundle, seed } => {
            let (entity, to) = (nth(world, number), nth(world, seed as u32));
            let _ = (recipe(bundle).insert)(world, entity, Stuff { seed, to, kit });
        }
        Deed::Remove { nth: number, recipe: bundle } => {
            let entity = nth(world, number);
            let _ = (recipe(bundle).remove)(world, entity);
        }
        Deed::MixAll { kind, by } => (table_of(kind).mix_all)(world, by),
        Deed::MixOne { nth: number, kind, by } => mix_one(world, number, kind, by),
        Deed::SetDial(to) => {
            world.insert_resource(Dial(to));
        }
        Deed::Send { nth: number, number: sent } => {
            let to = nth(world, number);
            world
                .send_event(Note { to, number: sent })
                .expect("the world has the type, and no handle of a world is pending");
        }
        Deed::PutSpare(value) => {
            kit.note_spare();
            world.insert_resource(Spare(value));
        }
        Deed::TakeSpare => {
            world.remove_resource::<Spare>();
        }
        Deed::SetMode(number) => {
            world.insert_resource(StateMachine::new(Mode::ALL[usize::from(number) % 3]));
        }
        Deed::Clear => world.clear(),
        Deed::Panic => panic_quietly("a closure on the world"),
    }
}

fn mix_one(world: &mut World, number: u32, kind: Kind, by: u64) {
    let entity = nth(world, number);
    if let Ok(mut entity) = world.entity_mut(entity) {
        (table_of(kind).mix_on)(&mut entity, by);
    }
}
