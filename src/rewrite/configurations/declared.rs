//! Names that only one branch of an `#if` declares.
//!
//! ```c
//! #ifdef TRACE
//! double *seen = calloc(n, sizeof *seen);      /* another build has no `seen` */
//! #endif
//! for (int t = 0; t < steps; t++) {            /* so no directive here may map it */
//!     …
//! #ifdef TRACE
//!     kernel(seen, n);
//! #endif
//! }
//! ```
//!
//! What is declared in a branch may be named in that branch. Elsewhere it may be where the branches that this compilation leaves
//! out mention it, too, as they do that declare it in another way, or where the condition asks for it (`#ifndef N`).

use super::texts::{Spot, TextOwner, visit};
use crate::plan::FilePlan;
use crate::source::Span;
use crate::syntax::{ScopeTree, StmtId, declaration_in_scope, identifiers};
use std::collections::{BTreeMap, BTreeSet};

/// The owners of texts with names that another build may not have there.
pub(super) fn undeclared(text: &[u8], tree: &ScopeTree, plan: &FilePlan) -> BTreeSet<TextOwner> {
    let groups = groups(text, tree);
    let mut found = BTreeSet::new();
    if groups.is_empty() || plan.decisions.is_empty() {
        return found;
    }
    let outside = mentioned_outside(text, tree);
    visit(&mut plan.clone(), &mut |owners, part, written| {
        let Some(stmt) = part.spot.and_then(|spot| stmt(tree, spot)) else {
            return;
        };
        let here = tree.stmt(stmt).span.start;
        let names = identifiers(written.as_bytes(), Span::new(0, written.len()));
        let missing = |name: &str| {
            // Where a name gets its meaning: its declaration in the function, else where the file first mentions it outside of
            // functions.
            let local = declaration_in_scope(tree, stmt, name).map(|declared| declared.span.start);
            let Some(there) = local.or_else(|| outside.get(name).copied()) else {
                return false;
            };
            let only = groups.iter().filter(|g| g.holds(there) && !g.holds(here));
            only.into_iter().any(|g| !g.mentions(text, tree, name))
        };
        if names.iter().any(|(name, _)| missing(name)) {
            found.extend(owners.iter().cloned());
        }
    });
    found
}

fn stmt(tree: &ScopeTree, spot: Spot) -> Option<StmtId> {
    match spot {
        Spot::Stmt(stmt) => Some(stmt),
        Spot::Pragma(pragma) => tree.pragma(pragma).before,
    }
}

/// Where each name is first mentioned outside of functions, in branches that count.
fn mentioned_outside(text: &[u8], tree: &ScopeTree) -> BTreeMap<String, usize> {
    let spans = tree
        .functions
        .iter()
        .map(|f| f.span)
        .chain(tree.inactive.iter().copied());
    let mut closed: Vec<Span> = spans.collect();
    closed.sort_by_key(|span| span.start);
    let mut next = closed.iter().peekable();
    let mut end = 0;
    let mut found = BTreeMap::new();
    for (name, span) in identifiers(text, Span::new(0, text.len())) {
        while let Some(passed) = next.next_if(|closed| closed.start <= span.start) {
            end = end.max(passed.end);
        }
        if span.start >= end {
            found.entry(name).or_insert(span.start);
        }
    }
    found
}

/// A conditional, from its `#if` to its `#endif`.
struct IfGroup {
    /// The lines of its directives.
    lines: Vec<Span>,
}

impl IfGroup {
    fn span(&self) -> Span {
        let (first, last) = (self.lines.first(), self.lines.last());
        Span::new(first.map_or(0, |l| l.start), last.map_or(0, |l| l.end))
    }

    fn holds(&self, at: usize) -> bool {
        let span = self.span();
        span.start <= at && at < span.end
    }

    /// Whether a branch that is left out has the name, or a condition asks for it.
    fn mentions(&self, text: &[u8], tree: &ScopeTree, name: &str) -> bool {
        let span = self.span();
        let inside = tree
            .inactive
            .iter()
            .filter(|b| span.start <= b.start && b.end <= span.end);
        let mut parts = inside.chain(&self.lines);
        parts.any(|part| identifiers(text, *part).iter().any(|(word, _)| word == name))
    }
}

/// The conditionals of a file that stand in what is compiled.
fn groups(text: &[u8], tree: &ScopeTree) -> Vec<IfGroup> {
    let (mut done, mut open): (Vec<IfGroup>, Vec<IfGroup>) = (Vec::new(), Vec::new());
    for line in &tree.conditionals {
        let words = identifiers(text, *line);
        match words.first().map(|(word, _)| word.as_str()) {
            Some("if" | "ifdef" | "ifndef") => open.push(IfGroup { lines: vec![*line] }),
            Some("endif") => {
                if let Some(mut group) = open.pop() {
                    group.lines.push(*line);
                    done.push(group);
                }
            }
            _ => {
                if let Some(group) = open.last_mut() {
                    group.lines.push(*line);
                }
            }
        }
    }
    done
}
