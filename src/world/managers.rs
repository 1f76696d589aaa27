#![expect(unsafe_code, reason = "the borrow of the world grants its managers")]

use core::any::{Any, TypeId, type_name};

use thiserror::Error;

use super::World;
use crate::storage::{AnyValue, SectionHooks, SectionId, SectionKey};

/// A manager, or a command buffer, can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoManager {
    /// There is none of this type.
    #[error("there is no `{manager}` here; add it with `manager` or `command_buffer` of the simulation's builder")]
    Missing {
        /// The type.
        manager: &'static str,
    },
    /// It is at work: code of its own has it.
    #[error(
        "`{manager}` is out of the world while it is initialised or flushes, so that nobody reads it half-way; use `self` in its \
         own code, and have what reads it run in a setup or a system"
    )]
    AtWork {
        /// The type.
        manager: &'static str,
    },
}

impl NoManager {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "manager-missing",
            Self::AtWork { .. } => "manager-at-work",
        }
    }
}

/// Managers and command buffers of a simulation: which types there are; the values are sections.
#[derive(Debug, Default)]
pub(super) struct Managers {
    known: Vec<(TypeId, SectionId)>,
    /// The one that is out of the world.
    at_work: Option<SectionId>,
    /// Whether a simulation has its managers here: not where a snapshot of one is shown.
    of_simulation: bool,
}

impl Managers {
    fn number_of(&self, type_id: TypeId) -> Option<usize> {
        self.known.iter().position(|(known, _)| *known == type_id)
    }

    fn section_of(&self, type_id: TypeId) -> Option<SectionId> {
        self.number_of(type_id).map(|number| self.known[number].1)
    }

    pub(super) const fn are_of_simulation(&self) -> bool {
        self.of_simulation
    }

    /// Why the manager of this section is not in it.
    fn absence<M>(&self, section: SectionId) -> NoManager {
        let (manager, is_at_work) = (type_name::<M>(), self.at_work == Some(section));
        if is_at_work { NoManager::AtWork { manager } } else { NoManager::Missing { manager } }
    }

    /// Knows the types that another world knows, where `id_of` tells the id that their section has here.
    pub(super) fn adopt(&mut self, other: &Self, id_of: impl Fn(SectionId) -> Option<SectionId>) {
        let unknown = other.known.iter().filter(|(type_id, _)| self.section_of(*type_id).is_none());
        let found: Vec<_> = unknown.filter_map(|&(type_id, section)| Some((type_id, id_of(section)?))).collect();
        self.known.extend(found);
    }
}

impl World {
    /// A manager or a command buffer of the [simulation](crate::simulation) whose world this is, or was when a snapshot
    /// was taken.
    ///
    /// # Errors
    ///
    /// [`NoManager`] if there is none of this type, and while it is initialised or flushes.
    pub fn manager<M: Any>(&self) -> Result<&M, NoManager> {
        let section = self.manager_section::<M>()?;
        // SAFETY: the world is borrowed, so that nobody writes the section.
        let value = unsafe { self.sections.get(section) };
        value.ok_or_else(|| self.managers.absence::<M>(section))
    }

    /// Notes that a simulation has its managers, command buffers and typed commands here.
    pub(crate) const fn become_simulation(&mut self) {
        self.managers.of_simulation = true;
    }

    /// The type of the manager that is out of the world.
    pub(crate) fn manager_at_work(&self) -> Option<&'static str> {
        self.managers.at_work.and_then(|section| self.sections.key(section).manager_name())
    }

    /// The section of a manager, which may be at work.
    pub(crate) fn manager_section<M: Any>(&self) -> Result<SectionId, NoManager> {
        self.managers.section_of(TypeId::of::<M>()).ok_or(NoManager::Missing { manager: type_name::<M>() })
    }

    /// The number of a manager: how many managers and command buffers were added before it.
    pub(crate) fn manager_number<M: Any>(&self) -> Result<u32, NoManager> {
        let number = self.managers.number_of(TypeId::of::<M>()).map(|number| number as u32);
        number.ok_or(NoManager::Missing { manager: type_name::<M>() })
    }

    /// The name of the type of a manager, by its number.
    pub(crate) fn manager_name(&self, number: u32) -> Option<&'static str> {
        let (_, section) = self.managers.known.get(number as usize)?;
        self.sections.key(*section).manager_name()
    }

    /// Whether a manager, by its number, is state.
    pub(crate) fn manager_is_state(&self, number: u32) -> bool {
        self.managers.known.get(number as usize).is_some_and(|(_, section)| self.sections.is_state(*section))
    }

    /// Adds a manager, unless there is one of its type.
    pub(crate) fn add_manager<M: Any + Send + Sync>(
        &mut self,
        key: SectionKey,
        hooks: Option<SectionHooks>,
        manager: M,
    ) -> Option<SectionId> {
        if self.managers.section_of(TypeId::of::<M>()).is_some() {
            return None;
        }
        let section = self.sections.add(key, hooks);
        self.sections.set(section, manager);
        self.managers.known.push((TypeId::of::<M>(), section));
        Some(section)
    }

    /// Runs `work` on the world and a value of it that is taken out meanwhile; it is put back whatever happens, but into another
    /// world that was put in the place of this one.
    pub(crate) fn with_section<R>(
        &mut self,
        section: SectionId,
        work: impl FnOnce(&mut Self, &mut (dyn Any + Send + Sync)) -> R,
    ) -> Option<R> {
        /// Puts the value back, on unwind too.
        struct Out<'w> {
            home: u64,
            world: &'w mut World,
            section: SectionId,
            value: Option<AnyValue>,
        }
        impl Drop for Out<'_> {
            fn drop(&mut self) {
                if self.world.id() == self.home {
                    self.world.managers.at_work = None;
                    drop(self.world.sections.replace(self.section, self.value.take()));
                }
            }
        }
        let value = self.sections.replace(section, None)?;
        self.managers.at_work = Some(section);
        let mut out = Out { home: self.id(), world: self, section, value: Some(value) };
        let Out { world, value, .. } = &mut out;
        value.as_deref_mut().map(|value| work(world, value))
    }
}
