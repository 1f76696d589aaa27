//! What a simulation has beside systems: typed commands, the managers and command buffers that take them, and inputs.

use tickweave::command::Command;
use tickweave::machine::MachineState;
use tickweave::prelude::*;
use tickweave::simulation::{
    CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, SimulationBuilder, Verdict,
};

use super::data::{Conduct, Delay, Door, Form};
use super::deeds::{self, panic_quietly};
use super::journal::Word;
use super::kit::{self, Kit, Sight};
use super::orders::Clerk;
use super::parts::stir;

/// What the passes of a program may be filtered by.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mode {
    Run,
    Pause,
    End,
}

impl MachineState for Mode {
    type Transition = bool;
}

impl Mode {
    pub(crate) const ALL: [Self; 3] = [Self::Run, Self::Pause, Self::End];

    /// The states of a mask.
    pub(crate) fn mask(bits: u8) -> StateMask<Self> {
        StateMask::of(Self::ALL.into_iter().filter(|mode| bits >> *mode as u8 & 1 == 1))
    }
}

/// What each of several players gives to a step.
#[derive(Clone, StateValue)]
pub(crate) struct Vote(pub(crate) u64);

/// What a command says, whatever its type.
#[derive(Clone, StateValue)]
pub(crate) struct Ticket {
    number: u64,
    to: Entity,
}

#[derive(Clone, StateValue, Command)]
pub(crate) struct Slip(Ticket);

/// A command that is plain data.
#[derive(Component, Clone, Copy, Command)]
#[repr(C)]
pub(crate) struct Chit {
    number: u64,
    to: Entity,
}

/// A command with memory of its own.
#[derive(Clone, StateValue, Command)]
pub(crate) struct Memo {
    words: Vec<u64>,
    to: Option<Entity>,
}

/// A command that names nobody.
#[derive(Clone, StateValue, Command)]
pub(crate) struct Wire(u64);

/// A type of typed command.
pub(crate) trait Paper: Execute {
    fn make(ticket: Ticket) -> Self;

    fn ticket(self) -> Ticket;
}

/// Types that are made of a ticket and become one again.
macro_rules! papers {
    ($($name:ident: |$made:ident| $make:expr, |$this:ident| $ticket:expr;)*) => {$(
        impl Paper for $name {
            fn make($made: Ticket) -> Self {
                $make
            }

            fn ticket(self) -> Ticket {
                let $this = self;
                $ticket
            }
        }

        impl Execute for $name {
            fn execute(self, world: &mut World, commands: &mut Lane) {
                execute(&self.ticket(), world, commands);
            }
        }
    )*};
}

papers! {
    Slip: |ticket| Self(ticket), |this| this.0;
    Chit: |ticket| Self { number: ticket.number, to: ticket.to }, |this| Ticket { number: this.number, to: this.to };
    Memo: |ticket| Self { words: vec![ticket.number; 3], to: Some(ticket.to) },
        |this| Ticket { number: this.words[2], to: this.to.expect("made so") };
    Wire: |ticket| Self(ticket.number), |this| Ticket { number: this.0, to: super::orders::guess(this.0 as u32 % 40, 1) };
}

/// What a manager, or a buffer, has on its desk.
#[derive(Clone, Default, StateValue)]
pub(crate) struct Staff {
    waiting: Vec<Ticket>,
    taken: u64,
    flushes: u64,
}

impl Staff {
    /// A number that shows all that happened.
    pub(crate) fn sum(&self) -> u64 {
        stir(self.taken, self.flushes ^ (self.waiting.len() as u64) << 40)
    }

    fn take(&mut self, ticket: Ticket, door: Door, kit: &Kit) -> Verdict {
        let conduct = kit.conduct(door);
        kit.say(Word::Delivered { number: ticket.number, to: door });
        conduct.trip(ticket.number, 1);
        if conduct.refuses != 0 && ticket.number % conduct.refuses == 0 {
            kit.saw(Sight::ManagerRefused);
            return Verdict::Refused;
        }
        kit.saw(if matches!(door, Door::Desk(_)) { Sight::ToDesk } else { Sight::ToTray });
        self.taken = stir(self.taken, ticket.number);
        self.waiting.push(ticket);
        Verdict::Accepted
    }

    fn flush(&mut self, door: Door, context: &mut FlushContext<'_>) {
        let kit = kit::played();
        let conduct = kit.conduct(door);
        kit.say(Word::Flushed(door));
        self.flushes += 1;
        for ticket in std::mem::take(&mut self.waiting) {
            conduct.trip(ticket.number, 0);
            kit.saw(Sight::FlushWork);
            let mut clerk = Clerk { own: Some(ticket.to), flushes: true, ..Clerk::new(context, &kit, ticket.number) };
            clerk.follow(&conduct.rules, ticket.number);
        }
    }
}

impl Conduct {
    /// Panics at some of the numbers, half of them when they are taken, the others when they are flushed.
    fn trip(&self, number: u64, half: u64) {
        if self.panics != 0 && number % self.panics == 0 && number / self.panics % 2 == half {
            panic_quietly("a service of the simulation");
        }
    }
}

fn execute(ticket: &Ticket, world: &mut World, commands: &mut Lane) {
    let kit = kit::played();
    let conduct = kit.conduct(Door::Itself);
    kit.say(Word::Delivered { number: ticket.number, to: Door::Itself });
    kit.saw(Sight::Executed);
    conduct.trip(ticket.number, 0);
    if let Some(deed) = conduct.deeds.get(ticket.number as usize % 4) {
        deeds::perform(*deed, world, &kit);
    }
    let mut clerk = Clerk { own: Some(ticket.to), flushes: true, ..Clerk::new(commands, &kit, ticket.number) };
    clerk.follow(&conduct.rules, ticket.number);
}

/// A manager, by number.
#[derive(Clone, Default, StateValue)]
pub(crate) struct Desk<const N: usize>(pub(crate) Staff);

/// A command buffer, by number.
#[derive(Clone, Default, StateValue)]
pub(crate) struct Tray<const N: usize>(Staff);

impl<const N: usize> Manager for Desk<N> {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        for route in kit::played().office().routes.iter().filter(|route| route.in_init && route.to == Door::Desk(N)) {
            match route.form {
                Form::Slip => context.handles::<Slip>(),
                Form::Chit => context.handles::<Chit>(),
                Form::Memo => context.handles::<Memo>(),
                Form::Wire => context.handles::<Wire>(),
            }
        }
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        self.0.flush(Door::Desk(N), context);
    }
}

impl<const N: usize> CustomBuffer for Tray<N> {
    fn flush(&mut self, context: &mut FlushContext<'_>) {
        self.0.flush(Door::Tray(N), context);
    }

    fn clear(&mut self) {
        self.0.waiting.clear();
    }
}

impl<C: Paper, const N: usize> HandlesCommand<C> for Desk<N> {
    fn submit(&mut self, command: C) -> Verdict {
        self.0.take(command.ticket(), Door::Desk(N), &kit::played())
    }
}

impl<C: Paper, const N: usize> HandlesCommand<C> for Tray<N> {
    fn submit(&mut self, command: C) -> Verdict {
        self.0.take(command.ticket(), Door::Tray(N), &kit::played())
    }
}

/// How many managers and command buffers there may be.
pub(crate) const DESKS: usize = 3;
pub(crate) const TRAYS: usize = 2;

type Build = fn(SimulationBuilder) -> SimulationBuilder;

/// Adds a manager, or a command buffer.
pub(crate) fn add_service(builder: SimulationBuilder, door: Door) -> SimulationBuilder {
    const ADD_DESK: [Build; DESKS] =
        [|b| b.manager(Desk::<0>::default()), |b| b.manager(Desk::<1>::default()), |b| b.manager(Desk::<2>::default())];
    const ADD_TRAY: [Build; TRAYS] =
        [|b| b.command_buffer(Tray::<0>::default()), |b| b.command_buffer(Tray::<1>::default())];
    match door {
        Door::Desk(number) => ADD_DESK[number](builder),
        Door::Tray(number) => ADD_TRAY[number](builder),
        Door::Itself => builder,
    }
}

/// What can be done with a type of command.
pub(crate) struct FormTable {
    pub(crate) record: fn(&mut Lane, (u64, Entity), Delay),
    /// Submits one of the host; whether it was taken.
    pub(crate) submit: fn(&mut Simulation, (u64, Entity), Option<u64>) -> bool,
    /// Says that somebody is to handle it.
    pub(crate) command: Build,
    pub(crate) executing: Build,
    pub(crate) to_desk: [Build; DESKS],
    pub(crate) to_tray: [Build; TRAYS],
}

const fn form_table<C: Paper>() -> FormTable {
    FormTable {
        record: |lane, (number, to), delay| {
            let command = C::make(Ticket { number, to });
            match delay {
                Delay::None => lane.submit(command),
                Delay::After(ticks) => lane.submit_after(ticks, command),
                Delay::At(tick) => lane.submit_at(tick, command),
            }
        },
        submit: |sim, (number, to), tick| {
            let command = C::make(Ticket { number, to });
            match tick {
                Some(tick) => sim.submit_at(tick, command).is_ok(),
                None => sim.submit(command).is_ok(),
            }
        },
        command: SimulationBuilder::command::<C>,
        executing: SimulationBuilder::executing::<C>,
        to_desk: [
            SimulationBuilder::handler::<C, Desk<0>>,
            SimulationBuilder::handler::<C, Desk<1>>,
            SimulationBuilder::handler::<C, Desk<2>>,
        ],
        to_tray: [SimulationBuilder::handler::<C, Tray<0>>, SimulationBuilder::handler::<C, Tray<1>>],
    }
}

static FORMS: [FormTable; 4] = [form_table::<Slip>(), form_table::<Chit>(), form_table::<Memo>(), form_table::<Wire>()];

pub(crate) fn form_table_of(form: Form) -> &'static FormTable {
    &FORMS[form as usize]
}
