use super::{DecodeError, Sink, Source, StateValue};
use crate::entity::MapEntities;
use crate::rng::Stream;

impl MapEntities for Stream {}

impl StateValue for Stream {
    fn encode(&self, sink: &mut Sink<'_>) {
        sink.bytes(&self.place().to_le_bytes());
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let place = u128::decode(source)?;
        if place % 2 == 1 { Ok(Self::at(place)) } else { Err(DecodeError::invalid::<Self>()) }
    }
}
