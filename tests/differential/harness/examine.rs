//! One program of cases through rewriter, compiler and device.

use super::tally::Tally;
use super::{Failure, Moved, Promises, Ran, Runner, Stage, Subject};
use crate::generator::{Case, Source, assemble, configured};
use std::collections::BTreeMap;

/// What all runs of one program gave.
struct Runs {
    expected: String,
    original: Option<Ran>,
    rewritten: Vec<Ran>,
    /// What is expected under each further configuration, and what comes of it.
    configured: Vec<(String, Vec<Ran>)>,
}

/// The cases of one file that fail, and what was seen. A program that fails as a whole is taken apart case by case.
pub fn differ(cases: &[Case], subject: &dyn Subject, runner: &dyn Runner) -> (Vec<Failure>, Tally) {
    let mut tally = Tally {
        cases: cases.len() as u64,
        ..Tally::default()
    };
    match whole_program(cases, subject, runner, &mut tally) {
        Ok(None) => (Vec::new(), tally),
        Ok(Some(runs)) => (judge(cases, &runs, subject.promises(), &mut tally), tally),
        Err((stage, reason)) => match cases {
            [] => (Vec::new(), tally),
            [case] => {
                let failure = Failure {
                    seed: case.seed,
                    stage,
                    reason,
                };
                (vec![failure], tally)
            }
            _ => {
                let (left, right) = cases.split_at(cases.len() / 2);
                let (mut failures, mut tally) = differ(left, subject, runner);
                let (more, rest) = differ(right, subject, runner);
                failures.extend(more);
                tally += rest;
                (failures, tally)
            }
        },
    }
}

/// Runs all forms of the program; `None` where there is nothing to compare because nothing was rewritten.
fn whole_program(
    cases: &[Case],
    subject: &dyn Subject,
    runner: &dyn Runner,
    tally: &mut Tally,
) -> Result<Option<Runs>, (Stage, String)> {
    let text = assemble(cases);
    let rewritten = subject
        .rewrite(&text)
        .map_err(|e| (Stage::Rewrite, format!("rewriting: {e}")))?;
    let promises = subject.promises();
    if promises.stable {
        if rewritten == text {
            return Ok(None);
        }
        let again = subject
            .rewrite(&rewritten)
            .map_err(|e| (Stage::Unstable, format!("rewriting again: {e}")))?;
        if again != rewritten {
            return Err((Stage::Unstable, "a second rewrite changes the text again".into()));
        }
    }
    tally.rewritten = changed(cases, &text, &rewritten, &str::to_owned);
    tally.helped = changed(cases, &text, &rewritten, &updates_in_helpers);
    let expected = runner
        .sequential(&text)
        .map_err(|e| (Stage::Sequential, format!("without OpenMP: {e}")))?;
    let (loops, kernels) = annotated(&text);
    tally.loops = loops;
    tally.kernels = annotated(&rewritten).1.saturating_sub(kernels);
    let original = if promises.original {
        let ran = runner.offloaded(&text);
        let mut ran = ran.map_err(|e| (Stage::Original, format!("on the device, not rewritten: {e}")))?;
        ran.drain(..).next()
    } else {
        None
    };
    let ran = runner
        .offloaded(&rewritten)
        .map_err(|e| (Stage::Device, format!("on the device: {e}")))?;
    let most = cases.iter().map(|c| c.configurations.len()).max().unwrap_or(0);
    let configured = (0..most).map(|k| {
        let expected = runner
            .sequential(&configured(&text, cases, k))
            .map_err(|e| (Stage::Sequential, format!("without OpenMP, configured: {e}")))?;
        let ran = runner
            .offloaded(&configured(&rewritten, cases, k))
            .map_err(|e| (Stage::Configuration, format!("on the device, configured: {e}")))?;
        Ok((expected, ran))
    });
    Ok(Some(Runs {
        expected,
        original,
        configured: configured.collect::<Result<_, _>>()?,
        rewritten: ran,
    }))
}

/// How many cases have another text than before, in some file.
fn changed(cases: &[Case], before: &[Source], after: &[Source], part: &dyn Fn(&str) -> String) -> u64 {
    let starts: Vec<String> = cases.iter().map(|c| format!("/* case {} */", c.seed)).collect();
    // Cut from the end, so that what is left is always the text before the case.
    let parts = |source: &Source| -> Vec<String> {
        let mut rest = source.text.as_str();
        let cut = starts.iter().rev().map(|start| {
            let (head, tail) = rest.rsplit_once(start.as_str()).unwrap_or((rest, ""));
            rest = head;
            tail.to_owned()
        });
        cut.collect()
    };
    let mut other = vec![false; cases.len()];
    for (a, b) in before.iter().zip(after) {
        for (k, (a, b)) in parts(a).iter().zip(parts(b)).enumerate() {
            other[k] |= part(a) != part(&b);
        }
    }
    other.into_iter().filter(|o| *o).count() as u64
}

/// How many loops there are, and of how many a directive makes a kernel; those apart that fill arrays and sum them up.
fn annotated(program: &[Source]) -> (u64, u64) {
    let (mut loops, mut kernels, mut pending) = (0, 0, false);
    for line in program.iter().flat_map(|s| s.text.lines()) {
        let line = line.trim_start();
        if line.starts_with("#pragma omp target teams") {
            pending = true;
        } else if line.contains("for (") {
            if !line.contains("(int q = 0;") && !line.contains("(long k = 0;") {
                loops += 1;
                kernels += u64::from(pending);
            }
            pending = false;
        }
    }
    (loops, kernels)
}

/// The updates in helper functions, in order.
fn updates_in_helpers(text: &str) -> String {
    let mut helper = false;
    let mut found = String::new();
    for line in text.lines() {
        if line.starts_with(|c: char| c.is_alphabetic()) {
            helper = line.contains(" help") || line.contains(" back");
        }
        if helper && line.contains("target update") {
            found.push_str(line);
            found.push('\n');
        }
    }
    found
}

/// The lines that each case printed, by seed.
fn by_case(output: &str) -> BTreeMap<u64, Vec<&str>> {
    let mut out: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for line in output.lines() {
        let seed = line
            .strip_prefix("case ")
            .and_then(|l| l.split_once(':'))
            .and_then(|(s, _)| s.parse().ok());
        if let Some(seed) = seed {
            out.entry(seed).or_default().push(line);
        }
    }
    out
}

fn judge(cases: &[Case], runs: &Runs, promises: Promises, tally: &mut Tally) -> Vec<Failure> {
    let mut failures = Vec::new();
    let expected = by_case(&runs.expected);
    let original = runs.original.as_ref().map(|r| by_case(&r.output));
    let actual: Vec<_> = runs.rewritten.iter().map(|r| by_case(&r.output)).collect();
    for (index, case) in cases.iter().enumerate() {
        let mut fail = |stage, reason| {
            failures.push(Failure {
                seed: case.seed,
                stage,
                reason,
            });
        };
        let by_device = original.as_ref().filter(|_| case.loses());
        let want = by_device.unwrap_or(&expected).get(&case.seed);
        if let Some(original) = &original
            && let Some(reason) = difference(want, original.get(&case.seed))
        {
            fail(Stage::Original, format!("not rewritten: {reason}"));
            continue;
        }
        let mut ways = actual.iter().enumerate();
        if let Some((way, reason)) = ways.find_map(|(k, a)| Some((k, difference(want, a.get(&case.seed))?))) {
            fail(Stage::Output, format!("{reason} (run {way})"));
            continue;
        }
        let mut configured = runs.configured.iter().enumerate();
        let wrong = configured.find_map(|(k, (expected, ways))| {
            let expected = by_case(expected);
            let mut ways = ways.iter().map(|r| by_case(&r.output));
            let reason = ways.find_map(|r| difference(expected.get(&case.seed), r.get(&case.seed)))?;
            Some(format!("{reason} with {:?}", case.configurations.get(k)))
        });
        if let Some(reason) = wrong {
            fail(Stage::Configuration, reason);
            continue;
        }
        // A program that reaches no kernel never starts what counts, and moves nothing.
        let moved = |ran: &Ran| ran.moved.as_ref().map(|m| m.get(&index).copied().unwrap_or_default());
        let (before, after) = (
            runs.original.as_ref().and_then(moved),
            runs.rewritten.first().and_then(moved),
        );
        if let (Some(before), Some(after)) = (before, after) {
            let (before, slack) = (before.bytes, slack(case, after));
            let after = after.bytes;
            tally.before += before;
            tally.after += after;
            let held = promises.no_more_bytes || promises.no_more_where_run && case.loops_launch();
            if held && after > before + slack {
                let lost = if case.bets_hold() { "" } else { ", a bet is lost" };
                fail(Stage::Bytes, format!("moves {after} bytes, and {before} before{lost}"));
            }
        }
    }
    failures
}

/// Bytes that a case may move beyond those that it moved before.
///
/// LLVM 19 keeps a pointer at file scope on the device once a kernel has mapped what it points to, and copies it again only
/// where that lies at another address than the last time. Which copies those are is chance.
///
/// A member of a struct that is mapped by its path brings its pointer along, which speculation takes to be paid for by a loop.
fn slack(case: &Case, after: Moved) -> u64 {
    if case.maps_global_pointers() || case.has_members() {
        after.up * size_of::<*const u8>() as u64
    } else {
        0
    }
}

/// The first line in which `got` is not what is wanted. A case that prints nothing differs in any event.
fn difference(want: Option<&Vec<&str>>, got: Option<&Vec<&str>>) -> Option<String> {
    if want.is_some() && want == got {
        return None;
    }
    let (want, got) = (want.cloned().unwrap_or_default(), got.cloned().unwrap_or_default());
    let at = want
        .iter()
        .zip(&got)
        .position(|(a, b)| a != b)
        .unwrap_or(want.len().min(got.len()));
    let line = |lines: &[&str]| lines.get(at).map_or("nothing", |l| *l).to_string();
    Some(format!("expected `{}`, got `{}`", line(&want), line(&got)))
}
