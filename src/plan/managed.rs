//! What functions have to do with on the device without touching it: what they manage by hand for their callers (`target update` and its
//! like in a callee), and what their kernels and regions map.
//!
//! ```c
//! void push(double *v, int n) { … #pragma omp target update to(v[0:n]) … }     /* nothing, where `v` is not present */
//! ```
//!
//! The directive touches no memory as the IR has it, and starts no kernel. Over a call of `push` a residency of `v`
//! must not span all the same: it would make the directive copy, and what it copies may be older than what it
//! overwrites. A kernel that maps more than a residency holds, used or not, ends the program.

use super::file::FileFacts;
use crate::analysis::hidden;
use crate::analysis::item_places::{DevicePlaces, ItemScope};
use crate::analysis::points_to::PointsTo;
use crate::openmp::Item;
use crate::program::constructs::Constructs;
use crate::program::ir::{Callee, FuncId, Inst, Module, Op};
use crate::program::objects::{MemLoc, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What the functions of a program are read from.
#[derive(Clone, Copy)]
pub(super) struct DirectivesInText<'a, 'f> {
    /// The files.
    pub(super) files: &'a [FileFacts<'f>],
    /// The IR.
    pub(super) module: &'a Module,
    /// Points-to sets.
    pub(super) points_to: &'a PointsTo,
    /// Where functions stand in the texts.
    pub(super) places: &'a FxHashMap<FuncId, (usize, usize)>,
    /// What directives functions have.
    pub(super) constructs: &'a BTreeMap<FuncId, Constructs>,
}

impl DirectivesInText<'_, '_> {
    /// What each function, with all that it calls, manages with directives that stand alone.
    pub(super) fn by_hand(&self) -> DevicePlaces {
        self.with_callees(&|id| {
            let calls_routine = |inst: &Inst| match &inst.op {
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => is_device_routine(&self.module.function(*callee).name),
                _ => false,
            };
            if self.module.function(id).insts.iter().any(calls_routine) {
                return None;
            }
            let directives = self.visible(id)?.into_iter().flat_map(|c| &c.user_data);
            let alone = directives.filter(|u| u.stmt.is_none());
            let led_to = alone.flat_map(|u| &u.items).map(|item| self.scope(id).led_to(item));
            Some(led_to.collect::<Option<Vec<_>>>()?.concat())
        })
    }

    /// What each function, with all that it calls, maps on kernels and regions.
    pub(super) fn maps(&self) -> DevicePlaces {
        self.with_callees(&|id| {
            let items = self.visible(id)?.into_iter().flat_map(mapping_items);
            let mapped = items.map(|item| self.scope(id).mapped(item));
            Some(mapped.collect::<Option<Vec<_>>>()?.concat())
        })
    }

    fn scope(&self, func: FuncId) -> ItemScope<'_> {
        ItemScope {
            module: self.module,
            points_to: self.points_to,
            macros: &self.files[self.places[&func].0].macros,
            func,
        }
    }

    /// The constructs of a function, if it has a text; `None` where it may have directives that its text does not show.
    fn visible(&self, id: FuncId) -> Option<Option<&Constructs>> {
        let function = self.module.function(id);
        let Some((at, f)) = self.places.get(&id) else {
            return (function.directives == 0).then_some(None);
        };
        let (file, found) = (&self.files[*at], &self.constructs[&id]);
        let hides = hidden::has_more(file.tree, function, *f) || hidden::uses_pragma_macros(file.text, file.tree, *f);
        (!hides && found.problems.is_empty()).then_some(Some(found))
    }

    /// What functions have to do with themselves, and in all that they call.
    fn with_callees(&self, own: &dyn Fn(FuncId) -> Option<Vec<MemLoc>>) -> DevicePlaces {
        let mut all = DevicePlaces::default();
        let graph = self.points_to.call_graph();
        for circle in graph.circles() {
            let mut found: Option<Vec<MemLoc>> = Some(Vec::new());
            let mut add = |more: Option<&[MemLoc]>| match (&mut found, more) {
                (Some(found), Some(more)) => found.extend_from_slice(more),
                _ => found = None,
            };
            for func in circle.iter().filter(|f| !self.module.function(**f).declaration) {
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

    /// What the data directives of all functions lead to, those that stand alone among them; `None`: perhaps anything.
    pub(super) fn used_by_hand(&self, alone: &DevicePlaces) -> Option<FxHashSet<ObjectId>> {
        if alone.values().any(Option::is_none) {
            return None;
        }
        let mut found = FxHashSet::default();
        for (id, constructs) in self.constructs {
            for data in &constructs.user_data {
                if data.names.is_empty() {
                    return None;
                }
                for item in &data.items {
                    found.extend(self.scope(*id).led_to(item)?.iter().map(|l| l.object));
                }
            }
        }
        Some(found)
    }
}

/// The items that kernels and regions of a function map.
fn mapping_items(constructs: &Constructs) -> impl Iterator<Item = &Item> {
    let on_kernels = constructs
        .launches
        .iter()
        .flat_map(|l| l.maps.iter().map(|(_, item)| item));
    let regions = constructs.user_data.iter().filter(|u| u.stmt.is_some());
    on_kernels.chain(regions.flat_map(|u| &u.items))
}

/// Whether a routine of the runtime manages device memory, or says which device is meant.
pub(super) fn is_device_routine(name: &str) -> bool {
    name.starts_with("omp_target_")
        || name.starts_with("omp_pause_resource")
        || ["omp_set_default_device", "omp_get_mapped_ptr"].contains(&name)
}
