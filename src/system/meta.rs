use core::any::TypeId;

use thiserror::Error;

use crate::access::{Access, IdSet, QueryAccess};
use crate::component::Components;
use crate::event::{Cursor, EventError, EventId};
use crate::storage::resources::ResourceId;
use crate::storage::{SectionId, SectionKey};
use crate::value::StateValue;
use crate::world::{NoManager, World};

/// A parameter of a system can't be bound to the world.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParamError {
    /// One query names a component twice, at least once to write it.
    #[error("parameter `{param}` names component `{component}` twice, at least once to write it; name it once")]
    ClashInParam {
        /// The parameter.
        param: &'static str,
        /// The component.
        component: String,
    },
    /// Two parameters touch the same component or resource, at least one of them to write it.
    #[error(
        "parameters `{first}` and `{second}` both touch `{data}`, at least one of them to write it; use one parameter, or \
         keep the queries apart with `With` and `Without`"
    )]
    Clash {
        /// The parameter that comes first.
        first: &'static str,
        /// The other one.
        second: &'static str,
        /// Components and resources on which they clash.
        data: String,
    },
    /// A system looks up what it writes.
    #[error(
        "parameter `{lookup}` may read `{data}` of any entity while `{writer}` writes it in the same system, so that a row would \
         see others before or after their turn; write a component that is not looked up, and take it over in a second system"
    )]
    LookupOfWritten {
        /// The parameter that looks up.
        lookup: &'static str,
        /// The parameter that writes; the function, where it is a term of its rows.
        writer: &'static str,
        /// The components that both touch.
        data: String,
    },
    /// Two parameters of a kind of which a system may have one.
    #[error("a system may have one parameter `{param}`, but this one has two{}", one_lane(param))]
    Twice {
        /// The parameter.
        param: &'static str,
    },
    /// A parameter that outlives a run in a system that runs once.
    #[error(
        "parameter `{param}` is kept from run to run, but `run_once` runs a system once; use a resource (for random numbers one \
         that holds a `Stream`), or `world.events`"
    )]
    NotOnce {
        /// The parameter.
        param: &'static str,
    },
    /// A reader of removals that runs more rarely than the log lasts.
    #[error(
        "the system reads removals every {every} ticks, but the log keeps them for {kept}: some would be missed; raise \
         `removal_ticks` of the world's builder, or run the system more often"
    )]
    RemovalsMissed {
        /// Ticks from one run to the next.
        every: u32,
        /// Ticks for which the log keeps an entry.
        kept: u32,
    },
    /// A system draws random numbers, but nothing says which.
    #[error(
        "the system draws random numbers, but has no key that keeps them apart from those of other systems, whatever is \
         added or moved; name it with `named`, or give the key with `stream`"
    )]
    StreamUnkeyed,
    /// A system draws random numbers in a world without a seed.
    #[error("the system draws random numbers, but the world has no seed; give it one with `seed` of its builder")]
    Unseeded,
    /// The world lacks an event type that the system sends or reads.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The world has no such manager.
    #[error(transparent)]
    Manager(#[from] NoManager),
    /// A system built by hand declares a component type that is not registered.
    #[error("the system declares component `{name}`, which is not registered; register it with `register_component`")]
    Unregistered {
        /// The component.
        name: &'static str,
    },
    /// A system built by hand declares a component twice.
    #[error("the system declares component `{name}` twice; declare it once, `writes` covers reading")]
    DeclaredTwice {
        /// The component.
        name: &'static str,
    },
}

impl ParamError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ClashInParam { .. } | Self::Clash { .. } => "param-clash",
            Self::LookupOfWritten { .. } => "lookup-of-written",
            Self::Twice { .. } => "param-twice",
            Self::NotOnce { .. } => "param-not-once",
            Self::RemovalsMissed { .. } => "removals-missed",
            Self::StreamUnkeyed => "stream-unkeyed",
            Self::Unseeded => "world-unseeded",
            Self::Event(error) => error.code(),
            Self::Manager(error) => error.code(),
            Self::Unregistered { .. } => "io-unregistered",
            Self::DeclaredTwice { .. } => "io-duplicate",
        }
    }
}

/// Where a system stands: its schedule's number on the world, and its own in the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundSystem {
    pub(crate) schedule: u32,
    pub(crate) system: u32,
}

/// What the parameters of a system ask for, gathered while it is bound to a world.
#[derive(Debug, Default)]
pub(crate) struct SystemMeta {
    /// `None` for a system that runs once.
    bound: Option<BoundSystem>,
    access: Access,
    params: Vec<(&'static str, Access)>,
    required: Vec<ResourceId>,
    locals: u32,
    local_sections: Vec<SectionId>,
    /// What keeps its random numbers apart from those of others.
    stream: Option<String>,
    pub(crate) draws: bool,
    readers: Vec<(EventId, SectionId)>,
    pub(crate) records_commands: bool,
    pub(crate) host: Option<(TypeId, &'static str)>,
    pub(crate) reads_removals: bool,
    /// The first parameter that asks for a component type which is not registered.
    pub(crate) unmatched: Option<&'static str>,
}

impl SystemMeta {
    pub(crate) fn new(bound: Option<BoundSystem>) -> Self {
        Self { bound, ..Self::default() }
    }

    /// The same for a system whose stream of random numbers has a key.
    #[must_use]
    pub(crate) fn with_stream(self, key: Option<&str>) -> Self {
        Self { stream: key.map(str::to_owned), ..self }
    }

    pub(crate) fn stream_key(&self) -> Option<&str> {
        self.stream.as_deref()
    }

    /// Adds what a query parameter touches.
    pub(crate) fn add_query(
        &mut self,
        param: &'static str,
        query: QueryAccess,
        world: &World,
    ) -> Result<(), ParamError> {
        self.add(param, Access { queries: vec![query], ..Access::default() }, world)
    }

    /// Adds components that a parameter reads of any entity.
    pub(crate) fn add_lookup(&mut self, param: &'static str, lookups: IdSet, world: &World) -> Result<(), ParamError> {
        self.add(param, Access { lookups, ..Access::default() }, world)
    }

    /// Adds a resource that is read, or written.
    pub(crate) fn add_resource(
        &mut self,
        param: &'static str,
        resource: ResourceId,
        writes: bool,
        world: &World,
    ) -> Result<(), ParamError> {
        let mut access = Access::default();
        let set = if writes { &mut access.resource_writes } else { &mut access.resource_reads };
        set.insert(resource.bit());
        self.add(param, access, world)
    }

    /// Adds a manager that is read, by its number in the world. It clashes with nothing.
    pub(crate) fn add_manager(&mut self, manager: u32) {
        self.access.manager_reads.insert(manager);
    }

    fn add(&mut self, param: &'static str, access: Access, world: &World) -> Result<(), ParamError> {
        for (first, other) in &self.params {
            let conflict = other.conflict(&access);
            if conflict.is_empty() {
                continue;
            }
            let data = clash_names(&conflict, world);
            return Err(match (other.lookups.is_empty(), access.lookups.is_empty()) {
                (true, true) => ParamError::Clash { first, second: param, data },
                (true, false) => ParamError::LookupOfWritten { lookup: param, writer: first, data },
                (false, _) => ParamError::LookupOfWritten { lookup: first, writer: param, data },
            });
        }
        self.access.queries.extend(access.queries.iter().cloned());
        self.access.lookups.union_with(&access.lookups);
        self.access.resource_reads.union_with(&access.resource_reads);
        self.access.resource_writes.union_with(&access.resource_writes);
        self.params.push((param, access));
        Ok(())
    }

    /// The system takes the whole world.
    pub(crate) fn add_exclusive(&mut self) {
        self.access.exclusive = true;
    }

    /// The system can't run while the world lacks the resource.
    pub(crate) fn require(&mut self, resource: ResourceId) {
        self.required.push(resource);
    }

    /// The system records commands; only one parameter may.
    pub(crate) fn add_commands(&mut self, param: &'static str) -> Result<(), ParamError> {
        only_one(&mut self.records_commands, param)
    }

    /// The system takes what the host lends, of this type; only one parameter may.
    pub(crate) fn add_host(&mut self, param: &'static str, host: TypeId) -> Result<(), ParamError> {
        if self.host.replace((host, param)).is_some() { Err(ParamError::Twice { param }) } else { Ok(()) }
    }

    /// The section of the system's next local; made with `T::default()` unless the world has it from an earlier binding.
    pub(crate) fn local<T: StateValue + Default>(
        &mut self,
        param: &'static str,
        world: &mut World,
    ) -> Result<SectionId, ParamError> {
        let bound = self.bound.ok_or(ParamError::NotOnce { param })?;
        let key = SectionKey::Local(bound.schedule, bound.system, self.locals);
        self.locals += 1;
        let section = world.sections_mut().ensure::<T>(key);
        self.local_sections.push(section);
        Ok(section)
    }

    /// The system draws random numbers, which only one parameter may; returns the key, and the section of the seed.
    pub(crate) fn add_stream(&mut self, param: &'static str, world: &World) -> Result<(&str, SectionId), ParamError> {
        self.bound.ok_or(ParamError::NotOnce { param })?;
        only_one(&mut self.draws, param)?;
        let key = self.stream.as_deref().ok_or(ParamError::StreamUnkeyed)?;
        Ok((key, world.seed_section().ok_or(ParamError::Unseeded)?))
    }

    /// The cursor of the system's next reader; made before event number `first` unless the world has it from an earlier
    /// binding.
    pub(crate) fn reader(
        &mut self,
        param: &'static str,
        event: EventId,
        first: u64,
        world: &mut World,
    ) -> Result<SectionId, ParamError> {
        let bound = self.bound.ok_or(ParamError::NotOnce { param })?;
        let key = SectionKey::Cursor(bound.schedule, bound.system, self.readers.len() as u32);
        let cursor = world.sections_mut().ensure_with(key, || Cursor::at(first));
        self.readers.push((event, cursor));
        Ok(cursor)
    }

    pub(crate) fn into_parts(self) -> MetaParts {
        let Self { access, required, local_sections: locals, readers, unmatched, .. } = self;
        MetaParts { access, required, locals, readers, unmatched }
    }
}

/// What a system and its conditions touch together.
#[derive(Debug)]
pub(crate) struct MetaParts {
    pub(crate) access: Access,
    /// Resources without which it can't run.
    pub(crate) required: Vec<ResourceId>,
    /// The sections of its locals.
    pub(crate) locals: Vec<SectionId>,
    /// What it reads of events, and the section of each cursor.
    pub(crate) readers: Vec<(EventId, SectionId)>,
    /// The first parameter that asks for a component type which is not registered.
    pub(crate) unmatched: Option<&'static str>,
}

impl MetaParts {
    /// Adds what a condition reads: it runs right before the system, so that it never clashes with it.
    pub(crate) fn join(&mut self, condition: Self) {
        let mut reads = condition.access.resource_reads;
        reads.subtract(&self.access.resource_writes);
        self.access.resource_reads.union_with(&reads);
        self.required.extend(condition.required);
    }
}

/// What to do about two parameters that record.
fn one_lane(param: &str) -> &'static str {
    match param {
        "Commands" => "; `EventWriter<E>` is `Commands<E>`: name all events in one parameter, `Commands<(D, E)>`",
        _ => "",
    }
}

fn only_one(taken: &mut bool, param: &'static str) -> Result<(), ParamError> {
    if core::mem::replace(taken, true) { Err(ParamError::Twice { param }) } else { Ok(()) }
}

fn clash_names(conflict: &crate::access::Conflict, world: &World) -> String {
    let components = conflict.components.iter().map(|bit| component_name(world.components(), bit));
    let resources =
        conflict.resources.iter().map(|bit| world.resource_registry().name(ResourceId::from_bit(bit)).to_owned());
    components.chain(resources).collect::<Vec<_>>().join("`, `")
}

/// The name of a component by its number in access sets.
pub(crate) fn component_name(components: &Components, bit: u32) -> String {
    let id = crate::component::ComponentId::from_bit(bit);
    components.info(id).map_or_else(|| format!("{id:?}"), |info| info.name().to_owned())
}
