//! The tool's own model of a program: plain IR, objects, constructs, statement graph.

pub mod attach;
pub mod constructs;
pub mod graph;
pub mod ir;
#[cfg(test)]
pub mod ir_build;
mod ir_dump;
pub mod objects;
