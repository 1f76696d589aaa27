use core::fmt;
use std::collections::HashMap;

use super::chunk::{ChunkId, ChunkShape, Place};
use crate::access::IdSet;
use crate::component::ComponentId;
use crate::sync::next_unique;

/// The number of an archetype in its world: dense from 0, in the order of creation. Number 0 has no component.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArchetypeId(pub(crate) u32);

impl ArchetypeId {
    /// The archetype of entities without components: it is always there.
    pub const EMPTY: Self = Self(0);

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for ArchetypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArchetypeId({})", self.0)
    }
}

/// Entities with exactly the same components, row by row.
///
/// Rows are packed: the last row takes the place of a removed one. Its chunks stay when it shrinks. What every pass needs
/// comes first and fills one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Archetype {
    len: u32,
    /// The first of the chunks, once more: most archetypes have one.
    first_chunk: ChunkId,
    first_capacity: u32,
    chunks: Vec<ChunkId>,
    components: Box<[ComponentId]>,
    mask: IdSet,
    edges: Vec<(Edge, ArchetypeId)>,
}

/// A structural step from one archetype to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Edge {
    Insert(u32),
    Remove(u32),
}

impl Archetype {
    fn new(components: Box<[ComponentId]>) -> Self {
        let mask = components.iter().map(|id| id.bit()).collect();
        Self {
            len: 0,
            first_chunk: ChunkId(u32::MAX),
            first_capacity: 0,
            chunks: Vec::new(),
            components,
            mask,
            edges: Vec::new(),
        }
    }

    /// Its components, ascending.
    pub(crate) fn components(&self) -> &[ComponentId] {
        &self.components
    }

    pub(crate) const fn mask(&self) -> &IdSet {
        &self.mask
    }

    pub(crate) const fn len(&self) -> u32 {
        self.len
    }

    /// Chunks, those without rows included.
    pub(crate) fn chunks(&self) -> &[ChunkId] {
        &self.chunks
    }

    /// A chunk by its place in the archetype.
    #[inline]
    pub(crate) fn chunk(&self, index: usize) -> ChunkId {
        if index == 0 { self.first_chunk } else { self.chunks[index] }
    }

    /// How many chunks have rows.
    #[inline]
    pub(crate) const fn used_chunks(&self, shape: ChunkShape) -> usize {
        shape.chunks_for(self.len) as usize
    }

    /// Rows in use in the chunk at a place of the archetype.
    #[inline]
    pub(crate) fn rows_in(&self, chunk: usize, shape: ChunkShape) -> u32 {
        let before = (chunk as u32) * shape.chunk_rows();
        self.len.saturating_sub(before).min(shape.chunk_rows())
    }

    /// How many rows fit without more memory.
    pub(crate) fn capacity(&self, shape: ChunkShape) -> u32 {
        match self.chunks.len() {
            0 => 0,
            1 => self.first_capacity,
            chunks => (chunks as u32).saturating_mul(shape.chunk_rows()),
        }
    }

    /// Rows that fit into each chunk.
    pub(crate) fn chunk_capacity(&self, shape: ChunkShape) -> u32 {
        if self.chunks.len() > 1 { shape.chunk_rows() } else { self.first_capacity }
    }

    pub(crate) fn set_len(&mut self, len: u32) {
        self.len = len;
    }

    pub(crate) fn add_chunks(&mut self, first: ChunkId, count: u32, capacity: u32) {
        if self.chunks.is_empty() {
            self.first_chunk = first;
            self.first_capacity = capacity;
        }
        self.chunks.extend((first.0..first.0 + count).map(ChunkId));
    }

    pub(crate) fn set_first_capacity(&mut self, capacity: u32) {
        self.first_capacity = capacity;
    }

    /// The place of a row.
    #[inline]
    pub(crate) fn place(&self, row: u32, shape: ChunkShape) -> Place {
        let (chunk, row) = shape.split(row);
        Place { chunk: self.chunks[chunk], row }
    }

    /// Whether it has the components of another.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.components == other.components
    }

    /// Has the rows and chunks of another with the same components.
    pub(super) fn copy_rows_from(&mut self, other: &Self) {
        debug_assert!(self.is_like(other), "archetypes of the same components");
        (self.len, self.first_chunk, self.first_capacity) = (other.len, other.first_chunk, other.first_capacity);
        self.chunks.clone_from(&other.chunks);
    }

    pub(crate) fn edge(&self, edge: Edge) -> Option<ArchetypeId> {
        self.edges.binary_search_by_key(&edge, |(edge, _)| *edge).ok().map(|index| self.edges[index].1)
    }

    pub(crate) fn set_edge(&mut self, edge: Edge, target: ArchetypeId) {
        if let Err(index) = self.edges.binary_search_by_key(&edge, |(edge, _)| *edge) {
            self.edges.insert(index, (edge, target));
        }
    }
}

/// The sole owner of archetypes, in the order of their creation. Only a restore takes some away, the last ones.
#[derive(Debug)]
pub(crate) struct Archetypes {
    list: Vec<Archetype>,
    by_components: HashMap<Box<[ComponentId]>, ArchetypeId>,
    /// Of no other list, nor of this one when it was another.
    edition: u64,
}

impl Archetypes {
    pub(crate) fn new() -> Self {
        let mut archetypes = Self { list: Vec::new(), by_components: HashMap::new(), edition: next_unique() };
        let empty = archetypes.of(&[]);
        debug_assert_eq!(empty, ArchetypeId::EMPTY);
        archetypes
    }

    /// The archetype with exactly these components (ascending).
    pub(crate) fn find(&self, components: &[ComponentId]) -> Option<ArchetypeId> {
        self.by_components.get(components).copied()
    }

    /// The archetype with exactly these components (ascending), made if there is none.
    pub(crate) fn of(&mut self, components: &[ComponentId]) -> ArchetypeId {
        debug_assert!(components.is_sorted_by(|a, b| a < b), "components of an archetype ascend");
        if let Some(id) = self.find(components) {
            return id;
        }
        let id = ArchetypeId(u32::try_from(self.list.len()).expect("fewer archetypes than slots"));
        let components: Box<[ComponentId]> = components.into();
        self.by_components.insert(components.clone(), id);
        self.list.push(Archetype::new(components));
        self.edition = next_unique();
        id
    }

    /// Forgets all but the first archetypes, and every step that leads to one of the others.
    pub(super) fn truncate(&mut self, archetypes: usize) {
        for gone in self.list.drain(archetypes..) {
            self.by_components.remove(&gone.components);
            self.edition = next_unique();
        }
        for kept in &mut self.list {
            kept.edges.retain(|(_, target)| target.index() < archetypes);
        }
    }

    /// Forgets every step: what bundles mean has changed.
    pub(crate) fn forget_edges(&mut self) {
        self.list.iter_mut().for_each(|archetype| archetype.edges.clear());
    }

    /// Changes whenever an archetype is made or taken away; the same for no two lists.
    #[inline]
    pub(crate) const fn edition(&self) -> u64 {
        self.edition
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (ArchetypeId, &Archetype)> {
        self.iter_from(0)
    }

    /// Those that were made when there were `seen` already.
    pub(crate) fn iter_from(&self, seen: usize) -> impl ExactSizeIterator<Item = (ArchetypeId, &Archetype)> {
        let number = move |index| ArchetypeId((seen + index) as u32);
        self.list[seen..].iter().enumerate().map(move |(index, archetype)| (number(index), archetype))
    }

    #[inline]
    pub(crate) fn get(&self, id: ArchetypeId) -> &Archetype {
        &self.list[id.index()]
    }

    /// The same; `None` for a number that is not one of an archetype.
    #[inline]
    pub(crate) fn find_by_id(&self, id: ArchetypeId) -> Option<&Archetype> {
        self.list.get(id.index())
    }

    pub(crate) fn get_mut(&mut self, id: ArchetypeId) -> &mut Archetype {
        &mut self.list[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u32]) -> Vec<ComponentId> {
        numbers.iter().map(|&number| ComponentId::new(number).unwrap()).collect()
    }

    #[test]
    fn archetypes_are_numbered_in_the_order_of_creation_and_found_again() {
        let mut archetypes = Archetypes::new();
        let b = archetypes.of(&ids(&[2]));
        let ab = archetypes.of(&ids(&[1, 2]));
        assert_eq!([b.get(), ab.get()], [1, 2]);
        assert_eq!(archetypes.of(&ids(&[2])), b);
        assert_eq!(archetypes.of(&[]), ArchetypeId::EMPTY);
        assert_eq!(archetypes.len(), 3);
    }

    #[test]
    fn rows_are_split_over_chunks() {
        let shape = ChunkShape::new(4, 2).unwrap();
        let mut archetype = Archetype::new(Box::new([]));
        assert_eq!(archetype.capacity(shape), 0);
        archetype.add_chunks(ChunkId(7), 1, 2);
        assert_eq!((archetype.capacity(shape), archetype.chunk_capacity(shape)), (2, 2));
        archetype.set_first_capacity(4);
        archetype.add_chunks(ChunkId(9), 2, 4);
        archetype.set_len(5);
        assert_eq!((archetype.capacity(shape), archetype.used_chunks(shape)), (12, 2));
        assert_eq!([0, 1, 2].map(|chunk| archetype.rows_in(chunk, shape)), [4, 1, 0]);
        assert_eq!(archetype.place(4, shape), Place { chunk: ChunkId(9), row: 0 });
    }
}
