//! For GitHub workflows: commands that become annotations on the lines of a pull request.

use super::{Level, Report};
use std::fmt::Write;

/// The report as workflow commands, one per finding.
pub fn github(report: &Report) -> String {
    let mut out = String::new();
    for file in &report.files {
        for finding in &file.findings {
            let command = match finding.level {
                Level::Error | Level::Violation => "error",
                Level::Change | Level::Warning => "warning",
                Level::Advice | Level::Remark | Level::Note => "notice",
            };
            let _ = write!(
                out,
                "::{command} title=ompmemopt {},file={}",
                property(finding.id.as_deref().unwrap_or(finding.level.as_str())),
                property(&file.path)
            );
            if finding.line > 0 {
                let _ = write!(out, ",line={},endLine={}", finding.line, finding.end_line);
                if finding.line == finding.end_line {
                    let _ = write!(out, ",col={},endColumn={}", finding.column, finding.end_column);
                }
            }
            let decision = finding.decision.as_ref().map(|id| format!(" [{id}]"));
            let _ = writeln!(
                out,
                "::{}{}",
                data(&finding.message),
                data(&decision.unwrap_or_default())
            );
        }
    }
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
