//! Ticks that are run and taken back as if nothing had been: it must show nowhere.

use tickweave::state::Snapshot;

use super::history::Meeting;
use super::{Player, is_whole};
use crate::data::{Edit, Move};
use crate::detours::{Back, Detour};

impl Player<'_> {
    /// Takes a detour before a round: not where a world of its own lies in a resource of the host, which nothing takes back,
    /// nor where values can't be cloned.
    pub(super) fn take(&mut self, detour: Detour, round: usize) {
        if self.program.plots().any(|plot| plot.task.shape == Move::SubWorld) {
            return;
        }
        let census = self.kit.census();
        let Ok(snapshot) = self.world.snapshot() else { return };
        let seen = self.ahead(round, detour.distance);
        self.come_back(&snapshot, detour.back, census);
        if detour.twice {
            assert_eq!(self.ahead(round, detour.distance), seen, "the hashes of ticks that are run again");
            self.come_back(&snapshot, detour.back, census);
        }
        drop(snapshot);
        assert_eq!(self.kit.census(), census, "counted values after a detour");
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
            self.world.clear_torn();
            hashes.push(self.world.state_hash().ok().map(|hash| hash.get()));
        }
        self.pad.take();
        hashes
    }

    /// Goes on from a snapshot as if nothing had happened since.
    fn come_back(&mut self, snapshot: &Snapshot, back: Back, (born, _): (i64, i64)) {
        match back {
            Back::InPlace => self.world.restore(snapshot).expect("the snapshot is of this world"),
            Back::Twin => {
                let (mut world, stages) = self.twin();
                world.restore(snapshot).expect("the world has met the same");
                (self.world, self.stages) = (world, stages);
            }
            Back::Child => {
                let (mut world, mut stages) = self.child();
                world.restore(snapshot).expect("the world has met a part of it");
                self.bind(&mut world, &mut stages);
                (self.world, self.stages) = (world, stages);
            }
            Back::Bytes => {
                let (mut world, stages) = self.twin();
                let bytes = snapshot.world().save().expect("what can be kept can be saved");
                world.load(&bytes).expect("the world has met the same");
                assert!(world.save().expect("as above") == bytes, "bytes of what was loaded");
                (self.world, self.stages) = (world, stages);
            }
        }
        self.kit.go_back(born, self.history.contains(&Meeting::Spare));
        assert_eq!(self.world.dump().diff(&snapshot.world().dump()), None, "what came back");
        let hash = self.world.state_hash_from_scratch();
        assert_eq!(hash, snapshot.world().state_hash(), "the hash of what came back");
    }
}
