#![expect(unsafe_code, reason = "rows are handed out under the access that was declared and granted")]

use core::any::type_name;
use core::cell::Cell;

use thiserror::Error;

use super::function::{ErasedSystem, IntoSystem};
use super::rng::StreamState;
use super::{Context, ParamError, Rng, Shape, System, SystemError, SystemMeta, SystemOutput};
use crate::access::{Access, QueryAccess};
use crate::command::Lane;
use crate::component::{Component, ComponentDescriptor, ComponentId};
use crate::query::{Query, QueryData, QueryFilter, ReadOnlyQueryData, Resolver, touches_only};
use crate::storage::resources::{MutableResource, Resource, ResourceId};
use crate::world::{ResourceError, World};

/// A system built by hand touched what it had not declared. The tick fails, whatever the system makes of the error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{touched}` touches what the system did not declare (or names a component twice); declare it with `reads`, `writes`, \
     `reads_resource`, `writes_resource`, `draws` or `records_commands`"
)]
pub struct UndeclaredAccess {
    /// The query or resource.
    pub touched: &'static str,
}

impl UndeclaredAccess {
    /// A stable code for programs: `undeclared-access`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "undeclared-access"
    }
}

/// Declares a resource of a type that is known where the declaration is made.
type ResourceDeclaration = fn(&mut World) -> ResourceId;

/// A system built by hand, for scripts and tools: it declares what it touches, and is held to it in every build.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Health(u32);
///
/// let mut world = World::builder().with_component::<Health>().build()?;
/// let wolf = world.spawn(Health(1));
/// let mut schedule = Schedule::new();
/// schedule.add(DynamicSystem::new("heal", |world: &mut DynamicWorld<'_>| {
///     world.query_mut::<&mut Health, ()>()?.for_each(|health| health.0 += 1);
///     Ok::<(), SystemError>(())
/// }).writes::<Health>());
/// schedule.run(&mut world)?;
/// assert_eq!(world.get::<Health>(wolf)?.0, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DynamicSystem<F> {
    name: &'static str,
    function: F,
    components: Vec<(ComponentDescriptor, bool)>,
    resources: Vec<(ResourceDeclaration, &'static str, bool)>,
    records_commands: bool,
    draws: bool,
    stream: Option<StreamState>,
    access: Access,
}

impl<F> core::fmt::Debug for DynamicSystem<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DynamicSystem").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<Out: SystemOutput, F: FnMut(&mut DynamicWorld<'_>) -> Out + Send + 'static> DynamicSystem<F> {
    /// A system that touches nothing yet.
    #[must_use]
    pub fn new(name: &'static str, function: F) -> Self {
        Self {
            name,
            function,
            components: Vec::new(),
            resources: Vec::new(),
            records_commands: false,
            draws: false,
            stream: None,
            access: Access::default(),
        }
    }

    /// Declares that it reads a component.
    #[must_use]
    pub fn reads<T: Component>(mut self) -> Self {
        self.components.push((ComponentDescriptor::of::<T>(), false));
        self
    }

    /// Declares that it writes a component, and may read it.
    #[must_use]
    pub fn writes<T: Component>(mut self) -> Self {
        self.components.push((ComponentDescriptor::of::<T>(), true));
        self
    }

    /// Declares that it reads a resource.
    #[must_use]
    pub fn reads_resource<R: Resource>(mut self) -> Self {
        self.resources.push((World::ensure_resource::<R>, type_name::<R>(), false));
        self
    }

    /// Declares that it writes a resource, and may read it.
    #[must_use]
    pub fn writes_resource<R: MutableResource>(mut self) -> Self {
        self.resources.push((World::ensure_resource::<R>, type_name::<R>(), true));
        self
    }

    /// Declares that it records commands.
    #[must_use]
    pub fn records_commands(mut self) -> Self {
        self.records_commands = true;
        self
    }

    /// Declares that it draws random numbers; it needs a name by `named` or a key by `stream` then.
    #[must_use]
    pub fn draws(mut self) -> Self {
        self.draws = true;
        self
    }
}

/// Marks [`IntoSystem`] of systems built by hand.
#[doc(hidden)]
#[derive(Debug)]
pub struct IsDynamic;

#[diagnostic::do_not_recommend]
impl<Out: SystemOutput, F> IntoSystem<(IsDynamic, Out)> for DynamicSystem<F>
where
    F: FnMut(&mut DynamicWorld<'_>) -> Out + Send + 'static,
{
    fn into_system(self) -> ErasedSystem {
        ErasedSystem(Box::new(self))
    }
}

impl<Out: SystemOutput, F: FnMut(&mut DynamicWorld<'_>) -> Out + Send + 'static> System for DynamicSystem<F> {
    fn type_name(&self) -> &'static str {
        self.name
    }

    fn captures(&self) -> bool {
        size_of::<F>() != 0
    }

    fn shape(&self) -> Shape {
        Shape::Query
    }

    fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError> {
        let mut query = QueryAccess::default();
        for (descriptor, writes) in &self.components {
            let id = declared(descriptor, world)?;
            if query.reads.contains(id.bit()) || query.writes.contains(id.bit()) {
                return Err(ParamError::DeclaredTwice { name: descriptor.name });
            }
            let set = if *writes { &mut query.writes } else { &mut query.reads };
            set.insert(id.bit());
        }
        meta.add_query(self.name, query.clone(), world)?;
        self.access = Access { queries: vec![query], ..Access::default() };
        for (ensure, name, writes) in &self.resources {
            let id = ensure(world);
            meta.add_resource(name, id, *writes, world)?;
            let set = if *writes { &mut self.access.resource_writes } else { &mut self.access.resource_reads };
            set.insert(id.bit());
        }
        self.stream = self.draws.then(|| StreamState::bind(world, meta)).transpose()?;
        if self.records_commands { meta.add_commands("commands") } else { Ok(()) }
    }

    unsafe fn run(&mut self, context: &Context<'_>) -> Result<(), SystemError> {
        let (records_commands, stream) = (self.records_commands, self.stream);
        let mut world = DynamicWorld {
            context: *context,
            access: &self.access,
            records_commands,
            stream,
            undeclared: Cell::new(None),
        };
        let outcome = (self.function)(&mut world).into_result();
        match world.undeclared.take() {
            Some(touched) => Err(UndeclaredAccess { touched }.into()),
            None => outcome,
        }
    }
}

fn declared(descriptor: &ComponentDescriptor, world: &World) -> Result<ComponentId, ParamError> {
    let id = world.components().id_of_type(descriptor.type_id);
    id.ok_or(ParamError::Unregistered { name: descriptor.name })
}

/// The part of a world that a [`DynamicSystem`] declared.
pub struct DynamicWorld<'w> {
    context: Context<'w>,
    access: &'w Access,
    records_commands: bool,
    stream: Option<StreamState>,
    undeclared: Cell<Option<&'static str>>,
}

impl core::fmt::Debug for DynamicWorld<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("DynamicWorld").field("access", &self.access).finish_non_exhaustive()
    }
}

impl DynamicWorld<'_> {
    /// The rows that have what the terms ask for and that the filter lets pass, for reading.
    ///
    /// # Errors
    ///
    /// [`UndeclaredAccess`] if a component was not declared.
    pub fn query<D: ReadOnlyQueryData, F: QueryFilter>(&self) -> Result<Query<'_, D, F>, UndeclaredAccess> {
        // SAFETY: the terms only read.
        unsafe { self.rows() }
    }

    /// The rows that have what the terms ask for and that the filter lets pass.
    ///
    /// # Errors
    ///
    /// [`UndeclaredAccess`] if a component was not declared (for writing, where the terms write), or the terms name one
    /// twice.
    pub fn query_mut<D: QueryData, F: QueryFilter>(&mut self) -> Result<Query<'_, D, F>, UndeclaredAccess> {
        // SAFETY: `self` is borrowed mutably while the query lives.
        unsafe { self.rows() }
    }

    /// # Safety
    ///
    /// While the query lives, no other query or reference made of `self` meets it, unless both only read.
    unsafe fn rows<D: QueryData, F: QueryFilter>(&self) -> Result<Query<'_, D, F>, UndeclaredAccess> {
        // SAFETY: no `&mut World` is made of the cell while this system runs.
        let (storage, components) = unsafe { (self.context.cell.storage(), self.context.cell.components()) };
        let resolver = Resolver::new(components);
        let (data, filter, hidden) = (D::resolve(resolver), F::resolve(resolver), components.hidden());
        if !touches_only::<D, F>(data, filter, &self.access.queries[0]) {
            return Err(self.refuse(type_name::<D>()));
        }
        // SAFETY: what the query touches was declared and hence granted; the rest is this function's contract.
        let query = unsafe { Query::scan(storage, hidden, data, filter, self.context.stamps) };
        Ok(query.with_team(self.context.team))
    }

    /// A resource.
    ///
    /// # Errors
    ///
    /// [`UndeclaredAccess`] if it was not declared, [`ResourceError`] if the world lacks it.
    pub fn resource<R: Resource>(&self) -> Result<&R, SystemError> {
        // SAFETY: no `&mut World` is made of the cell while this system runs.
        let (sections, resources) = unsafe { (self.context.cell.sections(), self.context.cell.resources()) };
        let id = resources.id_of::<R>();
        let readable = |id: &ResourceId| {
            self.access.resource_reads.contains(id.bit()) || self.access.resource_writes.contains(id.bit())
        };
        let id = id.filter(readable).ok_or_else(|| self.refuse(type_name::<R>()))?;
        // SAFETY: the resource was declared, and `self` is borrowed while the reference lives.
        let value = unsafe { sections.get(resources.section(id)) };
        Ok(value.ok_or(ResourceError { resource: type_name::<R>() })?)
    }

    /// A resource, for writing.
    ///
    /// # Errors
    ///
    /// [`UndeclaredAccess`] if it was not declared for writing, [`ResourceError`] if the world lacks it.
    pub fn resource_mut<R: MutableResource>(&mut self) -> Result<&mut R, SystemError> {
        // SAFETY: no `&mut World` is made of the cell while this system runs.
        let (sections, resources) = unsafe { (self.context.cell.sections(), self.context.cell.resources()) };
        let id = resources.id_of::<R>().filter(|id| self.access.resource_writes.contains(id.bit()));
        let id = id.ok_or_else(|| self.refuse(type_name::<R>()))?;
        // SAFETY: the resource was declared for writing, and `self` is borrowed mutably while the reference lives.
        let value = unsafe { sections.get_mut(resources.section(id)) };
        Ok(value.ok_or(ResourceError { resource: type_name::<R>() })?)
    }

    /// Where it records commands.
    ///
    /// # Errors
    ///
    /// [`UndeclaredAccess`] if `records_commands` was not declared.
    pub fn commands(&mut self) -> Result<&mut Lane, UndeclaredAccess> {
        if !self.records_commands {
            return Err(self.refuse("commands"));
        }
        // SAFETY: the lane is the system's alone while it runs, and `self` is borrowed mutably while the reference lives.
        Ok(unsafe { &mut *self.context.lane })
    }

    /// Its random numbers.
    ///
    /// # Errors
    ///
    /// [`UndeclaredAccess`] if `draws` was not declared.
    pub fn rng(&mut self) -> Result<Rng<'_>, UndeclaredAccess> {
        match self.stream {
            // SAFETY: the stream is the system's alone while it runs, and `self` is borrowed mutably while the parameter lives.
            Some(stream) => Ok(unsafe { Rng::of_system(stream, &self.context) }),
            None => Err(self.refuse("random numbers")),
        }
    }

    /// The number of the tick that runs.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.context.tick
    }

    fn refuse(&self, touched: &'static str) -> UndeclaredAccess {
        self.undeclared.set(Some(touched));
        UndeclaredAccess { touched }
    }
}
