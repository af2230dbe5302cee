//! Plain C to OpenMP offload: which loops, and what is said about them.
//!
//! [`crate::analysis::dependence`] finds out which loops may run in parallel; this room turns its verdicts into words
//! ([`describe`]).
//!
//! **Invariant.** Nothing is decided about dependences here.

pub mod describe;

pub use describe::describe;
