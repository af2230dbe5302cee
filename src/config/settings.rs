//! What a configuration file says of runs, and not of the program.
//!
//! ```toml
//! exclude = ["third_party/", "*.generated.c"]     # as in a .gitignore beside this file: not looked for in folders
//!
//! [options]                                       # the command line has the say
//! build-path = "build"                            # as -p, seen from this file
//! openmp = "5.0"
//! style = "structured"
//! no-speculation = true
//! keep-directives = true
//! self-check = true
//!
//! [check]
//! select = ["OMM1", "OMM2"]
//! ignore = ["OMM110"]
//!
//! [check.per-file-ignores]
//! "tests/*.c" = ["missing-from"]
//! ```

use super::suggest;
use crate::analysis::libc::optional_libraries;
use crate::openmp::SpecVersion;
use crate::rules::{NamedRules, RuleSelection};
use std::collections::BTreeSet;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The tables and keys of settings at the top of a file.
pub const TOP: [&str; 3] = ["exclude", "options", "check"];
const OPTIONS: [&str; 7] = [
    "build-path",
    "openmp",
    "style",
    "no-speculation",
    "keep-directives",
    "no-library",
    "self-check",
];
const CHECK: [&str; 3] = ["select", "ignore", "per-file-ignores"];
/// The words of `--style`.
pub const STYLES: [&str; 3] = ["auto", "structured", "unstructured"];

/// What a configuration file says of runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Patterns of files that are not looked for in folders.
    pub exclude: Vec<String>,
    /// Options of the command line.
    pub options: OptionSettings,
    /// The rules that `check` is about.
    pub rules: RuleSelection,
    /// Rules that are left out in files, by patterns of these.
    pub per_file_ignores: Vec<(String, Vec<NamedRules>)>,
}

/// Options of the command line, as far as they are said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionSettings {
    /// The folder of the compilation database, seen from the configuration file.
    pub build_path: Option<PathBuf>,
    pub openmp: Option<SpecVersion>,
    /// A word of `--style`.
    pub style: Option<String>,
    pub no_speculation: Option<bool>,
    pub keep_directives: Option<bool>,
    /// Libraries whose functions are unknown code.
    pub no_library: BTreeSet<String>,
    pub self_check: Option<bool>,
}

/// What is wrong at some place of the file.
pub type SettingProblem = (usize, String);

/// A value with its place.
pub type TomlValue<'i> = Spanned<DeValue<'i>>;

impl Settings {
    /// Reads what stands under one of the words of [`TOP`].
    pub fn read(&mut self, key: &str, at: usize, value: &TomlValue<'_>, problems: &mut Vec<SettingProblem>) {
        match (key, value.get_ref().as_table()) {
            ("exclude", _) => self.exclude = texts(key, value, problems),
            ("options", Some(table)) => self.options.read(table, problems),
            ("check", Some(table)) => self.check(table, problems),
            _ => problems.push((at, format!("`{key}` is a table; write [{key}]"))),
        }
    }

    fn check(&mut self, table: &DeTable<'_>, problems: &mut Vec<SettingProblem>) {
        let (mut select, mut ignore) = (Vec::new(), Vec::new());
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref().as_table()) {
                ("select", _) => select = rules("select", value, problems),
                ("ignore", _) => ignore = rules("ignore", value, problems),
                ("per-file-ignores", Some(files)) => {
                    for (pattern, value) in files {
                        let named = rules("per-file-ignores", value, problems);
                        self.per_file_ignores.push((pattern.get_ref().to_string(), named));
                    }
                }
                ("per-file-ignores", None) => {
                    let message = "`per-file-ignores` is a table; write [check.per-file-ignores]".to_owned();
                    problems.push((key.span().start, message));
                }
                (other, _) => problems.push((key.span().start, unknown("check", other, &CHECK))),
            }
        }
        self.rules = RuleSelection::new(&select, &ignore);
    }
}

impl OptionSettings {
    fn read(&mut self, table: &DeTable<'_>, problems: &mut Vec<SettingProblem>) {
        for (key, value) in table {
            let (name, found) = (key.get_ref().as_ref(), value.get_ref());
            if name == "no-library" {
                self.no_library = libraries(value, problems);
                continue;
            }
            let text = found.as_str();
            match name {
                "no-speculation" => self.no_speculation = found.as_bool(),
                "keep-directives" => self.keep_directives = found.as_bool(),
                "self-check" => self.self_check = found.as_bool(),
                "build-path" => self.build_path = text.map(PathBuf::from),
                "openmp" => self.openmp = text.and_then(SpecVersion::from_number),
                "style" => self.style = text.filter(|word| STYLES.contains(word)).map(str::to_owned),
                other => {
                    problems.push((key.span().start, unknown("options", other, &OPTIONS)));
                    continue;
                }
            }
            let (is_read, wanted) = match name {
                "no-speculation" => (self.no_speculation.is_some(), "true or false"),
                "keep-directives" => (self.keep_directives.is_some(), "true or false"),
                "self-check" => (self.self_check.is_some(), "true or false"),
                "build-path" => (self.build_path.is_some(), "a folder, as \"build\""),
                "openmp" => (self.openmp.is_some(), "\"4.5\", \"5.0\", \"5.1\", \"5.2\" or \"6.0\""),
                _ => (self.style.is_some(), "\"auto\", \"structured\" or \"unstructured\""),
            };
            if !is_read {
                problems.push((value.span().start, format!("`{name}` takes {wanted}")));
            }
        }
    }
}

fn unknown(table: &str, key: &str, known: &[&'static str]) -> String {
    let hint = suggest::hint(key, known.iter().copied());
    format!("there is no `{key}` in [{table}]{hint}")
}

/// The libraries that a list names.
fn libraries(value: &TomlValue<'_>, problems: &mut Vec<SettingProblem>) -> BTreeSet<String> {
    let named = texts("no-library", value, problems);
    let (known, others): (Vec<String>, Vec<String>) = named
        .into_iter()
        .partition(|name| optional_libraries().any(|library| library == name));
    problems.extend(others.iter().map(|name| {
        let hint = suggest::hint(name, optional_libraries());
        (
            value.span().start,
            format!("there is no table of a library `{name}`{hint}"),
        )
    }));
    known.into_iter().collect()
}

/// The texts of a list.
fn texts(key: &str, value: &TomlValue<'_>, problems: &mut Vec<SettingProblem>) -> Vec<String> {
    let wrong = |at: &TomlValue<'_>| {
        (
            at.span().start,
            format!("`{key}` takes a list of texts, as [\"…\", \"…\"]"),
        )
    };
    let DeValue::Array(items) = value.get_ref() else {
        problems.push(wrong(value));
        return Vec::new();
    };
    let mut found = Vec::new();
    for item in items.iter() {
        match item.get_ref().as_str() {
            Some(text) => found.push(text.to_owned()),
            None => problems.push(wrong(item)),
        }
    }
    found
}

/// The rules of a list.
fn rules(key: &str, value: &TomlValue<'_>, problems: &mut Vec<SettingProblem>) -> Vec<NamedRules> {
    let mut found = Vec::new();
    for word in texts(key, value, problems) {
        match NamedRules::parse(&word) {
            Ok(named) => found.push(named),
            Err(why) => problems.push((value.span().start, format!("`{word}` in `{key}`: {why}"))),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use crate::rules::Rule;

    #[test]
    fn settings_are_read() {
        let text = "exclude = [\"gen/\"]\n[options]\nopenmp = \"5.0\"\nstyle = \"structured\"\nbuild-path = \"build\"\n\
                    no-speculation = true\nkeep-directives = true\nno-library = [\"mpi\"]\nself-check = true\n[check]\nselect = [\"OMM1\"]\nignore = [\"OMM110\"]\n\
                    [check.per-file-ignores]\n\"tests/*.c\" = [\"missing-from\"]\n";
        let (config, problems) = parse("o.toml", text);
        assert_eq!(problems, []);
        let Settings {
            exclude,
            options,
            rules,
            per_file_ignores,
        } = &config.settings;
        assert_eq!(exclude, &["gen/"]);
        assert_eq!(options.openmp, Some(SpecVersion::V50));
        assert_eq!(options.style.as_deref(), Some("structured"));
        assert_eq!((options.no_speculation, options.self_check), (Some(true), Some(true)));
        assert_eq!(options.keep_directives, Some(true));
        assert_eq!(config.without_libraries, BTreeSet::from(["mpi".to_owned()]));
        assert_eq!(options.build_path, Some(PathBuf::from("build")));
        assert!(rules.wants(Rule::MissingTo) && !rules.wants(Rule::NeverReleased) && !rules.wants(Rule::RoundTrip));
        assert_eq!(
            per_file_ignores,
            &[("tests/*.c".to_owned(), vec![NamedRules(vec![Rule::MissingFrom])])]
        );
    }

    #[test]
    fn mistakes_are_said_where_they_are() {
        let text = "exclude = \"gen/\"\n[options]\nopenmp = \"3.1\"\nstil = \"auto\"\nstyle = \"bold\"\n\
                    [check]\nselect = [\"OMM9999\"]\nper-file-ignores = []\n";
        let problems: Vec<String> = parse("o.toml", text).1.iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "o.toml:1:11: `exclude` takes a list of texts, as [\"…\", \"…\"]",
                "o.toml:3:10: `openmp` takes \"4.5\", \"5.0\", \"5.1\", \"5.2\" or \"6.0\"",
                "o.toml:4:1: there is no `stil` in [options]; did you mean `style`?",
                "o.toml:5:9: `style` takes \"auto\", \"structured\" or \"unstructured\"",
                "o.toml:7:10: `OMM9999` in `select`: no rule has that code or name; `ompmemopt rules` lists them",
                "o.toml:8:1: `per-file-ignores` is a table; write [check.per-file-ignores]",
            ]
        );
    }
}
