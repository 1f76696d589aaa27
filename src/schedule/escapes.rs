use crate::command::{EscapeScan, Escaped};
use crate::component::ComponentId;
use crate::storage::SectionId;
use crate::storage::resources::{ResourceClass, ResourceId};
use crate::system::MetaParts;
use crate::world::World;

/// Looks at what a system declared to write, and at its locals.
pub(super) fn escapes_of(world: &World, parts: &MetaParts) -> EscapeScan {
    let written = parts.access.resource_writes.iter().map(ResourceId::from_bit);
    let mut sections = state_sections(world, written);
    sections.extend(&parts.locals);
    EscapeScan::new(world, &parts.access.component_writes(), sections)
}

/// Looks at every component and resource: where code had the whole world, and may have met types for the first time.
#[derive(Debug, Default)]
pub(crate) struct EscapesAnywhere {
    /// The version of the registry of components, which tells worlds apart too, and how many types of resources there are.
    registered: (u64, usize),
    scan: EscapeScan,
}

impl EscapesAnywhere {
    /// The first pending handle in what was written at `stamp`. It allocates where types came since the last look.
    pub(crate) fn find_in(&mut self, world: &mut World, stamp: u64) -> Option<Escaped> {
        let registered = (world.components().version(), world.resource_registry().ids().len());
        if self.registered != registered {
            let components = world.components().ids().map(ComponentId::bit).collect();
            let sections = state_sections(world, world.resource_registry().ids());
            *self = Self { registered, scan: EscapeScan::new(world, &components, sections) };
        }
        self.scan.find_in(world, stamp)
    }
}

fn state_sections(world: &World, resources: impl Iterator<Item = ResourceId>) -> Vec<SectionId> {
    let registry = world.resource_registry();
    let state = resources.filter(|&id| registry.class(id) != ResourceClass::Host);
    state.map(|id| registry.section(id)).collect()
}
