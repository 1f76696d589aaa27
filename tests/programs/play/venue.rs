//! Where a program is played: a world with schedules, or a simulation.

use tickweave::prelude::*;
use tickweave::simulation::{BuildError, StepError, StepReport};

use super::sim::simulation;
use super::stage::{Stage, bare_world, stages};
use crate::bodies::{self, Pad};
use crate::data::{Edit, Program};
use crate::deeds;
use crate::kit::{Kit, Sight};
use crate::office::Vote;
use crate::parts::Stick;
use crate::ways::Way;

/// What became of a tick.
pub(super) type Outcome = Result<Option<StepReport>, StepError>;

/// What the host gives to the next step.
#[derive(Default)]
pub(super) struct Given {
    pub(super) stick: Option<Stick>,
    pub(super) votes: Option<Vec<Vote>>,
}

pub(super) enum Venue {
    Bare { world: Box<World>, stages: Vec<Stage> },
    Sim(Box<Simulation>),
}

impl Venue {
    /// The place as it is before the first round. A simulation has been set up then, a world has not.
    pub(super) fn new(program: &Program, kit: &Kit, way: Way) -> Result<Self, BuildError> {
        match &program.office {
            Some(office) => Ok(Self::Sim(Box::new(simulation(program, office, kit, way)?))),
            None => {
                let (world, stages) = (Box::new(bare_world(program, kit, way)), stages(program, kit, way));
                Ok(Self::Bare { world, stages })
            }
        }
    }

    /// Does what a world is set up with, unless that was done.
    pub(super) fn set_up(&mut self, program: &Program, kit: &Kit) {
        if let Self::Bare { world, .. } = self {
            program.setup.iter().for_each(|deed| deeds::perform(*deed, world, kit));
        }
    }

    pub(super) fn world(&self) -> &World {
        match self {
            Self::Bare { world, .. } => world,
            Self::Sim(sim) => sim.world(),
        }
    }

    pub(super) fn world_mut(&mut self) -> &mut World {
        match self {
            Self::Bare { world, .. } => world,
            Self::Sim(sim) => sim.world_mut(),
        }
    }

    pub(super) fn schedule(&self, agenda: usize) -> &Schedule {
        match self {
            Self::Bare { stages, .. } => &stages[agenda].schedule,
            Self::Sim(sim) => sim.schedule(),
        }
    }

    pub(super) fn schedules(&self) -> Vec<&Schedule> {
        match self {
            Self::Bare { stages, .. } => stages.iter().map(|stage| &stage.schedule).collect(),
            Self::Sim(sim) => vec![sim.schedule()],
        }
    }

    /// A tick. A schedule is built anew if the world met types since it was.
    pub(super) fn tick(&mut self, agenda: usize, pad: &mut Pad, given: Given, kit: &Kit) -> Outcome {
        match self {
            Self::Bare { world, stages } => {
                let schedule = &mut stages[agenda].schedule;
                let outcome = schedule.run_with(world, pad);
                if matches!(outcome, Err(RunError::Stale)) {
                    kit.saw(Sight::Stale);
                    schedule.build(world).map_err(RunError::from)?;
                    schedule.run_with(world, pad)?;
                    return Ok(None);
                }
                outcome?;
                Ok(None)
            }
            Self::Sim(sim) => {
                kit.set_delivering(true);
                let outcome = step(sim, pad, &given);
                kit.set_delivering(false);
                outcome.map(Some)
            }
        }
    }

    /// An edit that concerns a schedule.
    pub(super) fn rearrange(&mut self, edit: &Edit, agenda: usize, kit: &Kit) {
        match self {
            Self::Bare { stages, .. } => stages[agenda].rearrange(edit, kit),
            Self::Sim(sim) => {
                let Edit::Enable { system, on } = edit else { return };
                if sim.set_enabled(&bodies::name(*system), *on) {
                    kit.saw(Sight::Toggle);
                }
            }
        }
    }
}

fn step(sim: &mut Simulation, pad: &mut Pad, given: &Given) -> Result<StepReport, StepError> {
    match (&given.stick, &given.votes) {
        (None, None) => sim.step_with((), pad),
        (Some(stick), None) => sim.step_with(stick, pad),
        (None, Some(votes)) => sim.step_with(&votes[..], pad),
        (Some(stick), Some(votes)) => sim.step_with((stick, &votes[..]), pad),
    }
}
