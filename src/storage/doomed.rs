#![expect(unsafe_code, reason = "values whose type is erased are moved out of their rows, to be dropped later")]

use core::alloc::Layout;
use core::ptr::NonNull;
use std::alloc::{alloc, dealloc, handle_alloc_error};

/// Values that were taken out of their rows and are dropped once all bookkeeping is done.
///
/// A destructor is code of the user: it may panic. Every removing path moves values with a destructor here first, so that
/// the world is whole whenever a destructor runs. Each value is dropped exactly once, also when another one panics.
#[derive(Debug, Default)]
pub(crate) struct Doomed {
    values: Vec<Value>,
}

#[derive(Debug)]
struct Value {
    bytes: NonNull<u8>,
    layout: Layout,
    drop: unsafe fn(*mut u8, usize),
}

impl Doomed {
    pub(crate) const fn new() -> Self {
        Self { values: Vec::new() }
    }

    /// Takes over the value at `row`, which is uninitialised afterwards.
    ///
    /// # Safety
    ///
    /// `row` holds a value of this layout that nobody else uses, and `drop` drops such values.
    pub(crate) unsafe fn bury(&mut self, row: *const u8, layout: Layout, drop: unsafe fn(*mut u8, usize)) {
        let bytes = if layout.size() == 0 {
            NonNull::new(core::ptr::without_provenance_mut(layout.align())).expect("alignments are not zero")
        } else {
            // SAFETY: the size is not zero.
            NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout))
        };
        // SAFETY: the caller hands over a value of `layout.size()` bytes; the target is a fresh allocation of that size.
        unsafe { bytes.copy_from_nonoverlapping(NonNull::new_unchecked(row.cast_mut()), layout.size()) };
        self.values.push(Value { bytes, layout, drop });
    }
}

impl Drop for Doomed {
    fn drop(&mut self) {
        // Each value leaves the list before it is dropped; if one panics, the guard drops those that are left.
        struct Rest<'a>(&'a mut Vec<Value>);
        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                self.0.drain(..).for_each(drop);
            }
        }
        let rest = Rest(&mut self.values);
        rest.0.reverse();
        while let Some(value) = rest.0.pop() {
            drop(value);
        }
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        struct Free(NonNull<u8>, Layout);
        impl Drop for Free {
            fn drop(&mut self) {
                if self.1.size() != 0 {
                    // SAFETY: allocated in `bury` with this layout, and freed once.
                    unsafe { dealloc(self.0.as_ptr(), self.1) };
                }
            }
        }
        let _free = Free(self.bytes, self.layout);
        // SAFETY: `bury` took over a valid value; it is dropped once, here.
        unsafe { (self.drop)(self.bytes.as_ptr(), 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    struct Counted<'a>(&'a Cell<u32>, bool);

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
            assert!(!self.1, "a destructor that panics");
        }
    }

    /// # Safety
    ///
    /// As for `drop_in_place`.
    unsafe fn drop_counted(value: *mut u8, _: usize) {
        // SAFETY: the tests bury `Counted` values only.
        unsafe { value.cast::<Counted<'static>>().drop_in_place() }
    }

    fn bury(doomed: &mut Doomed, value: Counted<'_>) {
        let value = core::mem::ManuallyDrop::new(value);
        let row: *const Counted<'_> = &*value;
        // SAFETY: the value is ours and never dropped here; the counter outlives `doomed` in each test.
        unsafe { doomed.bury(row.cast(), Layout::new::<Counted<'static>>(), drop_counted) };
    }

    #[test]
    fn every_value_is_dropped_once_also_when_one_panics() {
        let drops = Cell::new(0);
        let mut doomed = Doomed::new();
        for panics in [false, true, false, false] {
            bury(&mut doomed, Counted(&drops, panics));
        }
        assert!(catch_unwind(AssertUnwindSafe(|| drop(doomed))).is_err());
        assert_eq!(drops.get(), 4);
    }
}
