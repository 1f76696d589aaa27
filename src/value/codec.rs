use thiserror::Error;

/// How deep lists, maps and boxes may lie in one another in bytes that are read.
pub const MAX_NESTING: u32 = 128;

/// Where a value writes its canonical bytes.
#[derive(Debug)]
pub struct Sink<'a> {
    bytes: &'a mut Vec<u8>,
}

impl<'a> Sink<'a> {
    /// A sink that appends to `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes }
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes the number of elements that follow.
    pub fn length(&mut self, length: usize) {
        self.bytes(&(length as u64).to_le_bytes());
    }
}

/// Why bytes are not a value of the wanted type.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes end in the middle of a value.
    #[error("the bytes end where {wanted} more were wanted; they were cut off or belong to another type")]
    TooShort {
        /// How many bytes were wanted at the end.
        wanted: usize,
    },
    /// Lists, maps and boxes in one another, deeper than a decoder follows.
    #[error(
        "values lie in one another more than {MAX_NESTING} deep (MAX_NESTING); keep what is so deep in one list, with indices"
    )]
    TooDeep,
    /// A bit pattern that the type does not have.
    #[error("the bytes are no `{type_name}`: a field has a bit pattern that its type does not have")]
    Invalid {
        /// The type that was to be read.
        type_name: &'static str,
    },
}

impl DecodeError {
    /// A stable code for programs: `bytes-too-short`, `bytes-too-deep` or `bytes-invalid`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooShort { .. } => "bytes-too-short",
            Self::TooDeep => "bytes-too-deep",
            Self::Invalid { .. } => "bytes-invalid",
        }
    }

    /// The bytes are no `T`.
    #[must_use]
    pub fn invalid<T>() -> Self {
        Self::Invalid { type_name: core::any::type_name::<T>() }
    }
}

/// Where a value reads its canonical bytes from.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    rest: &'a [u8],
    depth: u32,
}

impl<'a> Source<'a> {
    /// A source over `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, depth: 0 }
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Takes the next `count` bytes.
    ///
    /// # Errors
    ///
    /// [`DecodeError::TooShort`] if fewer are left.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        match self.rest.split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(DecodeError::TooShort { wanted: count - self.rest.len() }),
        }
    }

    /// Reads a value inside of one that may hold others of its own kind: types that box or list values call it, so that bytes
    /// which nest without end can't use up the stack.
    ///
    /// # Errors
    ///
    /// [`DecodeError::TooDeep`] beyond [`MAX_NESTING`], and what `read` says.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, DecodeError>) -> Result<T, DecodeError> {
        if self.depth == MAX_NESTING {
            return Err(DecodeError::TooDeep);
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Takes a number of elements. It may be a lie: reserve no more than [`remaining`](Self::remaining) justifies.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the bytes end or the number is beyond the address space.
    pub fn length(&mut self) -> Result<usize, DecodeError> {
        let mut word = [0; 8];
        word.copy_from_slice(self.bytes(8)?);
        usize::try_from(u64::from_le_bytes(word)).map_err(|_| DecodeError::invalid::<usize>())
    }
}
