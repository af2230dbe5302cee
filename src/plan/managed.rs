//! What functions manage by hand for their callers: `target update` and its like in a callee.
//!
//! ```c
//! void push(double *v, int n) { … #pragma omp target update to(v[0:n]) … }     /* nothing, where `v` is not present */
//! ```
//!
//! The directive touches no memory as the IR has it, and starts no kernel. Over a call of `push` a residency of `v`
//! must not span all the same: it would make the directive copy, and what it copies may be older than what it
//! overwrites.

use super::file::FileFacts;
use crate::analysis::function::ByHand;
use crate::analysis::hidden;
use crate::analysis::points_to::PointsTo;
use crate::openmp::Item;
use crate::program::constructs::Constructs;
use crate::program::ir::{Callee, FuncId, Inst, Module, Op, VarId};
use crate::program::objects::{MemLoc, ObjectId};
use crate::source::Span;
use crate::syntax::identifiers;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What each function, with all that it calls, manages with directives that stand alone.
pub(super) fn by_hand(
    files: &[FileFacts<'_>],
    module: &Module,
    points_to: &PointsTo,
    places: &FxHashMap<FuncId, (usize, usize)>,
    constructs: &BTreeMap<FuncId, Constructs>,
) -> ByHand {
    let own = |id: FuncId| -> Option<Vec<MemLoc>> {
        let function = module.function(id);
        let routine = |inst: &Inst| match &inst.op {
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => is_device_routine(&module.function(*callee).name),
            _ => false,
        };
        if function.insts.iter().any(routine) {
            return None;
        }
        let Some((at, f)) = places.get(&id) else {
            return (function.directives == 0).then(Vec::new);
        };
        let found = &constructs[&id];
        let tree = files[*at].tree;
        if hidden::has_more(tree, function, *f) || hidden::uses_pragma_macros(files[*at].text, tree, *f) {
            return None;
        }
        let alone = found.user_data.iter().filter(|u| u.stmt.is_none());
        if !found.problems.is_empty() {
            return None;
        }
        let items = alone
            .flat_map(|u| &u.items)
            .map(|item| led_to(module, points_to, id, item));
        let all: Option<Vec<Vec<MemLoc>>> = items.collect();
        Some(all?.into_iter().flatten().collect())
    };
    let mut all = ByHand::default();
    let graph = points_to.call_graph();
    for circle in graph.circles() {
        let mut found: Option<Vec<MemLoc>> = Some(Vec::new());
        let mut add = |more: Option<&[MemLoc]>| match (&mut found, more) {
            (Some(found), Some(more)) => found.extend_from_slice(more),
            _ => found = None,
        };
        for func in circle.iter().filter(|f| !module.function(**f).declaration) {
            add(own(*func).as_deref());
            for callee in graph.callees(func.0 as usize) {
                if let Some(below) = all.get(&FuncId(*callee as u32)) {
                    add(below.as_deref());
                }
            }
        }
        if let Some(found) = &mut found {
            found.sort_unstable();
            found.dedup();
        }
        if found.as_ref().is_none_or(|locs| !locs.is_empty()) {
            all.extend(circle.iter().map(|f| (*f, found.clone())));
        }
    }
    all
}

/// What the data directives of all functions lead to; `None`: perhaps anything.
pub(super) fn used_by_hand(
    program: (&Module, &PointsTo),
    constructs: &BTreeMap<FuncId, Constructs>,
    alone: &ByHand,
) -> Option<FxHashSet<ObjectId>> {
    if alone.values().any(Option::is_none) {
        return None;
    }
    let mut found = FxHashSet::default();
    for (id, constructs) in constructs {
        for data in &constructs.user_data {
            if data.names.is_empty() {
                return None;
            }
            for item in &data.items {
                found.extend(led_to(program.0, program.1, *id, item)?.iter().map(|l| l.object));
            }
        }
    }
    Some(found)
}

/// Whether a routine of the runtime manages device memory, or says which device is meant.
pub(super) fn is_device_routine(name: &str) -> bool {
    name.starts_with("omp_target_")
        || name.starts_with("omp_pause_resource")
        || ["omp_set_default_device", "omp_get_mapped_ptr"].contains(&name)
}

/// All that the variables of an item lead to; `None` where one of them is not known.
pub(super) fn led_to(module: &Module, points_to: &PointsTo, func: FuncId, item: &Item) -> Option<Vec<MemLoc>> {
    let function = module.function(func);
    let words = identifiers(item.text.as_bytes(), Span::new(0, item.text.len()));
    let roots: Vec<String> = match item.unparsed {
        true => words.into_iter().map(|(word, _)| word).collect(),
        false => vec![item.path.base.clone()],
    };
    let mut work: Vec<MemLoc> = Vec::new();
    for root in roots {
        let own = function.variables.iter().enumerate().filter(|(_, v)| v.name == root);
        for (index, variable) in own {
            work.extend_from_slice(points_to.of_variable(module, func, VarId(index as u32)));
            let storage = variable.alloca.and_then(|alloca| points_to.local(func, alloca));
            work.extend(storage.map(MemLoc::whole));
        }
        let globals = module.globals_named(function.unit, &function.name, &root).into_iter();
        work.extend(globals.filter_map(|g| points_to.global(g)).map(MemLoc::whole));
    }
    if work.is_empty() {
        return None;
    }
    let mut found: FxHashSet<ObjectId> = FxHashSet::default();
    while let Some(loc) = work.pop() {
        if found.insert(loc.object) {
            let behind = points_to.contents(MemLoc::whole(loc.object));
            work.extend(behind.iter().map(|l| MemLoc::whole(l.object)));
        }
    }
    let mut found: Vec<MemLoc> = found.into_iter().map(MemLoc::whole).collect();
    found.sort_unstable();
    Some(found)
}
