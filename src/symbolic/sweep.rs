//! What a loop makes of a section that depends on its counter.
//!
//! The counter takes the values `first, first + step, ...` up to `last` (down to it when `step` is negative). Three
//! cases show what matters; `bs` and `n` are symbols:
//!
//! | section in the body | loop | may | must |
//! |---|---|---|---|
//! | `[i, i + 1)` | `i = 0 .. n - 1`, step 1 | `[0, n)` | `[0, n)` |
//! | `[2*i, 2*i + 1)` | `i = 0 .. n - 1`, step 1 | `[0, 2*n - 1)` | none: every other element is left out |
//! | `[i, i + bs)` | `i = 0 .. n - bs`, step `bs` | `[0, n)` | `[0, n)` if `bs <= n` |
//!
//! **Empty loops.** When `first` lies beyond `last` the loop runs zero times. The may section is then larger than
//! needed at worst. The must section has to be empty, so it exists only if the loop provably runs, or if one instance
//! is no longer than the distance between instances, in which case the bounds cross by themselves.

use super::expr::{Atom, Expr, Monomial, Summand, Sym};
use super::facts::{Facts, Sign};
use super::section::Section;

/// How an expression moves as a symbol grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trend {
    Constant,
    Up,
    Down,
}

impl Trend {
    fn of_sign(sign: Sign) -> Option<Trend> {
        match sign {
            Sign::Zero => Some(Trend::Constant),
            sign if sign.is_nonnegative() => Some(Trend::Up),
            sign if sign.is_nonpositive() => Some(Trend::Down),
            _ => None,
        }
    }

    /// The trend of a sum.
    fn and(self, other: Trend) -> Option<Trend> {
        match (self, other) {
            (Trend::Constant, trend) | (trend, Trend::Constant) => Some(trend),
            _ => (self == other).then_some(self),
        }
    }

    /// The trend of a product with a factor of this sign.
    fn times(self, factor: Trend) -> Trend {
        match (self, factor) {
            (Trend::Constant, _) | (_, Trend::Constant) => Trend::Constant,
            _ if self == factor => Trend::Up,
            _ => Trend::Down,
        }
    }
}

/// The trend of `e` in `sym`, when provable: linear with a coefficient of known sign, minima, maxima and quotients by
/// positive divisors of such, or a polynomial whose difference from one value to the next has one sign.
fn trend(e: &Expr, sym: Sym, facts: &Facts) -> Option<Trend> {
    if !e.mentions(sym) {
        return Some(Trend::Constant);
    }
    if let Some((coeff, _)) = e.coefficient_of(sym) {
        return Trend::of_sign(facts.sign(&coeff));
    }
    if e.has_plain_symbols() {
        let next = Expr::sym(sym).offset(1)?;
        let difference = e.substitute(sym, &next)?.sub(e)?;
        return Trend::of_sign(facts.sign(&difference));
    }
    let (mut composite, mut plain) = (Trend::Constant, Vec::new());
    for term in e.terms() {
        let moving = |atom: &Atom| atom.operands().iter().any(|e| e.mentions(sym));
        let mut inside = term.monomial.factors().iter().filter(|(atom, _)| moving(atom));
        match (inside.next(), inside.next()) {
            (None, _) => plain.push(term.clone()),
            (Some((atom, 1)), None) => {
                let monomial = term.monomial.divided_by(&Monomial::of(atom.clone()))?;
                let factor = Expr::from_terms(vec![Summand {
                    monomial,
                    coeff: term.coeff,
                }])?;
                if factor.mentions(sym) {
                    return None;
                }
                let factor = Trend::of_sign(facts.sign(&factor))?;
                composite = composite.and(trend_of_atom(atom, sym, facts)?.times(factor))?;
            }
            _ => return None,
        }
    }
    trend_of_linear(&Expr::from_terms(plain)?, sym, facts)?.and(composite)
}

fn trend_of_linear(e: &Expr, sym: Sym, facts: &Facts) -> Option<Trend> {
    let (coeff, _) = e.coefficient_of(sym)?;
    Trend::of_sign(facts.sign(&coeff))
}

fn trend_of_atom(atom: &Atom, sym: Sym, facts: &Facts) -> Option<Trend> {
    match atom {
        Atom::Sym(_) | Atom::Opaque(_) | Atom::Rem(..) => None,
        Atom::Div(a, b) => {
            let positive = !b.mentions(sym) && facts.sign(b) == Sign::Positive;
            positive.then(|| trend(a, sym, facts))?
        }
        Atom::Min(args) | Atom::Max(args) => args
            .iter()
            .try_fold(Trend::Constant, |all, arg| all.and(trend(arg, sym, facts)?)),
    }
}

/// The values of the counter, in ascending order, and how far apart they are.
struct CounterRange<'a> {
    low: &'a Expr,
    high: &'a Expr,
    /// The positive distance between neighbours.
    stride: Expr,
}

fn range<'a>(sym: Sym, first: &'a Expr, last: &'a Expr, step: &Expr, facts: &Facts) -> Option<CounterRange<'a>> {
    if [first, last, step].into_iter().any(|e| e.mentions(sym)) {
        return None;
    }
    match facts.sign(step) {
        Sign::Positive => Some(CounterRange {
            low: first,
            high: last,
            stride: step.clone(),
        }),
        Sign::Negative => Some(CounterRange {
            low: last,
            high: first,
            stride: step.neg()?,
        }),
        _ => None,
    }
}

/// Whether the loop provably runs at least once.
pub(super) fn runs(sym: Sym, first: &Expr, last: &Expr, step: &Expr, facts: &Facts) -> bool {
    let facts = facts.without(sym);
    range(sym, first, last, step, &facts).is_some_and(|range| facts.prove_le(range.low, range.high))
}

impl Section {
    /// A section that holds this one for every value of `sym` in `first, first + step, ..., last`.
    ///
    /// `last` may be any bound that the counter does not pass. The facts have to hold in every iteration that executes
    /// the access. `None` when a bound is not provably monotone in `sym`, the sign of `step` is unknown, or the loop's
    /// own bounds mention `sym`; the whole object is then the only answer.
    pub fn over_loop(&self, sym: Sym, first: &Expr, last: &Expr, step: &Expr, facts: &Facts) -> Option<Section> {
        if !self.mentions(sym) {
            return Some(self.clone());
        }
        let range = range(sym, first, last, step, facts)?;
        let at = |e: &Expr, outer: Trend| {
            let end = if trend(e, sym, facts)? == outer {
                range.high
            } else {
                range.low
            };
            e.substitute(sym, end)
        };
        Some(Section {
            lo: at(&self.lo, Trend::Down)?,
            hi: at(&self.hi, Trend::Up)?,
        })
    }

    /// The elements that the iterations together certainly cover, as one section without gaps.
    ///
    /// `last` must be the value that the counter takes in the last iteration, if there is one. The facts have to hold
    /// where the loop starts, whether or not it runs; those about `sym` are ignored, since they speak of the body.
    /// `None` when neighbouring instances do not provably overlap or touch, or when the loop may run zero times and the
    /// bounds do not show it (see above).
    pub fn over_loop_exact(&self, sym: Sym, first: &Expr, last: &Expr, step: &Expr, facts: &Facts) -> Option<Section> {
        let facts = &facts.without(sym);
        let range = range(sym, first, last, step, facts)?;
        let instance = |at: &Expr| {
            Some(Section {
                lo: self.lo.substitute(sym, at)?,
                hi: self.hi.substitute(sym, at)?,
            })
        };
        let (lowest, highest) = (instance(range.low)?, instance(range.high)?);
        let swept = match (trend(&self.lo, sym, facts)?, trend(&self.hi, sym, facts)?) {
            // Instances that only grow are all part of the last, those that only shrink part of the first.
            (Trend::Constant | Trend::Down, Trend::Constant | Trend::Up) => highest,
            (Trend::Constant | Trend::Up, Trend::Constant | Trend::Down) => lowest,
            (Trend::Up, Trend::Up) => {
                let neighbour = self.neighbour(sym, &range)?;
                range
                    .inside(sym, facts)?
                    .prove_le(&neighbour.lo, &self.hi)
                    .then_some(())?;
                Section {
                    lo: lowest.lo,
                    hi: highest.hi,
                }
            }
            (Trend::Down, Trend::Down) => {
                let neighbour = self.neighbour(sym, &range)?;
                range
                    .inside(sym, facts)?
                    .prove_le(&self.lo, &neighbour.hi)
                    .then_some(())?;
                Section {
                    lo: highest.lo,
                    hi: lowest.hi,
                }
            }
        };
        let mut idle = facts.clone();
        idle.assume_lt(range.high, range.low);
        (facts.prove_le(range.low, range.high) || swept.is_empty(&idle)).then_some(swept)
    }

    /// The instance for the next higher value of the counter.
    fn neighbour(&self, sym: Sym, range: &CounterRange) -> Option<Section> {
        let next = Expr::sym(sym).add(&range.stride)?;
        Some(Section {
            lo: self.lo.substitute(sym, &next)?,
            hi: self.hi.substitute(sym, &next)?,
        })
    }
}

impl CounterRange<'_> {
    /// The facts, and that the counter and its next higher value lie in the range.
    fn inside(&self, sym: Sym, facts: &Facts) -> Option<Facts> {
        let counter = Expr::sym(sym);
        let mut inside = facts.clone();
        inside.assume_le(self.low, &counter);
        inside.assume_le(&counter.add(&self.stride)?, self.high);
        Some(inside)
    }
}

#[cfg(test)]
mod tests;
