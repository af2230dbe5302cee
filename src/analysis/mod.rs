//! One analysis per module; each says what it answers, how, and what it does not try to answer.

pub mod call_graph;
pub mod effects;
pub mod libc;
pub mod points_to;
