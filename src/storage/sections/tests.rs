#![expect(unsafe_code, reason = "looks at sections as those do who hold their access")]

use core::any::TypeId;

use super::*;

fn resource(name: &'static str) -> SectionKey {
    SectionKey::Resource(name, TypeId::of::<u8>())
}

#[test]
fn state_is_walked_in_the_order_of_registration_and_host_values_and_empty_sections_are_left_out() {
    let mut sections = Sections::default();
    let first = sections.add(resource("first"), Some(SectionHooks::of::<u16>()));
    let host = sections.add(resource("host"), None);
    sections.add(SectionKey::Local(0, 1, 0), Some(SectionHooks::of::<u8>()));
    sections.set(first, 0x0201u16);
    sections.set(host, "window");
    let mut seen = Vec::new();
    // SAFETY: nobody else uses the sections.
    unsafe { sections.for_each_state(|number, key, bytes| seen.push((number, key.clone(), bytes.to_vec()))) };
    assert_eq!(seen, [(0, resource("first"), vec![1, 2])]);
}

#[derive(Clone, crate::entity::MapEntities)]
struct NoDefault;

impl StateValue for NoDefault {
    fn encode(&self, _: &mut Sink<'_>) {}
    fn decode(_: &mut crate::value::Source<'_>) -> Result<Self, crate::value::DecodeError> {
        Ok(Self)
    }
}

impl Default for NoDefault {
    fn default() -> Self {
        panic!("no default today")
    }
}

#[test]
fn a_default_that_panics_leaves_no_section_behind() {
    let mut sections = Sections::default();
    let key = SectionKey::Local(1, 1, 0);
    let made = std::panic::AssertUnwindSafe(|| sections.ensure::<NoDefault>(SectionKey::Local(1, 1, 0)));
    assert!(std::panic::catch_unwind(made).is_err());
    assert_eq!(sections.find(&key), None);
}

#[test]
fn a_copy_has_equal_values_and_loses_what_the_source_lacks() {
    let (key, late) = (SectionKey::Local(1, 1, 0), SectionKey::Local(1, 2, 0));
    let mut source = Sections::default();
    let id = source.ensure::<u32>(key.clone());
    source.set(id, 5u32);
    let mut copy = Sections::default();
    // SAFETY: nobody else uses the sections.
    let copied = |copy: &mut Sections, source: &Sections| {
        let forgot = copy.meet_those_of(source).is_some();
        // SAFETY: nobody else uses the sections.
        unsafe { copy.copy_values(source) };
        forgot
    };
    assert!(!copied(&mut copy, &source), "nothing was lost");
    assert_eq!(copy.value_mut::<u32>(id), Some(&mut 5));
    source.set(id, 6u32);
    copied(&mut copy, &source);
    assert_eq!(copy.value_mut::<u32>(id), Some(&mut 6));
    let late = copy.ensure::<u8>(late);
    assert!(copied(&mut copy, &source), "the late section lost its value");
    assert!(!copy.holds_value(late));
    assert!(!copied(&mut copy, &source), "it had none any more");
    *copy.value_mut::<u32>(id).unwrap() = 9;
    copied(&mut copy, &source);
    assert_eq!(copy.value_mut::<u32>(id), Some(&mut 6), "what was written here is replaced");
}

#[test]
fn a_kept_hash_is_that_of_the_value_as_it_is() {
    let hash = |sections: &Sections, trusted| {
        let mut all = Vec::new();
        // SAFETY: nobody else uses the sections.
        unsafe { sections.for_each_hash(trusted, |number, _, hash| all.push((number, hash))) };
        all
    };
    let mut sections = Sections::default();
    let id = sections.ensure::<u32>(SectionKey::Local(1, 1, 0));
    let before = hash(&sections, true);
    // SAFETY: nobody else uses the section.
    *unsafe { sections.get_mut::<u32>(id) }.unwrap() = 4;
    assert_ne!(hash(&sections, true), before);
    assert_eq!(hash(&sections, true), hash(&sections, false));
}

#[test]
fn a_value_is_replaced_taken_and_found_by_its_key() {
    let mut sections = Sections::default();
    let id = sections.add(resource("r"), None);
    assert_eq!(sections.set(id, 1u8), None);
    assert_eq!(sections.set(id, 2u8), Some(1));
    assert_eq!(sections.find(&resource("r")), Some(id));
    assert_eq!(sections.take::<u8>(id), Some(2));
    assert_eq!(sections.value_mut::<u8>(id), None);
}
