//! `ompmemopt.toml`.
//!
//! ```toml
//! [functions.log_state]          # all that it does: what is not listed, it does not do
//! reads = ["0"]
//! io = true
//!
//! [assume]
//! noalias = ["relax", "step"]    # or true: of all functions
//! ```
//!
//! What is wrong in one entry is said, that entry dropped, and the rest read.

use super::settings::TomlValue;
use super::words::{Draft, Takes, takes};
use super::{Config, ConfigProblem, EntryPlace, FunctionEntry, settings, suggest};
use crate::source::LineIndex;
use toml::de::{DeTable, DeValue};

/// Reads the text of a configuration file that people know as `name`.
pub fn parse(name: &str, text: &str) -> (Config, Vec<ConfigProblem>) {
    let mut reader = ConfigReader {
        name,
        lines: LineIndex::new(text.as_bytes()),
        problems: Vec::new(),
    };
    let config = match DeTable::parse(text) {
        Ok(table) => reader.config(table.get_ref()),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            reader.problem(at, format!("this is not TOML ({message})"));
            Config::default()
        }
    };
    reader.problems.sort();
    (config, reader.problems)
}

struct ConfigReader<'a> {
    name: &'a str,
    lines: LineIndex,
    problems: Vec<ConfigProblem>,
}

impl ConfigReader<'_> {
    fn config(&mut self, table: &DeTable<'_>) -> Config {
        let mut config = Config::default();
        for (key, value) in table {
            let (at, key) = (key.span().start, key.get_ref().as_ref());
            match (key, value.get_ref().as_table()) {
                ("functions", Some(functions)) => {
                    for (name, said) in functions {
                        self.function(&mut config, name.get_ref(), name.span().start, said);
                    }
                }
                ("assume", Some(assumed)) => self.assume(&mut config, assumed),
                (name, _) if settings::TOP.contains(&name) => {
                    let mut wrong = Vec::new();
                    config.settings.read(name, at, value, &mut wrong);
                    for (at, message) in wrong {
                        self.problem(at, message);
                    }
                }
                ("functions" | "assume", None) => {
                    self.problem(at, format!("`{key}` is a table; write [functions.NAME] or [assume]"));
                }
                _ => {
                    let known = ["functions", "assume"].into_iter().chain(settings::TOP);
                    let hint = suggest::hint(key, known);
                    self.problem(at, format!("there is no table `{key}`{hint}"));
                }
            }
        }
        config.without_libraries.clone_from(&config.settings.options.no_library);
        config
    }

    fn function(&mut self, config: &mut Config, name: &str, at: usize, said: &TomlValue<'_>) {
        let Some(keys) = said.get_ref().as_table() else {
            let message = format!("what is said of `{name}` is a table; write [functions.{name}]");
            return self.problem(at, message);
        };
        let before = self.problems.len();
        let mut draft = Draft::new(name);
        for (key, value) in keys {
            let (from, key) = (key.span().start, key.get_ref().as_ref());
            match takes(key) {
                Err(message) => self.problem(from, message),
                Ok(Takes::Flag) => match value.get_ref().as_bool() {
                    Some(holds) => draft.flag(key, holds),
                    None => self.mistyped(key, value, "true or false"),
                },
                Ok(Takes::List) => self.list(&mut draft, key, value),
            }
        }
        if self.problems.len() > before {
            return;
        }
        match draft.finish(self.place(at)) {
            Ok(entry) => self.add(config, name, entry),
            Err(message) => self.problem(at, message),
        }
    }

    /// One item or an array of them; each a number or a text.
    fn list(&mut self, draft: &mut Draft, key: &str, value: &TomlValue<'_>) {
        draft.list(key);
        let items: Vec<&TomlValue<'_>> = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        for item in items {
            let text = match item.get_ref() {
                DeValue::String(text) => text.as_ref(),
                DeValue::Integer(number) => number.as_str(),
                _ => {
                    self.mistyped(key, item, "arguments, as [\"0\", \"1\"]");
                    continue;
                }
            };
            if let Err(message) = draft.item(key, text) {
                self.problem(item.span().start, message);
            }
        }
    }

    fn assume(&mut self, config: &mut Config, assumed: &DeTable<'_>) {
        for (key, value) in assumed {
            if key.get_ref() != "noalias" {
                let hint = suggest::hint(key.get_ref(), ["noalias"]);
                let message = format!("there is nothing called `{}` to assume{hint}", key.get_ref());
                self.problem(key.span().start, message);
                continue;
            }
            match value.get_ref() {
                DeValue::Boolean(holds) => config.noalias_everywhere = *holds,
                DeValue::Array(names) => {
                    for name in names.iter() {
                        match name.get_ref().as_str() {
                            Some(text) => {
                                let entry = FunctionEntry {
                                    effects: None,
                                    noalias: true,
                                    place: self.place(name.span().start),
                                };
                                self.add(config, text, entry);
                            }
                            None => self.mistyped("noalias", name, "names of functions"),
                        }
                    }
                }
                _ => self.mistyped("noalias", value, "names of functions, as [\"step\"], or true for all"),
            }
        }
    }

    /// `noalias` and effects of one function may stand in two places.
    fn add(&mut self, config: &mut Config, name: &str, entry: FunctionEntry) {
        match config.functions.get_mut(name) {
            None => drop(config.functions.insert(name.to_owned(), entry)),
            Some(known) => {
                known.noalias |= entry.noalias;
                if entry.effects.is_some() {
                    known.effects = entry.effects;
                    known.place = entry.place;
                }
            }
        }
    }

    fn mistyped(&mut self, key: &str, value: &TomlValue<'_>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.problem(
            value.span().start,
            format!("`{key}` takes {wanted}, and this is of type {found}"),
        );
    }

    fn problem(&mut self, at: usize, message: String) {
        let place = self.place(at);
        self.problems.push(ConfigProblem { place, message });
    }

    fn place(&self, at: usize) -> EntryPlace {
        let at = self.lines.position(at);
        EntryPlace {
            file: self.name.to_owned(),
            line: at.line,
            column: at.column,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        parse("o.toml", text).1.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn functions_and_assumptions() {
        let text = "[functions.log_state]\nreads = [\"0\", 1]\nwrites = []\nio = true\n\n\
                    [functions.norm]\npure = true\n\n[assume]\nnoalias = [\"relax\", \"norm\"]\n";
        let (config, problems) = parse("o.toml", text);
        assert_eq!(problems, []);
        let log = config.functions["log_state"].effects.as_ref().unwrap();
        assert!(log.io && log.reads.len() == 2 && log.writes.is_empty());
        let norm = &config.functions["norm"];
        assert!(norm.noalias && norm.effects.is_some());
        assert_eq!(norm.place.to_string(), "o.toml:6:12");
        assert!(config.functions["relax"].effects.is_none() && !config.noalias_everywhere);
        assert!(parse("o.toml", "[assume]\nnoalias = true").0.noalias_everywhere);
    }

    #[test]
    fn mistakes_have_a_place_and_a_suggestion() {
        assert_eq!(
            problems("[functions.f]\nread = [\"0\"]\n[function.g]\n[assume]\nno_alias = true\n"),
            [
                "o.toml:2:1: there is no key `read`; did you mean `reads`?",
                "o.toml:3:2: there is no table `function`; did you mean `functions`?",
                "o.toml:5:1: there is nothing called `no_alias` to assume; did you mean `noalias`?",
            ]
        );
        assert_eq!(
            problems("[functions.f]\nreads = true\nio = \"yes\"\n[functions.g]\nreads = [\"u\"]\n[functions.h]\n"),
            [
                "o.toml:2:9: `reads` takes arguments, as [\"0\", \"1\"], and this is of type boolean",
                "o.toml:3:6: `io` takes true or false, and this is of type string",
                "o.toml:5:10: `u` is not understood in `reads`; write an argument's number, counted from 0, as 0 or 1.. or, \
                 with how many bytes, 0[2], 0[2*#8], 0[#8], 0[s], 0[*]; or :NAME",
                "o.toml:6:12: nothing is said of `h`; write `pure`, or what it does, as `reads` and `writes`",
            ]
        );
    }

    #[test]
    fn an_entry_with_a_mistake_counts_for_nothing_and_the_others_do() {
        let (config, problems) = parse(
            "o.toml",
            "[functions.f]\nwrites = []\nread = [\"0\"]\n[functions.g]\npure = true\n",
        );
        assert_eq!(problems.len(), 1);
        assert_eq!(config.functions.keys().collect::<Vec<_>>(), ["g"]);
    }

    #[test]
    fn what_is_no_toml_is_said_with_its_place() {
        let problems = problems("[functions.f\npure = true\n");
        assert!(
            problems[0].starts_with("o.toml:1:") && problems[0].contains("this is not TOML"),
            "{problems:?}"
        );
    }
}
