use crate::sync::next_unique;

/// Where the state of a world comes from, so that whoever keeps its past sees when it became that of another: never part of state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeline {
    /// Names the state that was put in last; each snapshot has a name of its own.
    beginning: u64,
    /// Another number whenever state is put in, also the same once more.
    turn: u64,
}

impl Timeline {
    /// One that nobody shares.
    pub(crate) fn new() -> Self {
        let turn = next_unique();
        Self { beginning: turn, turn }
    }

    /// That of a world into which state was put.
    pub(crate) fn from(self) -> Self {
        Self { turn: next_unique(), ..self }
    }

    /// Whether nothing was put in since the other was noted.
    pub(crate) const fn goes_on(self, noted: Self) -> bool {
        self.turn == noted.turn
    }

    /// Whether both go on from one state.
    pub(crate) const fn has_beginning_of(self, other: Self) -> bool {
        self.beginning == other.beginning
    }
}
