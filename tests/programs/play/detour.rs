//! Ticks that are run and taken back as if nothing had been: it must show nowhere.

use tickweave::simulation::StepError;
use tickweave::state::Snapshot;

use super::history::Meeting;
use super::venue::Venue;
use super::{Player, is_whole};
use crate::data::{Edit, Move};
use crate::detours::{Back, Detour};
use crate::journal::Journal;
use crate::kit::Sight;

/// What is put back beside the world.
struct Mark {
    snapshot: Snapshot,
    /// Counted values that there ever were.
    born: i64,
    journal: Journal,
    /// Whether the simulation has a snapshot of this tick.
    kept: bool,
    /// Rounds that lie behind.
    rounds: usize,
}

impl Player<'_> {
    /// Takes a detour before a round: not where a world of its own lies in a resource of the host, which nothing takes back,
    /// nor where values can't be cloned.
    pub(super) fn take(&mut self, detour: Detour, round: usize) {
        if self.program.plots().any(|plot| plot.task.shape == Move::SubWorld) {
            return;
        }
        let detour = Detour { back: detour.back.fitting(self.program.office.is_some()), ..detour };
        let census = self.kit.census();
        let Ok(snapshot) = self.venue.world().snapshot() else { return };
        let journal = self.kit.journal().clone();
        let mut mark = Mark { snapshot, born: census.0, journal, kept: self.kept, rounds: round };
        let seen = self.ahead(round, detour.distance);
        self.come_back(&mark, detour.back);
        mark.kept = self.kept;
        if detour.twice {
            assert_eq!(self.ahead(round, detour.distance), seen, "the hashes of ticks that are run again");
            self.come_back(&mark, detour.back);
        }
        drop(mark);
        if self.counts() {
            assert_eq!(self.kit.census(), census, "counted values after a detour");
        }
        self.detours.push(Detour { distance: seen.len() as u32, ..detour });
    }

    /// Runs some of the coming rounds, but for what they do to schedules, until the first that fails half-way: the hash after
    /// each.
    fn ahead(&mut self, from: usize, distance: u32) -> Vec<Option<u64>> {
        let mut hashes = Vec::new();
        let rounds = self.program.rounds.iter().cycle().skip(from);
        for round in rounds.take(distance as usize) {
            let of_schedules =
                |edit: &&Edit| matches!(edit, Edit::Enable { .. } | Edit::Add(_) | Edit::Withdraw { .. });
            round.edits.iter().filter(|edit| !of_schedules(edit)).for_each(|edit| self.edit(edit, round.agenda));
            let outcome = self.tick(round.agenda);
            if !is_whole(&outcome) {
                break;
            }
            self.venue.world_mut().clear_torn();
            hashes.push(self.hash());
        }
        self.pad.take();
        hashes
    }

    fn hash(&self) -> Option<u64> {
        self.venue.world().state_hash().ok().map(|hash| hash.get())
    }

    /// Goes on from a snapshot as if nothing had happened since.
    fn come_back(&mut self, mark: &Mark, back: Back) {
        let snapshot = &mark.snapshot;
        self.kept = self.keeps();
        match back {
            Back::InPlace => self.go_back(mark),
            Back::Twin => {
                self.venue = self.twin();
                self.venue.restore(snapshot);
            }
            Back::Child => {
                let mut child = self.child();
                child.restore(snapshot);
                self.bind(&mut child);
                self.venue = child;
            }
            Back::Bytes => {
                let mut twin = self.twin();
                let bytes = snapshot.world().save().expect("what can be kept can be saved");
                twin.load(&bytes);
                assert!(twin.world().save().expect("as above") == bytes, "bytes of what was loaded");
                self.venue = twin;
            }
            Back::Reset => self.start_over(mark),
        }
        *self.kit.journal() = mark.journal.clone();
        self.kit.go_back(mark.born, self.history.contains(&Meeting::Spare));
        let world = self.venue.world();
        assert_eq!(world.dump().diff(&snapshot.world().dump()), None, "what came back");
        let hash = world.state_hash_from_scratch();
        assert_eq!(hash, snapshot.world().state_hash(), "the hash of what came back");
    }

    /// In the same world: a simulation goes back to a tick that it kept itself.
    fn go_back(&mut self, mark: &Mark) {
        match &mut self.venue {
            Venue::Sim(sim) if mark.kept => {
                self.kit.saw(Sight::Rollback);
                sim.rollback_to(mark.snapshot.tick()).expect("the tick is kept");
            }
            venue => venue.restore(&mark.snapshot),
        }
    }

    /// Has everything so far happen again, from the reset of a simulation on: each tick ends as it did.
    fn start_over(&mut self, mark: &Mark) {
        let Venue::Sim(sim) = &mut self.venue else { unreachable!("a simulation is reset") };
        match sim.reset() {
            // Values that can't be cloned were there when it was built, and are gone.
            Err(StepError::Snapshot(_)) => return self.go_back(mark),
            reset => reset.expect("what it was can be put back"),
        }
        *self.kit.journal() = Journal::default();
        for (tick, round) in self.program.rounds[..mark.rounds].iter().enumerate() {
            round.edits.iter().for_each(|edit| self.edit(edit, round.agenda));
            let _ = self.tick(round.agenda);
            self.venue.world_mut().clear_torn();
            assert_eq!(self.hash(), self.hashes[tick], "tick {} after a reset", tick + 1);
        }
        self.pad.take();
    }
}

impl Venue {
    fn restore(&mut self, snapshot: &Snapshot) {
        let restored = match self {
            Self::Bare { world, .. } => world.restore(snapshot).map_err(|error| error.to_string()),
            Self::Sim(sim) => sim.restore(snapshot).map_err(|error| error.to_string()),
        };
        restored.expect("the snapshot is of this world, or of one that has met the same");
    }

    fn load(&mut self, bytes: &[u8]) {
        let loaded = match self {
            Self::Bare { world, .. } => world.load(bytes).map_err(|error| error.to_string()),
            Self::Sim(sim) => sim.load(bytes).map_err(|error| error.to_string()),
        };
        loaded.expect("the world has met the same");
    }
}
