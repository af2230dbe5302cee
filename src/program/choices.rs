//! What stands in the IR for a condition that macros decide.
//!
//! ```c
//! #define DEBUG 0
//! if (DEBUG > 1)              if (an external constant, `__ompmemopt_choice:DEBUG > 1@dir/file.c`)
//!     dump(a);          ──►       dump(a);
//! ```
//!
//! The compiler emits no code for what this build leaves out, and another build runs it (R12). So the condition is a constant that
//! nobody knows, one for each text of a condition in a file. What is planned holds for both of its values, and a condition of a
//! directive may be written by its words. [`crate::facts`] gives the compiler a text in which such constants stand in the place of
//! the conditions.

use super::ir::Global;

const SYMBOL: &str = "__ompmemopt_choice";

/// The symbol of the constant that stands for a condition in a file; `by_name` where its words mean one thing in all of the file.
pub fn symbol(words: &str, file: &str, by_name: bool) -> String {
    let mark = if by_name { ':' } else { '#' };
    format!("{SYMBOL}{mark}{words}@{file}")
}

/// Whether a symbol is that of a constant that stands for a condition.
pub fn is_symbol(name: &str) -> bool {
    name.starts_with(SYMBOL)
}

impl Global {
    /// Whether it stands for a condition that macros decide.
    pub fn is_choice(&self) -> bool {
        self.external && is_symbol(&self.name)
    }

    /// How to write the condition that it stands for, in all of its file.
    pub fn choice_words(&self) -> Option<&str> {
        let said = self.name.strip_prefix(SYMBOL).filter(|_| self.external)?;
        Some(said.strip_prefix(':')?.split_once('@')?.0)
    }
}
