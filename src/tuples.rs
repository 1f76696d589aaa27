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
