//! Rewriting part of a file: which decisions a range of lines asks for.

use super::gaps;
use crate::plan::{Change, Decision};
use crate::program::graph::Place;
use crate::source::{LineIndex, Span};
use crate::syntax::ScopeTree;
use serde::Serialize;

/// Lines of a file, both numbers from 1 and included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct LineRange {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

impl LineRange {
    /// Whether any line of `span` is in the range.
    pub fn touches(self, lines: &LineIndex, span: Span) -> bool {
        let end = span.end.max(span.start + 1) - 1;
        lines.position(span.start).line <= self.last && self.first <= lines.position(end).line
    }

    /// Whether the text from the first to the last place of a decision has a line in the range.
    pub fn asks_for(self, tree: &ScopeTree, lines: &LineIndex, decision: &Decision) -> bool {
        let spans = decision.changes.iter().map(|change| match change {
            Change::Region { first, last, .. } => Span::new(gaps::top(tree, *first), tree.stmt(*last).span.end),
            Change::Enter { place, .. } | Change::Exit { place, .. } | Change::Update { place, .. } => {
                let (Place::Before(stmt) | Place::After(stmt) | Place::Else(stmt) | Place::Start(stmt)) = *place;
                Span::new(gaps::top(tree, stmt), tree.stmt(stmt).span.end)
            }
            Change::Kernel { stmt, .. } | Change::Test { before: stmt, .. } => tree.stmt(*stmt).span,
            Change::Remap { pragma, .. } => {
                let pragma = tree.pragma(*pragma);
                let end = pragma.before.map_or(pragma.span.end, |s| tree.stmt(s).span.end);
                Span::new(pragma.span.start, end)
            }
        });
        let hull = spans.reduce(|a, b| Span::new(a.start.min(b.start), a.end.max(b.end)));
        hull.is_some_and(|hull| self.touches(lines, hull))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_lines_from_one_and_include_both_ends() {
        let lines = LineIndex::new(b"a\nbb\nccc\n");
        let range = LineRange { first: 2, last: 2 };
        assert!(range.touches(&lines, Span::new(0, 3)) && range.touches(&lines, Span::new(2, 4)));
        assert!(!range.touches(&lines, Span::new(0, 2)) && !range.touches(&lines, Span::new(5, 6)));
    }
}
