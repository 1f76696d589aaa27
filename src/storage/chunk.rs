use thiserror::Error;

/// Rows of a chunk by default; `docs/performance.md` says where the number comes from.
pub const CHUNK_ROWS: u32 = 2048;

/// Rows of a batch by default.
pub const BATCH_ROWS: u32 = 128;

/// Rows of a chunk at most.
pub const MAX_CHUNK_ROWS: u32 = 1 << 16;

/// How the rows of every archetype are cut: into chunks (unit of sharing, stamps and hashes), and those into batches (unit
/// of work, of lanes and of reductions).
///
/// Both are powers of two, so that a row is found by shift and mask. They are part of the identity of a recording: the
/// bits of a reduction depend on the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkShape {
    chunk_shift: u32,
    /// The bits of a row in its chunk.
    row_mask: u32,
    batch_rows: u32,
}

/// The rows of a chunk or a batch are not as they must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "chunks of {chunk_rows} rows in batches of {batch_rows} are not possible: both must be powers of two, the batch no \
     larger than the chunk and the chunk no larger than {MAX_CHUNK_ROWS}"
)]
pub struct InvalidChunkShape {
    /// Rows of a chunk that were asked for.
    pub chunk_rows: u32,
    /// Rows of a batch that were asked for.
    pub batch_rows: u32,
}

impl InvalidChunkShape {
    /// A stable code for programs: `chunk-shape`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "chunk-shape"
    }
}

impl ChunkShape {
    /// Chunks of `chunk_rows` rows in batches of `batch_rows`.
    ///
    /// # Errors
    ///
    /// [`InvalidChunkShape`] unless both are powers of two and `batch_rows <= chunk_rows <= MAX_CHUNK_ROWS`.
    pub(crate) const fn new(chunk_rows: u32, batch_rows: u32) -> Result<Self, InvalidChunkShape> {
        let fits = batch_rows <= chunk_rows && chunk_rows <= MAX_CHUNK_ROWS;
        if !chunk_rows.is_power_of_two() || !batch_rows.is_power_of_two() || !fits {
            return Err(InvalidChunkShape { chunk_rows, batch_rows });
        }
        Ok(Self { chunk_shift: chunk_rows.trailing_zeros(), row_mask: chunk_rows - 1, batch_rows })
    }

    /// Rows of a full chunk.
    #[inline]
    #[must_use]
    pub(crate) const fn chunk_rows(self) -> u32 {
        self.row_mask + 1
    }

    /// Rows of a full batch.
    #[inline]
    #[must_use]
    pub(crate) const fn batch_rows(self) -> u32 {
        self.batch_rows
    }

    /// How many chunks so many rows of an archetype fill or begin.
    #[inline]
    pub(crate) const fn chunks_for(self, rows: u32) -> u32 {
        (rows >> self.chunk_shift) + (rows & self.row_mask != 0) as u32
    }

    /// How many chunks a world can have, so that the place of every row fits into 32 bits.
    pub(crate) const fn max_chunks(self) -> u32 {
        u32::MAX >> self.chunk_shift
    }
}

impl Default for ChunkShape {
    fn default() -> Self {
        const DEFAULT: Result<ChunkShape, InvalidChunkShape> = ChunkShape::new(CHUNK_ROWS, BATCH_ROWS);
        match DEFAULT {
            Ok(shape) => shape,
            Err(_) => unreachable!(),
        }
    }
}

/// The number of a chunk in its world. Columns are indexed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChunkId(pub(crate) u32);

impl ChunkId {
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a row lies: a chunk and the row in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) chunk: ChunkId,
    pub(crate) row: u32,
}

impl ChunkShape {
    /// The place in 32 bits, as the slots keep it.
    #[inline]
    pub(crate) const fn pack(self, place: Place) -> u32 {
        place.chunk.0 << self.chunk_shift | place.row
    }

    /// The place that [`pack`](Self::pack) packed.
    #[inline]
    pub(crate) const fn unpack(self, location: u32) -> Place {
        Place { chunk: self.chunk_of(location), row: self.row_of(location) }
    }

    /// The chunk of a packed place.
    #[inline]
    pub(crate) const fn chunk_of(self, location: u32) -> ChunkId {
        ChunkId(location >> self.chunk_shift)
    }

    /// The row in the chunk of a packed place.
    #[inline]
    pub(crate) const fn row_of(self, location: u32) -> u32 {
        location & self.row_mask
    }

    /// The chunk (by its place in the archetype) and the row in it of a row of an archetype.
    #[inline]
    pub(crate) const fn split(self, row: u32) -> (usize, u32) {
        ((row >> self.chunk_shift) as usize, row & self.row_mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_are_no_powers_of_two_or_do_not_nest_are_refused() {
        for (chunk, batch) in [(0, 0), (3, 1), (8, 3), (4, 8), (1 << 17, 1), (8, 0)] {
            assert_eq!(ChunkShape::new(chunk, batch).unwrap_err().code(), "chunk-shape");
        }
        assert_eq!(ChunkShape::default(), ChunkShape::new(CHUNK_ROWS, BATCH_ROWS).unwrap());
    }

    #[test]
    fn places_round_trip_through_32_bits_and_never_meet_the_null_value() {
        for shape in [ChunkShape::default(), ChunkShape::new(1, 1).unwrap(), ChunkShape::new(2, 1).unwrap()] {
            let last = Place { chunk: ChunkId(shape.max_chunks() - 1), row: shape.chunk_rows() - 1 };
            for place in [Place { chunk: ChunkId(0), row: 0 }, last] {
                assert_eq!(shape.unpack(shape.pack(place)), place);
                assert_ne!(shape.pack(place), u32::MAX);
            }
        }
    }
}
