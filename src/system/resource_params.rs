#![expect(unsafe_code, reason = "parameters split the shared world under the access that the plan granted")]

use core::any::type_name;
use core::fmt;
use core::ops::{Deref, DerefMut};

use super::param::{Binding, Run};
use super::{ParamError, SystemParam};
use crate::storage::SectionId;
use crate::storage::resources::{MutableResource, Resource};

/// A parameter that reads a resource.
///
/// The run is refused before any system starts if the world lacks it; ask for `Option<Res<T>>` where it may be missing.
pub struct Res<'w, T> {
    value: &'w T,
}

impl<'w, T: Resource> Res<'w, T> {
    /// # Safety
    ///
    /// As for [`SystemParam::fetch`].
    pub(super) unsafe fn of(section: SectionId, run: &Run<'w>) -> Self {
        // SAFETY: the caller holds the resource for reading.
        let value = unsafe { run.context.cell.sections().get(section) };
        Self { value: value.expect("required resources are checked before a system runs") }
    }
}

impl<T> Clone for Res<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Res<'_, T> {}

impl<T> Deref for Res<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Res<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.value, f)
    }
}

/// A parameter that writes a resource of class State or Host.
///
/// The run is refused before any system starts if the world lacks it; ask for `Option<ResMut<T>>` where it may be missing.
pub struct ResMut<'w, T> {
    value: &'w mut T,
}

impl<T> Deref for ResMut<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for ResMut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for ResMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.value, f)
    }
}

/// Declares a resource and finds its section.
fn bind<R: Resource>(
    param: &'static str,
    writes: bool,
    required: bool,
    binding: &mut Binding<'_>,
) -> Result<SectionId, ParamError> {
    let id = binding.world.ensure_resource::<R>();
    binding.meta.add_resource(param, id, writes, binding.world)?;
    if required {
        binding.meta.require(id);
    }
    Ok(binding.world.resource_registry().section(id))
}

// SAFETY: `bind` declares the resource as read.
unsafe impl<T: Resource> SystemParam for Option<Res<'_, T>> {
    type State = SectionId;
    type Item<'w> = Option<Res<'w, T>>;

    fn bind(binding: &mut Binding<'_>) -> Result<SectionId, ParamError> {
        bind::<T>(type_name::<Self>(), false, false, binding)
    }

    unsafe fn fetch<'w>(section: &'w mut SectionId, run: &Run<'w>) -> Self::Item<'w> {
        // SAFETY: the caller holds the resource for reading.
        unsafe { run.context.cell.sections().get(*section) }.map(|value| Res { value })
    }
}

// SAFETY: `bind` declares the resource as read.
unsafe impl<T: Resource> SystemParam for Res<'_, T> {
    type State = SectionId;
    type Item<'w> = Res<'w, T>;

    fn bind(binding: &mut Binding<'_>) -> Result<SectionId, ParamError> {
        bind::<T>(type_name::<Self>(), false, true, binding)
    }

    unsafe fn fetch<'w>(section: &'w mut SectionId, run: &Run<'w>) -> Self::Item<'w> {
        // SAFETY: the contract is passed on.
        unsafe { Self::Item::of(*section, run) }
    }
}

// SAFETY: `bind` declares the resource as written.
unsafe impl<T: MutableResource> SystemParam for Option<ResMut<'_, T>> {
    type State = SectionId;
    type Item<'w> = Option<ResMut<'w, T>>;

    fn bind(binding: &mut Binding<'_>) -> Result<SectionId, ParamError> {
        bind::<T>(type_name::<Self>(), true, false, binding)
    }

    unsafe fn fetch<'w>(section: &'w mut SectionId, run: &Run<'w>) -> Self::Item<'w> {
        // SAFETY: the caller holds the resource alone.
        unsafe { run.context.cell.sections().get_mut(*section) }.map(|value| ResMut { value })
    }
}

// SAFETY: `bind` declares the resource as written.
unsafe impl<T: MutableResource> SystemParam for ResMut<'_, T> {
    type State = SectionId;
    type Item<'w> = ResMut<'w, T>;

    fn bind(binding: &mut Binding<'_>) -> Result<SectionId, ParamError> {
        bind::<T>(type_name::<Self>(), true, true, binding)
    }

    unsafe fn fetch<'w>(section: &'w mut SectionId, run: &Run<'w>) -> Self::Item<'w> {
        // SAFETY: the contract is passed on.
        unsafe { Option::<ResMut<'_, T>>::fetch(section, run) }
            .expect("required resources are checked before a system runs")
    }
}
