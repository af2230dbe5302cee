//! Names of numbers at a gap (R7): what a symbol is called there, and what a bound.
//!
//! A number may have several names: a variable's is taken before that of a member, and a member's that is one step
//! away before one further away. In clauses, sizes are taken not to be negative; what is asked in conditions is not, and is
//! called by what is the very number alone ([`super::compare`]).

use super::names::{NamingPoint, slot_is_pointer};
use crate::analysis::values::casts::IntType;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::SymKind;
use crate::analysis::values::version::Version;
use crate::symbolic::{Atom, Expr, SpacingStyle, Summand, Sym, Vocabulary};
use crate::syntax::{StmtId, declaration_in_scope};

impl NamingPoint<'_> {
    /// A name for an integer symbol here.
    pub fn symbol(&self, sym: Sym) -> Option<String> {
        let taken = || self.holding(sym, &|slot, version| Some(self.model.values.slot_int(slot, version)));
        self.number(sym)
            .or_else(|| self.model.values.slots.get(taken()?).name.clone())
    }

    /// A name for an integer symbol here without anything taken of sizes: after `size_t count = n`, `count` is none for
    /// `n`.
    pub(super) fn number(&self, sym: Sym) -> Option<String> {
        let values = self.model.values;
        if let Some(variable) = self.shorter(&Expr::sym(sym)) {
            return Some(variable);
        }
        if let Some(slot) = self.holder(sym) {
            return values.slots.get(slot).name.clone();
        }
        match values.kind(sym) {
            SymKind::Cast(of, to) => Some(format!("({}){}", to.name(), self.number(of)?)),
            SymKind::Bound(stmt) => self.bound_of(stmt),
            _ => None,
        }
    }

    /// A variable with a name that holds an integer symbol here: the one that the symbol belongs to comes first, then any
    /// other that has the very number, and compares as it does.
    pub(crate) fn holder(&self, sym: Sym) -> Option<SlotId> {
        self.holding(sym, &|slot, version| {
            let alike = self.compares_alike(sym, slot);
            alike.then(|| self.model.values.exact_in(slot, version))
        })
    }

    /// The words that the head of a loop has for its bound, if its variables have the values here that they have there.
    fn bound_of(&self, stmt: StmtId) -> Option<String> {
        let (model, values) = (self.model, self.model.values);
        let bound = model.tree.trips.get(&stmt)?.as_ref()?;
        let header = model.loops.get(stmt)?.header;
        let is_the_same = |name: &String| {
            let declared = |at| declaration_in_scope(model.tree, at, name);
            let variable = model.visible_variable(stmt, name).map(SlotKind::Local);
            let global = || model.visible_global(stmt, name).map(SlotKind::Global);
            let Some(kind) = variable.or_else(global) else {
                // A macro, or a constant of an enumeration of the file.
                return declared(stmt).is_none() && declared(self.stmt).is_none();
            };
            let slot = values.slots.find(&kind);
            let version = |slot, node| values.versions.before(node, slot);
            slot.is_some_and(|s| self.visible(s) && version(s, self.gap) == version(s, header))
        };
        bound.names.iter().all(is_the_same).then(|| bound.words.clone())
    }

    fn holding(&self, sym: Sym, holds: &dyn Fn(SlotId, Version) -> Option<Expr>) -> Option<SlotId> {
        let model = self.model;
        if let SymKind::Slot(slot, version) = model.values.kind(sym)
            && model.values.versions.before(self.gap, slot) == version
            && self.visible(slot)
        {
            return model.values.slots.get(slot).name.is_some().then_some(slot);
        }
        let wanted = Some(Expr::sym(sym));
        model.values.slots.ids().find(|s| {
            let version = model.values.versions.before(self.gap, *s);
            let is_int = !matches!(slot_is_pointer(model, *s), Some(true));
            is_int && model.values.slots.get(*s).name.is_some() && holds(*s, version) == wanted && self.visible(*s)
        })
    }

    /// A bound of a section as text: by the variable that holds it where there is one, else computed from others.
    pub(super) fn bound(&self, e: &Expr) -> Option<String> {
        if let Some(value) = e.as_constant().filter(|v| *v > 1) {
            let values = self.model.values;
            let holds = |s: &&SlotId| {
                let now = values.slot_int(**s, values.versions.before(self.gap, **s));
                now.as_constant() == Some(value) && self.visible(**s)
            };
            let named = self.sizes.iter().find(holds);
            if let Some(name) = named.and_then(|s| values.slots.get(*s).name.clone()) {
                return Some(name);
            }
        }
        if let Some(variable) = self.shorter(e) {
            return Some(variable);
        }
        self.computed(e, &|s| self.symbol(s))
    }

    /// A number as text that computes it of variables by such names. What is divided has to be the very number in the types of the variables:
    /// `(t - u) % 7` is not that of an `int t` and an `unsigned u`, `((long)t - (long)u) % 7` is.
    pub(super) fn computed(&self, e: &Expr, name: &dyn Fn(Sym) -> Option<String>) -> Option<String> {
        if !self.may_divide(e) {
            return None;
        }
        let values = self.model.values;
        let (mut plain, mut wide, mut quotients) = (true, true, false);
        e.for_each_atom(&mut |atom| {
            let (Atom::Div(a, b) | Atom::Rem(a, b)) = atom else {
                return;
            };
            quotients = true;
            plain &= values.computes_as_is(&[a, b], false);
            wide &= values.computes_as_is(&[a, b], true);
        });
        let number = |s| self.number(s);
        let name = if quotients { &number } else { name };
        if plain && self.multiplies_as_the_program(e) {
            return self.printed(e, name, false);
        }
        self.printed(e, name, true).filter(|_| wide)
    }

    /// A number as text that computes it of variables by such names, in `long` where that is asked for.
    pub(super) fn printed(&self, e: &Expr, name: &dyn Fn(Sym) -> Option<String>, wide: bool) -> Option<String> {
        let words = Vocabulary {
            names: name,
            wide: &|s| Some(format!("(long){}", name(s)?)),
            constants: &|_| None,
            style: SpacingStyle::default(),
        };
        words.print(e, wide)
    }

    /// Whether products that may be too large for an `int` are computed in one by the program as well.
    fn multiplies_as_the_program(&self, e: &Expr) -> bool {
        let values = self.model.values;
        let is_small = |s: &Sym| values.type_of(*s).is_some_and(|ty| ty.bytes <= 4);
        let may_be_large = |term: &&Summand| {
            let product = Expr::from_term((*term).clone());
            let multiplies = term.monomial.degree() > 1 || term.coeff.unsigned_abs() > 1 && !term.monomial.is_one();
            multiplies && product.symbols().iter().all(is_small) && !values.fits(&product, IntType::INT)
        };
        let mut large = e.terms().iter().filter(may_be_large);
        large.all(|term| self.model.loops.computes_in_int(values, term))
    }

    /// A variable that holds just this, where all else that says it is longer: `n` for `s->rows * s->cols`; or a member, where
    /// that is nearer: `g->n` for `s->grid->n`.
    pub(super) fn shorter(&self, e: &Expr) -> Option<String> {
        self.model.values.slots.get(self.shorter_slot(e)?).name.clone()
    }

    /// A variable like that of [`NamingPoint::shorter`] which compares with other numbers as the number does: none that
    /// stays unsigned there.
    pub(super) fn shorter_number(&self, e: &Expr) -> Option<String> {
        let (name, ty) = self.shorter_with_type(e)?;
        let alike = e.as_sym().is_some() || ty.is_some_and(|ty| !ty.stays_unsigned());
        alike.then_some(name)
    }

    /// A variable like that of [`NamingPoint::shorter`], and its type if that is one of integers.
    pub(super) fn shorter_with_type(&self, e: &Expr) -> Option<(String, Option<IntType>)> {
        let values = self.model.values;
        let slot = self.shorter_slot(e)?;
        let ty = values.declared_type(slot).and_then(IntType::of);
        Some((values.slots.get(slot).name.clone()?, ty))
    }

    fn shorter_slot(&self, e: &Expr) -> Option<SlotId> {
        let values = self.model.values;
        let plain = |s: SlotId| matches!(values.slots.get(s).kind, SlotKind::Local(_) | SlotKind::Global(_));
        let near = |s: SlotId| match values.slots.get(s).kind {
            SlotKind::Behind(outer, _) => plain(outer),
            _ => true,
        };
        let sym = e.as_sym();
        let holder = sym.and_then(|s| self.holder(s));
        if e.as_constant().is_some() || holder.is_some_and(plain) {
            return None;
        }
        let holds = |s: &SlotId| {
            slot_is_pointer(self.model, *s) != Some(true)
                && values.slots.get(*s).name.is_some()
                && values.exact_in(*s, values.versions.before(self.gap, *s)) == *e
                && self.visible(*s)
                && sym.is_none_or(|sym| self.compares_alike(sym, *s))
        };
        let nearer = || {
            let far = holder.filter(|s| !near(*s))?;
            values.slots.ids().filter(|s| *s != far && near(*s)).find(holds)
        };
        values.slots.ids().filter(|s| plain(*s)).find(holds).or_else(nearer)
    }

    /// Whether a slot compares with other numbers as a symbol does.
    fn compares_alike(&self, sym: Sym, slot: SlotId) -> bool {
        let values = self.model.values;
        let ty = values.declared_type(slot).and_then(IntType::of);
        values.is_unsigned(sym) || !ty.is_some_and(IntType::stays_unsigned)
    }
}
