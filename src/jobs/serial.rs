//! The twin of `rayon.rs` for builds without threads: nobody comes, and the caller does everything.

use std::sync::Arc;

use super::crew::Crew;
use super::pool::PoolError;

/// Where hands would come from.
#[derive(Debug)]
pub(super) struct Source;

impl Source {
    pub(super) fn own(_: u32, _: &Arc<Crew>) -> Result<Self, PoolError> {
        Ok(Self)
    }

    pub(super) const fn current() -> Self {
        Self
    }

    pub(super) const fn threads(&self) -> u32 {
        1
    }

    pub(super) fn summon(&self, _: &Arc<Crew>) {}
}
