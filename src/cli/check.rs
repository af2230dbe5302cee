//! `ompmemopt check`.

use super::args::{CheckArgs, Format};
use super::baseline::Baseline;
use super::choice::Wanted;
use super::configuration::Configuration;
use super::exit_codes::Exit;
use super::output::Output;
use super::rewrite::{Asks, Reported, RunRequest};
use crate::patience::Patience;
use crate::report::{self, FileReport, Report};
use crate::rules::{Rule, RuleSelection};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Runs the command.
pub fn run(args: &CheckArgs, output: &Output) -> Exit {
    let mut baseline = match args.baseline.as_deref().map(Baseline::read).transpose() {
        Ok(baseline) => baseline.unwrap_or_default(),
        Err(error) => {
            output.error(&error);
            return Exit::Failed;
        }
    };
    let request = RunRequest {
        paths: &args.paths,
        summaries: args.summaries.as_deref(),
        cache: &args.cache,
        tool: &args.tool,
        asks: Asks::CHECK,
        dumps: BTreeSet::new(),
        in_place: false,
        self_check: false,
        instead: &BTreeMap::new(),
        wanted: Wanted::All,
        patience: Patience::default(),
    };
    let Some(reported) = request.reported(output) else {
        return Exit::Failed;
    };
    let failed = reported.say_problems(output);
    let Reported {
        mut report,
        configuration,
        ..
    } = reported;
    let wanted = WantedFindings {
        configuration: &configuration,
        asked: &args.rules.selection(),
    };
    wanted.among(&mut report, &mut baseline);
    let said = match args.output_format {
        Format::Human => {
            let text = report::checked(&report, output.verbosity);
            let said = output.findings(&text.findings);
            if !report.files.is_empty() {
                output.messages(&text.messages);
            }
            said
        }
        Format::Json => output.results(report::json(&report).as_bytes()),
        Format::Sarif => output.results(report::sarif(&report).as_bytes()),
        Format::Github => output.results(report::github(&report).as_bytes()),
    };
    let summary = report.summary();
    match said {
        Err(error) => {
            output.error(&format!("standard output: cannot be written ({error})"));
            Exit::Failed
        }
        Ok(_) if failed || summary.errors > 0 => Exit::Failed,
        Ok(_) if summary.violations + summary.warnings + summary.advice > 0 => Exit::Findings,
        Ok(_) => Exit::Done,
    }
}

/// Which findings somebody wants to see.
pub struct WantedFindings<'a> {
    pub configuration: &'a Configuration,
    /// What the command line says of rules.
    pub asked: &'a RuleSelection,
}

impl WantedFindings<'_> {
    /// Takes all others out of a report, those that are known among them.
    pub fn among(&self, report: &mut Report, baseline: &mut Baseline) {
        for file in &mut report.files {
            leave_out(file, &self.configuration.rules(Path::new(&file.path), self.asked));
            baseline.leave_out(file);
        }
    }
}

/// Takes out what the rules find in a file that nobody asked for.
fn leave_out(file: &mut FileReport, wanted: &RuleSelection) {
    let is_wanted = |rule: Rule| wanted.wants(rule);
    file.findings.retain(|f| match f.level.is_of_rule() {
        true => f.id.as_deref().and_then(Rule::named).is_none_or(is_wanted),
        false => true,
    });
}
