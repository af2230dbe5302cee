//! `ompmemopt explain`: a rule, or what the constructs of files do.

use super::args::{ExplainArgs, TableFormat};
use super::exit_codes::Exit;
use super::output::Output;
use super::rewrite::{Asks, Reported, RunRequest};
use crate::report;
use crate::rules;
use std::collections::BTreeSet;
use std::path::Path;

/// Runs the command.
pub fn run(args: &ExplainArgs, output: &Output) -> Exit {
    match args.what.as_slice() {
        [rule] if !rule.exists() && !looks_like_a_file(rule) => one_rule(&rule.to_string_lossy(), output),
        _ => files(args, output),
    }
}

/// Whether somebody means a file, there or not: a name with a dot or a folder.
fn looks_like_a_file(name: &Path) -> bool {
    name.extension().is_some() || name.components().count() > 1
}

fn one_rule(name: &str, output: &Output) -> Exit {
    match rules::documented(name) {
        Some(page) => super::print(output, page.as_bytes()),
        None => {
            output.error(&format!(
                "no rule has the code or name `{name}`, and no file or folder has that name; `ompmemopt rules` lists the rules"
            ));
            Exit::Failed
        }
    }
}

fn files(args: &ExplainArgs, output: &Output) -> Exit {
    let request = RunRequest {
        paths: &args.what,
        summaries: args.summaries.as_deref(),
        cache: &args.cache,
        tool: &args.tool,
        asks: Asks::CHECK,
        dumps: BTreeSet::new(),
        in_place: false,
    };
    let Some(Reported { report, failed, .. }) = request.reported(output) else {
        return Exit::Failed;
    };
    let text = match args.output_format {
        TableFormat::Human => report::explained(&report),
        TableFormat::Json => report::explained_json(&report),
    };
    let said = super::print(output, text.as_bytes());
    output.messages(&report::not_followed(&report, output.verbosity));
    match said {
        Exit::Done if failed || report.summary().errors > 0 => Exit::Failed,
        other => other,
    }
}
