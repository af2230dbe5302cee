//! The text of a header as one file that includes it has it, with the header's own lines and columns.
//!
//! ```text
//! ON_DEVICE(x)                 #pragma omp target teams …          the preprocessor made a pragma of this line
//! for (…) x[i] *= 0.5;         for (…) x[i] *= 0.5;
//! #ifdef LIFT_ALL        ──►   #ifdef LIFT_ALL
//! …                            (inactive)                          of the first branch no line is left, of the second one is
//! #else                        #else
//! x[0] += by;                  x[0] += by;
//! ```

use super::ir_names::SeenHeader;
use crate::source::Span;
use crate::syntax;
use std::collections::BTreeSet;

/// What a file has of a header.
pub(super) struct View {
    /// The text.
    pub text: Vec<u8>,
    /// The branches of its conditionals that do not count.
    pub inactive: Vec<Span>,
    /// Where lines begin of which it is not known what macros make of them.
    pub unclear: Vec<usize>,
}

impl View {
    /// The view of a header with a certain text; `None` where its lines are not what the preprocessor calls by their numbers.
    pub fn of(text: &[u8], seen: &SeenHeader) -> Option<View> {
        let mut made = Vec::with_capacity(text.len());
        let mut starts: Vec<usize> = Vec::new();
        let mut unclear: Vec<usize> = Vec::new();
        for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            if renumbers(line) {
                return None;
            }
            let number = index as u32 + 1;
            starts.push(made.len());
            let mut pragmas = seen.pragmas.iter().filter(|(at, _)| *at == number);
            match (pragmas.next(), pragmas.next()) {
                (None, _) => made.extend_from_slice(line),
                (Some(_), _) if is_pragma(line) => made.extend_from_slice(line),
                (Some((_, pragma)), None) if is_macro_use(line) && !has_code(seen, number) => {
                    made.extend_from_slice(b"#pragma ");
                    made.extend_from_slice(pragma.as_bytes());
                    made.push(b'\n');
                }
                _ => {
                    unclear.push(made.len());
                    made.extend_from_slice(line);
                }
            }
        }
        let left = seen
            .pragmas
            .iter()
            .map(|(line, _)| (*line, *line))
            .chain(seen.code.iter().copied());
        let left: Vec<Span> = left
            .map(|(first, last)| bytes_of(&starts, made.len(), first, last))
            .collect();
        let branches = syntax::marked_text(&made).1;
        let active = branches
            .iter()
            .filter(|b| left.iter().any(|l| l.start < b.span.end && b.span.start < l.end));
        let active: BTreeSet<u32> = active.map(|b| b.id).collect();
        Some(View {
            inactive: syntax::inactive_spans(&branches, &active),
            text: made,
            unclear,
        })
    }
}

/// The bytes of lines, both ends included.
fn bytes_of(starts: &[usize], end: usize, first: u32, last: u32) -> Span {
    let at = |line: u32| starts.get(line as usize).copied().unwrap_or(end);
    Span::new(at(first.saturating_sub(1)), at(last))
}

fn has_code(seen: &SeenHeader, line: u32) -> bool {
    seen.code.iter().any(|(first, last)| (*first..=*last).contains(&line))
}

/// Whether lines after this one may have other numbers than their own.
fn renumbers(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    rest.starts_with(b"line") || rest.first().is_some_and(u8::is_ascii_digit)
}

/// Whether a line has its pragma itself, or the operator for it.
fn is_pragma(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"#") || line.starts_with(b"%:") || line.windows(7).any(|word| word == b"_Pragma")
}

/// Whether a line is a use of a macro and nothing else: `NAME`, or `NAME(…)`.
fn is_macro_use(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let word = line
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
        .count();
    let rest = line[word..].trim_ascii_start();
    let mut depth = 0usize;
    let closed_at = rest.iter().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    word > 0
        && !line[0].is_ascii_digit()
        && (rest.is_empty() || (rest.starts_with(b"(") && closed_at == Some(rest.len() - 1)))
        && !rest
            .iter()
            .any(|byte| matches!(byte, b'"' | b'\'' | b'\\') || !byte.is_ascii())
        && !rest.windows(2).any(|two| two == b"/*" || two == b"//")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &str, code: &[(u32, u32)], pragmas: &[(u32, &str)]) -> Option<View> {
        let seen = SeenHeader {
            path: "h.h".to_owned(),
            code: code.to_vec(),
            pragmas: pragmas.iter().map(|(line, text)| (*line, (*text).to_owned())).collect(),
        };
        View::of(text.as_bytes(), &seen)
    }

    #[test]
    fn a_macro_alone_on_its_line_is_the_pragma_that_it_makes() {
        let made = view("a\n  ON(x, (y))\nb\n", &[(1, 1), (3, 3)], &[(2, "omp target")]).unwrap();
        assert_eq!(made.text, b"a\n#pragma omp target\nb\n");
        assert!(made.unclear.is_empty());
    }

    #[test]
    fn other_lines_with_pragmas_are_not_clear() {
        for line in ["ON(x) y;", "ON(x", "f(ON)(x)", "{ ON", "ON(\")\")", "ON /* c */"] {
            let made = view(&format!("{line}\nb\n"), &[(2, 2)], &[(1, "omp target")]).unwrap();
            assert_eq!(made.unclear, [0], "{line}");
        }
        // The macro makes more than the pragma, or more than one.
        let made = view("ON\nb\n", &[(1, 2)], &[(1, "omp target")]).unwrap();
        assert_eq!(made.unclear, [0]);
        let made = view("ON\nb\n", &[(2, 2)], &[(1, "omp target"), (1, "omp loop")]).unwrap();
        assert_eq!(made.unclear, [0]);
        let made = view(
            "#pragma omp target\\\n map(x)\nb\n",
            &[(3, 3)],
            &[(1, "omp target map(x)")],
        )
        .unwrap();
        assert!(made.unclear.is_empty());
    }

    #[test]
    fn branches_of_which_nothing_is_left_do_not_count() {
        let text = "#if A\na\n#if B\nb\n#endif\n#else\nc\n#endif\n";
        let inactive = |code: &[(u32, u32)]| {
            let made = view(text, code, &[]).unwrap();
            let texts: Vec<String> = made.inactive.iter().map(|s| text[s.start..s.end].to_owned()).collect();
            texts
        };
        assert_eq!(inactive(&[(7, 7)]), ["a\n#if B\nb\n#endif\n"]);
        assert_eq!(inactive(&[(4, 4)]), ["c\n"]);
        assert_eq!(inactive(&[(2, 2)]), ["b\n", "c\n"]);
    }

    #[test]
    fn lines_with_other_numbers_are_not_followed() {
        assert!(view("a\n# line 7\nb\n", &[(1, 1)], &[]).is_none());
        assert!(view("a\n#7 \"x\"\nb\n", &[(1, 1)], &[]).is_none());
    }
}
