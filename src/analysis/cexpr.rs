//! C expressions of clauses as symbolic values: `n*m`, `N - 1`, `s->n`, `(n + 1) / 2`.
//!
//! Clauses never reach LLVM (the file is compiled without `-fopenmp`), so their expressions are read here. Names are
//! resolved by the caller, macros through their bodies; what has side effects or is not integer arithmetic has no value
//! (`None`), and then the section is not known.
//!
//! Constants are computed as C does, in the types that they have:
//!
//! ```c
//! map(to: a[0:-4294967288u])              /* 8 elements                                                          */
//! map(to: a[0:65536u * 65536u + 8u])      /* 8, too                                                              */
//! map(to: a[0:65536 * 65536])             /* no value: an `int` overflows                                        */
//! map(to: a[0:n + 4294967295u])           /* no value: what is computed of variables is taken not to wrap around */
//! ```

use crate::analysis::values::casts::IntType;
use crate::symbolic::Expr;
use rustc_hash::FxHashMap;

/// Macros of the file, and other names of constants: name to body.
pub type Macros = FxHashMap<String, String>;

/// Resolves names.
pub trait NameResolver {
    /// The value of an lvalue path such as `n`, `s.n`, `s->n`.
    fn value(&self, path: &str) -> Option<Expr>;
    /// The type that such a path is declared with, where that is at hand.
    fn type_of(&self, path: &str) -> Option<IntType>;
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
    evaluate_nested(text, names, 0).map(|number| number.value)
}

/// A number that C computes, and in which type.
struct TypedNumber {
    value: Expr,
    /// The type, where it is known.
    ty: Option<IntType>,
}

impl TypedNumber {
    fn constant(value: i128, ty: IntType) -> TypedNumber {
        TypedNumber {
            value: Expr::constant(value),
            ty: Some(ty),
        }
    }

    /// The number itself, if it is a constant, with the type that C computes with it in.
    fn as_typed_constant(&self) -> Option<(i128, IntType)> {
        Some((self.value.as_constant()?, promoted(self.ty?)))
    }

    /// What `-` makes of it. Of an unsigned variable that is a huge number.
    fn negated(&self) -> Option<TypedNumber> {
        let ty = self.ty.map(promoted);
        match (self.as_typed_constant(), ty) {
            (Some((value, ty)), _) => in_type(value.checked_neg()?, ty),
            (None, Some(ty)) if !ty.signed => None,
            (None, ty) => Some(TypedNumber {
                value: self.value.neg()?,
                ty,
            }),
        }
    }

    /// What an operator makes of two numbers.
    fn combined(&self, op: u8, other: &TypedNumber) -> Option<TypedNumber> {
        if let (Some((a, one)), Some((b, two))) = (self.as_typed_constant(), other.as_typed_constant()) {
            let ty = one.common(two);
            let (a, b) = (ty.wrapped(a), ty.wrapped(b));
            let computed = match op {
                b'+' => a.checked_add(b),
                b'-' => a.checked_sub(b),
                b'*' => a.checked_mul(b),
                b'/' => a.checked_div(b),
                _ => a.checked_rem(b),
            };
            return in_type(computed?, ty);
        }
        let value = match op {
            b'+' => self.value.add(&other.value),
            b'-' => self.value.sub(&other.value),
            b'*' => self.value.mul(&other.value),
            b'/' => self.value.div(&other.value),
            _ => self.value.rem(&other.value),
        }?;
        let ty = self.ty.zip(other.ty).map(|(one, two)| one.common(two));
        // A factor or a summand of the upper half is a negative one to C: the sum wraps around.
        let stays = |ty: IntType| ty.signed || value.terms().iter().all(|t| t.coeff.abs() <= ty.limits().1 / 2);
        ty.is_none_or(stays).then_some(TypedNumber { value, ty })
    }

    /// What `<<` or `>>` makes of a constant. Negative ones are not the standard's to define.
    fn shifted(&self, left: bool, by: &TypedNumber) -> Option<TypedNumber> {
        let (value, ty) = self.as_typed_constant().or_else(|| {
            // A constant whose type nobody knows is one that fits into any.
            let value = self.value.as_constant()?;
            Some((i64::try_from(value).ok()?.into(), IntType::LONG))
        })?;
        let by = u32::try_from(by.value.as_constant()?).ok()?;
        let bits = 8 * u32::from(ty.bytes);
        if by >= bits || value < 0 {
            return None;
        }
        match left {
            true => in_type(value << by, ty),
            false => in_type(value >> by, ty),
        }
    }
}

/// The type that C computes in with a number of one: what is smaller than an `int` becomes one.
fn promoted(ty: IntType) -> IntType {
    if ty.bytes < 4 { IntType::INT } else { ty }
}

/// What is computed in a type: unsigned ones wrap around, and where one with a sign overflows there is no value.
fn in_type(value: i128, ty: IntType) -> Option<TypedNumber> {
    let (least, greatest) = ty.limits();
    let value = match ty.signed {
        true => Some(value).filter(|v| (least..=greatest).contains(v))?,
        false => ty.wrapped(value),
    };
    Some(TypedNumber::constant(value, ty))
}

fn evaluate_nested(text: &str, names: &dyn NameResolver, depth: u32) -> Option<TypedNumber> {
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
    fn shift(&mut self) -> Option<TypedNumber> {
        let mut left = self.sum()?;
        loop {
            let op = match self.peek() {
                Some(op @ (b'<' | b'>')) if self.text.get(self.at + 1) == Some(&op) => op,
                _ => return Some(left),
            };
            self.at += 2;
            left = left.shifted(op == b'<', &self.sum()?)?;
        }
    }

    fn sum(&mut self) -> Option<TypedNumber> {
        let mut left = self.product()?;
        loop {
            left = match self.peek() {
                // `->` is consumed with its name, so a `-` here is arithmetic; `++` and `--` have side effects.
                Some(op @ (b'+' | b'-')) => {
                    if self.text.get(self.at + 1) == Some(&op) {
                        return None;
                    }
                    self.at += 1;
                    left.combined(op, &self.product()?)?
                }
                _ => return Some(left),
            };
        }
    }

    fn product(&mut self) -> Option<TypedNumber> {
        let start = self.at;
        let mut left = self.unary()?;
        loop {
            let op = match self.peek() {
                Some(op @ (b'*' | b'/' | b'%')) => op,
                _ => return Some(left),
            };
            self.at += 1;
            let right = self.unary()?;
            let computed = left.as_typed_constant().is_some() && right.as_typed_constant().is_some();
            if op != b'*' && !computed && !self.names.divides(&left.value, &right.value, self.is_unsigned(start)) {
                return None;
            }
            left = left.combined(op, &right)?;
        }
    }

    /// Whether words from there to the current place may make what is computed with them unsigned, those of macros as well.
    fn is_unsigned(&self, start: usize) -> bool {
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        is_unsigned(&text) || words.any(|w| self.names.macro_body(w).is_some_and(|body| is_unsigned(&body)))
    }

    fn unary(&mut self) -> Option<TypedNumber> {
        if self.eat(b'-') {
            return self.unary()?.negated();
        }
        if self.eat(b'+') {
            let TypedNumber { value, ty } = self.unary()?;
            let ty = ty.map(promoted);
            return Some(TypedNumber { value, ty });
        }
        if self.peek() == Some(b'(') {
            let close = self.closing()?;
            let inside = std::str::from_utf8(&self.text[self.at + 1..close])
                .ok()?
                .trim()
                .to_owned();
            self.at = close + 1;
            if is_integer_type(&inside) {
                return self.cast(&inside);
            }
            return evaluate_nested(&inside, self.names, self.depth);
        }
        self.primary()
    }

    /// What stands behind a cast, in the type that it means.
    fn cast(&mut self, to: &str) -> Option<TypedNumber> {
        let number = self.unary()?;
        let ty = match to {
            // What fits into an `int` is one; of what else an enumerator may be, all of them would have to be known.
            ENUMERATOR => {
                let (value, _) = number.as_typed_constant()?;
                return in_type(value, IntType::INT);
            }
            // Whether a plain `char` is signed is up to the machine.
            "char" | "const char" => {
                let value = number.value.as_constant().filter(|v| (0..=127).contains(v))?;
                return Some(TypedNumber::constant(value, IntType::INT));
            }
            _ => IntType::named(to)?,
        };
        let constant = number.value.as_constant();
        let value = self.names.cast(number.value, to)?;
        Some(TypedNumber {
            value: constant.map_or(value, |c| Expr::constant(ty.wrapped(c))),
            ty: Some(ty),
        })
    }

    /// A character between quotes: an `int`. What is no ASCII has another number on another machine.
    fn character(&mut self) -> Option<TypedNumber> {
        let rest = &self.text[self.at..];
        let close = (2..rest.len()).find(|at| rest[*at] == b'\'' && (rest[at - 1] != b'\\' || *at == 3))?;
        self.at += close + 1;
        let value = match &rest[1..close] {
            [only] if *only != b'\\' && *only != b'\'' => u32::from(*only),
            [b'\\', b'x', digits @ ..] => u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?,
            [b'\\', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => {
                u32::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()?
            }
            [b'\\', escape] => {
                let known = b"abtnvfr\\'\"?".iter().position(|known| known == escape)?;
                u32::from(b"\x07\x08\x09\x0a\x0b\x0c\x0d\\'\"?"[known])
            }
            _ => return None,
        };
        (value < 128).then(|| TypedNumber::constant(value.into(), IntType::INT))
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

    fn primary(&mut self) -> Option<TypedNumber> {
        if self.peek() == Some(b'\'') {
            return self.character();
        }
        let word = self.word()?;
        if word.as_bytes()[0].is_ascii_digit() {
            let (value, ty) = literal(&word)?;
            return Some(TypedNumber::constant(value, ty));
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
            let size = self.names.size_of(&inside)?;
            return Some(TypedNumber::constant(size, UNSIGNED_LONG));
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
                // An element of an array.
                Some(b'[') => {
                    self.at += 1;
                    let (index, _) = literal(&self.word()?)?;
                    if self.peek() != Some(b']') {
                        return None;
                    }
                    self.at += 1;
                    path = format!("{path}[{index}]");
                }
                Some(b'(') => return None,
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
        let (value, ty) = (self.names.value(&path)?, self.names.type_of(&path));
        Some(match (value.as_constant(), ty) {
            (Some(constant), Some(ty)) => TypedNumber::constant(ty.wrapped(constant), ty),
            _ => TypedNumber { value, ty },
        })
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

/// What bodies of enumerators have in the place of a cast: an enumerator is an `int`, whatever it is given.
pub(super) const ENUMERATOR: &str = "enum";

/// The type of `sizeof`.
const UNSIGNED_LONG: IntType = IntType {
    bytes: 8,
    signed: false,
};

/// Whether the words of a text are those of an integer type.
pub(super) fn is_integer_type(text: &str) -> bool {
    const WORDS: [&str; 21] = [
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
        "int8_t",
        "uint8_t",
        ENUMERATOR,
    ];
    !text.is_empty() && text.split_ascii_whitespace().all(|w| WORDS.contains(&w))
}

/// A number as it is written, and the type that C gives it: the first one that it fits into, of those that its base and its
/// suffix allow.
pub(crate) fn literal(word: &str) -> Option<(i128, IntType)> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = word[digits.len()..].to_ascii_lowercase();
    if !["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix.as_str()) {
        return None;
    }
    let prefixed = |prefixes: [&str; 2]| prefixes.iter().find_map(|p| digits.strip_prefix(p));
    let (digits, radix) = match (prefixed(["0x", "0X"]), prefixed(["0b", "0B"])) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 2),
        (None, None) if digits.len() > 1 && digits.starts_with('0') => (digits, 8),
        (None, None) => (digits, 10),
    };
    if !digits.starts_with(|c: char| c.is_digit(radix)) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    let (unsigned, long) = (suffix.contains('u'), suffix.contains('l'));
    let types = [(4, true), (4, false), (8, true), (8, false)].map(|(bytes, signed)| IntType { bytes, signed });
    let may_be = |ty: &IntType| {
        let sign = if ty.signed { !unsigned } else { unsigned || radix != 10 };
        sign && (ty.bytes == 8 || !long) && value <= ty.limits().1
    };
    types.into_iter().find(may_be).map(|ty| (value, ty))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl NameResolver for Nothing {
        fn value(&self, path: &str) -> Option<Expr> {
            (path == "k").then(|| Expr::constant(-5))
        }
        fn type_of(&self, _: &str) -> Option<IntType> {
            Some(IntType {
                bytes: 1,
                signed: false,
            })
        }
        fn macro_body(&self, name: &str) -> Option<String> {
            (name == "K").then(|| "(65536u * 65536u + 8u)".to_owned())
        }
        fn size_of(&self, _: &str) -> Option<i128> {
            Some(4)
        }
        fn divides(&self, _: &Expr, _: &Expr, _: bool) -> bool {
            false
        }
        fn cast(&self, value: Expr, _: &str) -> Option<Expr> {
            Some(value)
        }
    }

    #[test]
    fn constants_are_computed_in_their_types() {
        let values = [
            ("-4294967288u", Some(8)),
            ("4294967295u + 9u", Some(8)),
            ("4294967295u + 9", Some(8)),
            ("4294967295u + 9l", Some(4_294_967_304)),
            ("4294967295 + 9u", Some(4_294_967_304)),
            ("0xffffffff + 9", Some(8)),
            ("2147483647 + 1", None),
            ("65536 * 65536", None),
            ("65536l * 65536", Some(4_294_967_296)),
            ("0 - 1u >> 28", Some(15)),
            ("1 << 31", None),
            ("1u << 31", Some(2_147_483_648)),
            ("-7 / 2", Some(-3)),
            ("-7 % 3u", Some(0)),
            ("4 / 0", None),
            ("(unsigned char)-5", Some(251)),
            ("(int)4294967303L", Some(7)),
            ("(char)200", None),
            ("(enum)8u - 16", Some(-8)),
            ("(enum)4294967295u", None),
            ("sizeof(int) - 8 > 0", None),
            ("-sizeof(int) / 2", Some(9_223_372_036_854_775_806)),
            ("'a' - 'A' + '\\n' + '\\'' + '\\x10' + '\\010'", Some(105)),
            ("k", Some(251)),
            ("-k", Some(-251)),
            ("K", Some(8)),
            ("010 + 0x10 + 0b11", Some(27)),
            ("08", None),
            ("1lul", None),
        ];
        for (text, value) in values {
            let found = evaluate(text, &Nothing).and_then(|e| e.as_constant());
            assert_eq!(found, value, "{text}");
        }
    }
}
