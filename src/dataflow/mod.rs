//! A small framework for dataflow analyses: lattices, a worklist, results.
//!
//! It knows graphs of numbered nodes and values of a lattice, and neither C nor OpenMP nor LLVM. An analysis says how a
//! node changes a value ([`Analysis::transfer`]); [`solve`] finds the least fixpoint; a [`Cursor`] reads it.
//!
//! A worked example, which variables may be read later (liveness) in `a = 1; b = a;` with `a` as bit 0, `b` as bit 1:
//!
//! ```
//! use fixedbitset::FixedBitSet;
//! use ompmemopt::dataflow::{Analysis, Backward, ListGraph, Node, solve};
//!
//! struct Live;
//! impl Analysis for Live {
//!     type Domain = FixedBitSet;
//!     type Direction = Backward;
//!     fn bottom(&self) -> FixedBitSet {
//!         FixedBitSet::with_capacity(2)
//!     }
//!     fn boundary(&self, _exit: Node) -> FixedBitSet {
//!         FixedBitSet::with_capacity(2)
//!     }
//!     fn transfer(&self, node: Node, live: &mut FixedBitSet) {
//!         match node {
//!             0 => live.set(0, false),
//!             _ => {
//!                 live.set(1, false);
//!                 live.insert(0);
//!             }
//!         }
//!     }
//! }
//!
//! let graph = ListGraph::new(2, 0, &[(0, 1)]);
//! let results = solve(&graph, &Live).unwrap();
//! assert!(results.before(1).contains(0));
//! assert!(results.before(0).is_clear());
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `lattice` | what a domain must be able to do, and [`Dual`] for must-analyses |
//! | `domains` | the domains everything is built of |
//! | `graph` | what a graph must be able to do, and traversal orders |
//! | `analysis` | what an analysis states; direction as a type |
//! | `solver` | the worklist |
//! | `results` | the fixpoint, and a cursor over it |
//! | `laws` | checks of the lattice laws and of monotonicity, for tests of domains and analyses |
//!
//! The shape follows rustc's `rustc_mir_dataflow`: `join` reports change, must-analyses run on the may-engine through
//! [`Dual`], and nothing is precomputed per node.

mod analysis;
mod domains;
mod graph;
mod lattice;
#[cfg(test)]
pub(crate) mod laws;
mod results;
mod solver;
#[cfg(test)]
mod tests;

pub use analysis::{Analysis, Backward, Direction, Forward};
pub use graph::{Graph, ListGraph, Node, depth_first_postorder};
pub use lattice::{Dual, JoinSemiLattice, MeetSemiLattice};
pub use results::{Cursor, Results};
pub use solver::{DidNotConverge, VISITS_PER_NODE, solve};
