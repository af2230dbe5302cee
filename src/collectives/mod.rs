//! Collectives of MPI and barriers of OpenMP, CUDA and UPC that not everyone comes to, or not in one order.
//!
//! ```c
//! if (rank == 0)                        /* differs between processes (crate::multivalued)         */
//!     MPI_Bcast(&n, 1, MPI_INT, 0, c);  /* process 0: Bcast, Barrier, end                          */
//! MPI_Barrier(c);                       /* the others:    Barrier, end — not the same: OMM302      */
//! ```
//!
//! Each function, as it is entered, is a graph of what all have to do ([`graph`]): collectives, and branches between them. Two places
//! are of one *class* if the collectives that come from there on are the same, in the same order, whatever conditions that are the
//! same for all come to ([`classes`]: a bisimulation). A branch whose condition differs, and from which places of different classes are
//! come to, is a mismatch ([`mismatches`]). Ways that end in `abort` match everything.
//!
//! Communicators are looked at one after the other, each with the conditions that are the same for its members, and from where they have
//! become members on ([`communicators`], [`members`], [`processes`]). The threads of a team are looked at with the body of each parallel region ([`threads`]), those of
//! CUDA and UPC from where the program begins ([`kernels`]).
//!
//! Conditions may make up for each other (`if (rank == 0)` … `if (rank != 0)` …): what numbers of processes decide is tried in small runs
//! ([`instances`]).
//!
//! Source: PARCOACH (Saillard et al. 2014; Huchant et al. 2018), which asks for the conditions that a collective depends on; the
//! comparison of what follows is after Paige and Tarjan 1987.

mod classes;
mod communicators;
mod described;
mod findings;
mod graph;
mod instances;
mod judgement;
mod kernels;
mod leaving;
mod made_apart;
mod meetings;
mod members;
mod mismatches;
mod processes;
mod refinement;
#[cfg(test)]
mod tests;
mod threads;
mod wording;

pub use findings::{CodePlace, CollectiveFinding};
pub use judgement::{Judgement, meet};
pub use kernels::judged_from_start;
pub use processes::judged_processes;
pub use threads::judged_threads;
