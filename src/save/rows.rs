use super::error::LoadError;
use super::parse::{SavedArchetype, SavedColumn};
use crate::component::{ComponentId, Components};
use crate::entity::Entity;
use crate::storage::{ArchetypeId, NewRows, Rebuild, StampBytes};
use crate::value::{DecodeError, Source};

/// Fills the rows of an archetype with what was saved of it, after a look at each value.
///
/// `columns` are in the order of the archetype's components.
pub(super) fn fill(
    rebuild: &mut Rebuild<'_>,
    components: &Components,
    archetype: ArchetypeId,
    saved: &SavedArchetype<'_>,
    columns: &[(ComponentId, SavedColumn<'_>)],
    entities: impl ExactSizeIterator<Item = Entity>,
) -> Result<(), LoadError> {
    if saved.rows == 0 {
        return Ok(());
    }
    let mut rows = rebuild.rows(archetype, saved.rows)?;
    rows.entities(entities, saved.entity_stamps.bytes);
    for (id, column) in columns {
        fill_column(&mut rows, components, *id, column)?;
    }
    rows.finish();
    Ok(())
}

fn fill_column(
    rows: &mut NewRows<'_>,
    components: &Components,
    id: ComponentId,
    column: &SavedColumn<'_>,
) -> Result<(), LoadError> {
    let descriptor = components.descriptor(id);
    let refuse = |offset, error| LoadError::Value { offset, what: format!("component `{}`", descriptor.name), error };
    let stamps = StampBytes {
        chunks: column.chunks.bytes,
        rows: column.rows.map(|(added, changed)| (added.bytes, changed.bytes)),
    };
    if descriptor.is_plain() {
        return rows.plain(column.values.bytes, stamps).map_err(|row| {
            let offset = column.values.at + row as usize * descriptor.layout.size();
            refuse(offset, DecodeError::Invalid { type_name: descriptor.name })
        });
    }
    let mut source = Source::new(column.values.bytes);
    let decoded = rows.decoded(&mut source, stamps);
    let offset = column.values.at + column.values.bytes.len() - source.remaining();
    decoded.map_err(|error| refuse(offset, error))?;
    match source.remaining() {
        0 => Ok(()),
        _ => Err(LoadError::malformed(offset, "bytes behind the values of a column")),
    }
}
