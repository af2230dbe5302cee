//! Findings that are known: what an earlier `ompmemopt check --output-format json` has printed.
//!
//! ```text
//! ompmemopt check src/ --output-format json > known.json
//! ompmemopt check src/ --baseline known.json             # says what is new
//! ```
//!
//! A finding is known by its file, rule, function, array and message, wherever in the file it stands, as often as it was found then: so lines may
//! move, and one more of a kind is said.

use crate::report::{FileReport, Finding};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What a finding is known by, beside its file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
struct KnownFinding {
    id: Option<String>,
    function: Option<String>,
    array: Option<String>,
    message: String,
}

/// The findings that are known, by their files, and how often.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Baseline(BTreeMap<String, BTreeMap<KnownFinding, usize>>);

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
    #[serde(flatten)]
    known: KnownFinding,
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
        let mut known = Baseline::default();
        for file in document.files {
            let of_file = known.0.entry(file.path).or_default();
            let is_violation = |f: &BaselineFinding| matches!(f.level.as_str(), "violation" | "warning" | "advice");
            for finding in file.findings.into_iter().filter(is_violation) {
                *of_file.entry(finding.known).or_default() += 1;
            }
        }
        Ok(known)
    }

    /// Takes what is known out of what was found in a file.
    pub fn leave_out(&mut self, file: &mut FileReport) {
        let Some(of_file) = self.0.get_mut(&file.path) else {
            return;
        };
        let mut is_known = |finding: &Finding| {
            let key = KnownFinding {
                id: finding.id.clone(),
                function: finding.function.clone(),
                array: finding.array.clone(),
                message: finding.message.clone(),
            };
            let left = of_file.get_mut(&key).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        };
        file.findings.retain(|f| !f.level.is_of_rule() || !is_known(f));
    }
}
