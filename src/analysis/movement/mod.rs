//! Data movement: which copies between host and device a function needs, and where they go.
//!
//! [`problem`] is the question in the abstract, [`demand`] looks backward for what will be needed, [`place`] walks forward
//! with the coherence state and places the copies. [`mapped`], [`family`] and [`build`] make a problem from a function.

pub mod build;
pub mod demand;
pub mod dirty;
pub mod family;
pub mod mapped;
pub mod place;
pub mod problem;
pub mod sets;
