//! Plays a program in several ways and tells the first difference.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::data::Program;
use super::draw::draw;
use super::play::{Moment, State, Story, play};
use super::ways::Way;

/// Where two ways of playing a program part.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    pub(crate) program: Program,
    pub(crate) way: Way,
    /// The tick, from 1; `None` for what shows at the end only.
    pub(crate) tick: Option<usize>,
    /// What differs: one of a few words.
    pub(crate) what: &'static str,
    /// Both sides.
    pub(crate) text: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tick = self.tick.map_or_else(|| "at the end".to_owned(), |tick| format!("after tick {tick}"));
        writeln!(f, "{tick}, {} differs: serial against {:?}", self.what, self.way)?;
        write!(f, "{}", self.text)
    }
}

/// The first difference between the oracle and the ways, if the program of the seed shows one.
pub(crate) fn first_difference(seed: u64, ways: &[Way]) -> Option<Difference> {
    difference_of(&draw(seed), ways)
}

/// The first difference between the oracle and the ways.
pub(crate) fn difference_of(program: &Program, ways: &[Way]) -> Option<Difference> {
    let oracle = match told(program, Way::Serial) {
        Ok(story) => story,
        Err(panic) => return Some(found(program, Way::Serial, (None, "the oracle", panic))),
    };
    difference_from(&oracle, program, ways)
}

/// The first difference between a story of the oracle and the ways.
pub(crate) fn difference_from(oracle: &Story, program: &Program, ways: &[Way]) -> Option<Difference> {
    if oracle.leaked != 0 {
        let leak = format!("{} counted values outlived the world", oracle.leaked);
        return Some(found(program, Way::Serial, (None, "the oracle", leak)));
    }
    for &way in ways {
        let seen = match told(program, way) {
            Ok(story) => between(oracle, &story),
            Err(panic) => Some((None, "a panic outside of systems", panic)),
        };
        if let Some(seen) = seen {
            return Some(found(program, way, seen));
        }
    }
    None
}

type Seen = (Option<usize>, &'static str, String);

fn found(program: &Program, way: Way, (tick, what, text): Seen) -> Difference {
    Difference { program: program.clone(), way, tick, what, text }
}

/// The story, or the message of a panic that nobody caught.
pub(crate) fn told(program: &Program, way: Way) -> Result<Story, String> {
    catch_unwind(AssertUnwindSafe(|| play(program, way))).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}

fn between(oracle: &Story, other: &Story) -> Option<Seen> {
    for (at, (left, right)) in oracle.moments.iter().zip(&other.moments).enumerate() {
        if let Some((what, text)) = between_moments(left, right) {
            return Some((Some(at + 1), what, text));
        }
    }
    let lengths = (oracle.moments.len(), other.moments.len());
    differ("the number of ticks", lengths.0, lengths.1)
        .or_else(|| differ("the values that outlived their world", oracle.leaked, other.leaked))
        .map(|(what, text)| (None, what, text))
}

fn differ<T: PartialEq + fmt::Debug>(what: &'static str, left: T, right: T) -> Option<(&'static str, String)> {
    (left != right).then(|| (what, format!("  {left:?}\n  {right:?}\n")))
}

fn between_moments(left: &Moment, right: &Moment) -> Option<(&'static str, String)> {
    differ("the outcome", &left.outcome, &right.outcome)
        .or_else(|| between_states(left.state.as_ref()?, right.state.as_ref()?))
        .or_else(|| differ("what happened at commit points", &left.words, &right.words))
        .or_else(|| differ("the report of commands", &left.report, &right.report))
        .or_else(|| differ("the plan", left.plan, right.plan))
}

fn between_states(left: &State, right: &State) -> Option<(&'static str, String)> {
    let dumps = if left.dump == right.dump { None } else { left.dump.diff(&right.dump) };
    dumps
        .map(|difference| ("the state", difference.to_string()))
        .or_else(|| differ("the hash", left.hash, right.hash))
        .or_else(|| differ("a value without a hash", &left.sealed, &right.sealed))
        .or_else(|| differ("what pinned systems told", &left.told, &right.told))
        .or_else(|| differ("the census of counted values (born, living)", left.census, right.census))
}
