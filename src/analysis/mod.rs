//! One analysis per module; each says what it answers, how, and what it does not try to answer. Pure functions of the
//! model: they neither print, format nor edit.

pub mod access;
pub mod accesses;
pub mod arrays;
pub mod at_call;
mod at_call_exact;
pub mod call_graph;
pub mod called;
pub mod callee_term;
pub mod cexpr;
pub mod conditions;
pub mod culprit;
pub mod dependence;
pub mod device_calls;
pub mod device_summary;
pub mod effects;
pub mod evaluable;
pub mod evaluations;
pub mod far_jumps;
pub mod function;
pub mod hidden;
pub mod host_calls;
pub mod host_summary;
pub mod known;
mod launch_copies;
pub mod libc;
pub mod movement;
pub mod params;
pub mod payment;
pub mod points_to;
pub mod presence;
pub mod rows;
pub mod storage;
pub mod thread_copies;
pub mod value_summary;
pub mod values;
pub mod variadic;
