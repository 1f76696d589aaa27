use super::*;

fn cli(arguments: &[&str]) -> Cli {
    Cli::try_parse_from([&["rollback"], arguments].concat()).unwrap()
}

#[test]
fn serial_and_two_threads_play_without_a_mismatch_and_end_alike() {
    let end = |threads| {
        let cli = cli(&["--frames", "120", "--threads", threads]);
        let game = play(cli).unwrap();
        (told(cli, &game).unwrap(), game.score().unwrap())
    };
    let serial = end("serial");
    assert!(serial.0.starts_with("frames=120 check_distance=7 entities="), "{serial:?}");
    assert_ne!(serial.1, Score::default(), "shots hit");
    assert_eq!(end("2"), serial);
}

#[test]
fn the_end_does_not_depend_on_how_far_frames_go_back() {
    let hash = |distance| {
        let game = play(cli(&["--frames", "40", "--check-distance", distance])).unwrap();
        game.world.state_hash().unwrap()
    };
    assert_eq!(hash("1"), hash("13"));
}

#[test]
fn every_frame_but_the_first_ones_goes_back_and_is_run_again() {
    let game = play(cli(&["--frames", "30", "--check-distance", "5"])).unwrap();
    let Costs { save, load, advance } = &game.costs;
    assert_eq!((load.len(), advance.len(), save.len()), (24, 30 + 24 * 5, 30 + 24 * 4));
}

#[test]
fn a_game_that_does_not_come_out_alike_is_found() {
    let mut game = Match::new(1, 3).unwrap();
    let mut tricked = 0;
    let found = (0..20).find_map(|_| {
        tricked += 1;
        let outcome = game.play_frame();
        game.world.spawn(());
        outcome.err()
    });
    assert!(found.is_some_and(|error| error.to_string().contains("checksum")), "after {tricked} frames");
}

#[test]
fn ships_shoot_while_the_button_is_held() {
    let (mut world, mut schedule) = (game::world(1).unwrap(), game::schedule());
    let before = world.len();
    world.insert_resource(game::Buttons([16, 0]));
    (0..6).for_each(|_| schedule.run(&mut world).unwrap());
    assert!(world.len() >= before + 2, "one at once, and one when it has cooled");
}
