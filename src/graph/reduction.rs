/// A growing set of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    pub(crate) fn insert(&mut self, node: u32) {
        let (word, bit) = place(node);
        self.grow(word + 1);
        self.words[word] |= bit;
    }

    pub(crate) fn union_with(&mut self, other: &Self) {
        self.grow(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    fn grow(&mut self, words: usize) {
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
    }
}

/// The transitive reduction of a graph whose nodes come in topological order and whose edges are asked for one by one.
///
/// An edge that a path of kept edges already implies is never asked for, so a graph with very many edges (everything
/// conflicts with everything) costs no more than its reduction. The memory is half a square of bits.
#[derive(Debug, Default)]
pub(crate) struct Reduction {
    /// For each node, those before it that reach it.
    rows: Vec<Vec<u64>>,
}

impl Reduction {
    /// Appends the next node and returns its predecessors in the reduction, highest first.
    ///
    /// `candidates` are the earlier nodes that may have an edge to it, `is_edge` decides.
    pub(crate) fn append(&mut self, candidates: &NodeSet, mut is_edge: impl FnMut(u32) -> bool) -> Vec<u32> {
        let mut row = vec![0; self.rows.len().div_ceil(u64::BITS as usize)];
        let mut kept = Vec::new();
        for (word, &asked) in candidates.words.iter().enumerate().rev() {
            let mut open = asked;
            while let Some(bit) = highest(open & !row[word]) {
                open &= !(1 << bit);
                let earlier = word as u32 * u64::BITS + bit;
                if is_edge(earlier) {
                    self.join(&mut row, earlier);
                    kept.push(earlier);
                }
            }
        }
        self.rows.push(row);
        kept
    }

    /// Those of the earlier nodes `candidates` from which no path leads to `node`, ascending.
    pub(crate) fn unordered<'a>(&'a self, candidates: &'a NodeSet, node: u32) -> impl Iterator<Item = u32> + 'a {
        let open = candidates.words.iter().zip(&self.rows[node as usize]).map(|(asked, reached)| asked & !reached);
        open.enumerate().flat_map(|(word, bits)| ones(bits).map(move |bit| word as u32 * u64::BITS + bit))
    }

    fn join(&self, row: &mut [u64], parent: u32) {
        for (mine, theirs) in row.iter_mut().zip(&self.rows[parent as usize]) {
            *mine |= theirs;
        }
        let (word, bit) = place(parent);
        row[word] |= bit;
    }
}

fn place(node: u32) -> (usize, u64) {
    ((node / u64::BITS) as usize, 1 << (node % u64::BITS))
}

fn highest(bits: u64) -> Option<u32> {
    bits.checked_ilog2()
}

/// The places of the bits that are set, ascending.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(bit)
    })
}
