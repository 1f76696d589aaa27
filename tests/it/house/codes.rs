//! A code of an error names one failure, for ever: programs match on it.

use std::collections::BTreeMap;

use super::sizes::end_of_body;
use super::source::{Finding, Source, Token};

/// Codes that are given at two places and stand for the same failure.
const SHARED: &[(&str, &str)] = &[
    ("ambiguous-writers", "an error or a finding, as the policy says"),
    ("entity-aliased", "through a query or through the world"),
    ("no-such-entity", "through a query or through the world"),
    ("pass-state-missing", "when a simulation is built or before a step"),
    ("resource-missing", "before a run or in the hands of the host"),
];

/// Codes that are no words joined by `-`, and codes that are given twice: by two arms, two types or two files.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        for code in codes(&source.tokens()) {
            let text = code.text.trim_matches('"');
            if !text.split('-').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase())) {
                findings.push(source.finding(code.line, format!("code `{text}` is not made of words joined by `-`")));
            }
            let first = seen.insert(text, &source.path).filter(|_| SHARED.iter().all(|(shared, _)| *shared != text));
            if let Some(first) = first {
                findings.push(source.finding(code.line, format!("code `{text}` stands in {first} too")));
            }
        }
    }
    findings
}

/// The strings in the bodies of functions called `code`.
fn codes<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let starts = tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].text == "fn" && pair[1].text == "code");
    starts.flat_map(|(at, _)| strings(&tokens[at..])).collect()
}

fn strings<'a>(function: &[Token<'a>]) -> Vec<Token<'a>> {
    let last = end_of_body(function).unwrap_or(0);
    let body = function.iter().take_while(|token| token.line <= last);
    body.filter(|token| token.text.starts_with('"')).copied().collect()
}
