//! The search behind [`super::Facts`]: does `goal >= 0` follow from hypotheses `h >= 0`?
//!
//! The linear core ([`super::farkas`]) treats every monomial as a variable of its own. This file gives it hypotheses
//! that tie those variables together, so that it can also prove, say, `i*m + j < n*m` from `i < n`, `0 <= j < m`:
//!
//! 1. **Relevance.** Only facts that share a symbol with the goal, directly or through other facts, take part.
//! 2. **Definitions.** For `a / b`, `a % b` with a provably positive `b`, and for minima and maxima, the inequalities
//!    that define them (`b*(a/b) <= a` for `a >= 0`, `min(a, b) <= a`, ...).
//! 3. **Products.** The product of two nonnegative values is nonnegative: from `n - 1 - i >= 0` and `m >= 0` follows
//!    `n*m - m - i*m >= 0`. A product takes part when each of its nonlinear monomials divides one of the goal or of a
//!    relevant fact; that repeats up to the goal's degree. Squares are nonnegative by themselves.
//! 4. **Cases.** If that fails and a minimum or maximum occurs, each argument in turn stands for it, and the goal must
//!    follow in every case.
//!
//! The analyses ask the same few questions about many accesses, so answers are kept, for each thread, by the relevant
//! facts and the goal: the answer is a function of those.
//!
//! **Caps.** [`MAX_RELEVANT`] facts, [`MAX_POOL`] hypotheses after products, products of at most [`MAX_FACTORS`]
//! hypotheses, [`MAX_SPLITS`] nested case distinctions, and [`MAX_DEPTH`] levels of divisions inside divisions. Beyond
//! a cap the answer is "unknown".

use super::expr::{Atom, Expr, Monomial};
use super::farkas::implied;
use super::tighten::tighten;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The most answers kept; beyond it all are forgotten.
const MAX_ANSWERS: usize = 1 << 15;

/// A question: relevant facts, followed by the goal, and what is left of the caps on cases and divisions.
type ProofQuestion = (Vec<Expr>, u32, u32);

thread_local! {
    static ANSWERS: RefCell<FxHashMap<ProofQuestion, bool>> = RefCell::default();
}

/// The most facts considered for one goal.
const MAX_RELEVANT: usize = 32;
/// The most hypotheses given to the linear core.
const MAX_POOL: usize = 96;
/// The most hypotheses multiplied together.
const MAX_FACTORS: u32 = 3;
/// The most nested case distinctions.
const MAX_SPLITS: u32 = 3;
/// The most levels of quotients whose operands' signs are looked into.
const MAX_DEPTH: u32 = 2;

/// Whether `goal >= 0` follows from `facts`, each `>= 0`.
pub(super) fn nonneg(facts: &[Expr], goal: &Expr) -> bool {
    follows(facts, goal, MAX_SPLITS, MAX_DEPTH)
}

fn follows(facts: &[Expr], goal: &Expr, splits: u32, depth: u32) -> bool {
    let goal = tighten(goal);
    if let Some(value) = goal.as_constant() {
        // A false constant follows from contradictory facts, but none is relevant to it: only the obvious is seen.
        return value >= 0 || facts.iter().any(|f| f.as_constant().is_some_and(|v| v < 0));
    }
    let exceeds = |fact: &Expr| {
        let rest = goal.constant_term().checked_sub(fact.constant_term());
        goal.variable_terms() == fact.variable_terms() && rest.is_some_and(|d| d >= 0)
    };
    if facts.iter().any(exceeds) {
        return true;
    }
    let relevant_facts = relevant(facts, &goal);
    let mut question = (relevant_facts, splits, depth);
    question.0.push(goal.clone());
    if let Some(known) = ANSWERS.with_borrow(|answers| answers.get(&question).copied()) {
        return known;
    }
    let answer = search(&question.0[..question.0.len() - 1], goal, splits, depth);
    ANSWERS.with_borrow_mut(|answers| {
        if answers.len() >= MAX_ANSWERS {
            answers.clear();
        }
        answers.insert(question, answer);
    });
    answer
}

/// The search itself, given the relevant facts and a tightened goal.
fn search(relevant_facts: &[Expr], goal: Expr, splits: u32, depth: u32) -> bool {
    let mut pool = relevant_facts.to_vec();
    let atoms = composite_atoms(&goal, &pool);
    if depth > 0 {
        for atom in &atoms {
            define(atom, relevant_facts, depth, &mut pool);
        }
    }
    multiply(&mut pool, &goal);
    if implied(&pool, &goal) {
        return true;
    }
    splits > 0 && by_cases(relevant_facts, &goal, &atoms, splits, depth)
}

/// The facts connected to the goal by shared symbols or opaque values, nearest first when too many, in their order.
fn relevant(facts: &[Expr], goal: &Expr) -> Vec<Expr> {
    fn leaves(e: &Expr) -> Vec<&Atom> {
        let mut found = Vec::new();
        e.for_each_atom(&mut |atom| {
            if matches!(atom, Atom::Sym(_) | Atom::Opaque(_)) {
                found.push(atom);
            }
        });
        found
    }
    let of_facts: Vec<_> = facts.iter().map(leaves).collect();
    let mut reached: FxHashSet<&Atom> = leaves(goal).into_iter().collect();
    let mut chosen = vec![false; facts.len()];
    let mut count = 0;
    // Level by level, so that the cap cuts off what is furthest from the goal.
    loop {
        let touches = |i: usize| of_facts[i].is_empty() || of_facts[i].iter().any(|leaf| reached.contains(*leaf));
        let level: Vec<usize> = (0..facts.len()).filter(|&i| !chosen[i] && touches(i)).collect();
        if level.is_empty() || count >= MAX_RELEVANT {
            break;
        }
        for i in level.into_iter().take(MAX_RELEVANT - count) {
            chosen[i] = true;
            count += 1;
            reached.extend(&of_facts[i]);
        }
    }
    facts
        .iter()
        .zip(chosen)
        .filter(|(_, chosen)| *chosen)
        .map(|(fact, _)| fact.clone())
        .collect()
}

/// The composite atoms of the goal, then those of the facts, each once.
fn composite_atoms(goal: &Expr, facts: &[Expr]) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = Vec::new();
    for e in [goal].into_iter().chain(facts) {
        e.for_each_atom(&mut |atom| {
            if !atom.operands().is_empty() && !atoms.contains(atom) {
                atoms.push(atom.clone());
            }
        });
    }
    atoms
}

/// Adds the inequalities that define an atom.
fn define(atom: &Atom, facts: &[Expr], depth: u32, pool: &mut Vec<Expr>) {
    let value = Expr::atom(atom.clone());
    let mut state = |e: Option<Expr>| {
        if let Some(e) = e.map(|e| tighten(&e)).filter(|e| e.as_constant().is_none()) {
            pool.push(e);
        }
    };
    match atom {
        Atom::Sym(_) | Atom::Opaque(_) => {}
        Atom::Min(args) => args.iter().for_each(|arg| state(arg.sub(&value))),
        Atom::Max(args) => args.iter().for_each(|arg| state(value.sub(arg))),
        Atom::Div(a, b) | Atom::Rem(a, b) => {
            let proves = |e: &Expr| follows(facts, e, 0, depth - 1);
            if !b.offset(-1).is_some_and(|e| proves(&e)) {
                return;
            }
            let positive = proves(a);
            let negative = !positive && a.neg().is_some_and(|e| proves(&e));
            // `a % b`, which is `a - b * (a / b)`, lies strictly between `-b` and `b` and has the sign of `a`.
            let remainder = match atom {
                Atom::Rem(..) => Some(value.clone()),
                _ => b.mul(&value).and_then(|whole| a.sub(&whole)),
            };
            let Some(remainder) = remainder else { return };
            let below = |e: &Expr| b.sub(e).and_then(|d| d.offset(-1));
            state(if negative { remainder.neg() } else { below(&remainder) });
            state(if positive {
                Some(remainder.clone())
            } else {
                remainder.neg().and_then(|r| below(&r))
            });
            if positive {
                state(Some(value.clone()));
                state(a.sub(&value));
            } else if negative {
                state(value.neg());
                state(value.sub(a));
            }
            if let Atom::Rem(a, b) = atom {
                let whole = a.div(b).and_then(|quotient| quotient.mul(b));
                let defect = whole.and_then(|whole| a.sub(&whole)?.sub(&value));
                state(defect.clone());
                state(defect.and_then(|d| d.neg()));
            }
        }
    }
}

/// Extends the pool with products whose nonlinear monomials could matter, and with squares.
fn multiply(pool: &mut Vec<Expr>, goal: &Expr) {
    let mut wanted: BTreeSet<Monomial> = BTreeSet::new();
    for term in pool.iter().chain([goal]).flat_map(|e| e.terms()) {
        if term.monomial.degree() > 1 {
            add_divisors(&term.monomial, &mut wanted);
        }
    }
    if wanted.is_empty() {
        return;
    }
    let base = pool.len();
    for monomial in wanted
        .iter()
        .filter(|m| m.factors().iter().all(|(_, power)| power % 2 == 0))
    {
        let square = monomial
            .factors()
            .iter()
            .try_fold(Expr::constant(1), |product, (atom, power)| {
                (0..*power).try_fold(product, |product, _| product.mul(&Expr::atom(atom.clone())))
            });
        pool.extend(square);
    }
    let useful = |e: &Expr| {
        e.terms()
            .iter()
            .all(|t| t.monomial.degree() <= 1 || wanted.contains(&t.monomial))
    };
    let degree = wanted.iter().map(Monomial::degree).max().unwrap_or(0).min(MAX_FACTORS);
    let mut round = 0..base;
    for _ in 1..degree {
        let start = pool.len();
        for left in round.clone() {
            for right in 0..base {
                if pool.len() >= MAX_POOL {
                    return;
                }
                let product = pool[left].mul(&pool[right]).filter(useful).map(|e| tighten(&e));
                if let Some(product) = product.filter(|p| !pool.contains(p)) {
                    pool.push(product);
                }
            }
        }
        round = start..pool.len();
    }
}

/// Adds every divisor of at least degree 2, up to a bounded number.
fn add_divisors(monomial: &Monomial, into: &mut BTreeSet<Monomial>) {
    if monomial.degree() < 2 || into.len() >= MAX_POOL || !into.insert(monomial.clone()) {
        return;
    }
    for (atom, _) in monomial.factors() {
        if let Some(smaller) = monomial.divided_by(&Monomial::of(atom.clone())) {
            add_divisors(&smaller, into);
        }
    }
}

/// Lets each argument of the first minimum or maximum stand for it in turn.
fn by_cases(facts: &[Expr], goal: &Expr, atoms: &[Atom], splits: u32, depth: u32) -> bool {
    let first = atoms.iter().find(|atom| matches!(atom, Atom::Min(_) | Atom::Max(_)));
    let Some(atom @ (Atom::Min(args) | Atom::Max(args))) = first else {
        return false;
    };
    args.iter().all(|arg| {
        let case = || {
            let mut case = facts
                .iter()
                .map(|f| f.replace_atom(atom, arg))
                .collect::<Option<Vec<_>>>()?;
            for other in args.iter().filter(|other| *other != arg) {
                let ordered = if matches!(atom, Atom::Min(_)) {
                    other.sub(arg)
                } else {
                    arg.sub(other)
                };
                case.push(tighten(&ordered?));
            }
            Some(follows(&case, &goal.replace_atom(atom, arg)?, splits - 1, depth))
        };
        case().unwrap_or(false)
    })
}

#[cfg(test)]
mod tests;
