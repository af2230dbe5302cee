//! Files that one step has changed, rewritten as they are then.
//!
//! ```text
//! text ─► annotate ─► guard ─► annotated text  ─► rewrite ─► guard ─► new text
//! text ─► rewrite  ─► guard ─► unsettled text  ─► rewrite ─► guard ─► new text
//! ```
//!
//! `annotate` makes kernels with their maps first, then residencies over these kernels. And where `rewrite` has left something
//! out because plans of other configurations are different there, they may be the same once all else is written: another run
//! would go on from that, so this one does ([`super::configurations`]).
//!
//! The second step reads the changed texts as if they had been on the disk. What it says is said of their places, which
//! [`EditPlaces`] takes back to the original's: whatever stands in a directive that was added belongs to the loop below it.
//!
//! Who wrote a kernel in a loop that may not run takes it that what it maps is there all the same; of a loop that became one
//! here nobody says so. So the step that follows never speculates: what it copies, a kernel that runs would have copied.
//!
//! **Invariants.** Files that failed in the first step are not there for the second. Where the second fails for any file,
//! all keep what they have from the first and get nothing else; so it is where a changed file is included by another, for what
//! is included is read from the disk. Where nothing was changed there is no second step. What was decided over several
//! changed files rests on all of them, so these files are replaced together or not at all.

use super::emitter::BEHIND;
use super::limit::LineRange;
use super::unit::{FileError, GivenUnit, Outcome, Rewritten, ToolOptions, Unit};
use crate::facts::UnitFacts;
use crate::plan::{HandDirectives, Note};
use crate::reasons::{Builds, Reason, Wording};
use crate::source::{EditSet, LineIndex, Span};

/// What is known of the files from the first step.
pub(super) struct FirstStep<'f> {
    /// Whether some file includes another.
    pub included: &'f dyn Fn(&Unit<'_>) -> bool,
    /// What clang said, or is sure to say, of the text that the first step has left of the file at a place among all.
    pub facts: &'f dyn Fn(usize, &Outcome) -> Option<UnitFacts>,
}

/// The step that follows.
pub(super) struct Next<'n> {
    /// What it follows.
    pub after: After,
    /// What it makes of files.
    pub rewrite: &'n dyn for<'g> Fn(Vec<GivenUnit<'g>>) -> Rewritten,
}

/// What the first step has written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// Kernels.
    Kernels,
    /// Residencies and maps, and not all that it would have.
    Directives,
    /// Kernels that map by themselves what directives have mapped.
    OwnMaps,
    /// Directives that name no device, where all have named one.
    HiddenDevice,
    /// The heads of loops that macros stand for.
    LoopHeads,
}

/// Lets files that were changed go through another step. `given` are the files, `first` what came of the first step.
pub(super) fn joined(
    given: &[(Unit<'_>, bool)],
    mut first: Rewritten,
    known: &FirstStep<'_>,
    next: &Next<'_>,
) -> Rewritten {
    if !first.files.iter().any(is_changed) {
        return first;
    }
    match both_steps(given, &first, known, next) {
        Ok(both) => {
            for (outcome, joined) in first.files.iter_mut().flatten().zip(both) {
                *outcome = joined;
            }
        }
        Err(why) => without(&mut first, next.after, &why),
    }
    first
}

fn is_changed(outcome: &Result<Outcome, FileError>) -> bool {
    outcome.as_ref().is_ok_and(|o| o.new_text.is_some())
}

/// What comes of the files that have not failed in both steps.
///
/// # Errors
/// Why there is no second step.
pub(super) fn both_steps(
    given: &[(Unit<'_>, bool)],
    first: &Rewritten,
    known: &FirstStep<'_>,
    next: &Next<'_>,
) -> Result<Vec<Outcome>, String> {
    let mut written = given.iter().zip(&first.files).filter(|(_, o)| is_changed(o));
    if let Some(((unit, _), _)) = written.find(|((unit, _), _)| (known.included)(unit)) {
        return Err(format!(
            "{} has new kernels, and other files include it",
            unit.path.display()
        ));
    }
    let good = given.iter().zip(&first.files).enumerate();
    let steps: Vec<BetweenSteps<'_>> = good
        .filter_map(|(at, ((unit, context), outcome))| {
            let outcome = outcome.as_ref().ok()?;
            Some(BetweenSteps::new(at, *unit, *context, outcome, next.after))
        })
        .collect();
    let again = steps.iter().map(|step| step.given((known.facts)(step.at, step.first)));
    let second = (next.rewrite)(again.collect());
    let failed = second.files.iter().find_map(|outcome| outcome.as_ref().err());
    if let Some(error) = failed {
        return Err(error.to_string());
    }
    let outcomes = second.files.into_iter().flatten();
    let both: Vec<Outcome> = steps.iter().zip(outcomes).map(|(step, o)| step.with(o)).collect();
    let rests = both
        .iter()
        .zip(&steps)
        .any(|(o, s)| o.decisions.len() > s.first.decisions.len());
    let bound = |(joined, step): (Outcome, &BetweenSteps<'_>)| Outcome {
        bound: (rests || step.first.bound) && joined.new_text.is_some(),
        ..joined
    };
    Ok(both.into_iter().zip(&steps).map(bound).collect())
}

/// Says of annotated files that the second step was not made. Others are right without one.
fn without(first: &mut Rewritten, after: After, why: &str) {
    if after == After::Directives {
        return;
    }
    for outcome in first.files.iter_mut().flatten().filter(|o| o.new_text.is_some()) {
        let why = why.to_owned();
        let note = Note::because(Span::default(), "", &Wording::NotJoined { why }.into());
        outcome.remarks.push(note);
        outcome.remarks.sort();
    }
}

/// A file between the two steps.
pub(super) struct BetweenSteps<'a> {
    /// The file's place among all.
    at: usize,
    pub unit: Unit<'a>,
    context: bool,
    first: &'a Outcome,
    after: After,
    /// The text that it left.
    text: &'a [u8],
    options: ToolOptions,
    places: EditPlaces<'a>,
}

impl<'a> BetweenSteps<'a> {
    pub fn new(at: usize, unit: Unit<'a>, context: bool, first: &'a Outcome, after: After) -> BetweenSteps<'a> {
        let text = first.new_text.as_deref().unwrap_or(unit.text);
        let places = EditPlaces {
            original: unit.text,
            edits: &first.edits,
        };
        let mut options = unit.options.clone();
        if after == After::Kernels {
            options.plan.speculate = false;
            options.plan.new_kernels = true;
        }
        if after == After::OwnMaps {
            options.plan.hand_directives = HandDirectives::AreGone;
        }
        if !options.limits.is_empty() {
            let (before, after) = (LineIndex::new(unit.text), LineIndex::new(text));
            let limits = options.limits.iter().filter_map(|l| places.lines(*l, &before, &after));
            options.limits = limits.collect();
        }
        BetweenSteps {
            at,
            unit,
            context,
            first,
            after,
            text,
            options,
            places,
        }
    }

    /// The file for the second step.
    pub fn given(&self, facts: Option<UnitFacts>) -> GivenUnit<'_> {
        GivenUnit {
            unit: Unit {
                path: self.unit.path,
                text: self.text,
                options: &self.options,
            },
            facts,
            context: self.context,
        }
    }

    /// What came of both steps.
    pub fn with(&self, second: Outcome) -> Outcome {
        let back = |mut note: Note| {
            if note.span.end != 0 {
                note.span = self.places.back(note.span);
            }
            note
        };
        let found = second.decisions.iter().flat_map(|d| &d.reasons);
        let mut remarks = self.first.remarks.clone();
        remarks.retain(|remark| !found.clone().any(|reason| is_taken_back(remark, reason)));
        // What another step says of the directives that the first one wrote is of no use to who never saw them.
        let others = second.remarks.into_iter().filter(|_| self.after != After::Directives);
        remarks.extend(others.map(back));
        let mut decisions = self.first.decisions.clone();
        decisions.extend(second.decisions.into_iter().map(|mut d| {
            d.reasons = d.reasons.into_iter().map(back).collect();
            d
        }));
        remarks.sort();
        remarks.dedup();
        Outcome {
            new_text: second.new_text.or_else(|| self.first.new_text.clone()),
            decisions,
            remarks,
            ..self.first.clone()
        }
    }
}

/// Whether a remark says that an array was left alone about which another step has decided something.
fn is_taken_back(remark: &Note, reason: &Note) -> bool {
    let not_right = Reason::from(Builds::NotRight).kind().id;
    remark.id.as_deref() == Some(not_right) && remark.array.is_some() && remark.array == reason.array
}

/// Places before and after edits.
#[derive(Clone, Copy)]
struct EditPlaces<'a> {
    original: &'a [u8],
    edits: &'a EditSet,
}

impl EditPlaces<'_> {
    /// Where something of the edited text was: what was added belongs to what follows it, unless it says otherwise (the
    /// twin of a loop, and closing braces).
    fn back(&self, span: Span) -> Span {
        let start = self.offset(span.start);
        let blank = |b: &&u8| b.is_ascii_whitespace();
        let inside = self.original.get(start..).unwrap_or_default();
        let start = start + inside.iter().take_while(blank).count();
        Span::new(start, self.offset(span.end).max(start + 1))
    }

    fn offset(&self, after: usize) -> usize {
        // How far the text has been copied: of the original, and of the edited one.
        let (mut old, mut new) = (0, 0);
        for edit in self.edits.iter() {
            let begins = new + (edit.span.start - old);
            if after < begins {
                break;
            }
            if after < begins + edit.replacement.len() {
                return match (edit.is_insertion(), edit.order == BEHIND) {
                    (true, true) => self.last_before(edit.span.start),
                    (true, false) => edit.span.end,
                    (false, _) => edit.span.start,
                };
            }
            (old, new) = (edit.span.end, begins + edit.replacement.len());
        }
        (old + (after - new)).min(self.original.len())
    }

    /// The last byte before an offset that is not blank.
    fn last_before(&self, offset: usize) -> usize {
        let before = self.original.get(..offset).unwrap_or_default();
        before.iter().rposition(|b| !b.is_ascii_whitespace()).unwrap_or(0)
    }

    /// The lines that a range became, with the directives that were added in it and just before it.
    fn lines(&self, range: LineRange, before: &LineIndex, after: &LineIndex) -> Option<LineRange> {
        let old = |new: u32| {
            let span = after.full_span(new)?;
            Some(before.position(self.back(span).start).line)
        };
        let within = |new: &u32| old(*new).is_some_and(|line| range.first <= line && line <= range.last);
        let mut lines = (1..=after.count()).filter(within);
        let first = lines.next()?;
        Some(LineRange {
            first,
            last: lines.next_back().unwrap_or(first),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::emitter::LINES;

    #[test]
    fn what_was_added_belongs_to_what_follows() {
        let original = b"a;\n  b;\n  c;\n";
        let mut edits = EditSet::new();
        edits.insert(3, LINES, "  #pragma x\n").unwrap();
        edits.insert(8, LINES, "  {\n").unwrap();
        let text = edits.apply(original);
        assert_eq!(text, b"a;\n  #pragma x\n  b;\n  {\n  c;\n");
        let places = EditPlaces {
            original,
            edits: &edits,
        };
        // The pragma, `b;` and `c;`.
        assert_eq!(places.back(Span::new(5, 14)).start, 5);
        assert_eq!(places.back(Span::new(17, 19)), Span::new(5, 7));
        assert_eq!(places.back(Span::new(26, 28)), Span::new(10, 12));
        let lines = |first, last| {
            let (before, after) = (LineIndex::new(original), LineIndex::new(&text));
            places.lines(LineRange { first, last }, &before, &after)
        };
        assert_eq!(lines(2, 2), Some(LineRange { first: 2, last: 3 }));
        assert_eq!(lines(1, 1), Some(LineRange { first: 1, last: 1 }));
        assert_eq!(lines(3, 3), Some(LineRange { first: 4, last: 5 }));
    }

    #[test]
    fn what_says_so_belongs_to_what_precedes() {
        let original = b"a;
  b; // c
  d;
";
        let mut edits = EditSet::new();
        edits.insert(3, LINES, "  if (x) {\n").unwrap();
        edits.insert(13, LINES, "  #pragma y\n").unwrap();
        edits.insert(13, BEHIND, "  } else {\n    b;\n  }\n").unwrap();
        let text = edits.apply(original);
        let places = EditPlaces {
            original,
            edits: &edits,
        };
        let at = |what: &str| {
            let text = String::from_utf8_lossy(&text);
            places.back(Span::new(text.find(what).unwrap(), text.find(what).unwrap() + 1))
        };
        assert_eq!((at("if").start, at("else").start, at("#pragma").start), (5, 11, 15));
        let (before, after) = (LineIndex::new(original), LineIndex::new(&text));
        let range = places.lines(LineRange { first: 2, last: 2 }, &before, &after);
        assert_eq!(range, Some(LineRange { first: 2, last: 6 }));
    }
}
