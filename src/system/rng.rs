#![expect(unsafe_code, reason = "parameters are made under the access that the caller of a system holds")]

use core::ops::{Deref, DerefMut};

use super::param::{Binding, Run};
use super::row_params::{RowParam, Shared};
use super::{Context, ParamError, SectionId, SystemMeta, SystemParam};
use crate::entity::Entity;
use crate::rng::{RowKey, Stream, StreamKey};
use crate::storage::SectionKey;
use crate::world::World;

/// A parameter that draws random numbers: a [`Stream`], to which it dereferences.
///
/// * In a **query** system it is the stream of the system, which goes on from run to run. Where it stands is state.
/// * In an **each** system it is the stream of the row, which starts anew in each tick: it depends on the tick and the
///   entity, not on other rows, batches or threads, and it is no state.
/// * Loops of a query system draw by row from [`for_entity`](Self::for_entity), also those that several hands share.
///
/// Chunk and exclusive systems have none: the first draw by row, in a query system with
/// [`par_for_each_batch`](crate::query::Query::par_for_each_batch), the others keep a [`Stream`] in a resource.
///
/// The system needs a key: its name, if it was [named](super::IntoSystemConfig::named), or that of
/// [`stream`](super::IntoSystemConfig::stream). The world needs a [seed](crate::world::WorldBuilder::seed).
///
/// # Determinism
///
/// What is drawn depends on the seed, the key, and what the system itself drew before (by row: the tick and the entity). To
/// add, remove or reorder other systems changes none of it.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Wolf { hunger: u32 }
///
/// fn prowl(wolf: &mut Wolf, mut rng: Rng) {
///     wolf.hunger += rng.range(1..=3);
/// }
///
/// fn breed(wolves: Query<&Wolf>, mut commands: Commands, mut rng: Rng) {
///     for wolf in &wolves {
///         if rng.chance(1, 20) {
///             commands.spawn(Wolf { hunger: wolf.hunger / 2 });
///         }
///     }
/// }
///
/// let play = |seed| -> Result<_, Box<dyn std::error::Error>> {
///     let mut world = World::builder().seed(seed).build()?;
///     world.spawn_batch([Wolf { hunger: 0 }; 100]);
///     let mut schedule = Schedule::new();
///     schedule.add(each(prowl).named("prowl"));
///     schedule.add(breed.named("breed"));
///     schedule.run(&mut world)?;
///     Ok(world.state_hash()?)
/// };
/// assert_eq!(play(42)?, play(42)?);
/// assert_ne!(play(42)?, play(43)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rng<'w> {
    drawn: Drawn<'w>,
    rows: RowKey,
}

/// Where the numbers come from.
#[derive(Debug)]
enum Drawn<'w> {
    System(&'w mut Stream),
    Row(Stream),
}

impl Rng<'_> {
    /// The stream of an entity in this tick, at its start.
    ///
    /// It depends on the seed, the key, the tick and the handle, so that it may be asked for in any order and on any hand;
    /// who asks twice gets the same numbers again. A row of an each system with the same key has this very stream.
    ///
    /// # Panics
    ///
    /// If the handle is pending: it stands for no entity yet.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy)]
    /// #[repr(C)]
    /// struct Luck(u32);
    ///
    /// fn throw(mut lucky: Query<(Entity, &mut Luck)>, rng: Rng) {
    ///     lucky.par_for_each(|(entity, luck)| luck.0 = rng.for_entity(entity).range(1..=6));
    /// }
    ///
    /// let mut world = World::builder().seed(42).build()?;
    /// world.spawn_batch([Luck(0); 1000]);
    /// let mut schedule = Schedule::new();
    /// schedule.add(throw.named("throw"));
    /// schedule.run(&mut world)?;
    /// assert_eq!(world.query::<&Luck, ()>().into_iter().map(|luck| luck.0).max(), Some(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn for_entity(&self, entity: Entity) -> Stream {
        assert!(
            !entity.is_pending(),
            "{entity} has no random numbers: it is pending; draw from the stream of the system, and hand over what was drawn"
        );
        self.rows.row(entity.to_bits())
    }

    /// The stream of a system.
    ///
    /// # Safety
    ///
    /// As for [`SystemParam::fetch`]; nobody else uses the stream while the parameter lives.
    pub(super) unsafe fn of_system<'w>(state: StreamState, context: &Context<'w>) -> Rng<'w> {
        // SAFETY: no other system of the schedule has the section, by its key, and no other schedule runs meanwhile; a
        // system has one parameter that uses it.
        let stream = unsafe { context.cell.sections().get_mut(state.section) };
        let drawn = Drawn::System(stream.expect("made when the system was bound"));
        // SAFETY: the contract is passed on.
        Rng { drawn, rows: unsafe { state.rows.of_tick(context) } }
    }
}

impl Deref for Rng<'_> {
    type Target = Stream;

    #[inline]
    fn deref(&self) -> &Stream {
        match &self.drawn {
            Drawn::System(stream) => stream,
            Drawn::Row(stream) => stream,
        }
    }
}

impl DerefMut for Rng<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Stream {
        match &mut self.drawn {
            Drawn::System(stream) => stream,
            Drawn::Row(stream) => stream,
        }
    }
}

/// What the streams of a system's rows follow from.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RowStreams {
    key: StreamKey,
    seed: SectionId,
}

impl RowStreams {
    fn bind(binding: &mut Binding<'_>) -> Result<Self, ParamError> {
        let (key, seed) = binding.meta.add_stream("Rng", binding.world)?;
        Ok(Self { key: StreamKey::new(key), seed })
    }

    /// # Safety
    ///
    /// As for [`SystemParam::fetch`].
    unsafe fn of_tick(self, context: &Context<'_>) -> RowKey {
        // SAFETY: nobody writes the seed while systems run.
        let seed = unsafe { context.cell.sections().get(self.seed) };
        self.key.of_rows(*seed.expect("a world keeps its seed"), context.tick)
    }
}

/// What the stream of a system follows from, and where it is kept.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct StreamState {
    rows: RowStreams,
    section: SectionId,
}

impl StreamState {
    /// Resolves the stream of a system; it starts now, unless the world has it from an earlier binding.
    pub(super) fn bind(world: &mut World, meta: &mut SystemMeta) -> Result<Self, ParamError> {
        let rows = RowStreams::bind(&mut Binding { world, meta })?;
        let name = meta.stream_key().unwrap_or_default();
        let seed = world.seed().unwrap_or_default();
        let start = || rows.key.of_system(seed);
        let section = world.sections_mut().ensure_with(SectionKey::Stream(name.to_owned()), start);
        Ok(Self { rows, section })
    }
}

// SAFETY: touches a section that is this system's alone while its schedule runs, and one parameter of a system may.
unsafe impl SystemParam for Rng<'_> {
    type State = StreamState;
    type Item<'w> = Rng<'w>;

    fn bind(binding: &mut Binding<'_>) -> Result<StreamState, ParamError> {
        StreamState::bind(binding.world, binding.meta)
    }

    unsafe fn fetch<'w>(state: &'w mut StreamState, run: &Run<'w>) -> Rng<'w> {
        // SAFETY: the contract is passed on; the section is this system's.
        unsafe { Rng::of_system(*state, &run.context) }
    }
}

impl Shared for RowStreams {
    type State = Self;
    type Fetch<'w> = RowKey;

    fn bind(binding: &mut Binding<'_>) -> Result<Self, ParamError> {
        Self::bind(binding)
    }

    unsafe fn fetch<'w>(state: Self, run: &Run<'w>) -> RowKey {
        // SAFETY: the contract is passed on.
        unsafe { state.of_tick(&run.context) }
    }
}

// SAFETY: hands out a stream of the row's own, made of its entity.
unsafe impl RowParam for Rng<'_> {
    type Term = Entity;
    type Shared = RowStreams;
    type Item<'w> = Rng<'w>;

    #[inline(always)]
    unsafe fn row<'w>(entity: Entity, rows: RowKey) -> Rng<'w> {
        Rng { drawn: Drawn::Row(rows.row(entity.to_bits())), rows }
    }
}
