use core::any::{Any, type_name};
use core::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::error::BuildError;
use super::manager::{CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, Verdict};
use crate::command::{Command, CommandTypes, EscapeScan, Lane, TypedQueue};
use crate::jobs::discard;
use crate::storage::{SectionHooks, SectionId, SectionKey};
use crate::value::StateValue;
use crate::world::World;

/// A value whose type is erased.
pub(super) type Erased = dyn Any + Send + Sync;

/// The managers, command buffers and typed commands of a simulation, each in the order of registration.
pub(super) struct Registry {
    /// The world that has the sections.
    home: u64,
    pub(super) types: Arc<CommandTypes>,
    /// Where the commands of each type go, by the number of the type.
    pub(super) routes: Vec<Route>,
    pub(super) buffers: Vec<Service>,
    pub(super) managers: Vec<Service>,
}

/// A manager or a command buffer.
pub(super) struct Service {
    pub(super) name: &'static str,
    pub(super) section: SectionId,
    pub(super) is_state: bool,
    /// Looks at its value for pending handles; at that of one that is no state nobody can.
    pub(super) escapes: EscapeScan,
    init: fn(&mut Erased, Init<'_>),
    pub(super) flush: fn(&mut Erased, &mut FlushContext<'_>),
    pub(super) reset: fn(&mut Erased),
}

/// What [`InitContext`] is made of.
struct Init<'i> {
    world: &'i mut World,
    registry: &'i mut Registry,
    section: SectionId,
    error: &'i mut Option<BuildError>,
}

/// The type of a command, and who takes it.
pub(super) struct Route {
    pub(super) command: &'static str,
    pub(super) queue: SectionId,
    pub(super) to: To,
}

#[derive(Clone, Copy)]
pub(super) enum To {
    Nobody,
    Handler { name: &'static str, section: SectionId, submit: Submit },
    Itself(Run),
}

/// Takes the next command of a queue and hands it to the handler in a section; `None` if either is not there.
pub(super) type Submit = fn(&mut World, Next, SectionId) -> Option<Verdict>;
/// Takes the next command of a queue and executes it.
pub(super) type Run = fn(&mut World, Next, &mut Lane) -> Option<()>;

/// Which command of a queue is taken.
#[derive(Clone, Copy)]
pub(super) struct Next {
    pub(super) queue: SectionId,
    pub(super) delayed: bool,
}

impl Next {
    fn take<C: Command>(self, world: &mut World) -> Option<C> {
        let queue = world.sections_mut().value_mut::<TypedQueue<C>>(self.queue)?;
        if self.delayed { queue.pop_delayed() } else { queue.pop_next() }
    }
}

impl Registry {
    pub(super) fn new(world: &mut World) -> Self {
        world.become_simulation();
        let types = Arc::new(CommandTypes::new(world));
        Self { home: world.id(), types, routes: Vec::new(), buffers: Vec::new(), managers: Vec::new() }
    }

    /// Whether the world is the one that has the sections: whoever has `&mut World` can put another one in its place.
    pub(super) const fn is_home(&self, world: &World) -> bool {
        self.home == world.id()
    }

    /// The route of a type, which is registered if it was not.
    pub(super) fn route<C: Command>(&mut self, world: &mut World) -> &mut Route {
        let types = Arc::get_mut(&mut self.types).expect("shared when everything is registered");
        let number = types.ensure::<C>(world) as usize;
        if number == self.routes.len() {
            let (command, queue) = self.types.queues()[number];
            self.routes.push(Route { command, queue, to: To::Nobody });
        }
        &mut self.routes[number]
    }

    /// Has the commands of a type execute themselves where nobody handles them.
    pub(super) fn execute<C: Execute>(&mut self, world: &mut World) {
        let route = self.route::<C>(world);
        if matches!(route.to, To::Nobody) {
            route.to = To::Itself(|world, next, lane| {
                let command = next.take::<C>(world)?;
                command.execute(world, lane);
                Some(())
            });
        }
    }

    /// Has the value in a section handle the commands of a type: in the world that has the sections, and in no other that was put
    /// in its place.
    pub(super) fn handle<C: Command, M: HandlesCommand<C>>(
        &mut self,
        world: &mut World,
        section: SectionId,
    ) -> Result<(), BuildError> {
        if !self.is_home(world) {
            return Err(BuildError::WorldReplaced { by: type_name::<M>() });
        }
        let route = self.route::<C>(world);
        if let To::Handler { name: first, .. } = route.to {
            return Err(BuildError::DuplicateHandler { command: route.command, first, second: type_name::<M>() });
        }
        let submit: Submit = |world, next, section| {
            let command = next.take::<C>(world)?;
            world.sections_mut().value_mut::<M>(section).map(|handler| handler.submit(command))
        };
        route.to = To::Handler { name: type_name::<M>(), section, submit };
        Ok(())
    }

    /// Adds a manager; without hooks it is no state.
    pub(super) fn add_manager<M: Manager>(
        &mut self,
        world: &mut World,
        manager: M,
        hooks: Option<SectionHooks>,
    ) -> Result<(), BuildError> {
        let key = SectionKey::Manager(type_name::<M>(), core::any::TypeId::of::<M>());
        let service = Service {
            init: |value, init| {
                let Init { world, registry, section, error } = init;
                let mut context = InitContext { world, registry, section, error, manager: PhantomData };
                if let Some(manager) = value.downcast_mut::<M>() {
                    manager.init(&mut context);
                }
            },
            flush: |value, context| {
                if let Some(manager) = value.downcast_mut::<M>() {
                    manager.flush(context);
                }
            },
            reset: |value| {
                if let Some(manager) = value.downcast_mut::<M>() {
                    manager.reset();
                }
            },
            ..Service::add(world, key, hooks, manager)?
        };
        self.managers.push(service);
        Ok(())
    }

    /// Adds a command buffer.
    pub(super) fn add_buffer<B: CustomBuffer + StateValue>(
        &mut self,
        world: &mut World,
        buffer: B,
    ) -> Result<(), BuildError> {
        let key = SectionKey::Buffer(type_name::<B>(), core::any::TypeId::of::<B>());
        let service = Service {
            flush: |value, context| {
                if let Some(buffer) = value.downcast_mut::<B>() {
                    buffer.flush(context);
                }
            },
            reset: |value| {
                if let Some(buffer) = value.downcast_mut::<B>() {
                    buffer.clear();
                }
            },
            ..Service::add(world, key, Some(SectionHooks::of::<B>()), buffer)?
        };
        self.buffers.push(service);
        Ok(())
    }

    /// Initialises every manager, in order.
    pub(super) fn init(&mut self, world: &mut World) -> Result<(), BuildError> {
        for index in 0..self.managers.len() {
            let Service { section, init, name, .. } = self.managers[index];
            let mut error = None;
            let loaded = world.with_section(section, |world, manager| {
                init(manager, Init { world, registry: self, section, error: &mut error });
                self.is_home(world) && world.sections_mut().holds_value(section)
            });
            error.map_or(Ok(()), Err)?;
            if !self.is_home(world) {
                return Err(BuildError::WorldReplaced { by: name });
            }
            if loaded == Some(true) {
                return Err(BuildError::LoadedInInit { manager: name });
            }
        }
        Ok(())
    }

    /// Every type of command has somebody who takes it.
    pub(super) fn check(&self) -> Result<(), BuildError> {
        let lost = self.routes.iter().find(|route| matches!(route.to, To::Nobody));
        lost.map_or(Ok(()), |route| Err(BuildError::NoHandler { command: route.command }))
    }

    /// The first manager that is no state.
    pub(super) fn opaque_manager(&self) -> Option<&'static str> {
        self.managers.iter().find(|manager| !manager.is_state).map(|manager| manager.name)
    }

    /// Has managers reset, then buffers cleared, in order.
    pub(super) fn reset(&self, world: &mut World) {
        for service in self.managers.iter().chain(&self.buffers) {
            world.with_section(service.section, |_, value| (service.reset)(value));
        }
    }

    /// Has buffers cleared, in order, after a failure that is reported: one that panics as well changes nothing of it, nor of
    /// the others.
    pub(super) fn clear_buffers(&self, world: &mut World) {
        for buffer in &self.buffers {
            let clear = || world.with_section(buffer.section, |_, value| (buffer.reset)(value));
            if let Err(payload) = catch_unwind(AssertUnwindSafe(clear)) {
                discard(payload);
            }
        }
    }
}

impl Service {
    fn add<M: Any + Send + Sync>(
        world: &mut World,
        key: SectionKey,
        hooks: Option<SectionHooks>,
        value: M,
    ) -> Result<Self, BuildError> {
        let (name, is_state) = (type_name::<M>(), hooks.is_some());
        let section = world.add_manager(key, hooks, value).ok_or(BuildError::DuplicateManager { manager: name })?;
        let escapes = EscapeScan::of_section(section);
        Ok(Self { name, section, is_state, escapes, init: |_, _| {}, flush: |_, _| {}, reset: |_| {} })
    }
}
