//! The conditions of all kernels of a residency, together: what follows from them, and which parts say most ([`super::region_condition`] finds
//! and writes them).
//!
//! ```c
//! kernel if(n > 0)
//! kernel if(n > 1 && use_gpu)            /* together: n > 0, n > 1, use_gpu; said: n > 1 && use_gpu                  */
//! ```

use crate::analysis::conditions::LaunchCondition;
use crate::analysis::conditions::read::Conjunct;
use crate::symbolic::{Expr, Facts};

/// The conditions of all kernels of a residency, together.
pub type When = LaunchCondition;

impl When {
    /// Adds what is known where it holds, for the values that its symbols have where the residency begins.
    pub(super) fn assume(&self, facts: &mut Facts) {
        for e in &self.idle {
            facts.assume_le(&Expr::constant(1), e);
        }
    }

    /// Whether it holds wherever facts do.
    pub(super) fn follows(&self, facts: &Facts) -> bool {
        let one = Expr::constant(1);
        self.steady.is_empty() && self.idle.iter().all(|e| facts.prove_le(&one, e))
    }

    /// The condition's parts but for comparisons that follow from others: of `n > 0` and `n > 1` the second says both.
    pub(super) fn strongest(&self) -> (Vec<Expr>, Vec<Conjunct>) {
        let one = Expr::constant(1);
        let (mut idle, mut steady) = (self.idle.clone(), self.steady.clone());
        let follows = |e: &Expr, idle: &[Expr], steady: &[Conjunct]| {
            let mut facts = Facts::new();
            let numbers = steady.iter().filter_map(Conjunct::said);
            idle.iter()
                .chain(numbers)
                .for_each(|other| facts.assume_le(&one, other));
            facts.prove_le(&one, e)
        };
        let mut at = 0;
        while at < steady.len() {
            let part = steady.remove(at);
            if part.said().is_none_or(|e| !follows(e, &[], &steady)) {
                steady.insert(at, part);
                at += 1;
            }
        }
        idle.retain(|e| !follows(e, &[], &steady));
        (idle, steady)
    }

    /// Whether another one holds wherever this one does.
    pub(super) fn holds(&self, other: &When) -> bool {
        let mut facts = Facts::new();
        self.assume(&mut facts);
        let one = Expr::constant(1);
        other.is_empty() == self.is_empty()
            && other.idle.iter().all(|e| facts.prove_le(&one, e))
            && other.steady.iter().all(|c| self.steady.contains(c))
    }
}

/// Parts of which all must hold.
pub(super) fn all_of(parts: &[String]) -> String {
    let loose = |text: &&String| parts.len() > 1 && ["||", "?"].iter().any(|op| text.contains(op));
    let parts = parts
        .iter()
        .map(|t| if loose(&t) { format!("({t})") } else { t.clone() });
    parts.collect::<Vec<_>>().join(" && ")
}
