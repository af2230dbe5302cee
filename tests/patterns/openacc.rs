//! The programs in OpenACC: gcc accepts them, they print what the sequential programs print, and a further run in
//! either dialect changes nothing.
//!
//! gcc runs OpenACC on the host where there is no device, with the constructs as it compiles them for one: counts of
//! iterations, reductions and private variables are its own. Where there is a `programs/NAME.openacc.diff` that is the
//! expected patch; `BLESS=1` writes it anew.

use super::programs::{all, annotate, expect, first_line, name};
use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::plan::Dialect;
use ompmemopt::inside::source::unified_diff;
use std::path::Path;
use std::process::{Command, Output};

/// How each program is built. Without `-fopenacc` the directives are comments.
const BUILDS: [&[&str]; 3] = [&["-O1", "-fopenacc"], &["-O3", "-fopenacc"], &["-O1"]];

/// A trial for each program.
pub fn trials() -> Vec<Trial> {
    let programs = all().into_iter();
    programs
        .map(|path| Trial::test(format!("openacc-{}", name(&path)), move || examine(&path)))
        .collect()
}

fn examine(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read(path)?;
    let (all, args) = first_line(&text);
    let annotated = annotate(path, &text, all, Dialect::OpenAcc)?;
    unchanged(path, &annotated, all)?;
    run(path, &annotated, &args)?;
    if !all {
        let everywhere = annotate(path, &text, true, Dialect::OpenAcc)?;
        unchanged(path, &everywhere, true)?;
        run(path, &everywhere, &args)?;
    }
    let omp = annotate(path, &text, all, Dialect::OpenMp)?;
    if omp != text {
        let beside = annotate(path, &omp, all, Dialect::OpenAcc)?;
        same("in OpenACC, after OpenMP", &omp, &beside)?;
    }
    let expected = path.with_extension("openacc.diff");
    if !expected.exists() {
        return Ok(());
    }
    expect(
        &expected,
        &unified_diff(&format!("{}.c", name(path)), &text, &annotated),
    )
}

/// Neither dialect changes what was annotated already.
fn unchanged(path: &Path, annotated: &[u8], all: bool) -> Result<(), Failed> {
    if !annotated.windows(11).any(|w| w == b"#pragma acc") {
        return Ok(());
    }
    same("again", annotated, &annotate(path, annotated, all, Dialect::OpenAcc)?)?;
    same(
        "in OpenMP",
        annotated,
        &annotate(path, annotated, all, Dialect::OpenMp)?,
    )
}

fn same(which: &str, first: &[u8], second: &[u8]) -> Result<(), Failed> {
    let diff = unified_diff(which, first, second);
    match diff.is_empty() {
        true => Ok(()),
        false => Err(format!("another run changes it:\n{}", String::from_utf8_lossy(&diff)).into()),
    }
}

fn run(path: &Path, annotated: &[u8], args: &[String]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let result = folder.path().join("annotated.c");
    std::fs::write(&result, annotated)?;
    let original = build(path, folder.path(), &["-O1"])?;
    for flags in BUILDS {
        let built = build(&result, folder.path(), flags)?;
        for arg in args {
            let (right, found) = (start(&original, arg)?, start(&built, arg)?);
            if right.status != found.status || right.stdout != found.stdout {
                let (right, found) = (show(&right), show(&found));
                return Err(format!("{flags:?}, with `{arg}`: {found}\ninstead of {right}").into());
            }
        }
    }
    Ok(())
}

/// The program of a file.
fn build(file: &Path, folder: &Path, flags: &[&str]) -> Result<std::path::PathBuf, Failed> {
    let program = folder.join(format!("{}{}", name(file), flags.concat()));
    // The programs look at one array through pointers of two types.
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-fno-strict-aliasing"])
        .args(flags)
        .arg(file)
        .arg("-o")
        .arg(&program)
        .arg("-lm");
    let built = gcc
        .output()
        .map_err(|e| format!("gcc, which is needed for OpenACC, cannot be run ({e}): scripts/setup.sh installs it"))?;
    match built.status.success() {
        true => Ok(program),
        false => Err(format!("gcc {flags:?}: {}", String::from_utf8_lossy(&built.stderr)).into()),
    }
}

fn start(program: &Path, arg: &str) -> Result<Output, Failed> {
    Ok(Command::new(program).args(arg.split_whitespace()).output()?)
}

fn show(output: &Output) -> String {
    format!("{}, {}", output.status, String::from_utf8_lossy(&output.stdout))
}
