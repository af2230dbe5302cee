//! What the branches of `#if` say that this compilation leaves out.
//!
//! ```c
//! #if 0                        /* no build compiles this branch: a comment           */
//! …
//! #ifdef TRACE
//!     printf("%g\n", a[5]);    /* mentions `a`                                       */
//!     n = LAST(a);             /* assigns to `n`; what `LAST` stands for counts too  */
//!     dump(a);                 /* calls `dump`                                       */
//!     return;                  /* jumps                                              */
//! #endif
//! ```
//!
//! A branch of that kind need not even parse in this build, so that its words are all that is read ([`Mentions`]).
//! Branches that no build compiles in which directives count are none: those under `#if 0` and `#ifdef __cplusplus`,
//! and those of builds without OpenMP.

use super::directives::{PreprocessorDirective, directives};
use super::lex::{self, Token, TokenKind};
use super::words::{OPERATOR_WORDS, STATEMENT_WORDS, TYPE_WORDS, among};
use crate::source::Span;
use std::collections::BTreeSet;

/// Words by which control leaves a statement, or comes into the middle of one.
pub const JUMPS: [&str; 6] = ["return", "break", "continue", "goto", "case", "default"];

/// The words of a branch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mentions {
    /// Names, those in macros that it uses included.
    pub names: BTreeSet<String>,
    /// Names among them that are assigned something, or whose address is taken.
    pub assigned: BTreeSet<String>,
    /// Elements and members that are assigned something, with 0 in all brackets: `s->row[0]`.
    pub stores: BTreeSet<String>,
    /// Names among them that something is called by.
    pub calls: BTreeSet<String>,
    /// Words in it by which control may leave it, or come into it, other than at its ends ([`JUMPS`]).
    pub jumps: BTreeSet<String>,
    /// The branch has a directive that may start kernels or copy.
    pub launches: bool,
    /// Among these is one that enters data.
    pub enters: bool,
    /// The branch includes a file.
    pub includes: bool,
}

impl Mentions {
    /// What a piece of a text mentions. `body` says what a macro stands for, and whether it has arguments.
    pub fn of<'m>(text: &[u8], span: Span, body: &dyn Fn(&str) -> Vec<(&'m str, bool)>) -> Mentions {
        let mut found = Mentions::default();
        let mut directives_end = 0;
        for directive in directives(&text[..span.end.min(text.len())]) {
            if !span.encloses(directive.span) {
                continue;
            }
            found.code(
                text,
                Span::new(directives_end.max(span.start), directive.span.start),
                body,
            );
            directives_end = directive.span.end;
            found.directive(text, &directive, body);
        }
        found.code(text, Span::new(directives_end.max(span.start), span.end), body);
        found
    }

    /// What a directive within the branch mentions: names only, since the words before its parentheses are those of clauses.
    fn directive<'m>(
        &mut self,
        text: &[u8],
        directive: &PreprocessorDirective,
        body: &dyn Fn(&str) -> Vec<(&'m str, bool)>,
    ) {
        self.includes |= directive.name.starts_with("include");
        let mut inner = Mentions::default();
        inner.code(text, directive.rest, body);
        let is_on_device = directive.name == "pragma" && ["target", "acc"].iter().any(|w| inner.names.contains(*w));
        self.launches |= is_on_device;
        self.enters |= is_on_device && inner.names.contains("enter");
        self.assigned.append(&mut inner.assigned);
        self.names.append(&mut inner.names);
    }

    fn code<'m>(&mut self, text: &[u8], span: Span, body: &dyn Fn(&str) -> Vec<(&'m str, bool)>) {
        let tokens: Vec<Token> = lex::tokens(text, span).collect();
        let mut macros: Vec<&'m str> = Vec::new();
        let mut assigns = false;
        self.stores
            .extend((1..tokens.len()).filter_map(|at| stored(text, &tokens, at)));
        for (at, token) in tokens.iter().enumerate() {
            let is_member = at > 0 && (tokens[at - 1].is(b'.') || at > 1 && arrow(&tokens[at - 2..at]));
            if token.kind != TokenKind::Word || is_member {
                continue;
            }
            let word = token.bytes(text);
            self.jump(word);
            if [&STATEMENT_WORDS[..], &TYPE_WORDS, &OPERATOR_WORDS]
                .iter()
                .any(|l| among(word, l))
            {
                continue;
            }
            let name = String::from_utf8_lossy(word).into_owned();
            let bodies = body(&name);
            assigns |= bodies.iter().any(|(body, called)| *called && changes_something(body));
            macros.extend(bodies.iter().map(|(body, _)| *body));
            if is_changed(&tokens, at) {
                self.assigned.insert(name.clone());
            }
            if bodies.is_empty() && tokens.get(at + 1).is_some_and(|t| t.is(b'(')) {
                self.calls.insert(name.clone());
            }
            self.names.insert(name);
        }
        if assigns {
            self.assigned.extend(self.names.iter().cloned());
        }
        self.follow(macros, body);
    }

    fn jump(&mut self, word: &[u8]) {
        let jump = JUMPS.into_iter().find(|jump| jump.as_bytes() == word);
        self.jumps.extend(jump.map(str::to_owned));
    }

    /// Adds what macros stand for, those in them included.
    fn follow<'m>(&mut self, mut work: Vec<&'m str>, body: &dyn Fn(&str) -> Vec<(&'m str, bool)>) {
        let mut seen: BTreeSet<&'m str> = work.iter().copied().collect();
        while let Some(said) = work.pop() {
            let tokens: Vec<Token> = lex::tokens(said.as_bytes(), Span::new(0, said.len())).collect();
            for (at, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Word) {
                let word = String::from_utf8_lossy(token.bytes(said.as_bytes())).into_owned();
                self.jump(word.as_bytes());
                let inner = body(&word);
                let is_called = tokens.get(at + 1).is_some_and(|t| t.is(b'('));
                let is_word = among(word.as_bytes(), &STATEMENT_WORDS) || among(word.as_bytes(), &OPERATOR_WORDS);
                if inner.is_empty() && is_called && !is_word {
                    self.calls.insert(word.clone());
                }
                if is_changed(&tokens, at) {
                    self.assigned.insert(word.clone());
                }
                self.names.insert(word);
                work.extend(inner.into_iter().map(|(body, _)| body).filter(|b| seen.insert(b)));
            }
        }
    }

    /// Whether another build may do anything with memory here.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.jumps.is_empty() && !self.includes
    }
}

/// How a branch lies in the code around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchForm {
    /// No code is in the branch.
    Empty,
    /// The branch is statements, as far as its words say.
    Statements,
    /// The branch ends with this pragma, so that what stands behind the branch belongs to the pragma.
    Pragma(Span),
    /// Brackets are open at its end, or close what is open before it: another build has other statements around what follows.
    Open,
    /// The branch ends in the midst of a statement.
    Cut,
    /// No names are in the branch, but numbers or operators: `+ 5`, `9;`.
    Number,
}

/// The form of a branch of a text.
pub fn branch_form(text: &[u8], span: Span) -> BranchForm {
    let all: Vec<PreprocessorDirective> = directives(&text[..span.end.min(text.len())])
        .into_iter()
        .filter(|d| span.encloses(d.span))
        .collect();
    let is_code = |t: &Token| !all.iter().any(|d| d.span.encloses(t.span));
    let tokens: Vec<Token> = lex::tokens(text, span).filter(is_code).collect();
    let code_end = tokens.last().map_or(span.start, |t| t.span.end);
    if let Some(pragma) = all
        .iter()
        .rev()
        .find(|d| d.span.start >= code_end && d.name == "pragma")
    {
        return BranchForm::Pragma(pragma.span);
    }
    let Some(last) = tokens.last() else {
        return BranchForm::Empty;
    };
    let partner = lex::brackets(&tokens);
    let is_bracket = |t: &Token| [b'(', b')', b'[', b']', b'{', b'}'].iter().any(|b| t.is(*b));
    let is_open = tokens
        .iter()
        .zip(&partner)
        .any(|(t, partner)| is_bracket(t) && partner.is_none());
    if is_open {
        return BranchForm::Open;
    }
    let is_type = |t: &Token| {
        [&TYPE_WORDS[..], &OPERATOR_WORDS]
            .iter()
            .any(|l| among(t.bytes(text), l))
    };
    let has_names = tokens.iter().any(|t| t.kind == TokenKind::Word && !is_type(t));
    let computes =
        |t: &Token| matches!(t.kind, TokenKind::Number | TokenKind::Char) || b"+-*/%<>=!&|^?".iter().any(|b| t.is(*b));
    match [b';', b'}', b':', b')'].iter().any(|b| last.is(*b)) {
        _ if !has_names && tokens.iter().any(computes) => BranchForm::Number,
        true => BranchForm::Statements,
        false => BranchForm::Cut,
    }
}

/// Whether what a name stands for is assigned something, counted up or down, or has its address taken.
fn is_changed(tokens: &[Token], at: usize) -> bool {
    let is = |at: Option<usize>, byte: u8| at.and_then(|at| tokens.get(at)).is_some_and(|t| t.is(byte));
    // `(x)` is `x`.
    let (mut first, mut at) = (at, at);
    while is(first.checked_sub(1), b'(') && is(Some(at + 1), b')') {
        (first, at) = (first - 1, at + 1);
    }
    let before = |steps: usize| first.checked_sub(steps);
    let twice =
        |byte: u8| is(before(1), byte) && is(before(2), byte) || is(Some(at + 1), byte) && is(Some(at + 2), byte);
    let operators = (at + 1..tokens.len()).take_while(|i| b"+-*/%&|^<>".iter().any(|b| tokens[*i].is(*b)));
    let equals = at + 1 + operators.count();
    let compares = equals == at + 2 && (is(Some(at + 1), b'<') || is(Some(at + 1), b'>'));
    let assigned = is(Some(equals), b'=') && !is(Some(equals + 1), b'=') && !compares;
    twice(b'+') || twice(b'-') || assigned || is(before(1), b'&')
}

/// The element or member to the left of a `=`, if the token is one that assigns to it.
fn stored(text: &[u8], tokens: &[Token], at: usize) -> Option<String> {
    let is = |at: usize, bytes: &[u8]| tokens.get(at).is_some_and(|t| bytes.iter().any(|b| t.is(*b)));
    let assigns = is(at, b"=") && !is(at + 1, b"=") && !is(at - 1, b"=!<>+-*/%&|^");
    if !assigns {
        return None;
    }
    let partner = lex::brackets(tokens);
    let (mut start, mut said) = (at, Vec::new());
    while start > 0 {
        let last = start - 1;
        match partner[last].filter(|open| *open < last) {
            Some(open) if is(last, b"]") => {
                said.push("[0]".to_owned());
                start = open;
                continue;
            }
            // What is stored to begins behind `for (…)`. What stands in parentheses is followed no further.
            Some(_) if start < at && (is_name(&tokens[start]) || is(start, b"*")) => break,
            Some(_) => return Some(String::new()),
            None => {}
        }
        if !(is_name(&tokens[last]) || is(last, b".>") || is(last, b"-*")) {
            break;
        }
        // Two words are a declaration.
        if start < at && is_name(&tokens[last]) && is_name(&tokens[start]) {
            return None;
        }
        said.push(String::from_utf8_lossy(tokens[last].bytes(text)).into_owned());
        start = last;
    }
    // A name alone is a variable; `double *q` declares one.
    let declares = said.last().is_some_and(|word| among(word.as_bytes(), &TYPE_WORDS));
    (said.len() > 1 && !declares).then(|| said.into_iter().rev().collect())
}

/// Whether a macro with this body may assign something to what it is given.
fn changes_something(body: &str) -> bool {
    let tokens: Vec<Token> = lex::tokens(body.as_bytes(), Span::new(0, body.len())).collect();
    (0..tokens.len())
        .any(|at| tokens[at].is(b')') && is_changed(&tokens, at) || is_name(&tokens[at]) && is_changed(&tokens, at))
}

fn is_name(token: &Token) -> bool {
    token.kind == TokenKind::Word
}

/// Whether two tokens are `->`.
fn arrow(tokens: &[Token]) -> bool {
    matches!(tokens, [minus, more] if minus.is(b'-') && more.is(b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(text: &str) -> Mentions {
        let body = |name: &str| match name {
            "LAST" => vec![("(p)[count - 1]", true)],
            "UP" => vec![("((v)++)", true)],
            _ => Vec::new(),
        };
        Mentions::of(text.as_bytes(), Span::new(0, text.len()), &body)
    }

    fn joined(names: &BTreeSet<String>) -> String {
        names.iter().cloned().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_calls_and_assignments_are_told_apart() {
        let found = mentions("if (n <= 3) { a[i] = LAST(b); s->m += g(c); k++; n = 4; f(&x, y == 2); }\n");
        assert_eq!(joined(&found.calls), "f g");
        assert_eq!(joined(&found.assigned), "k n x");
        assert_eq!(joined(&found.stores), "a[0]");
        let stores = mentions("double *q = a; *r[i] = x; s.t[k + 1][2] = 0; b[3] += 1; if (c[0] == 1) (p)->q = 1;");
        assert_eq!(joined(&stores.stores), " *r[0] s.t[0][0]");
        let stores = mentions("for (i = 0; i < n; i++) v[i] = 0; if (x) *w = 1;");
        assert_eq!(joined(&stores.stores), "*w v[0]");
        for name in ["a", "b", "c", "count", "s", "y"] {
            assert!(found.names.contains(name), "{name}");
        }
        assert!(!found.names.contains("m") && found.jumps.is_empty());
        assert!(mentions("UP(q);").assigned.contains("q"));
        assert!(mentions("if (e)\n    return;\n").jumps.contains("return"));
    }

    #[test]
    fn branches_have_forms() {
        let form = |text: &str| branch_form(text.as_bytes(), Span::new(0, text.len()));
        assert_eq!(form("\n  /* nothing */\n"), BranchForm::Empty);
        assert_eq!(form("#define K 3\n"), BranchForm::Empty);
        assert_eq!(form("f(x);\n"), BranchForm::Statements);
        assert_eq!(form("TRACE(x)\n"), BranchForm::Statements);
        assert_eq!(form("if (a) { b(); }\n"), BranchForm::Statements);
        assert_eq!(form("for (i = 0; i < 20; i++) {\n"), BranchForm::Open);
        assert_eq!(form("} else\n"), BranchForm::Open);
        assert_eq!(form("static\n"), BranchForm::Cut);
        assert_eq!(form("9;\n"), BranchForm::Number);
        assert_eq!(form("+=\n"), BranchForm::Number);
        assert!(matches!(form("f(x);\n#pragma omp target\n"), BranchForm::Pragma(_)));
        assert_eq!(form("#pragma omp target\n{ a[0] = 1; }\n"), BranchForm::Statements);
    }

    #[test]
    fn words_of_directives_call_nothing() {
        let found = mentions("#pragma omp target map(tofrom: a[0:n])\n{ a[0] = 1; }\n");
        assert!(found.launches && found.calls.is_empty() && found.names.contains("n"));
        assert!(!found.enters && mentions("#pragma omp target enter data map(to: a[0:n])\n").enters);
        assert!(!mentions("#pragma omp parallel for private(i)\n").launches);
        assert!(mentions("#include \"more.inc\"\n").includes);
    }
}
