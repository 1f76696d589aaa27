use tickweave_derive::Component;

#[derive(Component)]
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {}
}

fn main() {}
