use core::fmt;

use fixed::types::I16F16;

use super::condition::{ConditionFunction, ErasedCondition, erase};
use super::function::{ErasedSystem, IntoSystem};
use super::{Context, ParamError, Rate, System, SystemMeta};
use crate::world::World;

/// A system with its name, place and pace, as it is handed to a schedule.
///
/// Made by the methods of [`IntoSystemConfig`], which every system has.
pub struct SystemConfig {
    pub(crate) system: Box<dyn System>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) name: Option<String>,
    pub(crate) stream: Option<String>,
    pub(crate) labels: Vec<String>,
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
    pub(crate) rate: Rate,
    pub(crate) budget: Option<I16F16>,
    pub(crate) pinned: bool,
    pub(crate) enabled: bool,
}

/// A run condition whose type is erased.
pub(crate) struct Condition(Box<dyn ErasedCondition>);

impl Condition {
    /// Whether its function holds something.
    pub(crate) fn captures(&self) -> bool {
        self.0.captures()
    }

    pub(crate) fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError> {
        self.0.bind(world, meta)
    }

    /// # Safety
    ///
    /// The condition is bound to the context's world as it is now, and the caller holds its access.
    #[expect(unsafe_code, reason = "the caller promises the access")]
    pub(crate) unsafe fn holds(&mut self, context: Context<'_>) -> bool {
        // SAFETY: the contract is passed on.
        unsafe { self.0.holds(context) }
    }
}

impl fmt::Debug for SystemConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemConfig")
            .field("system", &self.system.type_name())
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl SystemConfig {
    fn new(ErasedSystem(system): ErasedSystem) -> Self {
        Self {
            system,
            conditions: Vec::new(),
            name: None,
            stream: None,
            labels: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            rate: Rate::EVERY_TICK,
            budget: None,
            pinned: false,
            enabled: true,
        }
    }
}

/// Marks [`IntoSystemConfig`] of systems that were not configured yet.
#[doc(hidden)]
#[derive(Debug)]
pub struct IsPlain;

/// Name, place and pace of a system. Every system has these methods; each takes the system and returns it configured.
///
/// ```
/// use tickweave::prelude::*;
///
/// fn move_units() {}
/// fn fight() {}
///
/// let mut schedule = Schedule::new();
/// schedule.add(fight.named("fight").after("movement").every(4).offset(1));
/// schedule.add(move_units.labeled("movement"));
/// let mut world = World::new();
/// let plan = schedule.build(&mut world)?;
/// let names: Vec<&str> = plan.order().map(|id| plan.spec(id).name.as_str()).collect();
/// assert_eq!(names, ["move_units", "fight"]);
/// # Ok::<(), RunError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system",
    label = "not a system",
    note = "a system is a function whose parameters are `Query<..>`, `Lookup<..>`, `Res<..>`, `ResMut<..>`, `Commands`, `EventWriter<..>`, `Local<..>`, `Tick`, `Rng`, `EventReader<..>`, `Removed<..>`, `Mgr<..>` or `Host<..>`, or one over `&mut World` alone or with `Commands`; it is `Send` and returns nothing or a `Result`",
    note = "`Changed`, `Added` and `Removed` ask for `#[component(track)]`, `ResMut` for a state or host resource, `Local` for a `StateValue` with a default, `EventReader` and `EventWriter` for types with `#[derive(Event)]`",
    note = "a function over rows is added with `each(..)`, one over slices with `chunk(..)`",
    note = "a tuple of systems is none: add them one after the other, or with `chain` where each waits for the one before"
)]
pub trait IntoSystemConfig<Marker>: Sized {
    /// The system as it is configured so far.
    fn into_config(self) -> SystemConfig;

    /// Gives it a name, unique in the schedule. Without one it has the name of its function, numbered where the function is
    /// added again.
    fn named(self, name: impl Into<String>) -> SystemConfig {
        let mut config = self.into_config();
        config.name = Some(name.into());
        config
    }

    /// Gives the key of the random numbers that its [`Rng`](super::Rng) draws, unique in the schedule. Without one the key is
    /// the name that [`named`](Self::named) gave. It costs nothing where the system draws none.
    fn stream(self, key: impl Into<String>) -> SystemConfig {
        let mut config = self.into_config();
        config.stream = Some(key.into());
        config
    }

    /// Adds a label, for others to be ordered by.
    fn labeled(self, label: impl Into<String>) -> SystemConfig {
        let mut config = self.into_config();
        config.labels.push(label.into());
        config
    }

    /// Has it run before the systems with this name or label: they move later.
    fn before(self, name: impl Into<String>) -> SystemConfig {
        let mut config = self.into_config();
        config.before.push(name.into());
        config
    }

    /// Has it run after the systems with this name or label: it moves later.
    fn after(self, name: impl Into<String>) -> SystemConfig {
        let mut config = self.into_config();
        config.after.push(name.into());
        config
    }

    /// Has it run on ticks where a condition holds only. Several conditions must all hold.
    fn run_if<M: 'static>(self, condition: impl ConditionFunction<M>) -> SystemConfig {
        let mut config = self.into_config();
        config.conditions.push(Condition(erase(condition)));
        config
    }

    /// Has it run every so many ticks.
    fn every(self, ticks: u32) -> SystemConfig {
        let mut config = self.into_config();
        config.rate.every = ticks;
        config
    }

    /// Has it run on ticks that leave this remainder when divided by [`every`](Self::every).
    fn offset(self, ticks: u32) -> SystemConfig {
        let mut config = self.into_config();
        config.rate.offset = ticks;
        config
    }

    /// Gives it a budget, in milliseconds.
    fn budget_ms(self, milliseconds: I16F16) -> SystemConfig {
        let mut config = self.into_config();
        config.budget = Some(milliseconds);
        config
    }

    /// Has it run on the thread that called `run`.
    fn pinned(self) -> SystemConfig {
        let mut config = self.into_config();
        config.pinned = true;
        config
    }

    /// Has it keep its place but not run, until it is enabled.
    fn disabled(self) -> SystemConfig {
        let mut config = self.into_config();
        config.enabled = false;
        config
    }
}

impl IntoSystemConfig<()> for SystemConfig {
    fn into_config(self) -> SystemConfig {
        self
    }
}

impl<M, S: IntoSystem<M>> IntoSystemConfig<(IsPlain, M)> for S {
    fn into_config(self) -> SystemConfig {
        SystemConfig::new(self.into_system())
    }
}

/// A tuple of systems, for a chain.
pub trait IntoSystemConfigs<Marker> {
    /// The systems, in order.
    fn into_configs(self) -> Vec<SystemConfig>;
}

macro_rules! config_tuples {
    ($($name:ident $value:ident),*) => {
        config_tuples!(@markers [$($name $value)*] [MA MB MC MD ME MF MG MH MI MJ MK ML MM MN MO MP] []);
    };
    (@markers [] [$($unused:ident)*] [$($name:ident $value:ident $marker:ident)*]) => {
        #[allow(clippy::unused_unit, reason = "a macro for every arity, also none")]
        impl<$($marker,)* $($name: IntoSystemConfig<$marker>),*> IntoSystemConfigs<($($marker,)*)> for ($($name,)*) {
            fn into_configs(self) -> Vec<SystemConfig> {
                let ($($value,)*) = self;
                vec![$($value.into_config()),*]
            }
        }
    };
    (@markers [$name:ident $value:ident $($rest:tt)*] [$marker:ident $($markers:ident)*] [$($done:tt)*]) => {
        config_tuples!(@markers [$($rest)*] [$($markers)*] [$($done)* $name $value $marker]);
    };
}

crate::tuples::every_arity_with_values!(config_tuples);
