//! Data movement: which copies between host and device a function needs, and where they go.
//!
//! [`problem`] is the question in the abstract, [`demand`] looks backward for what will be needed, [`place`] walks forward
//! with the coherence state and places the copies: [`placement`] is what it is asked for and what comes of it, `copies`
//! makes one copy, `needs` looks ahead of a gap, `maybe` is the part of the demand that holds on some path, `merges` finds where paths without kernels join, `verdict` checks the
//! result, [`budget`] that it never moves more than before. [`scope`], [`mapped`], [`family`], [`subject`] and [`build`] (with
//! `kernel_events`, `calls`, and `chosen` where kernels use one of several arrays) make a problem from a function, [`renamed`] knows where names come to mean something else, [`promised`] knows which arrays the user says to be apart, [`terms`] answers its questions about symbols.

pub mod budget;
pub mod build;
mod calls;
mod chosen;
mod copies;
pub mod demand;
pub mod dirty;
pub mod estimate;
pub mod family;
mod host_part;
mod kernel_events;
pub mod mapped;
mod maybe;
mod merges;
mod needs;
pub mod outside;
mod overlap;
pub mod place;
pub mod placement;
pub mod problem;
pub mod promised;
pub mod region;
pub mod renamed;
pub mod scope;
pub mod sets;
pub mod subject;
pub mod terms;
#[cfg(test)]
mod tests;
mod touching;
mod verdict;
