//! The tool's own model of a program: plain IR, objects, constructs, statement graph.

pub mod attach;
pub mod choices;
pub mod components;
pub mod constructs;
mod declared;
pub mod dominance;
pub mod evaluated;
pub mod graph;
mod graph_build;
pub mod header;
mod header_view;
pub mod host_directives;
pub mod in_loops;
pub mod included;
pub mod ir;
#[cfg(test)]
pub mod ir_build;
mod ir_dump;
mod ir_names;
mod ir_ops;
mod ir_types;
mod join;
pub mod left_out;
pub mod link;
mod link_symbols;
pub mod linker_names;
pub mod object_set;
pub mod objects;
mod seen;
pub mod start;
