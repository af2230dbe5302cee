//! Whole programs, annotated: the patch is the expected one, a second run changes nothing, and the result prints what the
//! sequential program prints, on a strict device whose memory is full of garbage.
//!
//! For every `programs/NAME.c` there is a `programs/NAME.diff`; `BLESS=1` writes it anew. Each program is run with the
//! arguments on its first line, `/* args: 100, -3, 0 */`, one run for each; `/* --all args: … */` has loops offloaded that are
//! not worth it, too. Where there is a file `NAME.configurations`, each of its lines has flags of another build, in which the
//! annotated text must do what the sequential program does.

use libtest_mimic::{Failed, Trial};
use ompmemopt::inside::facts::Store;
use ompmemopt::inside::llvm::{ClangOptions, find_clang};
use ompmemopt::inside::plan::{Dialect, PlanOptions};
use ompmemopt::inside::rewrite::{GivenUnit, Outcome, Services, Silent, ToolOptions, Unit, annotate_given};
use ompmemopt::inside::source::unified_diff;
use ompmemopt::inside::verify::{InconclusiveReason, ProgramSpec, Toolchain, Verdict, VerifyOptions, verify_program};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A trial for each program.
pub fn trials() -> Vec<Trial> {
    let trial = |path: PathBuf| Trial::test(format!("program-{}", name(&path)), move || examine(&path));
    all().into_iter().map(trial).collect()
}

/// The programs.
pub fn all() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/programs");
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    paths
}

/// What a program is called.
pub fn name(path: &Path) -> String {
    path.file_stem()
        .map_or(String::new(), |s| s.to_string_lossy().into_owned())
}

/// The first line of a program, after `/*`: whether it starts with `--all`, and the runs. (`--reassociate` behind it is for
/// [`annotate`].)
pub fn first_line(text: &[u8]) -> (bool, Vec<String>) {
    let text = String::from_utf8_lossy(text);
    let first = text.lines().next().unwrap_or_default();
    let said = first
        .strip_prefix("/* ")
        .and_then(|a| a.strip_suffix(" */"))
        .unwrap_or("");
    let (all, said) = match said.strip_prefix("--all ") {
        Some(rest) => (true, rest),
        None => (false, said),
    };
    let said = said.strip_prefix("--reassociate ").unwrap_or(said);
    let args = said.strip_prefix("args: ").unwrap_or("");
    (all, args.split(',').map(|a| a.trim().to_owned()).collect())
}

/// The text with kernels.
pub fn annotate(path: &Path, text: &[u8], all: bool, dialect: Dialect) -> Result<Vec<u8>, Failed> {
    let options = ToolOptions {
        clang: find_clang(None)?,
        compile: ClangOptions::default(),
        plan: PlanOptions {
            all_loops: all,
            reassociate: text.starts_with(b"/* --all --reassociate "),
            dialect,
            ..PlanOptions::default()
        },
        self_check: true,
        limits: Vec::new(),
        dumps: BTreeSet::new(),
    };
    let unit = Unit {
        path,
        text,
        options: &options,
    };
    let store = Store::none();
    let services = Services {
        store: &store,
        progress: &Silent,
    };
    let mut annotated = annotate_given(vec![GivenUnit::from(unit)], &services);
    let outcome: Outcome = annotated.files.pop().ok_or("nothing came of it")??;
    Ok(outcome.new_text.unwrap_or_else(|| text.to_vec()))
}

fn examine(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read(path)?;
    let (all, args) = first_line(&text);
    let annotated = annotate(path, &text, all, Dialect::OpenMp)?;
    let again = annotate(path, &annotated, all, Dialect::OpenMp)?;
    if again != annotated {
        let diff = unified_diff("again", &annotated, &again);
        return Err(format!("a second run changes it again:\n{}", String::from_utf8_lossy(&diff)).into());
    }
    run(path, &annotated, &args, &[])?;
    let more = match all {
        true => None,
        false => Some(annotate(path, &text, true, Dialect::OpenMp)?).filter(|more| *more != annotated),
    };
    if let Some(more) = &more {
        run(path, more, &args, &[])?;
    }
    // The text was made for one build; what it says has to be right in the others.
    for flags in configurations(path) {
        for annotated in std::iter::once(&annotated).chain(&more) {
            run(path, annotated, &args, &flags).map_err(|e| {
                let message = e.message().unwrap_or("it failed");
                format!("built with `{}`: {message}", flags.join(" "))
            })?;
        }
    }
    let file = path
        .file_name()
        .map_or(String::new(), |n| n.to_string_lossy().into_owned());
    expect(&path.with_extension("diff"), &unified_diff(&file, &text, &annotated))
}

/// Flags for other builds of a program, one in each line of `NAME.configurations`.
fn configurations(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path.with_extension("configurations")).unwrap_or_default();
    let flags = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    text.lines().map(flags).collect()
}

/// Compares a patch with the one expected, or writes it.
pub fn expect(expected: &Path, diff: &[u8]) -> Result<(), Failed> {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(expected, diff)?;
        return Ok(());
    }
    match std::fs::read(expected).unwrap_or_default() == diff {
        true => Ok(()),
        false => Err(format!("another patch is expected than\n{}", String::from_utf8_lossy(diff)).into()),
    }
}

/// Runs a program and what came of it, both built with some flags, once for each of these arguments.
pub fn run(path: &Path, annotated: &[u8], args: &[String], flags: &[String]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let result = folder.path().join("annotated.c");
    std::fs::write(&result, annotated)?;
    let toolchain = Toolchain::find(None).map_err(|e| e.to_string())?;
    for arg in args {
        let spec = ProgramSpec {
            original: vec![path.to_owned()],
            rewritten: vec![result.clone()],
            flags: flags.iter().map(Into::into).collect(),
            args: arg.split_whitespace().map(Into::into).collect(),
            ..ProgramSpec::default()
        };
        let options = VerifyOptions {
            original_modes: Vec::new(),
            ..VerifyOptions::default()
        };
        let report = verify_program(&toolchain, &spec, &options).map_err(|e| e.to_string())?;
        // Loops that are not worth a kernel with these arguments run on the host, and are compared all the same.
        if !matches!(
            report.verdict(),
            Verdict::Same | Verdict::Inconclusive(InconclusiveReason::NoKernel)
        ) {
            let wrong: Vec<String> = report.mismatches().map(|m| format!("{m:?}")).collect();
            let verdict = report.verdict();
            return Err(format!("with `{arg}`: {verdict:?}\n{}", wrong.join("\n")).into());
        }
    }
    Ok(())
}
