//! How the user lays out the file: indentation unit, where braces go, how pragmas are written.

use super::text::Text;
use crate::openmp::{Style, detect_style};
use crate::syntax::{ScopeTree, StmtId, StmtKind};
use std::collections::BTreeMap;

/// The habits of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Habits {
    /// One step of indentation.
    pub unit: String,
    /// Opening braces of `if` and loops stand on a line of their own.
    pub brace_on_next_line: bool,
    /// Pragmas stand in the first column whatever the code's indentation.
    pub pragmas_flush_left: bool,
    /// How lines end.
    pub eol: &'static str,
    /// How directives are written.
    pub style: Style,
}

impl Habits {
    /// Reads the habits off the file; what shows nowhere is four blanks and braces at the end of the line.
    pub fn detect(text: &Text<'_>, tree: &ScopeTree) -> Habits {
        let eol = text.lines.ending().as_str();
        let raw: Vec<String> = tree
            .pragmas
            .iter()
            .filter(|p| !p.operator)
            .map(|p| String::from_utf8_lossy(&text.bytes[p.span.start..p.span.end]).into_owned())
            .collect();
        let raw: Vec<&str> = raw.iter().map(String::as_str).collect();
        let style = Style {
            line_ending: eol.to_owned(),
            ..detect_style(&raw)
        };
        Habits {
            unit: unit(text, tree),
            brace_on_next_line: brace_on_next_line(text, tree),
            pragmas_flush_left: pragmas_flush_left(text, tree),
            eol,
            style,
        }
    }
}

/// The control statement (or function, as `None`) whose braces `block` is, if it is any's.
fn opener(tree: &ScopeTree, block: StmtId) -> Option<Option<StmtId>> {
    match tree.stmt(block).parent {
        None => Some(None),
        Some(p) if tree.stmt(p).kind != StmtKind::Block => Some(Some(p)),
        Some(_) => None,
    }
}

fn unit(text: &Text<'_>, tree: &ScopeTree) -> String {
    let mut votes: BTreeMap<String, usize> = BTreeMap::new();
    for (index, stmt) in tree.stmts.iter().enumerate() {
        if stmt.kind != StmtKind::Block {
            continue;
        }
        let outer = match opener(tree, StmtId(index as u32)) {
            Some(Some(control)) => text.indentation(tree.stmt(control).span.start),
            _ => text.indentation(stmt.span.start),
        };
        for child in &stmt.children {
            let child = tree.stmt(*child);
            let label = matches!(
                child.kind,
                StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default
            );
            if label || !text.is_first(child.span.start) {
                continue;
            }
            if let Some(step) = text.indentation(child.span.start).strip_prefix(outer)
                && !step.is_empty()
            {
                *votes.entry(step.to_owned()).or_default() += 1;
            }
        }
    }
    // The most frequent, and the shortest of equally frequent ones.
    let best = votes
        .into_iter()
        .max_by_key(|(step, count)| (*count, std::cmp::Reverse(step.len())));
    best.map_or_else(|| "    ".to_owned(), |(step, _)| step)
}

fn brace_on_next_line(text: &Text<'_>, tree: &ScopeTree) -> bool {
    let (mut next, mut same) = (0, 0);
    for (index, stmt) in tree.stmts.iter().enumerate() {
        if stmt.kind == StmtKind::Block && matches!(opener(tree, StmtId(index as u32)), Some(Some(_))) {
            *(if text.is_first(stmt.span.start) {
                &mut next
            } else {
                &mut same
            }) += 1;
        }
    }
    next > same
}

fn pragmas_flush_left(text: &Text<'_>, tree: &ScopeTree) -> bool {
    let (mut flush, mut indented) = (0, 0);
    for pragma in tree.pragmas.iter().filter(|p| !p.operator) {
        let Some(stmt) = pragma.before else { continue };
        let start = tree.stmt(stmt).span.start;
        if text.is_first(start) && !text.indentation(start).is_empty() {
            *(if text.indentation(pragma.span.start).is_empty() {
                &mut flush
            } else {
                &mut indented
            }) += 1;
        }
    }
    flush > indented
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    fn habits(source: &str) -> Habits {
        Habits::detect(&Text::new(source.as_bytes()), &syntax::parse(source.as_bytes(), &[]))
    }

    #[test]
    fn a_file_that_shows_nothing_gets_the_defaults() {
        let found = habits("int x;\n");
        assert_eq!(
            (found.unit.as_str(), found.brace_on_next_line, found.eol),
            ("    ", false, "\n")
        );
    }

    #[test]
    fn tabs_next_line_braces_and_flush_pragmas() {
        let found = habits(
            "void f(int n)\r\n{\r\n\tfor (;;)\r\n\t{\r\n\t\tn++;\r\n# pragma omp target map(to:n)\r\n\t\tn--;\r\n\t}\r\n}\r\n",
        );
        assert_eq!((found.unit.as_str(), found.eol), ("\t", "\r\n"));
        assert!(found.brace_on_next_line && found.pragmas_flush_left);
        assert_eq!(
            (found.style.sentinel.as_str(), found.style.colon.as_str()),
            ("# pragma omp", ":")
        );
    }
}
