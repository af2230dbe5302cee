//! Compares verdicts with runs.

use super::ast::{E, Function, Loop, S, Var};
use super::generate::Rng;
use super::run::{Cell, Machine, Observer, Stop, Through};
use ompmemopt::inside::analysis::FunctionModel;
use ompmemopt::inside::analysis::{Base, SymKind};
use ompmemopt::inside::analysis::{BranchTest, LoopVerdict, Parallel, Requirement};
use ompmemopt::inside::program::VarId;
use ompmemopt::symbolic::{Atom, Expr, Sym};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Runs a function on one input. How many loops were run that are parallel with all conditions true, or what is wrong.
pub fn check(
    model: &FunctionModel<'_>,
    function: &Function,
    verdicts: &[&LoopVerdict],
    input: u64,
) -> Result<usize, String> {
    let mut rng = Rng::new(input.wrapping_mul(7919) + function.name.len() as u64);
    let mut vars: Vec<i128> = (0..function.vars.len() as i128).collect();
    for (i, v) in function.vars.iter().enumerate().filter(|(_, v)| v.param) {
        let wild = rng.chance(6);
        vars[i] = i128::from(rng.below(8)) - i128::from(v.ty.signed() && rng.chance(10));
        if wild {
            // Values that wrap around: minus one, and a half of everything.
            vars[i] = match (v.ty.signed(), v.ty.bits()) {
                (true, _) => -1,
                (false, bits) => (1i128 << bits) - 1 - i128::from(rng.below(3)),
            };
        }
    }
    let far = rng.chance(60);
    let mut pointer = |at: i64| {
        4 * if far {
            at + rng.below(8) as i64
        } else {
            400 + rng.below(24) as i64
        }
    };
    let pointers = [pointer(200), pointer(480), pointer(760)];
    let mut loops = Vec::new();
    number(&function.body, &mut loops);
    let mut watch = Watch {
        model,
        function,
        verdicts,
        numbers: loops.iter().enumerate().map(|(n, v)| (*v, n)).collect(),
        pointers,
        open: Vec::new(),
        poisoned: BTreeSet::new(),
        held: 0,
    };
    let memory = |at: usize| if at.is_multiple_of(4) { (at / 4 % 5) as u8 } else { 0 };
    let mut machine = Machine::new(function, vars, pointers, memory, &mut watch);
    let result = machine.run();
    match result {
        Ok(()) | Err(Stop::Undefined) => Ok(watch.held),
        Err(Stop::Wrong(why)) => Err(why),
    }
}

/// The indices of loops, in text order: each loop has its own.
fn number(body: &[S], found: &mut Vec<Var>) {
    for s in body {
        match s {
            S::For(l) => {
                found.push(l.var);
                number(&l.body, found);
            }
            S::If(_, _, _, yes, no) => {
                number(yes, found);
                number(no, found);
            }
            _ => {}
        }
    }
}

/// A run of a loop.
struct Open<'v> {
    index: Var,
    parallel: Option<&'v Parallel>,
    /// Values of the variables when it began.
    vars: Vec<i128>,
    iteration: usize,
    /// By cell: the first iteration that read it, the first that wrote it; whether others did.
    cells: FxHashMap<Cell, Uses>,
    /// In this iteration.
    set: BTreeSet<Var>,
    exposed: BTreeSet<Var>,
    through: BTreeMap<(usize, i64, i64), (bool, bool)>,
    body: Vec<S>,
}

#[derive(Default, Clone, Copy)]
struct Uses {
    first: Option<usize>,
    several: bool,
    written: bool,
}

struct Watch<'v, 'm> {
    model: &'v FunctionModel<'m>,
    function: &'v Function,
    verdicts: &'v [&'v LoopVerdict],
    numbers: FxHashMap<Var, usize>,
    pointers: [i64; 3],
    open: Vec<Open<'v>>,
    /// Private variables of loops that are over: the device had them.
    poisoned: BTreeSet<Var>,
    held: usize,
}

impl Observer for Watch<'_, '_> {
    fn enter(&mut self, l: &Loop, vars: &[i128]) -> Result<(), String> {
        let verdict = self.verdicts.get(self.numbers[&l.var]).ok_or("a loop has no verdict")?;
        self.open.push(Open {
            index: l.var,
            parallel: verdict.parallel(),
            vars: vars.to_vec(),
            iteration: 0,
            cells: FxHashMap::default(),
            set: BTreeSet::new(),
            exposed: BTreeSet::new(),
            through: BTreeMap::new(),
            body: l.body.clone(),
        });
        Ok(())
    }

    fn iteration(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.iteration += 1;
            open.set.clear();
        }
    }

    fn touch(&mut self, cell: Cell, writes: bool) -> Result<(), String> {
        if let Cell::Var(v) = cell {
            if writes {
                self.poisoned.remove(&v);
            } else if self.poisoned.contains(&v) {
                return Err(format!(
                    "`{}` is read after a loop that has it private",
                    self.function.vars[v].name
                ));
            }
        }
        for open in &mut self.open {
            if let Cell::Var(v) = cell {
                if writes {
                    open.set.insert(v);
                } else if !open.set.contains(&v) {
                    open.exposed.insert(v);
                }
            }
            let uses = open.cells.entry(cell).or_default();
            uses.several |= uses.first.is_some_and(|f| f != open.iteration);
            uses.first.get_or_insert(open.iteration);
            uses.written |= writes;
        }
        Ok(())
    }

    fn through(&mut self, t: Through, writes: bool) -> Result<(), String> {
        for open in &mut self.open {
            let seen = open.through.entry((t.array, t.offset, t.bytes)).or_default();
            seen.0 |= !writes;
            seen.1 |= writes;
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), String> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let Some(p) = open.parallel else { return Ok(()) };
        for condition in &p.conditions {
            if self.holds(condition, &open) != Some(true) {
                return Ok(());
            }
        }
        self.held += 1;
        let var = |v: VarId| {
            let name = &self.model.function().variables[v.0 as usize].name;
            self.function.vars.iter().position(|x| x.name == *name)
        };
        let listed = |list: &[VarId]| -> BTreeSet<Var> { list.iter().filter_map(|v| var(*v)).collect() };
        let (private, last) = (listed(&p.private), listed(&p.lastprivate));
        let reduced = listed(&p.reductions.iter().map(|r| r.var).collect::<Vec<_>>());
        for v in private.iter().chain(&last) {
            if open.exposed.contains(v) {
                return Err(format!(
                    "private `{}` is read before it is set",
                    self.function.vars[*v].name
                ));
            }
        }
        for v in &reduced {
            if !only_updates(&open.body, *v) {
                return Err(format!("`{}` is not only reduced", self.function.vars[*v].name));
            }
        }
        let indices: BTreeSet<Var> = self.numbers.keys().copied().collect();
        for (cell, uses) in &open.cells {
            let own = matches!(cell, Cell::Var(v) if private.contains(v) || last.contains(v) || reduced.contains(v) || *v == open.index
                || (indices.contains(v) && declared_within(&open.body, *v)));
            if uses.several && uses.written && !own {
                return Err(format!(
                    "iterations of loop {} conflict at {cell:?}",
                    self.function.vars[open.index].name
                ));
            }
        }
        self.sections(p, &open)?;
        let poisoned = private.iter().copied().chain([open.index]);
        self.poisoned.extend(poisoned.collect::<Vec<_>>());
        Ok(())
    }
}

/// Whether a loop in the body declares the variable as its index.
fn declared_within(body: &[S], v: Var) -> bool {
    body.iter().any(|s| match s {
        S::For(l) => l.declares && l.var == v || declared_within(&l.body, v),
        S::If(_, _, _, yes, no) => declared_within(yes, v) || declared_within(no, v),
        _ => false,
    })
}

/// Whether all statements that mention the variable are updates of it.
fn only_updates(body: &[S], v: Var) -> bool {
    body.iter().all(|s| match s {
        S::Store(p, e) => !in_place(p, v) && !mentions(e, v),
        S::Set(w, E::Bin(_, l, r)) if *w == v => matches!(**l, E::Var(x) if x == v) && !mentions(r, v),
        S::Set(w, e) => *w != v && !mentions(e, v),
        S::Update(_, _, e) => !mentions(e, v),
        S::If(l, "<" | ">" | "<=" | ">=", E::Var(w), yes, no) if *w == v => {
            // A minimum or maximum: what is compared is what is stored.
            no.is_empty() && !mentions(l, v) && matches!(yes.as_slice(), [S::Set(x, e)] if *x == v && e == l)
        }
        S::If(l, _, r, yes, no) => !mentions(l, v) && !mentions(r, v) && only_updates(yes, v) && only_updates(no, v),
        S::For(l) => !mentions(&l.first, v) && !mentions(&l.end, v) && only_updates(&l.body, v),
        S::Continue => true,
    })
}

fn mentions(e: &E, v: Var) -> bool {
    match e {
        E::Const(_) => false,
        E::Var(w) => *w == v,
        E::Bin(_, l, r) => mentions(l, v) || mentions(r, v),
        E::Load(p) => in_place(p, v),
        E::Cast(_, e) => mentions(e, v),
    }
}

fn in_place(p: &super::ast::Place, v: Var) -> bool {
    use super::ast::Place;
    match p {
        Place::Element(_, e) | Place::Byte(_, e) => mentions(e, v),
        Place::Cell(e, f) => mentions(e, v) || mentions(f, v),
    }
}

impl Watch<'_, '_> {
    fn array(&self, base: Base) -> Option<usize> {
        let name = match base {
            Base::Global(_) => return Some(3),
            Base::Local(_) => return None,
            Base::Value(sym) => self.name(sym)?,
        };
        self.function.arrays.iter().position(|a| *a == name)
    }

    fn name(&self, sym: Sym) -> Option<String> {
        match self.model.values.kind(sym) {
            SymKind::Slot(slot, _) => self.model.values.slots.get(slot).name.clone(),
            _ => None,
        }
    }

    fn value(&self, e: &Expr, open: &Open<'_>) -> Option<i128> {
        e.eval(&|atom: &Atom| {
            let Atom::Sym(sym) = atom else { return None };
            let name = self.name(*sym)?;
            let at = self.function.vars.iter().position(|v| v.name == name)?;
            Some(open.vars[at])
        })
    }

    fn holds(&self, condition: &Requirement, open: &Open<'_>) -> Option<bool> {
        match condition {
            Requirement::AtMost { left, right } => Some(self.value(left, open)? <= self.value(right, open)?),
            Requirement::Clear { distance, reach } => {
                let (distance, reach) = (self.value(distance, open)?, self.value(reach, open)?);
                Some(distance == 0 || distance.abs() >= reach)
            }
            Requirement::Branch(asked) => match asked {
                BranchTest::AtMost { left, right } => Some(self.value(left, open)? <= self.value(right, open)?),
                BranchTest::Equal { left, right } => Some(self.value(left, open)? == self.value(right, open)?),
                BranchTest::Differs { left, right } => Some(self.value(left, open)? != self.value(right, open)?),
                BranchTest::Present { .. } => Some(true),
            },
            Requirement::Apart { a, b, .. } => {
                let bytes = |base: Base| -> Option<BTreeSet<i64>> {
                    let array = self.array(base)?;
                    let start = if array == 3 { 100_000 } else { self.pointers[array] };
                    let mine = open.through.keys().filter(|k| k.0 == array);
                    Some(mine.flat_map(|k| start + k.1..start + k.1 + k.2).collect())
                };
                Some(bytes(*a)?.is_disjoint(&bytes(*b)?))
            }
        }
    }

    fn sections(&self, p: &Parallel, open: &Open<'_>) -> Result<(), String> {
        let arrays = |base: Base| self.array(base);
        for used in &p.arrays {
            let Some(array) = arrays(used.base) else { continue };
            let element = used.element as i64;
            let name = ["a", "b", "c", "G"][array];
            let mut written: BTreeSet<i64> = BTreeSet::new();
            for (key, (reads, writes)) in open.through.iter().filter(|(k, _)| k.0 == array) {
                let (lo, hi) = (key.1.div_euclid(element), (key.1 + key.2 - 1).div_euclid(element));
                if *writes {
                    written.extend(lo..=hi);
                }
                for (happens, reach) in [(*reads, &used.read), (*writes, &used.written)] {
                    if !happens {
                        continue;
                    }
                    let Some(section) = reach else {
                        return Err(format!("`{name}` is not said to be touched so"));
                    };
                    let Some(section) = section else { continue };
                    let (Some(from), Some(to)) = (self.value(&section.lo, open), self.value(&section.hi, open)) else {
                        continue;
                    };
                    // As addresses: an index of `SIZE_MAX` is one element back.
                    let (from, to) = (
                        i128::from(from as u64 as i64),
                        i128::from(from as u64 as i64) + (to - from),
                    );
                    if i128::from(lo) < from || i128::from(hi) >= to {
                        return Err(format!("`{name}` is touched at {lo}, not in {from}..{to}"));
                    }
                }
            }
            let exist = used.ends_exist.iter().flatten();
            let all_run = exist.map(|c| self.holds(c, open)).all(|holds| holds == Some(true));
            if let Some(section) = used.surely_written.as_ref().filter(|_| all_run)
                && let (Some(from), Some(to)) = (self.value(&section.lo, open), self.value(&section.hi, open))
                && (from..to).any(|e| !written.contains(&(e as i64)))
            {
                return Err(format!("`{name}` is not written everywhere in {from}..{to}"));
            }
        }
        let touched: BTreeSet<usize> = open.through.keys().map(|k| k.0).collect();
        let said: BTreeSet<usize> = p.arrays.iter().filter_map(|u| arrays(u.base)).collect();
        if touched.is_subset(&said) {
            Ok(())
        } else {
            Err("an array is touched and not listed".into())
        }
    }
}
