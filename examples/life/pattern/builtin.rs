//! Patterns that everybody knows, by name.

/// A pattern that comes with the program.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// How long it is worth watching.
    pub(crate) generations: u64,
    pub(super) rle: &'static str,
}

const BUILTINS: [Builtin; 4] = [
    Builtin { name: "r-pentomino", generations: 1103, rle: "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!" },
    Builtin { name: "acorn", generations: 5206, rle: "x = 7, y = 3, rule = B3/S23\nbo$3bo$2o2b3o!" },
    Builtin { name: "die-hard", generations: 130, rle: "x = 8, y = 3, rule = B3/S23\n6bo$2o$bo3b3o!" },
    Builtin {
        name: "gun",
        generations: 3000,
        rle: "x = 36, y = 9, rule = B3/S23\n\
              24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$2o8bo5bo3b2o$\n\
              2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!",
    },
];

/// The built-in pattern of that name.
pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

/// All names, for messages.
pub(super) fn names() -> String {
    BUILTINS.map(|builtin| builtin.name).join(", ")
}
