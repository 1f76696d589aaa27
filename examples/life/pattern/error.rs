//! What can be wrong with a pattern, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::cursor::Place;
use super::{MAX_CELLS, MAX_FILE_BYTES, MAX_TILES};

/// Why a pattern file gives no pattern.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PatternError {
    #[error(
        "{}: cannot be read: {source}; name a file or one of the built-in patterns ({})",
        path.display(),
        super::builtin::names()
    )]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: longer than {MAX_FILE_BYTES} bytes, the limit for a pattern file", path.display())]
    TooLong { path: PathBuf },
    #[error("{}:{malformed}", path.display())]
    Malformed { path: PathBuf, malformed: Malformed },
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {fault}", place.line, place.column)]
pub(crate) struct Malformed {
    pub(crate) place: Place,
    pub(crate) fault: Fault,
}

/// What is wrong at one place of a pattern file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("found {found}, expected {expected}")]
    Unexpected { found: Found, expected: &'static str },
    #[error("a number too large: at most {}", i32::MAX)]
    NumberTooLarge,
    #[error("a run of no cells: write a count of 1 or more, or none for 1")]
    EmptyRun,
    #[error("the rule {0} cannot be run: only B3/S23 (23/3 in the older notation) is")]
    OtherRule(Found),
    #[error("`#Life` of a version other than 1.05, the only one that is read")]
    OtherVersion,
    #[error("cells outside of a block: write a line `#P x y` before them")]
    NoBlock,
    #[error("a cell beyond the edge of the plane: x and y go from {} to {}", i32::MIN, i32::MAX)]
    OffPlane,
    #[error("more than {MAX_CELLS} cells, the limit for a pattern file")]
    TooManyCells,
    #[error("too scattered: the cells touch {0} squares of 64 by 64, and the limit is {MAX_TILES}")]
    TooScattered(usize),
}

impl Fault {
    pub(super) fn at(self, place: Place) -> Malformed {
        Malformed { place, fault: self }
    }
}

/// What stood in the file, in a form that is safe to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    EndOfFile,
    EndOfLine,
    Text(String),
}

impl Found {
    /// Longer text is cut.
    const MAX_CHARS: usize = 40;

    pub(super) fn text(bytes: &[u8]) -> Self {
        let printable = bytes.iter().flat_map(|&byte| std::ascii::escape_default(byte)).map(char::from);
        Self::Text(printable.take(Self::MAX_CHARS).collect())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EndOfFile => f.write_str("the end of the file"),
            Self::EndOfLine => f.write_str("the end of the line"),
            Self::Text(text) => write!(f, "`{text}`"),
        }
    }
}
