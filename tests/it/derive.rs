//! What the derives generate, seen from a user's crate.

use std::marker::PhantomData;

use tickweave::component::{Bundle, BundleSink, Component, ComponentDescriptor, Tracked};
use tickweave::entity::{Entity, EntityMapper, MapEntities};
use tickweave::resource::{MutableResource, Resource, ResourceClass};
use tickweave::value::{Data, DecodeError, Field, Schema, Sink, Source, StateValue, Variant};

fn entity(slot: u64, generation: u64) -> Entity {
    Entity::from_bits(generation << 32 | slot).expect("generations start at 1")
}

/// Moves each entity ten slots up.
struct Shift;

impl EntityMapper for Shift {
    fn map(&mut self, old: Entity) -> Entity {
        entity(u64::from(old.slot()) + 10, u64::from(old.generation()))
    }
}

fn descriptor<T: Component>() -> ComponentDescriptor {
    T::descriptor()
}

/// Whether an entity may be inside of a `T`.
const fn has_entities<T: Component>() -> bool {
    T::ENTITIES_INSIDE
}

fn encoded<T: StateValue>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.encode(&mut Sink::new(&mut bytes));
    bytes
}

#[track_caller]
fn round_trip<T: StateValue + PartialEq + std::fmt::Debug>(value: &T) {
    let bytes = encoded(value);
    let mut source = Source::new(&bytes);
    assert_eq!(T::decode(&mut source).as_ref(), Ok(value));
    assert_eq!(source.remaining(), 0);
    for cut in 0..bytes.len() {
        assert!(T::decode(&mut Source::new(&bytes[..cut])).is_err(), "cut at {cut} of {}", bytes.len());
    }
}

/// The kind, tracking and hooks of a descriptor, which only prints them.
#[track_caller]
fn assert_told(descriptor: ComponentDescriptor, told: &[&str]) {
    let printed = format!("{descriptor:?}");
    for part in told {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Mood {
    Calm,
    Angry,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(i16)]
enum Height {
    Deep = -300,
    Low = -1,
    Ground = 0,
    High = 7,
    Higher,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
struct Squad {
    leader: Entity,
    members: [Option<Entity>; 3],
    home: Position,
    moods: [Mood; 3],
    ready: bool,
    r#type: u16,
    _padding: [u8; 2],
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Parent(Entity);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Pair<T, const N: usize> {
    first: T,
    rest: [T; N],
    marker: PhantomData<T>,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Nested<A, B> {
    pair: Pair<A, 2>,
    other: B,
}

mod schemas {
    use super::*;

    #[test]
    fn a_struct_lists_its_fields_with_their_offsets() {
        const FIELDS: &[Field] = &[
            Field { name: "x", offset: 0, schema: &Schema::Float },
            Field { name: "y", offset: 4, schema: &Schema::Float },
        ];
        assert_eq!(Position::SCHEMA, Schema::Struct(FIELDS));
    }

    #[test]
    fn a_tuple_struct_names_its_fields_by_index() {
        assert_eq!(Parent::SCHEMA, Schema::Struct(&[Field { name: "0", offset: 0, schema: &Schema::Entity }]));
    }

    #[test]
    fn nested_structs_arrays_and_raw_names_are_described_where_they_lie() {
        let Schema::Struct(fields) = Squad::SCHEMA else { panic!("a struct") };
        let places: Vec<_> = fields.iter().map(|field| (field.name, field.offset)).collect();
        let expected =
            [("leader", 0), ("members", 8), ("home", 32), ("moods", 40), ("ready", 43), ("type", 44), ("_padding", 46)];
        assert_eq!(places, expected);
        assert_eq!(*fields[1].schema, Schema::Array { element: &Schema::OptionEntity, stride: 8, length: 3 });
        assert_eq!(*fields[2].schema, Position::SCHEMA);
        assert_eq!(*fields[3].schema, Schema::Array { element: &Mood::SCHEMA, stride: 1, length: 3 });
        assert_eq!(Squad::SCHEMA.size(), size_of::<Squad>());
    }

    #[test]
    fn an_enum_lists_its_discriminants_as_unsigned_bits_of_its_size() {
        const VARIANTS: &[Variant] = &[
            Variant { name: "Deep", bits: 0xFED4 },
            Variant { name: "Low", bits: 0xFFFF },
            Variant { name: "Ground", bits: 0 },
            Variant { name: "High", bits: 7 },
            Variant { name: "Higher", bits: 8 },
        ];
        assert_eq!(Height::SCHEMA, Schema::Enum { size: 2, variants: VARIANTS });
    }

    #[test]
    fn a_generic_struct_has_a_schema_for_each_of_its_instances() {
        assert_eq!(Pair::<u16, 3>::SCHEMA.size(), 8);
        assert_eq!(Nested::<u8, [Mood; 5]>::SCHEMA.size(), 8);
        assert!(!Nested::<u64, u64>::SCHEMA.has_entities());
        assert!(Nested::<u64, Parent>::SCHEMA.has_entities());
        let Schema::Struct(fields) = Nested::<u32, i32>::SCHEMA else { panic!("a struct") };
        assert_eq!((fields[1].name, fields[1].offset, *fields[1].schema), ("other", 12, Schema::Signed(4)));
    }

    #[test]
    fn a_trusted_field_is_bytes() {
        #[derive(Component, Clone, Copy)]
        #[repr(C)]
        struct Foreign {
            id: u32,
            #[component(trust = "four bytes without padding, every pattern is an address")]
            address: std::net::Ipv4Addr,
        }
        let Schema::Struct(fields) = Foreign::SCHEMA else { panic!("a struct") };
        assert_eq!((*fields[1].schema, fields[1].offset), (Schema::Trusted(4), 4));
        let value = Foreign { id: 7, address: std::net::Ipv4Addr::LOCALHOST };
        let decoded = Foreign::decode(&mut Source::new(&encoded(&value))).expect("any pattern is taken");
        assert_eq!((decoded.id, decoded.address), (value.id, value.address));
    }
}

mod kinds {
    use super::*;

    #[derive(Component)]
    struct Unit;
    #[derive(Component)]
    struct Braces {}
    #[derive(Component)]
    #[component(track)]
    struct Parens();
    #[derive(Component)]
    struct Marker<T>(PhantomData<T>);

    #[test]
    fn a_struct_without_fields_is_a_tag() {
        assert_told(descriptor::<Unit>(), &["kind: Tag", "tracked: false", "schema: None"]);
        assert_told(descriptor::<Braces>(), &["kind: Tag"]);
        assert_told(descriptor::<Parens>(), &["kind: Tag", "tracked: true"]);
        assert_told(descriptor::<Marker<u64>>(), &["kind: Tag"]);
        const { assert!(!has_entities::<Unit>()) };
    }

    #[test]
    fn plain_fields_make_data() {
        assert_told(descriptor::<Position>(), &["kind: Data", "tracked: false", "drop_rows: None", "map_row: None"]);
        assert_told(descriptor::<Mood>(), &["kind: Data", "Angry"]);
        assert_told(descriptor::<Squad>(), &["kind: Data", "tracked: true"]);
    }

    #[test]
    fn opaque_components_say_what_they_can_do() {
        #[derive(Component)]
        #[component(opaque)]
        struct Name(#[expect(dead_code, reason = "kept for its destructor")] String);
        #[derive(Component, StateValue, Clone)]
        #[component(opaque, state, track)]
        struct Bag(Vec<Entity>);
        #[derive(Component, MapEntities)]
        #[component(opaque)]
        #[component(entities)]
        struct Targets(Vec<Entity>);
        #[derive(Component)]
        #[component(opaque)]
        struct Guard;
        impl Drop for Guard {
            fn drop(&mut self) {}
        }

        let nothing = ["kind: Opaque", "drop_rows: Some", "encode_row: None", "map_row: None"];
        assert_told(descriptor::<Name>(), &nothing);
        assert_told(descriptor::<Guard>(), &nothing);
        assert_told(descriptor::<Bag>(), &["kind: Opaque", "tracked: true", "encode_row: Some", "map_row: Some"]);
        assert_told(descriptor::<Targets>(), &["kind: Opaque", "encode_row: None", "map_row: Some"]);
        const { assert!(!has_entities::<Name>() && has_entities::<Bag>() && has_entities::<Targets>()) };
        let (mut bag, mut targets) = (Bag(vec![entity(1, 1)]), Targets(vec![entity(2, 1)]));
        Component::map_inside(&mut bag, &mut Shift);
        Component::map_inside(&mut targets, &mut Shift);
        assert_eq!((bag.0, targets.0), (vec![entity(11, 1)], vec![entity(12, 1)]));
    }

    #[test]
    fn a_generic_opaque_component_asks_for_what_it_says() {
        #[derive(Component, StateValue, Clone)]
        #[component(opaque, state)]
        struct Stack<T>(Vec<T>);
        assert_told(descriptor::<Stack<String>>(), &["kind: Opaque", "encode_row: Some"]);
        assert_eq!(encoded(&Stack(vec![3u8, 4])), [2, 0, 0, 0, 0, 0, 0, 0, 3, 4]);
    }

    #[test]
    fn track_makes_a_component_tracked() {
        fn needs<T: Tracked>() {}
        needs::<Squad>();
        needs::<Parens>();
    }
}

mod entities {
    use super::*;

    fn squad() -> Squad {
        Squad {
            leader: entity(1, 1),
            members: [Some(entity(2, 5)), None, Some(entity(3, 1))],
            home: Position { x: 1.0, y: 2.0 },
            moods: [Mood::Calm, Mood::Angry, Mood::Calm],
            ready: true,
            r#type: 9,
            _padding: [0; 2],
        }
    }

    #[test]
    fn data_maps_the_entities_of_every_field_and_nothing_else() {
        let mut value = squad();
        Component::map_inside(&mut value, &mut Shift);
        let members = [Some(entity(12, 5)), None, Some(entity(13, 1))];
        assert_eq!(value, Squad { leader: entity(11, 1), members, ..squad() });
        const { assert!(has_entities::<Squad>() && !has_entities::<Position>() && !has_entities::<Mood>()) };
    }

    #[test]
    fn entities_inside_of_generic_and_nested_data_are_mapped() {
        let pair = Pair { first: Parent(entity(1, 1)), rest: [Parent(entity(2, 1)); 2], marker: PhantomData };
        let mut value = Nested { pair, other: [Some(entity(4, 2))] };
        MapEntities::map_entities(&mut value, &mut Shift);
        assert_eq!(value.pair.first, Parent(entity(11, 1)));
        assert_eq!(value.pair.rest, [Parent(entity(12, 1)); 2]);
        assert_eq!(value.other, [Some(entity(14, 2))]);
    }

    #[test]
    fn derived_mapping_reaches_every_field_of_structs_and_enums() {
        #[derive(MapEntities, Debug, PartialEq)]
        enum Order<'a, T> {
            Wait,
            Attack { target: Entity, with: Vec<T>, marker: PhantomData<&'a ()> },
            Follow(Entity, String),
        }
        #[derive(MapEntities)]
        struct Plan(Order<'static, Parent>, Option<Entity>);

        let attack =
            |slot| Order::Attack { target: entity(slot, 1), with: vec![Parent(entity(slot, 1))], marker: PhantomData };
        let mut plan = Plan(attack(1), Some(entity(2, 1)));
        MapEntities::map_entities(&mut plan, &mut Shift);
        assert_eq!((plan.0, plan.1), (attack(11), Some(entity(12, 1))));
        let mut others = [Order::<Parent>::Wait, Order::Follow(entity(3, 1), "wolf".into())];
        MapEntities::map_entities(&mut others, &mut Shift);
        assert_eq!(others, [Order::Wait, Order::Follow(entity(13, 1), "wolf".into())]);
    }
}

mod state_values {
    use super::*;

    #[derive(StateValue, Clone, Debug, PartialEq)]
    struct Score {
        name: String,
        points: Vec<u32>,
        best: Option<Entity>,
    }

    #[derive(StateValue, Clone, Debug, PartialEq)]
    enum Event<T> {
        Quiet,
        Hit { by: Entity, scores: [Score; 1] },
        Said(T, Mood),
    }

    /// Instances of it nest in one another.
    #[derive(StateValue, Clone, Debug, PartialEq)]
    enum Tree<T> {
        Leaf(T),
        Fork(Box<Tree<T>>, Vec<Self>),
        Label(Option<(T, Box<Self>)>),
    }

    #[derive(StateValue, Clone, Debug, PartialEq)]
    struct Handle<T> {
        index: u32,
        marker: PhantomData<T>,
    }

    #[derive(StateValue, Clone, Debug, PartialEq)]
    struct Empty;

    #[derive(StateValue, Clone, Debug, PartialEq)]
    struct Wrapped(u8, (Empty, bool));

    fn score() -> Score {
        Score { name: "wolf".into(), points: vec![3, 4], best: Some(entity(5, 2)) }
    }

    #[test]
    fn structs_and_enums_round_trip_and_every_truncation_is_refused() {
        round_trip(&score());
        round_trip(&Event::<u8>::Quiet);
        round_trip(&Event::<u8>::Hit { by: entity(1, 1), scores: [score()] });
        round_trip(&Event::Said(score(), Mood::Angry));
        round_trip(&Tree::Fork(Box::new(Tree::Leaf(1u64)), vec![Tree::Leaf(2)]));
        round_trip(&Tree::Label(Some((1u8, Box::new(Tree::Leaf(2))))));
        round_trip(&Handle::<u8> { index: 3, marker: PhantomData });
        round_trip(&Wrapped(1, (Empty, true)));
        round_trip(&Empty);
    }

    #[test]
    fn data_components_round_trip_as_their_bytes() {
        let nested = Nested { pair: Pair { first: 1u8, rest: [2, 3], marker: PhantomData }, other: Mood::Angry };
        assert_eq!(encoded(&nested), [1, 2, 3, 1]);
        round_trip(&nested);
        round_trip(&Height::Deep);
        round_trip(&Position { x: -0.0, y: 1.5 });
    }

    #[test]
    fn fields_are_written_in_the_order_of_the_source() {
        assert_eq!(encoded(&Wrapped(7, (Empty, true))), [7, 1]);
        assert_eq!(encoded(&Handle::<u8> { index: 0x0102, marker: PhantomData }), [2, 1, 0, 0]);
    }

    #[test]
    fn an_enum_writes_the_index_of_its_variant_and_refuses_others() {
        assert_eq!(encoded(&Event::<u8>::Quiet), [0, 0, 0, 0]);
        assert_eq!(encoded(&Event::Said(9u8, Mood::Angry)), [2, 0, 0, 0, 9, 1]);
        let unknown = Event::<u8>::decode(&mut Source::new(&[3, 0, 0, 0]));
        assert_eq!(unknown, Err(DecodeError::invalid::<Event<u8>>()));
    }

    #[test]
    fn a_field_with_an_impossible_pattern_refuses_the_whole() {
        assert!(Event::<u8>::decode(&mut Source::new(&[2, 0, 0, 0, 9, 2])).is_err(), "no such mood");
        assert!(Height::decode(&mut Source::new(&[6, 0])).is_err(), "a gap between the discriminants");
        assert!(Parent::decode(&mut Source::new(&u64::MAX.to_le_bytes())).is_err(), "a pending handle");
    }

    #[test]
    fn entities_inside_are_mapped() {
        let mut event = Event::Said(entity(1, 1), Mood::Calm);
        MapEntities::map_entities(&mut event, &mut Shift);
        assert_eq!(event, Event::Said(entity(11, 1), Mood::Calm));
        let mut tree = Tree::Fork(Box::new(Tree::Leaf(entity(1, 1))), vec![Tree::Leaf(entity(2, 1))]);
        MapEntities::map_entities(&mut tree, &mut Shift);
        assert_eq!(tree, Tree::Fork(Box::new(Tree::Leaf(entity(11, 1))), vec![Tree::Leaf(entity(12, 1))]));
    }

    #[test]
    fn types_that_hold_one_another_are_state_values() {
        #[derive(StateValue, Clone, Debug, PartialEq)]
        struct Block(Vec<Statement>);
        #[derive(StateValue, Clone, Debug, PartialEq)]
        enum Statement {
            Skip,
            Loop(Block),
        }
        round_trip(&Block(vec![Statement::Skip, Statement::Loop(Block(vec![Statement::Skip]))]));
    }
}

mod bundles {
    use super::*;

    #[derive(Component, Clone, Copy)]
    struct Enemy;

    #[derive(Component)]
    #[component(opaque)]
    struct Name(String);

    #[derive(Bundle)]
    struct Body {
        position: Position,
        mood: Mood,
    }

    #[derive(Bundle)]
    struct Wolf<T>(Body, Name, (Enemy, T));

    #[derive(Bundle)]
    struct Nothing;

    /// The names of the components in the order in which they come.
    #[derive(Default)]
    struct Names(Vec<&'static str>);

    impl BundleSink for Names {
        fn take<T: Component>(&mut self, _: T) {
            self.0.push(std::any::type_name::<T>());
        }
    }

    fn put_names(bundle: impl Bundle) -> Vec<&'static str> {
        let mut names = Names::default();
        bundle.put(&mut names);
        names.0
    }

    fn described_names<B: Bundle>(_: &B) -> Vec<String> {
        let mut names = Vec::new();
        B::descriptors(&mut |descriptor| names.push(format!("{descriptor:?}")));
        names
    }

    fn wolf() -> Wolf<Parent> {
        let body = Body { position: Position { x: 0.0, y: 0.0 }, mood: Mood::Calm };
        Wolf(body, Name("wolf".into()), (Enemy, Parent(entity(1, 1))))
    }

    const fn bundle_has_entities<B: Bundle>() -> bool {
        B::HOLDS_ENTITIES
    }

    #[test]
    fn values_come_in_the_order_in_which_they_are_described() {
        let described = described_names(&wolf());
        let put = put_names(wolf());
        assert_eq!(put.len(), 5);
        assert_eq!(put.len(), described.len());
        for (put, described) in put.iter().zip(described) {
            assert!(described.contains(put), "{put} in {described}");
        }
        assert!(put_names(Nothing).is_empty() && described_names(&Nothing).is_empty());
    }

    #[test]
    fn entities_inside_are_mapped() {
        let mut bundle = wolf();
        Bundle::map_bundle(&mut bundle, &mut Shift);
        assert_eq!(bundle.2.1, Parent(entity(11, 1)));
        assert_eq!(bundle.1.0, "wolf");
        const {
            assert!(
                bundle_has_entities::<Wolf<Parent>>()
                    && !bundle_has_entities::<Wolf<Position>>()
                    && !bundle_has_entities::<Nothing>()
            )
        };
    }
}

mod resources {
    use super::*;

    #[derive(Resource, StateValue, Clone)]
    struct Score(u32);
    #[derive(Resource, StateValue, Clone)]
    #[resource(state)]
    struct Table<T>(Vec<T>);
    #[derive(Resource, StateValue, Clone)]
    #[resource(constant)]
    struct Balance(u32);
    #[derive(Resource)]
    #[resource(host)]
    struct Window<T>(T);
    #[derive(Resource, StateValue, Clone)]
    #[resource(input)]
    struct Buttons(u32);

    #[track_caller]
    fn assert_class<R: Resource>(class: ResourceClass, hooks: &str) {
        assert_eq!(R::CLASS, class);
        let printed = format!("{:?}", R::descriptor());
        for part in [&format!("class: {class:?}"), hooks] {
            assert!(printed.contains(part), "{part} is not in {printed}");
        }
    }

    #[test]
    fn the_class_is_state_unless_a_word_says_otherwise() {
        assert_class::<Score>(ResourceClass::State, "hooks: Some");
        assert_class::<Table<String>>(ResourceClass::State, "hooks: Some");
        assert_class::<Balance>(ResourceClass::Constant, "hooks: Some");
        assert_class::<Buttons>(ResourceClass::Input, "hooks: Some");
    }

    #[test]
    fn a_host_resource_is_no_state() {
        assert_class::<Window<std::time::Instant>>(ResourceClass::Host, "hooks: None");
    }

    #[test]
    fn systems_may_write_state_and_host_resources() {
        fn needs<R: MutableResource>() {}
        needs::<Score>();
        needs::<Table<u8>>();
        needs::<Window<u8>>();
    }
}
