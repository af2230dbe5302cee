//! `ompmemopt verify`: rewrites a program, unless that has been done, and compares what both do.

use super::args::{ReferenceArg, TableFormat, VerifyArgs};
use super::build_flags::BuildFlags;
use super::configuration;
use super::exit_codes::Exit;
use super::output::Output;
use super::{absolute, cache, table};
use crate::cleanup::{self, Folder};
use crate::facts::Store;
use crate::report::Verbosity;
use crate::rewrite::{GivenUnit, Services, Silent, Unit, rewrite_given};
use crate::source::{SourceFile, discover};
use crate::verify::{
    ProgramSpec, Reference, Toolchain, Verdict, VerifyError, VerifyOptions, VerifyReport, verify_program,
};
use std::collections::BTreeSet;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs the command.
pub fn run(args: &VerifyArgs, output: &Output) -> Exit {
    let report = match verify(args, output) {
        Ok(report) => report,
        Err(message) => {
            output.error(&message);
            return Exit::Failed;
        }
    };
    let text = match args.output_format {
        TableFormat::Human => table::human(&report),
        TableFormat::Json => table::json(&report),
    };
    if let Err(error) = output.results(text.as_bytes()) {
        output.error(&format!("standard output: cannot be written ({error})"));
        return Exit::Failed;
    }
    match report.verdict() {
        Verdict::Same => Exit::Done,
        Verdict::Different => Exit::Findings,
        Verdict::Inconclusive(_) => Exit::Failed,
    }
}

fn verify(args: &VerifyArgs, output: &Output) -> Result<VerifyReport, String> {
    let program_args = args.program_args()?;
    let stdin = args.program_input()?;
    let files = discover(&args.files).map_err(|e| e.to_string())?;
    if !args.rewritten.is_empty() && args.rewritten.len() != files.len() {
        return Err(format!(
            "--rewritten names {} files and there are {} originals; name one for each, in the same order",
            args.rewritten.len(),
            files.len()
        ));
    }
    for path in files.iter().chain(&args.rewritten) {
        SourceFile::read(path).map_err(|e| e.to_string())?;
    }
    let clang = super::clang().map_err(|e| e.to_string())?;
    let store = cache::store(&args.cache);
    let scratch = Folder::new("ompmemopt-");
    let scratch = scratch.map_err(|e| format!("no temporary folder can be made ({e})"))?;
    let build = BuildFlags::new(clang, &args.tool)?.keeping_in(&store);
    let rewritten = match args.rewritten.as_slice() {
        [] => rewrite_all(&files, &build, &store, scratch.path(), output)?,
        given => given.iter().map(|path| absolute(path)).collect(),
    };
    let WholeCompilation { flags, folder, notes } = compiled(&files, &build)?;
    let spec = ProgramSpec {
        original: files.iter().map(|path| absolute(path)).collect(),
        rewritten,
        flags,
        folder,
        rewritten_folder: None,
        args: program_args,
        stdin,
    };
    let options = VerifyOptions {
        reference: match args.reference {
            ReferenceArg::Sequential => Reference::Sequential,
            ReferenceArg::Original => Reference::Original,
        },
        openmp_version: files.first().map(|file| build.openmp(file).number()),
        timeout: Duration::from_secs(args.timeout),
        threads: args.threads,
        by_array: args.by_array,
        ..VerifyOptions::default()
    };
    let named = super::named_clang();
    let toolchain = Toolchain::find(named.as_deref().map(Path::new)).map_err(explained)?;
    if output.verbosity >= Verbosity::Normal {
        for note in build.notes().into_iter().chain(notes).chain(store.trouble()) {
            output.messages(&format!("note: {note}\n"));
        }
    }
    verify_program(&toolchain, &spec, &options).map_err(explained)
}

/// Writes the rewritten texts into `folder`, each file under a folder of its own so that equal names do not meet.
fn rewrite_all(
    files: &[PathBuf],
    build: &BuildFlags<'_>,
    store: &Store,
    folder: &Path,
    output: &Output,
) -> Result<Vec<PathBuf>, String> {
    let mut opened = Vec::new();
    for path in files {
        let source = SourceFile::read(path).map_err(|e| e.to_string())?;
        let (name, options) = build.of(path)?;
        opened.push((source, name, options));
    }
    let units: Vec<Unit<'_>> = opened
        .iter()
        .map(|(source, path, options)| Unit {
            path,
            text: source.bytes(),
            options,
        })
        .collect();
    let services = Services {
        store,
        progress: &Silent,
    };
    let rewritten = rewrite_given(units.iter().map(|unit| GivenUnit::from(*unit)).collect(), &services);
    let mut problems = build.configuration().problems();
    problems.extend(rewritten.problems);
    problems.extend(configuration::missing(&rewritten.unknown));
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    // The folder may not be made again after an interruption has removed it.
    let section = cleanup::section();
    let (mut written, mut changed) = (Vec::new(), 0);
    for (index, (unit, outcome)) in units.iter().zip(rewritten.files).enumerate() {
        let outcome = outcome.map_err(|e| e.to_string())?;
        changed += usize::from(outcome.new_text.is_some());
        let own = folder.join(index.to_string());
        let file = own.join(files[index].file_name().unwrap_or("program.c".as_ref()));
        let text = outcome.new_text.as_deref().unwrap_or(unit.text);
        std::fs::create_dir_all(&own)
            .and_then(|()| std::fs::write(&file, text))
            .map_err(|e| format!("{}: cannot be written ({e})", file.display()))?;
        written.push(file);
    }
    drop(section);
    if changed == 0 && output.verbosity >= Verbosity::Normal {
        output.messages("note: rewriting changes nothing; both programs are the same\n");
    }
    Ok(written)
}

/// How a program is compiled as a whole.
pub(super) struct WholeCompilation {
    pub flags: Vec<OsString>,
    /// Where relative names in the flags start, if not here.
    pub folder: Option<PathBuf>,
    pub notes: Vec<String>,
}

/// One set of flags for the whole program: those of its first file, with every file's folder searched for headers, because
/// the rewritten files stand elsewhere.
pub(super) fn compiled(files: &[PathBuf], build: &BuildFlags<'_>) -> Result<WholeCompilation, String> {
    let mut compiled = WholeCompilation {
        flags: Vec::new(),
        folder: None,
        notes: Vec::new(),
    };
    let mut first: Option<Vec<String>> = None;
    for file in files {
        let (_, options) = build.of(file)?;
        let Some(first) = &first else {
            compiled.flags.extend(options.compile.flags.iter().map(OsString::from));
            compiled.folder = Some(options.compile.working_dir).filter(|folder| !folder.as_os_str().is_empty());
            first = Some(options.compile.flags);
            continue;
        };
        if *first != options.compile.flags && compiled.notes.is_empty() {
            compiled.notes.push(format!(
                "{}: is compiled with other flags than {}, whose flags are used for both",
                file.display(),
                files[0].display()
            ));
        }
    }
    let folders: BTreeSet<PathBuf> = files
        .iter()
        .filter_map(|f| absolute(f).parent().map(Path::to_owned))
        .collect();
    for folder in folders {
        compiled.flags.extend(["-iquote".into(), folder.into_os_string()]);
    }
    Ok(compiled)
}

/// An error with its causes.
pub(super) fn explained(error: VerifyError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}
