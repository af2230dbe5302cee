//! `ompmemopt` rewrites C programs that use OpenMP `target` so that they move as little data as an expert would.
//!
//! Read `docs/architecture.md` first: it draws the rooms below, what flows between them, and the invariants.

#![forbid(unsafe_op_in_unsafe_fn)]

pub mod analysis;
pub mod annotate;
pub mod cleanup;
pub mod cli;
pub mod config;
pub mod dataflow;
pub mod facts;
#[cfg(test)]
mod layers;
pub mod llvm;
pub mod openmp;
mod panics;
pub mod plan;
pub mod program;
pub mod report;
pub mod rewrite;
pub mod source;
pub mod symbolic;
pub mod syntax;
pub mod verify;
