//! The verbs of a world by number, so that a random program can pick the types.

use tickweave::command::Lane;
use tickweave::component::RegistryError;
use tickweave::entity::Entity;
use tickweave::world::{ComponentError, NoSuchEntity, StructureError, World};

use super::parts::*;

/// What can be done with a bundle type.
pub(crate) struct BundleTable {
    pub(crate) kinds: fn() -> Vec<Kind>,
    pub(crate) spawn: fn(&mut World, Values<'_>) -> Result<Entity, StructureError>,
    pub(crate) spawn_batch: fn(&mut World, usize, Values<'_>) -> Result<Vec<Entity>, StructureError>,
    pub(crate) insert: fn(&mut World, Entity, Values<'_>) -> Result<(), StructureError>,
    pub(crate) remove: fn(&mut World, Entity) -> Result<(), NoSuchEntity>,
    /// Insert, then remove another bundle, through `entity_mut`.
    pub(crate) chain: fn(&mut World, Entity, Values<'_>, usize) -> Result<(), StructureError>,
    pub(crate) record_spawn: fn(&mut Lane, Values<'_>) -> Entity,
    pub(crate) record_insert: fn(&mut Lane, Entity, Values<'_>),
    pub(crate) record_remove: fn(&mut Lane, Entity),
}

const fn bundle<B: Recipe>() -> BundleTable {
    BundleTable {
        kinds: || {
            let mut kinds = Vec::new();
            B::kinds(&mut kinds);
            kinds
        },
        spawn: |world, values| world.try_spawn(B::build(values)),
        spawn_batch: |world, count, values| world.try_spawn_batch((0..count).map(|_| B::build(values))),
        insert: |world, entity, values| world.insert(entity, B::build(values)),
        remove: |world, entity| world.remove::<B>(entity),
        chain: |world, entity, values, other| {
            let bundle = B::build(values);
            world.entity_mut(entity)?.insert(bundle)?;
            (BUNDLES[other].remove)(world, entity)?;
            Ok(())
        },
        record_spawn: |lane, values| lane.spawn(B::build(values)).id(),
        record_insert: |lane, entity, values| lane.insert(entity, B::build(values)),
        record_remove: |lane, entity| lane.remove::<B>(entity),
    }
}

pub(crate) static BUNDLES: [BundleTable; 18] = [
    bundle::<()>(),
    bundle::<Small>(),
    bundle::<Odd>(),
    bundle::<Wide>(),
    bundle::<Big>(),
    bundle::<Line>(),
    bundle::<Enemy>(),
    bundle::<Link>(),
    bundle::<Text>(),
    bundle::<Guard>(),
    bundle::<(Big, Small)>(),
    bundle::<(Odd, (Wide, Enemy), ((),))>(),
    bundle::<(Line, Text)>(),
    bundle::<(Text, Guard, (Link, Enemy))>(),
    bundle::<((Link, Small), (Enemy, (Big, Text)))>(),
    bundle::<(Guard,)>(),
    bundle::<(Wide, Line, Big, Odd)>(),
    bundle::<Body>(),
];

/// What can be done with a component type.
pub(crate) struct PartTable {
    pub(crate) kind: Kind,
    pub(crate) name: fn() -> &'static str,
    pub(crate) get: fn(&World, Entity) -> Result<Value, ComponentError>,
    pub(crate) has: fn(&World, Entity) -> bool,
    pub(crate) set: fn(&mut World, Entity, Value) -> Result<(), ComponentError>,
    pub(crate) set_many: fn(&mut World, [Entity; 3], Value) -> Result<(), ComponentError>,
    pub(crate) take: fn(&mut World, Entity) -> Result<Value, ComponentError>,
    pub(crate) register: fn(&mut World) -> Result<u32, RegistryError>,
    pub(crate) unregister: fn(&mut World) -> Result<(), RegistryError>,
    pub(crate) hide: fn(&mut World) -> Result<u32, RegistryError>,
    pub(crate) id: fn(&World) -> Option<u32>,
    pub(crate) rows: fn(&World) -> Vec<(Entity, Value)>,
    pub(crate) write_rows: fn(&mut World, Value),
}

const fn part<T: Part>() -> PartTable {
    PartTable {
        kind: T::KIND,
        name: core::any::type_name::<T>,
        get: |world, entity| world.get::<T>(entity).map(T::value),
        has: |world, entity| world.has::<T>(entity),
        set: |world, entity, value| {
            let slot = world.get_mut::<T>(entity)?;
            *slot = T::make(value);
            Ok(())
        },
        set_many: |world, entities, value| {
            world.get_many_mut::<T, 3>(entities)?.into_iter().for_each(|slot| *slot = T::make(value));
            Ok(())
        },
        take: |world, entity| world.take::<T>(entity).map(|taken| taken.value()),
        register: |world| world.register_component::<T>().map(|id| id.get()),
        unregister: |world| world.unregister_component::<T>(),
        hide: |world| world.hide_by_default::<T>().map(|id| id.get()),
        id: |world| world.component_id::<T>().map(|id| id.get()),
        rows: |world| world.query::<(Entity, &T), ()>().iter().map(|(entity, value)| (entity, value.value())).collect(),
        write_rows: |world, value| world.query_mut::<&mut T, ()>().for_each(|slot| *slot = T::make(value)),
    }
}

pub(crate) static PARTS: [PartTable; 9] = [
    part::<Small>(),
    part::<Odd>(),
    part::<Wide>(),
    part::<Big>(),
    part::<Line>(),
    part::<Enemy>(),
    part::<Link>(),
    part::<Text>(),
    part::<Guard>(),
];

/// The table of a kind.
pub(crate) fn part_of(kind: Kind) -> &'static PartTable {
    &PARTS[kind as usize]
}
