//! Small loops, each with the verdict that the dependence analysis must give.
//!
//! For every `cases/NAME.c` there is a `cases/NAME.expected`: a line for each loop, with its line number and the verdict in
//! words. `P01` to `P60` are common patterns, the others traps: loops that look parallel and are not, or rest on a condition.
//!
//! `BLESS=1 cargo test --test patterns [NAME]` writes the expectations anew; review them one by one, for an unsound one is
//! what these tests are there to find.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // what fails here fails a test

mod directives;
mod openacc;
mod polybench;
mod programs;
mod random;

use libtest_mimic::{Arguments, Failed, Trial};
use ompmemopt::inside::analysis::verdicts;
use ompmemopt::inside::analysis::{KnownFunctions, ModulePointers};
use ompmemopt::inside::annotate::describe;
use ompmemopt::inside::llvm::{ClangOptions, Input, analyse_file, find_clang};
use ompmemopt::inside::plan::each_function;
use ompmemopt::inside::plan::{FileText, PlanOptions};
use ompmemopt::inside::source::LineIndex;
use ompmemopt::inside::syntax;
use std::path::{Path, PathBuf};

/// A line for each loop.
fn say(path: &Path) -> Result<String, Failed> {
    let text = std::fs::read(path)?;
    let clang = find_clang(None)?;
    let module = analyse_file(&clang, &Input::text(path, &text), &ClangOptions::default())?;
    let tree = syntax::parse(&text, &[]);
    let options = PlanOptions::default();
    let file = FileText {
        path,
        context: false,
        text: &text,
        tree: &tree,
        headers: &[],
        bodies: &[],
        options: &options,
    };
    let lines = LineIndex::new(&text);
    let pointers = ModulePointers::new(&module, KnownFunctions::of_library(&module));
    let said = each_function(&[file], &pointers, |_, _, model| {
        let verdicts = verdicts(model);
        let lines = verdicts.iter().map(|(stmt, verdict)| {
            let at = lines.position(tree.stmt(*stmt).span.start);
            format!("{}:{}: {}\n", at.line, at.column, describe(model, verdict))
        });
        lines.collect::<String>()
    });
    let said = said.into_iter().flatten();
    Ok(said
        .map(|s| s.unwrap_or_else(|(_, why)| format!("not understood: {why}\n")))
        .collect())
}

fn examine(path: &Path) -> Result<(), Failed> {
    let actual = say(path)?;
    let expected = path.with_extension("expected");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&expected, &actual)?;
        return Ok(());
    }
    let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
    if wanted == actual {
        return Ok(());
    }
    Err(format!("expected:\n{wanted}\nfound:\n{actual}").into())
}

fn main() {
    let args = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/cases");
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "c"));
    paths.sort();
    let name = |p: &Path| {
        p.file_stem()
            .map_or(String::new(), |s| s.to_string_lossy().into_owned())
    };
    let mut trials: Vec<Trial> = paths
        .into_iter()
        .map(|path| Trial::test(name(&path), move || examine(&path)))
        .collect();
    trials.extend(programs::trials());
    trials.extend(polybench::trials());
    trials.extend(openacc::trials());
    trials.extend(random::trials());
    libtest_mimic::run(&args, trials).exit();
}
