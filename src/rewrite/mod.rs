//! Plan to text: where each directive goes, in the user's style, and the guard that checks the result.
//!
//! ```text
//! FilePlan ─► Content::gather ─► emit ─► EditSet ─► new text ─► guard ─► Outcome
//!             which lines meet     │                            │
//!             in which gap         ├ gaps, text, conditionals   ├ the same program but for what was added
//!                                  ├ habits, wording, braces    └ clang accepts it with -fopenmp
//!                                  └ indent, remaps
//! ```
//!
//! [`edits`] writes every decision that can be written; one that cannot (`#if` in the way, a `_Pragma` operator) is left
//! out whole and becomes a remark. [`rewrite_given`] runs everything, from texts to checked results.
//!
//! **Invariants.** Nothing is decided here: what is written is what the plan says. Tokens of the user's program are never
//! removed or reordered, `map` clauses of remapped kernels, the host pragmas of loops that become kernels, and data directives that are planned anew, with the braces
//! of their blocks, apart. A text that the guard does not accept is never returned.

mod braces;
mod chain;
mod checked;
mod checks;
mod choosing;
mod collectives;
mod conditionals;
mod configurations;
mod content;
mod decisions;
mod dialect;
mod dump;
mod emit;
mod emitter;
mod gaps;
mod guard;
mod habits;
mod host_pragmas;
mod host_teams;
mod host_texts;
mod indent;
mod kept;
mod limit;
mod loop_heads;
mod member;
mod pipeline;
mod planner;
mod programs;
mod progress;
mod reading;
mod remaps;
mod replanned;
mod routines;
mod self_check;
mod services;
mod stand_ins;
mod text;
mod thread_files;
mod twins;
mod unit;
mod wording;
mod writing;

#[cfg(test)]
mod tests;

pub use choosing::{Choosing, Offer};
pub use decisions::RunDecision;
pub use dump::Dump;
pub use limit::LineRange;
pub use pipeline::{annotate_given, check_given, rewrite_given, rewrite_program};
pub use progress::{Progress, Silent};
pub use services::Services;
pub use unit::{FileError, GivenUnit, Outcome, Rewritten, ToolOptions, Unit};

use crate::plan::{Decision, FilePlan, Note};
use crate::program::graph::Place;
use crate::source::{EditSet, Span};
use crate::syntax::ScopeTree;
use conditionals::Conditionals;
use content::Content;
use habits::Habits;
use text::Text;

/// A file to write into.
#[derive(Debug)]
struct TextToWrite<'a> {
    text: Text<'a>,
    tree: &'a ScopeTree,
    habits: Habits,
    conditionals: Conditionals,
}

impl<'a> TextToWrite<'a> {
    fn new(bytes: &'a [u8], tree: &'a ScopeTree) -> TextToWrite<'a> {
        let text = Text::new(bytes);
        let habits = Habits::detect(&text, tree);
        let conditionals = Conditionals::new(&text, &tree.conditionals);
        TextToWrite {
            text,
            tree,
            habits,
            conditionals,
        }
    }

    fn place_span(&self, place: Place) -> Span {
        let (Place::Before(stmt) | Place::After(stmt) | Place::Else(stmt) | Place::Start(stmt)) = place;
        self.tree.stmt(stmt).span
    }
}

/// The edits of a plan, and what was left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edits {
    /// The edits of all decisions that could be written, merged.
    pub edits: EditSet,
    /// Indices of those decisions in the plan, in its order.
    pub written: Vec<usize>,
    /// Why the others were not.
    pub remarks: Vec<Note>,
}

/// Writes a plan made for `bytes` and `tree`. A decision that cannot be written, or that contradicts an earlier one, is
/// left out as a whole.
pub fn edits(bytes: &[u8], tree: &ScopeTree, plan: &FilePlan) -> Edits {
    let page = TextToWrite::new(bytes, tree);
    let mut written: Vec<usize> = (0..plan.decisions.len()).collect();
    let mut remarks = Vec::new();
    loop {
        let decisions: Vec<&Decision> = written.iter().map(|i| &plan.decisions[*i]).collect();
        let content = Content::gather(&page, &decisions);
        let checked = content.and_then(|content| checks::check(&content, &page).map(|()| content));
        match checked.and_then(|content| emit::emit(&page, &content)) {
            Ok(edits) => {
                remarks.sort();
                return Edits {
                    edits,
                    written,
                    remarks,
                };
            }
            Err(refusal) => {
                let function = &decisions[refusal.decision].function;
                let about = format!("in `{function}`: data movement was not changed: ");
                let note = Note::because(refusal.span, &about, &refusal.reason);
                remarks.push(note.in_function(function));
                written.remove(refusal.decision);
            }
        }
    }
}
