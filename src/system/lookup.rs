#![expect(unsafe_code, reason = "parameters are made under the access that the caller of a system holds")]

use core::any::type_name;
use core::marker::PhantomData;

use super::param::{Binding, Run};
use super::row_params::Shared;
use super::{ParamError, SystemParam};
use crate::query::{Lookup, ReadOnlyQueryData, Resolver, can_match, reads_of};

/// Resolves the terms and declares that they are read of any entity.
fn bind<D: ReadOnlyQueryData + 'static>(binding: &mut Binding<'_>) -> Result<D::State, ParamError> {
    let (data, param) = (D::resolve(Resolver::new(binding.world.components())), type_name::<Lookup<'static, D>>());
    if !can_match::<D, ()>(data, ()) {
        binding.meta.unmatched.get_or_insert(param);
    }
    binding.meta.add_lookup(param, reads_of::<D>(data), binding.world)?;
    Ok(data)
}

/// # Safety
///
/// As for [`SystemParam::fetch`].
unsafe fn fetch<'w, D: ReadOnlyQueryData + 'static>(data: D::State, run: &Run<'w>) -> Lookup<'w, D> {
    // SAFETY: the caller holds what the terms read, of every entity; nothing changes structure while a system that is not
    // exclusive runs, and an exclusive one has no lookup.
    unsafe { Lookup::new(run.context.cell.storage(), data) }
}

// SAFETY: `bind` declares what the terms read, of any entity.
unsafe impl<D: ReadOnlyQueryData + 'static> SystemParam for Lookup<'_, D> {
    type State = D::State;
    type Item<'w> = Lookup<'w, D>;

    fn bind(binding: &mut Binding<'_>) -> Result<D::State, ParamError> {
        bind::<D>(binding)
    }

    unsafe fn fetch<'w>(data: &'w mut D::State, run: &Run<'w>) -> Lookup<'w, D> {
        // SAFETY: the contract is passed on.
        unsafe { fetch(*data, run) }
    }
}

/// A lookup is shared by all rows.
#[doc(hidden)]
#[derive(Debug)]
pub struct SharedLookup<D>(PhantomData<fn() -> D>);

impl<D: ReadOnlyQueryData + 'static> Shared for SharedLookup<D> {
    type State = D::State;
    type Fetch<'w> = Lookup<'w, D>;

    fn bind(binding: &mut Binding<'_>) -> Result<D::State, ParamError> {
        bind::<D>(binding)
    }

    unsafe fn fetch<'w>(data: D::State, run: &Run<'w>) -> Lookup<'w, D> {
        // SAFETY: the contract is passed on.
        unsafe { fetch(data, run) }
    }
}
