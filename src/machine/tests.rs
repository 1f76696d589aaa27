use super::*;
use crate::prelude::*;
use crate::value::{Sink, Source};

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Game {
    Build = 3,
    Run = 5,
    Pause = 200,
}

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Switch {
    Start,
    Pause,
    Resume,
    Restart,
    Unknown,
}

impl MachineState for Game {
    type Transition = Switch;
}

#[derive(Default)]
struct Stage {
    trace: Vec<String>,
    is_open: bool,
    /// Which listener panics.
    trap: &'static str,
}

impl Stage {
    fn note(&mut self, what: &'static str, change: Change<Game>) {
        assert_ne!(what, self.trap, "the trap");
        self.trace.push(format!("{what} {:?} {:?} {:?}", change.from, change.transition, change.to));
    }
}

fn is_open(stage: &Stage, _: Change<Game>) -> bool {
    stage.is_open
}

fn exit(stage: &mut Stage, change: Change<Game>) {
    stage.note("exit", change);
}

fn transition(stage: &mut Stage, change: Change<Game>) {
    stage.note("transition", change);
}

fn enter(stage: &mut Stage, change: Change<Game>) {
    stage.note("enter", change);
}

const TABLE: [Rule<Game, Stage>; 5] = [
    Rule::new(Game::Build, Switch::Start, Game::Run).guard(is_open),
    Rule::new(Game::Run, Switch::Pause, Game::Pause),
    Rule::new(Game::Pause, Switch::Resume, Game::Run).guard(is_open),
    Rule::new(Game::Pause, Switch::Resume, Game::Build),
    Rule::new(Game::Run, Switch::Restart, Game::Run),
];
const RULES: Rules<'static, Game, Stage> = Rules::new(&TABLE).on_exit(exit).on_transition(transition).on_enter(enter);

fn open() -> Stage {
    Stage { is_open: true, ..Stage::default() }
}

#[test]
fn a_change_tells_exit_then_transition_then_enter() {
    let (mut game, mut stage) = (StateMachine::new(Game::Build), open());
    game.request(Game::Build, Switch::Start);
    assert_eq!((game.waiting(), game.current()), (1, Game::Build), "a request alone changes nothing");
    assert_eq!(game.apply(&RULES, &mut stage), 1);
    assert_eq!(stage.trace, ["exit Build Start Run", "transition Build Start Run", "enter Build Start Run"]);
    assert_eq!((game.waiting(), game.current(), game.changes()), (0, Game::Run, 1));
}

/// A context that notes who was asked and told. Guards can't change it, so that the list is in a cell.
#[derive(Default)]
struct Journal(std::cell::RefCell<Vec<&'static str>>);

impl Journal {
    fn note(&self, who: &'static str, change: Change<Game>) {
        assert_eq!((change.from, change.to), (Game::Run, Game::Pause));
        self.0.borrow_mut().push(who);
    }
}

#[test]
fn a_change_asks_the_guard_of_its_rule_before_it_tells_exit_and_a_refusal_ends_there() {
    fn refuses(journal: &Journal, change: Change<Game>) -> bool {
        journal.note("guard refuses", change);
        false
    }
    fn passes(journal: &Journal, change: Change<Game>) -> bool {
        journal.note("guard passes", change);
        true
    }
    fn other(_: &Journal, _: Change<Game>) -> bool {
        panic!("this rule is for another request");
    }
    let rule = || Rule::new(Game::Run, Switch::Pause, Game::Pause);
    let strangers =
        || [Rule::new(Game::Build, Switch::Pause, Game::Pause), Rule::new(Game::Run, Switch::Restart, Game::Run)];
    let journal = |last: fn(&Journal, Change<Game>) -> bool| {
        let [one, other_one] = strangers().map(|rule| rule.guard(other));
        let table = [one, other_one, rule().guard(refuses), rule().guard(last)];
        let rules = Rules::new(&table)
            .on_exit(|journal: &mut Journal, change| journal.note("exit", change))
            .on_transition(|journal, change| journal.note("transition", change))
            .on_enter(|journal, change| journal.note("enter", change));
        let (mut game, mut journal) = (StateMachine::new(Game::Run), Journal::default());
        game.request(Game::Run, Switch::Pause);
        game.apply(&rules, &mut journal);
        journal.0.into_inner().join(", ")
    };
    assert_eq!(journal(passes), "guard refuses, guard passes, exit, transition, enter");
    assert_eq!(journal(refuses), "guard refuses, guard refuses");
}

#[test]
fn after_a_panic_of_a_guard_the_machine_is_as_before_that_request_and_later_ones_wait() {
    fn trapped(stage: &Stage, _: Change<Game>) -> bool {
        assert_ne!(stage.trap, "guard", "the trap");
        true
    }
    let table = [Rule::new(Game::Run, Switch::Pause, Game::Pause).guard(trapped)];
    let rules = Rules::new(&table).on_exit(exit).on_transition(transition).on_enter(enter);
    let (mut game, mut stage) = (StateMachine::new(Game::Run), Stage { trap: "guard", ..Stage::default() });
    game.request(Game::Run, Switch::Unknown);
    game.request(Game::Run, Switch::Pause);
    game.request(Game::Run, Switch::Pause);
    let apply = std::panic::AssertUnwindSafe(|| game.apply(&rules, &mut stage));
    assert!(std::panic::catch_unwind(apply).is_err());
    assert_eq!((game.current(), game.changes(), game.waiting(), stage.trace.len()), (Game::Run, 0, 1, 0));
    assert_eq!(game.refusals(), Refusals { no_rule: 1, ..Refusals::default() }, "the panic is no refusal");
    stage.trap = "";
    assert_eq!((game.apply(&rules, &mut stage), game.current()), (1, Game::Pause));
}

#[test]
fn the_second_request_is_answered_in_the_state_that_the_first_left() {
    let (mut game, mut stage) = (StateMachine::new(Game::Build), open());
    for (from, switch) in [(Game::Build, Switch::Start), (Game::Run, Switch::Pause), (Game::Run, Switch::Pause)] {
        game.request(from, switch);
    }
    assert_eq!(game.apply(&RULES, &mut stage), 2);
    assert_eq!(game.current(), Game::Pause);
    assert_eq!(game.refusals(), Refusals { wrong_state: 1, ..Refusals::default() });
    assert_eq!(stage.trace[3..], ["exit Run Pause Pause", "transition Run Pause Pause", "enter Run Pause Pause"]);
}

#[test]
fn what_is_refused_changes_nothing_tells_nobody_and_is_counted_by_reason() {
    let (mut game, mut stage) = (StateMachine::new(Game::Build), Stage::default());
    game.request(Game::Run, Switch::Pause);
    game.request(Game::Build, Switch::Start);
    game.request(Game::Build, Switch::Unknown);
    assert_eq!(game.apply(&RULES, &mut stage), 0);
    assert_eq!((game.current(), game.changes(), stage.trace.len()), (Game::Build, 0, 0));
    assert_eq!(game.refusals(), Refusals { wrong_state: 1, no_rule: 1, guarded: 1 });
}

#[test]
fn of_rules_for_one_request_the_first_whose_guard_lets_pass_is_taken() {
    for (is_open, to) in [(true, Game::Run), (false, Game::Build)] {
        let (mut game, mut stage) = (StateMachine::new(Game::Pause), Stage { is_open, ..Stage::default() });
        game.request(Game::Pause, Switch::Resume);
        game.apply(&RULES, &mut stage);
        assert_eq!(game.current(), to);
    }
}

#[test]
fn a_state_that_leads_to_itself_is_left_and_entered() {
    let (mut game, mut stage) = (StateMachine::new(Game::Run), Stage::default());
    game.request(Game::Run, Switch::Restart);
    assert_eq!(game.apply(&RULES, &mut stage), 1);
    assert_eq!((stage.trace.len(), game.current(), game.changes()), (3, Game::Run, 1));
}

#[test]
fn after_a_panic_of_a_listener_the_state_is_the_old_one_and_later_requests_wait() {
    for trap in ["exit", "transition", "enter"] {
        let (mut game, mut stage) = (StateMachine::new(Game::Run), Stage { trap, ..Stage::default() });
        game.request(Game::Run, Switch::Pause);
        game.request(Game::Run, Switch::Restart);
        let apply = std::panic::AssertUnwindSafe(|| game.apply(&RULES, &mut stage));
        assert!(std::panic::catch_unwind(apply).is_err());
        assert_eq!((game.current(), game.changes(), game.waiting()), (Game::Run, 0, 1), "{trap}");
        stage.trap = "";
        assert_eq!(game.apply(&RULES, &mut stage), 1);
    }
}

#[test]
fn a_machine_is_frozen_while_the_outer_one_is_in_no_state_that_hosts_it() {
    let hosts = StateMask::of([Game::Run]);
    let (mut inner, mut stage) = (StateMachine::new(Game::Run), Stage::default());
    inner.request(Game::Run, Switch::Pause);
    for outer in [Game::Build, Game::Pause] {
        assert_eq!(inner.apply_within(&StateMachine::new(outer), hosts, &RULES, &mut stage), 0);
        assert_eq!((inner.current(), inner.waiting(), stage.trace.len()), (Game::Run, 1, 0));
        assert_eq!(inner.refusals(), Refusals::default());
    }
    assert_eq!(inner.apply_within(&StateMachine::new(Game::Run), hosts, &RULES, &mut stage), 1);
}

#[test]
fn rules_may_lie_on_the_stack_and_their_context_may_borrow() {
    struct Borrowing<'a>(&'a mut Vec<Game>);
    fn enter(context: &mut Borrowing<'_>, change: Change<Game>) {
        context.0.push(change.to);
    }
    let mut entered = Vec::new();
    let flush = |context: &mut Borrowing<'_>| {
        let table = [Rule::new(Game::Build, Switch::Start, Game::Run)];
        let mut game = StateMachine::new(Game::Build);
        game.request(Game::Build, Switch::Start);
        game.apply(&Rules::new(&table).on_enter(enter), context)
    };
    assert_eq!(flush(&mut Borrowing(&mut entered)), 1);
    assert_eq!(entered, [Game::Run]);
}

#[test]
fn a_rule_that_is_never_taken_is_found() {
    assert_eq!(RULES.check(), Ok(()));
    let start = || Rule::<Game, Stage>::new(Game::Build, Switch::Start, Game::Run);
    assert_eq!(Rules::new(&[start().guard(is_open), start()]).check(), Ok(()));
    let pause = Rule::new(Game::Run, Switch::Pause, Game::Pause);
    let wrong = [pause, start(), start().guard(is_open)];
    let error = Rules::new(&wrong).check().unwrap_err();
    assert_eq!(error, RuleError::Unreachable { state: "Build", earlier: 1, later: 2 });
    assert_eq!(error.code(), "rule-unreachable");
    assert!(error.to_string().starts_with("rule 2 (out of state `Build`) is never taken: rule 1 has"), "{error}");
}

#[test]
fn a_mask_has_a_bit_for_each_variant_whatever_its_discriminant() {
    let states = [Game::Build, Game::Run, Game::Pause];
    for state in states {
        let own = StateMask::of([state]);
        assert!(states.iter().all(|&other| own.contains(other) == (other == state)));
        assert!(StateMask::ANY.contains(state) && StateMask::ANY.overlaps(own));
        assert!(StateMachine::new(state).is_in(own) && !StateMask::of([]).contains(state));
    }
    let two = StateMask::of([Game::Build, Game::Pause]);
    assert_eq!(two, StateMask::of([Game::Pause]) | StateMask::of([Game::Build]));
    assert!(two.overlaps(StateMask::of(states)) && !two.overlaps(StateMask::of([Game::Run])));
    assert_eq!([two.to_string(), format!("{:?}", StateMask::<Game>::ANY)], ["Build | Pause", "StateMask(any)"]);
    assert_eq!(StateMask::of(states), StateMask::ANY, "all states are any");
    assert_eq!(StateMask::<Game>::of([]).to_string(), "none");
}

fn used() -> StateMachine<Game> {
    let mut game = StateMachine::new(Game::Build);
    game.request(Game::Build, Switch::Start);
    game.request(Game::Run, Switch::Unknown);
    game.request(Game::Pause, Switch::Resume);
    game.apply(&RULES, &mut open());
    game.request(Game::Run, Switch::Pause);
    game
}

#[test]
fn a_machine_is_the_same_after_bytes_and_every_truncation_is_refused() {
    let mut bytes = Vec::new();
    used().encode(&mut Sink::new(&mut bytes));
    let mut source = Source::new(&bytes);
    let mut read = StateMachine::decode(&mut source).unwrap();
    assert_eq!((&read, source.remaining()), (&used(), 0));
    assert_eq!(read.apply(&RULES, &mut open()), 1, "what waited is answered");
    for cut in 0..bytes.len() {
        assert!(StateMachine::<Game>::decode(&mut Source::new(&bytes[..cut])).is_err());
    }
    bytes[0] = 4;
    assert!(StateMachine::<Game>::decode(&mut Source::new(&bytes)).is_err(), "no such state");
}

#[test]
fn overwriting_a_machine_keeps_its_memory_and_gives_the_same_value() {
    let mut copy = StateMachine::new(Game::Pause);
    (0..9).for_each(|_| copy.request(Game::Pause, Switch::Resume));
    let before = copy.waiting.capacity();
    copy.clone_from(&used());
    assert_eq!((&copy, copy.waiting.capacity()), (&used(), before));
    assert_eq!(used().clone(), used());
}

#[test]
fn a_machine_in_a_world_is_hashed_restored_and_read_by_systems() {
    fn is_running(game: Res<StateMachine<Game>>) -> bool {
        game.current() == Game::Run
    }
    fn grow(mut size: ResMut<Size>) {
        size.0 += 1;
    }
    #[derive(Clone, StateValue, Resource)]
    struct Size(u32);

    let mut world = World::new();
    world.insert_resource(StateMachine::new(Game::Build));
    world.insert_resource(Size(0));
    let mut schedule = Schedule::new();
    schedule.add(grow.run_if(is_running));
    schedule.run(&mut world).unwrap();
    let (early, hash) = (world.snapshot().unwrap(), world.state_hash().unwrap());

    let game = world.resource_mut::<StateMachine<Game>>().unwrap();
    game.request(Game::Build, Switch::Start);
    game.apply(&RULES, &mut open());
    assert_ne!(world.state_hash().unwrap(), hash);
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Size>().unwrap().0, 1);

    world.restore(&early).unwrap();
    assert_eq!(world.state_hash().unwrap(), hash);
    assert_eq!(world.resource::<StateMachine<Game>>().unwrap(), &StateMachine::new(Game::Build));
}
