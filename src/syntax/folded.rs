//! Conditions that a compiler decides, because macros and constants in them stand for numbers.
//!
//! ```c
//! #define DEBUG 0
//! if (DEBUG > 1 && t % 10 == 0)      /* `DEBUG > 1`  */
//!     dump(a);                       /* no compiler emits code for this in this build */
//! s += DEBUG ? a[0] : 1;             /* `DEBUG`      */
//! switch (METHOD) { … }              /* `METHOD`     */
//! ```
//!
//! Found are the longest operands that consist of numbers and such macros alone, in the places where what follows from them is that
//! code is left out: the conditions of `if`, `switch` and loops, what stands beside `&&` and `||`, and before `?`. Not where C wants a
//! constant: in `[…]`, behind `case`, in the declarations of static variables and of enumerators.
//!
//! In macros' bodies they are found where the body does something: has a statement, a call or an element of an array in it.

use super::blank::wipe;
use super::directives::directives;
use super::lex::{self, Token, TokenKind};
use super::tree::ScopeTree;
use super::unread::unread_bodies;
use crate::source::Span;

/// An operand that a compiler knows to be a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoldedOperand {
    /// Where it stands.
    pub span: Span,
    /// What it is part of.
    pub within: Within,
}

/// What an operand is part of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Within {
    /// The function with this number.
    Function(u32),
    /// What the macro of this name stands for.
    Macro(String),
    /// The body of a function that the scope tree does not have.
    Unread,
}

/// A name that a compiler knows to be a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldedName {
    /// All builds have one number for the name.
    Fixed,
    /// Another build may choose another number: a macro, or what follows one.
    Chosen,
}

/// Says what a name is in the function with a number, or outside of functions; `None` for what no compiler knows.
pub type FoldedNames<'a> = &'a dyn Fn(Option<u32>, &str) -> Option<FoldedName>;

/// What a name is in one piece of code.
type NamesHere<'a> = &'a dyn Fn(&str) -> Option<FoldedName>;

/// The operands of a text that are decided by known numbers alone, a chosen one among them, in text order.
pub fn folded_operands(text: &[u8], tree: &ScopeTree, names: FoldedNames<'_>) -> Vec<FoldedOperand> {
    let mut active = text.to_vec();
    let mut found = Vec::new();
    tree.inactive.iter().for_each(|span| wipe(&mut active, *span));
    for directive in directives(&active) {
        if directive.name == "define" {
            let (name, body, parameters) = macro_body(&active, directive.rest);
            let here = |name: &str| names(None, name).filter(|_| !parameters.iter().any(|p| p == name));
            let operands = Operands::of(&active, body, &here);
            if operands.does_something() {
                found.extend(operands.find().into_iter().map(|span| FoldedOperand {
                    span,
                    within: Within::Macro(name.clone()),
                }));
            }
        }
        wipe(&mut active, directive.span);
    }
    for (index, function) in tree.functions.iter().enumerate() {
        let body = tree.stmt(function.body).span;
        let within = Within::Function(index as u32);
        let here = |name: &str| names(Some(index as u32), name);
        let operands = Operands::of(&active, body, &here).find();
        found.extend(operands.into_iter().map(|span| FoldedOperand {
            span,
            within: within.clone(),
        }));
    }
    for body in unread_bodies(text, tree) {
        let operands = Operands::of(&active, body, &|name| names(None, name)).find();
        found.extend(operands.into_iter().map(|span| FoldedOperand {
            span,
            within: Within::Unread,
        }));
    }
    found.sort_by_key(|operand| operand.span.start);
    found
}

/// The name of a macro, what follows it and the parameters, and the parameters.
fn macro_body(text: &[u8], rest: Span) -> (String, Span, Vec<String>) {
    let tokens: Vec<Token> = lex::tokens(text, rest).collect();
    let [name, more @ ..] = tokens.as_slice() else {
        return (String::new(), Span::new(rest.end, rest.end), Vec::new());
    };
    let has_parameters = more
        .first()
        .is_some_and(|t| t.is(b'(') && t.span.start == name.span.end);
    let close = more.iter().position(|t| t.is(b')')).filter(|_| has_parameters);
    let parameters = more[..close.unwrap_or(0)].iter().filter(|t| t.kind == TokenKind::Word);
    let said = |t: &Token| String::from_utf8_lossy(t.bytes(text)).into_owned();
    let start = close.map_or(name.span.end, |close| more[close].span.end);
    (said(name), Span::new(start, rest.end), parameters.map(said).collect())
}

/// Words before a parenthesis in which something is decided.
const DECIDING: [&[u8]; 3] = [b"if", b"while", b"switch"];
/// Words at the start of what C wants constants in.
const CONSTANT: [&[u8]; 6] = [
    b"case",
    b"static",
    b"enum",
    b"typedef",
    b"_Static_assert",
    b"static_assert",
];
/// Words that may stand in an operand beside names.
const NUMBERS: [&[u8]; 8] = [
    b"true",
    b"false",
    b"int",
    b"long",
    b"unsigned",
    b"signed",
    b"char",
    b"short",
];

/// A piece of code in which operands are looked for.
struct Operands<'a> {
    text: &'a [u8],
    tokens: Vec<Token>,
    partner: Vec<Option<usize>>,
    names: NamesHere<'a>,
}

impl<'a> Operands<'a> {
    fn of(text: &'a [u8], span: Span, names: NamesHere<'a>) -> Operands<'a> {
        let tokens: Vec<Token> = lex::tokens(text, span).collect();
        Operands {
            text,
            partner: lex::brackets(&tokens),
            tokens,
            names,
        }
    }

    /// The operands, in order, none within another.
    fn find(&self) -> Vec<Span> {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for at in 0..self.tokens.len() {
            ranges.extend(self.condition(at));
            if let Some(length) = self.operator(at) {
                ranges.push((self.left(at), at));
                if !self.is(at, b'?') {
                    ranges.push((at + length, self.right(at + length)));
                }
            }
        }
        ranges.retain(|(from, to)| self.is_decided(*from, *to) && !self.wants_constant(*from));
        ranges.sort_by_key(|(from, to)| (*from, usize::MAX - to));
        let mut found: Vec<Span> = Vec::new();
        for (from, to) in ranges {
            let span = Span::new(self.tokens[from].span.start, self.tokens[to - 1].span.end);
            if found.last().is_none_or(|last| last.end <= span.start) {
                found.push(span);
            }
        }
        found
    }

    /// Whether there is a statement, a call or an element of an array: what no constant has.
    fn does_something(&self) -> bool {
        let is_call = |at: usize| {
            let word = self.word(at);
            let called = word.is_some_and(|w| !NUMBERS.contains(&w) && self.name(w).is_none());
            called && self.is(at + 1, b'(')
        };
        (0..self.tokens.len()).any(|at| is_call(at) || [b';', b'[', b'{'].iter().any(|b| self.is(at, *b)))
    }

    fn is(&self, at: usize, byte: u8) -> bool {
        self.tokens.get(at).is_some_and(|t| t.is(byte))
    }

    fn word(&self, at: usize) -> Option<&[u8]> {
        let token = self.tokens.get(at)?;
        (token.kind == TokenKind::Word).then(|| token.bytes(self.text))
    }

    /// What stands in the parentheses behind a word in which something is decided.
    fn condition(&self, at: usize) -> Option<(usize, usize)> {
        let word = self.word(at)?;
        let close = self
            .partner
            .get(at + 1)
            .copied()
            .flatten()
            .filter(|_| self.is(at + 1, b'('))?;
        if DECIDING.contains(&word) {
            return Some((at + 2, close));
        }
        let mut ends = (at + 2..close).filter(|i| word == b"for" && self.is(*i, b';'));
        let (first, second) = (ends.next()?, ends.next()?);
        Some((first + 1, second))
    }

    /// How many tokens an operator takes that evaluates what is behind it under a condition.
    fn operator(&self, at: usize) -> Option<usize> {
        let token = self.tokens[at];
        let doubled =
            |byte: u8| token.is(byte) && self.is(at + 1, byte) && token.span.end == self.tokens[at + 1].span.start;
        match token.kind {
            TokenKind::AndAnd | TokenKind::Punct(b'?') => Some(1),
            _ if doubled(b'|') => Some(2),
            _ => None,
        }
    }

    /// Whether an operand ends before this token, or begins behind it.
    fn bounds(&self, at: usize) -> bool {
        let token = self.tokens[at];
        let bounding = [b'(', b'[', b'{', b')', b']', b'}', b',', b';', b'?', b':'];
        let words: [&[u8]; 3] = [b"return", b"else", b"do"];
        let assigns = token.is(b'=') && !self.is(at + 1, b'=') && !self.compares(at);
        let second = at > 0 && self.operator(at - 1) == Some(2);
        bounding.iter().any(|b| token.is(*b))
            || assigns
            || second
            || self.operator(at).is_some()
            || self.word(at).is_some_and(|w| words.contains(&w))
    }

    /// Whether a `=` is the end of a comparison.
    fn compares(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|i| self.tokens[i]);
        let touches = before.is_some_and(|b| b.span.end == self.tokens[at].span.start);
        touches
            && [b'=', b'!', b'<', b'>']
                .iter()
                .any(|b| before.is_some_and(|t| t.is(*b)))
    }

    fn left(&self, end: usize) -> usize {
        let mut at = end;
        while at > 0 {
            let closes = self.is(at - 1, b')') || self.is(at - 1, b']');
            match self.partner[at - 1].filter(|open| closes && *open < at - 1) {
                Some(open) => at = open,
                None if self.bounds(at - 1) => break,
                None => at -= 1,
            }
        }
        at
    }

    fn right(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.tokens.len() {
            let opens = self.is(at, b'(') || self.is(at, b'[');
            match self.partner[at].filter(|close| opens && *close > at) {
                Some(close) => at = close + 1,
                None if self.bounds(at) => break,
                None => at += 1,
            }
        }
        at
    }

    fn name(&self, word: &[u8]) -> Option<FoldedName> {
        (self.names)(std::str::from_utf8(word).ok()?)
    }

    /// Whether these tokens are known numbers alone, one chosen name at least among them.
    fn is_decided(&self, from: usize, to: usize) -> bool {
        let mut chosen = false;
        let mut depth = 0i64;
        for at in from..to {
            let token = self.tokens[at];
            let fits = match token.kind {
                TokenKind::Word => {
                    let word = token.bytes(self.text);
                    let name = self.name(word);
                    chosen |= name == Some(FoldedName::Chosen);
                    name.is_some() || NUMBERS.contains(&word)
                }
                TokenKind::Punct(byte) => {
                    depth += i64::from(byte == b'(') - i64::from(byte == b')');
                    depth >= 0 && b"+-*/%<>=!&|^~()?:,".contains(&byte)
                }
                TokenKind::Number | TokenKind::Char | TokenKind::AndAnd => true,
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        chosen && depth == 0
    }

    /// Whether C wants a constant where a token stands.
    fn wants_constant(&self, from: usize) -> bool {
        let mut at = from;
        let mut labelled = false;
        while at > 0 {
            at -= 1;
            let closes = [b')', b']', b'}'].iter().any(|b| self.is(at, *b));
            if let Some(open) = self.partner[at].filter(|open| closes && *open < at) {
                if self.is(at, b'}') {
                    break;
                }
                at = open;
                continue;
            }
            if self.is(at, b'[') {
                return true;
            }
            labelled |= self.is(at, b':');
            match self.word(at) {
                Some(b"case") => return !labelled,
                Some(word) if CONSTANT.contains(&word) => return true,
                _ => {}
            }
            if self.is(at, b';') || self.is(at, b'{') && !self.is_initializer(at) {
                break;
            }
        }
        false
    }

    /// Whether a brace begins a list of values.
    fn is_initializer(&self, at: usize) -> bool {
        let begins =
            |before: usize| [b'=', b',', b'{', b'('].iter().any(|b| self.is(before, *b)) || self.word(before).is_some();
        at.checked_sub(1).is_some_and(begins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let tree = super::super::parse(text.as_bytes(), &[]);
        let names = |_: Option<u32>, name: &str| match name {
            "DEBUG" | "USE" | "MODE" => Some(FoldedName::Chosen),
            "FAST" => Some(FoldedName::Fixed),
            _ => None,
        };
        let operands = folded_operands(text.as_bytes(), &tree, &names);
        operands
            .iter()
            .map(|o| text[o.span.start..o.span.end].to_owned())
            .collect()
    }

    fn of(body: &str) -> Vec<String> {
        found(&format!("int f(int x, int *a)\n{{\n{body}\n}}\n"))
    }

    #[test]
    fn conditions_of_statements() {
        assert_eq!(of("if (DEBUG) x = 1;"), ["DEBUG"]);
        assert_eq!(of("if (DEBUG > 1) x = 1; else if (!USE) x = 2;"), ["DEBUG > 1", "!USE"]);
        assert_eq!(of("while (DEBUG && x) x--; do x++; while (USE);"), ["DEBUG", "USE"]);
        assert_eq!(of("for (x = 0; DEBUG; x++) ;"), ["DEBUG"]);
        assert_eq!(of("switch (MODE) { case 1: x = USE; }"), ["MODE"]);
        assert_eq!(
            of("if ((DEBUG > 1) && (x || !(USE))) x = 1;"),
            ["(DEBUG > 1)", "!(USE)"]
        );
        assert_eq!(of("if (DEBUG && USE) x = 1;"), ["DEBUG && USE"]);
        assert_eq!(of("if (MODE == FAST) x = 1; if (FAST) x = 2;"), ["MODE == FAST"]);
    }

    #[test]
    fn operands_within_expressions() {
        assert_eq!(of("x += DEBUG ? a[0] : 1;"), ["DEBUG"]);
        assert_eq!(of("return USE == 2 && a[x] > DEBUG;"), ["USE == 2"]);
        assert_eq!(of("g(x, DEBUG || a[1], USE ? 1 : 2);"), ["DEBUG", "USE"]);
        assert_eq!(of("DEBUG && g(a);"), ["DEBUG"]);
        assert_eq!(of("x = y == DEBUG ? 1 : 2;"), Vec::<String>::new());
    }

    #[test]
    fn numbers_are_no_conditions_and_constants_stay() {
        for body in [
            "if (x > DEBUG) x = 1;",
            "if (1) x = 1;",
            "while (true) x = 1;",
            "int b[DEBUG ? 1 : 2];",
            "static int y = DEBUG && 1;",
            "enum { A = DEBUG ? 1 : 2 };",
            "switch (x) { case DEBUG ? 1 : 2: x = 1; }",
            "x = DEBUG + 1;",
        ] {
            assert_eq!(of(body), Vec::<String>::new(), "{body}");
        }
        assert_eq!(of("switch (x) { case 1: x = DEBUG ? 1 : 2; }"), ["DEBUG"]);
    }

    #[test]
    fn bodies_of_macros_that_do_something() {
        assert_eq!(found("#define LOOK(x) if (DEBUG) printf(\"%g\", x)\n"), ["DEBUG"]);
        assert_eq!(found("#define FIRST(p) (DEBUG ? (p)[0] : 1)\n"), ["DEBUG"]);
        assert!(found("#define SIZE (DEBUG ? 100 : 10)\n#define BOTH (DEBUG && USE)\n").is_empty());
    }
}
