use crate::storage::{SectionId, SectionKey};
use crate::world::World;

/// A section that is state, as a save calls it.
pub(super) struct NamedSection {
    pub(super) id: SectionId,
    pub(super) key: SectionKey,
    pub(super) name: String,
}

impl World {
    /// Every section that is state, in order. Of several types with one name each but the first is numbered, so that the value of
    /// one is never taken for that of another which has none.
    pub(super) fn named_sections(&self) -> Vec<NamedSection> {
        let mut named: Vec<NamedSection> = Vec::new();
        for (id, key) in self.sections().state() {
            let before = named.iter().filter(|section| section.key.is_called_like(key)).count();
            let name = if before == 0 { key.to_string() } else { format!("{key} #{}", before + 1) };
            named.push(NamedSection { id, key: key.clone(), name });
        }
        named
    }
}
