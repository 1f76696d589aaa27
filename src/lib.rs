//! tickweave (scaffold).
pub mod access;
