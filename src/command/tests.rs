use super::LaneKey;
use crate::entity::Entity;

#[test]
fn blocks_of_buffers_give_each_handle_to_one_buffer_only_until_all_are_used_up() {
    let all = 1_u64 << 40;
    let handle = |block| {
        let (key, first) = LaneKey::block(block);
        key.entity(first)
    };
    let mut seen: Vec<Entity> = (0..40).flat_map(|bit| [handle((1 << bit) - 1), handle(1 << bit)]).collect();
    seen.push(handle(all - 1));
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 81 - 1, "block 1 was asked for twice");
    assert_eq!(handle(all), handle(0));
    assert!(seen.iter().all(|entity| entity.is_pending()));
}

#[test]
fn lanes_outside_of_a_plan_are_neither_those_of_a_system_nor_each_others() {
    let once = LaneKey::once(u64::MAX, Entity::new(u32::MAX - 1, 7), 3);
    let (buffer, _) = LaneKey::block(u64::MAX >> 8);
    assert!(!once.is_main() && !once.is_of_buffer());
    assert!(!buffer.is_main() && buffer.is_of_buffer());
    assert!(LaneKey::new(7, 3, 0).is_main() && !LaneKey::new(7, 3, 0).is_of_buffer());
}
