//! A walk over systems that each add 1 to a component of their own on one entity.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the systems run on: their archetypes, and a table by chunk for each column.
#[derive(Default)]
pub(crate) struct Store {
    archetypes: Vec<Archetype>,
    columns: Vec<Column>,
    last_runs: Vec<u64>,
    tick: u64,
}

#[repr(align(64))]
struct Archetype {
    rows: u32,
    first_chunk: u32,
}

#[repr(align(64))]
struct Column {
    chunks: Vec<Chunk>,
}

struct Chunk {
    rows: Option<Box<[f32; 8]>>,
    stamp: u64,
}

/// A system, its type erased: it knows its component and the archetypes that have it.
pub(crate) trait System {
    fn run(&mut self, store: &mut Store, now: u64) -> Result<(), String>;
}

struct Each<const N: usize> {
    component: u32,
    matched: Vec<u32>,
    seen: usize,
}

impl<const N: usize> System for Each<N> {
    fn run(&mut self, store: &mut Store, now: u64) -> Result<(), String> {
        if self.seen != store.archetypes.len() {
            return Err("a new archetype".to_owned());
        }
        for &archetype in &self.matched {
            let archetype = &store.archetypes[archetype as usize];
            let chunk = &mut store.columns[self.component as usize].chunks[archetype.first_chunk as usize];
            chunk.stamp = now;
            for value in chunk.rows.iter_mut().flat_map(|rows| &mut rows[..archetype.rows as usize]) {
                *value += 1.0;
            }
        }
        Ok(())
    }
}

/// What decides whether a system runs.
struct Gate {
    enabled: bool,
    every: u64,
}

/// Systems in order.
#[derive(Default)]
pub(crate) struct Walk {
    gates: Vec<Gate>,
    systems: Vec<Box<dyn System>>,
}

impl Walk {
    /// One tick. As in the library, a panic of a system ends it with an error.
    pub(crate) fn run(&mut self, store: &mut Store) -> Result<(), String> {
        store.tick += 1;
        let walk = AssertUnwindSafe(|| self.run_all(store));
        catch_unwind(walk).unwrap_or_else(|_| Err("a system panicked".to_owned()))
    }

    fn run_all(&mut self, store: &mut Store) -> Result<(), String> {
        for (index, (gate, system)) in self.gates.iter().zip(&mut self.systems).enumerate() {
            if gate.enabled && (gate.every == 1 || store.tick % gate.every == 0) {
                let now = store.tick << 20 | index as u64;
                store.last_runs[index] = now;
                system.run(store, now)?;
            }
        }
        Ok(())
    }
}

/// 200 systems, each with a component, an archetype and a chunk of its own.
pub(crate) fn systems() -> (Store, Walk) {
    let (mut store, mut walk) = (Store::default(), Walk::default());
    macro_rules! add_hundred {
        ($hundred:literal: $($ten:literal)*) => { $(add_hundred!(@ten $hundred * 100 + $ten * 10, 0 1 2 3 4 5 6 7 8 9);)* };
        (@ten $base:expr, $($one:literal)*) => { $(add::<{ $base + $one }>(&mut store, &mut walk);)* };
    }
    add_hundred!(0: 0 1 2 3 4 5 6 7 8 9);
    add_hundred!(1: 0 1 2 3 4 5 6 7 8 9);
    (store, walk)
}

fn add<const N: usize>(store: &mut Store, walk: &mut Walk) {
    let index = N as u32;
    store.archetypes.push(Archetype { rows: 1, first_chunk: index });
    let mut chunks: Vec<_> = (0..index).map(|_| Chunk { rows: None, stamp: 0 }).collect();
    chunks.push(Chunk { rows: Some(Box::new([0.0; 8])), stamp: 0 });
    store.columns.push(Column { chunks });
    store.last_runs.push(0);
    walk.gates.push(Gate { enabled: true, every: 1 });
    walk.systems.push(Box::new(Each::<N> { component: index, matched: vec![index], seen: 200 }));
}
