//! The components of the random programs: one for each way of keeping values.

use std::cell::RefCell;
use std::collections::BTreeSet;

use tickweave::component::{Bundle, Component};
use tickweave::entity::Entity;

/// The values with a destructor that are alive on this thread: each is dropped exactly once.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    made: u64,
    alive: BTreeSet<u64>,
    guards: i64,
    dropped_twice: bool,
}

thread_local! {
    static LEDGER: RefCell<Ledger> = RefCell::default();
}

/// Forgets what an earlier program on this thread left behind.
pub(crate) fn reset_ledger() {
    LEDGER.with_borrow_mut(|ledger| *ledger = Ledger::default());
}

/// How many `Text` and `Guard` values are alive.
#[track_caller]
pub(crate) fn alive() -> (usize, i64) {
    LEDGER.with_borrow(|ledger| {
        assert!(!ledger.dropped_twice, "a value was dropped twice");
        (ledger.alive.len(), ledger.guards)
    })
}

/// Notes its own drop.
#[derive(Debug)]
struct Token(u64);

impl Token {
    fn new() -> Self {
        LEDGER.with_borrow_mut(|ledger| {
            ledger.made += 1;
            ledger.alive.insert(ledger.made);
            Self(ledger.made)
        })
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        LEDGER.with_borrow_mut(|ledger| ledger.dropped_twice |= !ledger.alive.remove(&self.0));
    }
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Small(u8);

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Odd([u8; 3]);

#[derive(Component, Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct Wide {
    low: u64,
    high: u64,
}

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
pub(crate) struct Big([u64; 3]);

#[derive(Component, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line([u32; 16]);

#[derive(Component)]
pub(crate) struct Enemy;

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
pub(crate) struct Link {
    to: Entity,
    other: Option<Entity>,
}

/// A value with memory of its own.
#[derive(Component)]
#[component(opaque)]
pub(crate) struct Text {
    word: String,
    number: Box<u32>,
    _token: Token,
}

/// A destructor without bytes.
#[derive(Component)]
#[component(opaque)]
pub(crate) struct Guard;

impl Guard {
    fn new() -> Self {
        LEDGER.with_borrow_mut(|ledger| ledger.guards += 1);
        Self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        LEDGER.with_borrow_mut(|ledger| ledger.guards -= 1);
    }
}

/// Which component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Small,
    Odd,
    Wide,
    Big,
    Line,
    Enemy,
    Link,
    Text,
    Guard,
}

impl Kind {
    pub(crate) const fn is_tracked(self) -> bool {
        matches!(self, Self::Big | Self::Link)
    }
}

/// What a component holds, whatever its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Seed(u32),
    Link(Entity, Option<Entity>),
    Nothing,
}

/// A component of the programs.
pub(crate) trait Part: Component {
    const KIND: Kind;

    fn make(value: Value) -> Self;

    fn value(&self) -> Value;
}

/// A part whose value is made of a number.
macro_rules! parts {
    ($($name:ident($seed:ident) => $make:expr, |$this:ident| $read:expr;)*) => {$(
        impl Part for $name {
            const KIND: Kind = Kind::$name;

            fn make(value: Value) -> Self {
                let Value::Seed($seed) = value else { panic!("{value:?} for {}", stringify!($name)) };
                $make
            }

            fn value(&self) -> Value {
                let $this = self;
                assert_eq!(core::ptr::from_ref($this).addr() % align_of::<Self>(), 0, "{} is aligned", stringify!($name));
                Value::Seed($read)
            }
        }
    )*};
}

/// Spreads a number over the bits, so that torn values do not look whole.
fn spread(seed: u32) -> u64 {
    u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

parts! {
    Small(seed) => Self(seed as u8), |this| u32::from(this.0);
    Odd(seed) => Self([seed as u8, !seed as u8, 7]), |this| {
        assert_eq!(this.0, [this.0[0], !this.0[0], 7]);
        u32::from(this.0[0])
    };
    Wide(seed) => Self { low: u64::from(seed), high: spread(seed) }, |this| {
        assert_eq!(this.high, spread(this.low as u32));
        this.low as u32
    };
    Big(seed) => Self([u64::from(seed), spread(seed), !spread(seed)]), |this| {
        assert_eq!(this.0[1..], [spread(this.0[0] as u32), !spread(this.0[0] as u32)]);
        this.0[0] as u32
    };
    Line(seed) => Self([seed; 16]), |this| {
        assert_eq!(this.0, [this.0[0]; 16]);
        this.0[0]
    };
    Text(seed) => Self { word: format!("word {seed}"), number: Box::new(seed), _token: Token::new() }, |this| {
        assert_eq!(this.word, format!("word {}", this.number));
        *this.number
    };
}

impl Part for Link {
    const KIND: Kind = Kind::Link;

    fn make(value: Value) -> Self {
        let Value::Link(to, other) = value else { panic!("{value:?} for a link") };
        Self { to, other }
    }

    fn value(&self) -> Value {
        Value::Link(self.to, self.other)
    }
}

impl Part for Enemy {
    const KIND: Kind = Kind::Enemy;

    fn make(_: Value) -> Self {
        Self
    }

    fn value(&self) -> Value {
        Value::Nothing
    }
}

impl Part for Guard {
    const KIND: Kind = Kind::Guard;

    fn make(_: Value) -> Self {
        Self::new()
    }

    fn value(&self) -> Value {
        Value::Nothing
    }
}

/// Gives the value of each component of a bundle, in its order.
pub(crate) type Values<'v> = &'v mut dyn FnMut(Kind) -> Value;

/// A bundle of the programs.
pub(crate) trait Recipe: Bundle {
    fn kinds(out: &mut Vec<Kind>);

    fn build(values: Values<'_>) -> Self;
}

macro_rules! part_recipes {
    ($($name:ident)*) => {$(
        impl Recipe for $name {
            fn kinds(out: &mut Vec<Kind>) {
                out.push(Self::KIND);
            }

            fn build(values: Values<'_>) -> Self {
                Self::make(values(Self::KIND))
            }
        }
    )*};
}

part_recipes!(Small Odd Wide Big Line Enemy Link Text Guard);

macro_rules! tuple_recipes {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Recipe),*> Recipe for ($($name,)*) {
            #[allow(unused_variables, reason = "the empty tuple has no kinds")]
            fn kinds(out: &mut Vec<Kind>) {
                $($name::kinds(out);)*
            }

            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple asks for nothing")]
            fn build(values: Values<'_>) -> Self {
                ($($name::build(values),)*)
            }
        }
    )*};
}

tuple_recipes!(()(A)(A B)(A B C)(A B C D));

/// A bundle with names.
#[derive(Bundle)]
pub(crate) struct Body {
    wide: Wide,
    rest: (Big, Text),
}

impl Recipe for Body {
    fn kinds(out: &mut Vec<Kind>) {
        <(Wide, (Big, Text))>::kinds(out);
    }

    fn build(values: Values<'_>) -> Self {
        Self { wide: Wide::build(values), rest: <(Big, Text)>::build(values) }
    }
}
