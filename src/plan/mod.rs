//! Decisions: what to write where, and why; and what was not done, and why not.
//!
//! A plan names places and directives; it edits no text ([`crate::rewrite`] does). Every [`Decision`] is applied whole
//! or not at all.

mod alias_checks;
mod always_executed;
mod around_call;
pub mod blocks;
mod by_hand;
pub mod candidates;
mod chosen_copies;
mod coherent;
mod compare;
mod condition;
mod condition_frequency;
pub mod cost;
mod decide;
mod decision;
mod decision_key;
mod device_written;
pub mod emit;
mod emit_kernels;
mod emit_region;
mod emit_resident;
mod emit_updates;
pub mod entered_as;
mod entering;
pub mod evaluate;
mod explained;
mod extent;
mod family_uses;
pub mod file;
mod forms;
pub mod function;
mod given;
mod hand_regions;
mod hand_written;
mod holdings;
mod host;
mod host_only;
pub mod inputs;
mod joint;
mod joint_struct;
mod kernel_starts;
mod left_out;
mod levels;
mod managed;
mod map_existence;
mod mapped_as_written;
mod mapped_beside;
mod member_paths;
mod members;
mod model;
pub mod models;
pub mod names;
mod numbers;
mod on_host;
mod opaque_records;
mod openacc;
mod options;
mod own_uses;
mod placing;
mod prepare;
mod present_at_calls;
mod present_in_recursion;
pub mod program;
mod program_facts;
mod recursion;
mod region_condition;
mod replaceable;
mod residency;
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
pub mod search_subject;
mod share;
mod spans;
mod spell;
mod started_unseen;
mod struct_members;
mod summary;
mod swapped_buffers;
mod switched_off;
pub mod terms;
mod threads;
mod together;
mod trial;
mod untold;
mod unwanted;
mod update_existence;
pub(crate) mod ways;
mod zero_trip;

pub use by_hand::directive_head;
pub use decide::plan_program;
pub use decision::{
    Change, ChosenCopy, ChosenResidency, Decision, Direction, FilePlan, MapItem, Note, RegionId, kept_array, kept_name,
    kernel_name,
};
pub use decision_key::{DecisionKey, DecisionSubject, Unwanted};
pub use explained::ExplainedItem;
pub use file::FileText;
pub use forms::FormTraffic;
pub use options::{
    ChosenKernels, ChosenResidencies, Dialect, EVERYTHING, HandDirectives, PlanOptions, RegionStyle, ThreadedLoop,
};
pub use program_facts::DecisionScope;
pub use replaceable::{
    ArrayName, CopiedBytes, GoingItems, GroupedArray, KernelMapChange, KernelMaps, ReplaceableItem, ReplaceableMaps,
};
