//! Several entries for one function.

use super::{ConfigProblem, FunctionEntry};
use std::collections::{BTreeMap, BTreeSet};

/// What is said of what functions do, by name. Of those that contradict each other nothing is left.
pub fn merged<'e>(
    all: impl Iterator<Item = (&'e String, &'e FunctionEntry)>,
) -> (BTreeMap<String, FunctionEntry>, Vec<ConfigProblem>) {
    let mut entries: BTreeMap<String, FunctionEntry> = BTreeMap::new();
    let mut contradicted: BTreeSet<&String> = BTreeSet::new();
    let mut problems = Vec::new();
    for (name, entry) in all {
        let Some(known) = entries.get_mut(name) else {
            entries.insert(name.clone(), entry.clone());
            continue;
        };
        match (&known.effects, &entry.effects) {
            (Some(one), Some(other)) if one != other => {
                contradicted.insert(name);
                problems.push(ConfigProblem {
                    place: entry.place.clone(),
                    message: format!("something else is said of `{name}` in {}; neither counts", known.place),
                });
            }
            (None, Some(_)) => {
                known.effects.clone_from(&entry.effects);
                known.place = entry.place.clone();
            }
            _ => {}
        }
    }
    for name in contradicted {
        if let Some(entry) = entries.get_mut(name) {
            entry.effects = None;
        }
    }
    (entries, problems)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn merge(texts: &[&str]) -> (Vec<String>, Vec<String>) {
        let configs: Vec<_> = texts
            .iter()
            .enumerate()
            .map(|(i, text)| parse(&format!("{i}.toml"), text).0)
            .collect();
        let (entries, problems) = merged(configs.iter().flat_map(|c| &c.functions));
        let entry = |(name, e): (&String, &FunctionEntry)| format!("{name} {}", e.effects.is_some());
        let problems = problems.iter().map(ToString::to_string).collect();
        (entries.iter().map(entry).collect(), problems)
    }

    #[test]
    fn what_agrees_is_one_entry() {
        let (entries, problems) = merge(&[
            "[functions.f]\npure = true",
            "[functions.f]\npure = true\nnoalias = true",
            "[assume]\nnoalias = [\"f\"]",
        ]);
        assert_eq!((entries.join(", "), problems.len()), ("f true".into(), 0));
    }

    #[test]
    fn of_what_contradicts_each_other_neither_counts() {
        let (entries, problems) = merge(&["[functions.f]\npure = true", "[functions.f]\nreads = []\nwrites = [0]"]);
        assert_eq!(entries, ["f false"]);
        assert_eq!(
            problems,
            ["1.toml:1:12: something else is said of `f` in 0.toml:1:12; neither counts"]
        );
    }
}
