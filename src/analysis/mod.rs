//! Analyses: pure functions of the model, one per file or folder. They neither print, format nor edit.

pub mod access;
pub mod cexpr;
pub mod effects;
pub mod function;
pub mod movement;
pub mod points_to;
pub mod values;
