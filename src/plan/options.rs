//! What plans depend on beside the program: what the command line asks for (`--no-speculation`, `--style`), what macros flags define,
//! what `ompmemopt.toml` says of functions, and what an earlier plan of the program found must be left alone.

use super::{ChosenResidency, Unwanted};
use crate::config::Config;
use crate::openmp::SpecVersion;
use crate::patience::Patience;
use crate::syntax::StmtId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a plan may do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlanOptions {
    /// The version of the specification that says what directives mean.
    pub openmp: SpecVersion,
    /// Copies may leave loops and conditions that might not run.
    pub speculate: bool,
    /// What becomes of data directives that somebody wrote.
    pub hand_directives: HandDirectives,
    /// How residencies are written.
    pub style: RegionStyle,
    /// Object-like macros given by flags (`-DN=8`), name to body.
    pub defines: Vec<(String, String)>,
    /// What the user's configuration says of the program. Decisions rest on it, so it is part of what they depend on.
    pub config: Arc<Config>,
    /// Loops become kernels also where that is not worth it.
    pub all_loops: bool,
    /// What new kernels are written in.
    pub dialect: Dialect,
    /// Sums, products and extremes in floating point may be computed in another order, by loops that become kernels.
    pub reassociate: bool,
    /// Loops of the file that threads of the host ran as it was written, by the lines in which they begin. Lines are the same in builds with other numbers.
    pub threaded: Arc<BTreeMap<u32, ThreadedLoop>>,
    /// The kernels were made by `annotate`: what they map is what they use, and nobody else chose it.
    pub new_kernels: bool,
    /// Arrays of functions about which nothing is to be written, `*` for all: function and name; loops that stay loops
    /// ([`super::kernel_name`]); and arrays that callers do not keep on the device ([`super::kept_name`]). What is written about them
    /// would depend on the value of a macro in a way that cannot be written.
    pub left_out: Arc<BTreeSet<(String, String)>>,
    /// Decisions that the user does not want.
    pub unwanted: Arc<Unwanted>,
    /// Arrays of functions of which no parts are copied that only numbers say: function and name; and loops that map no such
    /// parts as kernels.
    pub whole_only: Arc<BTreeSet<(String, String)>>,
    /// The loops that become kernels, where that has been chosen: function and loop, each with its threshold. No other loop
    /// does, and of these only what can be a kernel.
    pub kernels: Option<Arc<ChosenKernels>>,
    /// The residencies that are tried, where these have been chosen.
    pub residencies: Option<Arc<ChosenResidencies>>,
    /// `annotate` names no constants: what they are called is found out by comparing configurations.
    pub plain_numbers: bool,
    /// Movement problems are kept as text ([`super::FilePlan::problems`]).
    pub problems: bool,
    /// Who waits for the plan: without anybody it is not made.
    #[serde(skip)]
    pub patience: Patience,
}

/// What the pragma of a loop says of variables that threads of the host run.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct ThreadedLoop {
    /// Variables that the pragma reduces.
    pub reduced: BTreeSet<String>,
    /// Variables of which each thread has its own: behind the loop they are what they were before.
    pub private: BTreeSet<String>,
}

/// Loops that become kernels, by function and loop, with the sizes above which they run on the device.
pub type ChosenKernels = BTreeMap<(String, StmtId), Option<i128>>;

/// Residencies that have been chosen, by function and array.
pub type ChosenResidencies = BTreeMap<(String, String), Vec<ChosenResidency>>;

/// What becomes of data directives that somebody wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum HandDirectives {
    /// The directives are planned anew where less is copied then.
    #[default]
    MayGo,
    /// The directives stay.
    Stay,
    /// Some were taken out of the text, and kernels map more than they did.
    AreGone,
}

/// The language of directives that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum Dialect {
    /// `#pragma omp`.
    #[default]
    OpenMp,
    /// `#pragma acc`; for programs that have no kernels yet.
    OpenAcc,
}

/// How residencies are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum RegionStyle {
    /// `target data` where the scope tree allows, else `enter`/`exit data`.
    #[default]
    Auto,
    /// `target data` or nothing.
    Structured,
    /// Always `enter`/`exit data`.
    Unstructured,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions {
            openmp: SpecVersion::default(),
            speculate: true,
            hand_directives: HandDirectives::default(),
            style: RegionStyle::Auto,
            defines: Vec::new(),
            config: Arc::default(),
            all_loops: false,
            dialect: Dialect::OpenMp,
            reassociate: false,
            threaded: Arc::default(),
            new_kernels: false,
            left_out: Arc::default(),
            unwanted: Arc::default(),
            whole_only: Arc::default(),
            kernels: None,
            residencies: None,
            plain_numbers: false,
            problems: false,
            patience: Patience::default(),
        }
    }
}

/// All arrays and loops of a function, among [`PlanOptions::left_out`].
pub const EVERYTHING: &str = "*";
