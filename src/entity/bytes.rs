#![expect(unsafe_code, reason = "tells bytemuck what the bits of a handle are")]

use bytemuck::{CheckedBitPattern, NoUninit, ZeroableInOption};

use super::Entity;

// SAFETY: `repr(transparent)` over `NonZeroU64`: eight initialised bytes without padding or interior mutability, `Copy` and
// `'static`.
unsafe impl NoUninit for Entity {}

// SAFETY: zero bits are `None` of `Option<NonZeroU64>`, of which an `Option<Entity>` is a transparent copy.
unsafe impl ZeroableInOption for Entity {}

// No `PodInOption`: it would let any bits become a handle, also those of generation 0, which slots take for a free one.

// SAFETY: `Bits` has the size and alignment of `Entity`, and a pattern that has a generation is not zero.
unsafe impl CheckedBitPattern for Entity {
    type Bits = u64;

    fn is_valid_bit_pattern(bits: &u64) -> bool {
        Self::from_bits(*bits).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_cast_to_numbers_and_back_where_the_numbers_are_handles() {
        let entities = [Entity::new(1, 2), Entity::new(3, 4)];
        let bits: &[u64] = bytemuck::cast_slice(&entities);
        assert_eq!(bits, [entities[0].to_bits(), entities[1].to_bits()]);
        assert_eq!(bytemuck::checked::try_cast_slice::<u64, Entity>(bits), Ok(&entities[..]));
        assert!(bytemuck::checked::try_cast::<u64, Entity>(7).is_err(), "generation 0");
        assert_eq!(<Option<Entity> as bytemuck::Zeroable>::zeroed(), None);
    }
}
