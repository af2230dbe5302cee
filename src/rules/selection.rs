//! Which rules a run is about.
//!
//! ```text
//! --select OMM1,round-trip --ignore OMM110        // all of OMM1.. but OMM110, and OMM205
//! ```
//!
//! A word names one rule by its code or name, or by the begin of their codes several. Where nothing is selected, all rules are that are no advice.

use super::{RULES, Rule};
use std::collections::BTreeSet;

/// The rules that one word names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedRules(pub Vec<Rule>);

impl NamedRules {
    /// Reads a word.
    ///
    /// # Errors
    /// What to do, where no rule is meant.
    pub fn parse(word: &str) -> Result<NamedRules, String> {
        if let Some(rule) = Rule::named(word) {
            return Ok(NamedRules(vec![rule]));
        }
        let begins = |rule: &&Rule| {
            let code = rule.text().code;
            word.len() > 3 && code.len() > word.len() && code[..word.len()].eq_ignore_ascii_case(word)
        };
        let several: Vec<Rule> = match word.is_ascii() {
            true => RULES.iter().filter(begins).copied().collect(),
            false => Vec::new(),
        };
        match several.is_empty() {
            true => Err("no rule has that code or name; `ompmemopt rules` lists them".to_owned()),
            false => Ok(NamedRules(several)),
        }
    }
}

/// Which rules somebody wants to hear of.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RuleSelection {
    /// These; `None`: nothing is said of that.
    pub select: Option<BTreeSet<Rule>>,
    /// Not these, whatever is selected.
    pub ignore: BTreeSet<Rule>,
}

impl RuleSelection {
    /// What two lists of words say.
    pub fn new(select: &[NamedRules], ignore: &[NamedRules]) -> RuleSelection {
        let all = |named: &[NamedRules]| named.iter().flat_map(|n| n.0.iter().copied()).collect();
        RuleSelection {
            select: (!select.is_empty()).then(|| all(select)),
            ignore: all(ignore),
        }
    }

    /// The selection with what another one, which has the say, says beside it.
    #[must_use]
    pub fn under(&self, other: &RuleSelection) -> RuleSelection {
        RuleSelection {
            select: other.select.clone().or_else(|| self.select.clone()),
            ignore: match other.select {
                // Who selects rules by hand wants them, whatever the project ignores.
                Some(_) => other.ignore.clone(),
                None => self.ignore.union(&other.ignore).copied().collect(),
            },
        }
    }

    /// Whether a rule is wanted.
    pub fn wants(&self, rule: Rule) -> bool {
        let selected = self.select.as_ref();
        selected.map_or(!rule.is_advice(), |rules| rules.contains(&rule)) && !self.ignore.contains(&rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(select: &[&str], ignore: &[&str]) -> RuleSelection {
        let read = |words: &[&str]| -> Vec<NamedRules> {
            let named = words.iter().map(|word| NamedRules::parse(word).expect("a rule"));
            named.collect()
        };
        RuleSelection::new(&read(select), &read(ignore))
    }

    #[test]
    fn rules_are_named_alone_or_by_the_begin_of_their_codes() {
        let wanted = |s: &RuleSelection| RULES.iter().filter(|r| s.wants(**r)).count();
        assert_eq!(wanted(&selection(&[], &[])), 17);
        assert_eq!(wanted(&selection(&["OMM3"], &[])), 4);
        assert_eq!(wanted(&selection(&["OMM2"], &[])), 6);
        assert_eq!(wanted(&selection(&["omm1", "round-trip"], &["OMM110"])), 12);
        assert!(NamedRules::parse("OMM").is_err() && NamedRules::parse("OMM4").is_err());
        assert!(NamedRules::parse("ÖMM1").is_err());
    }

    #[test]
    fn the_command_line_has_the_say() {
        let project = selection(&["OMM1"], &["OMM110"]);
        let wants = |s: &RuleSelection, rule: Rule| project.under(s).wants(rule);
        assert!(!wants(&selection(&[], &[]), Rule::NeverReleased));
        assert!(wants(&selection(&["OMM110"], &[]), Rule::NeverReleased));
        assert!(!wants(&selection(&[], &["OMM101"]), Rule::MissingTo));
    }
}
