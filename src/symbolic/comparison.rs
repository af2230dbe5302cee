//! What a condition says of one number.
//!
//! ```
//! use ompmemopt::symbolic::{Comparison, Expr, Facts, Relation, Sym};
//!
//! // `if (direction == 1)`
//! let number = Expr::sym(Sym(0)).offset(-1).unwrap();
//! let guard = Comparison { number, relation: Relation::Zero };
//! let at_call = guard.map_syms(&mut |_| Some(Expr::constant(2))).unwrap(); // f(2)
//! assert_eq!(at_call.is_decided(), Some(false));
//! assert!(at_call.negated().unwrap().holds(&Facts::new(), &[]));
//! ```

use super::expr::{Expr, Sym};
use super::facts::Facts;

/// How a number compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `>= 0`.
    NotNegative,
    /// `== 0`.
    Zero,
    /// `!= 0`.
    NotZero,
}

/// That a number compares with zero in a certain way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Comparison {
    /// The number.
    pub number: Expr,
    /// How it compares with zero.
    pub relation: Relation,
}

impl Comparison {
    /// `less <= more`; `None` on overflow.
    pub fn at_most(less: &Expr, more: &Expr) -> Option<Comparison> {
        Some(Comparison {
            number: more.sub(less)?,
            relation: Relation::NotNegative,
        })
    }

    /// `less < more`; `None` on overflow.
    pub fn less(less: &Expr, more: &Expr) -> Option<Comparison> {
        Comparison::at_most(&less.offset(1)?, more)
    }

    /// `a == b`; `None` on overflow.
    pub fn equal(a: &Expr, b: &Expr) -> Option<Comparison> {
        Some(Comparison {
            number: a.sub(b)?,
            relation: Relation::Zero,
        })
    }

    /// What is so where this is not; `None` on overflow.
    pub fn negated(&self) -> Option<Comparison> {
        let (number, relation) = match self.relation {
            Relation::NotNegative => (self.number.neg()?.offset(-1)?, Relation::NotNegative),
            Relation::Zero => (self.number.clone(), Relation::NotZero),
            Relation::NotZero => (self.number.clone(), Relation::Zero),
        };
        Some(Comparison { number, relation })
    }

    /// Whether it holds or not, by facts and by comparisons that hold; `None` where these do not say.
    pub fn decided_by(&self, facts: &Facts, known: &[Comparison]) -> Option<bool> {
        let follows = |c: &Comparison| c.holds(facts, known);
        match (follows(self), self.negated().as_ref().is_some_and(follows)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Whether it is so whatever the symbols are: `None` where that depends on them.
    pub fn is_decided(&self) -> Option<bool> {
        let value = self.number.as_constant()?;
        Some(match self.relation {
            Relation::NotNegative => value >= 0,
            Relation::Zero => value == 0,
            Relation::NotZero => value != 0,
        })
    }

    /// Whether it follows from facts, or from one of the comparisons that are known to hold.
    pub fn holds(&self, facts: &Facts, known: &[Comparison]) -> bool {
        let zero = Expr::zero();
        let follows = match self.relation {
            Relation::NotNegative => facts.prove_nonneg(&self.number),
            Relation::Zero => facts.prove_eq(&self.number, &zero),
            Relation::NotZero => facts.prove_ne(&self.number, &zero),
        };
        follows || known.iter().any(|k| k.implies(self))
    }

    /// Whether all of several follow.
    pub fn all_hold(all: &[Comparison], facts: &Facts, known: &[Comparison]) -> bool {
        all.iter().all(|c| c.holds(facts, known))
    }

    /// Whether another one is so wherever this is.
    fn implies(&self, other: &Comparison) -> bool {
        if self == other {
            return true;
        }
        let is_number = |value: Option<Expr>| value.is_some_and(|e| e == other.number);
        match (self.relation, other.relation) {
            (Relation::Zero | Relation::NotZero, relation) if relation == self.relation => is_number(self.number.neg()),
            (Relation::NotNegative, Relation::NotNegative) => other
                .number
                .sub(&self.number)
                .and_then(|more| more.as_constant())
                .is_some_and(|more| more >= 0),
            // `direction == 0` is not `direction - 1 == 0`.
            (Relation::Zero, Relation::NotZero) => [Some(self.number.clone()), self.number.neg()]
                .into_iter()
                .flatten()
                .filter_map(|zero| other.number.sub(&zero)?.as_constant())
                .any(|rest| rest != 0),
            _ => false,
        }
    }

    /// Adds the comparison to facts, as far as these can express it.
    pub fn assume(&self, facts: &mut Facts) {
        match self.relation {
            Relation::NotNegative => facts.assume_nonneg(&self.number),
            Relation::Zero => facts.assume_eq(&self.number, &Expr::zero()),
            Relation::NotZero => {}
        }
    }

    /// The comparison with every symbol replaced at once; `None` where one has no counterpart or the number overflows.
    pub fn map_syms(&self, map: &mut dyn FnMut(Sym) -> Option<Expr>) -> Option<Comparison> {
        Some(Comparison {
            number: self.number.map_syms(map)?,
            relation: self.relation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sym(n: u32, by: i128) -> Expr {
        Expr::sym(Sym(n)).offset(by).unwrap()
    }

    #[test]
    fn what_is_known_decides_it_and_its_contrary() {
        let is_two = Comparison::equal(&sym(0, 0), &Expr::constant(2)).unwrap();
        let is_three = Comparison::equal(&Expr::constant(3), &sym(0, 0)).unwrap();
        let (none, known) = (Facts::new(), [is_two.clone()]);
        assert!(is_two.holds(&none, &known));
        assert!(!is_three.holds(&none, &known));
        assert!(is_three.negated().unwrap().holds(&none, &known));
        assert!(!is_two.negated().unwrap().holds(&none, &known));
        let more = Comparison::less(&Expr::constant(4), &sym(1, 0)).unwrap();
        assert!(
            Comparison::at_most(&Expr::zero(), &sym(1, 0))
                .unwrap()
                .holds(&none, std::slice::from_ref(&more))
        );
        assert!(
            !Comparison::less(&Expr::constant(5), &sym(1, 0))
                .unwrap()
                .holds(&none, &[more])
        );
    }

    #[test]
    fn numbers_decide_it() {
        let below = Comparison::less(&sym(0, 0), &Expr::constant(3)).unwrap();
        let at = |value| {
            below
                .map_syms(&mut |_| Some(Expr::constant(value)))
                .unwrap()
                .is_decided()
        };
        assert_eq!((at(2), at(3), below.is_decided()), (Some(true), Some(false), None));
        assert_eq!(below.negated().unwrap().negated(), Some(below));
    }

    #[test]
    fn facts_learn_what_it_says() {
        let mut facts = Facts::new();
        Comparison::equal(&sym(0, 0), &Expr::constant(7))
            .unwrap()
            .assume(&mut facts);
        assert!(facts.prove_eq(&sym(0, 1), &Expr::constant(8)));
    }
}
