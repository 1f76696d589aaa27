//! The session: what `ggrs` asks for, and what the world does.
//!
//! In each frame a session of kind SyncTest goes back as many frames as its check distance, runs them again with the same
//! inputs, and compares the checksums of each with those of the first time.

use std::time::{Duration, Instant};

use ggrs::{Config, Frame, GameStateCell, GgrsRequest, InputStatus, PlayerType};
use ggrs::{SessionBuilder, SyncTestSession};
use tickweave::prelude::*;
use tickweave::rng::Stream;
use tickweave::state::SnapshotRing;

use crate::game::{self, Buttons, Score};

const PLAYERS: usize = 2;

/// What the types of a session are.
struct Duel;

impl Config for Duel {
    type Input = u8;
    /// Snapshots lie in a ring of ours, which uses their memory again; a cell of the session has the checksum alone.
    type State = ();
    type Address = u8;
}

/// A game, the frames that it can go back to, and the session that sees to it that it does.
pub(crate) struct Match {
    pub(crate) world: World,
    schedule: Schedule,
    ring: SnapshotRing,
    session: SyncTestSession<Duel>,
    players: [Player; PLAYERS],
    pub(crate) costs: Costs,
}

/// Whose hands are a stream of random numbers.
struct Player {
    stream: Stream,
    held: u8,
}

/// How long each request of a kind took.
#[derive(Debug, Default)]
pub(crate) struct Costs {
    pub(crate) save: Vec<Duration>,
    pub(crate) load: Vec<Duration>,
    pub(crate) advance: Vec<Duration>,
}

impl Match {
    pub(crate) fn new(seed: u64, check_distance: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let mut builder = SessionBuilder::<Duel>::new().with_num_players(PLAYERS);
        for player in 0..PLAYERS {
            builder = builder.add_player(PlayerType::Local, player)?;
        }
        let builder = builder.with_max_prediction_window(check_distance + 1).with_check_distance(check_distance);
        Ok(Self {
            world: game::world(seed)?,
            schedule: game::schedule(),
            ring: SnapshotRing::new(check_distance + 1),
            session: builder.start_synctest_session()?,
            players: ["player 0", "player 1"].map(|key| Player { stream: Stream::new(seed, key), held: 0 }),
            costs: Costs::default(),
        })
    }

    /// Chooses who runs the systems.
    pub(crate) fn run_on(&mut self, executor: Executor, pool: Option<Pool>) {
        self.schedule.set_executor(executor);
        pool.into_iter().for_each(|pool| self.schedule.set_pool(pool));
    }

    /// Plays one frame, back and forth.
    ///
    /// # Errors
    ///
    /// [`MismatchedChecksum`](ggrs::GgrsError::MismatchedChecksum) if a frame came out another way the second time.
    pub(crate) fn play_frame(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        for (handle, player) in self.players.iter_mut().enumerate() {
            self.session.add_local_input(handle, player.next())?;
        }
        let requests = self.session.advance_frame()?;
        requests.into_iter().try_for_each(|request| self.fulfil(request))
    }

    fn fulfil(&mut self, request: GgrsRequest<Duel>) -> Result<(), Box<dyn std::error::Error>> {
        #[expect(clippy::disallowed_methods, reason = "costs are printed, and decide nothing")]
        let start = Instant::now();
        let costs = match request {
            GgrsRequest::SaveGameState { cell, frame } => self.save(&cell, frame).map(|()| &mut self.costs.save),
            GgrsRequest::LoadGameState { frame, .. } => self.load(frame).map(|()| &mut self.costs.load),
            GgrsRequest::AdvanceFrame { inputs } => self.advance(&inputs).map(|()| &mut self.costs.advance),
        };
        costs?.push(start.elapsed());
        Ok(())
    }

    /// The hash first: then the snapshot knows the hashes of its blocks, and so does who loads it.
    fn save(&mut self, cell: &GameStateCell<()>, frame: Frame) -> Result<(), Box<dyn std::error::Error>> {
        let hash = self.world.state_hash()?;
        self.ring.push(&self.world)?;
        cell.save(frame, None, Some(hash.get().into()));
        Ok(())
    }

    /// Frames of the session are ticks of the world.
    fn load(&mut self, frame: Frame) -> Result<(), Box<dyn std::error::Error>> {
        if self.ring.restore(u64::try_from(frame)?, &mut self.world)? {
            Ok(())
        } else {
            Err(format!("frame {frame} is not kept").into())
        }
    }

    fn advance(&mut self, inputs: &[(u8, InputStatus)]) -> Result<(), Box<dyn std::error::Error>> {
        let mut buttons = [0; PLAYERS];
        buttons.iter_mut().zip(inputs).for_each(|(buttons, (input, _))| *buttons = *input);
        self.world.insert_resource(Buttons(buttons));
        self.schedule.run(&mut self.world)?;
        Ok(())
    }

    pub(crate) fn score(&self) -> Result<Score, tickweave::world::ResourceError> {
        self.world.resource::<Score>().copied()
    }
}

impl Player {
    /// The buttons that are held now: others now and then.
    fn next(&mut self) -> u8 {
        if self.stream.chance(1, 6) {
            self.held = self.stream.range(0..32);
        }
        self.held
    }
}
