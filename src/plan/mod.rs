//! Decisions: what to write where, and why; and what was not done, and why not.
//!
//! A plan names places and directives; it edits no text ([`crate::rewrite`] does). Every [`Decision`] is applied whole
//! or not at all.

mod apart;
pub mod blocks;
mod by_hand;
mod by_path;
pub mod candidates;
mod circle;
mod coherent;
mod compare;
mod condition;
pub mod cost;
mod decide;
mod decision;
mod device_written;
pub mod emit;
mod emit_kernels;
mod emit_region;
mod emit_resident;
mod emit_updates;
mod entered;
mod entering;
pub mod evaluate;
mod existence;
mod extent;
pub mod file;
mod foreign;
mod founded;
pub mod function;
mod hand_regions;
mod hand_written;
mod handed;
mod held;
mod holdings;
mod host;
mod host_only;
mod inputs;
mod joint;
mod joint_struct;
mod left_out;
mod levels;
mod likely;
mod managed;
mod members;
mod model;
pub mod models;
mod naive;
pub mod names;
mod numbers;
mod on_host;
mod opaque;
mod options;
mod outside;
mod own_uses;
mod placing;
mod prepare;
pub mod program;
mod program_facts;
mod reached;
mod resident;
mod resident_costs;
mod resident_fresh;
mod resident_lengths;
mod resident_members;
mod resident_moves;
mod resident_sized;
mod residents;
mod running_loops;
pub mod search;
pub mod sought;
mod spans;
mod spell;
mod starts;
mod struct_members;
mod summary;
mod terms;
mod threads;
mod trading;
mod trial;
mod ways;
mod when;

pub use crate::plan::program_facts::Scope;
pub use decide::plan_program;
pub use decision::{
    Change, Decision, Direction, FilePlan, MapItem, MapType, NOT_EVERYWHERE, NOT_RIGHT, Note, RegionId, kernel_name,
};
pub use file::FileText;
pub use options::{ChosenKernels, Dialect, EVERYTHING, PlanOptions, RegionStyle};

use serde::{Deserialize, Serialize};
