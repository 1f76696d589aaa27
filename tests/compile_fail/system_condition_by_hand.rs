use tickweave::prelude::*;
use tickweave::system::ConditionFunction;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

struct Heal;

impl ConditionFunction<()> for Heal {
    type Params = Query<'static, &'static mut Health>;

    fn call(&mut self, mut rows: Query<'_, &'static mut Health>) -> bool {
        rows.for_each(|health| health.0 += 1);
        true
    }
}

fn main() {}
