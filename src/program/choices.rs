//! What stands in the IR for a condition that macros decide, or for the number of a macro.
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
//!
//! Where a plan is checked for all values of a macro (`rewrite::configurations::unknown`), an `unsigned short` of this kind stands for it:
//!
//! ```c
//! extern const unsigned short START __asm__("__ompmemopt_choice:START@");
//! ```

use super::ir::{Global, SourceType};

const SYMBOL: &str = "__ompmemopt_choice";
/// The size of an `unsigned short`, which stands for a number that is not negative and computes as an `int`.
const NUMBER_BYTES: u64 = 2;

/// The symbol of the constant that stands for a condition in a file; `by_name` where its words mean one thing in all of the file.
pub fn symbol(words: &str, file: &str, by_name: bool) -> String {
    let mark = if by_name { ':' } else { '#' };
    format!("{SYMBOL}{mark}{words}@{file}")
}

/// Whether a symbol is that of a constant that stands for a condition.
pub fn is_symbol(name: &str) -> bool {
    name.starts_with(SYMBOL)
}

/// The type of a constant that stands for a condition or a number, by its symbol and its size in bytes: debug information says nothing of
/// what no file defines.
pub fn declared_type(name: &str, bytes: u64) -> Option<SourceType> {
    let signed = bytes > NUMBER_BYTES;
    is_symbol(name).then_some(SourceType::Int { bytes, signed })
}

impl Global {
    /// Whether it stands for a condition that macros decide.
    pub fn is_choice(&self) -> bool {
        self.external && is_symbol(&self.name)
    }

    /// The macro that it stands for, of which nothing is known but that it is a number.
    pub fn number_name(&self) -> Option<&str> {
        self.choice_words().filter(|_| self.size == NUMBER_BYTES)
    }

    /// How to write the condition that it stands for, in all of its file.
    pub fn choice_words(&self) -> Option<&str> {
        let said = self.name.strip_prefix(SYMBOL).filter(|_| self.external)?;
        Some(said.strip_prefix(':')?.split_once('@')?.0)
    }
}
