use super::*;
use std::collections::BTreeSet;

fn register(taken: &mut BTreeSet<String>, type_name: &str) -> String {
    let name = automatic(type_name, |name| taken.contains(name));
    assert!(taken.insert(name.clone()));
    name
}

#[test]
fn the_same_function_is_numbered_in_the_order_of_registration() {
    let mut taken = BTreeSet::new();
    let names: Vec<_> = (0..100).map(|_| register(&mut taken, "a::f")).collect();
    let numbered: Vec<_> = (1..=100).map(|n| if n == 1 { "f".into() } else { format!("f#{n}") }).collect();
    assert_eq!(names, numbered);
}

#[test]
fn a_number_that_the_user_took_is_passed_over() {
    let mut taken = BTreeSet::from(["f".to_owned(), "f#3".to_owned()]);
    assert_eq!(register(&mut taken, "f"), "f#2");
    assert_eq!(register(&mut taken, "f"), "f#4");
}

#[test]
fn functions_of_one_name_in_two_modules_share_the_base() {
    let mut taken = BTreeSet::new();
    assert_eq!(register(&mut taken, "a::f"), "f");
    assert_eq!(register(&mut taken, "b::f"), "f#2");
}

#[test]
fn a_base_is_the_name_without_its_number() {
    for (name, expected) in [
        ("f", "f"),
        ("f#2", "f"),
        ("f#", "f#"),
        ("f#x", "f#x"),
        ("f#2#3", "f#2"),
        ("main::{{closure}}#2", "main::{{closure}}"),
    ] {
        assert_eq!(base(name), expected);
    }
}

#[test]
fn modules_are_left_out_of_every_path_of_a_type_name() {
    for (full, expected) in [
        ("f", "f"),
        ("a::b::f", "f"),
        ("a::f<b::C, (d::E, &mut g::H), [i::J; 3]>", "f<C, (E, &mut H), [J; 3]>"),
        ("<a::B as c::D<e::F>>::run", "<B as D<F>>::run"),
        ("a::B<c::D>::run", "B<D>::run"),
        ("a::B<c::D>::run::inner", "B<D>::inner"),
        ("a::b::{{closure}}", "b::{{closure}}"),
        ("a::b::{{closure}}::{{closure}}", "b::{{closure}}::{{closure}}"),
        ("a::f<fn(b::C) -> d::E>", "f<fn(C) -> E>"),
        ("a::f<dyn b::C + d::E>", "f<dyn C + E>"),
        ("a::é::ü", "ü"),
        ("", ""),
    ] {
        assert_eq!(short(full), expected, "{full}");
    }
}
