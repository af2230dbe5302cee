//! Findings as an editor shows them.
//!
//! | level | severity |
//! |---|---|
//! | error, of a rule or of clang | error |
//! | warning | warning |
//! | advice; data movement that can be reduced | information |
//! | remark, note | hint |

use super::analyst::AnalysedFile;
use super::compile_errors::{self, CompileError};
use super::documentation::DocumentationAddress;
use super::positions::{Encoding, PlacedText, ToolPlace};
use super::uris;
use crate::report::{Finding, Level, Related};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Position,
    Range, Uri,
};
use std::path::Path;

/// The name that the tool has among an editor's sources of messages.
pub const SOURCE: &str = "ompmemopt";

/// Writes diagnostics for an editor.
pub struct DiagnosticWriter<'a> {
    pub encoding: Encoding,
    pub documentation: &'a DocumentationAddress,
    /// Whether the editor shows other places that a message has to do with.
    pub related: bool,
}

impl DiagnosticWriter<'_> {
    /// What is said of a file.
    pub fn of_file(&self, file: &AnalysedFile) -> Vec<Diagnostic> {
        let text = PlacedText::new(&file.old, self.encoding);
        // Of an empty text there is nothing to say, and that it is one everybody sees.
        let findings = file.report.findings.iter().filter(|_| !file.old.is_empty());
        let mut all = Vec::new();
        for finding in findings {
            match self.of_compiler(file, finding, &text) {
                errors if !errors.is_empty() => all.extend(errors),
                _ => all.push(self.of_finding(finding, &text)),
            }
        }
        all
    }

    /// A finding.
    pub fn of_finding(&self, finding: &Finding, text: &PlacedText<'_>) -> Diagnostic {
        let id = finding.id.as_deref().unwrap_or(match finding.level {
            Level::Change => "data-movement",
            Level::Error => "file-skipped",
            _ => "note",
        });
        let description = finding.id.as_deref().and_then(|id| self.documentation.of(id));
        let related: Vec<_> = finding.related.iter().filter_map(|r| self.related_to(r)).collect();
        Diagnostic {
            range: range_of(finding, text),
            severity: Some(severity(finding.level)),
            code: Some(NumberOrString::String(id.to_owned())),
            code_description: description.map(|href| CodeDescription { href }),
            source: Some(SOURCE.to_owned()),
            message: finding.message.clone(),
            related_information: Some(related).filter(|related| self.related && !related.is_empty()),
            tags: None,
            data: None,
        }
    }

    /// What clang says of a file that it does not accept, one for each error.
    fn of_compiler(&self, file: &AnalysedFile, finding: &Finding, text: &PlacedText<'_>) -> Vec<Diagnostic> {
        if finding.level != Level::Error || finding.line > 0 {
            return Vec::new();
        }
        let errors = compile_errors::of_message(&finding.message, &file.path);
        let diagnostic = |error: &CompileError| {
            let elsewhere = error.elsewhere.as_ref();
            let place = elsewhere.map(|e| format!(" ({}, line {})", e.path.display(), e.place.line));
            let location = elsewhere.and_then(|e| {
                let start = Position::new(e.place.line.saturating_sub(1), e.place.column.saturating_sub(1));
                let uri = uris::uri_of(&uris::known_as(&e.path))?;
                Some(DiagnosticRelatedInformation {
                    location: Location::new(uri, Range::new(start, start)),
                    message: error.message.clone(),
                })
            });
            Diagnostic {
                range: text.range(error.place, error.place),
                severity: Some(DiagnosticSeverity::ERROR),
                code: Some(NumberOrString::String("clang".to_owned())),
                source: Some(SOURCE.to_owned()),
                message: format!("{}{}", error.message, place.unwrap_or_default()),
                related_information: location.filter(|_| self.related).map(|location| vec![location]),
                ..Diagnostic::default()
            }
        };
        errors.iter().map(diagnostic).collect()
    }

    fn related_to(&self, related: &Related) -> Option<DiagnosticRelatedInformation> {
        let uri = uri_of_shown(&related.path)?;
        // Only the line that it begins in is at hand.
        let units = |column: u32| {
            let before = related.excerpt.get(..(column as usize).saturating_sub(1));
            self.encoding.units(before.unwrap_or(&related.excerpt))
        };
        let line = related.line.saturating_sub(1);
        let end = if related.end_line == related.line {
            related.end_column
        } else {
            u32::MAX
        };
        let range = Range::new(
            Position::new(line, units(related.column)),
            Position::new(line, units(end)),
        );
        Some(DiagnosticRelatedInformation {
            location: Location::new(uri, range),
            message: related.message.clone(),
        })
    }
}

/// The lines of a finding: of a statement of many lines, the first. What is about the whole file is about its first line.
pub fn range_of(finding: &Finding, text: &PlacedText<'_>) -> Range {
    let place = |line: u32, column: u32| ToolPlace {
        line: line.max(1),
        column: column.max(1),
    };
    text.range_in_line(
        place(finding.line, finding.column),
        place(finding.end_line, finding.end_column),
    )
}

/// The name of a file that a report names as people see it from the current folder.
fn uri_of_shown(shown: &str) -> Option<Uri> {
    uris::uri_of(&std::path::absolute(Path::new(shown)).ok()?)
}

fn severity(level: Level) -> DiagnosticSeverity {
    match level {
        Level::Error | Level::Violation => DiagnosticSeverity::ERROR,
        Level::Warning => DiagnosticSeverity::WARNING,
        Level::Advice | Level::Change => DiagnosticSeverity::INFORMATION,
        Level::Remark | Level::Note => DiagnosticSeverity::HINT,
    }
}
