//! What the user manages by hand, and what lies beside it (R10).

use super::hand_written::held;
use super::inputs::Inputs;
use super::model::{ArrayBeside, Candidate};
use crate::analysis::access::{Access, is_by_name};
use crate::analysis::arrays::may_overlap;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::{leads_on, mapped_apart};
use crate::analysis::movement::scope::NameScope;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::openmp::{Construct, Item};
use crate::program::constructs::UserData;
use crate::program::ir::SourceType;
use crate::program::objects::{MemLoc, ObjectId};
use crate::reasons::{Calls, Clauses, HandWritten, Reason};
use crate::source::{LineIndex, Span};
use crate::syntax::{StmtId, identifiers};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What the user manages by hand stays as it is: the reason. Else the arrays managed by hand that only the user's maps
/// keep apart from the candidate, to be checked at run time.
pub(super) fn beside(inputs: &Inputs<'_>, candidate: &Candidate) -> Result<Vec<ArrayBeside>, Reason> {
    let mut beside: Vec<ArrayBeside> = Vec::new();
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
            && model.module.global(g).on_device
        {
            return Err(HandWritten::DeclareTarget.into());
        }
    }
    still_running(inputs, candidate)?;
    used_later(inputs, candidate)?;
    if model.constructs.user_data.is_empty() {
        relied_on(inputs, candidate)?;
        return Ok(beside);
    }
    let names = names_of(inputs, candidate);
    for (directive, u) in model.constructs.user_data.iter().enumerate() {
        let line = model.tree.pragma(u.pragma).span;
        let plainly = |i: &Item| match i.unparsed {
            true => {
                let words = identifiers(i.text.as_bytes(), Span::new(0, i.text.len()));
                words.iter().any(|(word, _)| names.contains(word))
            }
            false => i.path.steps.is_empty() && names.contains(&i.path.base),
        };
        if inputs.is_held_around(candidate, u) || inputs.is_closed_around(candidate, u) {
            continue;
        }
        let holding = inputs.holding_item(candidate, directive);
        if holding.is_none() && (u.items.iter().any(plainly) || u.names.is_empty()) {
            let directive = directive_head(inputs.file.text, line);
            return Err(HandWritten::Managed { directive }.into());
        }
        for item in u.items.iter().filter(|i| Some(*i) != holding) {
            let (name, directive) = (item.path.to_string(), directive_head(inputs.file.text, line));
            match by_another_name(inputs, candidate, u, item) {
                StorageOverlap::No => {}
                StorageOverlap::Maybe => return Err(HandWritten::MayOverlap { name, directive }.into()),
                StorageOverlap::ByMapsOnly(base) => {
                    let array = ArrayBeside {
                        base,
                        within: match u.stmt {
                            Some(stmt) => Some(model.tree.stmt(stmt).span),
                            None => u.directive.is(&Construct::TargetUpdate).then_some(line),
                        },
                    };
                    if !beside.contains(&array) {
                        beside.push(array);
                    }
                }
            }
        }
    }
    relied_on(inputs, candidate)?;
    Ok(beside)
}

/// Whether a directive may be about a candidate, by whatever name.
pub(super) fn may_name(inputs: &Inputs<'_>, candidate: &Candidate, user: &UserData) -> bool {
    let names = names_of(inputs, candidate);
    let may = |i: &Item| i.unparsed || names.contains(&i.path.base) || !is_other(inputs, candidate, user, i);
    user.names.is_empty() || user.items.iter().any(may)
}

/// Whether a directive is about a candidate by its own name alone.
pub(super) fn names_plainly(inputs: &Inputs<'_>, candidate: &Candidate, user: &UserData) -> bool {
    let names = names_of(inputs, candidate);
    let plainly = |i: &Item| i.path.steps.is_empty() && names.contains(&i.path.base);
    let clear = |i: &Item| !i.unparsed && (plainly(i) || is_other(inputs, candidate, user, i));
    !user.names.is_empty() && user.items.iter().all(clear)
}

/// Whether what an item maps is surely no part of a candidate.
fn is_other(inputs: &Inputs<'_>, candidate: &Candidate, user: &UserData, item: &Item) -> bool {
    let overlap = by_another_name(inputs, candidate, user, item);
    matches!(overlap, StorageOverlap::No)
}

/// Kernels that the host does not wait for may use the array at any time after they were started: which of several
/// kernels gives it up last, and so copies it back, is not known, and a residency might find it present. That is so in
/// all of the function, and in functions that call or are called by it.
fn still_running(inputs: &Inputs<'_>, candidate: &Candidate) -> Result<(), Clauses> {
    let model = inputs.model;
    for (l, launch) in model
        .constructs
        .launches
        .iter()
        .enumerate()
        .filter(|(_, l)| l.asynchronous)
    {
        let mapped = inputs.mapped[l].iter().map(|m| m.base);
        let accessed = inputs.accesses.iter().filter(|a| model.launch_of(a.node) == Some(l));
        let mut used = mapped.chain(accessed.filter_map(|a| Some(a.at.as_ref()?.base)));
        if used.any(|u| candidate.bases.iter().any(|b| *b == u || may_overlap(model, *b, u))) {
            let at = model.tree.pragma(launch.pragma).span.start;
            let line = LineIndex::new(inputs.file.text).position(at).line;
            return Err(Clauses::StillRunning { line });
        }
    }
    for (func, locs) in inputs.program.asynchronous.iter().filter(|(f, _)| *f != model.func) {
        let same = |l: &MemLoc| locs.iter().any(|k| model.points_to.may_alias(*k, *l));
        if candidate.locs.iter().any(same) {
            let function = model.module.function(*func).name.clone();
            return Err(Clauses::StillRunningIn { function });
        }
    }
    Ok(())
}

/// The parts of a function over which data directives in it hold one of some arrays by its name: what a region governs, and what lies
/// between `enter data` and the last `exit data` behind it.
pub(super) fn held_by_name(inputs: &Inputs<'_>, arrays: &[Base]) -> Vec<Span> {
    let tree = inputs.model.tree;
    let names_one = |user: &&UserData| {
        let scope = tree.pragma(user.pragma).before;
        let scope = scope.and_then(|s| NameScope::before(inputs.model, &inputs.file.macros, s));
        let base = |item: &Item| Some(scope.as_ref()?.base(&item.path.to_string())?.0);
        let mut named = user.items.iter().filter_map(base);
        named.any(|base| arrays.contains(&base))
    };
    let naming: Vec<&UserData> = inputs.model.constructs.user_data.iter().filter(names_one).collect();
    let place = |user: &UserData| tree.pragma(user.pragma).span;
    let exits = naming.iter().filter(|u| u.directive.is(&Construct::TargetExitData));
    let last = exits.map(|u| place(u).end).max();
    let end = last.unwrap_or(tree.stmt(tree.functions[inputs.model.tree_function].body).span.end);
    let held = naming.iter().filter_map(|user| match user.stmt {
        Some(stmt) => Some(tree.stmt(stmt).span),
        None if user.directive.is(&Construct::TargetEnterData) => {
            let start = place(user).start;
            Some(Span::new(start, end.max(start)))
        }
        None => None,
    });
    held.collect()
}

/// What a pointer leads to is mapped by nobody where a kernel has no clause for it: the kernel finds what is present, or the host's memory. So where
/// directives elsewhere manage it, these say how much of it there is, and a residency of all that there is on the host would be one of more:
///
/// ```c
/// open(p, n / 2);                             /* enter data map(to: p[0:n/2]) */
/// #pragma omp target …                        /* uses p[0:n/2]                */
/// ```
fn relied_on(inputs: &Inputs<'_>, candidate: &Candidate) -> Result<(), HandWritten> {
    let by_hand = inputs.program.used_by_hand.as_ref();
    let is_managed = |all: &FxHashSet<ObjectId>| candidate.locs.iter().any(|l| all.contains(&l.object));
    let elsewhere = || {
        inputs
            .program
            .presence
            .is_entered_elsewhere(inputs.model.points_to, &candidate.locs)
    };
    if by_hand.is_some_and(|all| !is_managed(all)) && !elsewhere() {
        return Ok(());
    }
    let (tree, function) = (inputs.model.tree, inputs.model.function());
    let regions = candidate.regions.iter().map(|r| inputs.regions[*r].stmt);
    let holding: Vec<StmtId> = regions.chain(candidate.closed.iter().copied()).collect();
    for (l, launch) in inputs.model.constructs.launches.iter().enumerate() {
        let is_mapped = |base: Base| {
            let mut items = inputs.mapped[l].iter().filter(|m| !m.pointer_itself);
            items.any(|m| m.base == base || m.perhaps.iter().any(|(b, _)| *b == base))
        };
        let by_pointer = |a: &&Access| a.kernel == Some(l) && !is_by_name(function, &a.address);
        let led_to = inputs
            .accesses
            .iter()
            .filter(by_pointer)
            .filter_map(|a| Some(a.at.as_ref()?.base));
        let mut unmapped = led_to.filter(|base| candidate.bases.contains(base) && !is_mapped(*base));
        if unmapped.next().is_some() && !holding.iter().any(|region| tree.encloses(*region, launch.stmt)) {
            let at = tree.pragma(launch.pragma).span.start;
            let line = LineIndex::new(inputs.file.text).position(at).line;
            return Err(HandWritten::UsedUnmapped { line });
        }
    }
    Ok(())
}

/// What threads or handlers of signals use that the program starts, or others that it shares memory with, has no state that
/// follows from the text: each kernel goes on copying it, so that both memories are equal wherever the host runs.
fn used_later(inputs: &Inputs<'_>, candidate: &Candidate) -> Result<(), Calls> {
    let points_to = inputs.model.points_to;
    for (reason, locs) in &inputs.program.used_later {
        let same = |l: &MemLoc| locs.iter().any(|k| points_to.may_alias(*k, *l));
        if candidate.locs.iter().any(same) {
            return Err(reason.clone());
        }
    }
    Ok(())
}

/// Whether two arrays share storage.
enum StorageOverlap {
    No,
    Maybe,
    /// Only a kernel that maps both says that they do not.
    ByMapsOnly(Base),
}

/// Whether a hand-written directive may manage the candidate's storage under another name: a residency of a part of what
/// it maps would make it fail, or be no residency at all.
fn by_another_name(inputs: &Inputs<'_>, candidate: &Candidate, user: &UserData, item: &Item) -> StorageOverlap {
    let model = inputs.model;
    let name = item.path.to_string();
    let pragma = model.tree.pragma(user.pragma);
    let scope = pragma
        .before
        .and_then(|s| NameScope::before(model, &inputs.file.macros, s));
    let plain = scope.as_ref().filter(|s| !leads_on(s, item));
    let found = plain.and_then(|s| s.base(&name)).map(|(base, _)| base);
    let declared = scope.as_ref().and_then(|s| s.declared(&name));
    if !name.contains(['.', '-'])
        && declared.is_some_and(|ty| !matches!(ty, SourceType::Pointer { .. } | SourceType::Array { .. }))
    {
        return StorageOverlap::No;
    }
    let Some(base) = found else {
        if name.contains(['.', '-']) {
            return StorageOverlap::Maybe;
        }
        // A name whose value nothing asks for, or of a directive at the end of a block: whatever variables of the function are called so.
        let places = model.item_scope(&inputs.file.macros).mapped(item);
        let is_it = |l: &MemLoc| candidate.locs.iter().any(|c| model.points_to.may_alias(*c, *l));
        return match places.is_none_or(|places| places.iter().any(is_it)) {
            true => StorageOverlap::Maybe,
            false => StorageOverlap::No,
        };
    };
    if !candidate.bases.iter().any(|b| may_overlap(model, *b, base)) {
        StorageOverlap::No
    } else if candidate.bases.iter().all(|b| mapped_apart(&inputs.mapped, *b, base)) {
        StorageOverlap::ByMapsOnly(base)
    } else {
        StorageOverlap::Maybe
    }
}

/// The pointer variables that ever hold each base.
fn holders(model: &FunctionModel<'_>) -> FxHashMap<Base, Vec<SlotId>> {
    let mut found: FxHashMap<Base, Vec<SlotId>> = FxHashMap::default();
    for slot in model.values.slots.ids() {
        let all = model.fine.ids().map(|n| model.values.versions.before(n, slot));
        let versions: BTreeSet<Version> = all.collect();
        let bases = versions.into_iter().map(|v| model.values.slot_ptr(slot, v).base);
        for base in bases.collect::<BTreeSet<Base>>() {
            found.entry(base).or_default().push(slot);
        }
    }
    found
}

/// Root variable names through which the candidate may be mentioned in a clause.
pub(super) fn names_of(inputs: &Inputs<'_>, candidate: &Candidate) -> Vec<String> {
    let model = inputs.model;
    // Any pointer variable that ever holds one of the bases may be the one that the directive names.
    let holders = inputs.holders.get_or_init(|| holders(model));
    let held = candidate.bases.iter().filter_map(|base| holders.get(base)).flatten();
    let slots: BTreeSet<SlotId> = held.copied().collect();
    let names = slots
        .iter()
        .filter_map(|slot| model.values.slots.get(*slot).name.as_ref());
    let root = |name: &String| name.split(['.', '-']).next().unwrap_or(name).to_owned();
    let mut names: Vec<String> = names.map(root).collect();
    for base in &candidate.bases {
        match base {
            Base::Local(v) => names.push(model.function().variables[v.0 as usize].name.clone()),
            Base::Global(g) => names.push(model.module.global(*g).name.clone()),
            Base::Value(_) => {}
        }
    }
    names
}

/// How a directive is told from others: the beginning of its first line.
pub fn directive_head(text: &[u8], span: Span) -> String {
    let line = String::from_utf8_lossy(&text[span.start..span.end]);
    let first = line.lines().next().unwrap_or("").trim_end_matches('\\').trim();
    first.chars().take(60).collect()
}

impl Inputs<'_> {
    /// The item of a directive by which a region holds a candidate.
    pub(super) fn holding_item(&self, candidate: &Candidate, directive: usize) -> Option<&Item> {
        let mut regions = candidate.regions.iter().map(|r| &self.regions[*r]);
        let region = regions.find(|r| r.directive == directive)?;
        Some(&held(region, candidate)?.item)
    }

    /// Whether a directive is a region within one that holds a candidate: it copies nothing of it, in a residency or not.
    pub(super) fn is_held_around(&self, candidate: &Candidate, user: &UserData) -> bool {
        let mut around = candidate.regions.iter().map(|r| self.regions[*r].stmt);
        let within = |r, stmt| r != stmt && self.model.tree.encloses(r, stmt);
        user.stmt.is_some_and(|stmt| around.any(|r| within(r, stmt)))
    }

    /// Whether a directive has to do with what regions do that are left alone.
    pub(super) fn is_closed_around(&self, candidate: &Candidate, user: &UserData) -> bool {
        let at = user.stmt.or(self.model.tree.pragma(user.pragma).inside);
        at.is_some_and(|at| candidate.closed.iter().any(|r| self.model.tree.encloses(*r, at)))
    }
}
