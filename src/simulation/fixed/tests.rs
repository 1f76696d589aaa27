use super::*;

fn at(rate: u32) -> FixedStep {
    FixedStep::new(NonZeroU32::new(rate).unwrap()).catch_up(u32::MAX)
}

/// Steps of an hour that is cut into pieces of so many nanoseconds, with a last one that fills it.
fn steps_of_an_hour(rate: u32, piece: u64) -> u64 {
    let (mut pace, mut left, mut steps) = (at(rate), 3600 * SECOND, 0);
    while left > 0 {
        let now = piece.min(left);
        steps += u64::from(pace.advance(now).steps);
        left -= now;
    }
    assert_eq!((pace.fraction_bits(), pace.dropped()), (0, 0));
    steps
}

#[test]
fn an_hour_at_60_hz_is_exactly_216_000_ticks_however_time_is_cut() {
    for piece in [6_944_444, 16_666_667, 33_333_333, 999_999_937, 3600 * SECOND] {
        assert_eq!(steps_of_an_hour(60, piece), 216_000, "{piece}");
    }
    assert_eq!(steps_of_an_hour(7, 1_234_567), 25_200);
}

#[test]
fn what_is_due_beyond_the_cap_is_dropped_and_counted() {
    let mut pace = at(10).catch_up(3);
    assert_eq!(pace.advance(SECOND), Due { steps: 3, dropped: 7 });
    assert_eq!(pace.advance(SECOND / 10), Due { steps: 1, dropped: 0 });
    assert_eq!(pace.advance(u64::MAX).steps, 3);
    assert!(pace.dropped() > 7);
    assert_eq!(at(10).catch_up(0).advance(SECOND), Due { steps: 1, dropped: 9 });
}

#[test]
fn while_it_is_paused_time_stands_still_and_single_steps_are_due_one_by_one() {
    let mut pace = at(10);
    pace.advance(SECOND / 20);
    let fraction = pace.fraction_bits();
    pace.pause();
    assert_eq!((pace.advance(SECOND).steps, pace.fraction_bits()), (0, fraction));
    pace.step_once();
    assert_eq!((pace.advance(SECOND).steps, pace.advance(SECOND).steps), (1, 0));
    pace.resume();
    assert_eq!(pace.advance(SECOND / 20).steps, 1, "the half from before the pause and another half");
}

#[test]
fn the_fraction_is_at_least_0_and_less_than_1() {
    let mut pace = at(1);
    assert_eq!(pace.fraction().to_bits(), 0f32.to_bits());
    pace.advance(SECOND - 1);
    assert!(pace.fraction() < 1.0 && pace.fraction() > 0.999);
    let mut half = at(60);
    half.advance(SECOND / 120);
    assert!((half.fraction() - 0.5).abs() < 0.000_1);
}

#[test]
fn it_is_a_state_value_and_goes_on_where_it_was_saved() {
    let mut pace = at(60);
    pace.advance(10_000_000);
    let mut bytes = Vec::new();
    pace.encode(&mut crate::value::Sink::new(&mut bytes));
    let mut again = FixedStep::decode(&mut crate::value::Source::new(&bytes)).unwrap();
    assert_eq!(again, pace);
    assert_eq!(again.advance(10_000_000), pace.advance(10_000_000));
}

#[test]
fn a_pace_is_the_same_after_bytes_and_bytes_that_no_time_leads_to_are_refused() {
    let bytes_of = |pace: &FixedStep| {
        let mut bytes = Vec::new();
        pace.encode(&mut Sink::new(&mut bytes));
        bytes
    };
    let mut pace = FixedStep::new(NonZeroU32::new(60).unwrap()).catch_up(3);
    pace.advance(123_456_789);
    let bytes = bytes_of(&pace);
    assert_eq!(FixedStep::decode(&mut Source::new(&bytes)), Ok(pace.clone()));
    let forged = [
        FixedStep { rate: 0, ..pace.clone() },
        FixedStep { rest: SECOND, ..pace.clone() },
        FixedStep { catch_up: 0, ..pace },
    ];
    for forged in forged {
        assert!(FixedStep::decode(&mut Source::new(&bytes_of(&forged))).is_err(), "{forged:?}");
    }
}
