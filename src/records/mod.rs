//! Records: log lines with their parts apart, each from a fixed catalogue and limited in rate.
//!
//! A world has one book of them, [`Records`]; whoever runs ticks on the world writes there between ticks, on the caller's
//! thread, in an order that no thread decides. With the feature `trace` each record is told to the subscriber of `tracing`
//! as well. Records are no state: nothing that decides a result reads them.

mod book;
mod catalogue;
mod record;

pub use book::{RECORD_WINDOW, RECORDS_KEPT, Records};
pub use catalogue::{RecordKind, Severity};
pub use record::Record;
pub(crate) use record::Subject;

#[cfg(test)]
mod tests;
