//! Where snapshots change hands: the world puts the newest one there, and the viewer takes it when it has time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tickweave::prelude::*;
use tickweave::state::{Snapshot, SnapshotError};

/// The newest snapshot. Nobody waits for the viewer: what it has no time for is not drawn.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    scene: Mutex<Scene>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Scene {
    newest: Option<Snapshot>,
    /// Snapshots whose memory is used next.
    used: Vec<Snapshot>,
    is_over: bool,
}

impl Stage {
    /// Shows the world as it is. It is the world's thread that takes the snapshot, while it holds no lock.
    pub(crate) fn show(&self, world: &World) -> Result<(), SnapshotError> {
        let mut snapshot = self.scene().used.pop().unwrap_or_default();
        world.snapshot_into(&mut snapshot)?;
        let mut scene = self.scene();
        let unseen = scene.newest.replace(snapshot);
        scene.used.extend(unseen);
        self.changed.notify_one();
        Ok(())
    }

    /// Says that nothing more is shown.
    pub(crate) fn end(&self) {
        self.scene().is_over = true;
        self.changed.notify_one();
    }

    /// Waits for a snapshot that was not taken yet; `None` if there is none any more.
    pub(crate) fn next(&self) -> Option<Snapshot> {
        let is_empty = |scene: &mut Scene| scene.newest.is_none() && !scene.is_over;
        let scene = self.changed.wait_while(self.scene(), is_empty);
        scene.unwrap_or_else(PoisonError::into_inner).newest.take()
    }

    /// Gives a snapshot back that was drawn.
    pub(crate) fn give_back(&self, snapshot: Snapshot) {
        self.scene().used.push(snapshot);
    }

    fn scene(&self) -> MutexGuard<'_, Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the show when it goes, also when the world's thread fails: else the viewer would wait for ever.
#[derive(Debug)]
pub(crate) struct Curtain<'s>(pub(crate) &'s Stage);

impl Drop for Curtain<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
