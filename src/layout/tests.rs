use super::*;

#[test]
fn no_padding_is_silent() {
    no_padding("Position", "at its end", 0, "");
}

#[test]
#[should_panic(
    expected = "`Body` has 12 bytes of padding in front of `mass`: padding is no part of the value, so it can't be \
                           hashed or compared; add a field `_padding: [u8; 12]` there, or order the fields"
)]
fn padding_is_named_with_its_size_its_place_and_the_way_out() {
    no_padding("Body", "in front of `mass`", 12, ", or order the fields");
}

#[test]
#[should_panic(expected = "has 1 byte of padding at its end")]
fn one_byte_is_singular() {
    no_padding("Body", "at its end", 1, "");
}

#[test]
fn a_message_that_does_not_fit_is_cut_off() {
    let long = "x".repeat(600);
    assert_eq!(Message::new().text(&long).as_str(), &long[..512]);
    assert!(Message::new().text(&"ä".repeat(300)).text("!").as_str().len() <= 512);
}
