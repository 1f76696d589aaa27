#![expect(unsafe_code, reason = "parameters split the shared world under the access that the plan granted")]

use core::any::{Any, type_name};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::{Context, ParamError, SystemError, SystemMeta};
use crate::access::QueryAccess;
use crate::command::Lane;
use crate::event::{EventError, EventSet};
use crate::query::{MatchCache, Query, QueryData, QueryFilter, Resolver, access_of, can_match};
use crate::storage::SectionId;
use crate::value::StateValue;
use crate::world::World;

/// A parameter of a system function: what the function is given, and the access that it needs.
///
/// [`Query`], [`Lookup`](crate::query::Lookup), [`Res`](super::Res), [`ResMut`](super::ResMut), [`Commands`], [`EventWriter`],
/// [`EventReader`](super::EventReader), [`Local`], [`Tick`], [`Rng`](super::Rng), [`Removed`](super::Removed), [`Mgr`](super::Mgr),
/// [`Host`], `Option<Res<..>>`, `Option<ResMut<..>>` and tuples of parameters.
///
/// # Safety
///
/// `bind` declares everything that `fetch` touches, and that the item then can touch.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a system",
    label = "not a system parameter",
    note = "parameters are `Query<..>`, `Lookup<..>`, `Res<..>`, `ResMut<..>`, `Commands`, `EventWriter<..>`, `Local<..>`, `Tick`, `Rng`, `EventReader<..>`, `Removed<..>`, `Mgr<..>`, `Host<..>` and tuples of them",
    note = "a function over rows is added with `each(..)`, one over slices with `chunk(..)`"
)]
pub unsafe trait SystemParam {
    /// What is resolved once, when the system is bound to a world.
    #[doc(hidden)]
    type State: Send + 'static;
    /// The parameter for one run.
    type Item<'w>: SystemParam;

    /// Resolves the parameter for a world and declares what it touches.
    #[doc(hidden)]
    fn bind(binding: &mut Binding<'_>) -> Result<Self::State, ParamError>;

    /// Makes the parameter for one run.
    ///
    /// # Safety
    ///
    /// The state was bound to the run's world as it is now, and the caller holds the declared access while the item lives.
    #[doc(hidden)]
    unsafe fn fetch<'w>(state: &'w mut Self::State, run: &Run<'w>) -> Self::Item<'w>;
}

/// Binds the parameters of one system to a world.
#[doc(hidden)]
pub struct Binding<'b> {
    pub(super) world: &'b mut World,
    pub(super) meta: &'b mut SystemMeta,
}

impl fmt::Debug for Binding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Binding").finish_non_exhaustive()
    }
}

/// What the parameters of one run are made of.
#[doc(hidden)]
#[derive(Debug)]
pub struct Run<'w> {
    pub(super) context: Context<'w>,
}

/// Ids and matched archetypes of a query parameter.
#[doc(hidden)]
pub struct QueryState<D: QueryData, F: QueryFilter> {
    data: D::State,
    filter: F::State,
    cache: MatchCache,
}

impl<D: QueryData, F: QueryFilter> QueryState<D, F> {
    /// Resolves a query and declares what it touches.
    pub(super) fn bind(param: &'static str, binding: &mut Binding<'_>) -> Result<Self, ParamError> {
        let resolver = Resolver::new(binding.world.components());
        let (data, filter) = (D::resolve(resolver), F::resolve(resolver));
        let hidden = binding.world.components().hidden();
        let access = access_of::<D, F>(data, filter, hidden).map_err(|component| ParamError::ClashInParam {
            param,
            component: super::meta::component_name(binding.world.components(), component.bit()),
        })?;
        // Until the missing type is registered, after which the schedule is bound anew, the query touches nothing.
        let access = if can_match::<D, F>(data, filter) {
            access
        } else {
            binding.meta.unmatched.get_or_insert(param);
            QueryAccess::default()
        };
        binding.meta.add_query(param, access, binding.world)?;
        Ok(Self { data, filter, cache: MatchCache::default() })
    }

    /// Calls `each` with every chunk that the query yields, in query order: its fetches and how many rows it has.
    ///
    /// # Safety
    ///
    /// As for [`SystemParam::fetch`].
    #[inline(always)]
    pub(super) unsafe fn for_each_chunk<'w>(
        &mut self,
        context: &Context<'w>,
        each: impl FnMut(D::Fetch<'w>, F::Fetch<'w>, u32) -> Result<(), SystemError>,
    ) -> Result<(), SystemError> {
        // SAFETY: the caller holds the access that was declared for the terms, nothing changes structure while a system that
        // is not exclusive runs, and the cache is that of the terms and the filter.
        unsafe {
            let (storage, hidden) = (context.cell.storage(), context.cell.components().hidden());
            self.cache.try_for_each_chunk::<D, F, _>((self.data, self.filter), hidden, storage, context.stamps, each)
        }
    }

    /// # Safety
    ///
    /// As for [`SystemParam::fetch`].
    pub(super) unsafe fn query<'w>(&'w mut self, context: &Context<'w>) -> Query<'w, D, F> {
        // SAFETY: the caller holds the access that was declared for the terms; nothing changes structure while a system
        // that is not exclusive runs, and an exclusive one has no query parameter.
        unsafe {
            let (storage, hidden) = (context.cell.storage(), context.cell.components().hidden());
            self.cache.update::<D, F>(self.data, self.filter, hidden, storage);
            let query = Query::cached(storage, hidden, self.data, self.filter, &self.cache, context.stamps);
            query.with_team(context.team)
        }
    }
}

// SAFETY: `bind` declares what the terms and the filter touch.
unsafe impl<D: QueryData + 'static, F: QueryFilter + 'static> SystemParam for Query<'_, D, F> {
    type State = QueryState<D, F>;
    type Item<'w> = Query<'w, D, F>;

    fn bind(binding: &mut Binding<'_>) -> Result<Self::State, ParamError> {
        QueryState::bind(type_name::<Self>(), binding)
    }

    unsafe fn fetch<'w>(state: &'w mut Self::State, run: &Run<'w>) -> Self::Item<'w> {
        // SAFETY: the contract is passed on.
        unsafe { state.query(&run.context) }
    }
}

/// A parameter that records commands: a [`Lane`], to which it dereferences.
///
/// What is recorded takes effect at the next barrier, in schedule order.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Health(u32);
///
/// fn bury(dead: Query<(Entity, &Health)>, mut commands: Commands) {
///     for (entity, health) in &dead {
///         if health.0 == 0 {
///             commands.despawn(entity);
///         }
///     }
/// }
///
/// let mut world = World::new();
/// world.spawn_batch([Health(0), Health(7)]);
/// let mut schedule = Schedule::new();
/// schedule.add(bury);
/// schedule.run(&mut world)?;
/// assert_eq!(world.len(), 1);
/// # Ok::<(), RunError>(())
/// ```
///
/// `Commands<E>` says that the system also [sends](Lane::send) events of type `E`, `Commands<(D, E)>` that it sends two types:
/// a world without them is refused before anything runs. A system records into one lane, so it has one such parameter;
/// where it only sends, [`EventWriter`] is a better name for it.
pub struct Commands<'w, E = ()> {
    pub(super) lane: &'w mut Lane,
    events: PhantomData<fn() -> E>,
}

/// A parameter that sends events: [`Commands`] that say which.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Height(u32);
/// #[derive(Clone, StateValue, Event)]
/// struct Landed(Entity);
///
/// fn fall(height: &mut Height, entity: Entity, mut landed: EventWriter<Landed>) {
///     height.0 -= 1;
///     if height.0 == 0 {
///         landed.send(Landed(entity));
///     }
/// }
///
/// let mut world = World::new();
/// world.add_event::<Landed>()?;
/// let stones = world.spawn_batch([Height(1), Height(2), Height(1)]);
/// let mut schedule = Schedule::new();
/// schedule.add(each(fall));
/// schedule.run(&mut world)?;
/// let landed: Vec<Entity> = world.events::<Landed>()?.iter().map(|landed| landed.0).collect();
/// assert_eq!(landed, [stones[0], stones[2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type EventWriter<'w, E> = Commands<'w, E>;

impl<'w, E> Commands<'w, E> {
    pub(super) const fn new(lane: &'w mut Lane) -> Self {
        Self { lane, events: PhantomData }
    }
}

impl<E: EventSet> Commands<'_, E> {
    /// Declares that the system records, and looks whether the world has what it sends.
    pub(super) fn declare(binding: &mut Binding<'_>) -> Result<(), ParamError> {
        let mut unknown = None;
        E::for_each_type(&mut |type_id, event| {
            if unknown.is_none() && binding.world.event_registry().id_of(type_id).is_none() {
                unknown = Some(EventError::NotAdded { event });
            }
        });
        unknown.map_or_else(|| binding.meta.add_commands("Commands"), |error| Err(error.into()))
    }
}

impl<E> fmt::Debug for Commands<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commands").field("lane", &self.lane).finish()
    }
}

impl<E> Deref for Commands<'_, E> {
    type Target = Lane;

    fn deref(&self) -> &Lane {
        self.lane
    }
}

impl<E> DerefMut for Commands<'_, E> {
    fn deref_mut(&mut self) -> &mut Lane {
        self.lane
    }
}

// SAFETY: touches the system's own lane only, and one parameter of a system may.
unsafe impl<E: EventSet> SystemParam for Commands<'_, E> {
    type State = ();
    type Item<'w> = Commands<'w, E>;

    fn bind(binding: &mut Binding<'_>) -> Result<(), ParamError> {
        Self::declare(binding)
    }

    unsafe fn fetch<'w>((): &'w mut (), run: &Run<'w>) -> Commands<'w, E> {
        // SAFETY: the lane is the system's alone while it runs, and no other parameter refers to it.
        Commands::new(unsafe { &mut *run.context.lane })
    }
}

/// A parameter that keeps a value of the system's own from run to run.
///
/// It is state: hashed, and kept in snapshots of the world. It starts as `T::default()`. Each system has its own, also
/// where two systems run the same function.
///
/// ```
/// use tickweave::prelude::*;
///
/// fn count(mut runs: Local<u32>) -> Result<(), String> {
///     *runs += 1;
///     if *runs < 3 { Ok(()) } else { Err(format!("{} runs", *runs)) }
/// }
///
/// let mut world = World::new();
/// let mut schedule = Schedule::new();
/// schedule.add(count);
/// schedule.run(&mut world)?;
/// schedule.run(&mut world)?;
/// assert!(schedule.run(&mut world).is_err());
/// # Ok::<(), RunError>(())
/// ```
pub struct Local<'w, T> {
    value: &'w mut T,
}

impl<T> Deref for Local<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for Local<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Local<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.value, f)
    }
}

// SAFETY: touches a section that is this system's alone, by its key.
unsafe impl<T: StateValue + Default> SystemParam for Local<'_, T> {
    type State = SectionId;
    type Item<'w> = Local<'w, T>;

    fn bind(binding: &mut Binding<'_>) -> Result<SectionId, ParamError> {
        binding.meta.local::<T>(type_name::<Self>(), binding.world)
    }

    unsafe fn fetch<'w>(section: &'w mut SectionId, run: &Run<'w>) -> Local<'w, T> {
        // SAFETY: each local of each system has a section of its own, and a system runs once at a time.
        let value = unsafe { run.context.cell.sections().get_mut(*section) };
        Local { value: value.expect("set when the system was bound") }
    }
}

/// A parameter that tells the number of the tick that runs, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(pub u64);

// SAFETY: touches nothing.
unsafe impl SystemParam for Tick {
    type State = ();
    type Item<'w> = Self;

    fn bind(_: &mut Binding<'_>) -> Result<(), ParamError> {
        Ok(())
    }

    unsafe fn fetch<'w>((): &'w mut (), run: &Run<'w>) -> Self {
        Self(run.context.tick)
    }
}

/// A parameter that gives a pinned system what the host lends to the run; it may be `!Send`.
///
/// A system with this parameter runs on the thread that called `run_with`.
///
/// ```
/// use std::rc::Rc;
/// use tickweave::prelude::*;
///
/// struct Screen { lines: Rc<Vec<String>>, drawn: usize }
///
/// fn draw(entities: Query<Entity>, mut screen: Host<Screen>) {
///     screen.drawn = entities.count() + screen.lines.len();
/// }
///
/// let mut world = World::new();
/// world.spawn(());
/// let mut screen = Screen { lines: Rc::new(vec![]), drawn: 0 };
/// let mut schedule = Schedule::new();
/// schedule.add(draw);
/// schedule.run_with(&mut world, &mut screen)?;
/// assert_eq!(screen.drawn, 1);
/// # Ok::<(), RunError>(())
/// ```
#[derive(Debug)]
pub struct Host<'w, T> {
    value: &'w mut T,
    not_send: PhantomData<*mut ()>,
}

impl<T> Deref for Host<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for Host<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

// SAFETY: touches what the host lends, which pinned systems use one after the other, and one parameter of a system may.
unsafe impl<T: Any> SystemParam for Host<'_, T> {
    type State = ();
    type Item<'w> = Host<'w, T>;

    fn bind(binding: &mut Binding<'_>) -> Result<(), ParamError> {
        binding.meta.add_host(type_name::<T>(), core::any::TypeId::of::<T>())
    }

    unsafe fn fetch<'w>((): &'w mut (), run: &Run<'w>) -> Host<'w, T> {
        // SAFETY: the host lends the value to the run for pinned systems only, which run one after the other on its thread.
        let value = run.context.host.and_then(|host| unsafe { &mut *host }.downcast_mut());
        Host { value: value.expect("checked before the tick"), not_send: PhantomData }
    }
}

macro_rules! tuple_params {
    ($($name:ident),*) => {
        // SAFETY: every member declares what it touches, and members that clash are refused.
        #[allow(unused_variables, non_snake_case, clippy::unused_unit, reason = "a macro for every arity, also none")]
        unsafe impl<$($name: SystemParam),*> SystemParam for ($($name,)*) {
            type State = ($($name::State,)*);
            type Item<'w> = ($($name::Item<'w>,)*);

            fn bind(binding: &mut Binding<'_>) -> Result<Self::State, ParamError> {
                Ok(($($name::bind(binding)?,)*))
            }

            #[inline]
            unsafe fn fetch<'w>(($($name,)*): &'w mut Self::State, run: &Run<'w>) -> Self::Item<'w> {
                // SAFETY: the contract is passed on to each member.
                ($(unsafe { $name::fetch($name, run) },)*)
            }
        }
    };
}

crate::tuples::every_arity!(tuple_params);
