//! What the tests and benchmarks of the package see of the inside. Nobody else is promised any of it.
//!
//! ```text
//! tests/fixtures:   a file is rewritten with options, built, run and compared
//! tests/patterns:   verdicts about the loops of a file, before anything is written
//! ```
//!
//! All rooms are private, so that the compiler tells of what nobody uses. Only the self-contained one ([`crate::symbolic`]) is a library
//! of its own.

pub mod analysis {
    pub use crate::analysis::dependence::verdict::{BranchTest, LoopVerdict, Parallel, Requirement};
    pub use crate::analysis::dependence::verdicts;
    pub use crate::analysis::function::FunctionModel;
    pub use crate::analysis::known::KnownFunctions;
    pub use crate::analysis::module_pointers::ModulePointers;
    pub use crate::analysis::values::table::{Base, SymKind};
}

pub mod annotate {
    pub use crate::annotate::describe;
}

pub mod cleanup {
    pub use crate::cleanup::{Folder, install};
}

pub mod config {
    pub use crate::config::{Config, FILE_NAME, parse};
}

pub mod facts {
    pub use crate::facts::Store;
}

pub mod llvm {
    pub use crate::llvm::{BuildScope, ClangOptions, Input, analyse_file, find_clang};
}

pub mod plan {
    pub use crate::plan::models::each_function;
    pub use crate::plan::{Dialect, FileText, HandDirectives, Note, PlanOptions, RegionStyle};
}

pub mod program {
    pub use crate::program::ir::VarId;
}

pub mod rewrite {
    pub use crate::rewrite::{
        GivenUnit, Outcome, Rewritten, Services, Silent, ToolOptions, Unit, annotate_given, check_given,
        rewrite_program,
    };
}

pub mod rules {
    pub use crate::rules::{RULES, Rule, RuleFinding, RuleFix, RuleText};
}

pub mod source {
    pub use crate::source::{Edit, EditSet, LineIndex, unified_diff};
}

pub mod syntax {
    pub use crate::syntax::parse;
}

pub mod verify {
    pub use crate::verify::{
        BuildKind, BuildSpec, Counting, Counts, InconclusiveReason, Mode, ProgramSpec, RunOutcome, RunSpec, Status,
        Toolchain, Verdict, VerifyError, VerifyOptions, compare, verify_program,
    };
}
