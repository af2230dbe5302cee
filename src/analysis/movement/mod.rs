//! Data movement: which copies between host and device a function needs, and where they go.
//!
//! [`problem`] is the question in the abstract, [`demand`] looks backward for what will be needed, `coherence` forward for
//! which side has the newer elements, [`place`] finds copies, and [`check`] says whether copies are right, whoever placed
//! them; [`placement`] is what is asked for and what comes of it. Of a walk that places (`walk`) `copies` makes one copy,
//! `boundaries` the ends, `gap_needs` looks ahead of a gap, `repeated` leaves out what comes again in a loop, `liveness` is the part of the demand that holds on some path,
//! `merges` finds where paths without kernels join; [`budget`] says that copies never move more than before, by the
//! `balance` on every path. [`scope`], [`mapped`], [`family`], [`subject`] and [`build`] (with `kernel_events`,
//! `host_events`, `fed_reads`, `calls`, and `selected_cell` where kernels use one of several arrays) make a problem from a function,
//! [`renamed`] knows where names come to mean something else, [`promised`] knows which arrays the user says to be apart,
//! [`loop_symbols`] answers its questions about symbols. [`quiet`] finds what a problem may pass by, and [`flow`] is the
//! graph without that; [`text`] says a problem in words that its tests read.

mod all_paths;
mod balance;
mod boundaries;
pub mod budget;
pub mod build;
mod calls;
pub mod check;
mod coherence;
mod copies;
pub mod demand;
pub mod dirty;
pub mod estimate;
pub mod events;
pub mod family;
mod fed_reads;
pub mod flow;
mod gap_needs;
mod host_events;
mod host_part;
mod kernel_events;
mod liveness;
pub mod loop_symbols;
pub mod mapped;
mod merges;
pub mod outside;
mod overlap;
pub mod place;
pub mod placement;
pub mod problem;
pub mod promised;
pub mod quiet;
pub mod region;
pub mod renamed;
mod repeated;
pub mod scope;
mod selected_cell;
pub mod set_operations;
pub mod subject;
pub mod surely;
mod sweeps;
#[cfg(test)]
mod tests;
pub mod text;
mod touching;
mod walk;
