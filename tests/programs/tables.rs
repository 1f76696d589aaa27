//! The verbs of bundles and components by number.

use tickweave::component::Bundle;
use tickweave::prelude::*;
use tickweave::world::{EntityMut, NoSuchEntity, StructureError};

use super::parts::*;

/// What can be done with a bundle type.
pub(crate) struct RecipeTable {
    pub(crate) kinds: fn(&mut Vec<Kind>),
    pub(crate) spawn_batch: fn(&mut World, u32, Stuff<'_>),
    pub(crate) insert: fn(&mut World, Entity, Stuff<'_>) -> Result<(), StructureError>,
    pub(crate) remove: fn(&mut World, Entity) -> Result<(), NoSuchEntity>,
    pub(crate) insert_on: fn(&mut EntityMut<'_>, Stuff<'_>) -> Result<(), StructureError>,
    pub(crate) remove_on: fn(&mut EntityMut<'_>),
    pub(crate) record_spawn: fn(&mut Lane, Stuff<'_>) -> Entity,
    pub(crate) record_insert: fn(&mut Lane, Entity, Stuff<'_>),
    pub(crate) record_remove: fn(&mut Lane, Entity),
    holds_entities: bool,
}

impl RecipeTable {
    pub(crate) const fn holds_entities(&self) -> bool {
        self.holds_entities
    }
}

const fn recipe_table<B: Recipe>() -> RecipeTable {
    RecipeTable {
        kinds: B::kinds,
        spawn_batch: |world, count, stuff| {
            let numbered = |number| B::cook(Stuff { seed: stir(stuff.seed, number), ..stuff });
            // Where there is no room for all of them there may be for one.
            if world.try_spawn_batch((0..u64::from(count)).map(numbered)).is_err() {
                let _ = world.try_spawn(B::cook(stuff));
            }
        },
        insert: |world, entity, stuff| world.insert(entity, B::cook(stuff)),
        remove: |world, entity| world.remove::<B>(entity),
        insert_on: |entity, stuff| entity.insert(B::cook(stuff)).map(|_| ()),
        remove_on: |entity| {
            entity.remove::<B>();
        },
        record_spawn: |lane, stuff| lane.spawn(B::cook(stuff)).id(),
        record_insert: |lane, entity, stuff| lane.insert(entity, B::cook(stuff)),
        record_remove: |lane, entity| lane.remove::<B>(entity),
        holds_entities: <B as Bundle>::HOLDS_ENTITIES,
    }
}

/// The bundles. The first fourteen are those of one component, in the order of [`Kind::ALL`].
static RECIPES: [RecipeTable; 24] = [
    recipe_table::<Byte>(),
    recipe_table::<Short>(),
    recipe_table::<Triple>(),
    recipe_table::<Long>(),
    recipe_table::<Wide>(),
    recipe_table::<Bulk>(),
    recipe_table::<Line>(),
    recipe_table::<Real>(),
    recipe_table::<Link>(),
    recipe_table::<Text>(),
    recipe_table::<Counted>(),
    recipe_table::<Sealed>(),
    recipe_table::<Flag>(),
    recipe_table::<Mark>(),
    recipe_table::<()>(),
    recipe_table::<(Long, Byte)>(),
    recipe_table::<(Long, Link, Flag)>(),
    recipe_table::<(Triple, Long)>(),
    recipe_table::<(Counted, (Long, Link))>(),
    recipe_table::<(Text, Link)>(),
    recipe_table::<(Wide, Real, Line, Flag)>(),
    recipe_table::<((Byte, Short), (Bulk, Mark))>(),
    recipe_table::<(Link, Counted, Text)>(),
    recipe_table::<(Long, (Byte, Triple, Mark), Wide)>(),
];

pub(crate) const RECIPE_COUNT: usize = RECIPES.len();

pub(crate) fn recipe(number: usize) -> &'static RecipeTable {
    &RECIPES[number]
}

/// The components of a bundle.
pub(crate) fn kinds_of(number: usize) -> Vec<Kind> {
    let mut kinds = Vec::new();
    (recipe(number).kinds)(&mut kinds);
    kinds
}

/// What can be done with a component type.
pub(crate) struct PartTable {
    pub(crate) register: fn(&mut World),
    pub(crate) is_known: fn(&World) -> bool,
    pub(crate) hide: fn(&mut World),
    pub(crate) mix_all: fn(&mut World, u64),
    pub(crate) mix_on: fn(&mut EntityMut<'_>, u64),
}

const fn part_table<T: Part>() -> PartTable {
    PartTable {
        register: |world| {
            world.ensure_component::<T>().expect("there is room for every type");
        },
        is_known: |world| world.is_component_registered::<T>(),
        hide: |world| {
            world.hide_by_default::<T>().expect("there is room for every type");
        },
        mix_all: |world, by| {
            world.query_mut::<(Entity, &mut T), ()>().for_each(|(entity, part)| {
                part.mix(by);
                if by % 5 == 0 {
                    part.aim(entity);
                }
            });
        },
        mix_on: |entity, by| {
            if let Ok(part) = entity.get_mut::<T>() {
                part.mix(by);
            }
        },
    }
}

static PARTS: [PartTable; 14] = [
    part_table::<Byte>(),
    part_table::<Short>(),
    part_table::<Triple>(),
    part_table::<Long>(),
    part_table::<Wide>(),
    part_table::<Bulk>(),
    part_table::<Line>(),
    part_table::<Real>(),
    part_table::<Link>(),
    part_table::<Text>(),
    part_table::<Counted>(),
    part_table::<Sealed>(),
    part_table::<Flag>(),
    part_table::<Mark>(),
];

pub(crate) fn table_of(kind: Kind) -> &'static PartTable {
    &PARTS[kind as usize]
}
