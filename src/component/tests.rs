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
