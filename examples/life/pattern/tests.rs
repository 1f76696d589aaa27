use std::path::Path;

use proptest::prelude::*;

use super::{MAX_CELLS, builtin, load, parse};
use crate::cell::Cell;

const RLE_HEADER: &str = "x = 3, y = 3, rule = B3/S23\n";

/// The live cells as (x, y), for short expectations.
fn cells(text: &str) -> Vec<(i32, i32)> {
    parsed(text.as_bytes())
}

fn parsed(bytes: &[u8]) -> Vec<(i32, i32)> {
    let cells = parse(bytes).unwrap_or_else(|malformed| panic!("{malformed}"));
    cells.into_iter().map(|cell| (cell.x, cell.y)).collect()
}

fn runs(body: &str) -> Vec<(i32, i32)> {
    cells(&format!("{RLE_HEADER}{body}"))
}

fn blocks(body: &str) -> Vec<(i32, i32)> {
    cells(&format!("#Life 1.05\n{body}"))
}

/// `line:column: what` of a malformed text.
fn fault(text: &str) -> String {
    parse(text.as_bytes()).expect_err("the text should be malformed").to_string()
}

/// The same for runs, the first line of which is line 2.
fn run_fault(body: &str) -> String {
    fault(&format!("{RLE_HEADER}{body}"))
}

fn block_fault(body: &str) -> String {
    fault(&format!("#Life 1.05\n{body}"))
}

const GLIDER: [(i32, i32); 5] = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];

#[test]
fn rle_glider_has_its_five_cells_in_reading_order() {
    assert_eq!(runs("bo$2bo$3o!"), GLIDER);
}

#[test]
fn rle_white_space_may_stand_anywhere() {
    assert_eq!(runs("\n b o\t$\n\n2 bo $ 3\no\n!"), GLIDER);
    assert_eq!(runs("1\n2b1\n\n 0 o!").len(), 10);
}

#[test]
fn rle_line_ends_of_all_systems_are_read() {
    let text = "#C made by hand\nx = 3, y = 3\nbo$2b\no$3o!\n";
    assert_eq!(cells(&text.replace('\n', "\r\n")), GLIDER);
    assert_eq!(cells(&text.replace('\n', "\r")), GLIDER);
}

#[test]
fn rle_comments_may_stand_before_and_between_the_runs() {
    let text = "#N Glider\n#C x = 9\n\n#\nx = 3, y = 3\n#C here\nbo$2b\n#C and here: 5o!\no$3o!";
    assert_eq!(cells(text), GLIDER);
}

#[test]
fn rle_comment_may_be_of_any_bytes() {
    let text = [b"#O Andr\xE9 \x00\x1B\n".as_slice(), RLE_HEADER.as_bytes(), b"bo$2bo$3o!"].concat();
    assert_eq!(parsed(&text), GLIDER);
}

#[test]
fn rle_after_the_end_mark_is_ignored() {
    assert_eq!(runs("bo$2bo$3o!\n\nA glider. 3o% \u{e9}"), GLIDER);
}

#[test]
fn rle_header_is_lenient_about_space_case_and_a_missing_rule() {
    for header in
        ["x=3,y=3", "X = 3 , Y = 3 , RULE = b3/s23  ", " x = 0, y = 0,rule=23/3", "x = 3, y = 3, rule = B3S23"]
    {
        assert_eq!(cells(&format!("{header}\nbo$2bo$3o!")), GLIDER, "{header}");
    }
}

#[test]
fn rle_size_is_not_believed() {
    assert_eq!(cells("x = 1, y = 99999999999999999999\nbo$2bo$3o!"), GLIDER);
}

#[test]
fn rle_counted_line_ends_leave_rows_empty() {
    assert_eq!(runs("o3$o!"), [(0, 0), (0, 3)]);
}

#[test]
fn rle_empty_pattern_has_no_cells() {
    assert_eq!(runs("!"), []);
}

#[test]
fn rle_rule_in_a_comment_counts() {
    assert_eq!(cells("#r 23/3\nx = 1, y = 1\no!"), [(0, 0)]);
    assert_eq!(
        fault("#r 23/36\nx = 1, y = 1\no!"),
        "1:4: the rule `23/36` cannot be run: only B3/S23 (23/3 in the older notation) is"
    );
}

#[test]
fn rle_other_rules_are_refused_where_they_stand() {
    for rule in ["B36/S23", "S23/B3x", "23/36", "B3/S23:T100,100", "B3/S23H", "Life", ""] {
        let found = fault(&format!("x = 3, y = 3, rule = {rule}\no!"));
        assert!(found.starts_with(&format!("1:22: the rule `{rule}` cannot be run")), "{found}");
    }
}

#[test]
fn rle_header_faults_have_their_place() {
    let expected = [
        ("", "1:1: found the end of the file, expected the header `x = .., y = .., rule = B3/S23`"),
        ("#C nothing\n\n", "3:1: found the end of the file, expected the header `x = .., y = .., rule = B3/S23`"),
        ("bo$2bo$3o!", "1:1: found `b`, expected the header `x = .., y = .., rule = B3/S23`"),
        ("x 3, y = 3\no!", "1:3: found `3`, expected `=`"),
        ("x = , y = 3\no!", "1:5: found `,`, expected a number of cells"),
        ("x = -3, y = 3\no!", "1:5: found `-`, expected a number of cells"),
        ("x = 3 y = 3\no!", "1:7: found `y`, expected `, y = ..`"),
        ("x = 3\no!", "1:6: found the end of the line, expected `, y = ..`"),
        ("x = 3, z = 3\no!", "1:8: found `z`, expected `y = ..`"),
        ("x = 3, y = 3 bo!", "1:14: found `b`, expected `, rule = B3/S23`"),
        ("x = 3, y = 3, rile = B3/S23\no!", "1:16: found `i`, expected `rule = B3/S23`"),
        ("x = 3, y = 3, rule B3/S23\no!", "1:20: found `B`, expected `=`"),
    ];
    for (text, message) in expected {
        assert_eq!(fault(text), message, "{text:?}");
    }
}

#[test]
fn rle_run_faults_have_their_place() {
    let expected = [
        ("bo$2bo$3o", "2:10: found the end of the file, expected a run count, `b`, `o`, `$` or `!`"),
        ("bo$2bo$3o\n", "3:1: found the end of the file, expected a run count, `b`, `o`, `$` or `!`"),
        ("bo$\n2bz$3o!", "3:3: found `z`, expected a run count, `b`, `o`, `$` or `!`"),
        ("bo$2x!", "2:5: found `x`, expected `b`, `o` or `$` after the run count"),
        ("bo$3!", "2:5: found `!`, expected `b`, `o` or `$` after the run count"),
        ("bo$3\n", "3:1: found the end of the file, expected `b`, `o` or `$` after the run count"),
        ("bo #C", "2:4: found `#`, expected a run count, `b`, `o`, `$` or `!`"),
        ("b-1o!", "2:2: found `-`, expected a run count, `b`, `o`, `$` or `!`"),
        ("b0o!", "2:2: a run of no cells: write a count of 1 or more, or none for 1"),
        ("o\n\n  2147483648b!", "4:3: a number too large: at most 2147483647"),
        ("b99999999999999999999999o!", "2:2: a number too large: at most 2147483647"),
        ("o\u{1b}!", "2:2: found `\\x1b`, expected a run count, `b`, `o`, `$` or `!`"),
    ];
    for (body, message) in expected {
        assert_eq!(run_fault(body), message, "{body:?}");
    }
}

#[test]
fn columns_and_lines_are_right_with_line_ends_of_two_bytes() {
    assert!(fault("#C\r\nx = 3, y = 3\r\n\r\nbo$\r\n  q!").starts_with("5:3: found `q`"));
}

#[test]
fn rle_run_over_the_limit_is_refused_before_memory_is_taken() {
    let message = format!("2:5: more than {MAX_CELLS} cells, the limit for a pattern file");
    assert_eq!(run_fault("3o2$2147483647o!"), message);
    assert_eq!(run_fault(&format!("o3${MAX_CELLS}o!")), message.replace("2:5", "2:4"));
    assert_eq!(runs(&format!("{MAX_CELLS}o!")).len(), MAX_CELLS);
}

#[test]
fn scattered_pattern_over_the_limit_of_tiles_is_refused() {
    let row = "o63b".repeat(1 << 10) + "64$";
    let body = row.repeat((1 << 8) + 1) + "!";
    let message = run_fault(&body);
    assert!(message.ends_with(": too scattered: the cells touch 263168 squares of 64 by 64, and the limit is 262144"));
}

#[test]
fn rle_reaches_the_edge_of_the_plane_and_not_beyond() {
    assert_eq!(runs("2147483647bo!"), [(i32::MAX, 0)]);
    assert_eq!(runs("2147483647$o!"), [(0, i32::MAX)]);
    let off = "a cell beyond the edge of the plane: x and y go from -2147483648 to 2147483647";
    assert_eq!(run_fault("2147483647b2o!"), format!("2:12: {off}"));
    assert_eq!(run_fault("2147483647$$o!"), format!("2:13: {off}"));
}

#[test]
fn life105_blocks_are_placed_and_joined() {
    let body = "#D A glider\n#D in two parts\n#N\n#P -1 -1\n.*\n#P -1 0\n..*\n***\n";
    let shifted: Vec<_> = GLIDER.iter().map(|(x, y)| (x - 1, y - 1)).collect();
    assert_eq!(blocks(body), shifted);
}

#[test]
fn life105_block_without_coordinates_is_at_the_origin() {
    for body in ["#P\n.*\n..*\n***\n", "#P  \n.*.\n..*\n***", "#P +0 -0\n.*\n..*\n***"] {
        assert_eq!(blocks(body), GLIDER, "{body:?}");
    }
}

#[test]
fn life105_cell_given_twice_is_one_cell() {
    assert_eq!(blocks("#P 0 0\n**\n#P 1 0\n**"), [(0, 0), (1, 0), (2, 0)]);
}

#[test]
fn life105_row_of_one_dot_is_a_row_and_a_blank_line_is_none() {
    assert_eq!(blocks("#P\n*\n.\n*\n"), [(0, 0), (0, 2)]);
    assert_eq!(blocks("#P\n*\n\n  \n*  \n"), [(0, 0), (0, 1)]);
}

#[test]
fn life105_line_ends_of_all_systems_are_read() {
    let text = "#Life 1.05\n#R 23/3\n#P\n.*\n..*\n***\n";
    assert_eq!(cells(&text.replace('\n', "\r\n")), GLIDER);
    assert_eq!(cells(&text.replace('\n', "\r")), GLIDER);
}

#[test]
fn life105_without_blocks_has_no_cells() {
    assert_eq!(cells("#Life 1.05"), []);
}

#[test]
fn life105_faults_have_their_place() {
    let expected = [
        ("*\n", "2:1: cells outside of a block: write a line `#P x y` before them"),
        ("#P 1\n*", "2:5: found the end of the line, expected a coordinate of 32 bits"),
        ("#P 1 x\n*", "2:6: found `x`, expected a coordinate of 32 bits"),
        ("#P 1 2147483648\n*", "2:6: found `2147483648`, expected a coordinate of 32 bits"),
        ("#P 1 2 3\n*", "2:8: found `3`, expected the end of the line"),
        ("#P 0 0\n*.\n.*o*\n", "4:3: found `o`, expected `.`, `*` or the end of the line"),
        ("#P 0 0\n* *\n", "3:3: found `*`, expected `.`, `*` or the end of the line"),
        ("#P 0 0\nx", "3:1: found `x`, expected `.`, `*` or the end of the line"),
        ("#N x\n", "2:4: found `x`, expected the end of the line"),
        ("#Q 1\n", "2:1: found `#Q`, expected `#D`, `#C`, `#N`, `#R` or `#P`"),
        ("#R 125/36\n", "2:4: the rule `125/36` cannot be run: only B3/S23 (23/3 in the older notation) is"),
        (
            "#P 2147483647 -2147483648\n**",
            "3:2: a cell beyond the edge of the plane: x and y go from -2147483648 to 2147483647",
        ),
    ];
    for (body, message) in expected {
        assert_eq!(block_fault(body), message, "{body:?}");
    }
}

#[test]
fn other_versions_of_the_life_format_are_refused_by_name() {
    for version in ["1.06", "1.0", "", "1.05b"] {
        let message = "1:1: `#Life` of a version other than 1.05, the only one that is read";
        assert_eq!(fault(&format!("#Life {version}\n0 0\n")), message);
    }
}

#[test]
fn byte_order_mark_is_passed_over() {
    assert_eq!(parsed(b"\xEF\xBB\xBF#Life 1.05\n#P\n*"), [(0, 0)]);
    assert!(fault("\u{feff}q").starts_with("1:1: found `q`"));
}

#[test]
fn builtin_patterns_have_their_cells() {
    for (name, population) in [("r-pentomino", 5), ("acorn", 7), ("die-hard", 7), ("gun", 36)] {
        assert!(builtin::find(name).is_some());
        assert_eq!(load(Path::new(name)).unwrap().len(), population, "{name}");
    }
}

#[test]
fn missing_file_is_named_together_with_what_could_be_meant() {
    let message = load(Path::new("no/such/acom")).unwrap_err().to_string();
    assert!(message.starts_with("no/such/acom: cannot be read: "), "{message}");
    assert!(message.ends_with("(r-pentomino, acorn, die-hard, gun)"), "{message}");
}

#[test]
fn malformed_file_is_named_with_line_and_column() {
    let path = std::env::temp_dir().join(format!("tickweave-life-{}.rle", std::process::id()));
    std::fs::write(&path, "x = 1, y = 1\n?!").unwrap();
    let message = load(&path).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(message.starts_with(&format!("{}:2:1: found `?`", path.display())), "{message}");
}

/// A pattern as RLE, each cell a run of its own.
fn encode_rle(cells: &[Cell]) -> String {
    let (mut text, mut x, mut y) = (String::from(RLE_HEADER), 0, 0);
    for cell in cells {
        if cell.y > y {
            text += &format!("{}$\n", cell.y - y);
            (x, y) = (0, cell.y);
        }
        if cell.x > x {
            text += &format!("{}b", cell.x - x);
        }
        text += "o";
        x = cell.x + 1;
    }
    text + "!"
}

fn encode_life105(cells: &[Cell]) -> String {
    cells.iter().fold(String::from("#Life 1.05\n"), |text, cell| text + &format!("#P {} {}\n*\n", cell.x, cell.y))
}

proptest! {
    #[test]
    fn what_is_written_in_either_format_is_read_back(pairs in prop::collection::btree_set((0..99, 0..i32::MAX), 0..50)) {
        let cells: Vec<Cell> = pairs.into_iter().map(|(y, x)| Cell { x, y }).collect();
        prop_assert_eq!(&parse(encode_rle(&cells).as_bytes()).unwrap(), &cells);
        prop_assert_eq!(&parse(encode_life105(&cells).as_bytes()).unwrap(), &cells);
    }

    #[test]
    fn hostile_bytes_end_in_cells_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn hostile_text_ends_in_cells_or_an_error(
        start in prop::sample::select(vec!["", RLE_HEADER, "#Life 1.05\n#P\n"]),
        text in "[bo$!0-9 \n\r#PRxy=,.*-]{0,60}",
    ) {
        let _ = parse(format!("{start}{text}").as_bytes());
    }
}
