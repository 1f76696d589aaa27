use tickweave_derive::Component;

#[derive(Component)]
#[component(opaque, state)]
struct Saved(String);

#[derive(Component)]
#[component(opaque, entities)]
struct Mapped(String);

#[derive(Component)]
#[component(opaque)]
struct Shared(std::rc::Rc<u32>);

fn main() {}
