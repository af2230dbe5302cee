//! Directives of another language that manage device memory, too: OpenACC's.
//!
//! ```c
//! #pragma omp target map(tofrom: a)
//! …
//! #pragma acc enter data copyin(a)      // reads the host's copy, which nothing in the IR shows
//! ```
//!
//! What such directives read and write is not followed, so no copy of a program that has them may move. Those that only
//! mark functions (`acc routine`) do nothing.

use super::file::FileFacts;
use super::{FilePlan, Note};
use crate::openmp::openacc;
use crate::reasons::HandWritten;

/// The plans of a program with OpenACC directives: nothing but the reason. `facts` are those of the texts, `own` of
/// which are files, the others headers.
pub(super) fn beside_openacc(facts: &[FileFacts<'_>], own: usize) -> Option<Vec<Result<FilePlan, String>>> {
    let remarks = |f: &FileFacts<'_>| -> Vec<Note> {
        let foreign = f.tree.pragmas.iter().filter(|p| openacc::has_effect(&p.text));
        let note = foreign.map(|p| Note::because(p.span, "", &HandWritten::OpenAcc.into()));
        note.take(1).collect()
    };
    let all: Vec<Vec<Note>> = facts.iter().map(remarks).collect();
    let any = all.iter().any(|r| !r.is_empty());
    let plan = |remarks| {
        Ok(FilePlan {
            remarks,
            ..FilePlan::default()
        })
    };
    any.then(|| all.into_iter().take(own).map(plan).collect())
}
