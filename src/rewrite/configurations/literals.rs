//! Numbers that the source says itself, on whose two sides macros may be.
//!
//! ```c
//! #define ROWS 40
//! for (int i = 0; i < 12; i++) a[i] = t;        /* 12 is compared: as long as ROWS is 12 or more, */
//! #pragma omp target …                          /* this kernel reads nothing that the loop writes */
//! for (int i = ROWS; i < n; i++) b[i] += a[i];
//! h = h / 7 << 3;                               /* 7 and 3 are not: no size is compared with them */
//! ```
//!
//! Nobody gives such a *literal* another value, but a build may give a macro one on the other side of it ([`super::order`]).

use super::numbers::{Root, number};
use crate::source::Span;
use crate::syntax::token_spans;

/// A number of a text that no macro gives.
pub(super) struct Literal {
    pub value: i128,
    /// Whether a variable has it (`int k = 12;`).
    pub named: bool,
    /// Whether it may be compared with a size: what is divided or shifted by it is not.
    pub compared: bool,
}

/// The literals of a text with these roots, in text order.
pub(super) fn literals(text: &[u8], roots: &[Root]) -> Vec<Literal> {
    let tokens = token_spans(text, Span::new(0, text.len()));
    let bytes = |at: usize| &text[tokens[at].start..tokens[at].end];
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(value) = number(bytes(at)) else { continue };
        // The last root that begins before a token is the one that it may be a part of.
        let before = roots.partition_point(|r| r.digits.start <= token.start);
        let root = before.checked_sub(1).map(|last| &roots[last]);
        let root = root.filter(|r| token.start < r.digits.end);
        if root.is_some_and(|r| !r.is_variable()) {
            continue;
        }
        let divides = at > 0 && matches!(bytes(at - 1), b"/" | b"<<" | b">>" | b"<" | b">") && {
            // `<` compares, and two of them shift.
            !matches!(bytes(at - 1), b"<" | b">") || at > 1 && bytes(at - 2) == bytes(at - 1)
        };
        found.push(Literal {
            value,
            named: root.is_some(),
            compared: !divides,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::numbers::roots;
    use super::*;

    #[test]
    fn literals_are_no_macros_numbers() {
        let text = b"#define N 1000\n#define M (N * 9)\nvoid f(void) { int k = 12, j = 13; j++;\n\
                     for (int i = k; i < 20 && 21 > i; i++) a[22 * i] = i % 23 / 24 << 25 >> 26 + 2.7; }\n";
        let nameless = literals(text, &roots(text)).into_iter().filter(|l| !l.named);
        let nameless: Vec<i128> = nameless.map(|l| l.value).collect();
        assert_eq!(nameless, [9, 13, 20, 21, 22, 23, 24, 25, 26]);
        let compared = literals(text, &roots(text)).into_iter().filter(|l| l.compared);
        let compared: Vec<(i128, bool)> = compared.map(|l| (l.value, l.named)).collect();
        assert_eq!(
            compared,
            [
                (9, false),
                (12, true),
                (13, false),
                (20, false),
                (21, false),
                (22, false),
                (23, false)
            ]
        );
    }
}
