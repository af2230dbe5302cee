//! Substitution, and reading an expression as linear in one symbol.

use super::expr::{Atom, Expr, Monomial, Summand, Sym};

impl Expr {
    /// Replaces every occurrence of `sym`, also inside atoms. `None` when the result grows too far or divides by zero.
    pub fn substitute(&self, sym: Sym, with: &Expr) -> Option<Expr> {
        self.replace_atom(&Atom::Sym(sym), with)
    }

    /// Replaces all symbols at once; `map` answers `None` for one that has no counterpart, and then so does this.
    pub fn map_syms(&self, map: &mut dyn FnMut(Sym) -> Option<Expr>) -> Option<Expr> {
        self.rebuild(&mut |atom| match atom {
            Atom::Sym(sym) => map(*sym).map(Some),
            _ => Some(None),
        })
    }

    /// Replaces every occurrence of one atom.
    pub(super) fn replace_atom(&self, atom: &Atom, with: &Expr) -> Option<Expr> {
        let mut occurs = false;
        self.for_each_atom(&mut |a| occurs |= a == atom);
        if !occurs {
            return Some(self.clone());
        }
        self.rebuild(&mut |a| Some((a == atom).then(|| with.clone())))
    }

    /// Rebuilds bottom-up. `replace` answers, per atom, what stands for it; `Some(None)` keeps it and looks inside.
    fn rebuild(&self, replace: &mut dyn FnMut(&Atom) -> Option<Option<Expr>>) -> Option<Expr> {
        let mut sum = Expr::zero();
        for term in self.terms() {
            let mut product = Expr::constant(term.coeff);
            for (atom, power) in term.monomial.factors() {
                let value = match replace(atom)? {
                    Some(value) => value,
                    None => rebuild_atom(atom, replace)?,
                };
                for _ in 0..*power {
                    product = product.mul(&value)?;
                }
            }
            sum = sum.add(&product)?;
        }
        Some(sum)
    }

    /// Reads the expression as `coeff * sym + rest`. `None` unless it is linear in `sym`, with `sym` inside no atom;
    /// neither result mentions `sym`, and `coeff` is zero when the expression does not.
    pub fn coefficient_of(&self, sym: Sym) -> Option<(Expr, Expr)> {
        let atom = Atom::Sym(sym);
        let variable = Monomial::of(atom.clone());
        let (mut coeff, mut rest) = (Vec::new(), Vec::new());
        for term in self.terms() {
            let nested = |(a, _): &(Atom, u32)| a.operands().iter().any(|e| e.mentions(sym));
            if term.monomial.factors().iter().any(nested) || term.monomial.power(&atom) > 1 {
                return None;
            }
            match term.monomial.divided_by(&variable) {
                Some(monomial) => coeff.push(Summand {
                    monomial,
                    coeff: term.coeff,
                }),
                None => rest.push(term.clone()),
            }
        }
        Some((Expr::from_terms(coeff)?, Expr::from_terms(rest)?))
    }
}

fn rebuild_atom(atom: &Atom, replace: &mut dyn FnMut(&Atom) -> Option<Option<Expr>>) -> Option<Expr> {
    let operands = atom
        .operands()
        .into_iter()
        .map(|e| e.rebuild(replace))
        .collect::<Option<Vec<_>>>()?;
    match atom {
        Atom::Sym(_) | Atom::Opaque(_) => Some(Expr::atom(atom.clone())),
        Atom::Div(..) => operands[0].div(&operands[1]),
        Atom::Rem(..) => operands[0].rem(&operands[1]),
        Atom::Min(_) => Expr::min_of(&operands),
        Atom::Max(_) => Expr::max_of(&operands),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::testing::{assignment, exprs, leaf, sym};
    use proptest::prelude::*;

    #[test]
    fn linear_expressions_split_and_others_do_not() {
        let (i, n) = (sym(0), sym(1));
        let index = i.mul(&n).unwrap().add(&n).unwrap().offset(-1).unwrap();
        let (coeff, rest) = index.coefficient_of(Sym(0)).unwrap();
        assert_eq!(coeff, n);
        assert_eq!(rest, n.offset(-1).unwrap());
        assert!(index.coefficient_of(Sym(7)).unwrap().0.is_zero());
        assert_eq!(i.mul(&i).unwrap().coefficient_of(Sym(0)), None);
        assert_eq!(i.div(&Expr::constant(2)).unwrap().coefficient_of(Sym(0)), None);
    }

    #[test]
    fn a_substitution_may_make_an_atom_exact() {
        let half = sym(0).div(&Expr::constant(2)).unwrap();
        assert_eq!(half.substitute(Sym(0), &sym(1).scale(2).unwrap()).unwrap(), sym(1));
        let quotient = sym(0).div(&sym(1)).unwrap();
        assert_eq!(quotient.substitute(Sym(1), &Expr::zero()), None);
    }

    #[test]
    fn symbols_are_renamed_at_once() {
        let swapped = sym(0).sub(&sym(1)).unwrap().map_syms(&mut |s| Some(sym(1 - s.0)));
        assert_eq!(swapped.unwrap(), sym(1).sub(&sym(0)).unwrap());
        assert_eq!(sym(0).map_syms(&mut |_| None), None);
    }

    proptest! {
        #[test]
        fn substitution_agrees_with_evaluation(e in exprs(), with in exprs(), values in assignment()) {
            let mut changed = values.clone();
            if let Some(value) = with.eval(&leaf(&values)) {
                changed[0] = value;
                if let (Some(result), Some(expected)) = (e.substitute(Sym(0), &with), e.eval(&leaf(&changed))) {
                    prop_assert_eq!(result.eval(&leaf(&values)), Some(expected));
                }
            }
        }
    }
}
