//! The operations, errors and rules of the documents that the project grew from, and that `docs/seeds.md` tells the truth
//! about where each is shown.

mod components;
mod page;
mod tags;
