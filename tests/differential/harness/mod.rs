//! Checks many generated cases at once and reduces the ones that fail.
//!
//! A [`Subject`] rewrites C text; a [`Runner`] builds and runs C text and says what it printed. [`differ`] compares what the
//! original prints without OpenMP with what the rewritten text prints on a device of its own memory.

pub mod clang;
pub mod reduce;

use crate::generator::{Case, assemble};
use std::collections::BTreeMap;

/// What is being tested.
pub trait Subject: Sync {
    /// The rewritten text.
    fn rewrite(&self, text: &str) -> Result<String, String>;
}

/// The subject that changes nothing: testing it tests the generator.
pub struct Identity;

impl Subject for Identity {
    fn rewrite(&self, text: &str) -> Result<String, String> {
        Ok(text.to_string())
    }
}

/// Builds and runs one C file.
pub trait Runner: Sync {
    /// The standard output of the program without OpenMP.
    fn sequential(&self, text: &str) -> Result<String, String>;
    /// The standard output of the program with its kernels on a device.
    fn offloaded(&self, text: &str) -> Result<String, String>;
}

/// Where a case went wrong. A reduced case has to fail at the same stage as the case it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Without OpenMP: the generator is at fault.
    Sequential,
    Rewrite,
    /// On the device: compiling or running failed.
    Device,
    /// The outputs differ.
    Output,
}

/// A case that went wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    pub seed: u64,
    pub stage: Stage,
    pub reason: String,
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

fn whole_file(cases: &[Case], subject: &dyn Subject, runner: &dyn Runner) -> Result<(String, String), (Stage, String)> {
    let text = assemble(cases);
    let expected = runner
        .sequential(&text)
        .map_err(|e| (Stage::Sequential, format!("without OpenMP: {e}")))?;
    let rewritten = subject
        .rewrite(&text)
        .map_err(|e| (Stage::Rewrite, format!("rewriting: {e}")))?;
    let actual = runner
        .offloaded(&rewritten)
        .map_err(|e| (Stage::Device, format!("on the device: {e}")))?;
    Ok((expected, actual))
}

/// The cases of one file whose rewritten form fails or prints something else. A file that fails as a whole is taken apart
/// case by case.
pub fn differ(cases: &[Case], subject: &dyn Subject, runner: &dyn Runner) -> Vec<Failure> {
    match whole_file(cases, subject, runner) {
        Ok((expected, actual)) => {
            let (expected, actual) = (by_case(&expected), by_case(&actual));
            let wrong = cases.iter().filter_map(|c| {
                let (want, got) = (expected.get(&c.seed), actual.get(&c.seed));
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
                let reason = format!("expected `{}`, got `{}`", line(&want), line(&got));
                Some(Failure {
                    seed: c.seed,
                    stage: Stage::Output,
                    reason,
                })
            });
            wrong.collect()
        }
        Err((stage, reason)) => match cases {
            [] => Vec::new(),
            [case] => vec![Failure {
                seed: case.seed,
                stage,
                reason,
            }],
            _ => {
                let (left, right) = cases.split_at(cases.len() / 2);
                let mut out = differ(left, subject, runner);
                out.extend(differ(right, subject, runner));
                out
            }
        },
    }
}
