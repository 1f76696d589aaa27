//! Derives of tickweave.
