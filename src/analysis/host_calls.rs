//! Calls of functions that use arrays on the host, with their summaries in the caller's terms.

use super::at_call::AtCall;
use super::called::called;
use super::function::FunctionModel;
use super::host_summary::HostSummary;
use super::values::table::Base;
use crate::program::graph::NodeKind;
use crate::program::ir::{FuncId, InstId};
use crate::program::objects::MemLoc;
use crate::symbolic::{Expr, Section, SectionSet, Summand};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Summaries of the functions that a function calls.
pub type HostSummaries = FxHashMap<FuncId, Arc<HostSummary>>;

/// An array that a call uses, as the caller names it.
#[derive(Clone, Debug)]
pub struct HostCallUse {
    /// The array; `None` where the caller has no name for it.
    pub base: Option<Base>,
    /// Bytes per element.
    pub element: u64,
    /// Where it may be, over all calls.
    pub locs: Vec<MemLoc>,
    /// What may be read.
    pub reads: SectionSet,
    /// What may be written.
    pub writes: SectionSet,
    /// What surely is written.
    pub must: Vec<Section>,
    /// What is surely written whenever a call in a loop runs that counts as one statement.
    pub each_time: Vec<Section>,
    /// What surely is read, so that it exists.
    pub surely_read: Vec<Section>,
}

/// A call that is understood.
#[derive(Clone, Debug)]
pub struct HostCall {
    /// The call.
    pub inst: InstId,
    /// Arrays by name.
    pub uses: Vec<HostCallUse>,
    /// Whatever else it touches.
    pub others: Vec<MemLoc>,
}

impl HostCallUse {
    /// What any iteration of a statement does, of what one call does.
    fn repeat(&mut self, model: &FunctionModel<'_>, stmt: StmtId) {
        let is_one = |s: &Section| {
            let mut symbols = s.lo.symbols().into_iter().chain(s.hi.symbols());
            symbols.all(|sym| !model.gets_value_in(sym, stmt)) && !s.lo.has_opaque() && !s.hi.has_opaque()
        };
        for set in [&mut self.reads, &mut self.writes] {
            if let SectionSet::Union(sections) = set
                && !sections.iter().all(is_one)
            {
                *set = SectionSet::All;
            }
        }
        self.each_time = std::mem::take(&mut self.must);
        self.surely_read.clear();
    }
}

/// The calls of a function's host code that are understood, outside of what directives make threads run. Of those in loops that count
/// as one statement it is said what no iteration goes beyond.
pub fn calls(model: &FunctionModel<'_>, summaries: &HostSummaries) -> Vec<HostCall> {
    let function = model.function();
    let mut found = Vec::new();
    for inst in function.inst_ids() {
        let Some(called) = called(model.module, model.points_to, model.func, inst) else {
            continue;
        };
        let known: Option<Vec<_>> = called.functions.iter().map(|f| summaries.get(f)).collect();
        let Some(known) = known else { continue };
        let node = model.attachment.node_of[inst.0 as usize].and_then(|fine| model.coarse_of(fine));
        let Some(node) = node else { continue };
        let repeated = model.collapsed_loop(node);
        if repeated.is_none() && matches!(model.coarse.node(node).kind, NodeKind::Whole(_)) {
            continue;
        }
        let each = called.functions.iter().zip(&known).flat_map(|(callee, summary)| {
            let call = AtCall {
                model,
                terms: &summary.terms,
                callee: *callee,
                inst,
                args: called.args,
            };
            let runs = match repeated {
                Some(_) => call.runs_with_its_node(),
                None => call.surely_runs(),
            };
            uses(&call, summary, called.is_one() && runs)
        });
        let mut uses: Vec<HostCallUse> = each.collect();
        if let Some(repeated) = repeated {
            uses.iter_mut().for_each(|used| used.repeat(model, repeated));
        }
        found.push(HostCall {
            inst,
            uses,
            others: known.iter().flat_map(|summary| &summary.others).copied().collect(),
        });
    }
    found
}

/// A summary's arrays at a call, which surely runs the function and no other one, or may do so.
pub fn uses(call: &AtCall<'_>, summary: &HostSummary, runs: bool) -> Vec<HostCallUse> {
    let mut found = Vec::new();
    for u in &summary.uses {
        let (each, one) = call.on_host(&u.root, u.element);
        found.extend(each.into_iter().map(|reached| {
            let known = reached.as_ref().filter(|_| runs && one);
            let written = |s: &Section| call.section(s, known?);
            // Where a number grows in the callee's type (a size that is negative here), more is read than is said if the end
            // grows with it, and the start does not.
            let grows = |e: &Expr| {
                let rises = |t: &Summand| t.monomial.is_one() || (t.monomial.degree() == 1 && t.coeff > 0);
                e.has_plain_symbols() && e.terms().iter().all(rises)
            };
            let read = |s: &Section| match s.lo.as_constant().is_some() && grows(&s.hi) {
                true => call.mapped(s, known?),
                false => call.section(s, known?),
            };
            HostCallUse {
                base: reached.as_ref().map(|r| r.base),
                element: u.element,
                locs: u.locs.clone(),
                reads: call.set(&u.reads, reached.as_ref()),
                writes: call.set(&u.writes, reached.as_ref()),
                must: u.must.iter().filter_map(written).collect(),
                each_time: Vec::new(),
                surely_read: u.surely_read.iter().filter_map(read).collect(),
            }
        }));
    }
    found
}
