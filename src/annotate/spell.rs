//! Expressions as C, where a directive will stand, in arithmetic that does not overflow.
//!
//! A bound that is one variable, less a constant perhaps, is written as it is: the loop computes it too. Anything else is
//! computed in `long`: `(long)n*m`, for the product of two sizes may be one more than an `int` holds although no subscript
//! is. Constants have the names that the loops give them (`constants`).

use super::named_constants::NamedConstants;
use crate::analysis::dependence::{BranchTest, declared_type};
use crate::analysis::function::FunctionModel;
use crate::analysis::values::slots::SlotId;
use crate::analysis::values::table::Base;
use crate::plan::entered_as::EnteredAs;
use crate::plan::names::{NamingPoint, scope_stmt};
use crate::program::graph::Place;
use crate::program::ir::SourceType;
use crate::symbolic::{Expr, Facts, SpacingStyle, Sym, Vocabulary};
use crate::syntax::StmtId;
use std::collections::{BTreeMap, BTreeSet};

/// Writes expressions before a statement.
pub(super) struct Speller<'a> {
    pub at: NamingPoint<'a>,
    constants: NamedConstants,
}

impl<'a> Speller<'a> {
    pub fn before(model: &'a FunctionModel<'a>, stmt: StmtId) -> Option<Speller<'a>> {
        let place = Place::Before(stmt);
        Some(Speller {
            at: NamingPoint {
                model,
                gap: model.fine.gap(place)?,
                stmt: scope_stmt(model, place),
                sizes: Vec::new(),
                asked: Vec::new(),
                speculates: false,
                entered: EnteredAs::Nothing,
            },
            constants: NamedConstants::default(),
        })
    }

    /// What holds there: the indices of the loops around are in their ranges.
    pub fn known(&self) -> Facts {
        let model = self.at.model;
        let mut facts = Facts::new();
        for l in model
            .loops
            .around(model.tree, self.at.stmt)
            .filter(|l| l.stmt != self.at.stmt)
        {
            if let Some(index) = &l.induction {
                let value = Expr::sym(index.sym);
                facts.assume_le(&index.lo, &value);
                facts.assume_le(&value, &index.hi);
            }
        }
        facts
    }

    /// Whether a pointer variable, by its own name, points here to where a base starts.
    pub fn means(&self, slot: SlotId, base: Base) -> bool {
        let model = self.at.model;
        let values = model.values;
        let now = values.slot_ptr(slot, values.versions.before(self.at.gap, slot));
        self.at.visible(slot) && now.base == base && now.offset.is_zero()
    }

    /// A speller like this one that has names for constants.
    pub fn with(&self, constants: NamedConstants) -> Speller<'a> {
        Speller {
            at: self.at.clone(),
            constants,
        }
    }

    /// What a symbol is called here, with its type, as bytes and signedness: only variables, whose declaration says it.
    fn named(&self, sym: Sym) -> Option<(String, (u64, bool))> {
        let model = self.at.model;
        let slot = self.at.holder(sym)?;
        let name = model.values.slots.get(slot).name.clone()?;
        match declared_type(model, slot)? {
            SourceType::Int { bytes, signed } => Some((name, (*bytes, *signed))),
            _ => None,
        }
    }

    /// Bytes of the variable that a symbol is called by here.
    pub fn bytes_of(&self, sym: Sym) -> Option<u64> {
        self.named(sym).map(|(_, (bytes, _))| bytes)
    }

    /// The expression as it may be written, `None` where it cannot be or might overflow.
    pub fn text(&self, e: &Expr) -> Option<String> {
        self.written(e, !is_simple(e))
    }

    /// The expression as it may be written, computed in `long` if `wide`; `None` also where a quotient in it need not have a value.
    fn written(&self, e: &Expr, wide: bool) -> Option<String> {
        if !self.at.may_divide(e) {
            return None;
        }
        let name = |sym: Sym| {
            // Of unsigned numbers of full width no difference is negative.
            self.named(sym).filter(|(_, ty)| !wide || *ty != (8, false))
        };
        let plain = |sym: Sym| name(sym).map(|(name, _)| name);
        let cast = |sym: Sym| {
            let (name, (bytes, _)) = name(sym)?;
            Some(if bytes < 8 { format!("(long){name}") } else { name })
        };
        let words = Vocabulary {
            names: &plain,
            wide: &cast,
            constants: &|value| self.constants.name(value),
            style: SpacingStyle::default(),
        };
        words.print(e, wide)
    }

    /// `left <= right`, as `n > 0` or `m <= s` where that is what it is.
    pub fn at_most(&self, left: &Expr, right: &Expr) -> Option<String> {
        let difference = right.sub(left)?;
        let (mut more, mut less) = (Expr::constant(0), Expr::constant(0));
        for term in difference.terms().iter().filter(|t| !t.monomial.is_one()) {
            let single = Expr::from_term(term.clone());
            match term.coeff > 0 {
                true => more = more.add(&single)?,
                false => less = less.sub(&single)?,
            }
        }
        // Here `less <= more + rest`.
        let rest = difference.constant_term();
        if less.is_zero() {
            return match rest {
                0 => self.compared(&more, ">=", &Expr::zero()),
                _ => self.compared(&more, ">", &Expr::constant(rest.checked_neg()?.checked_sub(1)?)),
            };
        }
        match rest {
            _ if more.is_zero() => self.compared(&less, "<=", &Expr::constant(rest)),
            -1 => self.compared(&less, "<", &more),
            0.. => self.compared(&less, "<=", &more.offset(rest)?),
            _ => self.compared(&less.offset(rest.checked_neg()?)?, "<=", &more),
        }
    }

    /// What a branch asks; pointers are called by these names, or by what they are called here.
    pub fn asked(&self, asked: &BranchTest, names: &BTreeMap<Base, String>) -> Option<String> {
        match asked {
            BranchTest::Equal { left, right } => self.compared(left, "==", right),
            BranchTest::Differs { left, right } => self.compared(left, "!=", right),
            BranchTest::AtMost { left, right } => self.at_most(left, right),
            BranchTest::Present { base } => {
                let name = names.get(base).cloned().or_else(|| self.at.base(*base))?;
                Some(format!("{name} != 0"))
            }
        }
    }

    /// A comparison in which no side is converted to another value.
    fn compared(&self, left: &Expr, operator: &str, right: &Expr) -> Option<String> {
        let symbols: BTreeSet<Sym> = left.symbols().into_iter().chain(right.symbols()).collect();
        let types: Vec<(u64, bool)> = symbols.iter().map(|s| Some(self.named(*s)?.1)).collect::<Option<_>>()?;
        // Signed with unsigned would compare as unsigned; so would a negative constant with unsigned.
        let alike = types.windows(2).all(|w| w[0] == w[1]);
        let negative = [left, right].iter().any(|e| e.as_constant().is_some_and(|c| c < 0));
        let unsigned = types.iter().any(|(_, signed)| !signed);
        let wide = !alike || unsigned && negative;
        if wide && types.iter().any(|(bytes, signed)| *bytes >= 8 && !signed) {
            return None;
        }
        let side = |e: &Expr| self.written(e, wide || !is_simple(e));
        Some(format!("{} {operator} {}", side(left)?, side(right)?))
    }
}

/// A constant, or a variable less a constant.
fn is_simple(e: &Expr) -> bool {
    let variables: Vec<_> = e.terms().iter().filter(|t| !t.monomial.is_one()).collect();
    match variables.as_slice() {
        [] => true,
        [only] => only.coeff == 1 && only.monomial.degree() == 1 && e.constant_term() <= 0 && e.has_plain_symbols(),
        _ => false,
    }
}
