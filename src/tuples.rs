//! The one place that spells out tuples.

/// Calls a macro with `A`, then `A, B`, and so on up to sixteen names, and with nothing at all.
macro_rules! every_arity {
    ($callback:ident) => {
        $crate::tuples::every_arity!(@step $callback [] A B C D E F G H I J K L M N O P);
    };
    (@step $callback:ident [$($done:ident)*]) => {
        $callback!($($done),*);
    };
    (@step $callback:ident [$($done:ident)*] $next:ident $($rest:ident)*) => {
        $callback!($($done),*);
        $crate::tuples::every_arity!(@step $callback [$($done)* $next] $($rest)*);
    };
}

pub(crate) use every_arity;

/// The same with a name for a value beside each name of a type: `A a`, then `A a, B b`, and so on.
macro_rules! every_arity_with_values {
    ($callback:ident) => {
        $crate::tuples::every_arity_with_values!(
            @step $callback [] A a B b C c D d E e F f G g H h I i J j K k L l M m N n O o P p
        );
    };
    (@step $callback:ident [$($type:ident $value:ident)*]) => {
        $callback!($($type $value),*);
    };
    (@step $callback:ident [$($type:ident $value:ident)*] $next:ident $name:ident $($rest:ident)*) => {
        $callback!($($type $value),*);
        $crate::tuples::every_arity_with_values!(@step $callback [$($type $value)* $next $name] $($rest)*);
    };
}

pub(crate) use every_arity_with_values;
