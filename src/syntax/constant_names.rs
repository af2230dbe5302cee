//! Names of numbers that a text gives by declarations: enumerators, and variables that are `const`.
//!
//! ```c
//! enum { QUIET, LOUD = V };                  QUIET is "(0)+0", LOUD is "(V)+0"
//! static const int verbose = V;              verbose is "V"
//! #ifdef TALK
//! static const int talk = 1;                 talk is "1", and another build may have another one
//! #else
//! static const int talk = 0;
//! #endif
//! ```
//!
//! A compiler folds conditions that are made of such names, as it folds those of macros (`folded`).

use super::blank::wipe;
use super::directives::directives;
use super::lex::{self, Token, TokenKind};
use super::tree::{ScopeTree, StmtKind};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A name that a declaration gives a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstantName {
    /// The name.
    pub name: String,
    /// Where the declaration has the name.
    pub place: usize,
    /// What the name stands for, as it is written.
    pub value: String,
    /// Branches of `#if` decide about the declaration, so that another build may have another one.
    pub open: bool,
}

/// The names of a text that declarations give numbers, in text order.
pub fn constant_names(text: &[u8], tree: &ScopeTree) -> Vec<ConstantName> {
    let mut active = text.to_vec();
    tree.inactive.iter().for_each(|span| wipe(&mut active, *span));
    directives(&active).iter().for_each(|d| wipe(&mut active, d.span));
    let tokens: Vec<Token> = lex::tokens(&active, Span::new(0, active.len())).collect();
    let reader = DeclarationReader {
        text: &active,
        partner: lex::brackets(&tokens),
        tokens,
        tree,
    };
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..reader.tokens.len() {
        if [b';', b'{', b'}', b':'].iter().any(|b| reader.tokens[at].is(*b)) {
            start = at + 1;
        }
        if reader.is_word(at, b"enum") {
            found.extend(reader.enumerators(at));
        } else if reader.tokens[at].is(b'=') && !reader.compares(at) {
            found.extend(reader.variable(start, at));
        }
    }
    found
}

/// The names of constants that functions declare as something else, parameters and variables, by function; `own` are the
/// constants of the text, `all` those that it can name.
pub fn declared_otherwise(
    tree: &ScopeTree,
    own: &[ConstantName],
    all: &[ConstantName],
) -> BTreeMap<u32, BTreeSet<String>> {
    let mut places: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for constant in all {
        places.entry(&constant.name).or_default();
    }
    for constant in own {
        places.entry(&constant.name).or_default().insert(constant.place);
    }
    let mut found: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    let mut declare = |function: u32, name: &str, place: usize| {
        if places.get(name).is_some_and(|known| !known.contains(&place)) {
            found.entry(function).or_default().insert(name.to_owned());
        }
    };
    for (index, function) in tree.functions.iter().enumerate() {
        for param in &function.params {
            declare(index as u32, &param.name, param.span.start);
        }
    }
    for stmt in &tree.stmts {
        let (StmtKind::Decl { names } | StmtKind::For { declares: names, .. }) = &stmt.kind else {
            continue;
        };
        names.iter().for_each(|n| declare(stmt.function, &n.name, n.span.start));
    }
    found
}

/// Reads declarations off the tokens of active code.
struct DeclarationReader<'a> {
    text: &'a [u8],
    tokens: Vec<Token>,
    partner: Vec<Option<usize>>,
    tree: &'a ScopeTree,
}

impl DeclarationReader<'_> {
    fn is_word(&self, at: usize, word: &[u8]) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|t| t.kind == TokenKind::Word && t.bytes(self.text) == word)
    }

    /// Whether a `=` is part of `==`, `<=` and the like, or of an operator that assigns.
    fn compares(&self, at: usize) -> bool {
        let is = |at: Option<usize>| {
            at.and_then(|at| self.tokens.get(at))
                .is_some_and(|t| t.kind != TokenKind::Word)
        };
        let touches = |a: usize, b: usize| self.tokens[a].span.end == self.tokens[b].span.start;
        at > 0 && is(Some(at - 1)) && touches(at - 1, at) && !self.tokens[at - 1].is(b']')
            || self.tokens.get(at + 1).is_some_and(|t| t.is(b'=')) && touches(at, at + 1)
    }

    /// What stands from a token to the next `,`, `;` or `}` that ends it.
    fn value(&self, from: usize) -> Option<String> {
        let mut at = from;
        loop {
            let token = self.tokens.get(at)?;
            if [b',', b';', b'}'].iter().any(|b| token.is(*b)) {
                break;
            }
            at = match self.partner[at].filter(|close| *close > at) {
                Some(close) => close + 1,
                None => at + 1,
            };
        }
        let span = Span::new(self.tokens.get(from)?.span.start, self.tokens[at - 1].span.end);
        (at > from).then(|| String::from_utf8_lossy(&self.text[span.start..span.end]).into_owned())
    }

    /// Whether a conditional with another branch is around a place.
    fn is_open(&self, place: usize) -> bool {
        let groups = self.tree.open_conditionals.iter().filter(|g| g.branches.len() > 1);
        let mut around = groups.filter_map(|g| Some((g.lines.first()?.start, g.lines.last()?.end)));
        around.any(|(from, to)| (from..to).contains(&place))
    }

    /// The variable before a `=`, if the declaration from `start` on is one of a constant.
    fn variable(&self, start: usize, at: usize) -> Option<ConstantName> {
        let name = at.checked_sub(1).filter(|name| *name >= start)?;
        let words = &self.tokens[start..at];
        let is_plain = words.iter().all(|t| t.kind == TokenKind::Word) && words.len() > 1;
        let is_constant = (start..name).any(|t| self.is_word(t, b"const"));
        let token = self.tokens[name];
        let found = || {
            Some(ConstantName {
                name: String::from_utf8_lossy(token.bytes(self.text)).into_owned(),
                place: token.span.start,
                value: self.value(at + 1)?,
                open: self.is_open(token.span.start),
            })
        };
        (is_plain && is_constant).then(found).flatten()
    }

    /// The enumerators of the enumeration that begins at a token.
    fn enumerators(&self, at: usize) -> Vec<ConstantName> {
        let open = (at + 1..at + 3).find(|t| self.tokens.get(*t).is_some_and(|t| t.is(b'{')));
        let Some((open, close)) = open.and_then(|open| Some((open, self.partner[open]?))) else {
            return Vec::new();
        };
        let span = Span::new(self.tokens[open].span.start, self.tokens[close].span.end);
        let cut = |line: &Span| span.encloses(*line);
        let mut cuts = self
            .tree
            .open_conditionals
            .iter()
            .flat_map(|g| &g.lines)
            .filter(|l| cut(l));
        let first_cut = cuts.next().map_or(usize::MAX, |line| line.start);
        let (mut found, mut base, mut steps) = (Vec::new(), "0".to_owned(), 0);
        let mut name = open + 1;
        while name < close {
            let token = self.tokens[name];
            if self.tokens.get(name + 1).is_some_and(|t| t.is(b'=')) {
                base = self.value(name + 2).unwrap_or_default();
                steps = 0;
            }
            let place = token.span.start;
            if token.kind == TokenKind::Word {
                found.push(ConstantName {
                    name: String::from_utf8_lossy(token.bytes(self.text)).into_owned(),
                    place,
                    value: format!("({base})+{steps}"),
                    open: place > first_cut || self.is_open(place),
                });
            }
            steps += 1;
            let mut next = name;
            while next < close && !self.tokens[next].is(b',') {
                next = self.partner[next].filter(|c| *c > next).map_or(next + 1, |c| c + 1);
            }
            name = next + 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    fn shown(text: &str) -> Vec<String> {
        let tree = parse(text.as_bytes(), &[]);
        let names = constant_names(text.as_bytes(), &tree).into_iter();
        names
            .map(|n| format!("{}={}{}", n.name, n.value, if n.open { "?" } else { "" }))
            .collect()
    }

    #[test]
    fn enumerators_and_constants_have_values() {
        let text = "enum { OFF, ON, LOUD = V * 2, MORE };\nstatic const int verbose = V, other = 3;\nint n = 3;\n\
                    const double *p = 0;\nvoid f(void) { const int k = (40); if (n == k) n = 1; enum mode m = ON; }\n";
        assert_eq!(
            shown(text),
            [
                "OFF=(0)+0",
                "ON=(0)+1",
                "LOUD=(V * 2)+0",
                "MORE=(V * 2)+1",
                "verbose=V",
                "k=(40)"
            ]
        );
    }

    #[test]
    fn conditionals_around_them_leave_them_open() {
        let text = "#ifdef X\nstatic const int a = 1;\n#else\nstatic const int b = 2;\n#endif\nenum { P,\n#ifdef Y\nQ,\n#endif\nR };\n\
                    #ifndef GUARD\nstatic const int c = 3;\n#endif\n";
        assert_eq!(shown(text), ["a=1?", "b=2?", "P=(0)+0", "Q=(0)+1?", "R=(0)+2?", "c=3"]);
    }

    #[test]
    fn names_may_be_declared_otherwise() {
        let text = "static const int n = 3;\nvoid f(int n) { }\nvoid g(void) { for (int n = 0; ; ) { } }\nvoid h(void) { const int k = 1; }\n";
        let tree = parse(text.as_bytes(), &[]);
        let names = constant_names(text.as_bytes(), &tree);
        let others = declared_otherwise(&tree, &names, &names);
        assert_eq!(others.keys().copied().collect::<Vec<_>>(), [0, 1]);
    }
}
