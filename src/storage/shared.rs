use super::{Block, BlockPool, ChunkId, ColumnTable};
use crate::sync::{Arc, Mutex};

/// One chunk of a column, of a world or of a snapshot: what models need to share it, and to write to it.
#[derive(Debug)]
pub struct SharedColumn {
    table: ColumnTable,
    pool: Arc<BlockPool>,
    /// Blocks that a writer put others in the place of.
    retired: Mutex<Vec<Block>>,
}

const CHUNK: ChunkId = ChunkId(0);
const ROWS: u32 = 1;

impl SharedColumn {
    /// A column that shares its block with nobody.
    pub fn new() -> Self {
        let (mut table, pool) = (ColumnTable::plain::<u64>(), Arc::new(BlockPool::new()));
        table.add_chunks(CHUNK, 1, ROWS, &pool);
        Self { table, pool, retired: Mutex::new(Vec::new()) }
    }

    /// A column that shares its block with this one.
    pub fn share(&self) -> Self {
        let (mut table, pool) = (self.table.like(), Arc::clone(&self.pool));
        table.share_from(&self.table, &pool);
        Self { table, pool, retired: Mutex::new(Vec::new()) }
    }

    /// Makes the block the column's own, as a writer does that enters the chunk. Whether it took another one.
    pub fn enter(&self) -> bool {
        let before = self.table.rows(CHUNK);
        let own = self.table.marked_rows(CHUNK, 1).unwrap_or_else(|| {
            let retire = |block| self.retired.lock().expect("no panic").push(block);
            self.table.unshare(CHUNK, ROWS, &self.pool, retire)
        });
        own != before
    }

    /// Gives back what writers put others in the place of.
    pub fn settle(&self) {
        self.retired.lock().expect("no panic").drain(..).for_each(|block| self.pool.give(block));
    }
}

impl Drop for SharedColumn {
    fn drop(&mut self) {
        self.settle();
        self.table.release(&self.pool);
    }
}
