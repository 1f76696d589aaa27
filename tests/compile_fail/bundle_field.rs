use tickweave_derive::{Bundle, Component};

#[derive(Component)]
struct Enemy;

struct Name(String);

#[derive(Bundle)]
struct Wolf {
    enemy: Enemy,
    name: Name,
}

#[derive(Bundle)]
enum Animal {
    Wolf(Wolf),
}

fn main() {}
