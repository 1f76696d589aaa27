//! Component types: what one is, and the registry that owns their ids.

mod bundle;
mod descriptor;
mod registry;

pub use bundle::{Bundle, BundleSink};
pub(crate) use descriptor::{CloneRow, DropRows, EncodeRow, MapRow};
pub use descriptor::{ComponentDescriptor, ComponentKind};
pub use registry::{ComponentId, ComponentInfo, RegistryError};
pub(crate) use registry::{Components, TypeIdHasher, first_room};
pub use tickweave_derive::{Bundle, Component};

use crate::entity::EntityMapper;

/// A type whose values an entity can have.
///
/// Always derived. Without a word it is a **Data** component ([`Data`](crate::value::Data)): `Copy`, `#[repr(C)]` (or a
/// field-less enum with a `repr`), no padding, fields that are Data; the derive checks the real fields. A struct
/// without fields is a **tag**: a bit in the signature of an entity, no bytes. Everything else is **opaque**.
///
/// | attribute | what it says |
/// |---|---|
/// | `#[component(track)]` | stamps of each row are kept, so that `Changed`, `Added` and `Removed` work |
/// | `#[component(opaque)]` | any `Send + Sync + 'static` type: stored, iterated, dropped exactly once |
/// | `#[component(opaque, state)]` | opaque, and a [`StateValue`](crate::value::StateValue): it can be hashed and saved |
/// | `#[component(opaque, entities)]` | opaque, and [`MapEntities`](crate::entity::MapEntities): entities inside are mapped |
/// | `#[component(trust = "reason")]` | on a field: a foreign plain type, vouched for by the author |
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Position { x: f32, y: f32 }
///
/// #[derive(Component)]
/// struct Enemy;
///
/// #[derive(Component)]
/// #[component(opaque)]
/// struct Name(String);
///
/// let mut world = World::new();
/// let wolf = world.spawn((Position { x: 1.0, y: 2.0 }, Enemy, Name("wolf".into())));
/// assert_eq!(world.get::<Name>(wolf)?.0, "wolf");
/// # Ok::<(), tickweave::world::ComponentError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a `Component`",
    note = "derive it: `#[derive(Component, Clone, Copy)]` and `#[repr(C)]` for plain data, `#[derive(Component)]` for a tag, `#[derive(Component)] #[component(opaque)]` for anything else"
)]
pub trait Component: Send + Sync + 'static {
    /// Whether an entity may be somewhere inside of a value.
    const ENTITIES_INSIDE: bool;

    /// Whether stamps of each row are kept.
    const TRACKED: bool = false;

    /// What the registry and the storage need to know of the type: made with `Self`, or the type is refused with a panic
    /// where it is first used.
    fn descriptor() -> ComponentDescriptor;

    /// Replaces each entity in the value by what `mapper` says.
    fn map_inside(&mut self, mapper: &mut dyn EntityMapper);
}

/// A component whose rows carry stamps of their own: what `Changed`, `Added` and `Removed` ask for.
#[diagnostic::on_unimplemented(
    message = "changes of `{Self}` are not tracked row by row",
    label = "not a tracked component",
    note = "add `#[component(track)]` to the component, or use `ChunkChanged`, which is free and tells whole chunks"
)]
pub trait Tracked: Component {}

#[cfg(test)]
mod tests;
