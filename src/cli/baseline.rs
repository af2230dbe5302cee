//! Findings that are known: what an earlier `ompmemopt check --output-format json` has printed.
//!
//! ```text
//! ompmemopt check src/ --output-format json > known.json
//! ompmemopt check src/ --baseline known.json             # says what is new
//! ```
//!
//! A finding is known by its file, rule, function, array and message, wherever in the file it stands, as often as it was found then: so lines may
//! move, and one more of a kind is said.

use crate::report::{FileReport, Finding, Level};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What a finding is known by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct KnownFinding {
    path: String,
    id: Option<String>,
    function: Option<String>,
    array: Option<String>,
    message: String,
}

/// The findings that are known, and how often.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Baseline(BTreeMap<KnownFinding, usize>);

#[derive(Deserialize)]
struct BaselineDocument {
    version: u32,
    files: Vec<BaselineFile>,
}

#[derive(Deserialize)]
struct BaselineFile {
    path: String,
    findings: Vec<BaselineFinding>,
}

#[derive(Deserialize)]
struct BaselineFinding {
    level: String,
    id: Option<String>,
    function: Option<String>,
    array: Option<String>,
    message: String,
}

/// The version of documents that are read here.
const VERSION: u32 = 1;

impl Baseline {
    /// Reads what an earlier run has printed.
    ///
    /// # Errors
    /// A message for people: the file cannot be read, or is none of these.
    pub fn read(path: &Path) -> Result<Baseline, String> {
        let name = path.display();
        let wrong =
            |why: String| format!("{name}: {why}; a baseline is what `ompmemopt check --output-format json` prints");
        let text = std::fs::read(path).map_err(|error| format!("{name}: cannot be read ({error})"))?;
        let document: BaselineDocument =
            serde_json::from_slice(&text).map_err(|error| wrong(format!("not understood ({error})")))?;
        if document.version != VERSION {
            return Err(wrong(format!(
                "version {} of the format, where {VERSION} is known: write it anew",
                document.version
            )));
        }
        let mut known: BTreeMap<KnownFinding, usize> = BTreeMap::new();
        for file in document.files {
            let violations = file
                .findings
                .into_iter()
                .filter(|f| matches!(f.level.as_str(), "violation" | "warning"));
            for finding in violations {
                let key = KnownFinding {
                    path: file.path.clone(),
                    id: finding.id,
                    function: finding.function,
                    array: finding.array,
                    message: finding.message,
                };
                *known.entry(key).or_default() += 1;
            }
        }
        Ok(Baseline(known))
    }

    /// Takes what is known out of what was found in a file.
    pub fn leave_out(&mut self, file: &mut FileReport) {
        let path = file.path.clone();
        let mut is_known = |finding: &Finding| {
            let key = KnownFinding {
                path: path.clone(),
                id: finding.id.clone(),
                function: finding.function.clone(),
                array: finding.array.clone(),
                message: finding.message.clone(),
            };
            let left = self.0.get_mut(&key).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        };
        file.findings
            .retain(|f| !matches!(f.level, Level::Violation | Level::Warning) || !is_known(f));
    }
}
