//! Records: the catalogue and its page, budgets, guard rails, and that none of it is state.

mod budgets;
mod catalogue;
mod kit;
mod rails;
mod state;
mod users_lint;
