//! Plans one function: finds candidates, searches residencies for each, lets those that can share one region do so, and
//! hands the result to [`super::emit`].

use super::blocks::overlap;
use super::candidates;
use super::emit;
use super::evaluate::{Candidate, Evaluated, Inputs, constant_parameters};
use super::file::FileFacts;
use super::search::{Chosen, Found, search};
use super::spans::Run;
use super::{FilePlan, Note};
use crate::analysis::access::accesses;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::family::Family;
use crate::analysis::movement::mapped::{Mapped, Scope, mapped};
use crate::analysis::movement::subject::{mapped_apart, may_overlap};
use crate::analysis::values::eval::{Base, SymKind};
use crate::analysis::values::slots::SlotKind;
use crate::program::constructs::UserData;
use crate::program::ir::{SourceType, VarId};

/// A candidate with what was decided about it.
pub struct Settled {
    /// The candidate.
    pub candidate: Candidate,
    /// The outcome.
    pub found: Found,
}

/// Plans one function.
pub fn plan_function(file: &FileFacts<'_>, model: &FunctionModel<'_>) -> FilePlan {
    let mapped: Vec<Vec<Mapped>> = (0..model.constructs.launches.len())
        .map(|l| mapped(model, &file.macros, l))
        .collect();
    let parameters = constant_parameters(model);
    let inputs = Inputs {
        file,
        model,
        accesses: accesses(model),
        mapped,
        parameters,
    };
    let mut plan = FilePlan::default();
    let mut settled: Vec<Settled> = Vec::new();
    for mut candidate in candidates::find(&inputs) {
        if let Some(reason) = untouchable(&inputs, &mut candidate) {
            plan.remarks.push(Note {
                span: first_span(&inputs, &candidate),
                message: format!("{} is left as it is: {reason}", candidate.label),
            });
            continue;
        }
        // Kernels that a ping-pong residency covers are settled; its members are not looked at again there.
        for s in &settled {
            let shares = s.candidate.bases.iter().any(|b| candidate.bases.contains(b));
            if !shares {
                continue;
            }
            for c in &s.found.chosen {
                if let Chosen::Region(e) = c {
                    candidate
                        .launches
                        .retain(|l| !e.run.encloses(model, model.constructs.launches[*l].stmt));
                }
            }
        }
        if candidate.launches.is_empty() {
            continue;
        }
        let found = search(&inputs, &candidate);
        if matches!(candidate.family, Family::PingPong(_))
            && !found.chosen.iter().any(|c| matches!(c, Chosen::Region(_)))
        {
            for r in &found.refused {
                plan.remarks.push(remark(&inputs, &candidate, r.stmt, &r.message));
            }
            continue;
        }
        settled.push(Settled { candidate, found });
    }
    share_regions(&inputs, &mut settled);
    for s in &settled {
        let resident = s.found.chosen.iter().any(|c| matches!(c, Chosen::Region(_)));
        for r in s.found.refused.iter().filter(|_| !resident) {
            plan.remarks.push(remark(&inputs, &s.candidate, r.stmt, &r.message));
        }
    }
    emit::emit(&inputs, &settled, &mut plan);
    plan
}

fn remark(inputs: &Inputs<'_>, candidate: &Candidate, stmt: crate::syntax::StmtId, why: &str) -> Note {
    Note {
        span: inputs.model.tree.stmt(stmt).span,
        message: format!("{} does not stay on the device: {why}", candidate.label),
    }
}

fn first_span(inputs: &Inputs<'_>, candidate: &Candidate) -> crate::source::Span {
    let launch = &inputs.model.constructs.launches[candidate.launches[0]];
    inputs.model.tree.pragma(launch.pragma).span
}

/// What the user manages by hand stays as it is (R10).
fn untouchable(inputs: &Inputs<'_>, candidate: &mut Candidate) -> Option<String> {
    let model = inputs.model;
    for base in &candidate.bases {
        let global = match base {
            Base::Global(g) => Some(*g),
            Base::Value(s) => match model.values.kind(*s) {
                SymKind::Slot(slot, _) => match model.values.slots.get(slot).kind {
                    SlotKind::Global(g) | SlotKind::GlobalField(g, _) => Some(g),
                    _ => None,
                },
                _ => None,
            },
            Base::Local(_) => None,
        };
        if let Some(g) = global
            && inputs.file.declare_target.contains(&model.module.global(g).name)
        {
            return Some("`declare target` keeps it on the device".into());
        }
    }
    let names = names_of(inputs, candidate);
    for u in &model.constructs.user_data {
        let line = model.tree.pragma(u.pragma).span;
        if u.names.iter().any(|n| names.contains(n)) || u.names.is_empty() {
            return Some(format!(
                "the directive `{}` already manages it by hand",
                head(inputs.file.text, line)
            ));
        }
        for item in &u.items {
            let (name, line) = (item.path.to_string(), head(inputs.file.text, line));
            match by_another_name(inputs, candidate, u, &name) {
                Overlap::No => {}
                Overlap::Maybe => return Some(format!("it may overlap `{name}`, which `{line}` manages by hand")),
                Overlap::ByMapsOnly(base) if candidate.beside.contains(&base) => {}
                Overlap::ByMapsOnly(base) => candidate.beside.push(base),
            }
        }
    }
    None
}

/// Whether two arrays share storage.
enum Overlap {
    No,
    Maybe,
    /// Only a kernel that maps both says that they do not.
    ByMapsOnly(Base),
}

/// Whether a hand-written directive may manage the candidate's storage under another name: a residency of a part of what
/// it maps would make it fail, or be no residency at all.
fn by_another_name(inputs: &Inputs<'_>, candidate: &Candidate, user: &UserData, name: &str) -> Overlap {
    let model = inputs.model;
    let pragma = model.tree.pragma(user.pragma);
    let scope = pragma.before.and_then(|s| Scope::before(model, &inputs.file.macros, s));
    let found = scope.as_ref().and_then(|s| s.base(name)).map(|(base, _)| base);
    let declared = scope.as_ref().and_then(|s| s.declared(name));
    if !name.contains(['.', '-'])
        && declared.is_some_and(|ty| !matches!(ty, SourceType::Pointer { .. } | SourceType::Array { .. }))
    {
        return Overlap::No;
    }
    let Some(base) = found else {
        // A directive at the end of a block: its names are looked for where it would be in the function's variables.
        let variables = model.function().variables.iter().enumerate();
        let mut locs = variables.filter(|(_, v)| v.name == name).flat_map(|(i, _)| {
            model
                .points_to
                .of_variable(model.module, model.func, VarId(i as u32))
                .to_vec()
        });
        let overlaps = locs.any(|l| candidate.locs.iter().any(|c| model.points_to.may_alias(*c, l)));
        return if overlaps { Overlap::Maybe } else { Overlap::No };
    };
    if !candidate.bases.iter().any(|b| may_overlap(model, *b, base)) {
        Overlap::No
    } else if candidate.bases.iter().all(|b| mapped_apart(&inputs.mapped, *b, base)) {
        Overlap::ByMapsOnly(base)
    } else {
        Overlap::Maybe
    }
}

/// Root variable names through which the candidate may be mentioned in a clause.
fn names_of(inputs: &Inputs<'_>, candidate: &Candidate) -> Vec<String> {
    let model = inputs.model;
    let mut names = Vec::new();
    // Any pointer variable that ever holds one of the bases may be the one that the directive names.
    for slot in model.values.slots.ids() {
        let holds = model.fine.ids().any(|n| {
            let v = model.values.versions.before(n, slot);
            candidate.bases.contains(&model.values.slot_ptr(slot, v).base)
        });
        if holds && let Some(name) = &model.values.slots.get(slot).name {
            names.push(name.split(['.', '-']).next().unwrap_or(name).to_owned());
        }
    }
    for base in &candidate.bases {
        match base {
            Base::Local(v) => names.push(model.function().variables[v.0 as usize].name.clone()),
            Base::Global(g) => names.push(model.module.global(*g).name.clone()),
            Base::Value(_) => {}
        }
    }
    names
}

fn head(text: &[u8], span: crate::source::Span) -> String {
    let line = String::from_utf8_lossy(&text[span.start..span.end]);
    let first = line.lines().next().unwrap_or("").trim_end_matches('\\').trim();
    first.chars().take(60).collect()
}

/// Residencies that overlap in one block widen to their union where that costs nothing, so that one directive serves all.
fn share_regions(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    let model = inputs.model;
    for _ in 0..settled.len() {
        let runs: Vec<Run> = settled.iter().flat_map(runs_of).collect();
        let mut changed = false;
        for s in settled.iter_mut() {
            let mut own = runs_of(s);
            for c in &mut s.found.chosen {
                let Chosen::Region(e) = c else { continue };
                let mut wider: Option<Evaluated> = None;
                for other in &runs {
                    let Some(union) = union(inputs, e.run, *other) else {
                        continue;
                    };
                    // Two residencies of one array must not overlap in part.
                    let clashes = |o: &Run| *o != e.run && overlap(model, union, *o) && !union.covers(model, *o);
                    if union == e.run || own.iter().any(clashes) {
                        continue;
                    }
                    if let Ok(w) = inputs.evaluate(&s.candidate, union)
                        && w.cost <= e.cost + 1e-9
                    {
                        wider = Some(w);
                        break;
                    }
                }
                if let Some(w) = wider {
                    own.iter_mut().filter(|o| **o == e.run).for_each(|o| *o = w.run);
                    **e = w;
                    changed = true;
                }
            }
            merge_covered(inputs, s);
        }
        if !changed {
            return;
        }
    }
}

fn runs_of(s: &Settled) -> Vec<Run> {
    let regions = s.found.chosen.iter().filter_map(|c| match c {
        Chosen::Region(e) => Some(e.run),
        Chosen::Kernel(..) => None,
    });
    regions.collect()
}

/// After widening, residencies and kernels of the same candidate inside a wider one are part of it.
fn merge_covered(inputs: &Inputs<'_>, s: &mut Settled) {
    let runs = runs_of(s);
    let mut kept: Vec<Run> = Vec::new();
    s.found.chosen.retain(|c| match c {
        Chosen::Region(e) => {
            let covered = runs.iter().any(|r| *r != e.run && r.covers(inputs.model, e.run)) || kept.contains(&e.run);
            if !covered {
                kept.push(e.run);
            }
            !covered
        }
        Chosen::Kernel(l, _) => {
            let stmt = inputs.model.constructs.launches[*l].stmt;
            !runs.iter().any(|r| r.encloses(inputs.model, stmt))
        }
    });
}

/// The smallest run of one block that covers both, if they stand in one block and overlap.
fn union(inputs: &Inputs<'_>, a: Run, b: Run) -> Option<Run> {
    let tree = inputs.model.tree;
    if tree.stmt(a.first).parent != tree.stmt(b.first).parent {
        return None;
    }
    let start = |s| tree.stmt(s).span.start;
    let overlap = start(a.first) <= start(b.last) && start(b.first) <= start(a.last);
    overlap.then(|| Run {
        first: if start(a.first) <= start(b.first) {
            a.first
        } else {
            b.first
        },
        last: if start(a.last) >= start(b.last) { a.last } else { b.last },
    })
}
