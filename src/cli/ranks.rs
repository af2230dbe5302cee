//! `ompmemopt verify --ranks N`: runs an MPI program as it is on several ranks, and says whether it ends.

use super::args::{TableFormat, VerifyArgs};
use super::build_flags::BuildFlags;
use super::exit_codes::Exit;
use super::output::Output;
use super::verify::{WholeCompilation, compiled, explained};
use super::{absolute, cache};
use crate::llvm_version::LLVM_MAJOR;
use crate::report::Verbosity;
use crate::source::{SourceFile, discover};
use crate::verify::{Mpi, MpiNames, RanksReport, RanksSpec, RanksVerdict, building_compilers, run_on_ranks};
use serde_json::json;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// Runs the command.
pub fn run(args: &VerifyArgs, ranks: u32, output: &Output) -> Exit {
    let report = match verify(args, ranks, output) {
        Ok(report) => report,
        Err(message) => {
            output.error(&message);
            return Exit::Failed;
        }
    };
    let text = match args.output_format {
        TableFormat::Human => human(&report),
        TableFormat::Json => machine(&report),
    };
    if let Err(error) = output.results(text.as_bytes()) {
        output.error(&format!("standard output: cannot be written ({error})"));
        return Exit::Failed;
    }
    match report.shown() {
        RanksVerdict::Ends => Exit::Done,
        RanksVerdict::DoesNotEnd | RanksVerdict::Fails => Exit::Findings,
    }
}

fn verify(args: &VerifyArgs, ranks: u32, output: &Output) -> Result<RanksReport, String> {
    let program_args = args.program_args()?;
    let stdin = args.program_input()?;
    let files = discover(&args.files).map_err(|e| e.to_string())?;
    for path in &files {
        SourceFile::read(path).map_err(|e| e.to_string())?;
    }
    let mpi = Mpi::find(&MpiNames {
        compiler: variable("MPICC"),
        launcher: variable("MPIEXEC"),
    });
    let mpi = mpi.map_err(explained)?;
    let clang = super::clang().map_err(|e| e.to_string())?;
    let store = cache::store(&args.cache);
    let build = BuildFlags::new(clang, &args.tool)?.keeping_in(&store);
    let WholeCompilation { flags, folder, notes } = compiled(&files, &build)?;
    let named = super::named_clang();
    let Some(clang) = building_compilers(named.as_deref().map(Path::new)).next() else {
        return Err(format!(
            "programs are built and run with an installed clang: no clang {LLVM_MAJOR} is on the path; install it, for example with \
             `apt-get install clang-{LLVM_MAJOR}`"
        ));
    };
    let spec = RanksSpec {
        clang: match clang.components().count() {
            1 => clang,
            _ => absolute(&clang),
        },
        sources: files.iter().map(|path| absolute(path)).collect(),
        flags,
        openmp_version: files.first().map(|file| build.openmp(file).number()),
        folder,
        args: program_args,
        stdin,
        ranks,
        threads: args.threads,
        timeout: Duration::from_secs(args.timeout),
    };
    if output.verbosity >= Verbosity::Normal {
        for note in build.notes().into_iter().chain(notes).chain(store.trouble()) {
            output.messages(&format!("note: {note}\n"));
        }
    }
    run_on_ranks(&mpi, &spec).map_err(explained)
}

/// What the environment says under a name, if it says anything.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The verdict in words, with what the program said last and what to do.
fn human(report: &RanksReport) -> String {
    let mut out = format!("verdict: {}\n", report.sentence());
    if report.shown() != RanksVerdict::Ends && !report.last_words.is_empty() {
        out.push_str("standard error ends with:\n");
        for line in &report.last_words {
            let _ = writeln!(out, "  {line}");
        }
    }
    if let Some(remedy) = report.shown().remedy() {
        let _ = writeln!(out, "{remedy}");
    }
    out
}

/// The verdict as one JSON object.
fn machine(report: &RanksReport) -> String {
    let document = json!({
        "version": 1,
        "verdict": report.shown().words(),
        "reason": report.sentence(),
        "advice": report.shown().remedy(),
        "ranks": report.ranks,
        "timeout": report.timeout.as_secs(),
        "status": report.status.to_string(),
        "seconds": (report.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        "stderr": report.last_words,
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
