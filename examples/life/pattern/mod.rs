//! Patterns: those that come with the program, and files in RLE or Life 1.05, told apart by what is in them.

pub(crate) mod builtin;
mod canvas;
mod cursor;
mod error;
mod life105;
mod rle;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::cell::Cell;
use cursor::Cursor;
pub(crate) use error::PatternError;
use error::{Fault, Found, Malformed};

/// Cells that a pattern file may give; a run that goes beyond is refused before memory is taken.
pub(crate) const MAX_CELLS: usize = 1 << 22;

/// Squares of 64 by 64 cells that a pattern may touch: a scattered pattern takes the memory of its squares, not of its cells.
pub(crate) const MAX_TILES: usize = 1 << 18;

/// Bytes that a pattern file may have.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 26;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The cells of a built-in pattern or, if there is none of that name, of a file.
///
/// # Errors
///
/// A file that cannot be read, is too long, or is malformed; the message names file, line and column.
pub(crate) fn load(name_or_path: &Path) -> Result<Vec<Cell>, PatternError> {
    let path = name_or_path.to_path_buf();
    let parsed = match name_or_path.to_str().and_then(builtin::find) {
        Some(builtin) => parse(builtin.rle.as_bytes()),
        None => parse(&read_file(name_or_path)?),
    };
    parsed.map_err(|malformed| PatternError::Malformed { path, malformed })
}

/// The live cells that the text describes: in reading order, each once.
pub(crate) fn parse(bytes: &[u8]) -> Result<Vec<Cell>, Malformed> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.starts_with(life105::SIGNATURE) { life105::read(bytes) } else { rle::read(bytes) }
}

fn read_file(path: &Path) -> Result<Vec<u8>, PatternError> {
    let bytes = read_limited(path).map_err(|source| PatternError::Unreadable { path: path.to_path_buf(), source })?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(PatternError::TooLong { path: path.to_path_buf() });
    }
    Ok(bytes)
}

/// Reads one byte more than the limit at most, so that an endless file ends.
fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Takes the name of a rule and the rest of its line, and refuses every rule but the one that is simulated.
fn check_rule(cursor: &mut Cursor<'_>) -> Result<(), Malformed> {
    cursor.skip_spaces();
    let place = cursor.place();
    let rule = cursor.rest_of_line();
    let is_conway = ["B3/S23", "B3S23", "23/3"].iter().any(|known| rule.eq_ignore_ascii_case(known.as_bytes()));
    if is_conway { Ok(()) } else { Err(Fault::OtherRule(Found::text(rule)).at(place)) }
}
