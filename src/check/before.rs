//! Where a directive can be written in front of a place.
//!
//! ```c
//! for (int i = 0; i < n; i++)          // in front of this loop: its body has no braces, and in it only the host is at work
//!     sum += a[i];
//! ```

use crate::source::Span;
use crate::syntax::{ScopeTree, StmtId, StmtKind};

/// The begin of the line in front of which a directive has to stand that is to be met before what is at `at`; `None` where there is none in its function
/// that has a line for itself, or a jump leads behind it.
pub fn line_before(tree: &ScopeTree, text: &[u8], at: Span) -> Option<usize> {
    let innermost = tree.innermost(at.start)?;
    // A pragma stands in the block around the statement that it is about.
    let about = tree.pragmas.iter().find(|p| p.span == at).and_then(|p| p.before);
    let mut stmt = about.unwrap_or(innermost);
    while tree.stmt(stmt).parent.is_some_and(|parent| !is_member(tree, parent)) {
        let parent = tree.stmt(stmt).parent?;
        if tree.stmt(parent).kind.is_loop() && !is_of_host(tree, parent) {
            return None;
        }
        stmt = parent;
    }
    tree.stmt(stmt).parent?;
    let siblings = &tree.stmt(tree.stmt(stmt).parent?).children;
    let place = siblings.iter().position(|s| *s == stmt)?;
    let is_target = |s: &StmtId| {
        matches!(
            tree.stmt(*s).kind,
            StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default
        )
    };
    if place > 0 && is_target(&siblings[place - 1]) {
        return None;
    }
    let own = tree.pragmas.iter().filter(|p| p.before == Some(stmt));
    let start = own.map(|p| p.span.start).chain([tree.stmt(stmt).span.start]).min()?;
    let line = text[..start].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let is_alone = text[line..start].iter().all(|b| matches!(b, b' ' | b'\t'));
    is_alone.then_some(line)
}

/// Whether the children of a statement are those of a block: one more may stand between them.
fn is_member(tree: &ScopeTree, parent: StmtId) -> bool {
    tree.stmt(parent).kind == StmtKind::Block
}

/// Whether no directive stands in a statement.
fn is_of_host(tree: &ScopeTree, stmt: StmtId) -> bool {
    let span = tree.stmt(stmt).span;
    !tree.pragmas.iter().any(|p| span.encloses(p.span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    fn before<'a>(text: &'a str, what: &str) -> Option<&'a str> {
        let start = text.find(what).expect("the text");
        let line = line_before(
            &parse(text.as_bytes(), &[]),
            text.as_bytes(),
            Span::new(start, start + what.len()),
        )?;
        text[line..].lines().next().map(str::trim)
    }

    #[test]
    fn a_directive_stands_in_front_of_a_statement_of_a_block() {
        let text = "int f(int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i];\n  if (n)\n    s++;\n\
                    again:\n  s *= 2;\n  s--; s -= 2;\n  return s;\n}\n";
        assert_eq!(before(text, "s += a[i];"), Some("for (int i = 0; i < n; i++)"));
        assert_eq!(before(text, "s++;"), Some("if (n)"));
        assert_eq!(before(text, "s *= 2;"), None);
        assert_eq!(before(text, "s -= 2;"), None);
        assert_eq!(before(text, "return s;"), Some("return s;"));
    }

    #[test]
    fn and_in_front_of_what_stands_before_that() {
        let text = "void f(int *a, int n) {\n  for (int t = 0; t < n; t++)\n#pragma omp target\n    for (int i = 0; i < n; i++)\n      a[i]++;\n\
                    #pragma omp target\n  a[0]++;\n}\n";
        assert_eq!(before(text, "#pragma omp target"), None);
        assert_eq!(before(text, "a[0]++;"), Some("#pragma omp target"));
    }
}
