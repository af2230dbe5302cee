//! A loop that is written twice: what stands behind it, from the end of the branch that it is in to the end of the other.
//!
//! ```c
//! if (a_n_disjoint) {
//!     #pragma omp target teams distribute parallel for …
//!     for (int i = 0; i < *n; i++)        the user's loop, one step further in, with the comments around it
//!         a[i] = 0; // all of it
//! } else {                                from here on
//!     for (int i = 0; i < *n; i++)
//!         a[i] = 0;
//! }
//! ```
//!
//! There are always braces: without them the `else` could belong to an `if` in the loop.

use super::emitter::{Emitter, NewLines};
use super::gaps::{Gap, Side};
use super::wording;
use crate::program::graph::Place;
use crate::syntax::StmtId;

impl Emitter<'_> {
    /// The second branch, behind a loop that a kernel was made of in the first.
    pub(super) fn twin(&mut self, stmt: StmtId, by: usize) {
        let (page, tree) = (self.page, self.page.tree);
        let Some((gap, _)) = Gap::of(tree, Place::After(stmt)) else {
            return;
        };
        let outer = self.indents.around_twin(stmt);
        let mut lines = wording::other_branch(&page.habits, &outer);
        lines.extend(self.again(stmt, &format!("{outer}{}", page.habits.unit)));
        lines.push(format!("{outer}}}"));
        let at = self.after(tree.stmt(stmt).span.end);
        // Before what stands in the gap behind it, which is of the same depth.
        let rank = (Side::After, -self.depth(gap.owner) - 1);
        self.put(
            at,
            NewLines {
                rank,
                lines,
                lead: String::new(),
                by,
            },
        );
    }

    /// The text of a statement, its lines at another indentation.
    fn again(&self, stmt: StmtId, indent: &str) -> Vec<String> {
        let text = &self.page.text;
        let span = self.page.tree.stmt(stmt).span;
        let own = text.indentation(span.start);
        let written = String::from_utf8_lossy(&text.bytes[span.start..span.end]);
        let line = |(i, line): (usize, &str)| match line.trim_end() {
            "" => String::new(),
            line if i == 0 => format!("{indent}{line}"),
            line => format!("{indent}{}", line.strip_prefix(own).unwrap_or(line.trim_start())),
        };
        written.split('\n').enumerate().map(line).collect()
    }
}
