//! A file's text in which macros that do nothing in this build are calls, for what they do in another one.
//!
//! ```c
//! #ifdef TRACE
//! #define LOOK(x) printf("%g\n", x)
//! #else
//! #define LOOK(x)               ──►  #define LOOK(x) ({ void …(const void *, ...) __asm__("__ompmemopt_left_out:printf"); …(0, (x)); })
//! #endif
//! ```
//!
//! [`crate::program::left_out`] says what such a call stands for: all that the other body gets and all variables of the file that it
//! mentions are read and written.
//!
//! Limits: a macro that does something in both builds is taken to do what it does in this one, and so is one whose other body names
//! local variables.

use super::left_out::Page;
use crate::program::left_out::LeftOut;
use crate::source::Span;
use crate::syntax::{Define, IdleMacro, Mentions, identifiers, idle_macros};
use std::collections::BTreeSet;

/// Macros of a text that are calls for the compiler.
#[derive(Default)]
pub(super) struct IdleMacros {
    /// The pieces of the text to be replaced, and by what.
    pub edits: Vec<(Span, String)>,
    /// Functions that use such macros.
    pub functions: BTreeSet<String>,
}

impl Page<'_> {
    /// Writes down what idle macros do in other builds.
    pub(super) fn idle_macros(&self) -> IdleMacros {
        let mut found = IdleMacros::default();
        let mut names: BTreeSet<String> = BTreeSet::new();
        for (number, idle) in idle_macros(self.text, self.tree).into_iter().enumerate() {
            found
                .edits
                .push((idle.body, format!(" {}", self.statement(&idle, number))));
            names.insert(idle.other.name);
        }
        if names.is_empty() {
            return found;
        }
        for function in &self.tree.functions {
            let words = identifiers(self.text, function.span);
            if words.iter().any(|(word, _)| names.contains(word)) {
                found.functions.insert(function.name.clone());
            }
        }
        found
    }

    /// What an idle macro stands for.
    fn statement(&self, idle: &IdleMacro, number: usize) -> String {
        let Define { params, body, .. } = &idle.other;
        let macros = self.macros();
        let bodies = |name: &str| macros.get(name).cloned().unwrap_or_default();
        let said = Mentions::of(body.as_bytes(), Span::new(0, body.len()), &bodies);
        let known = LeftOut {
            jumps: Vec::new(),
            anything: said.launches || !said.stores.is_empty() || !said.jumps.is_empty(),
            calls: said.calls.iter().cloned().collect(),
        };
        let params: Vec<&str> = params.iter().flatten().map(String::as_str).collect();
        let is_text = |name: &str| body.replace(' ', "").contains(&format!("#{name}"));
        let given = params
            .iter()
            .filter(|p| said.names.contains(**p) && !is_text(p))
            .copied();
        let own = said
            .names
            .iter()
            .map(String::as_str)
            .filter(|name| !params.contains(name) && self.variables.iter().any(|v| v.name == *name));
        let mut arguments = String::from("0");
        for name in given.chain(own) {
            let address = if said.assigned.contains(name) { "&" } else { "" };
            arguments.push_str(&format!(", {address}({name})"));
        }
        if params.last().is_some_and(|last| *last == "...") && said.names.contains("__VA_ARGS__") {
            arguments.push_str(", ##__VA_ARGS__");
        }
        let name = format!("__ompmemopt_macro_{number}");
        let symbol = known.symbol();
        format!("({{ void {name}(const void *, ...) __asm__(\"{symbol}\"); {name}({arguments}); }})")
    }
}

#[cfg(test)]
mod tests {
    use super::super::left_out::FileName;
    use super::*;
    use crate::syntax::{inactive_spans, marked_text, parse};

    #[test]
    fn a_trace_reads_what_it_is_given() {
        let text = "#ifdef T\n#define LOOK(x, ...) (printf(#x, ## __VA_ARGS__), g[0]++, (x)++)\n#else\n#define LOOK(x, ...) ((void)0)\n#endif\n\
                    void f(double *a) { LOOK(a[3], 1); }\nvoid h(void) { }\n";
        let (_, branches) = marked_text(text.as_bytes());
        let surviving = branches.iter().filter(|b| b.id == 1).map(|b| b.id).collect();
        let tree = parse(text.as_bytes(), &inactive_spans(&branches, &surviving));
        let page = Page {
            text: text.as_bytes(),
            tree: &tree,
            defined: &[],
            variables: &[FileName {
                name: "g",
                from_line: 1,
            }],
        };
        let found = page.idle_macros();
        assert_eq!(found.edits.len(), 1);
        let code = &found.edits[0].1;
        assert!(
            code.contains("__ompmemopt_left_out:") && code.contains("printf"),
            "{code}"
        );
        assert!(code.contains("(g)") && code.contains(", ##__VA_ARGS__)"), "{code}");
        assert_eq!(found.functions.iter().collect::<Vec<_>>(), ["f"]);
    }
}
