//! `ompmemopt explain`: a rule, the reason of a remark, or what the constructs of files do.

use super::args::{ExplainArgs, ExplainFormat};
use super::choice::Wanted;
use super::exit_codes::Exit;
use super::output::Output;
use super::rewrite::{Asks, Reported, RunRequest};
use crate::patience::Patience;
use crate::report::{self, PageFile, PageSide};
use crate::{reasons, rules};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &ExplainArgs, output: &Output) -> Exit {
    match args.what.as_slice() {
        [word] if !word.exists() && !looks_like_a_file(word) => one_word(&word.to_string_lossy(), output),
        _ => files(args, output),
    }
}

/// Whether somebody means a file, there or not: a name with a dot or a folder.
fn looks_like_a_file(name: &Path) -> bool {
    name.extension().is_some() || name.components().count() > 1
}

/// Prints what a rule or the reason of a remark is about.
fn one_word(name: &str, output: &Output) -> Exit {
    match rules::documented(name).or_else(|| reasons::documented(name)) {
        Some(page) => super::print(output, page.as_bytes()),
        None => {
            output.error(&format!(
                "no rule has the code or name `{name}`, no remark ends with it, and no file or folder has that name; `ompmemopt rules` lists the rules, docs/remarks.md the remarks"
            ));
            Exit::Failed
        }
    }
}

fn files(args: &ExplainArgs, output: &Output) -> Exit {
    let asked = |asks: Asks, instead: &Texts| {
        let request = RunRequest {
            paths: &args.what,
            summaries: args.summaries.as_deref(),
            cache: &args.cache,
            tool: &args.tool,
            asks,
            dumps: BTreeSet::new(),
            in_place: false,
            self_check: false,
            instead,
            wanted: Wanted::All,
            patience: Patience::default(),
        };
        request.reported(output)
    };
    let Some(reported) = asked(Asks::EXPLAIN, &Texts::new()) else {
        return Exit::Failed;
    };
    let failed = reported.say_problems(output);
    let text = match args.output_format {
        ExplainFormat::Human => report::explained(&reported.report),
        ExplainFormat::Json => report::explained_json(&reported.report),
        ExplainFormat::Html => match page(&reported, &asked) {
            Some(page) => page,
            None => return Exit::Failed,
        },
    };
    let said = super::print(output, text.as_bytes());
    output.messages(&report::not_followed(&reported.report, output.verbosity));
    match said {
        Exit::Done if failed || reported.report.summary().errors > 0 => Exit::Failed,
        other => other,
    }
}

/// Texts that files are taken to hold.
type Texts = BTreeMap<PathBuf, String>;

/// The page of a program, of which is known what its constructs do. `asked` asks the same about other texts.
fn page(before: &Reported, asked: &dyn Fn(Asks, &Texts) -> Option<Reported>) -> Option<String> {
    let rewritten = asked(Asks::REWRITE, &Texts::new())?;
    let changed = rewritten.texts.iter().flatten();
    let changed: Texts = changed
        .filter_map(|texts| Some((texts.old.path().to_owned(), texts.new.clone()?)))
        .collect();
    let after = asked(Asks::EXPLAIN, &changed)?;
    let both = before.report.files.iter().zip(&before.texts);
    let files = both.filter_map(|(report, texts)| {
        let (reasons, rewritten) = rewritten.of(&report.path)?;
        let (then, _) = after.of(&report.path)?;
        let new = rewritten.and_then(|texts| texts.new.as_deref());
        Some(PageFile {
            before: PageSide {
                // Of what cannot be read there is nothing to show but why.
                text: texts.as_ref().map_or("", |texts| texts.old.text()),
                report,
            },
            after: new.map(|text| PageSide { text, report: then }),
            reasons: &reasons.findings,
        })
    });
    Some(report::page(&files.collect::<Vec<_>>(), &before.report.notes))
}
