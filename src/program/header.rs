//! The text of a header that has functions with kernels.
//!
//! Each file that includes it has its own copy of them. They are never rewritten, but what they do on the device is known
//! from their text, so that their callers can keep arrays there.
//!
//! Where a file has something of a header twice, nobody knows which branches of its conditionals count, and where a macro
//! makes more than a pragma, nobody knows what. Functions with either in them are only known to start kernels; so are
//! functions of headers whose own text never says `target`.

use super::header_view::View;
use super::ir::Module;
use super::ir_names::SeenHeader;
use crate::syntax::{self, ScopeTree};
use std::collections::BTreeSet;
use std::path::Path;

/// A header.
#[derive(Clone, Debug)]
pub struct Header {
    /// How [`Function::header`](super::ir::Function::header) calls it.
    pub path: String,
    /// The header's text, as the file has it.
    pub text: Vec<u8>,
    /// The scope tree; where the branches that count are not known, as if all did.
    pub tree: ScopeTree,
    /// The macros that it defines are the same wherever it is included: no condition in it but one around all.
    pub is_plain: bool,
    /// Which branches count is known.
    decided: bool,
    /// Where lines begin of which it is not known what macros make of them.
    unclear: Vec<usize>,
}

impl Header {
    /// The headers of a module's functions, as `read` finds them.
    pub fn of(module: &Module, read: impl Fn(&str) -> Option<Vec<u8>>) -> Vec<Header> {
        let named: BTreeSet<&str> = module.functions.iter().filter_map(|f| f.header.as_deref()).collect();
        let headers = named.into_iter().filter_map(|path| {
            let text = read(path)?;
            let seen = module.declared.headers.iter();
            let mut seen = seen.filter(|h| Path::new(&h.path) == Path::new(path));
            Some(Header::new(path, text, seen.next()))
        });
        headers.collect()
    }

    fn new(path: &str, text: Vec<u8>, seen: Option<&SeenHeader>) -> Header {
        let whole = syntax::parse(&text, &[]);
        let is_plain = is_plain(&whole);
        let view = seen.and_then(|seen| View::of(&text, seen));
        let decided = view.is_some();
        let (text, tree, unclear) = match view {
            Some(view) => {
                let tree = syntax::parse(&view.text, &view.inactive);
                (view.text, tree, view.unclear)
            }
            None => (text, whole, Vec::new()),
        };
        Header {
            path: path.to_owned(),
            text,
            tree,
            is_plain,
            decided,
            unclear,
        }
    }

    /// Whether the `f`th function of the tree is what the compiler sees under that name: no condition chooses parts of it, or
    /// one of several.
    pub fn is_sure(&self, f: usize) -> bool {
        let function = &self.tree.functions[f];
        let inside = |at: usize| function.span.contains(at);
        let mut conditionals = self.tree.conditionals.iter().filter(|_| !self.decided);
        let namesakes = self.tree.functions.iter().filter(|other| other.name == function.name);
        namesakes.count() == 1 && !conditionals.any(|c| inside(c.start)) && !self.unclear.iter().any(|at| inside(*at))
    }
}

fn is_plain(tree: &ScopeTree) -> bool {
    match tree.conditionals.as_slice() {
        [] => true,
        [first, last] => tree
            .functions
            .iter()
            .all(|f| first.end <= f.span.start && f.span.end <= last.start),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Header {
        Header::new("h.h", text.as_bytes().to_vec(), None)
    }

    #[test]
    fn a_guard_is_no_choice() {
        let h = header("#ifndef H\n#define H\n#define N 3\nstatic void f(void) { }\n#endif\n");
        assert!(h.is_plain && h.is_sure(0));
        assert!(!header("#ifndef N\n#define N 3\n#endif\nstatic void f(void) { }\n").is_plain);
    }

    #[test]
    fn conditions_in_functions_and_around_are_choices() {
        let h = header("static void f(int a) {\n#if A\na++;\n#endif\n}\nstatic void g(void) { }\n");
        assert!(!h.is_sure(0) && h.is_sure(1) && !h.is_plain);
        let h = header("#if A\nstatic void f(void) { }\n#else\nstatic void f(void) { int a; }\n#endif\n");
        assert!(!h.is_sure(0) && !h.is_sure(1));
    }
}
