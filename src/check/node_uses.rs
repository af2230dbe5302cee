//! What the code of one node does with an array by one of its names: what movement problems are made of ([`Events`]) says what may be used, the node's own accesses
//! say what surely is.
//!
//! ```c
//! for (int i = 0; i < n; i++)       // one node: reads at most and at least b[0:n], writes a[1:n] where `a[i + 1]` is written
//!     a[i + 1] = b[i];
//! ```

use super::steps::{StepAction, Used};
use crate::analysis::access::{Access, Footprint, SectionInLoops, comes_before, is_unconditional};
use crate::analysis::accesses::Accesses;
use crate::analysis::function::FunctionModel;
use crate::analysis::indirect::is_indirect;
use crate::analysis::movement::events::Events;
use crate::analysis::movement::problem::{Event, EventKind};
use crate::analysis::values::table::Base;
use crate::program::graph::{NodeId, NodeKind};
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use crate::syntax::StmtId;

/// A node, and a name.
pub struct NodeUses<'a> {
    pub model: &'a FunctionModel<'a>,
    pub accesses: &'a Accesses,
    /// What the code does with the name's family, a cell for each name.
    pub events: &'a Events,
    /// The name, by its place in the family.
    pub name: usize,
    pub base: Base,
    /// Bytes per element.
    pub element: u64,
    pub node: NodeId,
    /// The kernel that the node is; `None`: the host's code.
    pub launch: Option<usize>,
}

impl<'a> NodeUses<'a> {
    /// What happens to the array by this name.
    pub fn events(&self) -> impl Iterator<Item = &'a Event> + use<'a> {
        let name = self.name;
        self.events.events.at(self.node).iter().filter(move |e| e.cell == name)
    }

    /// The accesses to the array by its name.
    pub fn accesses(&self) -> Vec<&'a Access> {
        let is_ours = |a: &&Access| a.kernel == self.launch && a.at.as_ref().is_some_and(|at| at.base == self.base);
        self.accesses.at(self.node).into_iter().filter(is_ours).collect()
    }

    /// What is read. What stands in one statement with a call (`beside_call`) may be read before it or behind it.
    pub fn reads(&self, beside_call: bool) -> Vec<StepAction> {
        let read = |event: &EventKind| match event {
            EventKind::HostRead { may } if beside_call => Some(StepAction::HostRead(Used {
                may: elements(may),
                ..Used::default()
            })),
            EventKind::HostRead { may } => Some(StepAction::HostRead(self.read(may))),
            EventKind::Launch { reads, .. } => Some(StepAction::KernelRead(self.read(reads))),
            EventKind::HostWrite { .. } | EventKind::Free => None,
        };
        self.events().filter_map(|e| read(&e.kind)).collect()
    }

    /// Events say what may be read, and accesses what surely is, before anything is written there.
    fn read(&self, may: &SectionSet) -> Used {
        let (model, facts) = (self.model, Facts::new());
        let mut used = Used {
            may: elements(may),
            ..Used::default()
        };
        let own = self.accesses();
        let writes: Vec<&Access> = own.iter().filter(|a| a.writes).copied().collect();
        for read in own.iter().filter(|a| a.reads && !a.writes && !a.partial) {
            let footprint = self.footprint(read);
            used.anywhere |= self.is_anywhere(read, &footprint);
            for each in footprint.each {
                used.add_each(each, &facts);
            }
            // What is written there may be what is read: by the same statement it is not before.
            let is_apart = |w: &&Access| {
                let written = self.footprint(w).may;
                let after = w.at == read.at && !comes_before(model, w, read);
                after || written.provably_disjoint(&footprint.may, &facts)
            };
            if let Some(must) = footprint.must.filter(|_| writes.iter().all(is_apart)) {
                used.must = used.must.union_must(&SectionSet::Union(vec![must]), &facts);
            }
        }
        used
    }

    /// Whether no condition keeps what is written from being written.
    fn writes_unconditionally(&self) -> bool {
        let Some(stmt) = self.whole_statement() else {
            return false;
        };
        let accesses = self.accesses();
        let mut writes = accesses.iter().filter(|a| a.writes).peekable();
        if writes.peek().is_none() {
            // What functions write that a kernel calls is not followed.
            return self.launch.is_some() && !self.accesses.calls(self.node).is_empty();
        }
        writes.all(|w| is_unconditional(self.model, w, stmt))
    }

    /// What is written, and what ends.
    pub fn writes(&self) -> Vec<StepAction> {
        let (facts, unconditional) = (Facts::new(), self.writes_unconditionally());
        let union = |set: SectionSet, s: Section| set.union_must(&SectionSet::Union(vec![s]), &facts);
        let own = self.accesses().into_iter().filter(|a| a.writes && !a.partial);
        let own: Vec<(&Access, Footprint)> = own.map(|w| (w, self.footprint(w))).collect();
        let used = |may: &SectionSet, must: &[Section]| {
            let mut used = Used {
                may: elements(may),
                must: must.iter().cloned().fold(SectionSet::Empty, union),
                each: Vec::new(),
                anywhere: own.iter().any(|(w, reach)| self.is_anywhere(w, reach)),
                unconditional,
                by_other_callers: false,
            };
            let always = must.iter().cloned().map(SectionInLoops::always);
            for each in always.chain(own.iter().flat_map(|(_, reach)| reach.each.clone())) {
                used.add_each(each, &facts);
            }
            used
        };
        let written = |event: &EventKind| match event {
            EventKind::HostWrite { may, must } => Some(StepAction::HostWrite(used(may, must))),
            EventKind::Launch { may, must, .. } => Some(StepAction::KernelWrite(used(may, must))),
            EventKind::Free => Some(StepAction::Free),
            EventKind::HostRead { .. } => None,
        };
        self.events().filter_map(|e| written(&e.kind)).collect()
    }

    /// Whether an access names elements by subscripts that are read from memory, whatever these are.
    fn is_anywhere(&self, access: &Access, reach: &Footprint) -> bool {
        let stmt = self.whole_statement();
        let whatever = || stmt.is_none_or(|stmt| is_unconditional(self.model, access, stmt));
        reach.may.is_all() && is_indirect(self.model, access) && whatever()
    }

    /// The elements that an access touches over all loops of the node.
    fn footprint(&self, access: &Access) -> Footprint {
        self.accesses
            .footprint(self.model, access, self.element, self.whole_statement())
    }

    /// The statement that the node is as a whole, with all that it runs.
    fn whole_statement(&self) -> Option<StmtId> {
        match self.model.coarse.node(self.node).kind {
            NodeKind::Whole(stmt) => Some(stmt),
            _ => None,
        }
    }
}

/// Elements that may be used; all, where any may be.
fn elements(may: &SectionSet) -> SectionSet {
    match may.sections().contains(&all_elements()) {
        true => SectionSet::All,
        false => may.clone(),
    }
}

/// More elements than any array has, on both sides of where a pointer leads.
pub fn all_elements() -> Section {
    const MOST: i128 = 1 << 40;
    Section::new(Expr::constant(-MOST), Expr::constant(MOST))
}
