//! The components and resources of the programs: one for each way of keeping values.

use tickweave::component::{Bundle, Component};
use tickweave::prelude::*;
use tickweave::value::{DecodeError, Sink, Source};

use super::kit::{self, Kit, Sight};

/// Which component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Byte,
    Short,
    Triple,
    Long,
    Wide,
    Bulk,
    Line,
    Real,
    Link,
    Text,
    Counted,
    Sealed,
    Flag,
    Mark,
}

impl Kind {
    pub(crate) const ALL: [Self; 14] = [
        Self::Byte,
        Self::Short,
        Self::Triple,
        Self::Long,
        Self::Wide,
        Self::Bulk,
        Self::Line,
        Self::Real,
        Self::Link,
        Self::Text,
        Self::Counted,
        Self::Sealed,
        Self::Flag,
        Self::Mark,
    ];
}

/// What a value is made of: a number, an entity to refer to, and the census.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stuff<'k> {
    pub(crate) seed: u64,
    pub(crate) to: Entity,
    pub(crate) kit: &'k Kit,
}

/// A component of the programs.
pub(crate) trait Part: Component {
    const KIND: Kind;

    fn make(stuff: Stuff<'_>) -> Self;

    /// The value as a number.
    fn read(&self) -> u64;

    /// Changes the value; the order of two changes shows.
    fn mix(&mut self, by: u64);

    /// Refers to an entity, if it can.
    fn aim(&mut self, to: Entity) {
        let _ = to;
    }
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Byte(u8);

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Short(u16);

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Triple([u32; 3]);

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
pub(crate) struct Long(u64);

#[derive(Component, Clone, Copy)]
#[repr(C, align(8))]
pub(crate) struct Wide([u64; 3]);

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Bulk([u64; 25]);

#[derive(Component, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line([u32; 16]);

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Real {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
pub(crate) struct Link {
    to: Entity,
    other: Option<Entity>,
}

/// A value with memory of its own.
#[derive(Clone, StateValue, Component)]
#[component(opaque, state)]
pub(crate) struct Text {
    word: String,
    seen: Vec<u32>,
}

/// A value whose life is counted.
#[derive(Component)]
#[component(opaque, state, track)]
pub(crate) struct Counted {
    number: u64,
    kit: Kit,
}

/// A value that can't be hashed, with an entity inside.
#[derive(MapEntities, Component)]
#[component(opaque, entities)]
pub(crate) struct Sealed {
    number: Box<u64>,
    to: Entity,
}

#[derive(Component)]
pub(crate) struct Flag;

#[derive(Component)]
#[component(track)]
pub(crate) struct Mark;

impl Counted {
    fn new(number: u64, kit: &Kit) -> Self {
        kit.born();
        Self { number, kit: kit.clone() }
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(self.number, &self.kit)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.kit.dropped();
    }
}

impl MapEntities for Counted {}

impl StateValue for Counted {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.number.encode(sink);
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        Ok(Self::new(u64::decode(source)?, &kit::played()))
    }
}

/// Two numbers as one; not the same in the other order.
pub(crate) fn stir(old: u64, new: u64) -> u64 {
    (old.rotate_left(5) ^ new).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn stir_words(words: &mut [u64], by: u64) {
    words.iter_mut().fold(by, |by, word| {
        *word = stir(*word, by);
        *word
    });
}

/// A part that is made of, read as and changed by numbers.
macro_rules! number_parts {
    ($($name:ident: |$seed:ident| $make:expr, |$this:ident| $read:expr, |$old:ident, $by:ident| $mix:expr;)*) => {$(
        impl Part for $name {
            const KIND: Kind = Kind::$name;

            fn make(stuff: Stuff<'_>) -> Self {
                let $seed = stuff.seed;
                $make
            }

            fn read(&self) -> u64 {
                let $this = self;
                $read
            }

            fn mix(&mut self, $by: u64) {
                let $old = self;
                $mix
            }
        }
    )*};
}

number_parts! {
    Byte: |seed| Self(seed as u8), |this| this.0.into(), |old, by| old.0 = (old.0.rotate_left(3) ^ by as u8).wrapping_mul(11);
    Short: |seed| Self(seed as u16), |this| this.0.into(), |old, by| old.0 = stir(old.0.into(), by) as u16;
    Triple: |seed| Self([seed as u32, 1, 2]), |this| stir(this.0[0].into(), this.0[2].into()), |old, by| {
        let [a, b, c] = old.0;
        old.0 = [b, c, stir(a.into(), by) as u32];
    };
    Long: |seed| Self(seed), |this| this.0, |old, by| old.0 = stir(old.0, by);
    Wide: |seed| Self([seed, seed ^ 1, !seed]), |this| this.0[0] ^ this.0[2], |old, by| stir_words(&mut old.0, by);
    Bulk: |seed| Self([seed; 25]), |this| this.0[0] ^ this.0[24], |old, by| stir_words(&mut old.0, by);
    Line: |seed| Self([seed as u32; 16]), |this| {
        assert_eq!(core::ptr::from_ref(this).addr() % 64, 0, "it is aligned");
        this.0[0].into()
    }, |old, by| old.0 = [stir(old.0[15].into(), by) as u32; 16];
    Real: |seed| Self { x: (seed % 1000) as f32 / 7.0, y: 1.0 }, |this| (this.x.to_bits() ^ this.y.to_bits()).into(), |old, by| {
        // Sums of floats show their order.
        old.x = (old.x * 0.75 + (by % 1009) as f32 / 3.0) / (1.0 + old.y);
        old.y = (old.y + old.x * 0.25) % 1000.0;
    };
    Text: |seed| Self { word: format!("{seed:x}"), seen: Vec::new() }, |this| {
        this.word.bytes().fold(this.seen.len() as u64, |sum, byte| stir(sum, byte.into()))
    }, |old, by| {
        old.word.insert(0, char::from(b'a' + (by % 26) as u8));
        old.word.truncate(12);
        old.seen.push(by as u32);
        if old.seen.len() > 5 {
            old.seen = old.seen.split_off(3);
        }
    };
    Flag: |_seed| Self, |_this| 1, |_old, _by| {};
    Mark: |_seed| Self, |_this| 2, |_old, _by| {};
}

impl Long {
    pub(crate) const fn of(number: u64) -> Self {
        Self(number)
    }
}

impl Link {
    pub(crate) const fn target(&self) -> Entity {
        self.to
    }
}

impl Part for Link {
    const KIND: Kind = Kind::Link;

    fn make(Stuff { seed, to, .. }: Stuff<'_>) -> Self {
        Self { to, other: (seed % 3 == 0).then_some(to) }
    }

    fn read(&self) -> u64 {
        stir(self.to.to_bits(), self.other.map_or(0, Entity::to_bits))
    }

    fn mix(&mut self, by: u64) {
        self.other = (by % 4 != 0).then_some(self.to);
    }

    fn aim(&mut self, to: Entity) {
        self.to = to;
    }
}

impl Part for Counted {
    const KIND: Kind = Kind::Counted;

    fn make(Stuff { seed, kit, .. }: Stuff<'_>) -> Self {
        kit.saw(Sight::Counted);
        Self::new(seed, kit)
    }

    fn read(&self) -> u64 {
        self.number
    }

    /// A quarter of the changes puts a new value in the place of the old one.
    fn mix(&mut self, by: u64) {
        let number = stir(self.number, by);
        if by % 4 == 0 {
            *self = Self::new(number, &self.kit.clone());
        }
        self.number = number;
    }
}

impl Part for Sealed {
    const KIND: Kind = Kind::Sealed;

    fn make(Stuff { seed, to, kit }: Stuff<'_>) -> Self {
        kit.saw(Sight::Unhashable);
        Self { number: Box::new(seed), to }
    }

    fn read(&self) -> u64 {
        stir(*self.number, self.to.to_bits())
    }

    fn mix(&mut self, by: u64) {
        *self.number = stir(*self.number, by);
    }

    fn aim(&mut self, to: Entity) {
        self.to = to;
    }
}

/// A bundle of the programs.
pub(crate) trait Recipe: Bundle {
    fn kinds(out: &mut Vec<Kind>);

    fn cook(stuff: Stuff<'_>) -> Self;
}

macro_rules! part_recipes {
    ($($name:ident)*) => {$(
        impl Recipe for $name {
            fn kinds(out: &mut Vec<Kind>) {
                out.push(Self::KIND);
            }

            fn cook(stuff: Stuff<'_>) -> Self {
                Self::make(stuff)
            }
        }
    )*};
}

part_recipes!(Byte Short Triple Long Wide Bulk Line Real Link Text Counted Sealed Flag Mark);

macro_rules! tuple_recipes {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Recipe),*> Recipe for ($($name,)*) {
            #[allow(unused_variables, reason = "the empty tuple has no kinds")]
            fn kinds(out: &mut Vec<Kind>) {
                $($name::kinds(out);)*
            }

            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple is made of nothing")]
            fn cook(stuff: Stuff<'_>) -> Self {
                ($($name::cook(stuff),)*)
            }
        }
    )*};
}

tuple_recipes!(()(A B)(A B C)(A B C D));

/// An event that readers see behind the next barrier.
#[derive(Clone, StateValue, Event)]
pub(crate) struct Note {
    pub(crate) to: Entity,
    pub(crate) number: u64,
}

/// An event that readers see in the next tick, and that is kept for some.
#[derive(Clone, StateValue, Event)]
pub(crate) struct Bell(pub(crate) u64);

/// An event that readers see in later passes of its phase.
#[derive(Clone, StateValue, Event)]
pub(crate) struct Whisper(pub(crate) u64);

/// An event that readers see in the next phase.
#[derive(Clone, StateValue, Event)]
pub(crate) struct Shout(pub(crate) u64);

/// Read by conditions and by functions over rows.
#[derive(Clone, StateValue, Resource)]
pub(crate) struct Dial(pub(crate) u64);

/// What systems found, in order.
#[derive(Clone, Default, StateValue, Resource)]
pub(crate) struct Tally {
    pub(crate) sum: u64,
    pub(crate) log: Vec<u64>,
    pub(crate) last: Option<Entity>,
}

impl Tally {
    /// Notes a number; the order of two notes shows.
    pub(crate) fn note(&mut self, number: u64) {
        self.sum = stir(self.sum, number);
        self.log.push(number);
        if self.log.len() > 12 {
            self.log.drain(..6);
        }
    }
}

/// A second tally, so that not all writers of resources wait for one another.
#[derive(Clone, Default, StateValue, Resource)]
pub(crate) struct Other(pub(crate) Tally);

/// May be missing.
#[derive(Clone, StateValue, Resource)]
pub(crate) struct Spare(pub(crate) u64);

/// Never changes.
#[derive(Clone, StateValue, Resource)]
#[resource(constant)]
pub(crate) struct Fixed(pub(crate) u64);

/// Written by the host alone.
#[derive(Clone, Default, StateValue, Resource)]
#[resource(input)]
pub(crate) struct Stick(pub(crate) u64);
