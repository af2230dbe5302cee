//! Where a text gives names to numbers: bodies of object-like macros, enumerators, and variables that keep their value.
//!
//! ```c
//! #define N 1000                   1000
//! #define BITS (1 << 10)           1024: no names are in it
//! #define CELLS (N * 8)            none: 8 is no size, but says how one follows from another
//! enum { RED, ROWS = 64 };         64
//! const int steps = 20, more = 0x40;
//! void f(void) { int n = 4000; … } 4000, if nothing in the text changes an `n` or takes its address
//! ```

use crate::analysis::cexpr::{Macros, NameResolver, evaluate, literal};
use crate::analysis::values::casts::IntType;
use crate::source::Span;
use crate::symbolic::Expr;
use crate::syntax::{identifiers, token_spans};
use rustc_hash::FxHashSet;

/// Enumerators and unchanged variables below this one are taken to be cases and steps, and not sizes.
pub(super) const LEAST: i128 = 4;
/// What is computed of several numbers, or said in another base, is a size where it is as large as this.
const LEAST_COMPUTED: i128 = 8;
/// Larger numbers are bits rather than sizes.
const MOST: i128 = 1 << 48;

/// Words of types whose variables may be sizes.
const WORDS: [&[u8]; 14] = [
    b"const",
    b"static",
    b"int",
    b"long",
    b"short",
    b"unsigned",
    b"signed",
    b"size_t",
    b"ssize_t",
    b"ptrdiff_t",
    b"int32_t",
    b"uint32_t",
    b"int64_t",
    b"uint64_t",
];

/// Who else may give a number another value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RootKind {
    /// A macro, or an enumerator, which may be said by one.
    Macro,
    /// A `const` variable.
    Constant,
    /// A variable that nothing changes.
    Unchanged,
}

/// A number that may be another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Root {
    /// The macro, enumerator or variable that is worth it, or of which it is a part.
    pub name: String,
    /// Where that name begins.
    pub named: usize,
    /// The digits, in the text, or what is computed of several numbers.
    pub digits: Span,
    /// What they say.
    pub value: i128,
    pub kind: RootKind,
}

impl Root {
    /// Whether it is that of a variable, which no flag changes.
    pub fn is_variable(&self) -> bool {
        self.kind != RootKind::Macro
    }
}

/// The roots of a text, in text order.
pub(super) fn roots(text: &[u8]) -> Vec<Root> {
    let mut found = of_macros(text);
    found.extend(of_declarations(text));
    found.sort_by_key(|root| root.digits);
    found.dedup_by_key(|root| root.digits);
    found
}

/// The value of a `-DNAME=NUMBER` flag: the name, where its digits begin, and what they say.
pub(super) fn flagged(flag: &str) -> Option<(&str, usize, i128)> {
    let body = flag.strip_prefix("-D").unwrap_or(flag);
    let (name, value) = body.split_once('=')?;
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return None;
    }
    Some((name, flag.len() - value.len(), number(value.as_bytes())?))
}

/// An integer without its suffix: `1000` of `1000UL`, `64` of `0x40`.
pub(super) fn number(token: &[u8]) -> Option<i128> {
    let text = std::str::from_utf8(token).ok()?;
    let is_number = text.bytes().next()?.is_ascii_digit();
    constant(text).filter(|value| is_number && *value <= MOST)
}

/// What a token is worth that is a number or a character.
pub(super) fn constant(token: &str) -> Option<i128> {
    let is_word = || token.bytes().all(|b| b.is_ascii_alphanumeric());
    match token.bytes().next()? {
        b'0'..=b'9' if is_word() => Some(literal(token)?.0),
        b'\'' => evaluate(token, &Bodies::default())?.as_constant(),
        _ => None,
    }
}

/// What a body without names is worth, and which part of it says so: of `(40)` and `-1` the digits, else all of it within its
/// parentheses.
fn worth(text: &[u8], mut tokens: &[Span]) -> Option<(Span, i128)> {
    let bytes = |t: &Span| &text[t.start..t.end];
    while let [first, inside @ .., last] = tokens
        && (bytes(first), bytes(last)) == (b"(", b")")
        && !inside.iter().any(|t| matches!(bytes(t), b"(" | b")"))
    {
        tokens = inside;
    }
    if let [sign, digits] = tokens
        && bytes(sign) == b"-"
    {
        tokens = std::slice::from_ref(digits);
    }
    if let [only] = tokens {
        let value = number(bytes(only))?;
        let is_decimal = value == 0 || bytes(only)[0] != b'0';
        let suffix = bytes(only).iter().rev().take_while(|b| b"uUlL".contains(b)).count();
        let digits = Span::new(only.start, only.end - suffix);
        return (is_decimal || value >= LEAST_COMPUTED).then_some((digits, value));
    }
    let all = Span::new(tokens.first()?.start, tokens.last()?.end);
    let body = std::str::from_utf8(&text[all.start..all.end]).ok()?;
    let value = evaluate(body, &Bodies::default())
        .filter(|_| !body.contains('\n'))?
        .as_constant()?;
    (LEAST_COMPUTED..=MOST).contains(&value).then_some((all, value))
}

/// The numbers in bodies of object-like macros.
fn of_macros(text: &[u8]) -> Vec<Root> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|b| *b == b'\n') {
        let span = Span::new(start, start + line.len());
        start = span.end;
        let directive = line.trim_ascii_start();
        let Some(rest) = directive.strip_prefix(b"#").map(<[u8]>::trim_ascii_start) else {
            continue;
        };
        if !rest
            .strip_prefix(b"define")
            .is_some_and(|r| r.first().is_some_and(u8::is_ascii_whitespace))
        {
            continue;
        }
        let words = identifiers(text, span);
        // `define` and the name, and no other names.
        let [_, (name, at)] = &words[..] else { continue };
        if text.get(at.end) == Some(&b'(') {
            continue;
        }
        let body = token_spans(text, Span::new(at.end, span.end));
        found.extend(worth(text, &body).map(|(digits, value)| Root {
            name: name.clone(),
            named: at.start,
            digits,
            value,
            kind: RootKind::Macro,
        }));
    }
    found
}

/// The numbers that enumerators and variables are given which keep them.
fn of_declarations(text: &[u8]) -> Vec<Root> {
    let tokens = token_spans(text, Span::new(0, text.len()));
    let bytes = |at: usize| tokens.get(at).map_or(&b""[..], |t| &text[t.start..t.end]);
    let mut found: Vec<(usize, Root)> = Vec::new();
    let (mut statement, mut depth, mut inner) = (0, 0usize, 0usize);
    let mut in_enum = false;
    for at in 0..tokens.len() {
        if at < statement {
            continue;
        }
        match bytes(at) {
            b"#" => {
                let end = line_end(text, tokens[at].start);
                statement = at + tokens[at..].partition_point(|t| t.start < end);
            }
            b"enum" => in_enum = bytes(at + 1) == b"{" || bytes(at + 2) == b"{",
            b"{" => (statement, depth) = (at + 1, depth + 1),
            b"}" => (statement, depth, in_enum) = (at + 1, depth.saturating_sub(1), false),
            b";" => (statement, inner) = (at + 1, 0),
            b"(" | b"[" => inner += 1,
            b")" | b"]" => inner = inner.saturating_sub(1),
            b"=" if at > 0 && inner == 0 && bytes(at + 1) != b"=" => {
                let types = (statement..at).take_while(|t| WORDS.contains(&bytes(*t)));
                let constant = types.clone().any(|t| bytes(t) == b"const");
                let kind = match (types.count() > 0, depth > 0) {
                    (true, _) if constant => RootKind::Constant,
                    (true, true) if at > 1 && bytes(at - 2) != b"*" => RootKind::Unchanged,
                    _ if in_enum => RootKind::Macro,
                    _ => continue,
                };
                let end = value_end(&bytes, at + 1);
                let Some((digits, value)) = tokens.get(at + 1..end).and_then(|t| worth(text, t)) else {
                    continue;
                };
                // `const int k = 4294967303` is 7, and none of what follows it is what is written.
                if !in_enum && !fits(value, &(statement..at - 1).map(bytes).collect::<Vec<_>>()) {
                    continue;
                }
                let name = String::from_utf8_lossy(bytes(at - 1)).into_owned();
                if kind == RootKind::Constant || value >= LEAST {
                    found.push((
                        at - 1,
                        Root {
                            name,
                            named: tokens[at - 1].start,
                            digits,
                            value,
                            kind,
                        },
                    ));
                }
            }
            _ => {}
        }
    }
    let declared: FxHashSet<usize> = found.iter().map(|(at, _)| *at).collect();
    let others = (0..tokens.len()).filter(|at| !declared.contains(at) && may_change(&bytes, *at));
    let changed: FxHashSet<&[u8]> = others.map(bytes).collect();
    let stays = |root: &Root| root.kind != RootKind::Unchanged || !changed.contains(&root.name.as_bytes());
    found.into_iter().map(|(_, root)| root).filter(stays).collect()
}

/// Whether a variable that is declared with these words has a number that it is given.
fn fits(value: i128, words: &[&[u8]]) -> bool {
    let words: Vec<_> = words.iter().map(|w| String::from_utf8_lossy(w)).collect();
    let limits = IntType::named(&words.join(" ")).map(IntType::limits);
    limits.is_none_or(|(least, greatest)| (least..=greatest).contains(&value))
}

/// Where a directive's line ends, with those that continue it.
pub(super) fn line_end(text: &[u8], start: usize) -> usize {
    let ends = |at: &usize| text[*at] == b'\n' && !text[..*at].trim_ascii_end().ends_with(b"\\");
    (start..text.len()).find(ends).unwrap_or(text.len())
}

/// Where the value behind a `=` ends.
fn value_end<'t>(bytes: &impl Fn(usize) -> &'t [u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    loop {
        match bytes(at) {
            b"" | b";" | b"{" | b"}" => return at,
            b"," if depth == 0 => return at,
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
}

/// Whether the text shows that a variable of that name gets another value there, or that its address is taken. What macros
/// do it does not show: [`super::constants`] asks the compiled program.
fn may_change<'t>(bytes: &impl Fn(usize) -> &'t [u8], at: usize) -> bool {
    let (before, first, second) = (at.checked_sub(1).map_or(&b""[..], bytes), bytes(at + 1), bytes(at + 2));
    let is_word = bytes(at).first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    let twice = |op: &[u8]| before == op && at >= 2 && bytes(at - 2) == op || first == op && second == op;
    let assigned = match first {
        b"=" => second != b"=",
        b"+" | b"-" | b"*" | b"/" | b"%" | b"&" | b"|" | b"^" => second == b"=",
        b"<" | b">" => second == first && bytes(at + 3) == b"=",
        _ => false,
    };
    is_word && (assigned || before == b"&" || twice(b"+") || twice(b"-"))
}

/// Macros and what is like them, for the reader of expressions; none at all by default.
#[derive(Default)]
pub(super) struct Bodies(Macros);

impl Bodies {
    /// What these macros stand for.
    pub fn of(macros: Macros) -> Bodies {
        Bodies(macros)
    }

    /// What a name stands for.
    pub fn of_name(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

impl NameResolver for Bodies {
    fn value(&self, _: &str) -> Option<Expr> {
        None
    }
    fn type_of(&self, _: &str) -> Option<IntType> {
        None
    }
    fn macro_body(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }
    fn size_of(&self, _: &str) -> Option<i128> {
        None
    }
    fn divides(&self, left: &Expr, right: &Expr, _: bool) -> bool {
        let is_positive = |e: &Expr, least| e.as_constant().is_some_and(|value| value >= least);
        is_positive(left, 0) && is_positive(right, 1)
    }
    fn cast(&self, value: Expr, _: &str) -> Option<Expr> {
        Some(value)
    }
}
