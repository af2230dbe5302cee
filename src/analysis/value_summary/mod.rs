//! What a function surely leaves in its caller's variables, and what it returns, in terms of what it is called with.
//!
//! ```c
//! void swap(double **left, double **right) { double *keep = *left; *left = *right; *right = keep; }
//! swap(&from, &to);                           /* from is what to was before the call, and to what from was     */
//! int make(double **low, double **high, int n) { *low = malloc(…); *high = *low + n; … }
//! make(&a, &b, m);                            /* whatever a is afterwards, b is a + m                          */
//! ```
//!
//! **How.** The function's instructions are run once on abstract memory (`run`), branches joined, loops until nothing
//! changes. A *cell* is memory that is reached from a parameter or a global by constant steps; its value is an
//! expression over what the parameters and cells hold on entry ([`CalleeTerm`]), or unknown. Callees come first, so that
//! their summaries are used for calls.
//!
//! **What it rests on.** Cells that different pointers lead to are taken to be different memory. The summary lists all
//! that it reads or writes, and whoever uses it has to show for a call that what is written lies apart from the rest:
//! `swap(&a, &a)` has no use for it ([`crate::analysis::values::calls`]). All other memory that the function may
//! write, by pointers that are not followed, is known from points-to sets, and kills what it may overlap.
//!
//! **Non-goals.** Functions with directives (a thread may run a part of them twice, or on a copy), recursion, definitions
//! that another file may replace, elements of arrays, values that depend on a condition.

mod call;
mod cells;
mod run;
mod state;
mod step;
mod sweeps;
#[cfg(test)]
mod tests;

use super::callee_term::CalleeTerm;
use super::effects::{Effects, LocSet};
use super::points_to::PointsTo;
use crate::program::ir::{Callee, FuncId, InstId, Module, Op, Operand};
use crate::symbolic::{Expr, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Larger functions are left alone.
const MAX_INSTRUCTIONS: usize = 600;

/// Summaries of the functions that have one.
pub type ValueSummaries = FxHashMap<FuncId, Arc<ValueSummary>>;

/// A value, over the atoms of a summary: `Sym(i)` is the `i`-th.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Worth {
    /// An integer.
    Int(Expr),
    /// A pointer.
    Ptr {
        /// From where it counts.
        base: Sym,
        /// How many bytes.
        offset: Expr,
    },
}

impl Worth {
    /// What a symbol is worth.
    fn of(sym: Sym, pointer: bool) -> Worth {
        if pointer {
            Worth::Ptr {
                base: sym,
                offset: Expr::zero(),
            }
        } else {
            Worth::Int(Expr::sym(sym))
        }
    }

    /// Whether a symbol is part of it.
    fn mentions(&self, sym: Sym) -> bool {
        match self {
            Worth::Int(e) => e.mentions(sym),
            Worth::Ptr { base, offset } => *base == sym || offset.mentions(sym),
        }
    }

    /// The symbol that it is, if it is no more than that.
    fn as_sym(&self) -> Option<Sym> {
        match self {
            Worth::Int(e) => e.as_sym(),
            Worth::Ptr { base, offset } => offset.is_zero().then_some(*base),
        }
    }

    /// What the value becomes where symbols are worth something else; nothing where one of them has no value of its
    /// kind.
    fn map(&self, to: &mut dyn FnMut(Sym) -> Option<Worth>) -> Option<Worth> {
        let int = |to: &mut dyn FnMut(Sym) -> Option<Worth>, e: &Expr| {
            e.map_syms(&mut |s| match to(s)? {
                Worth::Int(e) => Some(e),
                Worth::Ptr { .. } => None,
            })
        };
        Some(match self {
            Worth::Int(e) => Worth::Int(int(to, e)?),
            Worth::Ptr { base, offset } => match to(*base)? {
                Worth::Ptr { base, offset: more } => Worth::Ptr {
                    base,
                    offset: int(to, offset)?.add(&more)?,
                },
                Worth::Int(_) => return None,
            },
        })
    }
}

/// What values are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueAtom {
    /// What this is worth on entry; for [`CalleeTerm::Storage`] its address.
    Entry(CalleeTerm),
    /// What this cell holds on return: something that has no other name.
    Left(usize),
}

/// Memory of the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SummaryCell {
    /// What leads to it: a global or a member.
    pub term: CalleeTerm,
    /// How many bytes it has.
    pub size: u64,
    /// The cell is read and written as a pointer.
    pub pointer: bool,
    /// The function may write it.
    pub written: bool,
    /// The cell belongs to a structure that is passed by value: the function reads a copy.
    pub copied: bool,
    /// What it surely holds on return, where it is written.
    pub value: Option<Worth>,
}

/// What is known of a function's values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ValueSummary {
    /// What the symbols stand for.
    pub atoms: Vec<ValueAtom>,
    /// All that it reads or writes by a name, pointers on the way included.
    pub cells: Vec<SummaryCell>,
    /// What it returns.
    pub returned: Option<Worth>,
    /// Where else it may write; `None`: anywhere.
    pub elsewhere: Option<LocSet>,
}

impl ValueSummary {
    /// Everything that it names.
    pub fn named(&self) -> impl Iterator<Item = &CalleeTerm> {
        self.cells.iter().map(|c| &c.term)
    }

    /// Whether it says anything.
    fn says_something(&self) -> bool {
        let mut written = self.cells.iter().filter(|c| c.written);
        self.returned.is_some() || written.any(|c| c.value.is_some() || self.elsewhere.is_some())
    }
}

/// Summarises those of the functions that it may, callees first. `plain` says which functions run as their instructions
/// stand there, once and by one thread.
pub fn summarise(
    module: &Module,
    points_to: &PointsTo,
    effects: &Effects<'_>,
    wanted: &FxHashSet<FuncId>,
    plain: &dyn Fn(FuncId) -> bool,
) -> ValueSummaries {
    let mut summaries = ValueSummaries::default();
    let graph = points_to.call_graph();
    let straight = graph
        .circles()
        .iter()
        .flatten()
        .filter(|id| !graph.recursive_inside(**id));
    for &id in straight {
        let function = module.function(id);
        let small = function.insts.len() <= MAX_INSTRUCTIONS;
        if function.declaration || function.replaceable || !small || !wanted.contains(&id) || !plain(id) {
            continue;
        }
        let made = run::FunctionRun::new(module, points_to, effects, &summaries, id).summary();
        if let Some(summary) = made.filter(ValueSummary::says_something) {
            summaries.insert(id, Arc::new(summary));
        }
    }
    summaries
}

/// The summary that holds for a call: of the one function that it can call.
pub fn at<'s>(
    summaries: &'s ValueSummaries,
    module: &Module,
    points_to: &PointsTo,
    func: FuncId,
    inst: InstId,
) -> Option<&'s ValueSummary> {
    let Op::Call {
        callee: Callee::Direct(callee),
        args,
    } = &module.function(func).inst(inst).op
    else {
        return None;
    };
    let targets = points_to.call_targets(func, inst);
    let only = !targets.unknown && targets.callbacks.is_empty() && targets.known.iter().eq([callee]);
    let fits = args.len() == module.function(*callee).params.len();
    let summary = summaries.get(callee).filter(|_| only && fits)?;
    Some(summary)
}

/// Whether a parameter is a pointer to a copy that the call has made of a structure.
fn is_copy(module: &Module, func: FuncId, arg: &Operand) -> bool {
    matches!(arg, Operand::Arg(n) if module.function(func).copied_record(*n).is_some())
}
