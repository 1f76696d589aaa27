//! Systems that gather, on many hands.

use super::kit::{every_way_gives_the_same_bits, tiny_chunks};
use crate::systems::kit::{A, B, C, Link, T, spawn};
use tickweave::prelude::*;

fn grow(a: &mut A) {
    a.0 = a.0.wrapping_mul(5).wrapping_add(3);
}

fn follow(b: &mut B, link: &Link, all: Lookup<&A>) {
    b.0 ^= all.get(link.0).map_or(-1, |a| a.0);
}

fn compare(t: &mut [T], links: &[Link], both: Lookup<(&A, Option<&B>)>) {
    for (t, link) in t.iter_mut().zip(links) {
        let (a, b) = both.get(link.0).unwrap_or((&A(0), None));
        t.0 = t.0.wrapping_add(a.0).wrapping_sub(b.map_or(1, |b| b.0));
    }
}

fn split(link: &Link, a: &A, links: Lookup<&Link>, all: Lookup<&A>, mut commands: Commands) {
    let Ok(&Link(next)) = links.get(link.0) else { return };
    match all.get(next) {
        Ok(other) if other.0 % 11 == 0 => commands.despawn(link.0),
        Ok(other) if other.0 % 7 == 0 => spawn(&mut commands, (A(a.0 ^ other.0), B(1), T(0), *link)),
        _ => {}
    }
}

fn measure(mut rows: Query<(Entity, &mut C)>, all: Lookup<&A>, links: Lookup<&Link>) {
    let reachable = rows.par_sum(|(entity, _)| u64::from(links.get(entity).is_ok_and(|link| all.contains(link.0))));
    rows.par_for_each(|(_, c)| c.0 = c.0.wrapping_add(reachable as i32));
}

#[test]
fn rows_that_look_at_others_are_the_same_for_any_number_of_hands() {
    every_way_gives_the_same_bits(8, || {
        let mut world = tiny_chunks().build().unwrap();
        let plain = world.spawn_batch((0..30).map(|n| (A(n), C(n))));
        for n in 0..60_i32 {
            let to = plain[(n * 7 % 30) as usize];
            let entity = world.spawn((A(100 - n), B(n), T(n), Link(to)));
            world.insert(to, Link(entity)).unwrap();
        }
        let mut schedule = Schedule::new();
        schedule.add(each(grow).filter::<With<C>>());
        schedule.add(each(follow).filter::<Without<C>>());
        schedule.add(chunk(compare));
        schedule.add(each(grow).filter::<With<B>>());
        schedule.add(each(split));
        schedule.add(measure);
        (world, schedule)
    });
}
