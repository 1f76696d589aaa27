use super::error::LoadError;

/// Reads saved bytes front to back and knows where it is; never beyond the end, and no count is believed.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Where it is, from the start of the bytes.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| LoadError::malformed(self.at, "more bytes are announced than there are"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// Takes `count` pieces of `size` bytes each.
    pub(super) fn pieces(&mut self, count: usize, size: u64) -> Result<&'a [u8], LoadError> {
        let bytes = usize::try_from(size).ok().and_then(|size| size.checked_mul(count));
        self.take(bytes.unwrap_or(usize::MAX))
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn u8(&mut self) -> Result<u8, LoadError> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn u32(&mut self) -> Result<u32, LoadError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, LoadError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A flag of one byte.
    pub(super) fn flag(&mut self) -> Result<bool, LoadError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(LoadError::malformed(self.at - 1, "a flag that is neither 0 nor 1")),
        }
    }

    /// How many things of at least `least` bytes follow.
    pub(super) fn count(&mut self, least: usize) -> Result<usize, LoadError> {
        let (at, count) = (self.at, self.u32()? as usize);
        if count > self.remaining() / least {
            return Err(LoadError::malformed(at, "more things are announced than the bytes can hold"));
        }
        Ok(count)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, LoadError> {
        let (at, count) = (self.at, self.count(1)?);
        core::str::from_utf8(self.take(count)?).map_err(|_| LoadError::malformed(at, "a text that is not UTF-8"))
    }

    /// Bytes behind their length, and where they begin.
    pub(super) fn measured(&mut self) -> Result<Run<'a>, LoadError> {
        let length = self.u64()?;
        let at = self.at;
        Ok(Run { at, bytes: self.pieces(1, length)? })
    }

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), LoadError> {
        if self.remaining() == 0 { Ok(()) } else { Err(LoadError::malformed(self.at, "bytes behind the end")) }
    }
}

/// Some of the saved bytes, and where they begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub(super) at: usize,
    pub(super) bytes: &'a [u8],
}

impl<'a> Run<'a> {
    /// The bytes as numbers of 64 bits.
    pub(super) fn words(self) -> impl ExactSizeIterator<Item = u64> + 'a {
        self.bytes.chunks_exact(8).map(|bytes| {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            u64::from_le_bytes(word)
        })
    }
}
