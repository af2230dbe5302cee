//! One file per subcommand; the only room that prints, reads the environment, or exits.
//!
//! Standard output carries results (a patch, a report, a table), standard error messages. [`exit_codes`] says what the
//! exit codes mean.

pub mod args;
mod baseline;
mod build_flags;
mod cache;
mod check;
mod choice;
mod compile_commands;
mod configuration;
mod editor;
pub mod exit_codes;
mod explain;
mod interactive;
mod jobs;
mod known_flags;
mod lsp;
mod manual;
mod output;
mod progress;
mod ranks;
mod rewrite;
mod rewrite_command;
mod summarize;
mod table;
mod target;
mod verify;
mod ways;

use crate::llvm::{LlvmError, carried_compiler, find_clang};
use crate::llvm_version::{LINKED_VERSION, LLVM_MAJOR};
use crate::rewrite::annotate_given;
use crate::rules;
use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use exit_codes::Exit;
use output::Output;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The compiler to use instead of the one that is found.
const CLANG_VARIABLE: &str = "OMPMEMOPT_CLANG";

/// Terms of all crates, and of what builds with the feature `static` have besides; `scripts/licenses.py` writes them.
const LICENSES: &str = include_str!("../../docs/licenses.txt");

/// Runs the command line and returns the process's exit code.
pub fn main() -> ExitCode {
    if let Some(code) = crate::llvm::run_as_clang() {
        return code;
    }
    crate::llvm::prepare();
    // Where signals cannot be caught they end the run as ever.
    let _ = crate::cleanup::install();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(message) => {
            // Help and version come this way too, and are no errors. A closed pipe is none either.
            let _ = message.print();
            return if message.use_stderr() {
                Exit::Failed.into()
            } else {
                Exit::Done.into()
            };
        }
    };
    let output = Output::new(&cli);
    crate::panics::install();
    let exit = crate::panics::guarded(std::panic::AssertUnwindSafe(|| dispatch(&cli, &output)));
    let exit = exit.unwrap_or_else(|message| {
        output.error(&format!(
            "internal error: {message}; please report this with the command line used"
        ));
        Exit::Failed
    });
    crate::cleanup::pass();
    exit.into()
}

/// The path from the root: the compiler may run in another folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn dispatch(cli: &Cli, output: &Output) -> Exit {
    match &cli.command {
        Command::Rewrite(args) => rewrite_command::run(args, rewrite::Asks::REWRITE, output),
        Command::Annotate(args) => {
            let asks = rewrite::Asks {
                decide: annotate_given,
                all_loops: args.all,
                dialect: args.dialect.into(),
                reassociate: args.reassociate,
                ..rewrite::Asks::REWRITE
            };
            rewrite_command::run(&args.rewrite, asks, output)
        }
        Command::Check(args) => check::run(args, output),
        Command::Explain(args) => explain::run(args, output),
        Command::Rules => print(output, rules::listed().as_bytes()),
        Command::Verify(args) => match args.ranks {
            Some(ranks) => ranks::run(args, ranks, output),
            None => verify::run(args, output),
        },
        Command::Lsp(args) => lsp::run(args, output),
        Command::Summarize(args) => summarize::run(args, output),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "ompmemopt", &mut script);
            print(output, &script)
        }
        Command::Man { command, output_dir } => {
            let written = match output_dir {
                Some(folder) => manual::write_all(folder).map(|()| Vec::new()),
                None => manual::page(command.as_deref()),
            };
            match written {
                Ok(page) => print(output, &page),
                Err(message) => {
                    output.error(&message);
                    Exit::Failed
                }
            }
        }
        Command::Version { licenses: false } => print(output, version().as_bytes()),
        Command::Version { licenses: true } => print(output, LICENSES.as_bytes()),
    }
}

fn print(output: &Output, bytes: &[u8]) -> Exit {
    match output.results(bytes) {
        Ok(_) => Exit::Done,
        Err(error) => {
            output.error(&format!("standard output: cannot be written ({error})"));
            Exit::Failed
        }
    }
}

/// The compiler that sources are read with: the one that the environment names, the one that is carried, or the one that is found.
fn clang() -> Result<PathBuf, LlvmError> {
    find_clang(named_clang().as_deref().map(Path::new))
}

fn named_clang() -> Option<OsString> {
    std::env::var_os(CLANG_VARIABLE).filter(|name| !name.is_empty())
}

fn version() -> String {
    let compiler = match clang() {
        Ok(path) if Some(path.as_path()) == carried_compiler() => {
            format!("clang {LINKED_VERSION}, part of this program")
        }
        Ok(path) => format!("clang {LLVM_MAJOR} ({})", path.display()),
        Err(error) => error.to_string(),
    };
    format!("ompmemopt {}\ncompiler: {compiler}\n", env!("CARGO_PKG_VERSION"))
}
