//! The linear core of the prover: does a goal follow from hypotheses by linear reasoning alone?
//!
//! By Farkas' lemma the inequalities `h1 >= 0, ..., hk >= 0` have no rational solution exactly when some combination
//! `l1*h1 + ... + lk*hk` with nonnegative multipliers is the constant `-1`. So `goal >= 0` follows if adding its
//! opposite, `-goal - 1 >= 0`, makes such a combination possible; this includes hypotheses that contradict each other.
//! Every monomial counts as a variable of its own here, which is sound for polynomials, and for linear expressions
//! misses only what needs integrality.
//!
//! The multipliers are found with the first phase of the simplex method, in a tableau of integers: rows may be scaled
//! by positive numbers freely, so no fraction is ever needed. Bland's rule makes it terminate. Overflow, or more than
//! [`MAX_PIVOTS`] pivots, answers "unknown".

use super::compose::gcd;
use super::expr::{Expr, Monomial};
use std::collections::BTreeSet;

/// The most pivots of one search.
const MAX_PIVOTS: usize = 200;
/// Rows are divided by their common divisor once an entry exceeds this.
const LARGE: u128 = 1 << 40;

/// Whether `goal >= 0` follows from the hypotheses, each `>= 0`.
pub(super) fn implied(hypotheses: &[Expr], goal: &Expr) -> bool {
    let Some(opposite) = goal.neg().and_then(|e| e.offset(-1)) else {
        return false;
    };
    let columns: Vec<&Expr> = hypotheses.iter().chain([&opposite]).collect();
    let monomials = columns
        .iter()
        .flat_map(|e| e.terms())
        .map(|term| &term.monomial)
        .filter(|m| !m.is_one());
    let mut tableau = Tableau::default();
    for monomial in monomials.collect::<BTreeSet<&Monomial>>() {
        tableau.push(columns.iter().map(|e| e.coefficient(monomial)).chain([0, 0]).collect());
    }
    // The constants add up to -1 together with a nonnegative slack. Written with a nonnegative right-hand side.
    let constants = columns.iter().map(|e| e.constant_term().checked_neg());
    let Some(constants) = constants.chain([Some(-1), Some(1)]).collect::<Option<Vec<_>>>() else {
        return false;
    };
    tableau.push(constants);
    tableau.feasible().unwrap_or(false)
}

/// Equations `row * x = rhs` over `x >= 0`; the last entry of each row is its right-hand side, never negative.
#[derive(Default)]
struct Tableau {
    rows: Vec<Vec<i128>>,
    /// The basic variable of each row; artificial variables are numbered after the columns.
    basis: Vec<usize>,
}

impl Tableau {
    fn push(&mut self, row: Vec<i128>) {
        self.basis.push(row.len() - 1 + self.rows.len());
        self.rows.push(row);
    }

    /// Whether the equations have a solution; `None` when the search was cut short.
    fn feasible(&mut self) -> Option<bool> {
        let columns = self.rows[0].len() - 1;
        let mut objective = vec![0i128; columns + 1];
        for row in &self.rows {
            for (sum, entry) in objective.iter_mut().zip(row) {
                *sum = sum.checked_add(*entry)?;
            }
        }
        for _ in 0..MAX_PIVOTS {
            if objective[columns] == 0 {
                return Some(true);
            }
            let Some(entering) = (0..columns).find(|&j| objective[j] > 0) else {
                return Some(false);
            };
            let leaving = self.leaving_row(entering, columns)?;
            let pivot_row = self.rows[leaving].clone();
            for (at, row) in self.rows.iter_mut().enumerate() {
                if at != leaving {
                    eliminate(row, &pivot_row, entering)?;
                }
            }
            eliminate(&mut objective, &pivot_row, entering)?;
            self.basis[leaving] = entering;
        }
        None
    }

    /// The row whose right-hand side limits the entering variable most; among equals the least basic variable.
    fn leaving_row(&self, entering: usize, columns: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (at, row) in self.rows.iter().enumerate().filter(|(_, row)| row[entering] > 0) {
            let Some(current) = best else {
                best = Some(at);
                continue;
            };
            let other = &self.rows[current];
            let ours = row[columns].checked_mul(other[entering])?;
            let theirs = other[columns].checked_mul(row[entering])?;
            if ours < theirs || ours == theirs && self.basis[at] < self.basis[current] {
                best = Some(at);
            }
        }
        best
    }
}

/// Makes the entry in `column` zero by subtracting a multiple of the pivot row, whose entry there is positive.
fn eliminate(row: &mut [i128], pivot_row: &[i128], column: usize) -> Option<()> {
    let factor = row[column];
    if factor == 0 {
        return Some(());
    }
    let pivot = pivot_row[column];
    let mut largest = 0u128;
    for (entry, above) in row.iter_mut().zip(pivot_row) {
        *entry = entry.checked_mul(pivot)?.checked_sub(above.checked_mul(factor)?)?;
        largest = largest.max(entry.unsigned_abs());
    }
    if largest > LARGE {
        let common = i128::try_from(row.iter().fold(0, |g, entry| gcd(g, entry.unsigned_abs()))).ok()?;
        for entry in row.iter_mut() {
            *entry /= common.max(1);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::testing::{all_assignments, leaf, linear, sym};
    use proptest::prelude::*;

    #[test]
    fn combinations_need_both_hypotheses() {
        let (x, y) = (sym(0), sym(1));
        let hypotheses = [x.sub(&y).unwrap(), x.add(&y).unwrap()];
        assert!(implied(&hypotheses, &x));
        assert!(!implied(&hypotheses[..1], &x));
        assert!(!implied(&hypotheses, &y));
        assert!(!implied(&hypotheses, &x.offset(-1).unwrap()));
        assert!(implied(&[], &Expr::constant(0)));
        assert!(!implied(&[], &Expr::constant(-1)));
        assert!(implied(&[Expr::constant(-1)], &x));
        assert!(!implied(&[], &Expr::constant(i128::MIN)));
    }

    proptest! {
        #[test]
        fn what_is_implied_holds(hypotheses in proptest::collection::vec(linear(), 0..5), goal in linear()) {
            if implied(&hypotheses, &goal) {
                for values in all_assignments() {
                    let holds = |e: &Expr| e.eval(&leaf(&values)).unwrap() >= 0;
                    if hypotheses.iter().all(holds) {
                        prop_assert!(holds(&goal), "{:?}", values);
                    }
                }
            }
        }
    }
}
