//! Runs a function on abstract memory: blocks in order, again and again until nothing changes.

use super::state::{Key, State};
use super::{ValueSummaries, ValueSummary, Worth};
use crate::analysis::callee_term::Term;
use crate::analysis::effects::{Effects, LocSet};
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{FuncId, Function, InstId, Module, Op};
use crate::program::objects::MemLoc;
use crate::symbolic::Sym;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Sweeps over the blocks within which values have to settle.
const MAX_SWEEPS: usize = 12;
/// More cells than this are not followed.
const MAX_CELLS: usize = 160;

/// What a symbol stands for while the function runs.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Origin {
    /// What this is worth on entry.
    Entry(Term),
    /// What an instruction makes: its result, or what a call leaves in a cell.
    Made(InstId, usize),
    /// The address of a local variable.
    Local(InstId),
}

/// What is known of a cell.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Where it may lie.
    pub places: Vec<MemLoc>,
    /// What it is to callers; `None` for a local variable, and for what they cannot name.
    pub term: Option<Term>,
    /// It belongs to a structure that is passed by value.
    pub copied: bool,
}

/// One function that is being run.
pub struct Run<'a> {
    pub(super) module: &'a Module,
    pub(super) points_to: &'a PointsTo,
    pub(super) effects: &'a Effects<'a>,
    pub(super) summaries: &'a ValueSummaries,
    pub(super) func: FuncId,
    pub(super) function: &'a Function,
    /// What symbols stand for.
    pub(super) origins: Vec<Origin>,
    /// What instructions are worth.
    pub(super) values: FxHashMap<InstId, Worth>,
    /// The cells met so far.
    pub(super) known: BTreeMap<Key, Known>,
    /// Where it may write other than by cells.
    pub(super) elsewhere: LocSet,
    /// It runs code of which nothing is known.
    pub(super) anything: bool,
    /// Something happens that is not followed.
    pub(super) given_up: bool,
}

impl<'a> Run<'a> {
    /// A function before it runs.
    pub fn new(
        module: &'a Module,
        points_to: &'a PointsTo,
        effects: &'a Effects<'a>,
        summaries: &'a ValueSummaries,
        func: FuncId,
    ) -> Run<'a> {
        Run {
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

    /// Runs it. States before the blocks only ever lose, so that they settle.
    pub fn summary(mut self) -> Option<ValueSummary> {
        let function = self.function;
        let mut before: Vec<Option<State>> = vec![None; function.blocks.len()];
        *before.first_mut()? = Some(State::default());
        for _ in 0..MAX_SWEEPS {
            let (entered, values, met) = (before.clone(), self.values.clone(), self.known.len());
            let mut left: Option<(State, Option<Worth>)> = None;
            for (at, block) in function.blocks.iter().enumerate() {
                let Some(mut state) = before[at].clone() else { continue };
                for inst in (block.first.0..block.end.0).map(InstId) {
                    self.step(&mut state, inst);
                    if let Op::Ret(value) = &function.inst(inst).op {
                        let value = value.as_ref().and_then(|v| self.value(v));
                        left = Some(match left.take() {
                            None => (state.clone(), value),
                            Some((all, returned)) => {
                                (self.join(all, &state), returned.filter(|r| Some(r) == value.as_ref()))
                            }
                        });
                    }
                }
                for succ in &block.succs {
                    let at = succ.0 as usize;
                    let joined = match before[at].take() {
                        None => state.clone(),
                        Some(known) => self.join(known, &state),
                    };
                    before[at] = Some(joined);
                }
                if self.given_up || self.known.len() > MAX_CELLS {
                    return None;
                }
            }
            if before == entered && values == self.values && met == self.known.len() {
                let (state, returned) = left?;
                return Some(self.read_off(&state, returned));
            }
        }
        None
    }

    fn join(&self, mut a: State, b: &State) -> State {
        a.join(b, &|state, key| self.on_entry(state, key));
        a
    }

    /// What a cell that was not stored to holds.
    pub(super) fn on_entry(&self, state: &State, key: &Key) -> Option<Worth> {
        let known = self.known.get(key)?;
        let origin = Origin::Entry(known.term.clone()?);
        let sym = Sym(self.origins.iter().position(|o| *o == origin)? as u32);
        let overwritten = state.is_overwritten(key, &known.places, self.points_to);
        (!overwritten).then(|| Worth::of(sym, key.pointer))
    }

    /// The symbol for something.
    pub(super) fn sym(&mut self, origin: Origin) -> Sym {
        let at = self.origins.iter().position(|o| *o == origin).unwrap_or_else(|| {
            self.origins.push(origin);
            self.origins.len() - 1
        });
        Sym(at as u32)
    }
}
