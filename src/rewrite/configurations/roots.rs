//! The numbers that a program can be compiled with otherwise, and its files with other numbers in their place.
//!
//! ```c
//! #ifndef N
//! #define N 1000                   N is worth 1000, or what `-DN=…` says
//! #endif
//! #define CELLS (N * 8)            CELLS follows N
//! enum { ROWS = 64, COLUMNS };     COLUMNS follows ROWS
//! static const int steps = 20;
//! ```
//!
//! A *root* is a decimal number in the body of an object-like macro that mentions no names, behind `=` in a list of enumerators, or behind that of a
//! `const` variable. A *sample* is the program with another number in the place of each root. Roots of one name change alike
//! wherever they stand, and each name changes by another amount, so that what follows one of them is told from what
//! follows another. Other numbers of the text are what the source says, and nobody gives them another value.
//!
//! **Limits.** Macros of the system's headers keep their values, and so do those whose numbers are not decimal.

use super::super::unit::ToolOptions;
use crate::source::Span;
use crate::syntax::{identifiers, token_spans};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Enumerators below this one are taken to be names of cases, and not sizes.
const LEAST_ENUMERATOR: i128 = 4;

/// Of several numbers in a body, the last changes where it is as large as this.
const LEAST_OF_SEVERAL: i128 = 8;

/// How samples differ from the program as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shift {
    /// All numbers are several times as large.
    Far,
    /// Numbers are a little larger.
    Above,
    /// Numbers are a little smaller where they are not small already.
    Less,
    /// Numbers are so large that kernels run that do not run for less work than that.
    High,
    /// Numbers are so small that these kernels do not.
    Low,
}

/// A number that may be another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Root {
    /// The macro, enumerator or variable that is worth it, or of which it is a part.
    pub name: String,
    /// The digits, in the text.
    pub digits: Span,
    /// What they say.
    pub value: i128,
    /// It is that of a variable, and no flag changes it.
    pub variable: bool,
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
fn flagged(flag: &str) -> Option<(&str, usize, i128)> {
    let body = flag.strip_prefix("-D").unwrap_or(flag);
    let (name, number) = body.split_once('=')?;
    if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return None;
    }
    let digits = number.trim_end_matches(['u', 'U', 'l', 'L']);
    Some((name, flag.len() - number.len(), decimal(digits.as_bytes())?))
}

/// Macros of a header that are worth a number and mean the same throughout, with their values in it and in its samples.
pub(super) fn macros<'s>(text: &[u8], samples: impl Iterator<Item = &'s [u8]>) -> Vec<(String, Vec<i128>)> {
    let samples: Vec<Vec<Root>> = samples.map(roots).collect();
    let own = roots(text);
    let words = identifiers(text, Span::new(0, text.len()));
    let undefined = |name: &str| words.windows(2).any(|w| w[0].0 == "undef" && w[1].0 == name);
    let once = |name: &str| own.iter().filter(|r| r.name == name).count() == 1;
    let alone = |root: &Root| {
        let before = text[..root.digits.start].trim_ascii_end();
        let behind = &text[root.digits.end..];
        let line = &behind[..behind.iter().position(|b| *b == b'\n').unwrap_or(behind.len())];
        before.ends_with(root.name.as_bytes()) && line.trim_ascii().is_empty()
    };
    let usable = own
        .iter()
        .enumerate()
        .filter(|(_, r)| alone(r) && once(&r.name) && !undefined(&r.name));
    let values = usable.filter_map(|(i, root)| {
        let more = samples.iter().map(|roots| roots.get(i).map(|r| r.value));
        let values: Option<Vec<i128>> = std::iter::once(Some(root.value)).chain(more).collect();
        Some((root.name.clone(), values?))
    });
    values.collect()
}

/// The names of all roots of some texts and flags, which say by how much each changes. A variable whose number the source has
/// elsewhere, too, does not change: `const int n = 30;` beside `double a[30];`.
pub(super) fn names<'t>(
    texts: impl Iterator<Item = &'t [u8]> + Clone,
    options: impl Iterator<Item = &'t ToolOptions>,
) -> BTreeMap<String, i128> {
    let said: BTreeSet<i128> = texts.clone().flat_map(said).collect();
    let roots = texts
        .flat_map(roots)
        .filter(|r| !r.variable || !said.contains(&r.value));
    let mut found: BTreeMap<String, i128> = BTreeMap::new();
    for root in roots {
        found.entry(root.name).or_insert(root.value);
    }
    for options in options {
        let flags = options.compile.flags.iter();
        for (name, _, value) in flags.filter_map(|f| flagged(f)) {
            found.insert(name.to_owned(), value);
        }
    }
    // What is larger stays larger.
    let mut by_value: Vec<(i128, String)> = found.into_iter().map(|(name, value)| (value, name)).collect();
    by_value.sort();
    by_value
        .into_iter()
        .zip(0..)
        .map(|((_, name), at)| (name, at))
        .collect()
}

/// The numbers of a text that are no roots.
pub(super) fn said(text: &[u8]) -> BTreeSet<i128> {
    let roots: BTreeSet<usize> = roots(text).iter().map(|r| r.digits.start).collect();
    let tokens = token_spans(text, Span::new(0, text.len())).into_iter();
    let own = tokens.filter(|t| !roots.contains(&t.start));
    own.filter_map(|t| decimal(&text[t.start..t.end])).collect()
}

/// What a number becomes in a sample; `at` is the place of its name among all.
fn shifted(value: i128, at: i128, shift: Shift) -> i128 {
    match (shift, value) {
        (_, 0) => 1,
        (Shift::Far, 8..) => 3 * value + 2 + 3 * at,
        (Shift::Far, _) => value + 3 + 5 * at.min(4),
        (Shift::High, _) => 50 * value + 2 + 3 * at,
        (Shift::Less, 8..) => value - value / 4 - 1 - at % (value / 4).max(1),
        (Shift::Low, 64..) => value / 16 + at % 4,
        (Shift::Above | Shift::Less | Shift::Low, _) => value + 1 + 3 * at.min(8),
    }
}

/// A text with the numbers of a sample. Lines stay where they are.
pub(super) fn sample(text: &[u8], names: &BTreeMap<String, i128>, shift: Shift) -> Vec<u8> {
    let (mut out, mut copied) = (Vec::with_capacity(text.len() + 64), 0);
    for root in roots(text) {
        let Some(at) = names.get(&root.name) else { continue };
        out.extend_from_slice(&text[copied..root.digits.start]);
        out.extend_from_slice(shifted(root.value, *at, shift).to_string().as_bytes());
        copied = root.digits.end;
    }
    out.extend_from_slice(&text[copied..]);
    out
}

/// Options with the numbers of a sample.
pub(super) fn options(of: &ToolOptions, names: &BTreeMap<String, i128>, shift: Shift) -> ToolOptions {
    let mut options = of.clone();
    options.compile.instead = Some(Arc::default());
    for flag in &mut options.compile.flags {
        if let Some((name, start, value)) = flagged(flag)
            && let Some(at) = names.get(name)
        {
            *flag = format!("{}{}", &flag[..start], shifted(value, *at, shift));
        }
    }
    for (name, body) in &mut options.plan.defines {
        if let (Some(at), Some(value)) = (names.get(name), decimal(body.as_bytes())) {
            *body = shifted(value, *at, shift).to_string();
        }
    }
    options
}

/// A decimal number without its suffix: `1000` of `1000UL`.
fn decimal(token: &[u8]) -> Option<i128> {
    let digits = std::str::from_utf8(token).ok()?.trim_end_matches(['u', 'U', 'l', 'L']);
    let plain = digits == "0" || !digits.starts_with('0');
    let value: i128 = digits.parse().ok().filter(|_| plain)?;
    digits.bytes().all(|b| b.is_ascii_digit()).then_some(value)
}

fn root(text: &[u8], name: &str, token: Span) -> Option<Root> {
    let bytes = &text[token.start..token.end];
    let value = decimal(bytes)?;
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    Some(Root {
        name: name.to_owned(),
        digits: Span::new(token.start, token.start + digits),
        value,
        variable: false,
    })
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
        // `define` and the name.
        let Some((name, at)) = words.get(1) else { continue };
        if text.get(at.end) == Some(&b'(') {
            continue;
        }
        // In `(N * 8)` the number is no size, but says how one follows from another.
        if words.len() > 2 {
            continue;
        }
        let body = token_spans(text, Span::new(at.end, span.end)).into_iter();
        let numbers: Vec<Root> = body.filter_map(|token| root(text, name, token)).collect();
        // Of `1 << 10` and `64 * 64` one number is enough, and small ones are rather bits than sizes.
        let several = numbers.len() > 1;
        let last = numbers.into_iter().next_back();
        found.extend(last.filter(|r| !several || r.value >= LEAST_OF_SEVERAL));
    }
    found
}

/// The numbers that enumerators and `const` variables are given.
fn of_declarations(text: &[u8]) -> Vec<Root> {
    const WORDS: [&[u8]; 12] = [
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
        b"int64_t",
        b"uint64_t",
    ];
    let tokens = token_spans(text, Span::new(0, text.len()));
    let bytes = |at: usize| tokens.get(at).map_or(&b""[..], |t| &text[t.start..t.end]);
    let name = |at: usize| String::from_utf8_lossy(bytes(at)).into_owned();
    let mut found = Vec::new();
    let mut in_enum = false;
    for at in 0..tokens.len() {
        match bytes(at) {
            b"enum" => in_enum = bytes(at + 1) == b"{" || bytes(at + 2) == b"{",
            b"}" => in_enum = false,
            b"=" if at > 0 => {
                let Some(token) = tokens
                    .get(at + 1)
                    .filter(|_| matches!(bytes(at + 2), b";" | b"," | b"}"))
                else {
                    continue;
                };
                let before = (0..at - 1).rev().take_while(|t| WORDS.contains(&bytes(*t)));
                let constant = before.into_iter().any(|t| bytes(t) == b"const");
                let given = root(text, &name(at - 1), *token);
                let given = given.map(|r| Root {
                    variable: constant,
                    ..r
                });
                found.extend(given.filter(|r| constant || in_enum && r.value >= LEAST_ENUMERATOR));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#define N 1000\n#define CELLS (N * 8UL)\n#define F(x) ((x) + 3)\n#define DT 0.5\n\
                        enum { ROWS = 64, RED = 1, COLUMNS };\nstatic const int steps = 20;\nint n = 7;\n";

    fn listed(text: &str) -> String {
        let found = roots(text.as_bytes());
        let words: Vec<String> = found.iter().map(|r| format!("{}={}", r.name, r.value)).collect();
        words.join(" ")
    }

    #[test]
    fn roots_are_numbers_that_have_names() {
        assert_eq!(listed(TEXT), "N=1000 ROWS=64 steps=20");
        assert_eq!(
            listed("#ifndef N\n# define N (40) /* cells */\n#endif\n#define HEX 0x40\n"),
            "N=40"
        );
    }

    #[test]
    fn samples_have_other_numbers_on_the_same_lines() {
        let names = names([TEXT.as_bytes()].into_iter(), std::iter::empty());
        for shift in [Shift::Far, Shift::Above, Shift::Less, Shift::High, Shift::Low] {
            let other = String::from_utf8(sample(TEXT.as_bytes(), &names, shift)).unwrap();
            assert_eq!(other.lines().count(), TEXT.lines().count());
            let values: Vec<i128> = roots(other.as_bytes()).iter().map(|r| r.value).collect();
            let own: Vec<i128> = roots(TEXT.as_bytes()).iter().map(|r| r.value).collect();
            assert!(values.iter().zip(&own).all(|(a, b)| a != b), "{values:?}");
        }
    }
}
