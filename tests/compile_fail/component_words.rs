use tickweave_derive::Component;

#[derive(Component)]
#[component(opague)]
struct Misspelt(String);

#[derive(Component)]
#[component(trust = "it is fine")]
struct Misplaced(String);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct OnAField {
    #[component(track)]
    x: f32,
}

#[derive(Component, Clone, Copy)]
#[component(state)]
#[repr(C)]
struct NotOpaque {
    x: f32,
}

#[derive(Component)]
#[component(opaque, opaque)]
struct Twice(String);

#[derive(Component)]
#[component(opaque = "yes")]
struct WithValue(String);

#[derive(Component)]
#[component(opaque)]
struct Opaque {
    #[component(trust = "no need")]
    text: String,
}

#[derive(Component, Clone, Copy)]
#[repr(u8)]
enum OnAVariant {
    #[component(trust = "no need")]
    Calm,
}

#[derive(Component)]
#[component]
struct NoWords;

fn main() {}
