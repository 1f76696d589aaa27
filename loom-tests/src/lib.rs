//! Models of the concurrency kernels (see `docs/` of the library).
