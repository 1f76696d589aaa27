//! Faults that are planted on purpose, so that models and tests are seen to catch them.
//!
//! In an ordinary build [`planted`] is `false` and what it guards is not in the binary. Under `--cfg tickweave_faults` one
//! fault at a time can be planted for the whole process, so that whoever plants one runs alone in its process.

#![cfg_attr(not(tickweave_faults), expect(unreachable_pub, reason = "models and tests plant faults; nobody else does"))]

/// Writes the enum and its lists, so that a new fault is one line in one place.
macro_rules! faults {
    (
        kernels { $($(#[$of_kernel:meta])* $kernel:ident,)* }
        programs { $($(#[$of_program:meta])* $program:ident,)* }
    ) => {
        /// What can be planted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            $($(#[$of_kernel])* $kernel,)*
            $($(#[$of_program])* $program,)*
        }

        #[cfg(tickweave_faults)]
        impl Fault {
            /// Faults of kernels: a model catches each.
            pub const KERNELS: &'static [Self] = &[$(Self::$kernel),*];
            /// Faults that generated programs catch.
            pub const PROGRAMS: &'static [Self] = &[$(Self::$program),*];
            /// Both.
            pub const ALL: &'static [Self] = &[$(Self::$kernel,)* $(Self::$program),*];
        }
    };
}

faults! {
    kernels {
        /// `Countdown::down` loads the count, then stores it: predecessors that finish at a time are counted as one.
        CountdownLoadsThenStores,
        /// `Countdown::down` passes on nothing of what the predecessors wrote.
        CountdownUnordered,
        /// `ReadyList::push` publishes a node without what made it ready.
        ReadyPublishedUnordered,
        /// `ReadyList::take` stores the next place without looking whether it is still the next.
        ReadyTakenByStore,
        /// `Failure::note` keeps the failure that came first.
        FailureByTime,
        /// `Failure::allows` stops lower numbers too.
        FailureStopsLower,
        /// `Door::open` lets hands in without the value that it wrote.
        DoorOpenedUnordered,
        /// `Door::open` looks whether the door has an owner, then takes it all the same.
        DoorOwnedTwice,
        /// `Door::enter` lets a hand in that does not see what the owner wrote.
        DoorEnteredUnordered,
        /// `Door::ring` loads the word, then stores it: hands that come and go meanwhile are counted wrong.
        DoorRingLoadsThenStores,
        /// A hand leaves without passing on what it wrote.
        DoorLeftUnordered,
        /// `Opening::close` does not look at what hands wrote that left.
        DoorClosedUnordered,
        /// `Opening::close` does not wait for hands that are inside.
        DoorClosedWithoutWaiting,
        /// A door's next owner does not see that the last one is through with it.
        DoorHandedOverUnordered,
        /// `Slots::put` writes whatever the state of the slot.
        SlotWrittenTwice,
        /// `Slots::take` leaves the slot full.
        SlotTakenTwice,
        /// Claims of a `Span` load what is left, then store it.
        SpanLoadsThenStores,
        /// `Latch::pass` lets a second hand open what the first opens already.
        LatchPassedTwice,
        /// `Latch::pass` does not look at what others did before they shared the block or opened the latch.
        LatchPassedUnordered,
        /// `Latch::is_open` does not look at what whoever opened it did.
        LatchSeenUnordered,
        /// `Latch::pass` opens the latch without the block that was put behind it.
        LatchOpenedUnordered,
        /// `RefCount::share` loads the count, then stores it.
        RefCountSharedByStore,
        /// `RefCount::release` loads the count, then stores it.
        RefCountLoadsThenStores,
        /// `RefCount::release` passes on nothing of what the holder did.
        RefCountLeftUnordered,
        /// `RefCount::is_sole` does not look at what others did before they left.
        RefCountSoleUnordered,
        /// The last holder does not look at what others did before they left.
        RefCountLastUnfenced,
        /// `BlockPool::give` brings a block home that others hold.
        BlockHomeEarly,
        /// A node starts when the first of its predecessors has finished.
        DriveStartsEarly,
        /// All is called done while one node is at work.
        DriveDoneEarly,
        /// Whoever learns that all is done does not see what was done.
        DriveDoneUnordered,
        /// `Crew::take_number` gives a number that another hand has.
        CrewSendsTwins,
        /// `Crew::wake` does not wait for a hand that is about to sleep.
        CrewWakesUnlocked,
        /// `Crew::dismiss` leaves hands asleep.
        CrewDismissesSilently,
    }
    programs {
        /// Whoever writes to a shared block writes to that of the snapshot too.
        SharedWritten,
        /// A write does not make the hash of its chunk unknown.
        HashKeptTooLong,
        /// A snapshot keeps the free list of the slots from before.
        FreeListNotKept,
        /// A restore keeps the stamps of chunks as they are.
        StampNotRestored,
        /// A restore leaves the cursors of readers of events where they are.
        CursorNotRestored,
        /// `Lane::splice` puts the lanes of a loop together in the order in which they were done.
        MergeByCompletion,
        /// The batches of a claim share the numbers of its first: the bits of pending handles tell who claimed what.
        LaneByClaim,
        /// A lane that is cleared in a loop drops all that its claim recorded.
        ClearedByClaim,
        /// A unit of a loop has more rows the more hands are there.
        BatchFromThreads,
        /// The last edge of a segment is dropped.
        EdgeDropped,
        /// A query never looks at archetypes that came after its first run.
        StaleMatchCache,
        /// A fold combines the right part with the left.
        FoldSwapped,
        /// A system writes at the stamp of the one behind it.
        StampLate,
        /// Nobody looks for pending handles that left their commands.
        EscapeUnchecked,
        /// A system is told that it never ran.
        LastRunForgotten,
        /// A loop leaves out the last batch of an archetype, unless it is full.
        LastBatchLost,
        /// A filter on stamps looks at a chunk once for each batch.
        FilterByBatch,
        /// A barrier leaves out the last system that recorded.
        RecorderLeftOut,
        /// The panic of a loop is not passed on.
        PanicSwallowed,
        /// The lanes of loops are not merged.
        LoopsLost,
        /// The entities of a system's own lane are made real before those of its loops.
        IdsOwnLaneFirst,
        /// A lane forgets what it spawned before a loop.
        SpawnedBeforeLoopLost,
        /// Typed commands that wait are delivered type by type.
        CommandsByType,
        /// Typed commands that are delayed are delivered a tick late.
        DelayedLate,
        /// Typed commands that are delayed are not in what is loaded.
        DelayedNotLoaded,
        /// A pass that is skipped does not commit.
        SkippedPassUncommitted,
        /// Whether a pass runs is asked again behind each of its barriers.
        PassAskedAgain,
        /// Structure is merged whatever the commit point publishes.
        StructureNotHeld,
        /// Command buffers and managers flush in the order opposite to that of registration.
        FlushedBackwards,
    }
}

/// Whether a fault is planted.
#[cfg(not(tickweave_faults))]
#[inline(always)]
pub const fn planted(_: Fault) -> bool {
    false
}

#[cfg(tickweave_faults)]
pub use switch::{plant, planted};

#[cfg(tickweave_faults)]
mod switch {
    use core::sync::atomic::{AtomicU32, Ordering};

    use super::Fault;

    /// The number of the planted fault + 1. Not the façade's atomic: the switch is no part of what models explore.
    static PLANTED: AtomicU32 = AtomicU32::new(0);

    /// Whether a fault is planted.
    pub fn planted(fault: Fault) -> bool {
        PLANTED.load(Ordering::Relaxed) == fault as u32 + 1
    }

    /// Plants a fault in this process instead of the one before, or none.
    pub fn plant(fault: Option<Fault>) {
        PLANTED.store(fault.map_or(0, |fault| fault as u32 + 1), Ordering::Relaxed);
    }

    impl Fault {
        /// The fault of that name.
        pub fn named(name: &str) -> Option<Self> {
            Self::ALL.iter().copied().find(|fault| format!("{fault:?}") == name)
        }
    }
}
