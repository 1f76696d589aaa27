use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct A(u8);

fn main() {
    let a = A(0);
    let mut world = World::new();
    world.spawn((a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a));
    let _ = world.query::<(&A, &A, &A, &A, &A, &A, &A, &A, &A, &A, &A, &A, &A, &A, &A, &A, &A), ()>();
    let _ = world.query_mut::<&A, (With<A>, (), (), (), (), (), (), (), (), (), (), (), (), (), (), (), ())>();
}
