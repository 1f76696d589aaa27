//! Rows under every structural step, checked against a plain model by the world's tests; here, what only the storage sees.

use super::*;

fn shape() -> ChunkShape {
    ChunkShape::new(4, 2).unwrap()
}

#[test]
fn chunks_of_one_archetype_come_in_runs_and_rows_survive_every_growth() {
    let mut storage = Storage::new(shape(), u32::MAX, 4, 4);
    let entities: Vec<Entity> = (0..100).map(|_| storage.slots_mut().reserve().unwrap()).collect();
    for &entity in &entities {
        // SAFETY: the archetype has no columns.
        #[expect(unsafe_code, reason = "pushing a row is the caller's promise to write its columns")]
        unsafe { storage.push_row(ArchetypeId::EMPTY, entity, 1) }.unwrap();
    }
    let archetype = storage.archetypes().get(ArchetypeId::EMPTY);
    assert_eq!(archetype.len(), 100);
    assert_eq!((0..100).map(|row| storage.entity_at(archetype.place(row, shape()))).collect::<Vec<_>>(), entities);
    assert!(entities.iter().enumerate().all(|(row, &e)| storage.row_of(e) == Some((ArchetypeId::EMPTY, row as u32))));
}
