use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::{DecodeError, Sink, Source, StateValue};
use crate::entity::{EntityMapper, MapEntities};

impl MapEntities for String {}

impl StateValue for String {
    fn encode(&self, sink: &mut Sink<'_>) {
        sink.length(self.len());
        sink.bytes(self.as_bytes());
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let length = source.length()?;
        let bytes = source.bytes(length)?;
        core::str::from_utf8(bytes).map(Self::from).map_err(|_| DecodeError::invalid::<Self>())
    }
}

impl<T: MapEntities> MapEntities for Option<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        if let Some(value) = self {
            value.map_entities(mapper);
        }
    }
}

impl<T: StateValue> StateValue for Option<T> {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.is_some().encode(sink);
        if let Some(value) = self {
            value.encode(sink);
        }
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        Ok(if bool::decode(source)? { Some(T::decode(source)?) } else { None })
    }
}

macro_rules! sequences {
    ($($type:ident: $($bound:ident)? => $push:ident;)*) => {$(
        impl<T: StateValue $(+ $bound)?> StateValue for $type<T> {
            fn encode(&self, sink: &mut Sink<'_>) {
                sink.length(self.len());
                self.iter().for_each(|value| value.encode(sink));
            }

            fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
                let length = plausible_length::<T>(source)?;
                let mut values = Self::new();
                source.nested(|source| {
                    for _ in 0..length {
                        values.$push(T::decode(source)?);
                    }
                    Ok(values)
                })
            }
        }
    )*};
}

sequences! {
    Vec: => push;
    VecDeque: => push_back;
    BTreeSet: Ord => insert;
}

/// A number of elements that the rest of the bytes can hold. Elements of no bytes at all are bounded too, so that a
/// forged length cannot keep a decoder busy.
fn plausible_length<T>(source: &mut Source<'_>) -> Result<usize, DecodeError> {
    let length = source.length()?;
    let most = if size_of::<T>() == 0 { u32::MAX as usize } else { source.remaining() };
    if length > most { Err(DecodeError::TooShort { wanted: length - most }) } else { Ok(length) }
}

impl<T: MapEntities> MapEntities for Vec<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        self.iter_mut().for_each(|value| value.map_entities(mapper));
    }
}

impl<T: MapEntities> MapEntities for VecDeque<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        self.iter_mut().for_each(|value| value.map_entities(mapper));
    }
}

impl<T: MapEntities + Ord> MapEntities for BTreeSet<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        let mut values: Vec<T> = core::mem::take(self).into_iter().collect();
        values.map_entities(mapper);
        self.extend(values);
    }
}

impl<K: MapEntities + Ord, V: MapEntities> MapEntities for BTreeMap<K, V> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        for (mut key, mut value) in core::mem::take(self) {
            key.map_entities(mapper);
            value.map_entities(mapper);
            self.insert(key, value);
        }
    }
}

impl<K: StateValue + Ord, V: StateValue> StateValue for BTreeMap<K, V> {
    fn encode(&self, sink: &mut Sink<'_>) {
        sink.length(self.len());
        for (key, value) in self {
            key.encode(sink);
            value.encode(sink);
        }
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let length = plausible_length::<K>(source)?;
        let mut values = Self::new();
        source.nested(|source| {
            for _ in 0..length {
                let key = K::decode(source)?;
                values.insert(key, V::decode(source)?);
            }
            Ok(values)
        })
    }
}

impl<T: MapEntities> MapEntities for Box<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        (**self).map_entities(mapper);
    }
}

impl<T: StateValue> StateValue for Box<T> {
    fn encode(&self, sink: &mut Sink<'_>) {
        (**self).encode(sink);
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        source.nested(T::decode).map(Self::new)
    }
}

impl<T: MapEntities + Clone> MapEntities for Arc<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        Self::make_mut(self).map_entities(mapper);
    }
}

impl<T: StateValue> StateValue for Arc<T> {
    fn encode(&self, sink: &mut Sink<'_>) {
        (**self).encode(sink);
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        source.nested(T::decode).map(Self::new)
    }
}

impl<T: MapEntities, const N: usize> MapEntities for [T; N] {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        self.iter_mut().for_each(|value| value.map_entities(mapper));
    }
}

impl<T: StateValue, const N: usize> StateValue for [T; N] {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.iter().for_each(|value| value.encode(sink));
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let mut values = Vec::new();
        for _ in 0..N {
            values.push(T::decode(source)?);
        }
        values.try_into().map_err(|_| DecodeError::invalid::<Self>())
    }
}

macro_rules! tuple_values {
    ($($name:ident),*) => {
        impl<$($name: MapEntities),*> MapEntities for ($($name,)*) {
            #[allow(non_snake_case, unused_variables, reason = "a macro for every arity, also none")]
            fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
                let ($($name,)*) = self;
                $($name.map_entities(mapper);)*
            }
        }

        impl<$($name: StateValue),*> StateValue for ($($name,)*) {
            #[allow(non_snake_case, unused_variables, reason = "a macro for every arity, also none")]
            fn encode(&self, sink: &mut Sink<'_>) {
                let ($($name,)*) = self;
                $($name.encode(sink);)*
            }

            #[allow(clippy::unused_unit, unused_variables, reason = "a macro for every arity, also none")]
            fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
                Ok(($($name::decode(source)?,)*))
            }
        }
    };
}

crate::tuples::every_arity!(tuple_values);
