use super::{Soup, SplitMix64, first_bits};

#[test]
fn generator_gives_the_published_numbers() {
    let mut random = SplitMix64(1_234_567);
    let numbers: [u64; 5] = std::array::from_fn(|_| random.next());
    let published = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ];
    assert_eq!(numbers, published);
}

#[test]
fn default_soup_has_more_than_300_000_cells_and_never_changes() {
    let cells = Soup::DEFAULT.cells();
    let first: Vec<i32> = cells.iter().take(5).map(|cell| cell.x).collect();
    assert_eq!(cells.len(), 393145);
    assert_eq!(first, [-512, -508, -503, -502, -501]);
}

#[test]
fn soup_fills_its_rectangle_around_the_origin_and_nothing_else() {
    let cells = Soup { width: 101, height: 66, seed: 7 }.cells();
    assert_eq!((cells.iter().map(|cell| cell.x).min(), cells.iter().map(|cell| cell.x).max()), (Some(-50), Some(50)));
    assert_eq!((cells.iter().map(|cell| cell.y).min(), cells.iter().map(|cell| cell.y).max()), (Some(-33), Some(32)));
}

#[test]
fn soup_is_in_reading_order_without_repetition() {
    let cells = Soup { width: 130, height: 70, seed: 1 }.cells();
    assert!(cells.windows(2).all(|pair| pair[0].reading_order() < pair[1].reading_order()));
}

#[test]
fn three_of_eight_cells_live() {
    let cells = Soup { width: 1000, height: 1000, seed: 3 }.cells();
    assert!((373_000..377_000).contains(&cells.len()), "{}", cells.len());
}

#[test]
fn another_seed_gives_another_soup() {
    let soup = |seed| Soup { width: 64, height: 64, seed }.cells();
    assert_eq!(soup(1), soup(1));
    assert_ne!(soup(1), soup(2));
}

#[test]
fn first_bits_are_as_many_as_asked_for() {
    assert_eq!([1, 63, 64, 65].map(first_bits), [1, u64::MAX >> 1, u64::MAX, u64::MAX]);
}
