//! Systems: functions, and what they touch.

mod id;

pub use id::SystemId;
