//! The steps of a function on what its callers know.
//!
//! A [`FunctionSteps`] is said in terms of what its function is called with ([`crate::analysis::callee_term`]). What
//! changes over a loop of the function means nothing to callers: of what may be used there all iterations together remain, and of what surely
//! is used what is so in each.
//!
//! **Limits.** Functions that call themselves have no such steps.

use super::collect::{CollectedArray, Collector};
use super::conditions::StepCondition;
use super::function_steps::{CalleeArray, FunctionSteps};
use super::step_graph::{Translation, UsingSide};
use super::steps::StepGraph;
use super::unlisted::unlisted;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::loop_symbols::FunctionTerms;
use crate::analysis::movement::problem::Terms;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::plan::inputs::Inputs;
use crate::plan::terms::{TermList, root_of};
use crate::program::graph::NodeId;
use crate::symbolic::{Comparison, Expr, Section, SectionSet};
use std::cell::RefCell;
use std::sync::Arc;

/// What is said in some loops, behind them.
struct BehindLoops<'a> {
    terms: &'a FunctionTerms<'a>,
    around: Vec<usize>,
}

impl Translation for BehindLoops<'_> {
    fn covering(&self, section: &Section, _: UsingSide) -> Option<Section> {
        let mut set = SectionSet::Union(vec![section.clone()]);
        for &of in self.around.iter().rev() {
            if set.sections().iter().any(|s| self.terms.varies(s, of)) {
                set = self.terms.widen(&set, of);
            }
        }
        match set {
            SectionSet::Union(list) => <[Section; 1]>::try_from(list).ok().map(|[one]| one),
            _ => None,
        }
    }
    fn exact(&self, section: &Section, _: UsingSide) -> Option<Section> {
        let varies = self.around.iter().any(|of| self.terms.varies(section, *of));
        (!varies).then(|| section.clone())
    }
    fn condition(&self, condition: &StepCondition) -> StepCondition {
        condition.clone()
    }
    fn number(&self, number: &Expr) -> Option<Expr> {
        Some(number.clone())
    }
}

/// What a function says, in the terms of what it is called with.
struct EntryTerms<'a> {
    inputs: &'a Inputs<'a>,
    terms: &'a RefCell<TermList>,
}

impl Translation for EntryTerms<'_> {
    fn covering(&self, section: &Section, side: UsingSide) -> Option<Section> {
        self.exact(section, side)
    }
    fn exact(&self, section: &Section, _: UsingSide) -> Option<Section> {
        self.terms.borrow_mut().section(self.inputs, section)
    }
    fn condition(&self, condition: &StepCondition) -> StepCondition {
        condition.in_terms(&|c| {
            Some(Comparison {
                number: self.terms.borrow_mut().number(self.inputs, &c.number)?,
                relation: c.relation,
            })
        })
    }
    fn number(&self, number: &Expr) -> Option<Expr> {
        self.terms.borrow_mut().number(self.inputs, number)
    }
}

/// An array that a function has made for its callers: the only allocation whose result it may return.
fn returned(model: &FunctionModel<'_>, base: Base) -> Option<CalleeTerm> {
    let Base::Value(sym) = base else { return None };
    let [made] = model.points_to.allocations(model.func)? else {
        return None;
    };
    let is_it = match model.values.kind(sym) {
        SymKind::Inst(inst) => inst == *made,
        SymKind::Slot(_, Version::Def(store)) => model.function().stored_to(store, *made).is_some(),
        _ => false,
    };
    is_it.then_some(CalleeTerm::Returned)
}

/// The steps of a function on what its callers know, of those that were collected.
pub fn summarised(inputs: &Inputs<'_>, collector: &Collector<'_>, arrays: &[CollectedArray]) -> FunctionSteps {
    let loops = collector.function_loops;
    let terms = RefCell::new(TermList::default());
    let (mut found, mut listed) = (Vec::new(), Vec::new());
    for array in arrays {
        let root = root_of(inputs, array.base);
        let Some(root) = root.or_else(|| returned(inputs.model, array.base)) else {
            continue;
        };
        listed.push(array.base);
        // By a name that passes objects on an object may be used of which nothing is said here, unless something is said of all.
        let of_family = arrays.iter().filter(|other| other.names == array.names);
        if of_family.clone().all(|other| root_of(inputs, other.base).is_some()) {
            listed.extend(&array.names);
        }
        let mut graph = StepGraph::clone(&array.graph);
        for node in &mut graph.nodes {
            let around = loops.around(NodeId(node.origin as u32));
            let behind = BehindLoops {
                terms: loops.terms,
                around,
            };
            *node = node.in_terms(&behind);
        }
        let graph = graph.mapped(&EntryTerms { inputs, terms: &terms }).compressed();
        if !graph.is_empty() {
            found.push(CalleeArray {
                root,
                element: array.element,
                locs: array.locs.clone(),
                graph: Arc::new(graph),
            });
        }
    }
    FunctionSteps {
        terms: terms.into_inner().into_list(),
        arrays: found,
        unlisted: unlisted(collector, &listed),
    }
}
