//! What stands in the IR for a branch of `#if` that this compilation leaves out.
//!
//! ```c
//! #ifdef TRACE                              void …1(const void *, ...) __asm__("__ompmemopt_left_out:printf");
//!     printf("%g\n", a[5]);          ──►    …1(0, a);
//! #endif
//! ```
//!
//! Another build may compile the branch, and what is written has to be right in that build, too (R12). So the branch is a call,
//! of a function that reads and writes whatever can be reached through what the branch mentions. Its symbol says what else is
//! known: which functions the branch calls, and by which words control may leave it or come into it. [`crate::facts`] writes the
//! call down in the line in which the conditional begins; [`super::attach`] finds it there; the analyses know it by its symbol.

use super::ir::{Callee, Function, Module, Op};

/// What the symbols of all branches begin with, and what the table of library functions calls a branch that only reads and writes.
pub const SYMBOL: &str = "__ompmemopt_left_out";
/// What that table calls a branch in which the program may end.
pub const ENDS: &str = "__ompmemopt_left_out_ends";

/// What that table calls a function that returns any number.
pub const VALUE: &str = "__ompmemopt_left_out_value";

/// A branch as its symbol says it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// The words by which control may leave the branch, or come into it, other than at its ends (`JUMPS` of `syntax::left_out`).
    pub jumps: Vec<String>,
    /// The branch may do anything that code can do: store pointers, start kernels.
    pub anything: bool,
    /// The branch enters data.
    pub enters: bool,
    /// The functions that it calls.
    pub calls: Vec<String>,
}

/// Whether a function stands for what other builds do.
pub fn stands_for_other_builds(name: &str) -> bool {
    name.starts_with(SYMBOL)
}

impl LeftOut {
    /// The symbol of the function that stands for the branch.
    pub fn symbol(&self) -> String {
        let anything = self.anything.then(|| "*".to_owned());
        let enters = self.enters.then(|| "+".to_owned());
        let jumps = self.jumps.iter().map(|jump| format!("^{jump}"));
        let words: Vec<String> = anything
            .into_iter()
            .chain(enters)
            .chain(jumps)
            .chain(self.calls.iter().cloned())
            .collect();
        match words.is_empty() {
            true => SYMBOL.to_owned(),
            false => format!("{SYMBOL}:{}", words.join(",")),
        }
    }

    /// The branch that a symbol stands for, if it stands for one.
    pub fn of_symbol(symbol: &str) -> Option<LeftOut> {
        let (name, said) = symbol.split_once(':').unwrap_or((symbol, ""));
        if name != SYMBOL {
            return None;
        }
        let mut branch = LeftOut::default();
        for word in said.split(',').filter(|word| !word.is_empty()) {
            match word.strip_prefix('^') {
                Some(jump) => branch.jumps.push(jump.to_owned()),
                None if word == "*" => branch.anything = true,
                None if word == "+" => branch.enters = true,
                None => branch.calls.push(word.to_owned()),
            }
        }
        Some(branch)
    }
}

/// Whether control may leave a function in a branch that this build leaves out, or go on elsewhere in it.
pub fn jumps_elsewhere(module: &Module, function: &Function) -> bool {
    branches(module, function).any(|branch| !branch.jumps.is_empty())
}

/// Whether a function enters data in a branch that this build leaves out.
pub fn enters_elsewhere(module: &Module, function: &Function) -> bool {
    branches(module, function).any(|branch| branch.enters)
}

/// The branches of a function that this build leaves out.
fn branches<'m>(module: &'m Module, function: &'m Function) -> impl Iterator<Item = LeftOut> + 'm {
    let called = function.insts.iter().filter_map(|inst| match &inst.op {
        Op::Call {
            callee: Callee::Direct(called),
            ..
        } => Some(*called),
        _ => None,
    });
    called.filter_map(|called| LeftOut::of_symbol(&module.function(called).name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_say_all_of_a_branch() {
        for jumps in [
            vec![],
            vec!["return".to_owned()],
            vec!["break".to_owned(), "goto".to_owned()],
        ] {
            for anything in [false, true] {
                for calls in [vec![], vec!["printf".to_owned()], vec!["f".to_owned(), "g".to_owned()]] {
                    let branch = LeftOut {
                        jumps: jumps.clone(),
                        anything,
                        enters: anything && calls.is_empty(),
                        calls,
                    };
                    assert_eq!(LeftOut::of_symbol(&branch.symbol()), Some(branch));
                }
            }
        }
        assert_eq!(LeftOut::of_symbol("printf"), None);
    }
}
