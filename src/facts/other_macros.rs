//! A file's text in which macros are also calls, for what they do in another build.
//!
//! ```c
//! #ifdef TRACE
//! #define LOOK(x) printf("%g\\n", x)
//! #else
//! #define LOOK(x)               ──►  #define LOOK(x) ({ void …(const void *, ...) __asm__("__ompmemopt_left_out:printf"); …(0, (x)); })
//! #endif
//! ```
//!
//! [`crate::program::left_out`] says what such a call stands for: all that the other body gets and all variables of the file that it
//! mentions are read and written. A macro that does something in this build does that besides: in `do { … } while (0)` behind the
//! call, and an expression behind it, `({ …; (body); })`.
//!
//! What cannot be written down so makes the functions that use the macro *unseen*: other statements, names of local variables or
//! jumps in the other body, other parameters, and macros of other builds in the place of variables and functions of this one.

use super::left_out::KnownText;
use crate::program::left_out::LeftOut;
use crate::source::Span;
use crate::syntax::{Define, Mentions, OtherMacro, identifiers, is_idle, other_macros, token_spans};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Macros of a text that do something else in another build.
#[derive(Default)]
pub(super) struct OtherMacros {
    /// The pieces of the text to be replaced, and by what.
    pub edits: Vec<(Span, String)>,
    /// The macros that are written down so.
    pub written: BTreeSet<String>,
    /// Macros of which it is not written down.
    pub unwritten: BTreeSet<String>,
    /// Macros with names in the other body that may be those of local variables.
    pub locals: Vec<(String, BTreeSet<String>)>,
}

/// How what a macro stands for here can be put behind a call.
enum Form {
    /// The macro does nothing.
    Idle,
    /// The body begins with a brace, behind which the call can stand: so many bytes from its start.
    Block(usize),
    /// The body is an expression.
    Expression,
}

impl KnownText<'_> {
    /// Writes down what macros of the text do in other builds, where branches that are left out define them as `others` say.
    pub(super) fn other_macros(&self, others: &[Define]) -> OtherMacros {
        let mut found = OtherMacros::default();
        let own: FxHashSet<&str> = { self.variables.iter().map(|v| v.name) }
            .chain(self.tree.functions.iter().map(|f| f.name.as_str()))
            .collect();
        let mut calls: BTreeMap<Span, String> = BTreeMap::new();
        let all = other_macros(self.text, self.tree, others);
        for (number, it) in all.iter().enumerate() {
            let said = self.said(&it.other);
            let params: Vec<&str> = it.other.params.iter().flatten().map(String::as_str).collect();
            let is_known = |name: &str| params.contains(&name) || own.contains(name);
            let matters =
                said.names.iter().any(|name| is_known(name)) || !said.calls.is_empty() || !said.jumps.is_empty();
            if !matters || is_attribute(&it.other.body) {
                continue;
            }
            let locals = said
                .names
                .iter()
                .filter(|name| !is_known(name) && !said.calls.contains(*name));
            found.locals.push((it.here.name.clone(), locals.cloned().collect()));
            // Where control may leave, a block may have to end before.
            if form(it).is_none() || !said.jumps.is_empty() {
                found.unwritten.insert(it.here.name.clone());
                continue;
            }
            let code = self.statement(&it.other, &said, number);
            calls.entry(it.body).or_default().push_str(&code);
        }
        for (body, code) in calls {
            let Some(it) = all.iter().find(|it| it.body == body) else {
                continue;
            };
            let here = &it.here.body;
            let code = match form(it) {
                Some(Form::Idle) => format!(" ({{ {code} }})"),
                Some(Form::Block(at)) => format!(" {} {code} {}", &here[..at], &here[at..]),
                Some(Form::Expression) => format!(" ({{ {code} {here}; }})"),
                None => continue,
            };
            found.edits.push((body, code));
            found.written.insert(it.here.name.clone());
        }
        for other in others
            .iter()
            .filter(|other| !self.macros.contains_key(other.name.as_str()))
        {
            let said = self.said(other);
            if said.names.iter().any(|name| own.contains(name.as_str())) {
                found.unwritten.insert(other.name.clone());
            }
        }
        found
    }

    /// What a macro of another build mentions.
    fn said(&self, other: &Define) -> Mentions {
        let bodies = |name: &str| self.macros.get(name).cloned().unwrap_or_default();
        Mentions::of(other.body.as_bytes(), Span::new(0, other.body.len()), &bodies)
    }

    /// The statement that stands for what a macro does in another build.
    fn statement(&self, Define { params, body, .. }: &Define, said: &Mentions, number: usize) -> String {
        let known = LeftOut {
            jumps: Vec::new(),
            anything: said.launches || !said.stores.is_empty(),
            enters: said.enters,
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
        let name = format!("__ompmemopt_macro_{}_{number}", self.number);
        let symbol = known.symbol();
        format!("{{ void {name}(const void *, ...) __asm__(\"{symbol}\"); {name}({arguments}); }}")
    }
}

/// How a call can be put before what a macro stands for here.
fn form(it: &OtherMacro) -> Option<Form> {
    let body = it.here.body.as_bytes();
    if it.here.params != it.other.params {
        return None;
    }
    if is_idle(&it.here.body) {
        return Some(Form::Idle);
    }
    let tokens = token_spans(body, Span::new(0, body.len()));
    let said = |at: usize| tokens.get(at).map(|t| &body[t.start..t.end]);
    let brace = match (said(0), said(1)) {
        (Some(b"{"), _) => Some(0),
        (Some(b"do"), Some(b"{")) => Some(1),
        _ => None,
    };
    if let Some(brace) = brace {
        return Some(Form::Block(tokens[brace].end));
    }
    let is_call = said(0) == Some(b"(") || said(1) == Some(b"(");
    let words = identifiers(body, Span::new(0, body.len()));
    let is_statement = words.iter().any(|(word, _)| STATEMENTS.contains(&word.as_str()));
    let plain = is_call && !is_statement && !body.contains(&b';') && !body.contains(&b'{');
    (plain && it.here.params.is_some()).then_some(Form::Expression)
}

/// Whether a body only says something of a declaration (`__attribute__((aligned(64)))`).
fn is_attribute(body: &str) -> bool {
    const WORDS: [&str; 6] = [
        "__attribute__",
        "__attribute",
        "__declspec",
        "_Alignas",
        "alignas",
        "__pragma",
    ];
    let words = identifiers(body.as_bytes(), Span::new(0, body.len()));
    words
        .first()
        .is_some_and(|(word, at)| at.start == 0 && WORDS.contains(&word.as_str()))
}

/// Words that begin statements.
const STATEMENTS: [&str; 9] = [
    "if", "for", "while", "do", "switch", "return", "goto", "break", "continue",
];

#[cfg(test)]
mod tests {
    use super::super::left_out::{FileName, macros_of};
    use super::*;
    use crate::syntax::{LeftOutDefinitions, inactive_spans, marked_text, parse};

    /// The macros of a text in which the branches with these numbers count.
    fn found(text: &str, surviving: &[u32]) -> OtherMacros {
        let (_, branches) = marked_text(text.as_bytes());
        let surviving = surviving.iter().copied().collect();
        let tree = parse(text.as_bytes(), &inactive_spans(&branches, &surviving));
        let page = KnownText {
            number: 0,
            text: text.as_bytes(),
            tree: &tree,
            macros: &macros_of(&[], std::iter::once(&tree)),
            variables: &[FileName::new("g", 1)],
        };
        page.other_macros(&LeftOutDefinitions::of(text.as_bytes(), &tree).macros)
    }

    #[test]
    fn a_trace_reads_what_it_is_given() {
        let found = found(
            "#ifdef T\n#define LOOK(x, ...) (printf(#x, ## __VA_ARGS__), g[0]++, (x)++)\n#else\n#define LOOK(x, ...) ((void)0)\n#endif\n\
             void f(double *a) { LOOK(a[3], 1); }\nvoid h(void) { }\n",
            &[1],
        );
        assert_eq!(found.edits.len(), 1);
        let code = &found.edits[0].1;
        assert!(
            code.contains("__ompmemopt_left_out:") && code.contains("printf"),
            "{code}"
        );
        assert!(code.contains("(g)") && code.contains(", ##__VA_ARGS__)"), "{code}");
        assert_eq!(found.written.iter().collect::<Vec<_>>(), ["LOOK"]);
    }

    #[test]
    fn what_a_macro_does_here_stays() {
        let with = |other: &str, here: &str| {
            let text = format!(
                "#ifdef T\n#define M(p) {other}\n#else\n#define M(p) {here}\n#endif\nvoid f(double *a) {{ M(a); }}\n"
            );
            let found = found(&text, &[1]);
            let edit = found.edits.first().map(|(_, code)| code.clone());
            (edit.unwrap_or_default(), found.unwritten.contains("M"))
        };
        let (code, _) = with("show((p)[3])", "show((p)[2])");
        assert!(code.contains("(0, (p)); } show((p)[2]); })"), "{code}");
        let (code, _) = with("(p)[1] = 2", "do { show(p); } while (0)");
        assert!(
            code.contains("do { { void") && code.ends_with("show(p); } while (0)"),
            "{code}"
        );
        assert!(with("(p)[1] = 2", "if (p) show(p)").1);
        assert!(with("do { if (*(p)) return; } while (0)", "").1);
        assert_eq!(with("4", "5"), (String::new(), false));
    }

    #[test]
    fn several_other_bodies_and_hooks_count() {
        let text = "#if A == 1\n#define M(p) put(p)\n#elif A\n#define M(p)\n#else\n#define M(p) get(p)\n#endif\n\
                    #ifndef HOOK\n#define HOOK(p, n)\n#endif\n#ifndef MIN\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#endif\n";
        let found = found(text, &[1, 3, 4]);
        assert_eq!(found.written.iter().collect::<Vec<_>>(), ["HOOK", "M"]);
        let code = &found.edits[0].1;
        assert!(code.contains(":put\")") && code.contains(":get\")"), "{code}");
        assert!(found.edits[1].1.contains("(0, (p), (n))"), "{}", found.edits[1].1);
    }
}
