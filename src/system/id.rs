use core::fmt;
use core::num::NonZeroU32;

/// The number of a system in its schedule: dense from 1, in registration order.
///
/// # Determinism
///
/// Equal registrations give equal ids in every process and on every platform.
///
/// ```
/// use tickweave::system::SystemId;
/// let third = SystemId::from_index(2);
/// assert_eq!((third.get(), third.index()), (3, 2));
/// assert_eq!(third.to_string(), "s3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemId(NonZeroU32);

impl SystemId {
    /// The id of the system that was registered after `index` others.
    ///
    /// # Panics
    ///
    /// If `index` is `u32::MAX` or more.
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < u32::MAX as usize, "a schedule holds fewer than 2^32 systems");
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// The number itself, 1 for the first system.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// The place of the system in a table of all systems, 0 for the first.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.get() as usize - 1
    }
}

impl fmt::Display for SystemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.get())
    }
}
