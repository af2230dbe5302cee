//! What the plan of a function starts from. Questions about the function are methods of [`Inputs`], each in the file of its subject.
//!
//! ```c
//! void step(double *u, int n)            /* model: the function; parameters: `n`, if every call passes the same     */
//! {
//!     kernel map(tofrom: u[0:n])         /* mapped: u[0:n]; conditions: none; accesses: of `u`                      */
//!     scale(u, n);                       /* calls: starts a kernel on u[0:n] itself                                 */
//! }
//! ```

use super::file::FileFacts;
use super::hand_written::{self, HandRegion};
use super::model::Candidate;
use super::program_facts::ProgramFacts;
use super::residents::{By, Resident};
use crate::analysis::accesses::Accesses;
use crate::analysis::conditions::{LaunchCondition, launch_conditions};
use crate::analysis::device_calls::{DeviceCall, calls};
use crate::analysis::function::FunctionModel;
use crate::analysis::host_calls::{self, HostCall, HostSummaries};
use crate::analysis::movement::mapped::{Mapped, UnnamedMap, mapped, unnamed};
use crate::analysis::movement::outside::KnownOutside;
use crate::analysis::movement::problem::ExpandedLoops;
use crate::analysis::movement::quiet::ClosedStatements;
use crate::analysis::params;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::Base;
use crate::program::graph::{FlowGraph, NodeId};
use crate::symbolic::{Expr, Facts, Section};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Shared inputs of all evaluations of a function.
pub struct Inputs<'a> {
    /// The file.
    pub file: &'a FileFacts<'a>,
    /// The program.
    pub program: &'a ProgramFacts<'a>,
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// The function's accesses.
    pub accesses: Accesses,
    /// What each kernel maps.
    pub mapped: Vec<Vec<Mapped>>,
    /// What each kernel maps beside that.
    pub unnamed: Vec<Vec<UnnamedMap>>,
    /// When each kernel runs on the device, where that is followed.
    pub conditions: Vec<Option<LaunchCondition>>,
    /// Calls of functions that start kernels.
    pub calls: Vec<DeviceCall>,
    /// Regions by hand that could be starts.
    pub regions: Vec<HandRegion>,
    /// Calls of functions that use arrays on the host.
    pub host_calls: Vec<HostCall>,
    /// Parameters that are the same constant in every call, with their value on entry.
    pub parameters: Vec<(Expr, i128)>,
    /// The pointer variables that ever hold each base, once somebody has asked.
    pub holders: OnceCell<FxHashMap<Base, Vec<SlotId>>>,
    /// The starts at each node, once somebody has asked.
    pub starts_by_node: OnceCell<FxHashMap<NodeId, Vec<usize>>>,
    /// What happens to arrays outside of the residencies that are tried.
    pub outside: KnownOutside,
    /// Which statements control enters and leaves at their ends alone.
    pub closed: ClosedStatements,
    /// The loops of the function with their headers and statements, once somebody has asked.
    pub loops: OnceCell<(ExpandedLoops, Vec<(NodeId, StmtId)>)>,
    /// What holds where so much of an array is mapped, in runs of statements of a block; `None`: anywhere.
    pub sizes: RefCell<FxHashMap<MappedIn, Facts>>,
    /// What starts map in different words, once somebody has asked.
    pub worded: RefCell<FxHashMap<Vec<usize>, Rc<[MappedAt]>>>,
    /// The movement problems that were tried, as text, where that is asked for.
    pub problems: RefCell<Vec<String>>,
}

/// A place in [`Inputs::mapped`].
#[derive(Clone, Copy)]
pub struct MappedAt {
    /// The kernel.
    pub launch: usize,
    /// Which of the items that it maps.
    pub item: usize,
}

/// What is mapped of an array, and around which runs: statements of one block, of no block, or any.
pub type MappedIn = (Section, Option<Option<StmtId>>);

/// Values of the parameters on entry that every caller passes as the same constant.
pub fn constant_parameters(model: &FunctionModel<'_>) -> Vec<(Expr, i128)> {
    let constants = params::constants(model.module, model.points_to, model.func);
    let mut found = Vec::new();
    for slot in model.values.slots.ids() {
        let SlotKind::Local(v) = model.values.slots.get(slot).kind else {
            continue;
        };
        let Some(Some(value)) = model.function().variables[v.0 as usize]
            .arg
            .and_then(|a| constants.get(a as usize))
        else {
            continue;
        };
        let version = model.values.versions.after(FlowGraph::ENTRY, slot);
        let entry = model.values.slot_int(slot, version);
        if entry.as_sym().is_some() {
            found.push((entry, *value));
        }
    }
    found
}

/// What the plan of a function starts from.
pub fn inputs<'a>(
    program: &'a ProgramFacts<'a>,
    file: &'a FileFacts<'a>,
    model: &'a FunctionModel<'a>,
    host: &HostSummaries,
) -> Inputs<'a> {
    let mapped: Vec<Vec<Mapped>> = (0..model.constructs.launches.len())
        .map(|l| mapped(model, &file.macros, l))
        .collect();
    let resolved = mapped.iter().enumerate();
    let unnamed = resolved.map(|(l, resolved)| unnamed(model, &file.macros, l, resolved));
    let unnamed: Vec<Vec<UnnamedMap>> = unnamed.collect();
    let parameters = constant_parameters(model);
    let accesses = Accesses::of(model);
    Inputs {
        program,
        file,
        model,
        conditions: launch_conditions(model, &accesses, &file.macros),
        accesses,
        mapped,
        unnamed,
        regions: hand_written::find(model, &file.macros),
        calls: calls(model, file.text, &file.macros, &program.summaries),
        host_calls: host_calls::calls(model, host),
        parameters,
        holders: OnceCell::new(),
        starts_by_node: OnceCell::new(),
        outside: KnownOutside::default(),
        closed: ClosedStatements::default(),
        loops: OnceCell::new(),
        sizes: RefCell::default(),
        worded: RefCell::default(),
        problems: RefCell::default(),
    }
}

impl Inputs<'_> {
    /// Whether functions leave a candidate current on the host, whatever kernels did: it stays on the device, and is looked at
    /// when that is gone.
    pub(super) fn is_left_current(&self, candidate: &Candidate) -> bool {
        self.resident(candidate).is_some_and(|r| r.seen_after)
    }

    /// The resident array that a candidate is.
    pub(super) fn resident(&self, candidate: &Candidate) -> Option<&Resident> {
        let before_main = self.program.before_main.contains(&self.model.func);
        self.program.resident.iter().find(|r| match &r.by {
            By::Name(g) => candidate.bases == [Base::Global(*g)] && !before_main,
            By::Members(_) | By::Sized(_) => r.may_be(&candidate.locs),
        })
    }
}
