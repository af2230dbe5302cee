//! Runs a function on abstract memory: blocks in order, again and again until nothing changes.

use super::state::{CellKey, MemoryState};
use super::{ValueSummaries, Worth};
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::effects::{Effects, LocSet};
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{FuncId, Function, InstId, Module};
use crate::program::objects::MemLoc;
use crate::symbolic::Sym;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a symbol stands for while the function runs.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SymbolOrigin {
    /// What this is worth on entry.
    Entry(CalleeTerm),
    /// What an instruction makes: its result, or what a call leaves in a cell.
    Made(InstId, usize),
    /// The address of a local variable.
    Local(InstId),
}

/// What is known of a cell.
#[derive(Clone, Debug)]
pub(super) struct KnownCell {
    /// Where it may lie.
    pub places: Vec<MemLoc>,
    /// What it is to callers; `None` for a local variable, and for what they cannot name.
    pub term: Option<CalleeTerm>,
    /// The cell belongs to a structure that is passed by value.
    pub copied: bool,
}

/// One function that is being run.
pub struct FunctionRun<'a> {
    pub(super) module: &'a Module,
    pub(super) points_to: &'a PointsTo,
    pub(super) effects: &'a Effects<'a>,
    pub(super) summaries: &'a ValueSummaries,
    pub(super) func: FuncId,
    pub(super) function: &'a Function,
    /// What symbols stand for.
    pub(super) origins: Vec<SymbolOrigin>,
    /// What instructions are worth.
    pub(super) values: FxHashMap<InstId, Worth>,
    /// The cells met so far.
    pub(super) known: BTreeMap<CellKey, KnownCell>,
    /// Where it may write other than by cells.
    pub(super) elsewhere: LocSet,
    /// The function runs code of which nothing is known.
    pub(super) anything: bool,
    /// Something happens that is not followed.
    pub(super) given_up: bool,
}

impl<'a> FunctionRun<'a> {
    /// A function before it runs.
    pub fn new(
        module: &'a Module,
        points_to: &'a PointsTo,
        effects: &'a Effects<'a>,
        summaries: &'a ValueSummaries,
        func: FuncId,
    ) -> FunctionRun<'a> {
        FunctionRun {
            module,
            points_to,
            effects,
            summaries,
            func,
            function: module.function(func),
            origins: Vec::new(),
            values: FxHashMap::default(),
            known: BTreeMap::new(),
            elsewhere: LocSet::default(),
            anything: false,
            given_up: false,
        }
    }

    pub(super) fn join(&self, mut a: MemoryState, b: &MemoryState) -> MemoryState {
        a.join(b, &|state, key| self.on_entry(state, key));
        a
    }

    /// What a cell that was not stored to holds.
    pub(super) fn on_entry(&self, state: &MemoryState, key: &CellKey) -> Option<Worth> {
        let known = self.known.get(key)?;
        let origin = SymbolOrigin::Entry(known.term.clone()?);
        let sym = Sym(self.origins.iter().position(|o| *o == origin)? as u32);
        let overwritten = state.is_overwritten(key, &known.places, self.points_to);
        (!overwritten).then(|| Worth::of(sym, key.pointer))
    }

    /// The symbol for something.
    pub(super) fn sym(&mut self, origin: SymbolOrigin) -> Sym {
        let at = self.origins.iter().position(|o| *o == origin).unwrap_or_else(|| {
            self.origins.push(origin);
            self.origins.len() - 1
        });
        Sym(at as u32)
    }
}
