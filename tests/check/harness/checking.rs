//! Checks files in process, as the command line does.

use ompmemopt::inside::config::{Config, FILE_NAME, parse};
use ompmemopt::inside::facts::Store;
use ompmemopt::inside::llvm::{BuildScope, ClangOptions};
use ompmemopt::inside::plan::PlanOptions;
use ompmemopt::inside::rewrite::{GivenUnit, Services, Silent, ToolOptions, Unit, check_given};
use ompmemopt::inside::rules::{Rule, RuleFix};
use ompmemopt::inside::source::LineIndex;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Something that was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Found {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// An error, and not a warning.
    pub surely: bool,
    /// The rule.
    pub rule: Rule,
    /// The array.
    pub array: String,
    /// What to write instead.
    pub fix: Option<RuleFix>,
}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let level = match self.surely {
            _ if self.rule.is_advice() => "advice",
            true => "error",
            false => "warning",
        };
        let fixed = if self.fix.is_some() { ", with a fix" } else { "" };
        write!(
            f,
            "{}: {level} {} {}{fixed}",
            self.line,
            self.rule.text().code,
            self.array
        )
    }
}

/// Checks the files of one program: what is wrong with it.
///
/// # Errors
/// The tool's own.
pub fn check(files: &[PathBuf], flags: &[String], clang: &Path) -> Result<Vec<Found>, String> {
    let mut found = check_with_advice(files, flags, clang)?;
    found.retain(|f| !f.rule.is_advice());
    Ok(found)
}

/// Checks the files of one program: what is wrong with it, and what it could do with less.
///
/// # Errors
/// The tool's own.
pub fn check_with_advice(files: &[PathBuf], flags: &[String], clang: &Path) -> Result<Vec<Found>, String> {
    let texts = files
        .iter()
        .map(std::fs::read)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| e.to_string())?;
    let options = ToolOptions {
        clang: clang.to_owned(),
        compile: ClangOptions {
            flags: flags.to_vec(),
            builds: BuildScope::This,
            ..ClangOptions::default()
        },
        plan: PlanOptions {
            config: Arc::new(files.first().map(|file| configuration(file)).unwrap_or_default()),
            ..PlanOptions::default()
        },
        self_check: false,
        limits: Vec::new(),
        dumps: BTreeSet::new(),
    };
    let each = files.iter().zip(&texts);
    let units = each.map(|(path, text)| {
        GivenUnit::from(Unit {
            path,
            text,
            options: &options,
        })
    });
    let services = Services {
        store: &Store::none(),
        progress: &Silent,
    };
    let checked = check_given(units.collect(), &services);
    let mut found = Vec::new();
    for ((outcome, path), text) in checked.files.into_iter().zip(files).zip(&texts) {
        let lines = LineIndex::new(text);
        for finding in outcome.map_err(|e| e.to_string())?.findings {
            found.push(Found {
                file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                line: lines.position(finding.span.start).line,
                surely: finding.surely,
                rule: finding.rule,
                array: finding.array.trim_matches('`').to_owned(),
                fix: finding.fix,
            });
        }
    }
    found.sort();
    Ok(found)
}

/// What `ompmemopt.toml` beside a file says.
fn configuration(file: &Path) -> Config {
    let path = file.with_file_name(FILE_NAME);
    std::fs::read_to_string(path).map_or_else(|_| Config::default(), |text| parse(FILE_NAME, &text).0)
}
