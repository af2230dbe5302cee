//! A module with where its pointers may lead, which is found out once, when somebody first asks.
//!
//! A program is planned more than once (with arrays left out, without what callers would get, as kernels and as copies between
//! them), and its pointers lead to the same places each time.

use super::known::KnownFunctions;
use super::points_to::PointsTo;
use crate::program::ir::Module;
use std::sync::OnceLock;

/// A module, what is known of its functions from elsewhere, and its points-to sets.
pub struct ModulePointers<'m> {
    module: &'m Module,
    known: KnownFunctions,
    points_to: OnceLock<PointsTo>,
}

impl<'m> ModulePointers<'m> {
    /// The pointers of a module of whose functions something is `known`.
    pub fn new(module: &'m Module, known: KnownFunctions) -> ModulePointers<'m> {
        ModulePointers {
            module,
            known,
            points_to: OnceLock::new(),
        }
    }

    /// The module.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// What is known of its functions.
    pub fn known(&self) -> &KnownFunctions {
        &self.known
    }

    /// Where its pointers may lead.
    pub fn points_to(&self) -> &PointsTo {
        self.points_to
            .get_or_init(|| PointsTo::solve_knowing(self.module, self.known.clone()))
    }
}
