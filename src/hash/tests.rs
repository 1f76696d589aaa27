use super::*;

fn hash(words: &[u64]) -> u64 {
    let mut hasher = StateHasher::new(7);
    words.iter().for_each(|&word| hasher.u64(word));
    hasher.finish()
}

#[test]
fn the_constants_are_frozen() {
    let mut bytes = StateHasher::new(0);
    bytes.bytes(b"tickweave");
    assert_eq!(
        [hash(&[]), hash(&[1, 2, 3]), bytes.finish()],
        [0x7407_29cb_e468_d1dd, 0xc993_7270_0bd7_2667, 0x56a8_59a5_f33d_2284]
    );
}

#[test]
fn order_length_and_domain_count() {
    assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
    assert_ne!(hash(&[0]), hash(&[0, 0]));
    assert_ne!(StateHasher::new(1).finish(), StateHasher::new(2).finish());
}

#[test]
fn every_single_bit_of_a_word_changes_the_hash() {
    let base = hash(&[5, 0, 9]);
    let changed: Vec<u64> = (0..64).map(|bit| hash(&[5, 1 << bit, 9])).collect();
    assert!(changed.iter().all(|&other| other != base));
}

#[test]
fn runs_of_bytes_do_not_run_into_each_other() {
    let split = |cut: usize| {
        let mut hasher = StateHasher::new(0);
        let (left, right) = b"abcdef".split_at(cut);
        hasher.bytes(left);
        hasher.bytes(right);
        hasher.finish()
    };
    assert_ne!(split(2), split(3));
}
