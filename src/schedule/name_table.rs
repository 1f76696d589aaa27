use super::spec::Names;
use crate::access::IdSet;
use crate::system::SystemSpec;
use std::collections::BTreeMap;

/// The names of all components, resources and managers that some system touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NameTable {
    components: BTreeMap<u32, String>,
    resources: BTreeMap<u32, String>,
    managers: BTreeMap<u32, String>,
}

impl NameTable {
    pub(super) fn new(specs: &[&SystemSpec], names: &dyn Names) -> Self {
        let (mut components, mut resources, mut managers) = (IdSet::new(), IdSet::new(), IdSet::new());
        for access in specs.iter().map(|spec| &spec.access) {
            access
                .queries
                .iter()
                .flat_map(|query| [&query.reads, &query.writes])
                .chain([&access.lookups])
                .for_each(|ids| components.union_with(ids));
            resources.union_with(&access.resource_reads);
            resources.union_with(&access.resource_writes);
            managers.union_with(&access.manager_reads);
        }
        Self {
            components: components.iter().map(|id| (id, names.component(id))).collect(),
            resources: resources.iter().map(|id| (id, names.resource(id))).collect(),
            managers: managers.iter().map(|id| (id, names.manager(id))).collect(),
        }
    }

    pub(super) fn component(&self, id: u32) -> &str {
        &self.components[&id]
    }

    pub(super) fn resource(&self, id: u32) -> &str {
        &self.resources[&id]
    }

    pub(super) fn manager(&self, id: u32) -> &str {
        &self.managers[&id]
    }

    /// The names of both sets, components first.
    pub(super) fn list(&self, components: &IdSet, resources: &IdSet) -> Vec<String> {
        let components = components.iter().map(|id| self.component(id));
        components.chain(resources.iter().map(|id| self.resource(id))).map(str::to_owned).collect()
    }
}
