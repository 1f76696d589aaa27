//! Prints a program as code, for people.

use std::fmt::{self, Display, Formatter};

use super::bodies::{name, trio_filters, trio_kinds};
use super::data::*;
use super::office::Mode;
use super::parts::Kind;
use super::tables::kinds_of;

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { chunk_rows, batch_rows, capacity, .. } = self;
        write!(f, "World::builder().chunk_rows({chunk_rows}).batch_rows({batch_rows}).entity_capacity({capacity})")?;
        self.seed.iter().try_for_each(|seed| write!(f, ".seed({seed:#x})"))?;
        if self.registered == Kind::ALL {
            writeln!(f, ", with every component type")?;
        } else {
            self.registered.iter().try_for_each(|kind| write!(f, ".with_component::<{kind:?}>()"))?;
            writeln!(f)?;
        }
        if let Some(kind) = self.hidden {
            writeln!(f, "world.hide_by_default::<{kind:?}>()")?;
        }
        writeln!(
            f,
            "// resources: Dial(3), Tally, Other, Fixed(5), Stick(0){}",
            if self.spare { ", Spare(9)" } else { "" }
        )?;
        self.setup.iter().try_for_each(|deed| writeln!(f, "{deed}"))?;
        self.office.iter().try_for_each(|office| write!(f, "\nsimulation{office}"))?;
        for (number, agenda) in self.agendas.iter().enumerate() {
            write!(f, "\nschedule {number}{}:\n{agenda}", if agenda.strict { ", strict" } else { "" })?;
        }
        writeln!(f)?;
        for (number, round) in self.rounds.iter().enumerate() {
            round.edits.iter().try_for_each(|edit| writeln!(f, "{edit}"))?;
            match self.office {
                Some(_) => writeln!(f, "tick {}: simulation.step(inputs)", number + 1)?,
                None => writeln!(f, "tick {}: schedule {}.run(&mut world)", number + 1, round.agenda)?,
            }
        }
        Ok(())
    }
}

impl Display for Office {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.rollback { ".rollback(8)" } else { "" })?;
        writeln!(f, "{}", if self.own_phases { ", phases of its own" } else { ", phases Pre, Main, Post and more" })?;
        for (number, conduct) in &self.trays {
            write!(f, "  .command_buffer(Tray<{number}>)\n{conduct}")?;
        }
        for (number, conduct) in &self.desks {
            write!(f, "  .manager(Desk<{number}>)\n{conduct}")?;
        }
        for Route { form, to, in_init } in &self.routes {
            let how = if *in_init { "in its init" } else { "from outside" };
            writeln!(f, "  {form:?} goes to {to:?}, said {how}")?;
        }
        write!(f, "  commands that execute themselves\n{}", self.errand)
    }
}

impl Display for Conduct {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { rules, deeds, refuses, panics } = self;
        if *refuses != 0 {
            writeln!(f, "      refuses where number % {refuses} == 0")?;
        }
        if *panics != 0 {
            writeln!(f, "      panics where number % {panics} == 0")?;
        }
        deeds.iter().try_for_each(|deed| writeln!(f, "      {deed}"))?;
        rules.iter().try_for_each(|rule| write!(f, "{rule}"))
    }
}

/// Flags of a commit point.
struct Flags(u8);

impl Display for Flags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = ["STRUCTURE", "COMMANDS", "MANAGERS", "EVENTS"];
        let set = (0..).zip(names).filter(|(bit, _)| self.0 >> bit & 1 == 1).map(|(_, name)| name);
        match self.0 {
            0 => f.write_str("NONE"),
            ALL_FLAGS => f.write_str("ALL"),
            _ => f.write_str(&set.collect::<Vec<_>>().join(" | ")),
        }
    }
}

impl Display for Agenda {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for item in &self.items {
            match item {
                Item::Systems(plots) if plots.len() == 1 => write!(f, "{}", plots[0])?,
                Item::Systems(plots) => {
                    writeln!(f, "  chain:")?;
                    plots.iter().try_for_each(|plot| write!(f, "{plot}"))?;
                    writeln!(f, "  end of the chain")?;
                }
                Item::Barrier => writeln!(f, "  barrier()")?,
                Item::Pass { publishes, states: 0 } => writeln!(f, "  end of pass, commit({})", Flags(*publishes))?,
                Item::Pass { publishes, states } => {
                    writeln!(f, "  end of pass, commit({}), run_in({:?})", Flags(*publishes), Mode::mask(*states))?;
                }
                Item::Phase => writeln!(f, "  end of phase")?,
            }
        }
        Ok(())
    }
}

impl Display for Plot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "  {}: {}", name(self.id), signature(&self.task))?;
        self.label.iter().try_for_each(|label| write!(f, ".labeled({label})"))?;
        self.before.iter().try_for_each(|wait| write!(f, ".before({wait})"))?;
        self.after.iter().try_for_each(|wait| write!(f, ".after({wait})"))?;
        if self.every > 1 {
            write!(f, ".every({}).offset({})", self.every, self.offset)?;
        }
        self.conditions.iter().try_for_each(|condition| write!(f, ".run_if({condition:?})"))?;
        self.stream.iter().try_for_each(|number| write!(f, ".stream({number})"))?;
        f.write_str(if self.enabled { "" } else { ".disabled()" })?;
        writeln!(f, "{}", if self.pinned { ".pinned()" } else { "" })?;
        write!(f, "{}", self.task)
    }
}

impl Display for Wait {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(id) => f.write_str(&name(*id)),
            Self::Label(label) => write!(f, "label {label}"),
        }
    }
}

/// What the system is given.
fn signature(task: &Task) -> String {
    let ((a, b), (f, g)) = (trio_kinds(task.trio), trio_filters(task.trio));
    let rows = format!("Query<(Entity, &{a:?}, Option<&{b:?}>), {f}>");
    let written = format!("Query<(Entity, &mut {a:?}, Option<&{b:?}>), {f}>");
    match task.shape {
        Move::EachWrite => format!("each(&mut {a:?}, Option<&{b:?}>, Entity, Res<Dial>, Tick).filter::<{f}>()"),
        Move::EachLazy => format!("each(Write<{a:?}>, &{b:?}, Entity, Tick).filter::<{f}>()"),
        Move::EachOrders => format!("each(&{a:?}, Option<&{b:?}>, Entity, Res<Dial>, Commands).filter::<{f}>()"),
        Move::ChunkWrite => format!("chunk(&mut [{a:?}], Option<&[{b:?}]>, &[Entity]).filter::<{g}>()"),
        Move::ChunkOrders => format!("chunk(&[{a:?}], Option<&[{b:?}]>, &[Entity], Commands).filter::<{g}>()"),
        Move::QueryWrite => format!("loop over {written}, Local<u64>"),
        Move::QueryTally => format!("loop over {rows}, ResMut<Tally>"),
        Move::QueryOrders => format!("loop over {rows}, Commands, Local<u64>"),
        Move::NestedWrite => format!("nested loop over {written}, Local<u64>"),
        Move::NestedOrders => format!("nested loop over {rows}, Commands"),
        Move::NestedBatches => format!("nested loop over batches of Query<(Entity, &mut {a:?}), {g}>, Commands"),
        Move::NestedDeep => {
            format!(
                "nested loop over Query<(Entity, &mut {a:?}), {f}>, Commands, with a nested fold over Query<&{b:?}>"
            )
        }
        Move::NestedFold => format!("nested {} over {rows}, ResMut<Tally>", fold_of(task)),
        Move::Dynamic => {
            let draws = if task.factor % 3 == 0 { ".draws()" } else { "" };
            format!("DynamicSystem.writes::<{a:?}>().reads::<{b:?}>().records_commands(){draws}")
        }
        Move::Pinned => format!("Query<(Entity, &{a:?}), {f}>, Host<Pad>"),
        Move::Twin => format!("Query<(Entity, &mut {a:?}), With<Flag>>, Query<&{a:?}, Without<Flag>>"),
        Move::Follow => format!("Query<(Entity, &Link, &mut {a:?})>, Query<&{b:?}>"),
        Move::EachGather => format!("each(&mut {a:?}, &Link, Entity, Lookup<&{b:?}>, Tick)"),
        Move::ChunkGather => {
            format!("chunk(&mut [{a:?}], &[Link], &[Entity], Lookup<&{b:?}>, Tick).filter::<{g}>()")
        }
        Move::EachDraw => format!("each(&mut {a:?}, Option<&{b:?}>, Entity, Tick, Rng).filter::<{f}>()"),
        Move::QueryDraw => format!("loop over {written}, Commands, Rng"),
        Move::NestedDraw => format!("nested loop over Query<(Entity, &mut {a:?}), {f}>, Commands, Rng"),
        Move::Escape => "Query<&mut Link>, ResMut<Tally>, Local<Option<Entity>>, Commands".to_owned(),
        Move::Office if task.factor % 3 == 0 => "ResMut<StateMachine<Mode>>, Res<Tally>".to_owned(),
        Move::Office => "Mgr<Desk<0>>, Res<Inputs<Vote>>, Res<Stick>, ResMut<Tally>".to_owned(),
        Move::Resources => format!("resources only, variant {}", task.factor % 4),
        Move::Events => "EventReader<Note>, <Bell>, <Whisper>, <Shout>, ResMut<Tally>".to_owned(),
        Move::Removals => "Removed<Long>, Removed<Link>, Removed<Counted>, Removed<Mark>, ResMut<Tally>".to_owned(),
        Move::Exclusive => "&mut World".to_owned(),
        Move::ExclusiveOrders => "&mut World, Commands".to_owned(),
        Move::SubWorld => "ResMut<Nest>, ResMut<Other>: runs the schedule of the nest".to_owned(),
    }
}

const fn fold_of(task: &Task) -> &'static str {
    match task.factor % 8 {
        0 | 4 => "fold (affine)",
        1 | 5 => "fold (stir)",
        2 | 6 => "sum",
        3 => "least and greatest",
        _ => "collection",
    }
}

impl Display for Task {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(Trip { tick, modulus, remainder, panics }) = self.trip {
            let how = if panics { "panics" } else { "fails" };
            writeln!(f, "      {how} from tick {tick} on, where number % {modulus} == {remainder}")?;
        }
        if self.looks {
            writeln!(f, "      the bits of each handle go into the values that it records next")?;
        }
        self.deeds.iter().try_for_each(|deed| writeln!(f, "      {deed}"))?;
        self.opening.iter().try_for_each(|order| writeln!(f, "      first {order}"))?;
        self.rules.iter().try_for_each(|rule| write!(f, "{rule}"))?;
        self.closing.iter().try_for_each(|order| writeln!(f, "      last {order}"))
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { modulus, remainder, orders } = self;
        writeln!(f, "      where number % {modulus} == {remainder}")?;
        orders.iter().try_for_each(|order| writeln!(f, "        {order}"))
    }
}

/// The components of a bundle.
struct Bundle(usize);

impl Display for Bundle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = kinds_of(self.0).iter().map(|kind| format!("{kind:?}")).collect();
        write!(f, "({})", names.join(", "))
    }
}

impl Display for Order {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Spawn { recipe, to } => write!(f, "last = commands.spawn({} to {to})", Bundle(recipe)),
            Self::Insert { on, recipe, to } => write!(f, "commands.insert({on}, {} to {to})", Bundle(recipe)),
            Self::Remove { on, recipe } => write!(f, "commands.remove::<{}>({on})", Bundle(recipe)),
            Self::Despawn { on } => write!(f, "commands.despawn({on})"),
            Self::Queue(deed) => write!(f, "commands.queue(|world| {deed})"),
            Self::QueueOn { on, touch } => write!(f, "commands.entity({on}).queue({touch:?})"),
            Self::Send { to: None } => f.write_str("commands.send(Bell)"),
            Self::Send { to: Some(to) } => write!(f, "commands.send(Note to {to})"),
            Self::Call { phase } => write!(f, "commands.send({})", if phase { "Shout" } else { "Whisper" }),
            Self::Submit { form, to, delay: Delay::None } => write!(f, "commands.submit({form:?} to {to})"),
            Self::Submit { form, to, delay: Delay::After(ticks) } => {
                write!(f, "commands.submit_after({ticks}, {form:?} to {to})")
            }
            Self::Submit { form, to, delay: Delay::At(tick) } => {
                write!(f, "commands.submit_at({tick}, {form:?} to {to})")
            }
            Self::Forget => f.write_str("commands.clear()"),
        }
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("own"),
            Self::Last => f.write_str("last"),
            Self::Outer => f.write_str("the last before the loop"),
            Self::Kept => f.write_str("the one kept"),
            Self::Guess { slot, generation } => write!(f, "{slot}v{generation}"),
        }
    }
}

impl Display for Deed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Spawn { recipe, count, seed } => {
                write!(f, "world.spawn_batch({count} x {} of {seed:x})", Bundle(recipe))
            }
            Self::Despawn { nth } => write!(f, "world.despawn(#{nth})"),
            Self::Insert { nth, recipe, seed } => write!(f, "world.insert(#{nth}, {} of {seed:x})", Bundle(recipe)),
            Self::Remove { nth, recipe } => write!(f, "world.remove::<{}>(#{nth})", Bundle(recipe)),
            Self::MixAll { kind, by } => write!(f, "world.query_mut::<&mut {kind:?}>() mixed with {by:x}"),
            Self::MixOne { nth, kind, by } => write!(f, "world.get_mut::<{kind:?}>(#{nth}) mixed with {by:x}"),
            Self::SetDial(to) => write!(f, "world.insert_resource(Dial({to}))"),
            Self::Send { nth, number } => write!(f, "world.send_event(Note {number:x} to #{nth})"),
            Self::PutSpare(value) => write!(f, "world.insert_resource(Spare({value}))"),
            Self::TakeSpare => f.write_str("world.remove_resource::<Spare>()"),
            Self::SetMode(number) => {
                write!(f, "world.insert_resource(StateMachine::new({:?}))", Mode::ALL[usize::from(number) % 3])
            }
            Self::Clear => f.write_str("world.clear()"),
            Self::Panic => f.write_str("panic!()"),
        }
    }
}

impl Display for Edit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deed(deed) => write!(f, "{deed}"),
            Self::SetStick(to) => write!(f, "world.insert_resource(Stick({to}))"),
            Self::Vote(votes) => write!(f, "the next step is given votes {votes:x?}"),
            Self::Submit { form, number, tick: None } => write!(f, "simulation.submit({form:?} {number:x})"),
            Self::Submit { form, number, tick: Some(tick) } => {
                write!(f, "simulation.submit_at({tick}, {form:?} {number:x})")
            }
            Self::Register(kind) => write!(f, "world.ensure_component::<{kind:?}>()"),
            Self::Buffer(orders) => {
                writeln!(f, "CommandBuffer:")?;
                orders.iter().try_for_each(|order| writeln!(f, "      {order}"))
            }
            Self::RunOnce(task) => write!(f, "world.run_once({})\n{task}", signature(task)),
            Self::Enable { system, on } => write!(f, "schedule.set_enabled({}, {on})", name(*system)),
            Self::Add(plot) => write!(f, "schedule.add:\n{plot}"),
            Self::Withdraw { system } => write!(f, "schedule.remove({})", name(*system)),
        }
    }
}
