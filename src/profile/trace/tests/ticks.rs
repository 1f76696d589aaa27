//! What a real schedule shows of its ticks, whoever runs it.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tracing::span::{Attributes, EnteredSpan, Id, Record};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber, dispatcher, trace_span};

use super::record;
use super::recorder::Recorder;
use crate::clock;
use crate::prelude::*;

const TICKS: u64 = 6;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Number(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Other(u32);

/// Who runs the ticks.
#[derive(Clone, Copy, Debug)]
enum Way {
    Serial,
    Virtual {
        workers: u32,
        seed: u64,
    },
    #[cfg(feature = "parallel")]
    TwoThreads,
}

#[cfg(feature = "parallel")]
const WITH_THREADS: &[Way] = &[Way::TwoThreads];
#[cfg(not(feature = "parallel"))]
const WITH_THREADS: &[Way] = &[];

fn ways() -> impl Iterator<Item = Way> {
    let virtually = [1, 2, 7].into_iter().flat_map(|workers| (0..8).map(move |seed| Way::Virtual { workers, seed }));
    [Way::Serial].into_iter().chain(virtually).chain(WITH_THREADS.iter().copied())
}

impl Way {
    const fn has_hands(self) -> bool {
        !matches!(self, Self::Serial)
    }

    const fn has_threads(self) -> bool {
        !matches!(self, Self::Serial | Self::Virtual { .. })
    }

    fn prepare(self, schedule: &mut Schedule) {
        schedule.set_eagerness(Eagerness::Always);
        match self {
            Self::Serial => schedule.set_executor(Executor::Serial),
            Self::Virtual { workers, seed } => schedule.set_executor(Executor::Virtual { workers, seed }),
            #[cfg(feature = "parallel")]
            Self::TwoThreads => {
                schedule.set_executor(Executor::Parallel);
                schedule.set_pool(two_threads());
            }
        }
    }
}

/// Two threads with the subscriber of this one, which sees one thread only, from their start.
#[cfg(feature = "parallel")]
fn two_threads() -> Pool {
    let dispatch = dispatcher::get_default(Dispatch::clone);
    let watch = move |_| core::mem::forget(dispatcher::set_default(&dispatch));
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).start_handler(watch).build();
    Pool::given(Arc::new(threads.expect("two threads can be started")))
}

/// Has rows wait for one on another thread, for a while, until two have met.
#[derive(Default)]
struct Meeting {
    inside: AtomicU32,
    over: AtomicBool,
}

impl Meeting {
    fn pass(&self) {
        let until = clock::now() + 2_000_000;
        self.inside.fetch_add(1, Ordering::Relaxed);
        while !self.over.load(Ordering::Relaxed) && clock::now() < until {
            if self.inside.load(Ordering::Relaxed) > 1 {
                self.over.store(true, Ordering::Relaxed);
            }
        }
        self.inside.fetch_sub(1, Ordering::Relaxed);
    }
}

fn world() -> World {
    let mut world = World::builder().chunk_rows(8).batch_rows(2).build().expect("the shape is possible");
    world.spawn_batch((0..30).map(|number| (Number(number), Other(number))));
    world
}

/// A zone of the user's.
fn row() -> EnteredSpan {
    trace_span!(target: "tickweave", "row").entered()
}

/// Systems over rows side by side, one with a loop in a loop that records commands, one that is off, one that is alone.
fn schedule(meeting: Option<Arc<Meeting>>) -> Schedule {
    let rise = move |number: &mut Number| {
        let _row = row();
        meeting.iter().for_each(|meeting| meeting.pass());
        number.0 += 1;
    };
    let breed = |mut numbers: Query<&Number>, others: Query<&Other>, mut commands: Commands| {
        numbers.par_for_each_with(&mut commands, |number, lane| {
            let _row = row();
            if others.par_sum(|other| other.0) % 5 == number.0 % 5 {
                lane.spawn(Number(number.0));
            }
        });
    };
    let mut schedule = Schedule::new();
    schedule.add(each(rise).named("rise"));
    schedule.add(each(|other: &mut Other| other.0 += 3).named("drift"));
    schedule.add((|_: Query<&Other>| {}).named("off").disabled());
    schedule.add(breed.named("breed").every(2));
    schedule.barrier();
    let alone = |world: &mut World| {
        world.spawn(());
    };
    schedule.add(alone.named("alone"));
    schedule
}

/// Runs the ticks under a subscriber; returns the hash of what is left, and whether two threads met where there are two.
fn play(way: Way, dispatch: &Dispatch) -> (u64, bool) {
    dispatcher::with_default(dispatch, || {
        let meeting = way.has_threads().then(Arc::<Meeting>::default);
        let (mut world, mut schedule) = (world(), schedule(meeting.clone()));
        way.prepare(&mut schedule);
        (0..TICKS).for_each(|_| schedule.run(&mut world).expect("nothing fails"));
        let met = meeting.is_none_or(|meeting| meeting.over.load(Ordering::Relaxed));
        (world.state_hash().expect("all is Data").get(), met)
    })
}

/// Runs the ticks under a recorder, on two threads again until they met: on a busy machine one may be late each time.
fn watch_and_hash(way: Way) -> (Recorder, u64) {
    let attempt = |_| {
        let (mut hash, mut met) = (0, false);
        let recorder = record(Level::TRACE, |dispatch| (hash, met) = play(way, dispatch));
        met.then_some((recorder, hash))
    };
    (0..50).find_map(attempt).expect("no two threads met")
}

fn watch(way: Way) -> Recorder {
    watch_and_hash(way).0
}

/// The spans of a kind, each with its parents in front.
fn spans(recorder: &Recorder, kind: &str) -> Vec<String> {
    let is_of_kind = |way: &String| way.rsplit(" / ").next().is_some_and(|last| last.starts_with(kind));
    recorder.tree().into_iter().filter(is_of_kind).collect()
}

/// Where the zones of the systems should stand: once for each tick in which they run.
fn runs(names: &[&str]) -> Vec<String> {
    let due = |tick: u64, name: &str| name != "breed" || tick % 2 == 0;
    let ticks = (1..=TICKS).flat_map(|tick| names.iter().map(move |name| (tick, name)));
    let runs = ticks.filter(|(tick, name)| due(*tick, name));
    sorted(runs.map(|(tick, name)| format!("tick{{number={tick}}} / system{{name={name}}}")).collect())
}

fn sorted(mut ways: Vec<String>) -> Vec<String> {
    ways.sort_unstable();
    ways
}

#[test]
fn a_system_has_one_zone_in_each_tick_in_which_it_runs_whoever_runs_it() {
    for way in ways() {
        let recorder = watch(way);
        let ticks: Vec<String> = (1..=TICKS).map(|tick| format!("tick{{number={tick}}}")).collect();
        assert_eq!(spans(&recorder, "tick"), ticks, "{way:?}");
        let found = sorted(spans(&recorder, "system"));
        assert_eq!(found, runs(&["rise", "drift", "breed", "alone"]), "{way:?}");
    }
}

#[test]
fn each_segment_has_a_zone_for_its_barrier_in_its_tick_in_the_order_of_the_plan() {
    let of_tick = |tick| (0..2).map(move |segment| format!("tick{{number={tick}}} / barrier{{segment={segment}}}"));
    let expected: Vec<String> = (1..=TICKS).flat_map(of_tick).collect();
    for way in ways() {
        assert_eq!(spans(&watch(way), "barrier"), expected, "{way:?}");
    }
}

#[test]
fn claims_of_batches_lie_in_the_system_that_loops_and_loops_inside_of_them_have_none() {
    for way in ways() {
        let loops = if way.has_hands() { runs(&["rise", "drift", "breed"]) } else { Vec::new() };
        let claim =
            |run: &String| format!("{run} / {}", run.rsplit(" / ").next().unwrap().replace("system", "batches"));
        let mut found = sorted(spans(&watch(way), "batches"));
        found.dedup();
        assert_eq!(found, loops.iter().map(claim).collect::<Vec<_>>(), "{way:?}");
    }
}

#[test]
fn a_row_runs_inside_of_the_zone_of_its_claim_on_the_same_thread() {
    for way in ways() {
        let recorder = watch(way);
        let claims = if way.has_hands() { "batches" } else { "system" };
        let mut claims = sorted(spans(&recorder, claims));
        claims.retain(|claim| claim.contains("rise") || claim.contains("breed"));
        claims.dedup();
        let mut rows = sorted(spans(&recorder, "row"));
        rows.dedup();
        assert_eq!(rows, claims.iter().map(|claim| format!("{claim} / row{{}}")).collect::<Vec<_>>(), "{way:?}");
    }
}

#[test]
fn the_zones_of_each_thread_lie_inside_each_other_and_all_end() {
    for way in ways() {
        let recorder = watch(way);
        recorder.assert_nested();
        assert_eq!(recorder.open_spans(), 0, "{way:?}");
        assert_eq!(recorder.threads() > 1, way.has_threads(), "{way:?}");
    }
}

#[test]
fn names_of_zones_are_constants_and_each_tick_ends_with_a_frame_and_a_plot() {
    for way in ways() {
        let recorder = watch(way);
        let mut kinds = vec!["barrier", "batches", "entities", "frame", "record", "row", "system", "tick"];
        kinds.retain(|kind| way.has_hands() || *kind != "batches");
        assert_eq!(recorder.kinds(), kinds, "{way:?}");
        let mut events = recorder.events();
        events.retain(|event| !event.starts_with("record{"));
        let frames: Vec<&String> = events.iter().skip(1).step_by(2).collect();
        let expected: Vec<String> =
            (1..=TICKS).map(|tick| format!("frame{{tracy.frame_mark=true, tick={tick}}}")).collect();
        assert_eq!(frames, expected.iter().collect::<Vec<_>>(), "{way:?}");
        assert!(events.iter().step_by(2).all(|event| event.starts_with("entities{entities=")), "{events:?}");
    }
}

#[test]
fn a_run_that_is_watched_has_the_bits_of_one_that_is_not() {
    let (unwatched, _) = play(Way::Serial, &Dispatch::none());
    for way in ways() {
        assert_eq!(play(way, &Dispatch::none()).0, unwatched, "{way:?}, unwatched");
        assert_eq!(watch_and_hash(way).1, unwatched, "{way:?}, watched");
    }
}

#[test]
fn a_tick_that_fails_in_the_middle_of_a_loop_leaves_no_zone_open() {
    for way in ways() {
        let recorder = record(Level::TRACE, |_| {
            let mut schedule = Schedule::new();
            schedule.add(each(|number: &Number| {
                if number.0 % 7 == 6 {
                    resume_unwind(Box::new("a row"))
                }
            }));
            schedule.add(each(|other: &mut Other| other.0 += 1));
            way.prepare(&mut schedule);
            assert_eq!(schedule.run(&mut world()).unwrap_err().code(), "system-panic");
        });
        recorder.assert_nested();
        assert_eq!((recorder.open_spans(), spans(&recorder, "tick").len()), (0, 1), "{way:?}");
    }
}

/// A subscriber that panics when it is told of spans of a name, or of records.
struct Fragile(&'static str);

impl Subscriber for Fragile {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        assert_ne!(span.metadata().name(), self.0, "the disk is full");
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        assert_ne!("record", self.0, "the disk is full");
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn a_subscriber_that_panics_fails_the_tick_and_the_next_one_runs() {
    for told in ["tick", "system", "record"] {
        let mut world = World::builder().entity_capacity(4).build().unwrap();
        world.spawn_batch([Number(0), Number(1), Number(2), Number(3)]);
        let mut schedule = Schedule::new();
        schedule.set_executor(Executor::Serial);
        schedule.add(each(|number: &mut Number| number.0 += 1).named("count"));
        let error = dispatcher::with_default(&Dispatch::new(Fragile(told)), || schedule.run(&mut world)).unwrap_err();
        assert_eq!(error.code(), "system-panic", "{told}");
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert!(world.torn().is_some());
        world.clear_torn();
        schedule.run(&mut world).unwrap();
        assert_eq!(error.to_string().contains("tick 1"), told != "record", "{error}");
    }
}
