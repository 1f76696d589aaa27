use core::fmt;

/// Ids per word of an [`IdSet`].
const WORD_BITS: u32 = u64::BITS;

/// A growing set of dense ids, iterated in ascending order.
///
/// Equality ignores how many words were reserved: two sets are equal if they hold the same ids.
///
/// ```
/// use tickweave::access::IdSet;
/// let set: IdSet = [3, 700, 3].into_iter().collect();
/// assert_eq!(set.iter().collect::<Vec<_>>(), [3, 700]);
/// assert!(set.contains(700) && !set.contains(4));
/// ```
#[derive(Clone, Default)]
pub struct IdSet {
    words: Vec<u64>,
}

impl IdSet {
    /// An empty set; it allocates nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// An empty set with room for ids below `ids`, so that inserting those allocates nothing.
    #[must_use]
    pub fn with_capacity(ids: u32) -> Self {
        Self { words: Vec::with_capacity(ids.div_ceil(WORD_BITS) as usize) }
    }

    /// Adds `id`; returns whether it was new.
    pub fn insert(&mut self, id: u32) -> bool {
        let (word, bit) = place(id);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let fresh = self.words[word] & bit == 0;
        self.words[word] |= bit;
        fresh
    }

    /// Takes `id` out; returns whether it was in.
    pub fn remove(&mut self, id: u32) -> bool {
        let (word, bit) = place(id);
        let held = self.contains(id);
        if held {
            self.words[word] &= !bit;
        }
        held
    }

    /// Whether `id` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        let (word, bit) = place(id);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Whether there is no id in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many ids the set holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Removes every id and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Whether every id of this set is in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().enumerate().all(|(index, word)| word & !other.word(index) == 0)
    }

    /// Whether the two have an id in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// The ids that are in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    /// Adds every id of `other`.
    pub fn union_with(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    /// Takes every id of `other` out.
    pub fn subtract(&mut self, other: &Self) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= !theirs;
        }
    }

    /// The ids, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            core::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                Some(index as u32 * WORD_BITS + bit)
            })
        })
    }

    fn word(&self, index: usize) -> u64 {
        self.words.get(index).copied().unwrap_or(0)
    }
}

/// The word that holds `id`, and its bit there.
#[inline]
fn place(id: u32) -> (usize, u64) {
    ((id / WORD_BITS) as usize, 1 << (id % WORD_BITS))
}

impl PartialEq for IdSet {
    fn eq(&self, other: &Self) -> bool {
        self.is_subset(other) && other.is_subset(self)
    }
}

impl Eq for IdSet {}

impl FromIterator<u32> for IdSet {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        let mut set = Self::new();
        set.extend(ids);
        set
    }
}

impl Extend<u32> for IdSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, ids: I) {
        for id in ids {
            self.insert(id);
        }
    }
}

impl fmt::Debug for IdSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
