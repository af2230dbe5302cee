//! Which objects a function's kernels use, as candidates for residency.

use super::inputs::Inputs;
use super::model::Candidate;
use crate::analysis::arrays::{element_of, locs_of};
use crate::analysis::device_calls::CallUse;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::family::{Family, ping_pong_groups};
use crate::analysis::movement::scope::NameScope;
use crate::analysis::values::slots::SlotId;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::ir::SourceType;

/// Finds the candidates: ping-pong groups first, then single arrays in order of their first kernel.
pub fn find(inputs: &Inputs<'_>) -> Vec<Candidate> {
    let model = inputs.model;
    let used = bases_by_launch(inputs);
    let mut candidates = Vec::new();
    for slots in ping_pong_groups(model) {
        let bases = group_bases(model, &slots);
        let launches: Vec<usize> = (0..used.len())
            .filter(|l| used[*l].iter().any(|b| bases.contains(b)))
            .collect();
        let Some(first) = launches
            .iter()
            .flat_map(|l| &used[*l])
            .find(|b| bases.contains(b))
            .copied()
        else {
            continue;
        };
        let Some(element) = element_of(model, first) else {
            continue;
        };
        let mut locs: Vec<_> = bases.iter().flat_map(|b| locs_of(model, *b)).collect();
        locs.sort_unstable();
        locs.dedup();
        let names: Vec<&str> = slots
            .iter()
            .filter_map(|s| model.values.slots.get(*s).name.as_deref())
            .collect();
        candidates.push(Candidate {
            label: format!("`{}`", names.join("`, `")),
            family: Family::PingPong(slots),
            bases,
            locs,
            ..single(model, first, element, launches)
        });
    }
    let mut seen: Vec<Base> = Vec::new();
    for list in &used {
        for &base in list {
            if seen.contains(&base) {
                continue;
            }
            seen.push(base);
            let called = || inputs.calls.iter().flat_map(|c| &c.uses).flat_map(CallUse::each);
            let calls = || called().find(|u| u.base == Some(base));
            let Some(element) = element_of(model, base).or_else(|| calls().map(|u| u.element)) else {
                continue;
            };
            if is_way_to_members(inputs, base) {
                continue;
            }
            let launches = (0..used.len()).filter(|l| used[*l].contains(&base));
            candidates.push(single(model, base, element, launches.collect()));
        }
    }
    let trading: Vec<Base> = candidates.iter().flat_map(Candidate::trading).copied().collect();
    candidates
        .iter_mut()
        .for_each(|c| inputs.start_with_regions(c, &trading));
    candidates.retain(|c| !c.launches.is_empty());
    candidates
}

/// One array, in elements of so many bytes, and what starts kernels on it.
pub(super) fn single(model: &FunctionModel<'_>, base: Base, element: u64, launches: Vec<usize>) -> Candidate {
    Candidate {
        label: label(model, base),
        family: Family::Single(base),
        bases: vec![base],
        element,
        locs: locs_of(model, base),
        launches,
        beside: Vec::new(),
        regions: Vec::new(),
        closed: Vec::new(),
        unread: false,
        traded: Vec::new(),
        joint: None,
    }
}

/// Arrays and pointer targets that each kernel accesses or maps, in text order; that each call uses; that each region maps.
fn bases_by_launch(inputs: &Inputs<'_>) -> Vec<Vec<Base>> {
    let model = inputs.model;
    let mut used: Vec<Vec<Base>> = vec![Vec::new(); inputs.starts()];
    for (l, items) in inputs.mapped.iter().enumerate() {
        for m in items {
            for base in m.perhaps.iter().map(|(base, _)| *base).chain([m.base]) {
                if is_array(model, base) && !m.pointer_itself && !used[l].contains(&base) {
                    used[l].push(base);
                }
            }
        }
    }
    for a in inputs.accesses.iter() {
        let (Some(l), Some(at)) = (a.kernel, &a.at) else {
            continue;
        };
        if is_array(model, at.base) && !is_own(model, l, at.base) && !used[l].contains(&at.base) {
            used[l].push(at.base);
        }
    }
    let kernels = model.constructs.launches.len();
    for (used, call) in used[kernels..].iter_mut().zip(&inputs.calls) {
        for base in call.uses.iter().flat_map(CallUse::each).filter_map(|u| u.base) {
            if is_array(model, base) && !used.contains(&base) {
                used.push(base);
            }
        }
    }
    let others = kernels + inputs.calls.len();
    for (used, region) in used[others..].iter_mut().zip(&inputs.regions) {
        let arrays = region.mapped.iter().filter(|m| m.is_array && !m.pointer_itself);
        for base in arrays.map(|m| m.base).filter(|b| is_array(model, *b)) {
            if !used.contains(&base) {
                used.push(base);
            }
        }
    }
    used
}

/// Whether a base is an array, or what a pointer variable points to.
pub fn is_array(model: &FunctionModel<'_>, base: Base) -> bool {
    match base {
        Base::Local(v) => {
            let variable = &model.function().variables[v.0 as usize];
            variable.vla || matches!(variable.source_type, SourceType::Array { .. })
        }
        Base::Global(g) => matches!(model.module.global(g).source_type, Some(SourceType::Array { .. })),
        Base::Value(sym) => matches!(model.values.kind(sym), SymKind::Slot(..)),
    }
}

/// Whether a kernel declares an array itself, or computes a pointer: that is part of what it was computed from.
pub fn is_own(model: &FunctionModel<'_>, launch: usize, base: Base) -> bool {
    match base {
        Base::Local(v) => model.is_declared_in(model.constructs.launches[launch].stmt, v),
        Base::Value(sym) => model.launch_of(model.values.defined_at(sym)) == Some(launch),
        Base::Global(_) => false,
    }
}

/// Every base that names one of the slots' arrays at some loop header, or on entry to one.
fn group_bases(model: &FunctionModel<'_>, slots: &[SlotId]) -> Vec<Base> {
    let mut bases = Vec::new();
    for id in model.tree.stmts_of(model.tree_function) {
        let Some(header) = model.loops.get(id).map(|l| l.header) else {
            continue;
        };
        if !slots
            .iter()
            .all(|s| model.values.versions.before(header, *s) == Version::Phi(header))
        {
            continue;
        }
        for s in slots {
            bases.push(Base::Value(model.values.sym(SymKind::Slot(*s, Version::Phi(header)))));
            for p in &model.fine.node(header).preds {
                bases.push(model.values.slot_ptr(*s, model.values.versions.after(*p, *s)).base);
            }
        }
    }
    bases.sort_unstable();
    bases.dedup();
    bases
}

/// Whether kernels map members behind this pointer (`box->m[0:n]`): then the struct itself is only the way there, and
/// mapping the member has mapped what the kernel reads of it.
fn is_way_to_members(inputs: &Inputs<'_>, base: Base) -> bool {
    let model = inputs.model;
    let name = label(model, base);
    model.constructs.launches.iter().any(|l| {
        let mut members = l.maps.iter().filter(|(_, item)| !item.path.steps.is_empty());
        members.any(|(_, item)| {
            let leads_there = || NameScope::before(model, &inputs.file.macros, l.stmt)?.base(&item.path.base);
            format!("`{}`", item.path.base) == name || leads_there().is_some_and(|(b, _)| b == base)
        })
    })
}

/// What people call an array.
pub fn label(model: &FunctionModel<'_>, base: Base) -> String {
    let name = match base {
        Base::Local(v) => Some(model.function().variables[v.0 as usize].name.clone()),
        Base::Global(g) => Some(model.module.global(g).name.clone()),
        Base::Value(sym) => match model.values.kind(sym) {
            SymKind::Slot(s, _) => model.values.slots.get(s).name.clone(),
            _ => None,
        },
    };
    name.map_or_else(|| "an array without a name".to_owned(), |n| format!("`{n}`"))
}
