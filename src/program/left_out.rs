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
//! known: which functions the branch calls, and whether it may leave the statements around it. [`crate::facts`] writes the
//! call down in the first line of the branch; [`super::attach`] finds it there; the analyses know it by its symbol.

/// What the symbols of all branches begin with, and what the table of library functions calls a branch that only reads and writes.
pub const SYMBOL: &str = "__ompmemopt_left_out";
/// What that table calls a branch that may not be left at its end.
pub const LEAVES: &str = "__ompmemopt_left_out_leaves";

/// A branch as its symbol says it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// It may leave the statements around it.
    pub leaves: bool,
    /// It may do anything that code can do: store pointers, start kernels.
    pub anything: bool,
    /// The functions that it calls.
    pub calls: Vec<String>,
}

impl LeftOut {
    /// The symbol of the function that stands for the branch.
    pub fn symbol(&self) -> String {
        let mut symbol = if self.leaves { LEAVES } else { SYMBOL }.to_owned();
        let anything = self.anything.then_some("*");
        let calls: Vec<&str> = anything
            .into_iter()
            .chain(self.calls.iter().map(String::as_str))
            .collect();
        if !calls.is_empty() {
            symbol.push(':');
            symbol.push_str(&calls.join(","));
        }
        symbol
    }

    /// The branch that a symbol stands for, if it stands for one.
    pub fn of_symbol(symbol: &str) -> Option<LeftOut> {
        let (name, called) = symbol.split_once(':').unwrap_or((symbol, ""));
        if name != SYMBOL && name != LEAVES {
            return None;
        }
        let called: Vec<&str> = called.split(',').filter(|c| !c.is_empty()).collect();
        Some(LeftOut {
            leaves: name == LEAVES,
            anything: called.contains(&"*"),
            calls: called.into_iter().filter(|c| *c != "*").map(str::to_owned).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_say_all_of_a_branch() {
        for leaves in [false, true] {
            for anything in [false, true] {
                for calls in [vec![], vec!["printf".to_owned()], vec!["f".to_owned(), "g".to_owned()]] {
                    let branch = LeftOut {
                        leaves,
                        anything,
                        calls,
                    };
                    assert_eq!(LeftOut::of_symbol(&branch.symbol()), Some(branch));
                }
            }
        }
        assert_eq!(LeftOut::of_symbol("printf"), None);
    }
}
