use super::*;
use crate::entity::EntityMapper;

macro_rules! component {
    ($($name:ident),*) => {$(
        struct $name;
        impl Component for $name {
            const ENTITIES_INSIDE: bool = false;
            fn descriptor() -> ComponentDescriptor {
                ComponentDescriptor::tag::<Self>()
            }
            fn map_inside(&mut self, _: &mut dyn EntityMapper) {}
        }
    )*};
}

component!(A, B, C);

#[test]
fn ids_are_dense_from_one_in_registration_order() {
    let mut components = Components::new(8);
    assert_eq!(components.register(B::descriptor()).unwrap().get(), 1);
    assert_eq!(components.register(A::descriptor()).unwrap().get(), 2);
    assert_eq!(components.count(), 2);
    assert_eq!(components.info(ComponentId::new(2).unwrap()).unwrap().name(), core::any::type_name::<A>());
    assert!(ComponentId::new(0).is_none());
    assert!(components.info(ComponentId::new(3).unwrap()).is_none());
}

#[test]
fn a_second_registration_is_an_error_that_names_the_type_and_changes_nothing() {
    let mut components = Components::new(8);
    let id = components.register(A::descriptor()).unwrap();
    let epoch = components.epoch();
    let error = components.register(A::descriptor()).unwrap_err();
    assert_eq!(error, RegistryError::Duplicate { name: core::any::type_name::<A>(), id });
    assert_eq!(error.code(), "component-duplicate");
    assert_eq!((components.count(), components.epoch()), (1, epoch));
}

#[test]
fn the_limit_is_an_error_that_names_it() {
    let mut components = Components::new(2);
    components.register(A::descriptor()).unwrap();
    components.register(B::descriptor()).unwrap();
    let error = components.register(C::descriptor()).unwrap_err();
    assert_eq!(error.code(), "component-limit");
    assert!(error.to_string().contains("2 component types"), "{error}");
    assert_eq!(components.register(A::descriptor()).unwrap_err().code(), "component-duplicate");
}

#[test]
fn an_id_is_never_given_to_another_type_and_comes_back_to_its_own() {
    let mut components = Components::new(8);
    let a = components.register(A::descriptor()).unwrap();
    components.unregister(a);
    assert_eq!(components.id_of::<A>(), None);
    let b = components.register(B::descriptor()).unwrap();
    assert_ne!(a, b);
    assert_eq!(components.register(A::descriptor()).unwrap(), a);
    assert_eq!(components.id_of::<A>(), Some(a));
}

/// A component that says it is another one: without a check a row of it would be as wide as a row of that one.
struct Impostor(#[expect(dead_code, reason = "only its size matters")] [u64; 4]);

impl Component for Impostor {
    const ENTITIES_INSIDE: bool = false;
    fn descriptor() -> ComponentDescriptor {
        A::descriptor()
    }
    fn map_inside(&mut self, _: &mut dyn EntityMapper) {}
}

#[test]
#[should_panic(expected = "Impostor` is that of")]
fn a_component_that_describes_another_type_is_refused_before_a_row_is_written() {
    crate::world::World::new().spawn(Impostor([1; 4]));
}

/// An opaque component with the hooks of another one.
struct Borrower;

impl Component for Borrower {
    const ENTITIES_INSIDE: bool = false;
    fn descriptor() -> ComponentDescriptor {
        ComponentDescriptor::opaque::<Self>().with_state::<Lender>()
    }
    fn map_inside(&mut self, _: &mut dyn EntityMapper) {}
}

#[derive(Component, Clone, crate::value::StateValue)]
#[component(opaque, state)]
struct Lender(String);

#[test]
#[should_panic(expected = "Lender` is that of")]
fn a_component_with_the_hooks_of_another_type_is_refused() {
    crate::world::World::new().spawn(Borrower);
}

#[test]
fn a_type_that_was_unregistered_finds_room_where_all_ids_are_given() {
    let mut components = Components::new(2);
    let a = components.register(A::descriptor()).unwrap();
    components.register(B::descriptor()).unwrap();
    components.unregister(a);
    assert_eq!(components.check_room([A::descriptor()].iter()), Ok(()));
    let error = components.check_room([A::descriptor(), C::descriptor()].iter()).unwrap_err();
    assert_eq!(error.code(), "component-limit");
}
