//! All accesses and calls of a function, grouped by coarse node, with the footprints of accesses computed once.
//!
//! Every candidate residency asks for the same accesses and footprints: these do not depend on where it would be.

use super::access::{self, Access, Footprint};
use super::function::FunctionModel;
use super::written_in_branches::join_branches;
use crate::program::graph::NodeId;
use crate::program::ir::{InstId, Op};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What a footprint depends on: the access, the element's size, and the statement over whose loops it is taken.
type FootprintKey = (u32, u64, Option<StmtId>);

/// The accesses of one function.
pub struct Accesses {
    list: Vec<Access>,
    /// Indices into `list` by coarse node.
    at: Vec<Vec<usize>>,
    /// Indices into `list` by fine node.
    at_fine: FxHashMap<NodeId, Vec<usize>>,
    /// Indices into `list`.
    of_inst: FxHashMap<InstId, Vec<usize>>,
    /// By coarse node.
    calls: Vec<Vec<InstId>>,
    footprints: RefCell<FxHashMap<FootprintKey, Footprint>>,
}

impl Accesses {
    /// Lists and groups them.
    pub fn of(model: &FunctionModel<'_>) -> Accesses {
        let mut list = access::accesses(model);
        join_branches(model, &mut list);
        let mut at = vec![Vec::new(); model.coarse.nodes.len()];
        let (mut at_fine, mut of_inst) = (FxHashMap::default(), FxHashMap::default());
        for (i, a) in list.iter().enumerate() {
            at_fine.entry(a.node).or_insert_with(Vec::new).push(i);
            of_inst.entry(a.inst).or_insert_with(Vec::new).push(i);
            if let Some(node) = model.coarse_of(a.node) {
                at[node.0 as usize].push(i);
            }
        }
        let calls = model.coarse.ids().map(|node| calls_at(model, node)).collect();
        Accesses {
            list,
            at,
            at_fine,
            of_inst,
            calls,
            footprints: RefCell::default(),
        }
    }

    /// All of them, in the order of the IR.
    pub fn iter(&self) -> impl Iterator<Item = &Access> {
        self.list.iter()
    }

    /// The accesses of a coarse node.
    pub fn at(&self, node: NodeId) -> Vec<&Access> {
        self.at[node.0 as usize].iter().map(|i| &self.list[*i]).collect()
    }

    /// The accesses of some instructions and of a fine node, in the order of the IR.
    pub fn among(&self, insts: impl Iterator<Item = InstId>, fine: Option<NodeId>) -> Vec<&Access> {
        let at_node = fine.and_then(|n| self.at_fine.get(&n));
        let of_insts = insts.filter_map(|i| self.of_inst.get(&i));
        let mut found: Vec<usize> = of_insts.chain(at_node).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|i| &self.list[i]).collect()
    }

    /// The accesses of an instruction, in the order of the IR.
    pub fn of_inst(&self, inst: InstId) -> impl Iterator<Item = &Access> {
        let found = self.of_inst.get(&inst);
        found.into_iter().flatten().map(|i| &self.list[*i])
    }

    /// The instructions of a coarse node that call something, or do to memory what no access says.
    pub fn calls(&self, node: NodeId) -> &[InstId] {
        &self.calls[node.0 as usize]
    }

    /// Whether a coarse node neither accesses anything nor calls.
    pub fn is_quiet(&self, node: NodeId) -> bool {
        let at = node.0 as usize;
        self.at[at].is_empty() && self.calls[at].is_empty()
    }

    /// [`access::footprint`], remembered.
    pub fn footprint(
        &self,
        model: &FunctionModel<'_>,
        access: &Access,
        size: u64,
        within: Option<StmtId>,
    ) -> Footprint {
        let question = (access.id, size, within);
        if let Some(known) = self.footprints.borrow().get(&question) {
            return known.clone();
        }
        let found = access::footprint(model, access, size, within);
        self.footprints.borrow_mut().insert(question, found.clone());
        found
    }
}

fn calls_at(model: &FunctionModel<'_>, node: NodeId) -> Vec<InstId> {
    let insts = |fine: &NodeId| &model.attachment.insts_of[fine.0 as usize];
    let insts = model.fine_of(node).iter().flat_map(insts).copied();
    let calls = insts.filter(|inst| match model.function().inst(*inst).op {
        Op::Call { .. } => !model.copies_bytes(*inst),
        Op::Other { touches_memory, .. } => touches_memory,
        // What others do there.
        _ => model.effects.others_act_at(model.func, *inst),
    });
    calls.collect()
}
