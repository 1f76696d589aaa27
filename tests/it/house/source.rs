//! Source files as the checks see them: a module path, and tokens without comments.

use std::fs;
use std::path::Path;

/// One rule broken at one place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) what: String,
}

/// A word, a string, `::` or one other character, with its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
}

impl Token<'_> {
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(is_word_char)
    }
}

/// A Rust file, its path relative to the project.
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Every Rust file below `folders` of the project, in the order of their paths.
    pub(super) fn all_below(folders: &[&str]) -> Vec<Self> {
        let mut sources = Vec::new();
        for folder in folders {
            collect(&project().join(folder), folder, &mut sources);
        }
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        sources
    }

    pub(super) fn finding(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, what: what.into() }
    }

    /// The path below `src/`, if the file is there.
    pub(super) fn in_src(&self) -> Option<&str> {
        self.path.strip_prefix("src/")
    }

    /// Whether the file holds tests, which may look where production code may not.
    pub(super) fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// `src/storage/block.rs` is `[storage, block]`; `src/storage/mod.rs` is `[storage]`; `src/lib.rs` is empty.
    pub(super) fn module(&self) -> Vec<&str> {
        let below = self.in_src().unwrap_or(&self.path).trim_end_matches(".rs");
        let mut module: Vec<&str> = below.split('/').collect();
        if matches!(module.last(), Some(&("mod" | "lib"))) {
            module.pop();
        }
        module
    }

    pub(super) fn tokens(&self) -> Vec<Token<'_>> {
        let mut tokens = Vec::new();
        let (mut rest, mut line) = (self.text.as_str(), 1);
        while !rest.is_empty() {
            let (length, kept) = lexeme(rest);
            let (text, tail) = rest.split_at(length);
            if kept {
                tokens.push(Token { text, line });
            }
            line += text.matches('\n').count();
            rest = tail;
        }
        tokens
    }
}

/// The text of a file of the project.
pub(super) fn read(path: &str) -> String {
    let full = project().join(path);
    fs::read_to_string(&full).unwrap_or_else(|error| panic!("cannot read {}: {error}", full.display()))
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(folder: &Path, name: &str, sources: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        let file = path.file_name().expect("a name").to_string_lossy();
        let name = format!("{name}/{file}");
        if path.is_dir() {
            collect(&path, &name, sources);
        } else if name.ends_with(".rs") {
            sources.push(Source { text: read(&name), path: name });
        }
    }
}

/// The length of the lexeme at the start of `rest`, and whether it is a token.
fn lexeme(rest: &str) -> (usize, bool) {
    let first = rest.chars().next().expect("a rest that is not empty");
    if rest.starts_with("//") {
        (rest.find('\n').unwrap_or(rest.len()), false)
    } else if rest.starts_with("/*") {
        (block_comment(rest), false)
    } else if let Some(length) = string(rest) {
        (length, true)
    } else if first == '\'' {
        (quote(rest), true)
    } else if is_word_char(first) {
        (word(rest), true)
    } else if rest.starts_with("::") {
        (2, true)
    } else {
        (first.len_utf8(), !first.is_whitespace())
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A word; `r#name` counts as one.
fn word(rest: &str) -> usize {
    let start = if rest.starts_with("r#") { 2 } else { 0 };
    rest[start..].find(|c| !is_word_char(c)).map_or(rest.len(), |length| start + length)
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        let step = if here.starts_with(b"/*") {
            depth += 1;
            2
        } else if here.starts_with(b"*/") {
            depth -= 1;
            2
        } else {
            1
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// The length of a string literal of any kind, if one starts here.
fn string(rest: &str) -> Option<usize> {
    let prefix = rest.find(|c| !matches!(c, 'b' | 'c' | 'r'))?;
    let is_raw = rest[..prefix].ends_with('r');
    let hashes = rest[prefix..].find(|c| c != '#')?;
    if prefix > 2 || (hashes > 0 && !is_raw) || !rest[prefix + hashes..].starts_with('"') {
        return None;
    }
    let body = prefix + hashes + 1;
    if is_raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(rest[body..].find(&end).map_or(rest.len(), |length| body + length + end.len()));
    }
    Some(escaped(rest, body, b'"'))
}

/// A character literal or a lifetime.
fn quote(rest: &str) -> usize {
    let inner = &rest[1..];
    let second = inner.chars().next().map_or(0, char::len_utf8);
    if inner.starts_with('\\') {
        escaped(rest, 1, b'\'')
    } else if inner[second..].starts_with('\'') {
        second + 2
    } else {
        1 + word(inner)
    }
}

/// The end of a literal whose body starts at `at` and which `end` closes.
fn escaped(rest: &str, mut at: usize, end: u8) -> usize {
    let bytes = rest.as_bytes();
    while at < bytes.len() && bytes[at] != end {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}
