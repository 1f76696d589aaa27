use super::{ChunkView, QueryData, QueryFilter, ReadOnlyQueryData};
use crate::access::{IdSet, QueryAccess};
use crate::component::ComponentId;
use crate::fault::{Fault, planted};
use crate::storage::{Archetype, ArchetypeId, Storage};

/// What a term or filter does with a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Reads its values.
    Read,
    /// Writes its values.
    Write,
    /// Reads its stamps.
    Stamps,
    /// Asks for entities that have it.
    With,
    /// Asks for entities that lack it.
    Without,
    /// Only names it.
    Name,
}

/// A component that a query names.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// `None` if the type is not registered: no entity has it.
    pub(super) component: Option<ComponentId>,
    pub(super) touch: Touch,
    pub(super) required: bool,
}

impl Term {
    pub(super) fn new(component: Option<ComponentId>, touch: Touch) -> Self {
        Self { component, touch, required: true }
    }

    /// Whether only entities that have the component are admitted.
    fn is_needed(&self) -> bool {
        self.required && !matches!(self.touch, Touch::Without | Touch::Name)
    }
}

/// Calls `each` with every component that terms and filter name.
fn for_each_term<D: QueryData, F: QueryFilter>(data: D::State, filter: F::State, each: &mut dyn FnMut(Term)) {
    D::terms(data, each);
    F::terms(filter, each);
}

/// What a query touches, for the scheduler.
///
/// # Errors
///
/// The component that the terms name twice, at least once to write it.
pub(crate) fn access_of<D: QueryData, F: QueryFilter>(
    data: D::State,
    filter: F::State,
    hidden: &IdSet,
) -> Result<QueryAccess, ComponentId> {
    if let Some(component) = clash::<D>(data) {
        return Err(component);
    }
    let mut access = QueryAccess::default();
    let mut hiding = hidden.clone();
    for_each_term::<D, F>(data, filter, &mut |term| {
        let Some(id) = term.component.map(ComponentId::bit) else { return };
        hiding.remove(id);
        let set = match term.touch {
            Touch::Read | Touch::Stamps => &mut access.reads,
            Touch::Write => &mut access.writes,
            Touch::Without if term.required => &mut access.without,
            Touch::With | Touch::Without | Touch::Name => &mut IdSet::new(),
        };
        set.insert(id);
        if term.is_needed() {
            access.with.insert(id);
        }
    });
    access.reads.subtract(&access.writes.clone());
    access.without.union_with(&hiding);
    Ok(access)
}

/// The components of which terms read values.
pub(crate) fn reads_of<D: ReadOnlyQueryData>(data: D::State) -> IdSet {
    let mut reads = IdSet::new();
    D::terms(data, &mut |term| {
        if let (Touch::Read, Some(id)) = (term.touch, term.component) {
            reads.insert(id.bit());
        }
    });
    reads
}

/// Whether a query touches only what was declared, and its terms do not clash. Allocates nothing.
pub(crate) fn touches_only<D: QueryData, F: QueryFilter>(
    data: D::State,
    filter: F::State,
    declared: &QueryAccess,
) -> bool {
    let mut fits = clash::<D>(data).is_none();
    for_each_term::<D, F>(data, filter, &mut |term| {
        let Some(id) = term.component.map(ComponentId::bit) else { return };
        fits &= match term.touch {
            Touch::Write => declared.writes.contains(id),
            Touch::Read | Touch::Stamps => declared.writes.contains(id) || declared.reads.contains(id),
            Touch::With | Touch::Without | Touch::Name => true,
        };
    });
    fits
}

/// Whether a row can be yielded at all: not while a component that every row must have is not registered.
pub(crate) fn can_match<D: QueryData, F: QueryFilter>(data: D::State, filter: F::State) -> bool {
    let mut can = true;
    for_each_term::<D, F>(data, filter, &mut |term| can &= !term.is_needed() || term.component.is_some());
    can
}

/// The first component that two terms name, at least one of them to write it.
pub(crate) fn clash<D: QueryData>(data: D::State) -> Option<ComponentId> {
    let (mut clash, mut outer_at) = (None, 0);
    D::terms(data, &mut |outer| {
        let mut inner_at = 0;
        D::terms(data, &mut |inner| {
            let writes = outer.touch == Touch::Write || inner.touch == Touch::Write;
            let values = |touch| matches!(touch, Touch::Read | Touch::Write);
            let both = outer.component == inner.component && values(outer.touch) && values(inner.touch);
            if inner_at < outer_at && both && writes && clash.is_none() {
                clash = outer.component;
            }
            inner_at += 1;
        });
        outer_at += 1;
    });
    clash
}

/// What a query looks for: the ids of its terms and filter, and the components that hide entities by default.
pub(super) struct Wanted<'w, D: QueryData, F: QueryFilter> {
    pub(super) data: D::State,
    pub(super) filter: F::State,
    /// `None` where no component hides anything.
    pub(super) hidden: Option<&'w IdSet>,
}

impl<D: QueryData, F: QueryFilter> Clone for Wanted<'_, D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for Wanted<'_, D, F> {}

impl<'w, D: QueryData, F: QueryFilter> Wanted<'w, D, F> {
    pub(super) fn new(data: D::State, filter: F::State, hidden: &'w IdSet) -> Self {
        Self { data, filter, hidden: (!hidden.is_empty()).then_some(hidden) }
    }

    /// Whether rows of the archetype can be yielded.
    pub(super) fn admits(&self, archetype: &Archetype) -> bool {
        let mask = archetype.mask();
        D::admits(self.data, mask) && F::admits(self.filter, mask) && self.shows(mask)
    }

    /// The same for the archetype of one chunk, but for the columns of the terms, which a fetch looks for.
    #[inline(always)]
    pub(super) fn filter_admits(&self, view: ChunkView<'_>) -> bool {
        (F::ADMITS_ALL || F::admits(self.filter, view.mask())) && (self.hidden.is_none() || self.shows(view.mask()))
    }

    /// Whether the query names every component of the archetype that hides entities by default.
    fn shows(&self, mask: &IdSet) -> bool {
        let Some(hidden) = self.hidden.filter(|hidden| hidden.intersects(mask)) else { return true };
        hidden.iter().filter(|&id| mask.contains(id)).all(|id| self.names(id))
    }

    fn names(&self, id: u32) -> bool {
        let mut named = false;
        for_each_term::<D, F>(self.data, self.filter, &mut |term| {
            named |= term.component.is_some_and(|component| component.bit() == id);
        });
        named
    }
}

/// Archetypes that a query matched, kept from run to run: only a restore takes archetypes away, so that new ones alone are
/// looked at.
///
/// It belongs to one world and one state of its registries; its owner makes a new one where either changes. Where other
/// archetypes stand in the place of those that it knows, it begins anew by itself.
#[derive(Clone, Debug)]
pub(crate) struct MatchCache {
    matched: Vec<ArchetypeId>,
    /// The first of them, once more: most queries of small systems match one, and need not go to the list.
    first: ArchetypeId,
    seen: usize,
    /// The list of archetypes that was looked at.
    structure: u64,
    /// As it was then.
    edition: u64,
}

impl Default for MatchCache {
    fn default() -> Self {
        Self { matched: Vec::new(), first: NONE, seen: 0, structure: 0, edition: 0 }
    }
}

/// No archetype has this number.
const NONE: ArchetypeId = ArchetypeId(u32::MAX);

impl MatchCache {
    /// Looks at the archetypes that were made since the last call.
    #[inline(always)]
    pub(crate) fn update<D: QueryData, F: QueryFilter>(
        &mut self,
        data: D::State,
        filter: F::State,
        hidden: &IdSet,
        storage: &Storage,
    ) {
        if self.edition != storage.archetypes().edition() {
            self.look_at_new::<D, F>(data, filter, hidden, storage);
        }
    }

    #[cold]
    #[inline(never)]
    fn look_at_new<D: QueryData, F: QueryFilter>(
        &mut self,
        data: D::State,
        filter: F::State,
        hidden: &IdSet,
        storage: &Storage,
    ) {
        if self.structure != storage.structure() || self.seen > storage.archetypes().len() {
            self.matched.clear();
            (self.seen, self.structure) = (0, storage.structure());
        }
        if planted(Fault::StaleMatchCache) && self.seen > 0 {
            self.edition = storage.archetypes().edition();
            return;
        }
        let wanted = Wanted::<D, F>::new(data, filter, hidden);
        let fresh = storage.archetypes().iter_from(self.seen);
        self.matched.extend(fresh.filter(|(_, archetype)| wanted.admits(archetype)).map(|(id, _)| id));
        self.first = self.matched.first().copied().unwrap_or(NONE);
        (self.seen, self.edition) = (storage.archetypes().len(), storage.archetypes().edition());
    }

    /// The matched archetypes, in the order of their creation.
    pub(crate) fn matched(&self) -> &[ArchetypeId] {
        &self.matched
    }

    /// The first of the matched archetypes.
    #[inline(always)]
    pub(super) fn first<'w>(&self, storage: &'w Storage) -> Option<&'w Archetype> {
        storage.archetypes().find_by_id(self.first)
    }
}
