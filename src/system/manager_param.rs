#![expect(unsafe_code, reason = "a manager is read beside systems, none of which writes it")]

use core::any::{Any, type_name};
use core::fmt;
use core::ops::Deref;

use super::param::{Binding, Run};
use super::{ParamError, SystemParam};
use crate::storage::SectionId;
use crate::world::NoManager;

/// A parameter that reads a manager, or a command buffer, of the [simulation](crate::simulation) that runs the system.
///
/// It conflicts with nothing: managers change at commit points only, when no system runs. The plan knows what is read all the same
/// ([`Access::manager_reads`](crate::access::Access::manager_reads)), and a simulation refuses a system that reads a manager which is
/// no state ([`Strictness::managers`](crate::simulation::Strictness::managers)). A world without the manager refuses the system
/// before anything runs, and so does one whose manager is being initialised.
pub struct Mgr<'w, M> {
    manager: &'w M,
}

impl<M> Clone for Mgr<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Mgr<'_, M> {}

impl<M> Deref for Mgr<'_, M> {
    type Target = M;

    #[inline]
    fn deref(&self) -> &M {
        self.manager
    }
}

impl<M: fmt::Debug> fmt::Debug for Mgr<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.manager, f)
    }
}

// SAFETY: touches a section that no system writes: only the simulation does, at commit points and between ticks.
unsafe impl<M: Any + Send + Sync> SystemParam for Mgr<'_, M> {
    type State = SectionId;
    type Item<'w> = Mgr<'w, M>;

    fn bind(binding: &mut Binding<'_>) -> Result<SectionId, ParamError> {
        binding.world.manager::<M>()?;
        binding.meta.add_manager(binding.world.manager_number::<M>()?);
        Ok(binding.world.manager_section::<M>()?)
    }

    unsafe fn fetch<'w>(section: &'w mut SectionId, run: &Run<'w>) -> Mgr<'w, M> {
        // SAFETY: nobody writes the section while systems run, and no `&mut World` is made of the cell meanwhile.
        let manager = unsafe { run.context.cell.sections().get(*section) };
        // Out of its place although it was there when the system was bound: the run fails with this text.
        Mgr { manager: manager.unwrap_or_else(|| panic!("{}", NoManager::AtWork { manager: type_name::<M>() })) }
    }
}
