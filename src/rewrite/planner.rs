//! Who looks at all files of a program together and says by file what is to be done or wrong.
//!
//! What they plan is written, or said, by the same code, and for each of them numbers are asked for in other builds
//! ([`super::configurations`]).

use crate::analysis::module_pointers::ModulePointers;
use crate::annotate::annotate_program;
use crate::check::{CheckFor, check_program};
use crate::plan::{DecisionScope, FilePlan, FileText, plan_program};

/// What decides about a program's files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Planner {
    /// [`plan_program`]: where the data of kernels stays.
    Movement,
    /// [`annotate_program`]: which loops become kernels.
    Kernels,
    /// [`check_program`]: nothing is written, and what is wrong is said.
    Mappings,
    /// [`check_program`], which says as well what could be planned anew of mappings by hand.
    Replacing,
}

impl Planner {
    /// The plans of the files, in their order.
    pub fn plan(
        self,
        files: &[FileText<'_>],
        pointers: &ModulePointers<'_>,
        scope: DecisionScope,
    ) -> Vec<Result<FilePlan, String>> {
        match self {
            Planner::Movement => plan_program(files, pointers, scope),
            Planner::Kernels => annotate_program(files, pointers, scope),
            Planner::Mappings => check_program(files, pointers, CheckFor::Findings),
            Planner::Replacing => check_program(files, pointers, CheckFor::Replacing),
        }
    }
}
