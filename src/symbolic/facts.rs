//! What is known about symbols, and the questions that can be asked under it.
//!
//! A [`Facts`] value is a conjunction of `expr >= 0` and `expr == 0`. Inequalities are kept tightened to integers
//! (`2*n - 1 >= 0` is stored as `n - 1 >= 0`). An equality that can be solved for a symbol (one that occurs with
//! coefficient 1 or -1) is used as a rewrite rule on everything else; any other becomes two inequalities.
//!
//! **Facts of a name.** The index of a loop has a range where it has a value, and nowhere else. From `lo <= t` and `t <= hi` as
//! plain facts would follow `lo <= hi`: that the loop runs. So what holds of the values of a symbol is said of that symbol
//! ([`Facts::assume_of`]), and takes part only in questions that mention it, or mention another one of which something is said
//! in its terms:
//!
//! ```c
//! for (int t = 0; t < n; t++) …         /* of t: 0 <= t, t <= n - 1                                                     */
//! x[t] = 1;                             /* t < n? yes: who asks stands where t has a value                              */
//! for (int i = 0; i < 1 - n; i++) …     /* is 0..1-n empty? that n >= 1 is not known: the question says nothing of t    */
//! ```
//!
//! All questions answer `true` only when the statement holds under *every* assignment of integers that satisfies the
//! facts and defines all quotients involved; `false` means unknown. Facts that contradict each other prove anything,
//! which is right: the program point they describe is never reached. How far the search goes is in [`super::prove`].

use super::expr::{Expr, Sym};
use super::prove;
use super::tighten::{tighten, variable_content};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most inequalities kept; later ones are dropped, which loses precision but never soundness.
pub const MAX_FACTS: usize = 128;

/// Known inequalities and equalities. Cloning is cheap; a clone can be extended without touching the original.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    assumed: Arc<Assumed>,
    /// What has been asked of just this.
    answers: Arc<Mutex<Answers>>,
}

#[derive(Clone, Debug, Default)]
struct Assumed {
    /// Each `>= 0`, tightened, free of solved symbols.
    nonneg: Vec<Expr>,
    /// Each symbol equals the expression beside it, which mentions no solved symbol.
    solved: Vec<(Sym, Expr)>,
    /// Each `>= 0` wherever its symbol has a value.
    named: Vec<(Sym, Expr)>,
}

/// What has been asked. Fixpoints ask again and again.
#[derive(Debug, Default)]
struct Answers {
    /// Whether an expression is `>= 0`.
    nonneg: FxHashMap<Expr, bool>,
    /// Whether one is at most as large as another: to find this again takes no difference of them.
    ordered: FxHashMap<(Expr, Expr), bool>,
}

impl PartialEq for Facts {
    fn eq(&self, other: &Facts) -> bool {
        let (a, b) = (&*self.assumed, &*other.assumed);
        Arc::ptr_eq(&self.assumed, &other.assumed)
            || (a.nonneg == b.nonneg && a.solved == b.solved && a.named == b.named)
    }
}

/// What is known about the sign of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// `< 0`.
    Negative,
    /// `<= 0`.
    NonPositive,
    /// `== 0`.
    Zero,
    /// `>= 0`.
    NonNegative,
    /// `> 0`.
    Positive,
    /// Nothing is known.
    Unknown,
}

impl Sign {
    /// Whether the value is known to be `>= 0`.
    pub fn is_nonnegative(self) -> bool {
        matches!(self, Sign::Zero | Sign::NonNegative | Sign::Positive)
    }

    /// Whether the value is known to be `<= 0`.
    pub fn is_nonpositive(self) -> bool {
        matches!(self, Sign::Zero | Sign::NonPositive | Sign::Negative)
    }
}

impl Facts {
    /// Nothing known.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// All that is known, as expressions that are not negative.
    pub fn inequalities(&self) -> Vec<Expr> {
        let known = &*self.assumed;
        let solved = known.solved.iter().filter_map(|(sym, e)| e.sub(&Expr::sym(*sym)));
        let both = solved.flat_map(|e| [e.neg(), Some(e)]).flatten();
        let named = known.named.iter().map(|(_, e)| e.clone());
        known.nonneg.iter().cloned().chain(both).chain(named).collect()
    }

    /// What is assumed, to add to it: what was asked before is forgotten.
    fn extended(&mut self) -> &mut Assumed {
        match Arc::get_mut(&mut self.answers) {
            Some(answers) => *answers = Mutex::default(),
            None => self.answers = Arc::default(),
        }
        Arc::make_mut(&mut self.assumed)
    }

    /// Assumes `a <= b`.
    pub fn assume_le(&mut self, a: &Expr, b: &Expr) {
        if let Some(difference) = b.sub(a) {
            self.assume_nonneg(&difference);
        }
    }

    /// Assumes `a < b`.
    pub fn assume_lt(&mut self, a: &Expr, b: &Expr) {
        if let Some(difference) = b.sub(a).and_then(|d| d.offset(-1)) {
            self.assume_nonneg(&difference);
        }
    }

    /// Assumes `a == b`.
    pub fn assume_eq(&mut self, a: &Expr, b: &Expr) {
        let Some(difference) = b.sub(a).and_then(|d| self.normal(&d)) else {
            return;
        };
        if !self.solve(&difference) {
            self.assume_nonneg(&difference);
            if let Some(negated) = difference.neg() {
                self.assume_nonneg(&negated);
            }
        }
    }

    /// Assumes `e >= 0`.
    pub fn assume_nonneg(&mut self, e: &Expr) {
        let Some(fact) = self.normal(e).map(|e| tighten(&e)) else {
            return;
        };
        if fact.as_constant().is_none_or(|value| value < 0) {
            remember(&mut self.extended().nonneg, fact);
        }
    }

    /// Assumes `a <= b` of every value that a symbol has: questions that do not mention it, not even by the terms of what is known
    /// of others, learn nothing from it.
    pub fn assume_of(&mut self, sym: Sym, a: &Expr, b: &Expr) {
        let Some(difference) = b.sub(a) else { return };
        if self.assumed.named.len() < MAX_FACTS {
            self.extended().named.push((sym, difference));
        }
    }

    /// Whether `a <= b`.
    pub fn prove_le(&self, a: &Expr, b: &Expr) -> bool {
        if a == b {
            return true;
        }
        if let Some(known) = self.is_less_by(a, b, 0) {
            return known;
        }
        let question = (a.clone(), b.clone());
        if let Some(known) = self.answers().ordered.get(&question) {
            return *known;
        }
        let answer = b.sub(a).is_some_and(|difference| self.prove_nonneg(&difference));
        self.answers().ordered.insert(question, answer);
        answer
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a number is less than another by so much, where both are constants and that alone decides it.
    fn is_less_by(&self, a: &Expr, b: &Expr, least: i128) -> Option<bool> {
        let difference = b.as_constant()?.checked_sub(a.as_constant()?)?;
        // Facts that contradict each other prove anything.
        (difference >= least || self.assumed.nonneg.is_empty()).then_some(difference >= least)
    }

    /// Whether `a < b`.
    pub fn prove_lt(&self, a: &Expr, b: &Expr) -> bool {
        self.is_less_by(a, b, 1).unwrap_or_else(|| {
            let difference = b.sub(a).and_then(|d| d.offset(-1));
            difference.is_some_and(|difference| self.prove_nonneg(&difference))
        })
    }

    /// Whether `a == b`.
    pub fn prove_eq(&self, a: &Expr, b: &Expr) -> bool {
        a == b || self.prove_le(a, b) && self.prove_le(b, a)
    }

    /// Whether `a != b`: one is less, or their difference has a remainder that zero has not (`2*n + 1`).
    pub fn prove_ne(&self, a: &Expr, b: &Expr) -> bool {
        let Some(difference) = b.sub(a).and_then(|d| self.normal(&d)) else {
            return false;
        };
        let common = variable_content(&difference);
        if common > 1 && difference.constant_term().unsigned_abs() % common != 0 {
            return true;
        }
        self.prove_lt(a, b) || self.prove_lt(b, a)
    }

    /// Whether `e >= 0`.
    pub fn prove_nonneg(&self, e: &Expr) -> bool {
        if let Some(value) = e.as_constant()
            && value >= 0
        {
            return true;
        }
        if let Some(known) = self.answers().nonneg.get(e) {
            return *known;
        }
        let answer = self.normal(e).is_some_and(|goal| match self.of_names_in(&goal) {
            named if named.is_empty() => prove::nonneg(&self.assumed.nonneg, &goal),
            mut all => {
                all.extend(self.assumed.nonneg.iter().cloned());
                prove::nonneg(&all, &goal)
            }
        });
        self.answers().nonneg.insert(e.clone(), answer);
        answer
    }

    /// What is known of the symbols that a question mentions, and of those that this mentions in turn.
    fn of_names_in(&self, goal: &Expr) -> Vec<Expr> {
        let mut facts = Vec::new();
        if self.assumed.named.is_empty() {
            return facts;
        }
        let mut work: Vec<Sym> = goal.symbols().into_iter().collect();
        let mut seen: Vec<Sym> = work.clone();
        while let Some(sym) = work.pop() {
            for (_, fact) in self.assumed.named.iter().filter(|(of, _)| *of == sym) {
                let Some(fact) = self.normal(fact).map(|f| tighten(&f)) else {
                    continue;
                };
                for other in fact.symbols() {
                    if !seen.contains(&other) {
                        seen.push(other);
                        work.push(other);
                    }
                }
                remember(&mut facts, fact);
            }
        }
        facts
    }

    /// The strongest provable statement about the sign of `e`.
    pub fn sign(&self, e: &Expr) -> Sign {
        let at_least = |bound: i128| e.offset(-bound).is_some_and(|e| self.prove_nonneg(&e));
        let at_most = |bound: i128| {
            e.neg()
                .and_then(|e| e.offset(bound))
                .is_some_and(|e| self.prove_nonneg(&e))
        };
        match (at_least(0), at_most(0)) {
            (true, true) => Sign::Zero,
            (true, false) if at_least(1) => Sign::Positive,
            (true, false) => Sign::NonNegative,
            (false, true) if at_most(-1) => Sign::Negative,
            (false, true) => Sign::NonPositive,
            (false, false) => Sign::Unknown,
        }
    }

    /// Only what does not mention `sym`: what still holds where `sym` has no value, such as outside its loop.
    pub fn without(&self, sym: Sym) -> Facts {
        let nonneg = self
            .assumed
            .nonneg
            .iter()
            .filter(|fact| !fact.mentions(sym))
            .cloned()
            .collect();
        let solved = self
            .assumed
            .solved
            .iter()
            .filter(|(other, value)| *other != sym && !value.mentions(sym));
        let named = self
            .assumed
            .named
            .iter()
            .filter(|(of, fact)| *of != sym && !fact.mentions(sym));
        let assumed = Arc::new(Assumed {
            nonneg,
            solved: solved.cloned().collect(),
            named: named.cloned().collect(),
        });
        Facts {
            assumed,
            answers: Arc::default(),
        }
    }

    /// The expression with every solved symbol replaced.
    fn normal(&self, e: &Expr) -> Option<Expr> {
        self.assumed
            .solved
            .iter()
            .try_fold(e.clone(), |e, (sym, value)| e.substitute(*sym, value))
    }

    /// Turns `e == 0` into a rewrite rule, if some symbol has coefficient 1 or -1 and everything known survives.
    fn solve(&mut self, e: &Expr) -> bool {
        let candidate = e.symbols().into_iter().rev().find_map(|sym| {
            let (coeff, rest) = e.coefficient_of(sym)?;
            let sign = coeff.as_constant().filter(|c| c.abs() == 1)?;
            Some((sym, rest.scale(-sign)?))
        });
        let Some((sym, value)) = candidate else { return false };
        let mut next = Assumed {
            named: self.assumed.named.clone(),
            ..Assumed::default()
        };
        for (other, rhs) in &self.assumed.solved {
            let Some(rhs) = rhs.substitute(sym, &value) else {
                return false;
            };
            next.solved.push((*other, rhs));
        }
        for fact in &self.assumed.nonneg {
            let Some(fact) = fact.substitute(sym, &value) else {
                return false;
            };
            let fact = tighten(&fact);
            if fact.as_constant().is_none_or(|value| value < 0) {
                remember(&mut next.nonneg, fact);
            }
        }
        next.solved.push((sym, value));
        self.assumed = Arc::new(next);
        self.answers = Arc::default();
        true
    }
}

/// Adds a fact, keeping only the stronger of two that differ by a constant.
fn remember(facts: &mut Vec<Expr>, fact: Expr) {
    for known in facts.iter_mut() {
        if let Some(difference) = fact.sub(known).and_then(|d| d.as_constant()) {
            if difference < 0 {
                *known = fact;
            }
            return;
        }
    }
    if facts.len() < MAX_FACTS {
        facts.push(fact);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::testing::sym;

    fn c(value: i128) -> Expr {
        Expr::constant(value)
    }

    #[test]
    fn equalities_rewrite() {
        let (n, m, k) = (sym(0), sym(1), sym(2));
        let mut facts = Facts::new();
        facts.assume_le(&c(1), &k);
        facts.assume_eq(&m, &n.scale(2).unwrap());
        facts.assume_eq(&n, &k.offset(1).unwrap());
        assert!(facts.prove_eq(&m, &k.scale(2).unwrap().offset(2).unwrap()));
        assert!(facts.prove_lt(&c(3), &m));
        assert!(!facts.prove_lt(&c(4), &m));
    }

    #[test]
    fn an_unsolvable_equality_still_counts() {
        let (n, m) = (sym(0), sym(1));
        let mut facts = Facts::new();
        facts.assume_eq(&n.scale(2).unwrap(), &m.scale(3).unwrap());
        facts.assume_le(&c(2), &m);
        assert!(facts.prove_le(&c(3), &n));
    }

    #[test]
    fn a_clone_does_not_share_later_facts() {
        let mut facts = Facts::new();
        let before = facts.clone();
        facts.assume_le(&c(0), &sym(0));
        assert!(facts.prove_nonneg(&sym(0)));
        assert!(!before.prove_nonneg(&sym(0)));
    }

    #[test]
    fn parity_proves_difference() {
        let (n, m) = (sym(0), sym(1));
        let odd = n.scale(2).unwrap().offset(1).unwrap();
        assert!(Facts::new().prove_ne(&odd, &m.scale(4).unwrap()));
        assert!(!Facts::new().prove_ne(&n, &m));
    }

    #[test]
    fn signs_are_the_strongest_known() {
        let n = sym(0);
        let mut facts = Facts::new();
        assert_eq!(facts.sign(&n), Sign::Unknown);
        facts.assume_le(&c(0), &n);
        assert_eq!(facts.sign(&n), Sign::NonNegative);
        facts.assume_le(&c(1), &n.scale(2).unwrap());
        assert_eq!(facts.sign(&n), Sign::Positive);
        assert_eq!(facts.sign(&n.neg().unwrap()), Sign::Negative);
        assert_eq!(facts.sign(&c(0)), Sign::Zero);
        assert_eq!(facts.sign(&n.offset(-1).unwrap().neg().unwrap()), Sign::NonPositive);
    }

    #[test]
    fn what_is_known_of_a_name_says_nothing_where_it_is_not_mentioned() {
        let (t, u, n, m) = (sym(0), sym(1), sym(2), sym(3));
        let mut facts = Facts::new();
        let (of_t, of_u) = (t.as_sym().unwrap(), u.as_sym().unwrap());
        facts.assume_of(of_t, &c(0), &t);
        facts.assume_of(of_t, &t.offset(1).unwrap(), &n);
        facts.assume_of(of_u, &t, &u);
        assert!(facts.prove_lt(&t, &n));
        assert!(!facts.prove_lt(&c(0), &n));
        // `u` has a value only where `t` has one.
        assert!(facts.prove_nonneg(&u));
        facts.assume_eq(&m, &t);
        assert!(facts.prove_lt(&m, &n));
        assert!(!facts.prove_lt(&c(0), &n));
        assert!(!facts.without(of_t).prove_nonneg(&u));
    }

    #[test]
    fn contradictions_prove_anything() {
        let mut facts = Facts::new();
        facts.assume_eq(&c(0), &c(1));
        assert!(facts.prove_lt(&sym(0), &sym(0)));
    }
}
