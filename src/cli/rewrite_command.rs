//! The command line of `rewrite` and `annotate`: what is asked for, what is printed, and with which code the tool ends.
//!
//! ```text
//! ompmemopt rewrite -i a.c     RunRequest { paths: a.c, asks: REWRITE, in_place, … } ─► Reported ─► summary, exit code
//! ```

use super::args::{Format, RewriteArgs};
use super::choice::{AskedRun, NamedDecisions, Wanted};
use super::exit_codes::Exit;
use super::interactive;
use super::output::Output;
use super::rewrite::{Asks, Reported, RunRequest};
use crate::patience::Patience;
use crate::report::{self, Report};
use crate::rewrite::Dump;
use std::collections::BTreeMap;

/// Runs the command.
pub fn run(args: &RewriteArgs, asks: Asks, output: &Output) -> Exit {
    let named = NamedDecisions::new(&args.only, &args.skip);
    let ask = |run: AskedRun<'_>| interactive::chosen(args, run, output);
    let request = RunRequest {
        paths: &args.paths,
        summaries: args.summaries.as_deref(),
        cache: &args.cache,
        tool: &args.tool,
        asks,
        dumps: args.dump.iter().map(|d| (*d).into()).collect(),
        in_place: args.in_place && args.dump.is_empty(),
        self_check: args.self_check || args.in_place,
        instead: &BTreeMap::new(),
        patience: Patience::default(),
        wanted: match (args.interactive, named.is_all()) {
            (true, _) => Wanted::Asked(&ask),
            (false, true) => Wanted::All,
            (false, false) => Wanted::Named(&named),
        },
    };
    let Some(reported) = request.reported(output) else {
        return Exit::Failed;
    };
    let failed = reported.say_problems(output);
    let Reported { report, shown, .. } = reported;
    let mut exit = exit_code(&report, args);
    if failed {
        exit = Exit::Failed;
    }
    let results = match args.output_format {
        _ if !args.dump.is_empty() => dumped(&report, &shown),
        Format::Human if args.in_place => Vec::new(),
        Format::Human => report.files.iter().flat_map(|f| f.diff.iter().copied()).collect(),
        Format::Json => report::json(&report).into_bytes(),
        Format::Sarif => report::sarif(&report).into_bytes(),
        Format::Github => report::github(&report).into_bytes(),
    };
    let is_patch = args.output_format == Format::Human && args.dump.is_empty();
    let results = if is_patch { output.coloured(results) } else { results };
    if let Err(error) = output.results(&results) {
        output.error(&format!("standard output: cannot be written ({error})"));
        exit = Exit::Failed;
    }
    // With no file at all there is nothing to sum up, and the errors say why.
    if args.output_format == Format::Human && !report.files.is_empty() {
        output.messages(&report::human(&report, output.verbosity));
    }
    exit
}

fn exit_code(report: &Report, args: &RewriteArgs) -> Exit {
    let summary = report.summary();
    if summary.errors > 0 {
        Exit::Failed
    } else if summary.changed > 0 && args.dump.is_empty() && (!args.in_place || args.exit_non_zero_on_change) {
        Exit::Findings
    } else {
        Exit::Done
    }
}

/// The dumps of all files; with several, each under its name.
fn dumped(report: &Report, shown: &[Vec<(Dump, String)>]) -> Vec<u8> {
    let mut out = String::new();
    for (file, dumps) in report.files.iter().zip(shown) {
        for (_, text) in dumps {
            if report.files.len() > 1 || dumps.len() > 1 {
                out.push_str(&format!("== {}\n", file.path));
            }
            out.push_str(text);
        }
    }
    out.into_bytes()
}
