//! Compares everything that a world shows with its model.

use std::collections::BTreeMap;

use tickweave::entity::Entity;
use tickweave::query::{Added, Changed, ChunkChanged, Has, Or, QueryError, QueryFilter, Show, With, Without};
use tickweave::world::{ComponentError, PreparedQuery, World};

use super::oracle::{Model, Row, Stamp};
use super::parts::{self, *};
use super::steps::Subject;
use super::tables::{PARTS, part_of};

/// Compares all of it.
pub(crate) fn check(subject: &Subject, chunk_rows: u32) {
    let (world, model) = (&subject.world, &subject.model);
    check_handles(world, model, &subject.pool.known);
    check_registry(world, model);
    check_archetypes(world, model);
    check_values(world, model);
    check_removals(world, model);
    check_dump(world, model, chunk_rows);
    check_filters(world, model, &subject.pool.known);
    check_terms(world, model, chunk_rows);
    let alive = (model.count(Kind::Text), model.count(Kind::Guard) as i64);
    assert_eq!(super::parts::alive(), alive, "values with a destructor that are alive");
}

fn check_handles(world: &World, model: &Model, known: &[Entity]) {
    assert_eq!((world.len(), world.is_empty()), (model.live(), model.live() == 0));
    for &entity in known {
        assert_eq!(world.contains(entity), model.rows.contains_key(&entity), "contains {entity}");
        let why = match world.get::<Small>(entity) {
            Err(ComponentError::NoSuchEntity(error)) => Some(error.why),
            _ => None,
        };
        assert_eq!(why, model.why_gone(entity), "why {entity} is gone");
    }
}

fn check_registry(world: &World, model: &Model) {
    for table in &PARTS {
        assert_eq!((table.id)(world), model.id_of(table.kind), "id of {:?}", table.kind);
    }
    let registered = model.registry.iter().filter(|entry| entry.1).count();
    assert_eq!(world.component_count() as usize, registered);
}

fn check_archetypes(world: &World, model: &Model) {
    let seen: Vec<_> = world
        .archetypes()
        .map(|archetype| {
            let names: Vec<&str> = archetype.components().map(|component| component.name()).collect();
            (names, archetype.entities().collect::<Vec<_>>())
        })
        .collect();
    let expected: Vec<_> = model
        .tables
        .iter()
        .map(|table| {
            let names: Vec<&str> = table.kinds.iter().map(|&kind| (part_of(kind).name)()).collect();
            (names, table.rows.clone())
        })
        .collect();
    assert_eq!(seen, expected, "archetypes and their rows");
    for (entity, row) in model.in_order() {
        assert_eq!(world.archetype_of(entity).map(|found| found.id().get() as usize), row.archetype);
    }
}

fn check_values(world: &World, model: &Model) {
    for table in &PARTS {
        let with =
            model.shown([table.kind]).filter_map(|(entity, row)| Some((entity, row.cells.get(&table.kind)?.value)));
        assert_eq!((table.rows)(world), with.collect::<Vec<_>>(), "rows of {:?}", table.kind);
        for (entity, row) in model.in_order() {
            let value = row.cells.get(&table.kind).map(|cell| cell.value);
            assert_eq!((table.get)(world, entity).ok(), value, "{:?} of {entity}", table.kind);
            assert_eq!((table.has)(world, entity), value.is_some());
        }
    }
}

fn check_removals(world: &World, model: &Model) {
    let seen: Vec<Entity> = world.removals::<Link>(0).map(|removal| removal.entity).collect();
    let expected: Vec<Entity> = model.removals_of(Kind::Link).iter().map(|(entity, _)| *entity).collect();
    assert_eq!(seen, expected, "removals that the host sees");
}

fn when(stamp: Stamp) -> String {
    format!("tick {}, step {}", stamp.tick, stamp.step)
}

fn stamp_of(words: &str) -> Stamp {
    let numbers: Vec<u64> = words.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    Stamp { tick: numbers[0], step: numbers[1] as u32 }
}

/// Slots, free list, row stamps, removals, and the soundness of chunk stamps.
fn check_dump(world: &World, model: &Model, chunk_rows: u32) {
    let dump = world.dump();
    let facts: BTreeMap<&str, &str> = dump.lines().iter().map(|line| (&*line.path, &*line.value)).collect();
    let expect = |path: &str, value: String| assert_eq!(facts.get(path).copied(), Some(&*value), "{path}\n{dump}");
    for (slot, state) in model.slots.iter().enumerate() {
        let words = if state.live { "lives, generation" } else { "free, next generation" };
        expect(&format!("slot {slot}"), format!("{words} {}", state.generation));
    }
    expect("free list", format!("{:?}", model.free));
    expect("tick", model.ticks.to_string());
    for (kind, log) in &model.removals {
        let name = (part_of(*kind).name)();
        for (index, (entity, stamp)) in log.iter().enumerate() {
            expect(&format!("removal {index} of {name}"), format!("{entity} at {}", when(*stamp)));
        }
        assert!(!facts.contains_key(&*format!("removal {} of {name}", log.len())), "one removal too many\n{dump}");
    }
    for (number, table) in model.tables.iter().enumerate() {
        for (row, entity) in table.rows.iter().enumerate() {
            let head = format!("archetype {number}, chunk {}", row as u32 / chunk_rows);
            expect(&format!("{head}, row {}", row as u32 % chunk_rows), entity.to_string());
            for (kind, cell) in &model.rows[entity].cells {
                let name = (part_of(*kind).name)();
                if kind.is_tracked() {
                    expect(&format!("{head}, entity {entity}, {name} added"), when(cell.added));
                    expect(&format!("{head}, entity {entity}, {name} changed"), when(cell.changed));
                }
                let written = facts[&*format!("{head}, {name} written")];
                assert!(stamp_of(written) >= cell.changed, "{name} of {entity} changed after its chunk: {written}");
            }
        }
    }
}

/// A filter gives the same entities in every way of asking.
fn check_filter<F: QueryFilter>(
    (world, model, known): (&World, &Model, &[Entity]),
    named: &[Kind],
    passes: impl Fn(&Row) -> bool,
) {
    let passes = |row: &Row| model.shows(row, named) && passes(row);
    let name = core::any::type_name::<F>();
    let expected: Vec<Entity> = model.in_order().filter(|(_, row)| passes(row)).map(|(entity, _)| entity).collect();
    let query = world.query::<Entity, F>();
    assert_eq!(query.iter().collect::<Vec<_>>(), expected, "{name}");
    assert_eq!((query.count(), query.is_empty()), (expected.len(), expected.is_empty()), "count of {name}");
    let mut sorted = expected.clone();
    sorted.sort_unstable();
    assert_eq!(query.iter_sorted_by_entity().collect::<Vec<_>>(), sorted, "sorted {name}");
    let only = (expected.len() == 1).then(|| expected[0]);
    assert_eq!(query.single().ok(), only, "single {name}");
    for &entity in known {
        let error = match model.rows.get(&entity).filter(|row| row.archetype.is_some()) {
            None => Err(QueryError::NoSuchEntity(entity)),
            Some(row) if passes(row) => Ok(entity),
            Some(_) => Err(QueryError::Mismatch(entity)),
        };
        assert_eq!(query.get(entity), error, "get of {name}");
    }
    let mut prepared = PreparedQuery::<Entity, F>::new();
    assert_eq!(prepared.query(world).into_iter().collect::<Vec<_>>(), expected, "prepared {name}");
}

fn check_filters(world: &World, model: &Model, known: &[Entity]) {
    fn has(kind: Kind) -> impl Fn(&Row) -> bool {
        move |row| row.cells.contains_key(&kind)
    }
    let [small, odd, big, line] = [Kind::Small, Kind::Odd, Kind::Big, Kind::Line].map(has);
    let [enemy, link, text, guard] = [Kind::Enemy, Kind::Link, Kind::Text, Kind::Guard].map(has);
    use Kind::{Big, Enemy, Guard, Line, Link, Odd, Small, Text};
    let all = (world, model, known);
    check_filter::<()>(all, &[], |_| true);
    check_filter::<With<parts::Small>>(all, &[Small], &small);
    check_filter::<Without<parts::Text>>(all, &[Text], |row| !text(row));
    check_filter::<Show<parts::Line>>(all, &[Line], |_| true);
    check_filter::<(With<parts::Enemy>, Without<parts::Guard>)>(all, &[Enemy, Guard], |row| enemy(row) && !guard(row));
    check_filter::<Or<(With<parts::Line>, With<parts::Guard>)>>(all, &[Line, Guard], |row| line(row) || guard(row));
    check_filter::<Or<()>>(all, &[], |_| false);
    check_filter::<((With<parts::Small>,), (Without<parts::Odd>, ()))>(all, &[Small, Odd], |row| {
        small(row) && !odd(row)
    });
    // To the host every change is new.
    check_filter::<Changed<parts::Big>>(all, &[Big], &big);
    check_filter::<Added<parts::Link>>(all, &[Link], &link);
    check_filter::<ChunkChanged<parts::Text>>(all, &[Text], &text);
    check_filter::<Or<((With<parts::Small>, Without<parts::Big>), Changed<parts::Link>)>>(
        all,
        &[Small, Big, Link],
        |row| (small(row) && !big(row)) || link(row),
    );
    check_filter::<Or<(With<parts::Odd>, Added<parts::Big>, ChunkChanged<parts::Line>)>>(
        all,
        &[Odd, Big, Line],
        |row| odd(row) || big(row) || line(row),
    );
}

fn check_terms(world: &World, model: &Model, chunk_rows: u32) {
    let value = |row: &Row, kind| row.cells.get(&kind).map(|cell| cell.value);
    let seen = world.query::<(Entity, Option<&Small>, Has<Guard>, Option<&Line>), ()>();
    let seen =
        seen.iter().map(|(entity, small, guard, line)| (entity, small.map(Part::value), guard, line.map(Part::value)));
    let expected = model.shown([Kind::Small, Kind::Guard, Kind::Line]).map(|(entity, row)| {
        (entity, value(row, Kind::Small), row.cells.contains_key(&Kind::Guard), value(row, Kind::Line))
    });
    assert_eq!(seen.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "options");

    let both = model
        .shown([Kind::Big, Kind::Text])
        .filter_map(|(_, row)| Some((value(row, Kind::Big)?, value(row, Kind::Text)?)));
    let query = world.query::<(&Big, &Text), ()>();
    let seen: Vec<_> = query.iter().map(|(big, text)| (big.value(), text.value())).collect();
    assert_eq!(seen, both.collect::<Vec<_>>(), "two terms");
    let pairs = query.iter_combinations::<2>().count();
    assert_eq!(pairs, seen.len() * seen.len().saturating_sub(1) / 2, "combinations");

    let mut query = world.query::<(Entity, &Link), ()>();
    let mut rows = Vec::new();
    for (entities, links) in query.iter_chunks() {
        assert!(entities.len() == links.len() && (1..=chunk_rows as usize).contains(&links.len()));
        rows.extend(entities.iter().copied().zip(links.iter().map(Part::value)));
    }
    let expected = model.shown([Kind::Link]).filter_map(|(entity, row)| Some((entity, value(row, Kind::Link)?)));
    assert_eq!(rows, expected.collect::<Vec<_>>(), "slices of chunks");
}
