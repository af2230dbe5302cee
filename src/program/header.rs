//! The text of a header that has functions with kernels.
//!
//! Each file that includes it has its own copy of them. They are never rewritten, but what they do on the device is known
//! from their text, so that their callers can keep arrays there.

use super::ir::Module;
use crate::syntax::{self, ScopeTree};
use std::collections::BTreeSet;

/// A header.
#[derive(Clone, Debug)]
pub struct Header {
    /// How [`Function::header`](super::ir::Function::header) calls it.
    pub path: String,
    /// Its text.
    pub text: Vec<u8>,
    /// The scope tree, as if all branches of its conditionals counted.
    pub tree: ScopeTree,
}

impl Header {
    /// The headers of a module's functions, as `read` finds them.
    pub fn of(module: &Module, read: impl Fn(&str) -> Option<Vec<u8>>) -> Vec<Header> {
        let named: BTreeSet<&str> = module.functions.iter().filter_map(|f| f.header.as_deref()).collect();
        let headers = named.into_iter().filter_map(|path| {
            let text = read(path)?;
            Some(Header {
                path: path.to_owned(),
                tree: syntax::parse(&text, &[]),
                text,
            })
        });
        headers.collect()
    }

    /// Whether the macros that it defines are the same wherever it is included: no condition in it but one around all.
    pub fn is_plain(&self) -> bool {
        let functions = &self.tree.functions;
        match self.tree.conditionals.as_slice() {
            [] => true,
            [first, last] => functions
                .iter()
                .all(|f| first.end <= f.span.start && f.span.end <= last.start),
            _ => false,
        }
    }

    /// Whether the `f`th function of the tree is what the compiler sees under that name: no condition chooses parts of it, or
    /// one of several.
    pub fn is_sure(&self, f: usize) -> bool {
        let function = &self.tree.functions[f];
        let mut conditionals = self.tree.conditionals.iter();
        let namesakes = self.tree.functions.iter().filter(|other| other.name == function.name);
        namesakes.count() == 1 && !conditionals.any(|c| function.span.contains(c.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Header {
        Header {
            path: "h.h".to_owned(),
            tree: syntax::parse(text.as_bytes(), &[]),
            text: text.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_guard_is_no_choice() {
        let h = header("#ifndef H\n#define H\n#define N 3\nstatic void f(void) { }\n#endif\n");
        assert!(h.is_plain() && h.is_sure(0));
        assert!(!header("#ifndef N\n#define N 3\n#endif\nstatic void f(void) { }\n").is_plain());
    }

    #[test]
    fn conditions_in_functions_and_around_are_choices() {
        let h = header("static void f(int a) {\n#if A\na++;\n#endif\n}\nstatic void g(void) { }\n");
        assert!(!h.is_sure(0) && h.is_sure(1) && !h.is_plain());
        let h = header("#if A\nstatic void f(void) { }\n#else\nstatic void f(void) { int a; }\n#endif\n");
        assert!(!h.is_sure(0) && !h.is_sure(1));
    }
}
