use super::super::testing::*;
use crate::schedule::{Item, Options, Plan, Policy, plan};
use crate::system::{Rate, Shape, SystemSpec};
use fixed::types::I16F16;

const WILD: &str = "step<game::Pair<A, \"B>>\\n{x}\n`|;";

/// One system of each kind, with names that mean something to the languages of the renderers.
fn zoo() -> Plan {
    let wild = SystemSpec {
        labels: strings(&["a \"label\""]),
        budget: Some(I16F16::from_num(0.5)),
        rate: Rate { every: 4, offset: 1 },
        ..touching(WILD, &[1], &[2])
    };
    let off = SystemSpec { enabled: false, shape: Shape::Each, ..touching("off", &[2], &[]) };
    let pinned = SystemSpec { pinned: true, after: strings(&["off"]), ..touching("draw", &[], &[2]) };
    let mut list = vec![Item::System(wild), Item::System(commanding(off)), Item::System(pinned), Item::Barrier];
    list.push(Item::System(exclusive("save")));
    list.push(Item::System(after("end", &["save"])));
    let options = Options { ambiguity: Policy::Warn, ..Options::default() };
    plan(&list, &options, &Letters).expect("a plan")
}

fn crowd() -> Plan {
    planned(&items((0..1_000).map(|n| touching(&format!("s{n}"), &[n % 5], &[n % 40]))))
}

fn odd_plans() -> [Plan; 4] {
    [planned(&[]), planned(&items([system("one")])), zoo(), crowd()]
}

#[test]
fn the_text_tells_order_barriers_reasons_and_diagnostics() {
    let text = zoo().explain().to_string();
    let (headline, rest) = text.split_once('\n').expect("lines");
    assert_eq!(headline, format!("schedule: systems 5, segments 3, barriers 3, plan {:016x}", zoo().hash()));
    assert_eq!(
        rest,
        "order:
     1  s1 `step<game::Pair<A, \"B>>\\n{x}\\n`|;`: query, every 4 ticks with offset 1, budget 0.5 ms, reads C1, writes C2
     2  s2 `off`: each, disabled, records commands, reads C2
     3  s3 `draw`: query, pinned, writes C2
     4  -- barrier b1: explicit, before exclusive `save` --
     5  s4 `save`: exclusive
     6  -- barrier b2: after exclusive `save` --
     7  s5 `end`: query
     8  -- barrier b3: end of the run --
edges:
  s1 `step<game::Pair<A, \"B>>\\n{x}\\n`|;` -> s2 `off`: conflict on C2
  s2 `off` -> s3 `draw`: explicit: `draw` after `off`
  s2 `off` -> s3 `draw`: conflict on C2
  s4 `save` -> s5 `end`: explicit: `end` after `save`
diagnostics:
  ambiguous-writers: `step<game::Pair<A, \"B>>\\n{x}\\n`|;` and `draw` write C2 and are ordered by their registration \
         alone; say with before, after or a barrier which comes first
  commands-not-visible: `draw` runs after `off` but sees none of its commands: no barrier lies between them; add one if \
         it should
"
    );
}

#[test]
fn every_form_of_every_plan_is_the_same_each_time() {
    for (a, b) in odd_plans().iter().zip(&odd_plans()) {
        let (a, b) = (a.explain(), b.explain());
        assert_eq!(a.to_string(), b.to_string());
        assert_eq!((a.dot(), a.mermaid(), a.json()), (b.dot(), b.mermaid(), b.json()));
    }
}

#[test]
fn an_empty_schedule_has_its_end_and_nothing_else() {
    let plan = planned(&[]);
    let text = plan.explain().to_string();
    assert!(text.ends_with("order:\n     1  -- barrier b1: end of the run --\nedges: none\ndiagnostics: none\n"));
    assert!(!plan.explain().dot().contains("->"));
}

/// What is left of a line of DOT outside of its strings; panics if a string does not end.
fn outside_of_strings(line: &str) -> String {
    let (mut out, mut letters) = (String::new(), line.chars());
    while let Some(letter) = letters.next() {
        if letter != '"' {
            out.push(letter);
            continue;
        }
        loop {
            match letters.next().expect("the string ends in its line") {
                '\\' => drop(letters.next()),
                '"' => break,
                _ => {}
            }
        }
    }
    out
}

#[test]
fn dot_keeps_wild_names_inside_of_its_strings() {
    for plan in odd_plans() {
        let dot = plan.explain().dot();
        for line in dot.lines() {
            let bare = outside_of_strings(line);
            assert!(
                bare.chars().all(|letter| letter.is_ascii_alphanumeric() || " _=[],;->{}".contains(letter)),
                "{line}"
            );
        }
        assert!(dot.starts_with("digraph schedule {\n") && dot.ends_with("}\n"));
    }
}

#[test]
fn dot_labels_each_edge_with_its_reason_and_dashes_what_is_disabled() {
    let dot = zoo().explain().dot();
    for line in dot.lines().filter(|line| line.contains(" -> ")) {
        assert!(
            line.contains("[label=\"explicit: ")
                || line.contains("[label=\"conflict on C2")
                || line.contains("[label=\"barrier\"")
        );
    }
    assert!(dot.contains("  s1 -> s2 [label=\"conflict on C2\", style=solid];"));
    assert!(dot.contains("  s3 -> b1 [label=\"barrier\", style=dotted];"));
    assert!(dot.contains("  b1 -> s4 [label=\"barrier\", style=dotted];"));
    assert!(dot.contains("s2 [label=\"s2 off\\neach\\ndisabled\\nrecords commands\\nreads C2\", style=dashed];"));
}

#[test]
fn mermaid_writes_whatever_has_a_meaning_as_a_character_code() {
    let mermaid = zoo().explain().mermaid();
    assert!(mermaid.contains("s1 step#60;game::Pair#60;A, #34;B#62;#62;#92;n#123;x#125;#92;n#96;#124;#59;<br/>query"));
    assert!(mermaid.contains("  s1 -->|\"conflict on C2\"| s2\n"));
    assert!(mermaid.contains("  b3{{\"barrier b3<br/>end of the run\"}}\n"));
    assert!(mermaid.lines().all(|line| line.matches('"').count() % 2 == 0));
}

#[test]
fn json_is_well_formed_and_has_a_reason_on_each_edge() {
    for plan in odd_plans() {
        let json = plan.explain().json();
        assert_eq!(value(json.trim_end()), "", "the value ends with the text");
        let edges = json.lines().filter(|line| line.starts_with("  {\"from\": "));
        assert_eq!(edges.filter(|line| line.contains("\"reason\": \"")).count(), plan.edges().len());
    }
    let json = zoo().explain().json();
    assert!(json.contains(r#""name": "step<game::Pair<A, \"B>>\\n{x}\u000a`|;""#));
    assert!(json.contains(r#""enabled": false"#) && json.contains(r#""budget_ms": 0.5"#));
    assert!(json.contains(r#""kind": "conflict", "components": ["C2"], "resources": [], "reason": "conflict on C2""#));
}

/// Reads one JSON value and returns the rest; panics if there is none.
fn value(text: &str) -> &str {
    let text = text.trim_start();
    match text.chars().next().expect("a value") {
        '{' => members(&text[1..], '}', |text| value(after_colon(string(text)))),
        '[' => members(&text[1..], ']', value),
        '"' => string(text),
        _ => word(text),
    }
}

fn members<'a>(mut text: &'a str, end: char, member: impl Fn(&'a str) -> &'a str) -> &'a str {
    if let Some(rest) = text.trim_start().strip_prefix(end) {
        return rest;
    }
    loop {
        text = member(text).trim_start();
        if let Some(rest) = text.strip_prefix(end) {
            return rest;
        }
        text = text.strip_prefix(',').expect("a comma or the end");
    }
}

fn after_colon(text: &str) -> &str {
    text.trim_start().strip_prefix(':').expect("a colon")
}

fn string(text: &str) -> &str {
    let mut letters = text.trim_start().strip_prefix('"').expect("a string").chars();
    loop {
        match letters.next().expect("the string ends") {
            '"' => return letters.as_str(),
            '\\' => escape(&mut letters),
            letter => assert!(!letter.is_control()),
        }
    }
}

fn escape(letters: &mut core::str::Chars<'_>) {
    match letters.next().expect("an escape") {
        'u' => assert!((0..4).all(|_| letters.next().is_some_and(|digit| digit.is_ascii_hexdigit()))),
        letter => assert!("\"\\/bfnrt".contains(letter)),
    }
}

fn word(text: &str) -> &str {
    let end = text.find(|letter: char| ",]}".contains(letter) || letter.is_whitespace()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    assert!(["true", "false", "null"].contains(&word) || word.parse::<f64>().is_ok(), "{word}");
    rest
}
