//! The function whose values are asked for: its IR, its statements and how the two are paired.

use crate::analysis::effects::Effects;
use crate::program::attach::Attachment;
use crate::program::graph::FlowGraph;
use crate::program::ir::{FuncId, Module};

/// What the values of one function are read from, beside what is known of its slots, versions and calls.
#[derive(Clone, Copy)]
pub struct EvaluatedFunction<'a> {
    /// The file's IR.
    pub module: &'a Module,
    /// The function.
    pub func: FuncId,
    /// The fine statement graph.
    pub graph: &'a FlowGraph,
    /// Instructions by node.
    pub attachment: &'a Attachment,
    /// What instructions do.
    pub effects: &'a Effects<'a>,
}
