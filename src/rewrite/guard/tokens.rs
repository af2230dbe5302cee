//! Preprocessed text as tokens and pragmas: the fallback where no syntax tree can be had, and the check of pragmas.

use crate::openmp::{Construct, Directive};

/// Preprocessed text without line markers: its tokens, roughly, and its pragma lines, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preprocessed<'a> {
    /// Words, literals, and single bytes of punctuation.
    pub tokens: Vec<&'a [u8]>,
    /// Pragma lines.
    pub pragmas: Vec<&'a [u8]>,
}

/// Takes apart what `clang -E` wrote.
pub fn read(text: &[u8]) -> Preprocessed<'_> {
    let mut found = Preprocessed::default();
    for line in text.split(|b| *b == b'\n') {
        let line = line.trim_ascii();
        if line.starts_with(b"#pragma") {
            found.pragmas.push(line);
        } else if !line.starts_with(b"#") {
            split(line, &mut found.tokens);
        }
    }
    found
}

/// Appends the tokens of a line.
pub fn split<'a>(line: &'a [u8], tokens: &mut Vec<&'a [u8]>) {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b >= 0x80;
    let mut at = 0;
    while at < line.len() {
        let first = line[at];
        if first.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let len = if first == b'"' || first == b'\'' {
            let mut end = at + 1;
            while end < line.len() && line[end] != first {
                end += if line[end] == b'\\' { 2 } else { 1 };
            }
            (end + 1).min(line.len()) - at
        } else {
            line[at..].iter().take_while(|b| word(**b)).count().max(1)
        };
        tokens.push(&line[at..at + len]);
        at += len;
    }
}

/// Whether `new` is `old` with some braces, semicolons and `else` more, braces in pairs.
pub fn same_tokens(old: &[&[u8]], new: &[&[u8]]) -> bool {
    let mut old = old.iter().peekable();
    let mut depth = 0i64;
    for token in new {
        if old.next_if_eq(&token).is_some() {
            continue;
        }
        match *token {
            b"{" => depth += 1,
            b"}" => depth -= 1,
            b";" | b"else" => {}
            _ => return false,
        }
    }
    old.peek().is_none() && depth == 0
}

/// Whether the pragmas of `new` are those of `old`, `map` clauses apart, and data directives more; with `kernels` also
/// directives that make kernels of loops, or mark what kernels call.
///
/// # Errors
/// The pragma of either that is in the way.
pub fn same_pragmas<T: AsRef<[u8]>>(old: &[T], new: &[T], kernels: bool) -> Result<(), String> {
    let show = |pragma: &[u8]| String::from_utf8_lossy(pragma).into_owned();
    let mut old = old.iter().map(AsRef::as_ref).peekable();
    for pragma in new.iter().map(AsRef::as_ref) {
        if old.next_if(|o| without_maps(o) == without_maps(pragma)).is_none()
            && !is_data(pragma)
            && !(kernels && (is_kernel(pragma) || is_routine(pragma)))
        {
            return Err(show(pragma));
        }
    }
    old.peek().map_or(Ok(()), |missing| Err(show(missing)))
}

fn is_kernel(pragma: &[u8]) -> bool {
    let directive = Directive::parse(&String::from_utf8_lossy(pragma));
    directive.is_some_and(|d| d.is_launch() && d.problems.is_empty())
}

fn is_routine(pragma: &[u8]) -> bool {
    let text = String::from_utf8_lossy(pragma);
    let mut words = text
        .split_ascii_whitespace()
        .skip_while(|w| *w == "#" || w.ends_with("pragma"));
    words.by_ref().take(3).eq(["acc", "routine", "seq"]) && words.next().is_none()
}

fn is_data(pragma: &[u8]) -> bool {
    let data = [
        Construct::TargetData,
        Construct::TargetEnterData,
        Construct::TargetExitData,
        Construct::TargetUpdate,
    ];
    Directive::parse(&String::from_utf8_lossy(pragma)).is_some_and(|d| data.iter().any(|c| d.is(c)))
}

/// A pragma without blanks, commas and its `map` clauses.
pub fn without_maps(pragma: &[u8]) -> String {
    let text = String::from_utf8_lossy(pragma);
    let Some(directive) = Directive::parse(&text) else {
        return text.into_owned();
    };
    let mut kept = String::new();
    let mut at = 0;
    for (clause, _) in directive.maps() {
        kept.push_str(&text[at..clause.span.start]);
        at = clause.span.end;
    }
    kept.push_str(&text[at..]);
    kept.chars().filter(|c| !c.is_whitespace() && *c != ',').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_may_gain_braces_only() {
        let tokens = |text: &'static str| read(text.as_bytes()).tokens;
        assert!(same_tokens(
            &tokens("if (c) x = \"}{\";"),
            &tokens("if (c)\n{\nx = \"}{\";\n}\nelse {}")
        ));
        assert!(!same_tokens(&tokens("if (c) x;"), &tokens("if (c) { x;")));
        assert!(!same_tokens(&tokens("x; y;"), &tokens("x;")));
        assert!(!same_tokens(&tokens("x;"), &tokens("x; y;")));
    }

    #[test]
    fn pragmas_may_gain_data_directives_and_other_maps() {
        let pragmas = |text: &'static str| read(text.as_bytes()).pragmas;
        let old = pragmas("# 1 \"a.c\"\n#pragma omp target map(tofrom: a) nowait\nx;\n#pragma once");
        let new = pragmas(
            "#pragma omp target data map(a)\n{\n#pragma omp target map(to: a) map(b) nowait\nx;\n}\n#pragma once\n",
        );
        assert_eq!(same_pragmas(&old, &new, false), Ok(()));
        assert!(same_pragmas(&old, &old[..1], false).is_err());
        assert!(same_pragmas(&old[..1], &old, false).is_err());
    }
}
