//! C expressions of clauses as symbolic values: `n*m`, `N - 1`, `s->n`, `(n + 1) / 2`.
//!
//! Clauses never reach LLVM (the file is compiled without `-fopenmp`), so their expressions are read here. Names are
//! resolved by the caller, macros through their bodies; what has side effects or is not integer arithmetic has no value
//! (`None`), and then the section is not known.

use crate::symbolic::Expr;

/// Resolves names.
pub trait NameResolver {
    /// The value of an lvalue path such as `n`, `s.n`, `s->n`.
    fn value(&self, path: &str) -> Option<Expr>;
    /// The body of an object-like macro.
    fn macro_body(&self, name: &str) -> Option<String>;
    /// `sizeof` of a type or expression as written.
    fn size_of(&self, text: &str) -> Option<i128>;
    /// Whether C's quotient of two values, computed with literals and casts without a sign or not, is that of the numbers.
    fn divides(&self, left: &Expr, right: &Expr, unsigned: bool) -> bool;
    /// What a value becomes in the integer type that is written so.
    fn cast(&self, value: Expr, to: &str) -> Option<Expr>;
}

/// Macro bodies nest at most this deep, so that a macro that names itself ends.
const MAX_NESTING: u32 = 16;

/// The value of `text`, or `None` if it is not understood.
pub fn evaluate(text: &str, names: &dyn NameResolver) -> Option<Expr> {
    evaluate_nested(text, names, 0)
}

fn evaluate_nested(text: &str, names: &dyn NameResolver, depth: u32) -> Option<Expr> {
    if depth > MAX_NESTING {
        return None;
    }
    let mut p = Parser {
        text: text.as_bytes(),
        at: 0,
        names,
        depth,
    };
    let value = p.shift()?;
    p.blanks();
    (p.at == p.text.len()).then_some(value)
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    names: &'a dyn NameResolver,
    depth: u32,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }
    fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.text.get(self.at).copied()
    }
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Shifts are those of constants by constants: `1 << 10`.
    fn shift(&mut self) -> Option<Expr> {
        let mut left = self.sum()?;
        loop {
            let op = match self.peek() {
                Some(op @ (b'<' | b'>')) if self.text.get(self.at + 1) == Some(&op) => op,
                _ => return Some(left),
            };
            self.at += 2;
            let (value, by) = (left.as_constant()?, self.sum()?.as_constant()?);
            let by = u32::try_from(by).ok().filter(|by| *by < 63)?;
            // Negative ones are not the standard's to define, and what does not fit is not ours to guess.
            let value = i64::try_from(value).ok().filter(|value| *value >= 0)?;
            let shifted = match op {
                b'<' => i128::from(value) << by,
                _ => i128::from(value >> by),
            };
            left = Expr::constant(i64::try_from(shifted).ok()?.into());
        }
    }

    fn sum(&mut self) -> Option<Expr> {
        let mut left = self.product()?;
        loop {
            left = match self.peek() {
                // `->` is consumed with its name, so a `-` here is arithmetic; `++` and `--` have side effects.
                Some(op @ (b'+' | b'-')) => {
                    if self.text.get(self.at + 1) == Some(&op) {
                        return None;
                    }
                    self.at += 1;
                    let right = self.product()?;
                    if op == b'+' {
                        left.add(&right)?
                    } else {
                        left.sub(&right)?
                    }
                }
                _ => return Some(left),
            };
        }
    }

    fn product(&mut self) -> Option<Expr> {
        let start = self.at;
        let mut left = self.unary()?;
        loop {
            let op = match self.peek() {
                Some(op @ (b'*' | b'/' | b'%')) => op,
                _ => return Some(left),
            };
            self.at += 1;
            let right = self.unary()?;
            if op != b'*' && !self.names.divides(&left, &right, self.is_unsigned(start)) {
                return None;
            }
            left = match op {
                b'*' => left.mul(&right)?,
                b'/' => left.div(&right)?,
                _ => left.rem(&right)?,
            };
        }
    }

    /// Whether words from there to the current place may make what is computed with them unsigned, those of macros as well.
    fn is_unsigned(&self, start: usize) -> bool {
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        is_unsigned(&text) || words.any(|w| self.names.macro_body(w).is_some_and(|body| is_unsigned(&body)))
    }

    fn unary(&mut self) -> Option<Expr> {
        if self.eat(b'-') {
            return self.unary()?.neg();
        }
        if self.eat(b'+') {
            return self.unary();
        }
        if self.peek() == Some(b'(') {
            let close = self.closing()?;
            let inside = std::str::from_utf8(&self.text[self.at + 1..close])
                .ok()?
                .trim()
                .to_owned();
            self.at = close + 1;
            if is_integer_type(&inside) {
                let value = self.unary()?;
                return self.names.cast(value, &inside);
            }
            return evaluate_nested(&inside, self.names, self.depth);
        }
        self.primary()
    }

    /// Offset of the parenthesis that closes the one at the current place.
    fn closing(&self) -> Option<usize> {
        let mut depth = 0usize;
        for (i, b) in self.text.iter().enumerate().skip(self.at) {
            match b {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn word(&mut self) -> Option<String> {
        self.blanks();
        let start = self.at;
        while self
            .text
            .get(self.at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
        {
            self.at += 1;
        }
        (self.at > start).then(|| String::from_utf8_lossy(&self.text[start..self.at]).into_owned())
    }

    fn primary(&mut self) -> Option<Expr> {
        let word = self.word()?;
        if word.as_bytes()[0].is_ascii_digit() {
            return number(&word).map(Expr::constant);
        }
        if word == "sizeof" {
            if self.peek() != Some(b'(') {
                return None;
            }
            let close = self.closing()?;
            let inside = std::str::from_utf8(&self.text[self.at + 1..close])
                .ok()?
                .trim()
                .to_owned();
            self.at = close + 1;
            return self.names.size_of(&inside).map(Expr::constant);
        }
        let mut path = word;
        loop {
            match self.peek() {
                Some(b'.') => {
                    self.at += 1;
                    path = format!("{path}.{}", self.word()?);
                }
                Some(b'-') if self.text.get(self.at + 1) == Some(&b'>') => {
                    self.at += 2;
                    path = format!("{path}->{}", self.word()?);
                }
                Some(b'(' | b'[') => return None,
                _ => break,
            }
        }
        if let Some(body) = self.names.macro_body(&path) {
            let body = body.trim();
            // `#define N 2 + 1` in `3 * N` is `3 * 2 + 1`: only bodies that hold together are values.
            let alone = self.text.trim_ascii() == path.as_bytes();
            return if alone || holds_together(body) {
                evaluate_nested(body, self.names, self.depth + 1)
            } else {
                None
            };
        }
        self.names.value(&path)
    }
}

/// Whether words of the text may make what is computed with them unsigned: numbers with a `u` or in hexadecimal, casts.
fn is_unsigned(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| {
        let hex = word.starts_with("0x") || word.starts_with("0X");
        match word.bytes().next() {
            Some(b'0'..=b'9') => hex || word.contains(['u', 'U']),
            _ => ["unsigned", "size_t", "sizeof"].contains(&word) || word.starts_with("uint"),
        }
    })
}

/// Whether a text is one token, or one pair of parentheses around everything: what stands beside it takes nothing of it.
pub(crate) fn holds_together(body: &str) -> bool {
    if body.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return true;
    }
    let mut depth = 0usize;
    for (i, b) in body.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return i + 1 == body.len() && i > 0;
        }
    }
    false
}

pub(super) fn is_integer_type(text: &str) -> bool {
    const WORDS: [&str; 18] = [
        "int",
        "long",
        "short",
        "char",
        "unsigned",
        "signed",
        "size_t",
        "ssize_t",
        "ptrdiff_t",
        "int32_t",
        "int64_t",
        "uint32_t",
        "uint64_t",
        "intptr_t",
        "uintptr_t",
        "const",
        "int16_t",
        "uint16_t",
    ];
    !text.is_empty() && text.split_ascii_whitespace().all(|w| WORDS.contains(&w))
}

fn number(word: &str) -> Option<i128> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return i128::from_str_radix(hex, 16).ok();
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return i128::from_str_radix(&digits[1..], 8).ok();
    }
    digits.parse().ok()
}
