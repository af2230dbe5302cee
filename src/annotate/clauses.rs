//! What a loop is as a kernel: clauses, map items, and what has to hold at run time; or why it cannot be written.

use super::constant_pointers::ConstantPointers;
use super::describe::{operator, reason};
use super::guard::{Extent, Pair, Test, assume, limits, needed, symbols};
use super::maps::{Maps, loops, maps};
use super::named_constants::NamedConstants;
use super::profit::Threshold;
use super::spell::Speller;
use super::twin::repeatable;
use crate::analysis::dependence::verdict::{Counted, Parallel};
use crate::analysis::dependence::{BranchTest, Requirement};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, SymKind};
use crate::openmp::MapType;
use crate::plan::MapItem;
use crate::plan::file::FileFacts;
use crate::program::ir::{Callee, InstId, Op, Operand, VarId};
use crate::reasons::Serial;
use crate::symbolic::{Expr, Facts, Sym};
use crate::syntax::StmtId;
use std::collections::{BTreeMap, BTreeSet};

/// A loop as a kernel, but for what is asked at run time.
pub(super) struct Kernel {
    /// The loop.
    pub stmt: StmtId,
    /// The kernel's clauses, without `map` and `if`.
    pub clauses: Vec<String>,
    /// What it maps.
    pub maps: Vec<MapItem>,
    /// What has to hold for the verdict and for the maps.
    pub test: Test,
    /// The verdict, too, rests on conditions, not only the maps.
    pub guarded: bool,
    /// The arrays that it uses.
    pub arrays: BTreeSet<Base>,
    /// The arrays among them that it writes.
    pub written: BTreeSet<Base>,
    /// Where the maps mean something, in C.
    pub runs: Vec<(Requirement, String)>,
    /// Names of the numbers in the headers of its loops.
    pub constants: NamedConstants,
    /// The size above which it runs on the device, where it asks for one.
    pub threshold: Option<i128>,
    /// Where the test fails, the loop has to be there a second time.
    pub twin: bool,
}

impl Kernel {
    /// Has it run on the device above a size only.
    pub fn only_above(&mut self, threshold: Threshold, model: &FunctionModel<'_>) {
        self.threshold = Some(threshold.size);
        self.runs.insert(0, (threshold.condition, threshold.text));
        let known = Speller::before(model, self.stmt).map_or_else(Facts::new, |s| s.known());
        let needed: BTreeSet<Requirement> = needed(self.runs.iter().map(|(c, _)| c), &known)
            .into_iter()
            .cloned()
            .collect();
        self.runs.retain(|(c, _)| needed.contains(c));
        self.test.runs = bounds(needed.iter());
    }
}

/// The kernel of a parallel loop.
pub(super) fn kernel<'m>(
    model: &FunctionModel<'m>,
    pointers: &ConstantPointers<'m>,
    file: &FileFacts<'_>,
    stmt: StmtId,
    p: &Parallel,
) -> Result<Kernel, Serial> {
    let name = |var: VarId| &model.function().variables[var.0 as usize].name;
    let by_threads = file.threaded(stmt);
    // Threads add up in any order, too.
    let may_round = |var| file.options.reassociate || by_threads.is_some_and(|said| said.reduced.contains(name(var)));
    if let Some(r) = p.reductions.iter().find(|r| !r.exact && !may_round(r.var)) {
        let variable = name(r.var).clone();
        return Err(Serial::Rounded { variable });
    }
    let is_kept = |var: &&VarId| by_threads.is_some_and(|said| said.private.contains(name(**var)));
    if let Some(var) = p.lastprivate.iter().find(is_kept) {
        let variable = name(*var).clone();
        return Err(Serial::PrivateBehind { variable });
    }
    if p.may_write_bound() {
        repeatable(file, stmt).map_err(|why| Serial::BoundWritten {
            why: Box::new(why.into()),
        })?;
    }
    if let Some(found) = pointers.said_in(file, model, stmt) {
        return Err(Serial::ConstantPointer {
            pointer: found.pointer,
            target: found.target,
        });
    }
    let speller = Speller::before(model, stmt).ok_or(Serial::NoPlace)?;
    let constants = NamedConstants::of_loops(file, &speller, loops(p));
    let speller = speller.with(constants.clone());
    let names = names(&speller, stmt)?;
    let mut maps = maps(&speller, file, p, &names)?;
    let clauses = clauses(&speller, p, &mut maps)?;
    let Maps { items, when, extents } = maps;
    let mut when: Vec<Requirement> = when.iter().map(plain).collect();
    in_order(model, p, &mut when);
    if contradict(&when) {
        let branches = when.iter().any(|c| matches!(c, Requirement::Branch(_)));
        return Err(if branches { Serial::TooMuch } else { Serial::NeverRuns });
    }
    let runs = written(&when, &speller, &names)?;
    let conditions = asked(p);
    let bounds = |l: &Counted| [&l.lo, &l.hi].into_iter().flat_map(Expr::symbols).collect();
    let levels = loops(p).map(bounds).collect();
    let mut test = test(&conditions, &runs, &extents).map(|t| Test { levels, ..t });
    if let Some(test) = test.as_mut().filter(|_| p.may_write_bound()) {
        let extents = test.apart.iter().flat_map(|p| &p.extents);
        let limits = limits(extents, &speller).ok_or(Serial::ReachUnchecked)?;
        test.conditions.extend(limits);
    }
    let test = test.filter(|t| conditions.is_empty() || t.text(&speller).is_some());
    if let Some(test) = &test
        && !is_readable(model, p, &when, test)
    {
        return Err(Serial::ConditionUnreadable);
    }
    let test = test.ok_or_else(|| {
        let conditions: Vec<String> = conditions.iter().map(|c| reason(model, c)).collect();
        Serial::ConditionUnwritable {
            conditions: conditions.join(" and "),
        }
    })?;
    Ok(Kernel {
        stmt,
        clauses,
        maps: items,
        test,
        guarded: !conditions.is_empty(),
        arrays: p.arrays.iter().map(|a| a.base).collect(),
        written: p
            .arrays
            .iter()
            .filter(|a| a.written.is_some())
            .map(|a| a.base)
            .collect(),
        runs,
        constants,
        threshold: None,
        twin: p.may_write_bound(),
    })
}

/// The clauses that say how a loop shares its variables. Those of `lastprivate` are mapped, too.
fn clauses(speller: &Speller<'_>, p: &Parallel, maps: &mut Maps) -> Result<Vec<String>, Serial> {
    let model = speller.at.model;
    let named = |v: &VarId| {
        let name = model.function().variables[v.0 as usize].name.clone();
        match model.visible_variable(speller.at.stmt, &name) == Some(*v) {
            true => Ok(name),
            false => Err(Serial::Unnameable { name }),
        }
    };
    let mut clauses = Vec::new();
    if p.collapse > 1 {
        clauses.push(format!("collapse({})", p.collapse));
    }
    if !p.private.is_empty() {
        let names: Vec<String> = p.private.iter().map(named).collect::<Result<_, _>>()?;
        clauses.push(format!("private({})", names.join(", ")));
    }
    if !p.lastprivate.is_empty() {
        // Where there is no last iteration, the variable keeps its value on the host.
        maps.when.push(Requirement::AtMost {
            left: p.counted.lo.clone(),
            right: p.counted.hi.clone(),
        });
        let names: Vec<String> = p.lastprivate.iter().map(named).collect::<Result<_, _>>()?;
        clauses.push(format!("lastprivate({})", names.join(", ")));
        // On a combined construct `lastprivate` maps the variable, which clang 19 does only where a clause says so.
        let items = names.into_iter().map(|name| MapItem::new(MapType::From, name));
        maps.items.extend(items);
    }
    for r in &p.reductions {
        clauses.push(format!("reduction({}: {})", operator(r.op), named(&r.var)?));
    }
    Ok(clauses)
}

/// The conditions under which maps mean something, in C, without those that follow from others.
fn written(
    when: &[Requirement],
    speller: &Speller<'_>,
    names: &BTreeMap<Base, String>,
) -> Result<Vec<(Requirement, String)>, Serial> {
    let mut runs = Vec::new();
    for condition in needed(when.iter(), &speller.known()) {
        let text = match condition {
            Requirement::AtMost { left, right } => speller.at_most(left, right),
            Requirement::Branch(asked) => speller.asked(asked, names),
            _ => continue,
        };
        let text = text.ok_or(Serial::RunUnwritable)?;
        runs.push((condition.clone(), text));
    }
    Ok(runs)
}

/// The conditions of a verdict that do not follow from the loop having an iteration.
///
/// That the maps ask for the same is not enough: `if(target: m <= n)` sends the loop to the host, where threads share it.
fn asked(p: &Parallel) -> Vec<Requirement> {
    let mut facts = Facts::new();
    facts.assume_le(&p.counted.lo, &p.counted.hi);
    let follows = |c: &Requirement| matches!(c, Requirement::AtMost { left, right } if facts.prove_le(left, right));
    p.conditions.iter().filter(|c| !follows(c)).map(plain).collect()
}

/// `n > 0` for `max(0, n) > 0`.
fn plain(condition: &Requirement) -> Requirement {
    let simpler = |left: &Expr, right: &Expr| {
        let distance = right.sub(left)?.offset(1)?;
        let plain = distance.plainly_positive();
        (plain != distance).then(|| Requirement::AtMost {
            left: Expr::constant(1),
            right: plain,
        })
    };
    match condition {
        Requirement::AtMost { left, right } => simpler(left, right).unwrap_or_else(|| condition.clone()),
        _ => condition.clone(),
    }
}

/// Puts conditions in an order in which each may be computed once those before it hold: whether the loop runs at all, what
/// is read without pointers, the rest, and branches last.
fn in_order(model: &FunctionModel<'_>, p: &Parallel, when: &mut Vec<Requirement>) {
    let header: BTreeSet<Sym> = [&p.counted.lo, &p.counted.hi]
        .into_iter()
        .flat_map(Expr::symbols)
        .collect();
    when.sort();
    when.dedup();
    when.sort_by_key(|c| match c {
        Requirement::Branch(_) => 2,
        _ => i32::from(
            symbols(c)
                .iter()
                .any(|s| !header.contains(s) && pointers(model, *s).next().is_some()),
        ),
    });
}

/// Whether conditions read nothing but what every iteration reads, too, or what is there in any case.
fn is_readable(model: &FunctionModel<'_>, p: &Parallel, when: &[Requirement], test: &Test) -> bool {
    let extents = || test.apart.iter().flat_map(|p| &p.extents);
    let sections = extents().flat_map(|e| [&e.section.lo, &e.section.hi].into_iter().chain(&e.dims));
    let bases = test.apart.iter().flat_map(|p| p.arrays).filter_map(|base| match base {
        Base::Value(sym) => Some(sym),
        _ => None,
    });
    let compared = when.iter().chain(&test.conditions).flat_map(symbols);
    let mut read = compared.chain(sections.flat_map(Expr::symbols)).chain(bases);
    read.all(|sym| pointers(model, sym).all(|slot| p.followed.contains(&slot)))
}

/// The pointers on the way to the variable that a symbol is the value of.
fn pointers<'m>(model: &'m FunctionModel<'_>, sym: Sym) -> impl Iterator<Item = SlotId> + use<'m> {
    let slots = &model.values.slots;
    let outer = |slot: SlotId| match slots.get(slot).kind {
        SlotKind::Behind(outer, _) => Some(outer),
        _ => None,
    };
    let slot = match model.values.kind(sym) {
        SymKind::Slot(slot, _) => outer(slot),
        _ => None,
    };
    std::iter::successors(slot, move |s| outer(*s))
}

/// The conditions that compare the bounds of loops.
fn bounds<'c>(conditions: impl Iterator<Item = &'c Requirement>) -> BTreeSet<Requirement> {
    conditions
        .filter(|c| matches!(c, Requirement::AtMost { .. }))
        .cloned()
        .collect()
}

/// Whether conditions exclude one another.
fn contradict(when: &[Requirement]) -> bool {
    let mut facts = Facts::new();
    for condition in when {
        assume(&mut facts, condition);
        if let Requirement::Branch(BranchTest::Equal { left, right }) = condition {
            facts.assume_le(left, right);
            facts.assume_le(right, left);
        } else if let Requirement::Branch(BranchTest::AtMost { left, right }) = condition {
            facts.assume_le(left, right);
        }
    }
    when.iter().any(|c| match c {
        Requirement::AtMost { left, right } | Requirement::Branch(BranchTest::AtMost { left, right }) => {
            facts.prove_lt(right, left)
        }
        Requirement::Branch(BranchTest::Equal { left, right }) => {
            facts.prove_lt(right, left) || facts.prove_lt(left, right)
        }
        Requirement::Branch(BranchTest::Differs { left, right }) => facts.prove_eq(left, right),
        _ => false,
    })
}

/// Everything that has to hold for a loop.
fn test(conditions: &[Requirement], runs: &[(Requirement, String)], extents: &BTreeMap<Base, Extent>) -> Option<Test> {
    let mut test = Test {
        runs: bounds(runs.iter().map(|(c, _)| c)),
        ..Test::default()
    };
    for condition in conditions {
        match condition {
            Requirement::Apart { a, b, written } => {
                let (Some(first), Some(second)) = (extents.get(a), extents.get(b)) else {
                    return None;
                };
                test.apart.push(Pair {
                    arrays: [*a, *b],
                    extents: [first.clone(), second.clone()],
                });
                test.dependence |= written;
            }
            _ => {
                test.conditions.insert(condition.clone());
                test.dependence = true;
            }
        }
    }
    Some(test)
}

/// The pointer variables that the loop follows, by what they point to. Each array must have one name, and be followed from
/// its start: a pointer into the middle of a mapped array would have to be translated too, and only those are that are
/// mapped.
fn names(speller: &Speller<'_>, stmt: StmtId) -> Result<BTreeMap<Base, String>, Serial> {
    let model = speller.at.model;
    let mut names: BTreeMap<Base, String> = BTreeMap::new();
    let function = model.function();
    for id in model.insts_within(stmt) {
        let pointers: Vec<&Operand> = match &function.inst(id).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => vec![ptr],
            Op::Call {
                callee: Callee::Direct(_),
                args,
            } => args.iter().collect(),
            _ => continue,
        };
        for pointer in pointers {
            let Some(load) = root(model, pointer) else { continue };
            let Op::Load { ptr: variable, .. } = &function.inst(load).op else {
                continue;
            };
            let slot = model.values.slots.at(variable, function);
            let name = slot.and_then(|s| model.values.slots.get(s).name.clone());
            let base = model.values.ptr(&Operand::Inst(load)).filter(|v| v.offset.is_zero());
            let (Some(slot), Some(name), Some(base)) = (slot, name, base.map(|v| v.base)) else {
                return Err(Serial::PointerInto);
            };
            if is_deep(model, slot) {
                return Err(Serial::PointersInTurn { name });
            }
            if names.insert(base, name.clone()).is_some_and(|other| other != name) {
                return Err(Serial::TwoNames);
            }
            if !speller.means(slot, base) {
                return Err(Serial::PointerInto);
            }
        }
    }
    Ok(names)
}

/// Whether a pointer is behind one that is itself a member, or behind another one (`o->grid->cells`). Of what a construct
/// maps of two structs, one of which points to the other, clang 19 makes a wrong list.
fn is_deep(model: &FunctionModel<'_>, slot: SlotId) -> bool {
    let slots = &model.values.slots;
    match slots.get(slot).kind {
        SlotKind::Behind(outer, _) => !matches!(slots.get(outer).kind, SlotKind::Local(_) | SlotKind::Global(_)),
        _ => false,
    }
}

/// The load of the pointer variable that an address is computed from.
fn root(model: &FunctionModel<'_>, pointer: &Operand) -> Option<InstId> {
    let Operand::Inst(id) = pointer else { return None };
    match &model.function().inst(*id).op {
        Op::Gep { base, .. } => root(model, base),
        Op::Load { .. } if model.function().inst(*id).ty == crate::program::ir::Type::Ptr => Some(*id),
        _ => None,
    }
}
