//! A plain model of a world: maps and vectors, one step at a time.

use std::collections::{BTreeMap, BTreeSet};

use tickweave::entity::Entity;
use tickweave::world::Missing;

use super::parts::{Kind, Value};

/// When something was written: the tick and the step of its plan, 0 for the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stamp {
    pub(crate) tick: u64,
    pub(crate) step: u32,
}

/// A component of an entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) value: Value,
    pub(crate) added: Stamp,
    pub(crate) changed: Stamp,
}

/// A living entity: where it is (nowhere while it is reserved) and what it has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) archetype: Option<usize>,
    pub(crate) cells: BTreeMap<Kind, Cell>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Of the entity that lives in it, or of the next one.
    pub(crate) generation: u32,
    pub(crate) live: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// By component id.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) rows: Vec<Entity>,
}

/// Why a step had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Gone(Missing),
    Lacks,
    Aliased,
    Full,
    /// A type is not registered, and a tick is under way.
    InsideTick(Kind),
}

#[derive(Debug)]
pub(crate) struct Model {
    capacity: u32,
    removal_ticks: u64,
    /// In the order of their ids, with whether they are registered.
    pub(crate) registry: Vec<(Kind, bool)>,
    pub(crate) slots: Vec<Slot>,
    /// The next to be used last.
    pub(crate) free: Vec<u32>,
    pub(crate) tables: Vec<Table>,
    pub(crate) rows: BTreeMap<Entity, Row>,
    pub(crate) removals: BTreeMap<Kind, Vec<(Entity, Stamp)>>,
    pub(crate) now: Stamp,
    pub(crate) ticks: u64,
    inside_tick: bool,
    /// Kinds that hide entities from queries that do not name them.
    pub(crate) hidden: BTreeSet<Kind>,
}

fn handle(slot: u32, generation: u32) -> Entity {
    Entity::from_bits(u64::from(generation) << 32 | u64::from(slot)).expect("generations start at 1")
}

impl Model {
    pub(crate) fn new(capacity: u32, removal_ticks: u32) -> Self {
        Self {
            capacity,
            removal_ticks: removal_ticks.into(),
            registry: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            tables: vec![Table::default()],
            rows: BTreeMap::new(),
            removals: BTreeMap::new(),
            now: Stamp { tick: 1, step: 0 },
            ticks: 0,
            inside_tick: false,
            hidden: BTreeSet::new(),
        }
    }

    pub(crate) fn begin_tick(&mut self) {
        self.ticks += 1;
        self.inside_tick = true;
        let oldest = Stamp { tick: self.ticks.saturating_sub(self.removal_ticks), step: 0 };
        self.removals.values_mut().for_each(|log| log.retain(|&(_, stamp)| stamp >= oldest));
    }

    pub(crate) fn at_step(&mut self, step: u32) {
        self.now = Stamp { tick: self.ticks, step };
    }

    pub(crate) fn end_tick(&mut self) {
        self.now = Stamp { tick: self.ticks + 1, step: 0 };
        self.inside_tick = false;
    }

    // Registry.

    pub(crate) fn id_of(&self, kind: Kind) -> Option<u32> {
        self.registry.iter().position(|&entry| entry == (kind, true)).map(|index| index as u32 + 1)
    }

    /// The id, if the type was not registered before.
    pub(crate) fn register(&mut self, kind: Kind) -> Option<u32> {
        if self.id_of(kind).is_some() {
            return None;
        }
        match self.registry.iter_mut().find(|entry| entry.0 == kind) {
            Some(entry) => entry.1 = true,
            None => self.registry.push((kind, true)),
        }
        self.id_of(kind)
    }

    /// Whether the type could be unregistered.
    pub(crate) fn unregister(&mut self, kind: Kind) -> bool {
        let used = self.rows.values().any(|row| row.cells.contains_key(&kind));
        let possible = self.id_of(kind).is_some() && !used;
        if possible {
            self.registry.iter_mut().filter(|entry| entry.0 == kind).for_each(|entry| entry.1 = false);
        }
        possible
    }

    // Slots.

    pub(crate) fn live(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn has_room(&self, count: usize) -> bool {
        self.live() + count <= self.capacity as usize
    }

    pub(crate) const fn capacity(&self) -> u32 {
        self.capacity
    }

    pub(crate) fn reserve(&mut self) -> Option<Entity> {
        if !self.has_room(1) {
            return None;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 1, live: false });
            self.slots.len() as u32 - 1
        });
        self.slots[slot as usize].live = true;
        let entity = handle(slot, self.slots[slot as usize].generation);
        self.rows.insert(entity, Row::default());
        Some(entity)
    }

    fn release(&mut self, entity: Entity) {
        self.rows.remove(&entity);
        let slot = &mut self.slots[entity.slot() as usize];
        *slot = Slot { generation: slot.generation + 1, live: false };
        self.free.push(entity.slot());
    }

    /// Ends an entity that has no row.
    pub(crate) fn give_up(&mut self, entity: Entity) {
        if self.rows.get(&entity).is_some_and(|row| row.archetype.is_none()) {
            self.release(entity);
        }
    }

    /// Why a handle names no entity; `None` if it names one, with a row or not.
    pub(crate) fn why_gone(&self, entity: Entity) -> Option<Missing> {
        if self.rows.contains_key(&entity) {
            return None;
        }
        if entity.is_pending() {
            return Some(Missing::Pending);
        }
        let issued = self.slots.get(entity.slot() as usize).is_some_and(|slot| match slot.live {
            true => entity.generation() <= slot.generation,
            false => entity.generation() < slot.generation,
        });
        Some(if issued { Missing::Despawned } else { Missing::NeverIssued })
    }

    fn check_alive(&self, entity: Entity) -> Result<(), Refused> {
        self.why_gone(entity).map_or(Ok(()), |why| Err(Refused::Gone(why)))
    }

    fn check_row(&self, entity: Entity) -> Result<usize, Refused> {
        self.check_alive(entity)?;
        self.rows[&entity].archetype.ok_or(Refused::Gone(Missing::Reserved))
    }

    // Structure.

    /// The archetype with these kinds, made if there is none.
    fn table(&mut self, mut kinds: Vec<Kind>) -> usize {
        kinds.sort_by_key(|&kind| self.registry.iter().position(|entry| entry.0 == kind));
        kinds.dedup();
        self.tables.iter().position(|table| table.kinds == kinds).unwrap_or_else(|| {
            self.tables.push(Table { kinds, rows: Vec::new() });
            self.tables.len() - 1
        })
    }

    fn leave(&mut self, entity: Entity) {
        if let Some(table) = self.rows[&entity].archetype {
            let rows = &mut self.tables[table].rows;
            let row = rows.iter().position(|&other| other == entity).expect("it has a row there");
            rows.swap_remove(row);
        }
    }

    fn go(&mut self, entity: Entity, table: usize) {
        if self.rows[&entity].archetype != Some(table) {
            self.leave(entity);
            self.tables[table].rows.push(entity);
            self.rows.get_mut(&entity).expect("it lives").archetype = Some(table);
        }
    }

    fn lose(&mut self, entity: Entity, kinds: &[Kind]) {
        for &kind in kinds {
            let lost = self.rows.get_mut(&entity).expect("it lives").cells.remove(&kind);
            if lost.is_some() && kind.is_tracked() {
                self.removals.entry(kind).or_default().push((entity, self.now));
            }
        }
    }

    /// Registers the types of a bundle that are not.
    fn register_all(&mut self, parts: &[(Kind, Value)]) -> Result<(), Refused> {
        let unknown = parts.iter().find(|part| self.inside_tick && self.id_of(part.0).is_none());
        if let Some(&(kind, _)) = unknown {
            return Err(Refused::InsideTick(kind));
        }
        for &(kind, _) in parts {
            self.register(kind);
        }
        Ok(())
    }

    pub(crate) fn spawn(&mut self, parts: &[(Kind, Value)]) -> Result<Entity, Refused> {
        Ok(self.spawn_batch(&[parts.to_vec()])?[0])
    }

    pub(crate) fn spawn_batch(&mut self, batch: &[Vec<(Kind, Value)>]) -> Result<Vec<Entity>, Refused> {
        if !self.has_room(batch.len()) {
            return Err(Refused::Full);
        }
        batch.first().map_or(Ok(()), |parts| self.register_all(parts))?;
        let mut spawned = Vec::new();
        for parts in batch {
            let entity = self.reserve().ok_or(Refused::Full)?;
            self.insert(entity, parts)?;
            spawned.push(entity);
        }
        Ok(spawned)
    }

    pub(crate) fn insert(&mut self, entity: Entity, parts: &[(Kind, Value)]) -> Result<(), Refused> {
        self.check_alive(entity)?;
        self.register_all(parts)?;
        let had = self.rows[&entity].cells.keys().copied();
        let kinds = had.chain(parts.iter().map(|part| part.0)).collect();
        let table = self.table(kinds);
        self.go(entity, table);
        let now = self.now;
        let cells = &mut self.rows.get_mut(&entity).expect("it lives").cells;
        cells.extend(parts.iter().map(|&(kind, value)| (kind, Cell { value, added: now, changed: now })));
        Ok(())
    }

    pub(crate) fn remove(&mut self, entity: Entity, kinds: &[Kind]) -> Result<(), Refused> {
        self.check_row(entity)?;
        let has: Vec<Kind> = self.rows[&entity].cells.keys().copied().collect();
        let kept: Vec<Kind> = has.iter().copied().filter(|kind| !kinds.contains(kind)).collect();
        if kept.len() < has.len() {
            self.lose(entity, kinds);
            let table = self.table(kept);
            self.go(entity, table);
        }
        Ok(())
    }

    pub(crate) fn take(&mut self, entity: Entity, kind: Kind) -> Result<Value, Refused> {
        let value = self.get(entity, kind)?;
        self.remove(entity, &[kind])?;
        Ok(value)
    }

    pub(crate) fn despawn(&mut self, entity: Entity) -> Result<(), Refused> {
        self.check_alive(entity)?;
        let kinds: Vec<Kind> = self.rows[&entity].cells.keys().copied().collect();
        self.lose(entity, &kinds);
        self.leave(entity);
        self.release(entity);
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        let everyone: Vec<Entity> = self.rows.keys().copied().collect();
        for entity in everyone {
            self.despawn(entity).expect("it lives");
        }
    }

    // Values.

    pub(crate) fn get(&self, entity: Entity, kind: Kind) -> Result<Value, Refused> {
        self.check_row(entity)?;
        self.rows[&entity].cells.get(&kind).map(|cell| cell.value).ok_or(Refused::Lacks)
    }

    pub(crate) fn set(&mut self, entity: Entity, kind: Kind, value: Value) -> Result<(), Refused> {
        self.get(entity, kind)?;
        let now = self.now;
        let cells = &mut self.rows.get_mut(&entity).expect("it lives").cells;
        cells.entry(kind).and_modify(|cell| *cell = Cell { value, changed: now, ..*cell });
        Ok(())
    }

    pub(crate) fn set_many(&mut self, entities: &[Entity], kind: Kind, value: Value) -> Result<(), Refused> {
        for (index, &entity) in entities.iter().enumerate() {
            self.get(entity, kind)?;
            if entities[..index].contains(&entity) {
                return Err(Refused::Aliased);
            }
        }
        entities.iter().try_for_each(|&entity| self.set(entity, kind, value))
    }

    /// The removals that readers see: none of a type that is not registered.
    pub(crate) fn removals_of(&self, kind: Kind) -> &[(Entity, Stamp)] {
        match (self.id_of(kind), self.removals.get(&kind)) {
            (Some(_), Some(log)) => log,
            _ => &[],
        }
    }

    /// Entities in query order.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = (Entity, &Row)> + Clone {
        self.tables.iter().flat_map(|table| &table.rows).map(|entity| (*entity, &self.rows[entity]))
    }

    /// Entities in query order that a query sees which names these kinds.
    pub(crate) fn shown<const N: usize>(
        &self,
        named: [Kind; N],
    ) -> impl Iterator<Item = (Entity, &Row)> + Clone + use<'_, N> {
        self.in_order().filter(move |(_, row)| self.shows(row, &named))
    }

    /// Whether a query that names these kinds sees an entity.
    pub(crate) fn shows(&self, row: &Row, named: &[Kind]) -> bool {
        self.hidden.iter().all(|kind| named.contains(kind) || !row.cells.contains_key(kind))
    }

    /// How many values of a kind there are.
    pub(crate) fn count(&self, kind: Kind) -> usize {
        self.rows.values().filter(|row| row.cells.contains_key(&kind)).count()
    }
}
