use tickweave::resource::MutableResource;
use tickweave_derive::{Resource, StateValue};

#[derive(Clone, StateValue, Resource)]
#[resource(constant)]
struct Balance(u32);

fn needs<T: MutableResource>() {}

fn main() {
    needs::<Balance>();
}
