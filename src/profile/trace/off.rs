//! The twin without `tracing`.

pub(super) struct Label;

impl Label {
    #[inline(always)]
    pub(super) fn new(_system: &str) -> Self {
        Self
    }
}

pub(super) struct Parent;

impl Parent {
    #[inline(always)]
    pub(super) fn current() -> Self {
        Self
    }
}

pub(super) struct Zone;

impl Zone {
    #[inline(always)]
    pub(super) fn tick(_number: u64) -> Self {
        Self
    }

    #[inline(always)]
    pub(super) fn system(_system: &Label, _parent: &Parent) -> Self {
        Self
    }

    #[inline(always)]
    pub(super) fn barrier(_segment: usize, _parent: &Parent) -> Self {
        Self
    }

    #[inline(always)]
    pub(super) fn batches(_system: &Label, _parent: &Parent) -> Self {
        Self
    }
}

#[inline(always)]
pub(super) fn record(_told: &super::Told<'_>) {}

#[inline(always)]
pub(super) fn frame(_tick: u64) {}

#[inline(always)]
pub(super) fn plot_entities(_count: usize) {}
