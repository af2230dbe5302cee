//! `ompmemopt` rewrites C programs that use OpenMP `target` so that they move as little data as an expert would.
//!
//! Read `docs/architecture.md` first: it draws the rooms below, what flows between them, and the invariants.

mod analysis;
mod annotate;
mod check;
mod cleanup;
pub mod cli;
mod collectives;
mod config;
mod facts;
pub mod inside;
#[cfg(test)]
mod layers;
mod llvm;
mod llvm_version;
mod lsp;
mod multivalued;
mod openmp;
mod panics;
mod patience;
mod plan;
mod program;
mod reasons;
mod report;
mod rewrite;
mod rules;
mod source;
pub mod symbolic;
mod syntax;
mod upc;
mod verify;
