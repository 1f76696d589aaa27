#![expect(unsafe_code, reason = "parameters split the shared world under the access that the plan granted")]

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;

use super::param::{Binding, Run};
use super::{ParamError, SystemParam};
use crate::component::{ComponentId, Tracked};
use crate::entity::Entity;
use crate::storage::RemovalLog;

/// A parameter that tells which entities lost a tracked component since the system's last run, oldest first.
///
/// An entity is told when the loss takes effect: by `remove`, `take` or a despawn. A replacement is no loss, nor is the
/// removal of a component that was absent. An entity that lost the component twice is told twice. The log keeps entries
/// for [`removal_ticks`](crate::world::WorldBuilder::removal_ticks); a reader that runs more rarely is refused.
pub struct Removed<'w, T> {
    log: &'w RemovalLog,
    component: Option<ComponentId>,
    since: u64,
    marker: PhantomData<fn() -> T>,
}

impl<T: Tracked> Removed<'_, T> {
    /// The entities.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        let component = self.component;
        component.into_iter().flat_map(|id| self.log.since(id, self.since)).map(|removal| removal.entity)
    }
}

impl<T> fmt::Debug for Removed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Removed").field("since", &self.since).finish_non_exhaustive()
    }
}

// SAFETY: the log changes with structure only, hence never while a system runs that is not exclusive.
unsafe impl<T: Tracked> SystemParam for Removed<'_, T> {
    type State = Option<ComponentId>;
    type Item<'w> = Removed<'w, T>;

    fn bind(binding: &mut Binding<'_>) -> Result<Self::State, ParamError> {
        binding.meta.reads_removals = true;
        let component = binding.world.component_id::<T>();
        if component.is_none() {
            binding.meta.unmatched.get_or_insert(type_name::<Removed<'static, T>>());
        }
        Ok(component)
    }

    unsafe fn fetch<'w>(component: &'w mut Self::State, run: &Run<'w>) -> Self::Item<'w> {
        // SAFETY: no `&mut World` is made of the cell while this system runs.
        let log = unsafe { run.context.cell.storage() }.removals();
        Removed { log, component: *component, since: run.context.stamps.last, marker: PhantomData }
    }
}
