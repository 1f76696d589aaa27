use super::*;

fn cli(arguments: &[&str]) -> Cli {
    Cli::try_parse_from([&["nested"], arguments].concat()).unwrap()
}

fn report(threads: &str) -> String {
    play(cli(&["--ticks", "80", "--threads", threads])).unwrap().1
}

#[test]
fn any_number_of_threads_reports_the_same_entities_and_hash() {
    let serial = report("serial");
    let told = serial.strip_suffix(" executor=serial threads=1").unwrap();
    assert!(told.starts_with("ticks=80 entities="), "{serial}");
    for threads in ["1", "2", "3", "8"] {
        assert_eq!(report(threads), format!("{told} executor=parallel threads={threads}"));
    }
}

#[test]
fn virtual_workers_end_with_the_same_hash() {
    let hash = |executor| {
        let (mut world, mut schedule) = (meadow(), schedule(Threads::Serial).unwrap());
        schedule.set_executor(executor);
        (0..20).for_each(|_| schedule.run(&mut world).unwrap());
        world.state_hash().unwrap()
    };
    let serial = hash(Executor::Serial);
    for seed in 0..4 {
        assert_eq!(hash(Executor::Virtual { workers: 5, seed }), serial, "seed {seed}");
    }
}

#[test]
fn swarms_found_hives_in_which_their_bees_are_at_home_and_poor_hives_end() {
    let (world, _) = play(cli(&["--ticks", "30"])).unwrap();
    let hives = world.query::<(Entity, &Hive), ()>();
    let first = world.query::<Entity, With<Flower>>().count() as u32;
    let founded = hives.iter().filter(|(entity, _)| entity.slot() >= first + 440 || entity.generation() > 1);
    let founded: Vec<Entity> = founded.map(|(entity, _)| entity).collect();
    assert!(!founded.is_empty() && hives.count() < 40 + founded.len(), "{founded:?} of {}", hives.count());
    assert!(world.query::<&Bee, ()>().iter().any(|bee| founded.contains(&bee.home)));
    assert!(world.query::<&Bee, ()>().iter().all(|bee| hives.contains(bee.home)));
}

#[test]
fn commands_have_no_target_that_is_gone() {
    let (mut world, mut schedule) = (meadow(), schedule(Threads::Serial).unwrap());
    schedule.set_strict(true);
    (0..60).for_each(|_| schedule.run(&mut world).unwrap());
}

#[test]
fn threads_are_a_number_or_the_serial_executor() {
    assert_eq!(cli(&[]).threads, Threads::Serial);
    assert_eq!(cli(&["--threads", "4"]).threads, Threads::Pool(NonZeroU32::new(4).unwrap()));
    for bad in ["0", "-1", "parallel"] {
        assert!(Cli::try_parse_from(["nested", "--threads", bad]).is_err(), "{bad}");
    }
}
