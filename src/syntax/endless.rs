//! Loops that no condition ever ends.
//!
//! ```c
//! while (1) {                     /* left by `break` alone: what follows never sees the values that the condition sees */
//!     if (++t == steps)
//!         break;
//! }
//! ```

use super::tree::{ScopeTree, StmtId, StmtKind};
use crate::source::Span;

/// The loops of a function whose condition is a number that is not zero, or `true`.
pub fn endless_loops<'t>(text: &'t [u8], tree: &'t ScopeTree, function: usize) -> impl Iterator<Item = StmtId> + 't {
    let loops = tree.loops_of(function).into_iter();
    loops.filter(|id| match &tree.stmt(*id).kind {
        StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => is_true(text, *cond),
        StmtKind::For { cond: Some(cond), .. } => is_true(text, *cond),
        _ => false,
    })
}

fn is_true(text: &[u8], cond: Span) -> bool {
    let Some(mut written) = text.get(cond.start..cond.end).map(<[u8]>::trim_ascii) else {
        return false;
    };
    while let Some(inside) = written.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")")) {
        written = inside.trim_ascii();
    }
    let is_number = !written.is_empty() && written.iter().all(u8::is_ascii_digit);
    written == b"true" || is_number && written.iter().any(|digit| *digit != b'0')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    #[test]
    fn numbers_are_true_and_names_are_not() {
        let text = b"void f(int n) { while (1) ; do ; while ((2)); for (; 1;) ; for (;;) ; while (0) ; while (n) ; while (true) ; }";
        let tree = parse(text, &[]);
        let found: Vec<String> = endless_loops(text, &tree, 0)
            .map(|id| {
                let span = tree.stmt(id).span;
                String::from_utf8_lossy(&text[span.start..span.end]).into_owned()
            })
            .collect();
        assert_eq!(
            found,
            ["while (1) ;", "do ; while ((2));", "for (; 1;) ;", "while (true) ;"]
        );
    }
}
