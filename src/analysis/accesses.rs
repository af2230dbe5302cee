//! All accesses of a function, grouped by coarse node, with their footprints computed once.
//!
//! Every candidate residency asks for the same accesses and footprints: these do not depend on where it would be.

use super::access::{self, Access, Footprint};
use super::function::FunctionModel;
use crate::program::graph::NodeId;
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What a footprint depends on: the access, the element's size, and the statement over whose loops it is taken.
type Question = (u32, u64, Option<StmtId>);

/// The accesses of one function.
pub struct Accesses {
    list: Vec<Access>,
    /// Indices into `list` by coarse node.
    at: Vec<Vec<usize>>,
    footprints: RefCell<FxHashMap<Question, Footprint>>,
}

impl Accesses {
    /// Lists and groups them.
    pub fn of(model: &FunctionModel<'_>) -> Accesses {
        let list = access::accesses(model);
        let mut at = vec![Vec::new(); model.coarse.nodes.len()];
        for (i, a) in list.iter().enumerate() {
            if let Some(node) = model.coarse_of(a.node) {
                at[node.0 as usize].push(i);
            }
        }
        Accesses {
            list,
            at,
            footprints: RefCell::default(),
        }
    }

    /// All of them, in the order of the IR.
    pub fn iter(&self) -> impl Iterator<Item = &Access> {
        self.list.iter()
    }

    /// Those of a coarse node.
    pub fn at(&self, node: NodeId) -> Vec<&Access> {
        self.at[node.0 as usize].iter().map(|i| &self.list[*i]).collect()
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
