use core::fmt::Display;
use core::ops::{Range, RangeInclusive};

use super::Stream;

/// An integer type of at most 64 bits, of which a [`Stream`] draws numbers.
///
/// `usize` and `isize` are among them, for indices: what is drawn does not depend on how wide they are.
pub trait Integer: Copy + PartialOrd + Display + private::Sealed {
    /// How far it is from `low` up to this number.
    #[doc(hidden)]
    fn above(self, low: Self) -> u64;

    /// The number that is so far above this one.
    #[doc(hidden)]
    #[must_use]
    fn plus(self, distance: u64) -> Self;
}

/// A range of integers, for [`Stream::range`]: `low..high` or `low..=high`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no range of integers that a stream can draw from",
    label = "not a range of integers",
    note = "write `low..high` or `low..=high`; for a fraction use `unit` or `unit_f32`"
)]
pub trait Interval: private::Sealed {
    /// The type of the numbers.
    type Value: Integer;

    /// Draws one of the numbers.
    #[doc(hidden)]
    fn draw(self, stream: &mut Stream) -> Self::Value;
}

impl<T: Integer> Interval for Range<T> {
    type Value = T;

    #[inline]
    fn draw(self, stream: &mut Stream) -> T {
        let Self { start, end } = self;
        assert!(start < end, "nothing to draw from the empty range {start}..{end}: the end must be above the start");
        start.plus(stream.below(end.above(start)))
    }
}

impl<T: Integer> Interval for RangeInclusive<T> {
    type Value = T;

    #[inline]
    fn draw(self, stream: &mut Stream) -> T {
        let (start, last) = self.into_inner();
        assert!(
            start <= last,
            "nothing to draw from the empty range {start}..={last}: the end must not be below the start"
        );
        let distance = last.above(start);
        // Every number of 64 bits: there is no bound that 64 bits could hold, and no need for one.
        let drawn = if distance == u64::MAX { stream.next_u64() } else { stream.below(distance + 1) };
        start.plus(drawn)
    }
}

mod private {
    pub trait Sealed {}

    impl<T> Sealed for super::Range<T> {}
    impl<T> Sealed for super::RangeInclusive<T> {}
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl private::Sealed for $type {}

        impl Integer for $type {
            #[inline]
            fn above(self, low: Self) -> u64 {
                (self as u64).wrapping_sub(low as u64)
            }

            #[inline]
            fn plus(self, distance: u64) -> Self {
                (self as u64).wrapping_add(distance) as Self
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
