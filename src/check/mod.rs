//! Verification of mappings: whether a program that maps its data by hand gives the result that it would give without a device.
//!
//! ```c
//! #pragma omp target enter data map(to: a[0:n])
//! #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
//! for (int i = 0; i < n; i++) a[i] *= 2;          // the object is there already: nothing is copied back
//! printf("%g\n", a[0]);                           // OMM102: the host reads what only the device has
//! ```
//!
//! [`steps`] says what happens to an object, by the names that it goes by ([`names`]); [`counts`], [`stale`] and [`mapping_state`] what is known of it
//! between the steps, and [`walk`] finds the states of a function and what is wrong; [`summary`] says what a function does with the objects of its
//! callers, and [`called`] what that is at a call. An array is judged where it begins ([`begun`]), once for each of its copies ([`devices`], [`parts`]). [`explained`] is what the walks have seen list items do, [`transfers`] which copies the program could do
//! without, and [`transfer_state`] how that is known. [`fixes`] are what to write instead.
//!
//! **Must and may.** A violation is *sure* if an element that is surely used surely is stale; else it may be one. What nobody knows
//! ([`steps::StepAction::Unknown`]) is never reported.
//!
//! Source: OmpSan (Barua et al., 2019), which does this for whole variables.

mod array_walks;
mod begun;
mod brought_values;
mod called;
mod collect;
mod collectives;
mod conditions;
mod contraction;
mod counts;
mod deciding_branches;
mod devices;
mod directives;
mod endings;
mod explained;
mod file_directives;
mod file_lines;
mod findings;
mod fixes;
mod function_loops;
mod function_steps;
mod hand_survey;
mod handed_items;
mod idle_uses;
mod insertion;
mod mapping_state;
mod messages;
mod names;
mod node_steps;
mod node_uses;
mod overlaps;
mod parts;
mod phases;
mod places;
mod program;
mod replaceable;
mod replaced_items;
mod scalars;
mod spoken_of;
mod stale;
mod step_device;
mod step_graph;
mod steps;
mod summary;
mod sure_lengths;
mod traffic;
mod transfer_state;
mod transfers;
mod unavoidable;
mod unfolding;
mod unlisted;
mod walk;

pub use collectives::{FoundCollectives, barriers, barriers_from_start, collectives};
pub use findings::FindingInFile;
pub use hand_survey::CheckFor;
pub use program::check_program;
