use super::*;

#[test]
fn every_unit_is_in_one_span() {
    for used in [1, 2, 3, 8, 9, MAX_HANDS] {
        let spans = Spans::new(1000, used);
        let claims = spans.from(0).map(|span| core::iter::from_fn(|| span.take_front(GRAIN)).flatten());
        assert_eq!(claims.flatten().collect::<Vec<u32>>(), (0..1000).collect::<Vec<u32>>(), "{used} spans");
    }
}

#[test]
fn units_are_taken_no_more_often_than_was_said_from_whichever_end() {
    let label = Label::new("loop");
    for (used, units) in (1..=MAX_HANDS).step_by(3).flat_map(|used| (0..200).map(move |units| (used, units))) {
        let (board, spans) = (Board::new(used), Spans::new(units, used));
        let at_front = (0..).map(|take: u32| take * take % 7 < 4);
        let take = |is_front, span: &Span| if is_front { span.take_front(GRAIN) } else { span.take_back(GRAIN) };
        let takes = at_front.map_while(|is_front| spans.from(0).find_map(|span| take(is_front, span))).count();
        let most = Team::new(&board, &Hand::new(0), None, None, &label).most_takes(units);
        assert!(takes <= most as usize, "{units} units in {used} spans: {takes} takes, {most} at most");
    }
}

#[test]
fn spans_of_the_first_hands_share_no_cache_line() {
    let spans = Spans::new(1000, 8);
    let addresses: Vec<usize> = spans.from(0).map(|span| core::ptr::from_ref(span).addr() / 64).collect();
    assert!(addresses.windows(2).all(|pair| pair[0] < pair[1]), "{addresses:?}");
}

#[test]
fn a_claim_at_the_front_goes_on_until_somebody_else_takes_from_there() {
    let span = Span::new(0..8);
    let more = Some(More { span: &span, interleave: None });
    let mut claim = Claim { left: span.take_front(1).unwrap(), first: 0, at: 0, more, failure: None };
    assert_eq!([claim.next(), claim.next()], [Some(0), Some(1)]);
    assert_eq!(claim.first(), 1);
    let stolen = span.take_front(GRAIN).unwrap();
    let rest: Vec<u32> = core::iter::from_fn(|| claim.next()).collect();
    assert_eq!((rest, stolen), (vec![2, 3], 4..6));
}
