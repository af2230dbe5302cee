//! Which unknown code stands in the way, for people, and the line in `ompmemopt.toml` that would take it away.
//!
//! ```c
//! extern void log_state(double *, int);          /* nothing is known of it  */
//! static void helper(double *u, int n) { log_state(u, n); }
//! helper(u, n);                                  /* `log_state`, which `helper` runs */
//! ```

use super::known::name_in_text;
use super::points_to::PointsTo;
use crate::program::ir::{FuncId, InstId, Module};
use crate::program::left_out::LeftOut;
use std::collections::{BTreeSet, VecDeque};

/// A function that nothing is known of, and what runs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Culprit {
    /// The function's name.
    pub name: String,
    /// The function called that leads to it; `None` where it is called itself.
    pub run_by: Option<String>,
}

impl Culprit {
    /// What it is, for people.
    pub fn named(&self) -> String {
        match LeftOut::of_symbol(&self.name) {
            Some(branch) => in_words(&branch),
            None => format!("`{}`", self.name),
        }
    }

    /// `nothing is known of …`.
    pub fn reason(&self) -> String {
        let named = self.named();
        match (&self.run_by, LeftOut::of_symbol(&self.name)) {
            (None, None) => format!("nothing is known of {named}, called here"),
            (Some(called), None) => format!("nothing is known of {named}, which `{called}`, called here, runs"),
            (None, Some(_)) => format!("nothing is known of {named}"),
            (Some(called), Some(_)) => format!("nothing is known of {named}, in `{called}`, called here"),
        }
    }

    /// Where one can say something of it.
    pub fn line(&self) -> String {
        if LeftOut::of_symbol(&self.name).is_some() {
            return "a build that compiles the branch can be looked at by itself".to_owned();
        }
        format!(
            "`[functions.{}]` in ompmemopt.toml can say what it reads and writes",
            self.name
        )
    }
}

/// A branch as it is spoken of.
fn in_words(branch: &LeftOut) -> String {
    const LEFT_OUT: &str = "a branch of `#if` that this build leaves out";
    match branch.calls.first() {
        Some(called) if !branch.anything => format!("`{called}`, which {LEFT_OUT} calls"),
        _ => LEFT_OUT.to_owned(),
    }
}

/// The unknown code nearest to a call that is a function with a name; `None` for what pointers from outside lead to, and
/// for assembly.
pub fn of_call(module: &Module, points_to: &PointsTo, func: FuncId, inst: InstId) -> Option<Culprit> {
    let targets = points_to.call_targets(func, inst);
    let graph = points_to.call_graph();
    let mut work: VecDeque<(FuncId, FuncId)> = targets.known.iter().map(|t| (*t, *t)).collect();
    let mut seen: BTreeSet<FuncId> = targets.known.clone();
    while let Some((id, first)) = work.pop_front() {
        if is_unknown(module, points_to, id) {
            return Some(Culprit {
                name: name_in_text(module.function(id)).to_owned(),
                run_by: (first != id).then(|| module.function(first).name.clone()),
            });
        }
        let callees = graph.callees(id.0 as usize).iter();
        let callees = callees.filter(|c| **c != graph.outside()).map(|c| FuncId(*c as u32));
        work.extend(callees.filter(|c| seen.insert(*c)).map(|c| (c, first)));
    }
    None
}

/// The first function that keeps a program with a `main` from being closed: it may call whatever others can see.
pub fn of_program(module: &Module, points_to: &PointsTo) -> Option<Culprit> {
    let has_main = module.functions.iter().any(|f| f.name == "main" && !f.declaration);
    let first = called_unknown(module, points_to).find(|_| has_main && !points_to.closed())?;
    Some(Culprit {
        name: name_in_text(module.function(first)).to_owned(),
        run_by: None,
    })
}

/// Whether a program calls functions that nothing is known of; branches that this build leaves out are none.
pub fn calls_unknown(module: &Module, points_to: &PointsTo) -> bool {
    called_unknown(module, points_to).any(|id| LeftOut::of_symbol(&module.function(id).name).is_none())
}

/// The functions that a program calls and nothing is known of.
fn called_unknown(module: &Module, points_to: &PointsTo) -> impl Iterator<Item = FuncId> {
    let all = (0..module.functions.len() as u32).map(FuncId);
    all.filter(|id| !points_to.callers(*id).is_empty() && is_unknown(module, points_to, *id))
}

fn is_unknown(module: &Module, points_to: &PointsTo, id: FuncId) -> bool {
    let function = module.function(id);
    let computes = function.attrs.memory_none && function.attrs.nocallback;
    function.declaration
        && points_to.known().of(id).is_none()
        && !computes
        // Intrinsics are no functions that people can name.
        && !function.name.starts_with("llvm.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::ir::Type;
    use crate::program::ir_build::{ModuleBuilder, inst_id};

    #[test]
    fn the_nearest_function_without_an_entry_is_named() {
        let mut m = ModuleBuilder::default();
        let puts = m.declare("puts", &[], Type::Int(32));
        let log = m.declare("log_state", &[], Type::Void);
        let helper = m.internal("helper", &[], Type::Void);
        let main = m.function("main", &[], Type::Int(32));
        m.body(helper, |b| {
            b.call(puts, &[]);
            b.call(log, &[]);
        });
        let mut calls = Vec::new();
        m.body(main, |b| calls.extend([puts, log, helper].map(|f| b.call(f, &[]))));
        let module = m.finish();
        let points_to = PointsTo::solve(&module);
        let culprit = |n: usize| of_call(&module, &points_to, main, inst_id(&calls[n])).map(|c| c.reason());
        assert_eq!(culprit(0), None);
        assert_eq!(culprit(1).unwrap(), "nothing is known of `log_state`, called here");
        assert_eq!(
            culprit(2).unwrap(),
            "nothing is known of `log_state`, which `helper`, called here, runs"
        );
        assert_eq!(of_program(&module, &points_to).unwrap().name, "log_state");
    }
}
