//! Words that only marked rooms may say, and words that nobody may say.

use super::paths::written;
use super::source::{Finding, Source, Token};

/// Where `unsafe` may stand, below `src/`.
const UNSAFE_ROOMS: &[&str] = &[
    "sync/",
    "jobs/",
    "component/",
    "entity/bytes",
    "profile/tracy",
    "value/",
    "storage/",
    "query/",
    "world/",
    "command/lane",
    "command/escape",
    "system/",
    "executor/nodes",
    "executor/step",
    "executor/once",
];

/// The façade, and the switch of planted faults: kernels ask it, so that it stands below the façade and out of the models.
const SYNC_ROOMS: [&str; 2] = ["sync", "fault"];

/// What all rooms may take from `std::sync`: counting owners is no synchronisation of ours.
const FREE_OF_SYNC: [&str; 2] = ["Arc", "Weak"];

/// Crates whose place is behind the façade of `sync/`.
const BEHIND_SYNC: [&str; 5] = ["crossbeam", "crossbeam_queue", "crossbeam_utils", "loom", "parking_lot"];

/// `unsafe` outside of the marked rooms, or in a file that does not say why.
pub(super) fn check_unsafe(sources: &[Source]) -> Vec<Finding> {
    sources.iter().flat_map(unsafe_of).collect()
}

fn unsafe_of(source: &Source) -> Vec<Finding> {
    let tokens = source.tokens();
    let mut findings = Vec::new();
    for at in sequences(&tokens, &["allow", "(", "unsafe_code"]) {
        let what = "`allow(unsafe_code)`: write `expect(unsafe_code, reason = \"...\")`";
        findings.push(source.finding(tokens[at].line, what));
    }
    let Some(first) = tokens.iter().find(|token| token.text == "unsafe") else { return findings };
    if !source.is_test() && !is_marked(source) {
        let rooms = UNSAFE_ROOMS.join("`, `");
        findings.push(source.finding(first.line, format!("`unsafe` outside of the marked rooms `{rooms}`")));
    }
    if !expects_unsafe(&tokens) {
        let what = "`unsafe` in a file without `expect(unsafe_code, reason = \"...\")` of its own";
        findings.push(source.finding(first.line, what));
    }
    findings
}

fn is_marked(source: &Source) -> bool {
    source.in_src().is_some_and(|path| UNSAFE_ROOMS.iter().any(|room| path.starts_with(room)))
}

fn expects_unsafe(tokens: &[Token<'_>]) -> bool {
    sequences(tokens, &["expect", "("]).any(|at| {
        let list: Vec<&str> = tokens[at + 2..].iter().map(|token| token.text).take_while(|text| *text != ")").collect();
        list.contains(&"unsafe_code") && list.windows(3).any(|w| w[..2] == ["reason", "="] && w[2].len() > 2)
    })
}

/// Unfinished work, debug output and tests that do not run.
pub(super) fn check_unfinished(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources {
        let tokens = source.tokens();
        for words in [&["todo", "!"][..], &["unimplemented", "!"], &["dbg", "!"], &["#", "[", "ignore"]] {
            let lines = sequences(&tokens, words).map(|at| tokens[at].line);
            findings.extend(lines.map(|line| source.finding(line, format!("`{}` has no place here", words.concat()))));
        }
    }
    findings
}

/// Atomics, locks and threads that are named outside of `sync/`.
pub(super) fn check_sync(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| !may_name_sync(source)) {
        for path in written(&source.tokens(), &source.module()) {
            if bypasses_sync(&path.segments) {
                let what = format!("`{}`: only `sync/` names atomics, locks and threads", path.segments.join("::"));
                findings.push(source.finding(path.line, what));
            }
        }
    }
    findings
}

fn may_name_sync(source: &Source) -> bool {
    source.is_test() || source.module().first().is_some_and(|room| SYNC_ROOMS.contains(room))
}

fn bypasses_sync(path: &[&str]) -> bool {
    match path {
        ["std" | "core" | "alloc", "sync", rest @ ..] => !rest.first().is_some_and(|name| FREE_OF_SYNC.contains(name)),
        ["std", "thread", ..] => true,
        [first, ..] => BEHIND_SYNC.contains(first),
        [] => false,
    }
}

/// Where `words` stand one after the other.
fn sequences<'t>(tokens: &'t [Token<'_>], words: &'t [&str]) -> impl Iterator<Item = usize> + 't {
    let starts = tokens.windows(words.len()).enumerate();
    starts.filter(|(_, window)| window.iter().map(|token| token.text).eq(words.iter().copied())).map(|(at, _)| at)
}
