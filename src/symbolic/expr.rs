//! The canonical form of an expression: a sorted sum of integer coefficients times monomials.
//!
//! Two expressions that are equal as polynomials over the same atoms are the same value in memory, so `==` decides
//! polynomial equality and `a - b` of equals is literally zero. Everything that is not a polynomial (division, minimum)
//! is an [`Atom`] that a monomial may contain; see [`super::compose`] for how those are built.
//!
//! Every operation that could grow is checked: on `i128` overflow, or beyond [`MAX_TERMS`], [`MAX_DEGREE`] or
//! [`MAX_WEIGHT`], it answers `None`, which a caller treats as "unknown". Cloning is a reference count.

use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most terms one sum may have.
pub const MAX_TERMS: usize = 64;
/// The highest total degree of a monomial.
pub const MAX_DEGREE: u32 = 12;
/// The most terms an expression may have, counting those nested inside atoms.
pub const MAX_WEIGHT: usize = 256;

/// A symbol: an integer whose value is fixed but not known. The caller decides what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u32);

/// An indivisible factor of a monomial.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A symbol.
    Sym(Sym),
    /// An unknown value, equal only to itself. It cannot be printed.
    Opaque(u32),
    /// C's truncating quotient; undefined where the divisor is zero.
    Div(Expr, Expr),
    /// C's remainder, with the sign of the dividend; undefined where the divisor is zero.
    Rem(Expr, Expr),
    /// The least of at least two expressions, sorted and distinct.
    Min(Vec<Expr>),
    /// The greatest of at least two expressions, sorted and distinct.
    Max(Vec<Expr>),
}

/// A sorted product of distinct atoms with positive powers; the empty product is the constant 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Monomial(SmallVec<[(Atom, u32); 2]>);

/// One summand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Summand {
    /// What is multiplied.
    pub monomial: Monomial,
    /// By how much; never zero inside an [`Expr`].
    pub coeff: i128,
}

/// An integer expression in canonical form.
///
/// The derived order is structural: it makes output deterministic and says nothing about values. In particular
/// `Ord::min` picks the structurally smaller expression; the minimum of two values is [`Expr::min_of`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expr(Arc<[Summand]>);

impl Atom {
    /// The expressions inside a composite atom; empty for symbols and opaque values.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Atom::Sym(_) | Atom::Opaque(_) => Vec::new(),
            Atom::Div(a, b) | Atom::Rem(a, b) => vec![a, b],
            Atom::Min(args) | Atom::Max(args) => args.iter().collect(),
        }
    }

    /// Terms nested inside, plus one for the atom itself.
    fn weight(&self) -> usize {
        1 + self.operands().into_iter().map(Expr::weight).sum::<usize>()
    }
}

impl Monomial {
    /// The constant 1.
    pub fn one() -> Monomial {
        Monomial::default()
    }

    /// A single atom.
    pub fn of(atom: Atom) -> Monomial {
        Monomial(SmallVec::from_iter([(atom, 1)]))
    }

    /// The factors with their powers, in canonical order.
    pub fn factors(&self) -> &[(Atom, u32)] {
        &self.0
    }

    /// Whether this is the constant 1.
    pub fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum of the powers.
    pub fn degree(&self) -> u32 {
        self.0.iter().map(|(_, power)| *power).sum()
    }

    /// The power of `atom`, zero when absent.
    pub fn power(&self, atom: &Atom) -> u32 {
        self.0.iter().find(|(a, _)| a == atom).map_or(0, |(_, p)| *p)
    }

    /// The product, `None` beyond [`MAX_DEGREE`].
    pub fn mul(&self, other: &Monomial) -> Option<Monomial> {
        if self.degree() + other.degree() > MAX_DEGREE {
            return None;
        }
        if self.is_one() || other.is_one() {
            return Some(if self.is_one() { other } else { self }.clone());
        }
        let mut factors = self.0.clone();
        for (atom, power) in &other.0 {
            match factors.binary_search_by(|(a, _)| a.cmp(atom)) {
                Ok(at) => factors[at].1 += power,
                Err(at) => factors.insert(at, (atom.clone(), *power)),
            }
        }
        Some(Monomial(factors))
    }

    /// The quotient when `other` divides this monomial.
    pub fn divided_by(&self, other: &Monomial) -> Option<Monomial> {
        let mut factors = self.0.clone();
        for (atom, power) in &other.0 {
            let at = factors.iter().position(|(a, p)| a == atom && p >= power)?;
            factors[at].1 -= power;
            if factors[at].1 == 0 {
                factors.remove(at);
            }
        }
        Some(Monomial(factors))
    }
}

impl Expr {
    /// A constant.
    pub fn constant(value: i128) -> Expr {
        let term = (value != 0).then(|| Summand {
            monomial: Monomial::one(),
            coeff: value,
        });
        Expr(term.into_iter().collect())
    }

    /// The constant 0.
    pub fn zero() -> Expr {
        Expr::constant(0)
    }

    /// A symbol.
    pub fn sym(sym: Sym) -> Expr {
        Expr::atom(Atom::Sym(sym))
    }

    /// An unknown value, equal only to the opaque value with the same number.
    pub fn opaque(number: u32) -> Expr {
        Expr::atom(Atom::Opaque(number))
    }

    /// A single atom. Composite atoms come from [`Expr::div`] and its neighbours, which simplify.
    pub(super) fn atom(atom: Atom) -> Expr {
        Expr(Arc::from([Summand {
            monomial: Monomial::of(atom),
            coeff: 1,
        }]))
    }

    /// The expression of a single summand.
    pub fn from_term(term: Summand) -> Expr {
        if term.coeff == 0 {
            Expr::zero()
        } else {
            Expr(Arc::from([term]))
        }
    }

    /// Sorts, merges and checks arbitrary terms.
    pub(super) fn from_terms(mut terms: Vec<Summand>) -> Option<Expr> {
        terms.sort_by(|a, b| a.monomial.cmp(&b.monomial));
        let mut merged: Vec<Summand> = Vec::with_capacity(terms.len());
        for term in terms {
            match merged.last_mut() {
                Some(last) if last.monomial == term.monomial => last.coeff = last.coeff.checked_add(term.coeff)?,
                _ => merged.push(term),
            }
        }
        merged.retain(|term| term.coeff != 0);
        Expr::checked(merged)
    }

    /// The expression of terms in canonical form, if it is not too large.
    fn checked(terms: Vec<Summand>) -> Option<Expr> {
        let expr = Expr(Arc::from(terms));
        (expr.0.len() <= MAX_TERMS && expr.weight() <= MAX_WEIGHT).then_some(expr)
    }

    /// The summands in canonical order; the constant, if any, comes first.
    pub fn terms(&self) -> &[Summand] {
        &self.0
    }

    /// Terms including those nested inside atoms.
    fn weight(&self) -> usize {
        let factors = self.0.iter().flat_map(|term| term.monomial.factors());
        self.0.len() + factors.map(|(atom, _)| atom.weight() - 1).sum::<usize>()
    }

    /// The sum.
    pub fn add(&self, other: &Expr) -> Option<Expr> {
        self.merged(other, 1)
    }

    /// The difference.
    pub fn sub(&self, other: &Expr) -> Option<Expr> {
        self.merged(other, -1)
    }

    /// `self + factor * other`. Both are sorted, so one pass over them will do.
    fn merged(&self, other: &Expr, factor: i128) -> Option<Expr> {
        let mut terms = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.monomial.cmp(&b.monomial),
            };
            let kept = left.next_if(|_| order.is_le());
            let scaled = right.next_if(|_| order.is_ge());
            let added = scaled.map_or(Some(0), |term| term.coeff.checked_mul(factor))?;
            let coeff = kept.map_or(0, |term| term.coeff).checked_add(added)?;
            if let Some(term) = kept.or(scaled).filter(|_| coeff != 0) {
                terms.push(Summand {
                    monomial: term.monomial.clone(),
                    coeff,
                });
            }
        }
        Expr::checked(terms)
    }

    /// The negation; `None` only when a coefficient is `i128::MIN`.
    pub fn neg(&self) -> Option<Expr> {
        self.scale(-1)
    }

    /// The product with a constant.
    pub fn scale(&self, factor: i128) -> Option<Expr> {
        if factor == 0 {
            return Some(Expr::zero());
        }
        // Canonical order does not depend on coefficients, so nothing needs sorting.
        let scaled = self.0.iter().map(|term| {
            let coeff = term.coeff.checked_mul(factor)?;
            Some(Summand {
                monomial: term.monomial.clone(),
                coeff,
            })
        });
        Some(Expr(scaled.collect::<Option<_>>()?))
    }

    /// The product.
    pub fn mul(&self, other: &Expr) -> Option<Expr> {
        if self.0.len() * other.0.len() > 8 * MAX_TERMS {
            return None;
        }
        let mut terms = Vec::with_capacity(self.0.len() * other.0.len());
        for a in self.0.iter() {
            for b in other.0.iter() {
                let coeff = a.coeff.checked_mul(b.coeff)?;
                terms.push(Summand {
                    monomial: a.monomial.mul(&b.monomial)?,
                    coeff,
                });
            }
        }
        Expr::from_terms(terms)
    }

    /// The sum with a constant.
    pub fn offset(&self, by: i128) -> Option<Expr> {
        self.add(&Expr::constant(by))
    }

    /// The quotient by a positive number, rounded down, where all but the constant are multiples of it.
    pub(super) fn floor_of(&self, by: i128) -> Option<Expr> {
        let parts = self.0.iter().map(|term| {
            let exact = term.coeff % by == 0;
            (exact || term.monomial.is_one()).then(|| Summand {
                monomial: term.monomial.clone(),
                coeff: term.coeff.div_euclid(by),
            })
        });
        Expr::from_terms(parts.collect::<Option<Vec<_>>>()?)
    }

    /// The value when it is a constant.
    pub fn as_constant(&self) -> Option<i128> {
        match &*self.0 {
            [] => Some(0),
            [only] if only.monomial.is_one() => Some(only.coeff),
            _ => None,
        }
    }

    /// Whether it is the constant 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The constant summand.
    pub fn constant_term(&self) -> i128 {
        self.0
            .first()
            .filter(|term| term.monomial.is_one())
            .map_or(0, |term| term.coeff)
    }

    /// The summands apart from the constant one.
    pub(super) fn variable_terms(&self) -> &[Summand] {
        let constant = self.0.first().is_some_and(|term| term.monomial.is_one());
        &self.0[usize::from(constant)..]
    }

    /// The symbol, when the expression is nothing else.
    pub fn as_sym(&self) -> Option<Sym> {
        match self.as_atom()? {
            Atom::Sym(sym) => Some(*sym),
            _ => None,
        }
    }

    /// The atom, when the expression is nothing else.
    pub fn as_atom(&self) -> Option<&Atom> {
        match &*self.0 {
            [Summand { monomial, coeff: 1 }] => match monomial.factors() {
                [(atom, 1)] => Some(atom),
                _ => None,
            },
            _ => None,
        }
    }

    /// The coefficient of a monomial, zero when absent.
    pub fn coefficient(&self, monomial: &Monomial) -> i128 {
        self.0
            .binary_search_by(|term| term.monomial.cmp(monomial))
            .map_or(0, |at| self.0[at].coeff)
    }

    /// Calls `visit` on every atom, nested ones included, outer before inner.
    pub fn for_each_atom<'a>(&'a self, visit: &mut dyn FnMut(&'a Atom)) {
        for (atom, _) in self.0.iter().flat_map(|term| term.monomial.factors()) {
            visit(atom);
            for operand in atom.operands() {
                operand.for_each_atom(visit);
            }
        }
    }

    /// The symbols it mentions, nested ones included, in ascending order.
    pub fn symbols(&self) -> BTreeSet<Sym> {
        let mut found = BTreeSet::new();
        self.for_each_atom(&mut |atom| {
            if let Atom::Sym(sym) = atom {
                found.insert(*sym);
            }
        });
        found
    }

    /// Whether it mentions `sym`, also inside an atom.
    pub fn mentions(&self, sym: Sym) -> bool {
        let mut found = false;
        self.for_each_atom(&mut |atom| found |= *atom == Atom::Sym(sym));
        found
    }

    /// Whether it is made of nothing but symbols and constants.
    pub fn has_plain_symbols(&self) -> bool {
        let mut plain = true;
        self.for_each_atom(&mut |atom| plain &= matches!(atom, Atom::Sym(_)));
        plain
    }

    /// Whether an unknown value is part of it.
    pub fn has_opaque(&self) -> bool {
        let mut found = false;
        self.for_each_atom(&mut |atom| found |= matches!(atom, Atom::Opaque(_)));
        found
    }

    /// The value when `leaf` gives values to symbols and opaque values; `None` on overflow or division by zero.
    pub fn eval(&self, leaf: &dyn Fn(&Atom) -> Option<i128>) -> Option<i128> {
        self.0.iter().try_fold(0i128, |sum, term| {
            let value = term
                .monomial
                .factors()
                .iter()
                .try_fold(term.coeff, |product, (atom, power)| {
                    product.checked_mul(eval_atom(atom, leaf)?.checked_pow(*power)?)
                })?;
            sum.checked_add(value)
        })
    }
}

fn eval_atom(atom: &Atom, leaf: &dyn Fn(&Atom) -> Option<i128>) -> Option<i128> {
    let values = |args: &[Expr]| args.iter().map(|arg| arg.eval(leaf)).collect::<Option<Vec<_>>>();
    match atom {
        Atom::Sym(_) | Atom::Opaque(_) => leaf(atom),
        Atom::Div(a, b) => a.eval(leaf)?.checked_div(b.eval(leaf)?),
        Atom::Rem(a, b) => leaf(atom).or_else(|| a.eval(leaf)?.checked_rem(b.eval(leaf)?)),
        Atom::Min(args) => values(args)?.into_iter().min(),
        Atom::Max(args) => values(args)?.into_iter().max(),
    }
}

#[cfg(test)]
mod tests;
