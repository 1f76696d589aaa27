//! What one program may use, and how often.

use crate::bodies::{TRIO_COUNT, trio_kinds};
use crate::data::{Form, Move};
use crate::dice::Dice;
use crate::parts::Kind;
use crate::tables::{RECIPE_COUNT, kinds_of};

/// The commands, without what they name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Verb {
    Spawn,
    SpawnFamily,
    Insert,
    Remove,
    Despawn,
    Queue,
    QueueOn,
    Send,
    Forget,
    Call,
    Submit,
}

/// What one program may use. Shares are in hundredths.
#[derive(Debug, Default)]
pub(super) struct Swarm {
    pub(super) trios: Vec<usize>,
    pub(super) recipes: Vec<usize>,
    pub(super) moves: Vec<(u32, Move)>,
    pub(super) verbs: Vec<(u32, Verb)>,
    pub(super) barriers: u32,
    pub(super) chains: u32,
    pub(super) edits: u32,
    pub(super) waits: u32,
    pub(super) rates: u32,
    pub(super) conditions: u32,
    pub(super) trips: u32,
    /// The tick from which on systems fail, if many do at once.
    pub(super) brittle: Option<u32>,
    /// Whether closures may panic.
    pub(super) panics: bool,
    /// Whether `Spare` comes and goes all the time.
    pub(super) scarce: bool,
    /// Whether it is a simulation.
    pub(super) simulated: bool,
    /// Items of its schedule behind which a pass ends.
    pub(super) passes: u32,
    /// Passes behind which a phase ends.
    pub(super) phases: u32,
    /// Passes whose commit point holds something back.
    pub(super) held: u32,
    /// Passes that run in some states.
    pub(super) gates: u32,
    /// Typed commands that are delayed.
    pub(super) delays: u32,
    /// Types of the typed commands that are submitted.
    pub(super) forms: Vec<Form>,
}

/// The systems with their usual share of programs, in hundredths.
const MOVES: [(u32, Move); 29] = [
    (70, Move::EachWrite),
    (55, Move::EachLazy),
    (55, Move::EachOrders),
    (50, Move::ChunkWrite),
    (30, Move::ChunkOrders),
    (85, Move::QueryWrite),
    (60, Move::QueryTally),
    (70, Move::QueryOrders),
    (75, Move::NestedWrite),
    (75, Move::NestedOrders),
    (30, Move::NestedBatches),
    (20, Move::NestedDeep),
    (80, Move::NestedFold),
    (42, Move::Dynamic),
    (42, Move::Pinned),
    (50, Move::Twin),
    (40, Move::Follow),
    (40, Move::EachGather),
    (35, Move::ChunkGather),
    (40, Move::EachDraw),
    (35, Move::QueryDraw),
    (40, Move::NestedDraw),
    (14, Move::Escape),
    (35, Move::Resources),
    (40, Move::Removals),
    (50, Move::Events),
    (20, Move::Exclusive),
    (36, Move::ExclusiveOrders),
    (18, Move::SubWorld),
];

/// Loops over rows that hands share.
const LOOPS: [(u32, Move); 10] = [
    (60, Move::EachWrite),
    (40, Move::EachLazy),
    (40, Move::EachOrders),
    (40, Move::ChunkWrite),
    (60, Move::NestedWrite),
    (60, Move::NestedOrders),
    (40, Move::NestedBatches),
    (40, Move::NestedFold),
    (30, Move::EachDraw),
    (30, Move::NestedDraw),
];

/// Systems that record commands, of which a simulation has more than others.
const RECORDERS: [(u32, Move); 5] = [
    (60, Move::EachOrders),
    (40, Move::ChunkOrders),
    (60, Move::QueryOrders),
    (60, Move::NestedOrders),
    (30, Move::ExclusiveOrders),
];

const VERBS: [(u32, Verb); 9] = [
    (70, Verb::Spawn),
    (60, Verb::SpawnFamily),
    (80, Verb::Insert),
    (70, Verb::Remove),
    (70, Verb::Despawn),
    (40, Verb::Queue),
    (35, Verb::QueueOn),
    (50, Verb::Send),
    (30, Verb::Forget),
];

impl Swarm {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        let trios = trios(dice);
        let mut moves = some_of(dice, &MOVES);
        let scarce = dice.one_in(5);
        if scarce {
            moves.extend([(8, Move::Resources), (6, Move::Exclusive)]);
        }
        let verbs = some_of(dice, &VERBS);
        if verbs.iter().any(|(_, verb)| matches!(verb, Verb::Send)) {
            moves.push((5, Move::Events));
        }
        let brittle = dice.one_in(5).then(|| dice.from(1, 2));
        let trips = if brittle.is_some() {
            90
        } else if dice.one_in(5) {
            dice.from(10, 60)
        } else {
            0
        };
        let share = |dice: &mut Dice, off: u32, high: u32| if dice.one_in(off) { 0 } else { dice.below(high) };
        let mut swarm = Self {
            recipes: recipes(dice, &trios),
            trios,
            moves,
            verbs,
            barriers: share(dice, 3, 40),
            chains: share(dice, 3, 25),
            edits: share(dice, 3, 100),
            waits: share(dice, 3, 50),
            rates: share(dice, 3, 40),
            conditions: share(dice, 3, 40),
            trips,
            brittle,
            panics: dice.one_in(4),
            scarce,
            ..Self::default()
        };
        if brittle.is_some() {
            swarm.fail_at_once(dice);
        } else if dice.below(100) < 38 {
            swarm.simulate(dice);
        }
        swarm
    }

    /// Whether lanes are cleared.
    pub(super) fn forgets(&self) -> bool {
        self.verbs.iter().any(|(_, verb)| matches!(verb, Verb::Forget))
    }

    /// Whether systems follow links.
    pub(super) fn follows(&self) -> bool {
        self.moves.iter().any(|(_, shape)| shape.follows())
    }

    /// Draws what a simulation may use.
    fn simulate(&mut self, dice: &mut Dice) {
        let share = |dice: &mut Dice, off: u32, high: u32| if dice.one_in(off) { 0 } else { dice.below(high) };
        self.simulated = true;
        (self.passes, self.phases) = (25 + share(dice, 5, 55), 20 + share(dice, 4, 60));
        (self.held, self.gates, self.delays) = (share(dice, 4, 100), share(dice, 3, 90), share(dice, 3, 100));
        self.forms = some_of(dice, &Form::ALL.map(|form| (65, form))).into_iter().map(|(_, form)| form).collect();
        self.moves.extend(some_of(dice, &RECORDERS));
        if !dice.one_in(6) {
            self.verbs.push((dice.from(6, 25), Verb::Submit));
        }
        if dice.one_in(2) {
            self.verbs.push((dice.from(8, 20), Verb::Call));
            self.moves.push((16, Move::Events));
        }
        if dice.one_in(2) {
            self.moves.push((dice.from(3, 9), Move::Office));
        }
        if self.gates > 0 {
            self.moves.push((4, Move::Office));
        }
    }

    /// Leaves little but loops over rows, with nothing to put them in order: many of them, and many batches of each, fail in
    /// one segment.
    fn fail_at_once(&mut self, dice: &mut Dice) {
        self.moves = some_of(dice, &LOOPS);
        (self.barriers, self.chains, self.waits, self.rates, self.conditions) = (0, 0, 0, 0, 0);
    }
}

/// Each with its share of chance, with a weight of its own; at least one.
fn some_of<T: Copy>(dice: &mut Dice, all: &[(u32, T)]) -> Vec<(u32, T)> {
    let mut some = Vec::new();
    for &(share, one) in all {
        if dice.below(100) < share {
            some.push((dice.from(1, 6), one));
        }
    }
    if some.is_empty() {
        some.push((1, dice.pick(all).1));
    }
    some
}

/// A few trios, most of which share a type with the first.
fn trios(dice: &mut Dice) -> Vec<usize> {
    let everyone: Vec<usize> = (0..TRIO_COUNT).filter(|trio| trio_kinds(*trio).0 != Kind::Sealed).collect();
    let first = dice.pick(&everyone);
    let (a, b) = trio_kinds(first);
    let akin = |trio: &usize| [a, b].contains(&trio_kinds(*trio).0) || [a, b].contains(&trio_kinds(*trio).1);
    let kin: Vec<usize> = everyone.iter().copied().filter(akin).collect();
    let mut trios = vec![first];
    for _ in 0..dice.below(5) {
        trios.push(if dice.one_in(3) { dice.pick(&everyone) } else { dice.pick(&kin) });
    }
    if dice.one_in(9) {
        trios.push((0..TRIO_COUNT).find(|trio| trio_kinds(*trio).0 == Kind::Sealed).expect("there is one"));
    }
    trios.sort_unstable();
    trios.dedup();
    trios
}

/// The bundles that hold something of the trios, a few others, and the tags. Values that can't be hashed stay out unless a
/// trio asks for them.
fn recipes(dice: &mut Dice, trios: &[usize]) -> Vec<usize> {
    let mut kinds: Vec<Kind> = trios.iter().flat_map(|trio| [trio_kinds(*trio).0, trio_kinds(*trio).1]).collect();
    kinds.extend([Kind::Flag, Kind::Mark]);
    let mut recipes = Vec::new();
    for recipe in 0..RECIPE_COUNT {
        let held = kinds_of(recipe);
        let allowed = kinds.contains(&Kind::Sealed) || !held.contains(&Kind::Sealed);
        if allowed && (held.iter().any(|kind| kinds.contains(kind)) || dice.one_in(8)) {
            recipes.push(recipe);
        }
    }
    recipes
}
