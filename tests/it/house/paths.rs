//! Every path in a file, with the groups of `use` spread out and `self` and `super` resolved.

use super::source::Token;

/// A path that leads into this crate.
pub(super) struct PathUse<'a> {
    pub(super) line: usize,
    /// From the root of the crate.
    pub(super) inside: Vec<&'a str>,
    pub(super) is_macro: bool,
}

/// A path as it is written.
pub(super) struct Written<'a> {
    pub(super) line: usize,
    pub(super) segments: Vec<&'a str>,
    is_macro: bool,
    module: Vec<&'a str>,
}

/// The paths that lead into this crate, each from its root, as seen in the module `module`.
pub(super) fn paths<'a>(tokens: &[Token<'a>], module: &[&'a str]) -> Vec<PathUse<'a>> {
    written(tokens, module).iter().filter_map(resolve).collect()
}

/// All paths of two segments or more, and all paths of a `use`.
pub(super) fn written<'a>(tokens: &[Token<'a>], module: &[&'a str]) -> Vec<Written<'a>> {
    let mut walk = Walk { tokens, module: module.to_vec(), depth: 0, inline: Vec::new(), found: Vec::new() };
    let mut at = 0;
    while at < tokens.len() {
        at = walk.step(at);
    }
    walk.found
}

struct Walk<'t, 'a> {
    tokens: &'t [Token<'a>],
    module: Vec<&'a str>,
    depth: usize,
    inline: Vec<usize>,
    found: Vec<Written<'a>>,
}

impl<'a> Walk<'_, 'a> {
    fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn step(&mut self, at: usize) -> usize {
        match self.text(at) {
            "use" => return self.tree(at + 1, &[]).max(at + 1),
            "mod" if self.text(at + 2) == "{" => self.enter(at),
            "{" => self.depth += 1,
            "}" => self.leave(),
            _ if self.tokens[at].is_word() && self.text(at + 1) == "::" => return self.tree(at, &[]),
            _ => {}
        }
        at + 1
    }

    fn enter(&mut self, at: usize) {
        self.module.push(self.text(at + 1));
        self.inline.push(self.depth);
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.inline.last() == Some(&self.depth) {
            self.inline.pop();
            self.module.pop();
        }
    }

    /// Takes in the path or group of paths at `at`; gives the place behind it.
    fn tree(&mut self, mut at: usize, prefix: &[&'a str]) -> usize {
        let mut segments = prefix.to_vec();
        loop {
            let text = self.text(at);
            if text == "{" {
                return self.group(at + 1, &segments);
            } else if text == "::" {
                at += 1;
            } else if text == "*" || self.tokens.get(at).is_some_and(Token::is_word) {
                segments.push(text);
                at += 1;
                if self.text(at) != "::" {
                    self.emit(at, segments);
                    return at;
                }
            } else {
                self.emit(at, segments);
                return at;
            }
        }
    }

    fn group(&mut self, mut at: usize, prefix: &[&'a str]) -> usize {
        while at < self.tokens.len() {
            match self.text(at) {
                "}" => return at + 1,
                "," => at += 1,
                "as" => at += 2,
                _ => at = self.tree(at, prefix).max(at + 1),
            }
        }
        at
    }

    fn emit(&mut self, end: usize, segments: Vec<&'a str>) {
        if !segments.is_empty() {
            let line = self.tokens[end - 1].line;
            let is_macro = self.text(end) == "!";
            self.found.push(Written { line, segments, is_macro, module: self.module.clone() });
        }
    }
}

fn resolve<'a>(written: &Written<'a>) -> Option<PathUse<'a>> {
    let (first, mut rest) = written.segments.split_first()?;
    let mut inside = match *first {
        "crate" | "tickweave" => Vec::new(),
        "self" => written.module.clone(),
        "super" => parent(&written.module)?,
        _ => return None,
    };
    while let [next @ ("super" | "self"), tail @ ..] = rest {
        if *next == "super" {
            inside = parent(&inside)?;
        }
        rest = tail;
    }
    inside.extend(rest);
    Some(PathUse { line: written.line, inside, is_macro: written.is_macro })
}

fn parent<'a>(module: &[&'a str]) -> Option<Vec<&'a str>> {
    module.split_last().map(|(_, above)| above.to_vec())
}
