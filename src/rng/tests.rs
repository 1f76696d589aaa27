use fixed::types::U0F32;

use super::key::{RowKey, StreamKey};
use super::*;

/// A place of no meaning.
const PLACE: u128 = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3211;

fn golden() -> Stream {
    Stream::at(PLACE)
}

fn draws<T>(count: usize, mut draw: impl FnMut(&mut Stream) -> T) -> Vec<T> {
    let mut stream = golden();
    (0..count).map(|_| draw(&mut stream)).collect()
}

/// The generator as its paper has it.
fn by_the_book(place: &mut u128) -> u64 {
    *place = place.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
    ((*place >> 64) as u64 ^ *place as u64).rotate_right((*place >> 122) as u32)
}

#[test]
fn the_generator_is_that_of_the_paper() {
    let (mut stream, mut place) = (golden(), PLACE);
    for _ in 0..10_000 {
        assert_eq!(stream.next_u64(), by_the_book(&mut place));
    }
    assert_eq!(stream.place(), place);
}

// The vectors below were computed by another program, in another language.

#[test]
fn golden_words() {
    let words = [0x6abb_d688_9549_fbb3, 0x626e_1dda_78d0_5f1a, 0x61b2_433e_c473_8f71, 0x38c5_e730_b520_931a];
    assert_eq!(draws(4, Stream::next_u64), words);
    assert_eq!(draws(4, Stream::next_u32), words.map(|word: u64| (word >> 32) as u32));
}

#[test]
fn golden_ranges() {
    assert_eq!(draws(16, |stream| stream.range(0..6)), [2, 2, 2, 1, 1, 1, 0, 5, 2, 3, 2, 0, 0, 0, 5, 0]);
    let around_zero = [-166, -231, -237, -557, -497, -407, -829, 830];
    assert_eq!(draws(8, |stream| stream.range(-1000..=1000)), around_zero);
    let everything = [-1_532_395_366_080_971_853, -2_130_732_749_532_668_134];
    assert_eq!(draws(2, |stream| stream.range(i64::MIN..=i64::MAX)), everything);
}

#[test]
fn golden_ranges_where_numbers_are_refused() {
    let mut stream = golden();
    let drawn: Vec<u64> = (0..4).map(|_| stream.range(0..(1 << 63) + 1)).collect();
    assert_eq!(
        drawn,
        [3_845_488_335_386_901_977, 3_519_881_552_198_223_800, 2_320_197_027_769_196_467, 2_735_767_365_353_462_688]
    );
    let mut six_numbers_on = golden();
    for _ in 0..6 {
        six_numbers_on.next_u64();
    }
    assert_eq!(stream, six_numbers_on);
}

#[test]
fn golden_chances() {
    let happens = draws(16, |stream| u8::from(stream.chance(1, 4)));
    assert_eq!(happens, [0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1]);
}

#[test]
fn golden_units() {
    let bits = [0x6abb_d688, 0x626e_1dda, 0x61b2_433e, 0x38c5_e730];
    assert_eq!(draws(4, Stream::unit), bits.map(U0F32::from_bits));
    let steps = [6_994_902, 6_450_717, 6_402_627, 3_720_679];
    assert_eq!(draws(4, Stream::unit_f32), steps.map(|steps: u32| steps as f32 / 16_777_216.0));
}

#[test]
fn golden_orders_and_picks() {
    let mut values: Vec<u8> = (0..10).collect();
    golden().shuffle(&mut values);
    assert_eq!(values, [9, 7, 2, 0, 5, 6, 1, 8, 3, 4]);
    let letters = ['a', 'b', 'c', 'd', 'e'];
    let picked: String = draws(8, |stream| *stream.pick(&letters).unwrap()).into_iter().collect();
    assert_eq!(picked, "cbbbbbae");
}

#[test]
fn golden_starts() {
    let key = StreamKey::new("breed");
    assert_eq!(format!("{key:x?}"), "StreamKey(165c5f757217848f)");
    let streams = [Stream::new(42, "breed"), key.of_system(42), key.of_rows(42, 7).row(3 << 32 | 81)];
    let places = [
        0x7e7f_6465_49cc_ae48_9e21_c96f_10c7_0c37,
        0xa546_fc1d_4f1c_d3bb_5491_848c_8e7b_8f51,
        0x5fb6_e0a5_1148_c957_7935_82ad_8863_0063,
    ];
    assert_eq!(streams.map(|stream| stream.place()), places);
}

#[test]
fn every_integer_type_draws_the_same_from_the_same_range() {
    let expected = draws(100, |stream| stream.range(3..100_u64));
    macro_rules! same {
        ($($type:ty),*) => {$(
            let drawn = draws(100, |stream| stream.range::<core::ops::Range<$type>>(3..100) as u64);
            assert_eq!(drawn, expected, stringify!($type));
        )*};
    }
    same!(u8, u16, u32, usize, i8, i16, i32, i64, isize);
    let negative = draws(100, |stream| stream.range(-97..0_i8));
    assert!(negative.iter().zip(&expected).all(|(low, high)| i64::from(*low) == *high as i64 - 100));
}

#[test]
fn the_borders_of_a_range_are_kept_and_reached() {
    let all = |mut drawn: Vec<i16>| {
        drawn.sort_unstable();
        drawn.dedup();
        drawn
    };
    assert_eq!(all(draws(200, |stream| stream.range(-2..2))), [-2, -1, 0, 1]);
    assert_eq!(all(draws(200, |stream| stream.range(-2..=2))), [-2, -1, 0, 1, 2]);
    assert_eq!(draws(3, |stream| stream.range(u64::MAX..=u64::MAX)), [u64::MAX; 3]);
    assert!(draws(50, |stream| stream.range(i8::MIN..i8::MAX)).iter().all(|&drawn| drawn < i8::MAX));
}

#[test]
fn each_value_comes_up_about_as_often() {
    let mut counts = [0_i32; 6];
    draws(60_000, |stream| counts[stream.range(0..6)] += 1);
    assert!(counts.iter().all(|count| (count - 10_000).abs() < 500), "{counts:?}");
    let happens = draws(60_000, |stream| stream.chance(1, 20)).into_iter().filter(|happens| *happens).count();
    assert!((2_800..3_200).contains(&happens), "{happens}");
    let first: i32 = (0..6_000)
        .map(|row| {
            let mut values = [0, 1, 2];
            StreamKey::new("orders").of_rows(1, 1).row(row).shuffle(&mut values);
            i32::from(values == [2, 0, 1])
        })
        .sum();
    assert!((first - 1_000).abs() < 150, "{first}");
}

#[test]
#[should_panic(expected = "nothing to draw from the empty range 5..5: the end must be above the start")]
fn an_empty_range_is_refused() {
    golden().range(5..5);
}

#[test]
#[should_panic(expected = "nothing to draw from the empty range 5..=4: the end must not be below the start")]
fn an_empty_inclusive_range_is_refused() {
    let (start, last) = (5, 4);
    golden().range(start..=last);
}

#[test]
#[should_panic(expected = "a chance of 3 in 0 is none: the denominator must be at least 1")]
fn a_chance_of_some_in_none_is_refused() {
    golden().chance(3, 0);
}

#[test]
fn what_is_refused_or_has_nothing_to_decide_takes_no_number() {
    let mut stream = golden();
    assert_eq!(stream.pick::<u8>(&[]), None);
    stream.shuffle::<u8>(&mut []);
    stream.shuffle(&mut [1]);
    assert_eq!(stream, golden());
    stream.chance(0, 1);
    assert_ne!(stream, golden(), "a chance takes a number also where the outcome is certain");
}

#[test]
fn seeds_keys_purposes_ticks_and_rows_that_are_close_start_at_unrelated_places() {
    let mut places = Vec::new();
    for seed in 0..8 {
        for key in ["", "a", "b", "ab", "ba"] {
            let key = StreamKey::new(key);
            places.push(key.of_system(seed).place());
            places.push(key.of_host(seed).place());
            for tick in 0..4 {
                places.extend((0..4).map(|row| key.of_rows(seed, tick).row(row).place()));
            }
        }
    }
    let halves = |place: &u128| [(place >> 64) as u64, *place as u64 >> 1];
    let mut words: Vec<u64> = places.iter().flat_map(halves).collect();
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count, "no two starts share half of their bits");
}

#[test]
fn rows_of_one_tick_never_start_at_the_same_place() {
    let rows: RowKey = StreamKey::new("rows").of_rows(7, 1);
    let mut places: Vec<u128> = (0..50_000).map(|row| rows.row(row).place()).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 50_000);
}
