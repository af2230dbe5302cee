//! Conditions as lists of what must hold: `n > 0 && (apart)` is `n > 0` and whatever `apart` was set to.

use super::apart::Apart;
use super::exact::has_unsigned_number;
use super::reader::{ConditionReader, comparison, is_truth, parts};
use super::tokens::{ConditionToken, is_type, names, tokens};
use crate::analysis::cexpr::{NameResolver, evaluate};
use crate::analysis::movement::scope::NameScope;
use crate::program::ir::SourceType;
use crate::symbolic::{Expr, Facts};

/// Guards are followed to what they were set to so many times.
const MAX_DEPTH: u32 = 4;

/// A condition that is no conjunction. Two are equal where they have one value.
#[derive(Clone, Debug)]
pub struct Conjunct {
    tokens: Vec<ConditionToken>,
    /// The condition is true where one of these is positive; both are there for `n != m`.
    pub positive: Vec<Expr>,
    /// And nowhere else.
    pub exact: bool,
    /// The number that is positive where it is true, and nowhere else, if nothing is taken of sizes.
    said: Option<Expr>,
    /// Elements of `positive` that make the condition true also if a size among the variables is a huge number: `n - 5` of `n > 5`,
    /// and nothing of `n + 5 > n`, whose sum may wrap around.
    pub sure: Vec<Expr>,
    /// Arrays that do not overlap where it is true.
    pub apart: Option<Apart>,
}

impl PartialEq for Conjunct {
    fn eq(&self, other: &Conjunct) -> bool {
        self.tokens == other.tokens
    }
}

impl Conjunct {
    /// Whether it is true whatever its variables are.
    pub fn always(&self) -> bool {
        let (facts, one) = (Facts::new(), Expr::constant(1));
        let mut numbers = self.sure.iter().chain(&self.said);
        numbers.any(|e| facts.prove_le(&one, e))
    }

    /// The number that is positive where it is true, and nowhere else: of `count > 1` after `size_t count = n`, the number is
    /// `(unsigned long)n - 1`.
    pub fn said(&self) -> Option<&Expr> {
        self.said.as_ref()
    }

    /// The number that is positive where it is true, and nowhere else, where sizes are none that are negative: `n - 1`.
    pub fn number(&self) -> Option<&Expr> {
        self.positive.first().filter(|_| self.exact)
    }
}

/// A condition.
#[derive(Clone, Debug, Default)]
pub struct Condition {
    /// What holds where it is true; one of it does not where it is false.
    pub conjuncts: Vec<Conjunct>,
    /// The parts as they were written, and what guards among them were set to.
    pub texts: Vec<String>,
}

impl Condition {
    /// Whether it is surely true wherever facts hold.
    pub fn follows(&self, facts: &Facts) -> bool {
        let one = Expr::constant(1);
        let follows = |c: &Conjunct| c.always() || c.sure.iter().any(|e| facts.prove_le(&one, e));
        self.conjuncts.iter().all(follows)
    }
}

impl ConditionReader<'_> {
    /// What a condition says in a scope; `None` where it may do more than compute or is not followed.
    pub fn read(&self, text: &str, scope: &NameScope<'_>) -> Option<Condition> {
        let mut found = Condition::default();
        self.add(text, scope, 0, &mut found)?;
        Some(found)
    }

    fn add(&self, text: &str, scope: &NameScope<'_>, depth: u32, out: &mut Condition) -> Option<()> {
        for part in parts(text) {
            let own = tokens(part, self.model, scope)?;
            if !out.texts.iter().any(|t| t == part) {
                out.texts.push(part.to_owned());
            }
            if depth < MAX_DEPTH && self.follow(part, scope, depth, out).is_some() {
                continue;
            }
            let PositiveNumbers {
                numbers,
                exact,
                computed,
            } = self.positive(part, scope).unwrap_or_default();
            let positive: Vec<Expr> = numbers.iter().map(Expr::plainly_positive).collect();
            let sure = |e: &&Expr| computed && own.iter().all(|t| self.grows(t, scope, e));
            let conjunct = Conjunct {
                said: self.said(part, scope),
                sure: positive.iter().filter(sure).cloned().collect(),
                tokens: own,
                positive,
                exact,
                apart: Apart::read(part, self, scope),
            };
            if !out.conjuncts.contains(&conjunct) {
                out.conjuncts.push(conjunct);
            }
        }
        Some(())
    }

    /// A guard: what it was set to, if that is 0 or 1.
    fn follow(&self, part: &str, scope: &NameScope<'_>, depth: u32, out: &mut Condition) -> Option<()> {
        if scope.macro_body(part).is_some() {
            return None;
        }
        let slot = scope.slot(part)?;
        let (stmt, value) = self.definition(slot, scope.version(slot))?;
        let there = NameScope::before(self.model, self.macros, stmt)?;
        let mut inner = Condition::default();
        is_truth(value).then_some(())?;
        self.add(value, &there, depth + 1, &mut inner)?;
        let new = |c: &Conjunct| !out.conjuncts.contains(c);
        let conjuncts: Vec<Conjunct> = inner.conjuncts.into_iter().filter(new).collect();
        out.conjuncts.extend(conjuncts);
        out.texts.extend(inner.texts);
        Some(())
    }

    /// What is positive where a comparison of integers holds.
    fn positive(&self, part: &str, scope: &NameScope<'_>) -> Option<PositiveNumbers> {
        let zero = Expr::zero();
        let (left, comparison, right) = match comparison(part)? {
            Some((left, op, right)) => (evaluate(left, scope)?, op, evaluate(right, scope)?),
            None => (evaluate(part, scope)?, "!=", zero.clone()),
        };
        let difference = left.sub(&right)?;
        let (numbers, exact) = match comparison {
            ">" => (vec![difference], true),
            ">=" => (vec![difference.offset(1)?], true),
            "<" => (vec![difference.neg()?], true),
            "<=" => (vec![difference.neg()?.offset(1)?], true),
            "!=" => (vec![difference.neg()?, difference], false),
            _ => return None,
        };
        // Of casts `evaluate` knows nothing: `(long)` changes no number here, others may.
        let casts = names(part).into_iter().any(|n| is_type(n) && n != "long");
        if casts || !numbers.iter().all(Expr::has_plain_symbols) {
            return None;
        }
        let adds = |e: &Expr| e.terms().iter().all(|t| t.coeff >= 0);
        let number = |e: &Expr| e.as_constant().is_some_and(|c| c >= 0);
        // A number that is above one that is not negative is what its bits say, whatever its type.
        let above = match comparison {
            ">" | ">=" => number(&right),
            "<" | "<=" => number(&left),
            _ => number(&right) && left.as_sym().is_some(),
        };
        let signs = self.signs(part, scope);
        let exact = match signs {
            // Signed numbers do not overflow.
            Signs::Signed => exact,
            Signs::Unsigned if adds(&left) && adds(&right) => exact,
            _ if above => exact && [&left, &right].iter().all(|e| number(e) || e.as_sym().is_some()),
            _ => return None,
        };
        // A side that is the smaller one of numbers is so in its type, too, if the larger one is what it is taken to be.
        let stays = |e: &Expr| signs == Signs::Signed || !self.model.values.may_wrap(e);
        let computed = match comparison {
            ">" | ">=" => stays(&left),
            "<" | "<=" => stays(&right),
            _ => stays(&left) && stays(&right),
        };
        Some(PositiveNumbers {
            numbers,
            exact,
            computed,
        })
    }

    /// Of what sign the variables of an expression are.
    fn signs(&self, part: &str, scope: &NameScope<'_>) -> Signs {
        if has_unsigned_number(part) {
            return Signs::Unknown;
        }
        let of = |name: &str| {
            if let Some(body) = scope.macro_body(name) {
                // A number that is written down.
                return body.trim().parse::<i32>().map_or(Signs::Unknown, |_| Signs::Signed);
            }
            match scope.declared(name) {
                _ if is_type(name) => Signs::Signed,
                Some(SourceType::Int { signed: true, .. }) => Signs::Signed,
                Some(SourceType::Int { .. }) => Signs::Unsigned,
                _ => Signs::Unknown,
            }
        };
        let mut all = names(part).into_iter().map(of);
        let first = all.next().unwrap_or(Signs::Signed);
        if all.all(|other| other == first) {
            first
        } else {
            Signs::Unknown
        }
    }
}

/// What is positive where a comparison holds.
#[derive(Default)]
struct PositiveNumbers {
    /// One of these is.
    numbers: Vec<Expr>,
    /// And nowhere else.
    exact: bool,
    /// The comparison surely holds where one is: nothing that would have to be the larger side wraps around.
    computed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Signs {
    Signed,
    Unsigned,
    Unknown,
}
