//! How symbols behave over loops and places: the loops of the coarse graph, and the answers to [`Terms`].

use super::problem::{ExpandedLoops, LoopFacts, Terms};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::loop_info::varies_in;
use crate::program::graph::{NodeId, Place};
use crate::program::in_loops::{in_loop, merge_node, nodes_in_loop};
use crate::symbolic::{Facts, Section, SectionSet};
use crate::syntax::{StmtId, StmtKind};

/// Expanded loops of the coarse graph, outermost first.
pub fn loops_of(model: &FunctionModel<'_>) -> (ExpandedLoops, Vec<(NodeId, StmtId)>) {
    let mut loops = Vec::new();
    let mut headers = Vec::new();
    for id in model.tree.loops_of(model.tree_function) {
        let stmt = model.tree.stmt(id);
        let Some(header) = merge_node(model.tree, model.coarse, id) else {
            continue;
        };
        let info = model.loops.get(id);
        let runs = matches!(stmt.kind, StmtKind::DoWhile { .. }) || info.is_some_and(|l| l.runs(&Facts::new()));
        loops.push(LoopFacts {
            header,
            nodes: nodes_in_loop(model.tree, model.coarse, id).into(),
            gap_before: model.coarse.gap(Place::Before(id)),
            runs,
        });
        headers.push((header, id));
    }
    (loops.into(), headers)
}

/// Answers the problem's questions about symbols.
pub struct FunctionTerms<'a> {
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// Statement of each loop index.
    pub loops: Vec<StmtId>,
    /// Facts under which hulls are taken.
    pub facts: Facts,
    /// Facts that are certain where something is mapped.
    pub certain: Facts,
    /// Elements that may be copied: the mapped extent.
    pub extent: Section,
    /// Whether a section surely lies in the object at a gap, and all of that is mapped.
    pub in_object: &'a dyn Fn(&Section, NodeId) -> bool,
    /// Whether every symbol of a section has a name at a gap.
    pub nameable: &'a dyn Fn(&Section, NodeId) -> bool,
}

impl Terms for FunctionTerms<'_> {
    fn widen(&self, set: &SectionSet, loop_index: usize) -> SectionSet {
        let stmt = self.loops[loop_index];
        let mut facts = self.facts.clone();
        let (induction, monotone) = match self.model.loops.get(stmt) {
            Some(l) => (l.induction.as_ref(), l.monotone.as_ref()),
            None => (None, None),
        };
        let mut widened = SectionSet::Empty;
        if set.is_all() {
            return SectionSet::All;
        }
        for s in set.sections() {
            let mut section = Some(s.clone());
            if let Some(ind) = induction
                && s.mentions(ind.sym)
            {
                facts.assume_le(&ind.lo, &ind.hi);
                let one = crate::symbolic::Expr::constant(1);
                section = s.over_loop(ind.sym, &ind.lo, &ind.hi, &one, &facts);
            }
            if let Some(m) = monotone {
                section = section.and_then(|s| m.sweep(&s, &facts));
            }
            match section {
                Some(s) if !self.varies(&s, loop_index) => {
                    widened = widened.union(&SectionSet::Union(vec![s]), &self.facts);
                }
                _ => return SectionSet::All,
            }
        }
        widened
    }

    fn varies(&self, section: &Section, loop_index: usize) -> bool {
        let stmt = self.loops[loop_index];
        symbols(section).any(|s| varies_in(self.model.tree, self.model.values, s, stmt))
    }

    fn at_first(&self, section: &Section, loop_index: usize) -> Option<Section> {
        let monotone = self.model.loops.get(self.loops[loop_index])?.monotone.as_ref()?;
        let first = monotone.at_first(section, &self.facts)?;
        (!self.varies(&first, loop_index)).then_some(first)
    }

    fn defined_at(&self, section: &Section, node: NodeId) -> bool {
        symbols(section).any(|s| {
            let at = self.model.values.defined_at(s);
            self.model.coarse_of(at) == Some(node) && node != crate::program::graph::FlowGraph::ENTRY
        })
    }

    fn ordered(&self, section: &Section) -> bool {
        self.certain.prove_le(&section.lo, &section.hi)
    }

    fn printable(&self, section: &Section, gap: NodeId) -> bool {
        (*section == self.extent || self.is_inside(section, gap)) && (self.nameable)(section, gap)
    }
}

impl FunctionTerms<'_> {
    /// Whether all of a section is mapped, or nothing. Of one that is mapped in part the runtime copies nothing. An index of a
    /// loop lies in its range only inside of the loop.
    fn is_inside(&self, section: &Section, gap: NodeId) -> bool {
        let place = self.model.coarse.node(gap).kind;
        let outlived = |stmt: &StmtId| {
            let induction = self.model.loops.get(*stmt).and_then(|l| l.induction.as_ref());
            !in_loop(self.model.tree, place, *stmt) && induction.is_some_and(|i| section.mentions(i.sym))
        };
        let extent = &self.extent;
        let proved =
            || self.certain.prove_le(&extent.lo, &section.lo) && self.certain.prove_le(&section.hi, &extent.hi);
        section.len().and_then(|l| l.as_constant()) == Some(1)
            || !self.loops.iter().any(outlived) && proved()
            || (self.in_object)(section, gap)
    }
}

/// The symbols of both ends.
pub(super) fn symbols(section: &Section) -> impl Iterator<Item = crate::symbolic::Sym> + use<> {
    let mut all = section.lo.symbols();
    all.extend(section.hi.symbols());
    all.into_iter()
}
