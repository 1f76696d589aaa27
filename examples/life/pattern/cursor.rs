//! Walks over the bytes of a pattern file and knows the line and the column.

use super::error::{Fault, Found, Malformed};

/// A position in a file; both count from 1, columns in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The reader's position. Whatever ends a line (`\n`, `\r\n` or `\r`) is seen as one `\n`.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    place: Place,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, place: Place { line: 1, column: 1 } }
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Whether nothing of the line has been read yet.
    pub(super) fn at_line_start(&self) -> bool {
        self.place.column == 1
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).map(|&byte| if byte == b'\r' { b'\n' } else { byte })
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        let is_pair = self.bytes[self.at..].starts_with(b"\r\n");
        self.at += if is_pair { 2 } else { 1 };
        self.place = match byte {
            b'\n' => Place { line: self.place.line + 1, column: 1 },
            _ => Place { column: self.place.column + 1, ..self.place },
        };
        Some(byte)
    }

    /// Takes the byte if it is `wanted`, in either case.
    pub(super) fn accept(&mut self, wanted: u8) -> bool {
        let found = self.peek().is_some_and(|byte| byte.eq_ignore_ascii_case(&wanted));
        if found {
            self.next();
        }
        found
    }

    /// Takes bytes as long as they are what is asked for.
    pub(super) fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
        &self.bytes[start..self.at]
    }

    /// Passes over spaces and tabs.
    pub(super) fn skip_spaces(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    /// Takes what stands before the next white space; empty at the end of the line.
    pub(super) fn word(&mut self) -> &'a [u8] {
        self.take_while(|byte| !byte.is_ascii_whitespace())
    }

    /// Takes the end of the line, or is at the end of the file.
    pub(super) fn end_of_line(&mut self, expected: &'static str) -> Result<(), Malformed> {
        self.skip_spaces();
        match self.peek() {
            None | Some(b'\n') => {
                self.next();
                Ok(())
            }
            Some(_) => Err(self.unexpected(expected)),
        }
    }

    /// Takes the rest of the line without the white space around it, and what ends the line.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = self.take_while(|byte| byte != b'\n');
        self.next();
        rest.trim_ascii()
    }

    /// The fault that the sign here is not what should follow.
    pub(super) fn unexpected(&self, expected: &'static str) -> Malformed {
        let found = match self.peek() {
            None => Found::EndOfFile,
            Some(b'\n') => Found::EndOfLine,
            Some(byte) => Found::text(&[byte]),
        };
        Fault::Unexpected { found, expected }.at(self.place)
    }

    /// The fault that the word here is not what should follow.
    pub(super) fn unexpected_word(&self, expected: &'static str) -> Malformed {
        match self.clone().word() {
            b"" => self.unexpected(expected),
            word => Fault::Unexpected { found: Found::text(word), expected }.at(self.place),
        }
    }
}
