//! Nothing grows past what one can read.

use super::source::{Finding, Source, Token};

/// Lines of the longest file.
pub(super) const FILE_LINES: usize = 600;

/// Lines of the longest function.
pub(super) const FUNCTION_LINES: usize = 80;

/// Files and functions that are too long.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources {
        let lines = source.text.lines().count();
        if lines > FILE_LINES {
            findings.push(source.finding(1, format!("a file of {lines} lines, more than {FILE_LINES}")));
        }
        for (name, line, lines) in functions(&source.tokens()) {
            if lines > FUNCTION_LINES {
                let what = format!("function `{name}` of {lines} lines, more than {FUNCTION_LINES}");
                findings.push(source.finding(line, what));
            }
        }
    }
    findings
}

/// Name, first line and number of lines of each function that has a body.
fn functions<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, usize, usize)> {
    let mut functions = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let [Token { text: "fn", line }, name] = pair else { continue };
        if let Some(end) = end_of_body(&tokens[at..]).filter(|_| name.is_word()) {
            functions.push((name.text, *line, end - line + 1));
        }
    }
    functions
}

/// The line of the brace that closes the first block; `None` if the signature ends without one.
pub(super) fn end_of_body(tokens: &[Token<'_>]) -> Option<usize> {
    let (mut braces, mut brackets) = (0_usize, 0_usize);
    for token in tokens {
        match token.text {
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets = brackets.saturating_sub(1),
            ";" if braces == 0 && brackets == 0 => return None,
            "{" if braces > 0 || brackets == 0 => braces += 1,
            "}" if braces == 1 => return Some(token.line),
            "}" => braces = braces.saturating_sub(1),
            _ => {}
        }
    }
    None
}
