#![expect(unsafe_code, reason = "the borrow of a world is the right to read its sections")]

use std::borrow::Cow;

use super::{Timeline, World};
use crate::storage::{AnyValue, Detached, SectionKey};

/// How the settings of two worlds differ: what, here and there.
pub(crate) type Setting = (&'static str, u64, u64);

impl World {
    /// The first component that can't be kept because its values can't be cloned, where an entity has it.
    pub(crate) fn unkept(&self) -> Option<&'static str> {
        let kept = |id| self.storage.column(id).can_be_kept() || self.entities_with(id) == 0;
        self.components.ids().find(|&id| !kept(id)).and_then(|id| self.type_name_of(id))
    }

    /// The first setting of the builder in which another world differs.
    pub(crate) fn setting_unlike(&self, other: &Self) -> Option<Setting> {
        let settings = |world: &Self| {
            let shape = world.storage.shape();
            [
                ("chunk_rows", u64::from(shape.chunk_rows())),
                ("batch_rows", u64::from(shape.batch_rows())),
                ("entity_capacity", u64::from(world.storage.slots().capacity())),
                ("removal_ticks", u64::from(world.storage.removals().ticks())),
                ("max_components", u64::from(world.components.limit())),
            ]
        };
        let mut both = settings(self).into_iter().zip(settings(other));
        both.find(|(ours, theirs)| ours != theirs).map(|((name, ours), (_, theirs))| (name, ours, theirs))
    }

    /// The first component or section, by its place, that is another in `other`: its names here and there.
    pub(crate) fn registration_unlike(&self, other: &Self) -> Option<(String, String)> {
        let components = self.components.differs_from(&other.components);
        let named = components.map(|(ours, theirs)| (format!("component {ours}"), format!("component {theirs}")));
        named.or_else(|| self.sections.differs_from(&other.sections))
    }

    /// The first section, in order, that the simulation of this world keeps and that is another one in `other`: its names here and
    /// there. A world that is no simulation's takes those of any.
    pub(crate) fn simulation_unlike(&self, other: &Self) -> Option<(String, String)> {
        if self.managers.are_of_simulation() { self.sections.simulation_unlike(&other.sections) } else { None }
    }

    /// The first section that the simulation of this world keeps and of which `other` has no value.
    pub(crate) fn simulation_lacking(&self, other: &Self) -> Option<String> {
        let all = self.managers.are_of_simulation();
        // SAFETY: the other world is borrowed, so that nobody writes a section of it.
        let section = || unsafe { other.sections.lost_by_simulation() };
        if all { section() } else { None }
    }

    /// Whether this world could not go on without a value of the section.
    pub(crate) fn needs_value(&self, key: &SectionKey) -> bool {
        if key.is_of_simulation() { self.managers.are_of_simulation() } else { matches!(key, SectionKey::Events(..)) }
    }

    /// Holds the state of `source` from now on: blocks are shared, everything else is copied. What the host lends, and the
    /// schedules that are bound stay, but those that were bound later than the source. `read_only`: nobody ever writes to this world.
    ///
    /// The caller has looked for what can't be kept, or differs.
    ///
    /// # Panics
    ///
    /// If a clone or a destructor of a value panics: if it is the clone of a component, nothing has changed; else the world
    /// is torn, unless all is in its place and only values that were replaced are dropped. Each value is dropped once.
    pub(crate) fn share_from(&mut self, source: &Self, read_only: bool) {
        let clones = source.storage.cloned_columns();
        self.torn = Some(Cow::Borrowed("the state of another tick was put in, and a value panicked"));
        let replaced = self.share_rows(source, clones, read_only);
        let forgotten = self.share_registries(source);
        self.share_schedules(source, read_only);
        self.time = source.time;
        // SAFETY: the source is borrowed, so that nobody writes a section of it.
        unsafe { self.sections.copy_values(&source.sections) };
        self.torn.clone_from(&source.torn);
        self.timeline = if read_only { Timeline::new() } else { source.timeline.from() };
        drop((replaced, forgotten));
    }

    /// Registry and storage: no code of a user runs.
    fn share_rows(&mut self, source: &Self, clones: Vec<Detached>, read_only: bool) -> Vec<Detached> {
        if self.components.become_like(&source.components) {
            self.bundles = super::Bundles::default();
            self.storage.archetypes_mut().forget_edges();
        }
        self.storage.share_from(&source.storage, clones, read_only)
    }

    /// Schedules that were bound later than the source was taken are bound no more: they get their numbers anew, in the order in
    /// which they are bound then. A copy for reading notes how many there are.
    fn share_schedules(&mut self, source: &Self, read_only: bool) {
        if read_only {
            self.schedules.clone_from(&source.schedules);
        } else if self.schedules.len() > source.schedules.len() {
            self.schedules.truncate(source.schedules.len());
            self.unbound = crate::sync::next_unique();
        }
    }

    /// Which sections, resources and events there are: no code of a user runs. Values of sections that were forgotten are
    /// returned; schedules bind anew if there are such sections.
    fn share_registries(&mut self, source: &Self) -> Vec<AnyValue> {
        let forgotten = self.sections.meet_those_of(&source.sections);
        if forgotten.is_some() {
            self.unbound = crate::sync::next_unique();
        }
        let id_of = |id| self.sections.id_like(&source.sections, id);
        self.resources.adopt(&source.resources, id_of);
        self.managers.adopt(&source.managers, id_of);
        self.events.become_like(&source.events, |id| id_of(id).expect("events are state, which was copied"));
        forgotten.unwrap_or_default()
    }
}
