//! Parts of a text that stay as the user wrote them, because a comment says so.
//!
//! ```c
//! for (int t = 0; t < steps; t++)                  /* `u` stays on the device over this loop              */
//!     kernel(u, n);
//!
//! /* ompmemopt: off */
//! for (int t = 0; t < steps; t++)                  /* and over this one it is copied as its kernels say   */
//!     kernel(u, n);
//! /* ompmemopt: on */
//! ```
//!
//! No residency spans any of it, and a function that has such a part gets no updates for its callers and keeps no array there for
//! good. Callers may keep arrays on the device around its calls, where it needs no update for that: then it finds them present.

use super::file::FileFacts;
use super::inputs::Inputs;
use super::spans::Run;
use crate::reasons::Ends;
use crate::source::Span;

impl FileFacts<'_> {
    /// Whether a part of a function of the tree stays as it is.
    pub(super) fn is_partly_off(&self, f: usize) -> bool {
        let function = self.tree.functions[f].span;
        self.movement_off.iter().any(|off| off.part.overlaps(function))
    }
}

impl Inputs<'_> {
    /// Why nothing may be written for a run of statements: a part of it, or of the pragmas before it, stays as it is.
    pub(super) fn is_switched_off(&self, run: Run) -> Option<Ends> {
        let tree = self.file.tree;
        let before = tree.pragmas.iter().filter(|p| p.before == Some(run.first));
        let start = tree.stmt(run.first).span.start;
        let start = before.map(|p| p.span.start).fold(start, usize::min);
        let whole = Span::new(start, tree.stmt(run.last).span.end);
        let off = self.file.movement_off.iter().find(|off| off.part.overlaps(whole))?;
        let line = 1 + self.file.text[..off.comment.start]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        Some(Ends::SwitchedOff { line })
    }
}
