//! What `if` clauses of kernels mean: where a kernel does nothing at all, and where it runs on the host.
//!
//! ```c
//! const int apart = x + n <= y || y + n <= x;
//! #pragma omp target teams distribute parallel for if(n > 0 && apart) map(to: x[0:n]) map(tofrom: y[0:n])
//! for (int i = 0; i < n; i++)
//!     y[i] += x[i];
//! ```
//!
//! Where `n > 0` is false the loop has no iterations: it does not matter where it runs. Such a part of a condition is
//! *idle*. It only says where what the kernel maps exists. Where `apart` is false the kernel runs on the host, on the
//! host's copies. Such a part is *steady*: nothing may be resident over the kernel unless it holds.
//!
//! `n > 20000` is a *threshold*: the kernel runs on the host for a small `n`, and does nothing for one that is not positive.
//! A threshold is kept with the idle parts. Directives of a residency ask for these as for the steady ones, and a
//! threshold can be said to callers as a number too: who calls with `unsigned` what is an `int` there means another
//! number only where it is negative, and then it does not matter where the kernel runs.
//!
//! | file | has |
//! |---|---|
//! | `mod` | a kernel's condition in these two parts |
//! | [`read`] | conditions as lists of what holds in all of them, with values for names |
//! | `tokens` | the tokens of an expression with values for names: equal tokens, equal values |
//! | `nest` | what is known where a kernel's loops have an iteration |
//! | [`apart`] | which arrays do not overlap where a condition holds |
//! | `exact` | what conditions say of numbers where nothing may be taken of sizes |
//! | `definition` | what a variable was set to: a guard is true where what it was set to was |
//!
//! Callers are told, in the terms of the call, those parts that are comparisons of numbers ([`super::device_summary`]).
//! An array of a kernel with another steady part is opaque to them.
//!
//! What calls, assigns, or reads an array element has no meaning here, and neither has a variable whose values are not
//! followed: then the kernel may run anywhere.

pub mod apart;
mod definition;
mod exact;
mod nest;
pub mod read;
pub mod reader;
#[cfg(test)]
mod tests;
mod tokens;

use super::accesses::Accesses;
use super::cexpr::Macros;
use super::function::FunctionModel;
use super::movement::scope::NameScope;
use crate::analysis::conditions::reader::ConditionReader;
use crate::symbolic::{Expr, Facts};
use read::Conjunct;

/// When a kernel does something, and does it on the device: all of this holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LaunchCondition {
    /// Numbers that are positive. Where one is not, the kernel does nothing, or there is too little to do.
    pub idle: Vec<Expr>,
    /// What else. Where it is false the kernel runs on the host.
    pub steady: Vec<Conjunct>,
    /// Ways to write parts of it, the user's own first.
    pub texts: Vec<String>,
}

impl LaunchCondition {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.idle.is_empty() && self.steady.is_empty()
    }
}

/// The conditions of all kernels of a function; `None` for one that is not followed.
pub fn launch_conditions(
    model: &FunctionModel<'_>,
    accesses: &Accesses,
    macros: &Macros,
) -> Vec<Option<LaunchCondition>> {
    let reader = ConditionReader { model, macros };
    let launches = 0..model.constructs.launches.len();
    launches.map(|l| launch_condition(&reader, accesses, l)).collect()
}

fn launch_condition(reader: &ConditionReader<'_>, accesses: &Accesses, launch: usize) -> Option<LaunchCondition> {
    let l = &reader.model.constructs.launches[launch];
    let Some(written) = &l.condition else {
        return Some(LaunchCondition::default());
    };
    let scope = NameScope::before(reader.model, reader.macros, l.stmt)?;
    let condition = reader.read(written, &scope)?;
    let runs = nest::where_it_runs(reader.model, accesses, l.stmt);
    let one = Expr::constant(1);
    let mut made = LaunchCondition {
        texts: condition.texts,
        ..LaunchCondition::default()
    };
    for conjunct in condition.conjuncts {
        if conjunct.always() {
            continue;
        }
        // What the loops need, and what is asked for, must make the condition true.
        let idle = conjunct.sure.iter().find(|e| runs.prove_le(&one, e));
        match idle.or_else(|| threshold(&conjunct, &runs)).cloned() {
            Some(e) if e.as_constant().is_some() => return None,
            Some(e) if !made.idle.contains(&e) => made.idle.push(e),
            Some(_) => {}
            None if made.steady.contains(&conjunct) => {}
            None => made.steady.push(conjunct),
        }
    }
    Some(made)
}

/// `n - 20000` of `n > 20000`, where the kernel does something only if `n` is positive.
fn threshold<'c>(conjunct: &'c Conjunct, runs: &Facts) -> Option<&'c Expr> {
    let number = conjunct.number().filter(|e| conjunct.sure.contains(e))?;
    let size = number.offset(number.constant_term().checked_neg()?)?;
    (size.as_sym().is_some() && runs.prove_le(&Expr::constant(1), &size)).then_some(number)
}
