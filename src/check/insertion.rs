//! Where a directive can be written in front of a place.
//!
//! ```c
//! for (int i = 0; i < n; i++)          // in front of this loop: its body has no braces, and in it only the host is at work
//!     sum += a[i];
//! ```

use crate::source::Span;
use crate::syntax::{ScopeTree, StmtId, StmtKind};

/// In front of what a directive has to stand that is to be met before what is at `at`: a statement of a block, or a pragma about it. `None` where there is
/// no such place in its function, or a jump leads behind it.
pub fn insertion_before(tree: &ScopeTree, at: Span) -> Option<usize> {
    let pragmas = &tree.pragmas;
    let first = pragmas.partition_point(|p| p.span.start < at.start);
    // A pragma stands in the block around the statement that it is about.
    let about = pragmas.get(first).filter(|p| p.span == at).and_then(|p| p.before);
    let mut stmt = about.or_else(|| tree.innermost(at.start))?;
    let block = loop {
        let parent = tree.stmt(stmt).parent?;
        match &tree.stmt(parent).kind {
            StmtKind::Block => break parent,
            kind if kind.is_loop() && has_directives(tree, parent) => return None,
            _ => stmt = parent,
        }
    };
    let siblings = &tree.stmt(block).children;
    let place = siblings.partition_point(|s| tree.stmt(*s).span.start < tree.stmt(stmt).span.start);
    let is_target = |s: &StmtId| {
        matches!(
            tree.stmt(*s).kind,
            StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default
        )
    };
    if siblings[..place].last().is_some_and(is_target) {
        return None;
    }
    let start = tree.stmt(stmt).span.start;
    let in_front = &pragmas[..pragmas.partition_point(|p| p.span.start < start)];
    let own = in_front.iter().rev().take_while(|p| p.before == Some(stmt));
    Some(own.last().map_or(start, |first| first.span.start))
}

/// Whether directives stand in a statement.
fn has_directives(tree: &ScopeTree, stmt: StmtId) -> bool {
    let span = tree.stmt(stmt).span;
    let first = tree.pragmas.partition_point(|p| p.span.start < span.start);
    tree.pragmas.get(first).is_some_and(|p| span.encloses(p.span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    fn before<'a>(text: &'a str, what: &str) -> Option<&'a str> {
        let start = text.find(what).expect("the text");
        let tree = parse(text.as_bytes(), &[]);
        let at = insertion_before(&tree, Span::new(start, start + what.len()))?;
        text[at..].lines().next()
    }

    #[test]
    fn a_directive_stands_in_front_of_a_statement_of_a_block() {
        let text = "int f(int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i];\n  if (n)\n    s++;\n\
                    again:\n  s *= 2;\n  s--; s -= 2;\n  return s;\n}\n";
        assert_eq!(before(text, "s += a[i];"), Some("for (int i = 0; i < n; i++)"));
        assert_eq!(before(text, "s++;"), Some("if (n)"));
        assert_eq!(before(text, "s *= 2;"), None);
        assert_eq!(before(text, "s -= 2;"), Some("s -= 2;"));
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
