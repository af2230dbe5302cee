//! One file's plan to checked text.
//!
//! ```text
//! plan ─► the lines asked for ─► edits ─► new text ─► guard ─► Outcome
//! ```
//!
//! A file that the plan leaves alone needs no guard, but clang is still asked whether it accepts the directives, so that a
//! typing error is said. What clang said of a text is kept in the store.

use super::dump::{self, Dump};
use super::guard::{self, Added, GuardObjection, GuardSubject, Method};
use super::member::Member;
use super::services::Services;
use super::unit::{FileError, Outcome, Unit};
use super::{Edits, TextToWrite, edits};
use crate::facts::StoreKey;
use crate::llvm::{self, Input};
use crate::plan::{Change, Decision, FilePlan, Note};
use crate::program::ir::Module;
use crate::reasons::Serial;
use crate::source::{Edit, EditSet, LineIndex, Span};
use crate::syntax::{self, ScopeTree};

/// Writes a file's plan, and checks the result.
pub(super) fn write(
    member: &Member<'_>,
    module: &Module,
    mut plan: FilePlan,
    services: &Services<'_>,
) -> Result<Outcome, FileError> {
    let Member { unit, read, .. } = *member;
    let Unit { text, options, .. } = unit;
    let tree = read.tree();
    let page = TextToWrite::new(text, tree);
    if !options.limits.is_empty() {
        let lines = &page.text.lines;
        plan.decisions
            .retain(|d| options.limits.iter().any(|l| l.asks_for(tree, lines, d)));
        plan.remarks
            .retain(|r| options.limits.iter().any(|l| l.touches(lines, r.span)));
        plan.findings
            .retain(|f| options.limits.iter().any(|l| l.touches(lines, f.span)));
        plan.explained
            .retain(|e| options.limits.iter().any(|l| l.touches(lines, e.span)));
    }
    let (tried, left_alone) = match tried(member, &plan, services) {
        Err(FileError::Guard { .. }) if plan.decisions.iter().any(makes_kernels) => {
            let left_alone = without_refused(member, &mut plan, services);
            (tried(member, &plan, services)?, left_alone)
        }
        other => (other?, Vec::new()),
    };
    let Tried {
        written,
        new_text,
        method,
    } = tried;
    let mut remarks: Vec<Note> = read.notes.iter().map(|note| about_file(note)).collect();
    remarks.extend(plan.remarks.iter().cloned());
    remarks.extend(written.remarks.iter().cloned());
    remarks.extend(left_alone);
    if method == Some(Method::Tokens) {
        remarks.push(about_file(
            "the result was compared with the original token by token, because the second parser does not read this file",
        ));
    }
    remarks.sort();
    remarks.dedup();
    let dumps = options
        .dumps
        .iter()
        .map(|d| (*d, dump_one(*d, &page, module, &plan)))
        .collect();
    let decisions = written.written.iter().map(|i| plan.decisions[*i].clone()).collect();
    Ok(Outcome {
        new_text,
        decisions,
        remarks,
        findings: plan.findings,
        explained: plan.explained,
        bound: false,
        edits: written.edits,
        unsettled: plan.unsettled,
        dumps,
    })
}

/// A plan as text that was checked.
struct Tried {
    written: Edits,
    /// The text, if it is another one.
    new_text: Option<Vec<u8>>,
    /// How it was checked, if that was asked for.
    method: Option<Method>,
}

fn makes_kernels(decision: &Decision) -> bool {
    decision.changes.iter().any(|c| matches!(c, Change::Kernel { .. }))
}

/// Writes a plan, and checks the result.
fn tried(member: &Member<'_>, plan: &FilePlan, services: &Services<'_>) -> Result<Tried, FileError> {
    let Member { unit, read, .. } = *member;
    let written = edits(unit.text, read.tree(), plan);
    let new_text = (!written.edits.is_empty())
        .then(|| written.edits.apply(unit.text))
        .filter(|new| new != unit.text);
    let kernels = plan.decisions.iter().any(makes_kernels);
    if let Some(reason) = written_where_off(unit.text, read.tree(), &written.edits, kernels) {
        let path = unit.path.to_owned();
        return Err(FileError::Guard { path, reason });
    }
    let tests: Vec<&[String]> = written
        .written
        .iter()
        .flat_map(|i| &plan.decisions[*i].changes)
        .filter_map(|c| match c {
            Change::Test { text, .. } => Some(text.as_slice()),
            _ => None,
        })
        .collect();
    let twins: Vec<&str> = written
        .written
        .iter()
        .flat_map(|i| &plan.decisions[*i].changes)
        .filter_map(|c| match c {
            Change::Kernel { twin, .. } => twin.as_deref(),
            _ => None,
        })
        .collect();
    let added = Added {
        kernels,
        tests: &tests,
        twins: &twins,
    };
    let asked = new_text.is_some() || unit.mentions_target();
    let method = asked
        .then(|| verdict(member, new_text.as_deref(), added, services))
        .transpose()?;
    Ok(Tried {
        written,
        new_text,
        method,
    })
}

/// Why edits are not to be made: comments switch the command off where one of them is, which the plan ought to know.
fn written_where_off(text: &[u8], tree: &ScopeTree, edits: &EditSet, kernels: bool) -> Option<String> {
    let command = if kernels { "annotate" } else { "rewrite" };
    let off = syntax::switched_off(text, tree, command);
    let is_off = |edit: &&Edit| {
        let inside = |part: Span| part.start < edit.span.start && edit.span.end < part.end;
        off.iter().any(|off| inside(off.part) || off.part.overlaps(edit.span))
    };
    let edit = edits.iter().find(is_off)?;
    let line = LineIndex::new(text).position(edit.span.start).line;
    Some(format!(
        "line {line} is changed, where a comment switches `{command}` off"
    ))
}

/// Takes the kernels out of a plan that keep its text from being accepted, and says so of each. Kernels do not rest on each
/// other, so the others stay.
fn without_refused(member: &Member<'_>, plan: &mut FilePlan, services: &Services<'_>) -> Vec<Note> {
    let all = std::mem::take(&mut plan.decisions);
    let (mut kept, mut notes) = (Vec::new(), Vec::new());
    // What is asked about next is on top: all, and then the halves of what is refused.
    let mut open: Vec<std::ops::Range<usize>> = Vec::new();
    open.push(0..all.len());
    while let Some(some) = open.pop() {
        plan.decisions = kept.clone();
        plan.decisions.extend_from_slice(&all[some.clone()]);
        match tried(member, plan, services) {
            Ok(_) => kept = std::mem::take(&mut plan.decisions),
            Err(FileError::Guard { reason, .. }) if some.len() == 1 => {
                let said = reason.lines().find(|l| l.contains("error: ")).unwrap_or(&reason);
                let said = said.rsplit("error: ").next().unwrap_or(said);
                let spans = all[some].iter().flat_map(|d| &d.reasons).map(|r| r.span);
                let error = said.to_owned();
                let reason = Serial::NotAccepted { error }.into();
                notes.extend(spans.map(|span| Note::because(span, "this loop stays as it is: ", &reason)));
            }
            Err(_) if some.len() > 1 => {
                let middle = some.start + some.len() / 2;
                open.extend([middle..some.end, some.start..middle]);
            }
            Err(_) => {}
        }
    }
    plan.decisions = kept;
    notes
}

fn about_file(message: &str) -> Note {
    Note::new(Span::default(), message)
}

/// Whether the new text may be handed out, or the old one is accepted by clang. A yes is kept; a no comes with messages,
/// and is found again.
fn verdict(
    member: &Member<'_>,
    new: Option<&[u8]>,
    added: Added<'_>,
    services: &Services<'_>,
) -> Result<Method, FileError> {
    let identity = member.read.identity;
    let key = match new {
        Some(new) => StoreKey::new(
            if added.kernels { "guard kernels" } else { "guard" },
            [identity.as_bytes().as_slice(), new],
        ),
        None => StoreKey::new("accepted", [identity.as_bytes().as_slice()]),
    };
    match services.store.get_bytes(&key).as_deref() {
        Some(b"tree") => return Ok(Method::Tree),
        Some(b"tokens") => return Ok(Method::Tokens),
        _ => {}
    }
    let method = asked(&member.unit, new, added)?;
    // A header that changed while clang was reading may be another one now.
    if member.read.dependencies.iter().all(|d| d.hash.is_some()) {
        let word: &[u8] = match method {
            Method::Tree => b"tree",
            Method::Tokens => b"tokens",
        };
        services.store.put_bytes(&key, word);
    }
    Ok(method)
}

fn asked(unit: &Unit<'_>, new: Option<&[u8]>, added: Added<'_>) -> Result<Method, FileError> {
    let Unit { path, text, options } = *unit;
    let Some(new) = new else {
        llvm::syntax_only(&options.clang, &Input::text(path, text), &options.compile, true)?;
        return Ok(Method::Tree);
    };
    let subject = GuardSubject {
        clang: &options.clang,
        path,
        options: &options.compile,
        original: text,
        rewritten: new,
        added,
    };
    let guard = |reason: String| FileError::Guard {
        path: path.to_owned(),
        reason,
    };
    guard::check(subject).map_err(|doubt| match doubt {
        GuardObjection::Differs(what) | GuardObjection::NoCheck(what) => guard(what),
        GuardObjection::Rejected(error) => guard(error.to_string()),
        GuardObjection::OriginalRejected(error) => FileError::Clang(error),
    })
}

fn dump_one(dump: Dump, page: &TextToWrite<'_>, module: &Module, plan: &FilePlan) -> String {
    match dump {
        Dump::Scopes => syntax::dump(page.tree, page.text.bytes),
        Dump::Ir => module.to_string(),
        Dump::Program => dump::program(page.text.bytes, page.tree),
        Dump::Problem => plan.problems.join("\n"),
        Dump::Plan => dump::plan(page, plan),
    }
}
