//! The tool's own model of a program: plain IR, objects, statement graph, events.

pub mod ir;
mod ir_dump;
