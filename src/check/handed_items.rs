//! The list items of functions on what callers hand them: who walks them, and who comes by of whom nothing is known.
//!
//! ```c
//! static void step(double *v, int n) { kernel on v[0:n] }
//! step(a, n);                          // walked with a
//! step(unknown(), n);                  // walked with nothing: so nothing is said of the kernel's copies
//! ```

use super::collect::CollectedArray;
use super::stale::StepId;
use super::steps::{StepAction, StepGraph};
use super::transfers::TransferRecords;
use crate::analysis::points_to::PointsTo;
use crate::program::ir::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The list items of one function, and of those that it calls, on an array that its callers hand it.
#[derive(Default, Debug)]
struct ItemsOfArray {
    /// The function's own steps: list items, and calls.
    own: BTreeSet<StepId>,
    /// All list items.
    all: BTreeSet<StepId>,
}

/// The list items of all functions that were looked at, on what callers hand them.
#[derive(Default, Debug)]
pub struct HandedItems {
    by_function: FxHashMap<FuncId, Vec<ItemsOfArray>>,
    looked_at: FxHashSet<FuncId>,
}

impl HandedItems {
    /// The items of a function on an array that its callers hand it.
    pub fn add(&mut self, func: FuncId, graph: &StepGraph) {
        self.by_function.entry(func).or_default().push(ItemsOfArray {
            own: graph.own_items().into_iter().collect(),
            all: graph.items().into_iter().collect(),
        });
    }

    /// A function was looked at, with its arrays: what of its callees' items none of them walks, nothing is known of.
    pub fn looked(&mut self, func: FuncId, arrays: &[CollectedArray], at: &PointsTo, records: &mut TransferRecords) {
        self.looked_at.insert(func);
        let mut walked: BTreeMap<StepId, BTreeSet<StepId>> = BTreeMap::new();
        for step in arrays.iter().flat_map(|a| &a.graph.nodes).flat_map(|node| &node.steps) {
            if let StepAction::Call(graphs) = &step.action {
                let called = graphs.iter().flat_map(|graph| graph.own_items());
                for item in called {
                    walked.entry(item).or_default().insert(step.id);
                }
            }
        }
        for (callee, arrays) in &self.by_function {
            let calls = at.callers(*callee).iter().filter(|site| site.func == func).count();
            let is_walked = |item: &StepId| walked.get(item).is_some_and(|by| by.len() >= calls);
            for items in arrays {
                if calls > 0 && !items.own.iter().all(is_walked) {
                    items.all.iter().for_each(|item| records.give_up(*item));
                }
            }
        }
    }

    /// All functions were looked at, but for those that could not be.
    pub fn finished(&self, at: &PointsTo, records: &mut TransferRecords) {
        for (func, arrays) in &self.by_function {
            let mut callers = at.callers(*func).iter();
            if at.has_unseen_callers(*func) || callers.any(|site| !self.looked_at.contains(&site.func)) {
                let all = arrays.iter().flat_map(|items| &items.all);
                all.for_each(|item| records.give_up(*item));
            }
        }
    }
}
