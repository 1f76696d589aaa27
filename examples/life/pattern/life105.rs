//! Reads Life 1.05: lines that begin with `#`, and blocks of lines of `.` and `*` behind a line `#P x y` each.
//!
//! Blocks may overlap. A `#P` without coordinates, as many old files have it, puts its block at 0 0. Blank lines are ignored.

use super::canvas::Canvas;
use super::check_rule;
use super::cursor::Cursor;
use super::error::{Fault, Malformed};
use crate::cell::Cell;

/// What the first line of such a file begins with, whatever the version.
pub(super) const SIGNATURE: &[u8] = b"#Life";

const DIRECTIVE: &str = "`#D`, `#C`, `#N`, `#R` or `#P`";
const CELLS: &str = "`.`, `*` or the end of the line";
const COORDINATE: &str = "a coordinate of 32 bits";
const END_OF_LINE: &str = "the end of the line";

/// The cells of all blocks.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Cell>, Malformed> {
    let mut reader = Reader { cursor: Cursor::new(bytes), canvas: Canvas::default(), block: None };
    reader.version()?;
    while let Some(byte) = reader.cursor.peek() {
        if byte == b'#' { reader.directive()? } else { reader.row()? }
    }
    let end = reader.cursor.place();
    reader.canvas.finish().map_err(|fault| fault.at(end))
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    canvas: Canvas,
    /// Where the next row of cells begins.
    block: Option<(i64, i64)>,
}

impl Reader<'_> {
    fn version(&mut self) -> Result<(), Malformed> {
        let place = self.cursor.place();
        let version = self.cursor.rest_of_line()[SIGNATURE.len()..].trim_ascii();
        if version == b"1.05" { Ok(()) } else { Err(Fault::OtherVersion.at(place)) }
    }

    fn directive(&mut self) -> Result<(), Malformed> {
        let start = self.cursor.clone();
        match self.cursor.word() {
            b"#P" => self.block(),
            b"#R" => check_rule(&mut self.cursor),
            b"#N" => self.cursor.end_of_line(END_OF_LINE),
            text if text.starts_with(b"#D") || text.starts_with(b"#C") => {
                self.cursor.rest_of_line();
                Ok(())
            }
            _ => Err(start.unexpected_word(DIRECTIVE)),
        }
    }

    fn block(&mut self) -> Result<(), Malformed> {
        self.cursor.skip_spaces();
        let is_bare = matches!(self.cursor.peek(), None | Some(b'\n'));
        self.block = Some(if is_bare { (0, 0) } else { (self.coordinate()?, self.coordinate()?) });
        self.cursor.end_of_line(END_OF_LINE)
    }

    fn coordinate(&mut self) -> Result<i64, Malformed> {
        self.cursor.skip_spaces();
        let start = self.cursor.clone();
        let number = std::str::from_utf8(self.cursor.word()).ok().and_then(|word| word.parse::<i32>().ok());
        number.map(i64::from).ok_or_else(|| start.unexpected_word(COORDINATE))
    }

    fn row(&mut self) -> Result<(), Malformed> {
        let start = self.cursor.place();
        if matches!(self.cursor.peek(), Some(b'.' | b'*')) {
            let (x, y) = self.block.ok_or_else(|| Fault::NoBlock.at(start))?;
            self.cells(x, y)?;
            self.block = Some((x, y + 1));
        }
        self.cursor.end_of_line(CELLS)
    }

    fn cells(&mut self, mut x: i64, y: i64) -> Result<(), Malformed> {
        while let Some(sign @ (b'.' | b'*')) = self.cursor.peek() {
            if sign == b'*' {
                self.canvas.draw_run(x, y, 1).map_err(|fault| fault.at(self.cursor.place()))?;
            }
            self.cursor.next();
            x += 1;
        }
        Ok(())
    }
}
