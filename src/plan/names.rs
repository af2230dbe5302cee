//! Names and sections as they can be written at a gap (R7).

use super::entered_as::EnteredAs;
use super::opaque_records::{has_members, is_member};
use crate::analysis::conditions::LaunchCondition;
use crate::analysis::evaluations::EvaluatedOperand;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::IndexShape;
use crate::analysis::points_to::for_operands;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, SymKind};
use crate::program::graph::{NodeId, NodeKind, Place};
use crate::program::in_loops::in_loop;
use crate::program::ir::{GlobalId, Operand, SourceType, VarId};
use crate::program::objects::{MemLoc, ObjectKind};
use crate::symbolic::{Atom, Expr, Facts, Section, Summand};
use crate::syntax::StmtId;

/// The statement just before which a place lies for scoping: what is declared before it is visible there.
pub fn scope_stmt(model: &FunctionModel<'_>, place: Place) -> StmtId {
    match place {
        Place::Before(s) | Place::Else(s) => s,
        Place::Start(block) => model.tree.stmt(block).children.first().copied().unwrap_or(block),
        // After a statement its siblings' declarations are visible, its own included; the next sibling sees the same.
        Place::After(s) => match model.tree.stmt(s).parent {
            Some(p) => {
                let children = &model.tree.stmt(p).children;
                let at = children.iter().position(|c| *c == s);
                at.and_then(|i| children.get(i + 1)).copied().unwrap_or(s)
            }
            None => s,
        },
    }
}

/// Where names are looked up: a fine gap.
#[derive(Clone)]
pub struct NamingPoint<'a> {
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// The gap, in the fine graph.
    pub gap: NodeId,
    /// The statement whose visible declarations count.
    pub stmt: StmtId,
    /// Variables by which sizes are called where they are constants.
    pub sizes: Vec<SlotId>,
    /// Numbers that are positive where what is written here is evaluated at all.
    pub asked: Vec<Expr>,
    /// Loops with kernels are taken to run.
    pub speculates: bool,
    /// How that was named which ends here.
    pub entered: EnteredAs,
}

/// Whether a global is declared where the function stands: the function uses it, or its file declares it further up, itself
/// or by what it includes.
fn is_declared(model: &FunctionModel<'_>, global: GlobalId) -> bool {
    let function = model.function();
    let Some(seen) = model.module.seen(function.unit, global) else {
        return false;
    };
    let above = matches!((seen.decl, function.decl), (Some(there), Some(here)) if there < here);
    above || {
        let mut used = false;
        for inst in &function.insts {
            for_operands(&inst.op, &mut |o| used |= names_global(o, global));
        }
        used
    }
}

/// Whether the function's file knows the whole type of a global.
fn is_complete(model: &FunctionModel<'_>, global: GlobalId) -> bool {
    let seen = model.module.seen(model.function().unit, global);
    seen.is_some_and(|seen| seen.complete)
}

fn names_global(operand: &Operand, global: GlobalId) -> bool {
    match operand {
        Operand::Global(g) => *g == global,
        Operand::ConstGep { base, .. } => names_global(base, global),
        _ => false,
    }
}

impl<'a> NamingPoint<'a> {
    /// A coarse gap as a point of lookup.
    pub fn coarse(model: &'a FunctionModel<'a>, gap: NodeId) -> Option<NamingPoint<'a>> {
        let NodeKind::Gap(place) = model.coarse.node(gap).kind else {
            return None;
        };
        Some(NamingPoint {
            model,
            gap: model.fine.gap(place)?,
            stmt: scope_stmt(model, place),
            sizes: Vec::new(),
            asked: Vec::new(),
            speculates: false,
            entered: EnteredAs::Nothing,
        })
    }

    /// The point of lookup of a directive of a residency, which asks for a condition first, and may speculate on loops with
    /// kernels.
    #[must_use]
    pub fn asking(mut self, when: &LaunchCondition, speculates: bool) -> NamingPoint<'a> {
        self.speculates = speculates;
        self.asked.clone_from(&when.idle);
        self
    }

    /// Whether the file defines a macro of this name, somewhere: what is written here might be that macro.
    fn is_macro(&self, name: &str) -> bool {
        self.model.tree.macros.iter().any(|m| m == name)
    }

    /// Whether a word of a slot's name may be a macro.
    fn is_told_by_macros(&self, slot: SlotId) -> bool {
        let name = self.model.values.slots.get(slot).name.as_deref().unwrap_or_default();
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        !self.model.tree.macros.is_empty() && words.any(|word| self.is_macro(word))
    }

    fn may_evaluate(&self, what: &EvaluatedOperand) -> bool {
        self.model.may_evaluate(what, self.gap, &self.asked, self.speculates)
    }

    /// Whether a slot may be looked at here: behind a pointer, where the program looks at something behind it too, and where it is not in
    /// a local of a block that has ended.
    fn may_look_at(&self, slot: SlotId) -> bool {
        let (model, values) = (self.model, self.model.values);
        let SlotKind::Behind(pointer, _) = values.slots.get(slot).kind else {
            return true;
        };
        let function = model.function();
        let has_ended = |place: &MemLoc| match model.points_to.object(place.object).kind {
            ObjectKind::Local { func, alloca } if func == model.func => {
                let variable = function.variable_of(alloca);
                let name = |v: VarId| &function.variables[v.0 as usize].name;
                variable.is_none_or(|v| model.visible_variable(self.stmt, name(v)) != Some(v))
            }
            _ => false,
        };
        let places = values.slots.places(model.points_to, model.func, slot);
        if places.iter().any(has_ended) {
            return false;
        }
        match values.slot_ptr(pointer, values.versions.before(self.gap, pointer)).base {
            Base::Local(_) | Base::Global(_) => true,
            Base::Value(sym) => self.may_evaluate(&EvaluatedOperand::Behind(sym)),
        }
    }

    /// Whether all quotients in a number may be formed here: by what is not zero.
    pub(crate) fn may_divide(&self, e: &Expr) -> bool {
        let mut divisors = Vec::new();
        e.for_each_atom(&mut |atom| {
            if let Atom::Div(_, by) | Atom::Rem(_, by) = atom {
                divisors.push(by.clone());
            }
        });
        divisors.retain(|by| by.as_constant().is_none_or(|value| value == 0));
        if divisors.is_empty() {
            return true;
        }
        let mut facts = Facts::new();
        for asked in &self.asked {
            facts.assume_le(&Expr::constant(1), asked);
        }
        if let Some(stmt) = self.model.fine.stmt_of(self.gap) {
            let kind = self.model.fine.node(self.gap).kind;
            let around = self.model.loops.around(self.model.tree, stmt);
            around
                .filter(|l| in_loop(self.model.tree, kind, l.stmt))
                .for_each(|l| l.know_index(true, &mut facts));
        }
        let (zero, one) = (Expr::zero(), Expr::constant(1));
        divisors.into_iter().all(|by| {
            facts.prove_le(&one, &by) || facts.prove_lt(&by, &zero) || self.may_evaluate(&EvaluatedOperand::By(by))
        })
    }

    /// Whether all members behind pointers that a text of the user's names may be looked at here.
    pub(super) fn may_say(&self, text: &str) -> bool {
        let slots = &self.model.values.slots;
        let is_said = |slot: &SlotId| {
            slots
                .get(*slot)
                .name
                .as_ref()
                .is_some_and(|name| text.contains(name.as_str()))
        };
        !text.contains("->") || slots.ids().filter(is_said).all(|slot| self.may_look_at(slot))
    }

    /// Whether a variable's own name means it here.
    pub(crate) fn visible(&self, slot: SlotId) -> bool {
        let values = self.model.values;
        if let SlotKind::Global(g) = values.slots.get(slot).kind
            && self.model.module.global(g).is_choice()
        {
            // A choice's words are macros, which mean in all of the file what they mean in the condition.
            let said = self.model.module.global(g).choice_words().is_some();
            return said && self.model.module.seen(self.model.function().unit, g).is_some();
        }
        if values.versions.is_lost(self.gap, slot) || self.is_told_by_macros(slot) {
            return false;
        }
        match &self.model.values.slots.get(slot).kind {
            SlotKind::Local(v) | SlotKind::LocalField(v, _) => {
                let name = &self.model.function().variables[v.0 as usize].name;
                self.model.visible_variable(self.stmt, name) == Some(*v)
            }
            SlotKind::Global(g) | SlotKind::GlobalField(g, _) => {
                let name = &self.model.module.global(*g).name;
                let foreign = self.model.values.slots.get(slot).foreign;
                let member = matches!(self.model.values.slots.get(slot).kind, SlotKind::GlobalField(..));
                (!foreign || is_declared(self.model, *g) && (!member || is_complete(self.model, *g)))
                    && self.model.visible_global(self.stmt, name) == Some(*g)
            }
            SlotKind::Behind(outer, _) => {
                let foreign = self.model.values.slots.get(slot).foreign;
                let is_known = !foreign || has_members(self.model, *outer) && is_member(self.model, slot);
                is_known && self.visible(*outer) && self.may_look_at(slot)
            }
        }
    }

    /// A name for a base here.
    pub fn base(&self, base: Base) -> Option<String> {
        Some(self.named(base)?.0)
    }

    /// A name for a base here, and the type that the name is declared with, where that is known: another name of the same array
    /// may point to rows of it (`int *p = *a;`).
    pub fn named(&self, base: Base) -> Option<(String, Option<&'a SourceType>)> {
        let model = self.model;
        match base {
            Base::Local(v) => {
                let variable = &model.function().variables[v.0 as usize];
                let visible =
                    model.visible_variable(self.stmt, &variable.name) == Some(v) && !self.is_macro(&variable.name);
                visible.then(|| (variable.name.clone(), Some(&variable.source_type)))
            }
            Base::Global(g) => {
                let global = model.module.global(g);
                let visible = model.visible_global(self.stmt, &global.name) == Some(g) && !self.is_macro(&global.name);
                (visible && (global.in_function.is_some() || is_declared(model, g)))
                    .then(|| (global.name.clone(), global.source_type.as_ref()))
            }
            Base::Value(sym) => {
                let holds = |s: SlotId| {
                    let version = model.values.versions.before(self.gap, s);
                    let v = model.values.slot_ptr(s, version);
                    v.base == base && v.offset.is_zero() && self.visible(s)
                };
                let slot = match model.values.kind(sym) {
                    SymKind::Slot(slot, _) if holds(slot) => slot,
                    _ => {
                        let mut others = model.values.slots.ids();
                        others.find(|s| slot_is_pointer(model, *s) != Some(false) && holds(*s))?
                    }
                };
                Some((
                    model.values.slots.get(slot).name.clone()?,
                    model.values.declared_type(slot),
                ))
            }
        }
    }

    /// A name for a base here that is no member of a struct.
    pub fn plain_base(&self, base: Base) -> Option<String> {
        let values = self.model.values;
        values
            .slots
            .ids()
            .filter(|s| matches!(values.slots.get(*s).kind, SlotKind::Local(_) | SlotKind::Global(_)))
            .filter(|s| slot_is_pointer(self.model, *s) == Some(true) && self.visible(*s))
            .find(|s| {
                let v = values.slot_ptr(*s, values.versions.before(self.gap, *s));
                v.base == base && v.offset.is_zero()
            })
            .and_then(|s| values.slots.get(s).name.clone())
    }

    /// A name for a base here that is a member of what a variable points to.
    pub fn member_base(&self, base: Base) -> Option<String> {
        let values = self.model.values;
        let is_near = |s: &SlotId| match values.slots.get(*s).kind {
            SlotKind::Behind(outer, _) => {
                matches!(values.slots.get(outer).kind, SlotKind::Local(_) | SlotKind::Global(_))
            }
            _ => false,
        };
        let mut near = values
            .slots
            .ids()
            .filter(is_near)
            .filter(|s| slot_is_pointer(self.model, *s) != Some(false));
        let found = near.find(|s| {
            let v = values.slot_ptr(*s, values.versions.before(self.gap, *s));
            v.base == base && v.offset.is_zero() && self.visible(*s)
        });
        found.and_then(|s| values.slots.get(s).name.clone())
    }

    /// The item for `section` of the object called `name`: `a[0:n]`, `grid` when it is all of a declared array,
    /// `g[r:1][0:64]` for rows, `g[r:1][c:1]` for a single element.
    pub fn item(&self, name: &str, section: &Section, shape: &IndexShape, whole: bool) -> Option<String> {
        // `*v[0:n]` is what `v[0:n]` point to.
        let name = match name.starts_with('*') {
            true => format!("({name})"),
            false => name.to_owned(),
        };
        if whole && shape.array {
            return Some(name);
        }
        let length = section.len()?;
        let is_negative = |e: &Expr| e.as_constant().is_some_and(|known| known < 0);
        // No compiler takes what begins before an array, or has less than nothing, also where control never gets.
        if is_negative(&length) || shape.array && is_negative(&section.lo) {
            return None;
        }
        let dims = shape.dims.as_deref()?;
        if dims.is_empty() {
            return Some(format!("{name}[{}:{}]", self.bound(&section.lo)?, self.bound(&length)?));
        }
        let product = |dims: &[Expr]| dims.iter().try_fold(Expr::constant(1), |p, d| p.mul(d));
        if length.as_constant() == Some(1) {
            if !shape.parts {
                return None;
            }
            // One element: an index in each dimension. Of `s->r[7:1][1:1]`, where `r` is a member, clang 19 copies nothing;
            // it does of `s->r[7][1:1]`.
            let member = name.contains(['.', '>']);
            let mut rest = section.lo.clone();
            let mut text = name;
            for i in 0..=dims.len() {
                let (index, remainder) = divide(&rest, &product(&dims[i..])?)?;
                if is_negative(&index) && i > 0 {
                    return None;
                }
                let one = if member && i < dims.len() { "" } else { ":1" };
                text.push_str(&format!("[{}{one}]", self.bound(&index)?));
                rest = remainder;
            }
            return rest.is_zero().then_some(text);
        }
        let step = product(dims)?;
        let ((lo, a), (len, b)) = (divide(&section.lo, &step)?, divide(&length, &step)?);
        if !a.is_zero() || !b.is_zero() {
            return None;
        }
        let mut inner = String::new();
        for d in dims {
            inner.push_str(&format!("[0:{}]", self.bound(d)?));
        }
        Some(format!("{name}[{}:{}]{inner}", self.bound(&lo)?, self.bound(&len)?))
    }
}

/// `e = step * quotient + remainder`, by a single term term by term: what is a multiple of `step` goes to the quotient, the rest to the
/// remainder. As an address the two together are the same element whatever the remainder's size.
pub(crate) fn divide(e: &Expr, step: &Expr) -> Option<(Expr, Expr)> {
    if step.terms().len() > 1 {
        return e.split_by(step);
    }
    let (mut quotient, mut remainder) = (Expr::constant(0), Expr::constant(0));
    for term in e.terms() {
        let single = Expr::from_term(term.clone());
        let part = single.div(step).filter(|q| q.mul(step).as_ref() == Some(&single));
        match (part, step.as_constant()) {
            (Some(part), _) => quotient = quotient.add(&part)?,
            // `6*t` in rows of five is a step of one row and one column.
            (None, Some(size)) if size > 0 => {
                let unit = Expr::from_term(Summand {
                    coeff: 1,
                    ..term.clone()
                });
                quotient = quotient.add(&unit.scale(term.coeff / size)?)?;
                remainder = remainder.add(&unit.scale(term.coeff % size)?)?;
            }
            _ => remainder = remainder.add(&single)?,
        }
    }
    match (quotient.as_constant(), remainder.as_constant()) {
        // An index below zero is one row further down.
        (_, Some(below)) if below < 0 => Some((quotient.offset(-1)?, remainder.add(step)?)),
        // No row comes before the first, which a compiler would find out.
        (Some(row), None) if row < 0 => Some((Expr::constant(0), e.clone())),
        _ => Some((quotient, remainder)),
    }
}

pub(super) fn slot_is_pointer(model: &FunctionModel<'_>, slot: SlotId) -> Option<bool> {
    use crate::analysis::values::slots::is_pointer;
    match &model.values.slots.get(slot).kind {
        SlotKind::Local(v) => Some(is_pointer(&model.function().variables[v.0 as usize].source_type)),
        SlotKind::Global(g) => model.module.global(*g).source_type.as_ref().map(is_pointer),
        _ => None,
    }
}
