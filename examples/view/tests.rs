use super::*;

fn cli(threads: &str) -> Cli {
    Cli::try_parse_from(["view", "--ticks", "60", "--fireflies", "300", "--threads", threads]).unwrap()
}

#[test]
fn a_viewer_draws_all_entities_and_changes_nothing() {
    for threads in ["serial", "2"] {
        let alone = run(cli("serial"), None).unwrap();
        let (seen, show) = run_with_viewer(cli(threads)).unwrap();
        assert_eq!(seen, alone, "{threads}");
        assert!(show.frames % 4 == 1, "{} frames", show.frames);
        assert_eq!(show.last.fireflies(), 300, "{}", show.last);
    }
}

#[test]
fn a_viewer_that_has_nothing_to_see_comes_to_an_end() {
    let stage = Stage::default();
    stage.end();
    assert_eq!(viewer::watch(&stage).frames, 0);
}

#[test]
fn what_a_slow_viewer_has_no_time_for_is_not_shown() {
    let (stage, mut world) = (Stage::default(), meadow::world(10).unwrap());
    stage.show(&world).unwrap();
    meadow::schedule().run(&mut world).unwrap();
    stage.show(&world).unwrap();
    assert_eq!(stage.next().unwrap().tick(), 1);
    stage.end();
    assert!(stage.next().is_none());
}
