//! Every check goes red on a planted fault, and stays green beside it.

use super::source::{Finding, Source, read};
use super::{arrows, codes, marks, rooms, sizes};

fn one(path: &str, text: &str) -> [Source; 1] {
    [Source::new(path, text)]
}

fn lines(findings: &[Finding]) -> Vec<usize> {
    findings.iter().map(|finding| finding.line).collect()
}

#[track_caller]
fn assert_red(findings: &[Finding], expected: &[usize], needle: &str) {
    assert_eq!(lines(findings), expected, "{findings:#?}");
    assert!(findings.iter().all(|finding| finding.what.contains(needle)), "{findings:#?} without {needle:?}");
}

#[test]
fn upward_arrows_are_found_in_uses_groups_and_plain_paths() {
    let text = "use crate::{\n    hash::mix,\n    world::{World, cell::*},\n};\nfn f() { crate::query::go(); }\n";
    assert_red(&arrows::check(&one("src/storage/block.rs", text)), &[3, 3, 5], "upwards");
}

#[test]
fn upward_arrows_are_found_through_super() {
    assert_red(&arrows::check(&one("src/storage/mod.rs", "use super::world::World;")), &[1], "upwards");
    assert_red(&arrows::check(&one("src/storage/block.rs", "use super::super::world::World;")), &[1], "upwards");
    let inline = "mod inner {\n    use super::super::super::world::World;\n}\nuse super::block;";
    assert_red(&arrows::check(&one("src/storage/chunk.rs", inline)), &[2], "upwards");
}

#[test]
fn arrows_on_one_floor_need_a_listed_exception() {
    assert_red(&arrows::check(&one("src/command/mod.rs", "use crate::state::Hash;")), &[1], "sideways");
    for (from, to, _) in arrows::NEIGHBOURS {
        let text = format!("use crate::{to}::Thing;");
        assert_red(&arrows::check(&one(&format!("src/{from}/mod.rs"), &text)), &[], "");
    }
}

#[test]
fn circles_of_rooms_are_found() {
    let sources = [
        Source::new("src/component/mod.rs", "\nuse crate::entity::Entity;"),
        Source::new("src/entity/mod.rs", "use crate::component::Component;"),
    ];
    let findings = arrows::check(&sources);
    assert_eq!(lines(&findings), [1, 2, 1], "{findings:#?}");
    assert!(findings[0].what.contains("sideways"));
    assert!(findings[1].what.contains("`component` -> `entity` -> `component`"), "{findings:#?}");
}

#[test]
fn names_through_the_front_page_are_found() {
    let text = "use crate::World;\nuse crate::prelude::*;\nuse super::super::*;\nfn f() { crate::made!(); }";
    assert_red(&arrows::check(&one("src/query/term.rs", text)), &[1, 2, 3], "front page");
}

#[test]
fn rooms_without_a_floor_are_found() {
    assert_red(&arrows::check(&one("src/attic.rs", "")), &[1], "no floor");
}

#[test]
fn downward_arrows_comments_strings_tests_and_the_front_are_free() {
    let text = "//! [`crate::world`]\n/* crate::world::A /* */ crate::world::B */\nuse crate::{hash, entity::Entity as E};\n\
        fn f<'a>(c: char) -> &'a str { if c == '\"' { \"crate::world::X\" } else { r#\"crate::world::\"Y\" \"# } }";
    assert_red(&arrows::check(&one("src/storage/mod.rs", text)), &[], "");
    let upward = "use crate::executor::run;";
    for path in ["src/storage/tests.rs", "src/storage/tests/moves.rs", "src/lib.rs", "src/prelude.rs"] {
        assert_red(&arrows::check(&one(path, upward)), &[], "");
    }
}

#[test]
fn unsafe_outside_of_the_marked_rooms_is_found() {
    let text = "#![expect(unsafe_code, reason = \"fast\")]\n// unsafe\nfn f() { unsafe { g() } }";
    assert_red(&marks::check_unsafe(&one("src/schedule/plan.rs", text)), &[3], "marked rooms");
    assert_red(&marks::check_unsafe(&one("src/command/merge.rs", text)), &[3], "marked rooms");
    assert_red(&marks::check_unsafe(&one("src/command/lane.rs", text)), &[], "");
}

#[test]
fn unsafe_without_a_reason_in_its_own_file_is_found() {
    for mark in ["", "#![expect(unsafe_code)]", "#![expect(unsafe_code, reason = \"\")]"] {
        let text = format!("{mark}\nunsafe fn f() {{}}");
        assert_red(&marks::check_unsafe(&one("src/storage/block.rs", &text)), &[2], "of its own");
        assert_red(&marks::check_unsafe(&one("src/storage/block/tests.rs", &text)), &[2], "of its own");
    }
    let allowed = "\n#![allow(unsafe_code, reason = \"fast\")]";
    assert_red(&marks::check_unsafe(&one("src/storage/block.rs", allowed)), &[2], "allow(unsafe_code)");
}

#[test]
fn unfinished_work_is_found() {
    let text = "fn f() {\n    todo!()\n}\nfn g() { unimplemented!(\"later\") }\nfn h() { dbg!(1); }\n#[ignore]\n#[ignore = \"slow\"]";
    assert_red(&marks::check_unfinished(&one("src/hash.rs", text)), &[2, 4, 5, 6, 7], "no place here");
    assert_red(&marks::check_unfinished(&one("src/hash.rs", "// todo!\nconst A: &str = \"dbg!\";")), &[], "");
}

#[test]
fn synchronisation_outside_of_its_room_is_found() {
    let text = "use std::sync::{Arc, atomic::AtomicU64,\n    Mutex};\nuse std::{\n    thread};\nuse parking_lot::Mutex as M;\n\
        fn f() { core::sync::atomic::fence(); }\nuse std::sync;";
    assert_red(&marks::check_sync(&one("src/world/mod.rs", text)), &[1, 2, 4, 5, 6, 7], "only `sync/`");
    assert_red(&marks::check_sync(&one("src/sync/mod.rs", text)), &[], "");
    assert_red(&marks::check_sync(&one("src/world/mod.rs", "use std::sync::{Arc, Weak};")), &[], "");
}

#[test]
fn long_files_and_functions_are_found() {
    let long_file = "\n".repeat(sizes::FILE_LINES + 1);
    assert_red(&sizes::check(&one("src/hash.rs", &long_file)), &[1], "601 lines");
    let body = "    g([0; { 1 }]);\n".repeat(sizes::FUNCTION_LINES - 1);
    let text = format!("\nfn f(\n    a: [u8; 2],\n) {{\n{body}}}\nfn short() {{ f() }}\ntrait T {{ fn none(); }}\n");
    assert_red(&sizes::check(&one("src/hash.rs", &text)), &[2], "`f` of 83 lines");
    let fits = text.replacen("    g([0; { 1 }]);\n", "", 3);
    assert_red(&sizes::check(&one("src/hash.rs", &fits)), &[], "");
}

#[test]
fn codes_that_are_given_twice_or_badly_spelt_are_found() {
    let code =
        |code: &str| format!("impl E {{\n    fn code(&self) -> &'static str {{\n        \"{code}\"\n    }}\n}}\n");
    let [a, b] = ["src/world/error.rs", "src/query/error.rs"];
    let twice = [Source::new(a, &code("too-late")), Source::new(b, &code("too-late"))];
    assert_red(&codes::check(&twice), &[3], "`too-late` stands in src/world/error.rs");
    let of_two_types = code("too-late") + &code("too-late");
    assert_red(&codes::check(&one(a, &of_two_types)), &[8], "`too-late` stands in src/world/error.rs");
    let of_two_arms = code("too-late\" } if true { \"too-late");
    assert_red(&codes::check(&one(a, &of_two_arms)), &[3], "`too-late` stands in src/world/error.rs");
    let (other, shared) = (code("too-early"), code("no-such-entity"));
    assert_red(&codes::check(&[Source::new(a, &code("too-late")), Source::new(b, &other)]), &[], "");
    assert_red(&codes::check(&[Source::new(a, &shared), Source::new(b, &shared)]), &[], "");
    assert_red(&codes::check(&one(a, &code("TooLate"))), &[3], "words joined by");
}

#[test]
fn rooms_that_the_page_does_not_show_are_found() {
    let front = Source::new("src/lib.rs", "pub mod prelude;\npub mod world;\nmod attic;\nmod hash;\n");
    let page = "| 4 | `world/` | the owner |\n| 0 | `hash.rs` | hashes |\n";
    assert_red(&rooms::check(&front, page), &[3], "`attic/`");
    let wrong_floor = page.replace("| 4 |", "| 3 |");
    assert_red(&rooms::check(&front, &wrong_floor), &[2, 3], "docs/house.md");
}

#[test]
fn the_sources_of_the_project_are_read() {
    let sources = Source::all_below(&["src"]);
    assert!(sources.iter().any(|source| source.path == "src/lib.rs" && source.text == read("src/lib.rs")));
    assert!(sources.iter().any(|source| source.module() == ["access", "id_set"]));
}
