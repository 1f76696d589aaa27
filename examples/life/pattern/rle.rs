//! Reads run-length encoded patterns: a header `x = 3, y = 3, rule = B3/S23`, then runs such as `bo$2bo$3o!`.
//!
//! In the runs white space, line breaks and lines that begin with `#` may stand anywhere, within a number too; what
//! follows the `!` is ignored. The size in the header is read and not believed: files in the wild get it wrong.

use super::canvas::Canvas;
use super::check_rule;
use super::cursor::Cursor;
use super::error::{Fault, Malformed};
use crate::cell::Cell;

const HEADER: &str = "the header `x = .., y = .., rule = B3/S23`";
const ITEM: &str = "a run count, `b`, `o`, `$` or `!`";
const COUNTED: &str = "`b`, `o` or `$` after the run count";

/// The cells of the pattern; its first line and column are 0.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Cell>, Malformed> {
    let mut reader = Reader { cursor: Cursor::new(bytes), canvas: Canvas::default(), x: 0, y: 0 };
    reader.header()?;
    while reader.item()? {}
    let end = reader.cursor.place();
    reader.canvas.finish().map_err(|fault| fault.at(end))
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    canvas: Canvas,
    /// Where the next run is drawn.
    x: i64,
    y: i64,
}

impl Reader<'_> {
    fn header(&mut self) -> Result<(), Malformed> {
        self.skip_blanks()?;
        self.size(b'x', HEADER)?;
        self.expect(b',', "`, y = ..`")?;
        self.size(b'y', "`y = ..`")?;
        self.cursor.skip_spaces();
        if self.cursor.accept(b',') { self.rule() } else { self.cursor.end_of_line("`, rule = B3/S23`") }
    }

    fn size(&mut self, name: u8, expected: &'static str) -> Result<(), Malformed> {
        self.expect(name, expected)?;
        self.expect(b'=', "`=`")?;
        self.cursor.skip_spaces();
        match self.cursor.take_while(|byte| byte.is_ascii_digit()) {
            b"" => Err(self.cursor.unexpected("a number of cells")),
            _ => Ok(()),
        }
    }

    fn rule(&mut self) -> Result<(), Malformed> {
        self.cursor.skip_spaces();
        for &letter in b"rule" {
            if !self.cursor.accept(letter) {
                return Err(self.cursor.unexpected("`rule = B3/S23`"));
            }
        }
        self.expect(b'=', "`=`")?;
        check_rule(&mut self.cursor)
    }

    fn expect(&mut self, wanted: u8, expected: &'static str) -> Result<(), Malformed> {
        self.cursor.skip_spaces();
        if self.cursor.accept(wanted) { Ok(()) } else { Err(self.cursor.unexpected(expected)) }
    }

    /// Reads a run; false if it was the `!` at the end of the pattern.
    fn item(&mut self) -> Result<bool, Malformed> {
        self.skip_blanks()?;
        let place = self.cursor.place();
        let count = self.run_count()?;
        let length = count.unwrap_or(1);
        match self.cursor.peek() {
            Some(b'b') => self.x += i64::from(length),
            Some(b'o') => self.draw(length).map_err(|fault| fault.at(place))?,
            Some(b'$') => (self.x, self.y) = (0, self.y + i64::from(length)),
            Some(b'!') if count.is_none() => return Ok(false),
            _ => return Err(self.cursor.unexpected(if count.is_some() { COUNTED } else { ITEM })),
        }
        self.cursor.next();
        Ok(true)
    }

    fn draw(&mut self, length: u32) -> Result<(), Fault> {
        self.canvas.draw_run(self.x, self.y, length)?;
        self.x += i64::from(length);
        Ok(())
    }

    /// Reads the number before a sign; none stands for 1.
    fn run_count(&mut self) -> Result<Option<u32>, Malformed> {
        let place = self.cursor.place();
        let mut count = None;
        while let Some(digit @ b'0'..=b'9') = self.cursor.peek() {
            count = Some(append(count.unwrap_or(0), digit).ok_or_else(|| Fault::NumberTooLarge.at(place))?);
            self.cursor.next();
            self.skip_blanks()?;
        }
        if count == Some(0) { Err(Fault::EmptyRun.at(place)) } else { Ok(count) }
    }

    /// Passes over white space and lines that begin with `#`.
    fn skip_blanks(&mut self) -> Result<(), Malformed> {
        loop {
            match self.cursor.peek() {
                Some(b'#') if self.cursor.at_line_start() => self.comment()?,
                Some(byte) if byte.is_ascii_whitespace() => drop(self.cursor.next()),
                _ => return Ok(()),
            }
        }
    }

    /// A comment says nothing, except that `#r` names a rule.
    fn comment(&mut self) -> Result<(), Malformed> {
        if self.cursor.word() == b"#r" {
            return check_rule(&mut self.cursor);
        }
        self.cursor.rest_of_line();
        Ok(())
    }
}

fn append(number: u32, digit: u8) -> Option<u32> {
    let longer = number.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
    (longer <= i32::MAX as u32).then_some(longer)
}
