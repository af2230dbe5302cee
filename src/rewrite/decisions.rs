//! The decisions of a run, as users name them.
//!
//! ```text
//! main/u             what is decided about `u` in `main`: where it stays on the device, what kernels beside that map
//! main/a+b           `a` and `b`, which trade places
//! print/u/callers    what `print` does for callers, or for the whole program, that have `u` on the device
//! main/directives    data directives of `main` that somebody wrote, planned anew
//! main/loop          a loop that `annotate` makes a kernel of; main/loop~2 is the next one
//! b.c:main/u         where two files of the run have a `main/u`
//! ```
//!
//! An id is made of names alone, so that it stays what it is when the text around changes. Where several things have one name, the second one
//! in the text is `…~2`; so loops are numbered. Of names that C allows and shells do not, letters, digits, `_` and `.` are left: `s->x` is `s.x`.

use super::unit::{FileError, Outcome};
use crate::plan::{DecisionKey, DecisionSubject, Note};
use std::collections::BTreeMap;

/// A decision of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunDecision {
    /// What users call it: unique in a run.
    pub id: String,
    /// The place of its file among those of the run.
    pub file: usize,
    /// What tells it apart from others of the file.
    pub key: DecisionKey,
    /// What it does and why, in text order.
    pub notes: Vec<Note>,
}

/// The decisions of a run, by file and place. `names` are those of the files.
pub fn run_decisions(names: &[&str], outcomes: &[Result<Outcome, FileError>]) -> Vec<RunDecision> {
    let mut all: Vec<RunDecision> = Vec::new();
    for (file, outcome) in outcomes.iter().enumerate() {
        let mut of_file = keyed(outcome);
        of_file.sort_by(|(a, these), (b, those)| (&these[0], a).cmp(&(&those[0], b)));
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        for (key, notes) in of_file {
            let name = name_of(&key);
            let number = used.entry(name.clone()).or_default();
            *number += 1;
            let id = match *number {
                1 => name,
                number => format!("{name}~{number}"),
            };
            all.push(RunDecision { id, file, key, notes });
        }
    }
    let mut files: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for decision in &all {
        files.entry(decision.id.clone()).or_default().push(decision.file);
    }
    for decision in &mut all {
        if files[&decision.id].len() > 1 {
            decision.id = format!("{}:{}", names[decision.file], decision.id);
        }
    }
    all
}

/// The decisions of a file, each with what it says in text order.
pub(super) fn keyed(outcome: &Result<Outcome, FileError>) -> Vec<(DecisionKey, Vec<Note>)> {
    let mut found: BTreeMap<DecisionKey, Vec<Note>> = BTreeMap::new();
    let decisions = outcome.iter().flat_map(|outcome| &outcome.decisions);
    for (key, note) in decisions.flat_map(|decision| decision.notes_by_key()) {
        found.entry(key).or_default().push(note.clone());
    }
    found.values_mut().for_each(|notes| notes.sort());
    found.into_iter().collect()
}

/// What a decision is called, but for a number and its file.
fn name_of(key: &DecisionKey) -> String {
    let function = plain(&key.function);
    match &key.subject {
        DecisionSubject::Array(label) => format!("{function}/{}", plain(label)),
        DecisionSubject::Callers(label) => format!("{function}/{}/callers", plain(label)),
        DecisionSubject::Kernel(_) => format!("{function}/loop"),
        DecisionSubject::Directives => format!("{function}/directives"),
    }
}

/// A name as it can be typed anywhere.
fn plain(name: &str) -> String {
    let name = name.replace("`, `", "+").replace("->", ".");
    let kept: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '+'))
        .collect();
    match kept.is_empty() {
        true => "unnamed".to_owned(),
        false => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Decision;
    use crate::source::Span;

    fn outcome(notes: &[(usize, &str)]) -> Result<Outcome, FileError> {
        let note = |(at, label): &(usize, &str)| Note::new(Span::new(*at, at + 1), "stays").of_array(label);
        Ok(Outcome {
            decisions: vec![Decision {
                function: "main".into(),
                changes: Vec::new(),
                reasons: notes.iter().map(note).collect(),
                structs: Vec::new(),
                for_callers: false,
            }],
            ..Outcome::default()
        })
    }

    fn ids(outcomes: &[Result<Outcome, FileError>]) -> Vec<String> {
        let all = run_decisions(&["a.c", "b.c"], outcomes);
        all.into_iter().map(|decision| decision.id).collect()
    }

    #[test]
    fn ids_are_unique_and_can_be_typed() {
        let labels = [(9, "`u`"), (3, "`a`, `b`"), (5, "`s->x`"), (7, "`s.x`"), (4, "`u`")];
        assert_eq!(
            ids(&[outcome(&labels)]),
            ["main/a+b", "main/u", "main/s.x", "main/s.x~2"]
        );
        assert_eq!(
            ids(&[outcome(&[(1, "`u`"), (2, "`v`")]), outcome(&[(1, "`u`")])]),
            ["a.c:main/u", "main/v", "b.c:main/u"]
        );
    }
}
