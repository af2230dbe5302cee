//! Macros that lengths of arrays follow: in a build in which one of these is smaller, arrays are smaller, too.
//!
//! ```c
//! #define CELLS (ROWS * COLS)
//! double table[TABLE];                                TABLE, as an array is declared with it,
//! int n = CELLS;                                      ROWS and COLS, as n is worth what they say
//! double *a = malloc(n * sizeof *a);                  and memory is asked for by it,
//! #pragma omp target map(to: b[FIRST:COUNT])          COUNT, and not FIRST
//! ```
//!
//! A loop over twelve elements of an array is a loop over twelve elements in every build that there can be; so no such macro becomes
//! smaller than the twelve ([`super::literals`]).
//!
//! How often loops with kernels in them run is left as it is as well: what pays depends on it.
//!
//! What a name follows is read from the text, wherever the name stands: nothing rests on it but which samples there are.

use super::Planning;
use super::numbers::line_end;
use super::program_texts::ProgramTexts;
use crate::analysis::libc::LibFn;
use crate::program::ir::FuncId;
use crate::source::Span;
use crate::syntax::{StmtId, StmtKind, identifiers, token_spans};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What gives names their values, and those that lengths say.
#[derive(Default)]
struct LengthNames {
    said: BTreeSet<String>,
    /// Lengths of sections are among them.
    of_sections: bool,
    /// The names in what is assigned to a name, or in the body of a macro.
    follows: BTreeMap<String, BTreeSet<String>>,
    /// Macros that make declarators of arrays of what they are given: `#define ROWS_OF(a, n, m) a[n][m]`.
    declarators: BTreeSet<String>,
}

impl LengthNames {
    /// The names that are said already, those that lengths follow in some texts, and what all of them follow; `allocates` says which
    /// functions are asked for memory.
    fn of<'t>(mut self, texts: impl Iterator<Item = &'t [u8]>, allocates: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let texts: Vec<&[u8]> = texts.collect();
        self.find_declarators(&texts);
        for text in texts {
            self.read(text, &allocates);
        }
        let mut queue: Vec<String> = self.said.iter().cloned().collect();
        while let Some(name) = queue.pop() {
            for followed in self.follows.remove(&name).unwrap_or_default() {
                if self.said.insert(followed.clone()) {
                    queue.push(followed);
                }
            }
        }
        self.said
    }

    /// The macros whose bodies have brackets, or mention such macros.
    fn find_declarators(&mut self, texts: &[&[u8]]) {
        let mut bodies: Vec<(String, Vec<String>, bool)> = Vec::new();
        for text in texts {
            let starts = (0..text.len()).filter(|at| text[*at] == b'#' && (*at == 0 || text[*at - 1] == b'\n'));
            for line in starts.map(|at| Span::new(at, line_end(text, at))) {
                let words = identifiers(text, line);
                let [(define, _), (name, at), body @ ..] = words.as_slice() else {
                    continue;
                };
                if define == "define" && text.get(at.end) == Some(&b'(') {
                    let has_brackets = text[at.end..line.end].contains(&b'[');
                    let body = body.iter().map(|(word, _)| word.clone());
                    bodies.push((name.clone(), body.collect(), has_brackets));
                }
            }
        }
        loop {
            let before = self.declarators.len();
            for (name, body, has_brackets) in &bodies {
                if *has_brackets || body.iter().any(|word| self.declarators.contains(word)) {
                    self.declarators.insert(name.clone());
                }
            }
            if self.declarators.len() == before {
                break;
            }
        }
    }

    /// Whether a parenthesis gives a macro what it makes a declarator of.
    fn is_declarator(&self, tokens: &Tokens<'_>, statement: usize, open: usize) -> bool {
        let name = std::str::from_utf8(tokens.at(open - 1)).unwrap_or_default();
        self.declarators.contains(name) && (open - 1 == statement || tokens.declares(statement))
    }

    fn read(&mut self, text: &[u8], allocates: &impl Fn(&str) -> bool) {
        let tokens = Tokens {
            text,
            all: token_spans(text, Span::new(0, text.len())),
        };
        let mut statement = 0;
        for at in 0..tokens.all.len() {
            match tokens.at(at) {
                b"#" => {
                    let end = line_end(text, tokens.all[at].start);
                    self.read_directive(text, Span::new(tokens.all[at].start, end));
                    statement = at + tokens.all[at..].partition_point(|t| t.start < end);
                }
                _ if at < statement => {}
                b";" | b"{" | b"}" => statement = at + 1,
                b"[" if tokens.declares(statement) => self.says(&tokens, at + 1..tokens.closed(at)),
                b"(" if at > 0 && self.is_declarator(&tokens, statement, at) => {
                    // What it says by itself it says, too.
                    self.says(&tokens, at - 1..tokens.closed(at));
                }
                b"(" if at > 0 && std::str::from_utf8(tokens.at(at - 1)).is_ok_and(allocates) => {
                    self.says(&tokens, at + 1..tokens.closed(at));
                }
                b"=" => {
                    let Some(name) = tokens.assigned(at) else { continue };
                    let end = (at..tokens.all.len()).find(|t| matches!(tokens.at(*t), b";" | b"{"));
                    let name = String::from_utf8_lossy(tokens.at(name)).into_owned();
                    let names = tokens.words(at + 1..end.unwrap_or(at));
                    self.follows.entry(name).or_default().extend(names);
                }
                _ => {}
            }
        }
    }

    /// A macro's body, or the lengths of sections in a pragma: what stands behind a colon in brackets.
    fn read_directive(&mut self, text: &[u8], line: Span) {
        let words = identifiers(text, line);
        match words.first().map(|(word, _)| word.as_str()) {
            Some("define") if words.len() > 1 => {
                let body = words[2..].iter().map(|(word, _)| word.clone());
                self.follows.entry(words[1].0.clone()).or_default().extend(body);
            }
            Some("pragma") if self.of_sections => {
                let tokens = Tokens {
                    text,
                    all: token_spans(text, line),
                };
                for at in (0..tokens.all.len()).filter(|at| tokens.at(*at) == b"[") {
                    let inside = at + 1..tokens.closed(at);
                    let colon = inside.clone().find(|t| tokens.at(*t) == b":");
                    self.says(&tokens, colon.unwrap_or(inside.end)..inside.end);
                }
            }
            _ => {}
        }
    }

    fn says(&mut self, tokens: &Tokens<'_>, range: std::ops::Range<usize>) {
        self.said.extend(tokens.words(range));
    }
}

impl Planning<'_, '_> {
    /// The names that lengths of arrays, or trips of loops with kernels in them, follow.
    pub(super) fn followed(&self, texts: &ProgramTexts<'_>) -> BTreeSet<String> {
        let lengths = LengthNames {
            said: self.trips(),
            of_sections: true,
            ..LengthNames::default()
        };
        self.lengths_and(texts, lengths)
    }

    /// Some names, and those that lengths of arrays follow, as these are declared or allocated.
    pub(super) fn lengths_beside(&self, texts: &ProgramTexts<'_>, said: BTreeSet<String>) -> BTreeSet<String> {
        let lengths = LengthNames {
            said,
            ..LengthNames::default()
        };
        self.lengths_and(texts, lengths)
    }

    fn lengths_and(&self, texts: &ProgramTexts<'_>, lengths: LengthNames) -> BTreeSet<String> {
        let allocators = self.allocators();
        lengths.of(texts.all(), |name| allocators.contains(name))
    }

    /// The names in heads of loops that have kernels or calls of the program's functions in them: how often these run is not relied on where
    /// names say it, but what pays in a loop depends on it.
    fn trips(&self) -> BTreeSet<String> {
        let functions = self.module().functions.iter().filter(|f| !f.blocks.is_empty());
        let ours: FxHashSet<&str> = functions.map(|f| f.name.as_str()).collect();
        let mut found = BTreeSet::new();
        for member in self.members {
            let (text, tree) = (member.unit.text, member.read.tree());
            let mut with_kernels: BTreeSet<StmtId> = BTreeSet::new();
            for stmt in tree.pragmas.iter().filter_map(|p| p.before) {
                with_kernels.extend(tree.ancestors(stmt).filter(|a| *a != stmt));
            }
            for stmt in (0..tree.stmts.len() as u32).map(StmtId) {
                let (head, body) = match &tree.stmt(stmt).kind {
                    StmtKind::For { init, cond, body, .. } => ([*init, *cond], *body),
                    StmtKind::While { cond, body } => ([Some(*cond), None], *body),
                    _ => continue,
                };
                let called = || {
                    let words = identifiers(text, tree.stmt(body).span);
                    words
                        .iter()
                        .any(|(word, at)| text.get(at.end) == Some(&b'(') && ours.contains(word.as_str()))
                };
                if with_kernels.contains(&stmt) || called() {
                    let words = head.into_iter().flatten().flat_map(|part| identifiers(text, part));
                    found.extend(words.map(|(word, _)| word));
                }
            }
        }
        found
    }

    /// The functions that are known to return new memory.
    fn allocators(&self) -> FxHashSet<&str> {
        let functions = self.module().functions.iter().zip(0..);
        let fresh = |id: u32| self.pointers.known().of(FuncId(id)).is_some_and(LibFn::returns_fresh);
        functions
            .filter(|(_, id)| fresh(*id))
            .map(|(f, _)| f.name.as_str())
            .collect()
    }
}

/// The tokens of a text.
struct Tokens<'t> {
    text: &'t [u8],
    all: Vec<Span>,
}

impl Tokens<'_> {
    fn at(&self, at: usize) -> &[u8] {
        self.all.get(at).map_or(b"", |t| &self.text[t.start..t.end])
    }

    fn is_word(&self, at: usize) -> bool {
        let first = self.at(at).first();
        first.is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
    }

    fn words(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = String> {
        range
            .filter(|at| self.is_word(*at))
            .map(|at| String::from_utf8_lossy(self.at(at)).into_owned())
    }

    /// The word that a `=` assigns to, if it does: of `n = N` and `n += N`, and not of `n == N` and `n <= N`.
    fn assigned(&self, at: usize) -> Option<usize> {
        let touches = |a: usize, b: usize| {
            let (a, b) = (self.all.get(a), self.all.get(b));
            a.zip(b).is_some_and(|(a, b)| a.end == b.start)
        };
        let before = at.checked_sub(1)?;
        if self.at(at + 1) == b"=" && touches(at, at + 1) {
            return None;
        }
        let computes =
            matches!(self.at(before), b"+" | b"-" | b"*" | b"/" | b"%" | b"|" | b"&" | b"^") && touches(before, at);
        let name = if computes { before.checked_sub(1)? } else { before };
        self.is_word(name).then_some(name)
    }

    /// Whether a statement begins as declarations do: with two words, or a word and a star.
    fn declares(&self, statement: usize) -> bool {
        self.is_word(statement) && (self.is_word(statement + 1) || self.at(statement + 1) == b"*")
    }

    /// Where a bracket or parenthesis is closed.
    fn closed(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for at in open..self.all.len() {
            match self.at(at) {
                b"(" | b"[" => depth += 1,
                b")" | b"]" if depth == 1 => return at,
                b")" | b"]" => depth -= 1,
                _ => {}
            }
        }
        open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_assign_nothing() {
        let text = b"n = N; n += M; n == X; n <= Y; n != Z; n >= V; n < W;";
        let tokens = Tokens {
            text,
            all: token_spans(text, Span::new(0, text.len())),
        };
        let equals = (0..tokens.all.len()).filter(|at| tokens.at(*at) == b"=");
        assert_eq!(equals.filter(|at| tokens.assigned(*at).is_some()).count(), 2);
    }

    #[test]
    fn macros_make_declarators() {
        let text = b"#define A2(a, n, m) a[n + PADS][m]\n#define DECL(a, n) double A2(a, n, n)\n#define F(n) (n + 1)\n\
                     void f(double A2(x, ROWS, COLS)) {\n  DECL(y, SIDE);\n  int k = 0; double z = F(OTHER); g(F(MORE));\n}\n";
        let found = LengthNames::default().of([&text[..]].into_iter(), |_| false);
        let macros: Vec<&str> = found.iter().map(String::as_str).filter(|n| n.len() > 3).collect();
        assert_eq!(macros, ["COLS", "DECL", "PADS", "ROWS", "SIDE", "double"]);
    }

    #[test]
    fn lengths_follow_macros() {
        let text = b"#define CELLS (ROWS * COLS)\nstatic double table[TABLE];\nvoid f(double *b) {\n  int n = CELLS, k = START;\n\
                     double *a = malloc(n * sizeof *a);\n  b[k] = table[AT];\n  a[MORE] = LAST;\n\
                     #pragma omp target map(to: b[FIRST:COUNT])\n  for (int i = FROM; i < TO; i++) a[i] = 1; }\n";
        let lengths = LengthNames {
            of_sections: true,
            ..LengthNames::default()
        };
        let found = lengths.of([&text[..]].into_iter(), |name| name == "malloc");
        let macros: Vec<&str> = found
            .iter()
            .map(String::as_str)
            .filter(|n| n.len() > 3 && n.to_uppercase() == **n)
            .collect();
        assert_eq!(macros, ["CELLS", "COLS", "COUNT", "ROWS", "START", "TABLE"]);
    }
}
