//! A module with where its pointers may lead, which is found out once, when somebody first asks.
//!
//! A program is planned more than once (with arrays left out, without what callers would get, as kernels and as copies between
//! them), and its pointers lead to the same places each time.

use super::known::KnownFunctions;
use super::points_to::{PointsTo, Precision};
use crate::program::ir::Module;
use std::sync::{Arc, OnceLock};

/// A module, what is known of its functions from elsewhere, and its points-to sets.
pub struct ModulePointers<'m> {
    module: &'m Module,
    known: KnownFunctions,
    finest: Precision,
    points_to: SolvedPointers,
}

/// The points-to sets of a module, for all who ask for them.
pub type SolvedPointers = Arc<OnceLock<PointsTo>>;

impl<'m> ModulePointers<'m> {
    /// The pointers of a module of whose functions something is `known`.
    pub fn new(module: &'m Module, known: KnownFunctions) -> ModulePointers<'m> {
        ModulePointers {
            module,
            known,
            finest: Precision::Members,
            points_to: SolvedPointers::default(),
        }
    }

    /// The pointers of this program with other numbers. They are looked at no more finely than in the program as it is: what was too
    /// tangled there is so here.
    pub fn with_other_numbers<'s>(&self, module: &'s Module, solved: &SolvedPointers) -> ModulePointers<'s> {
        ModulePointers {
            module,
            known: self.known.clone(),
            finest: self.points_to().precision(),
            points_to: Arc::clone(solved),
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
            .get_or_init(|| PointsTo::solve_no_finer(self.module, self.known.clone(), self.finest))
    }
}
