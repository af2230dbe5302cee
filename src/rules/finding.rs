//! What is found about a place, by a rule.

use super::Rule;
use crate::source::{Position, Span};
use serde::Serialize;
use std::path::PathBuf;

/// One of two ways that are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingWay {
    /// What leads to where the finding is.
    This,
    /// What others do instead.
    Other,
}

/// A place that a finding has to do with: where the value was written, where the copy ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RelatedPlace {
    /// The file.
    pub path: PathBuf,
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// The line that it begins in, without its end.
    pub line: String,
    /// What is there.
    pub message: String,
    /// The place is a step on one of two ways that are compared, in their order.
    pub way: Option<FindingWay>,
}

/// A change of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FixEdit {
    /// The file.
    pub path: PathBuf,
    /// What is replaced; nothing where it is empty.
    pub span: Span,
    /// Where that begins.
    pub start: Position,
    /// Where that ends.
    pub end: Position,
    /// By what.
    pub text: String,
}

/// What to write instead.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RuleFix {
    /// In words: `` `map(from: a)` in the place of … ``.
    pub says: String,
    pub edits: Vec<FixEdit>,
}

/// A violation of a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RuleFinding {
    /// Where.
    pub span: Span,
    /// The rule.
    pub rule: Rule,
    /// What.
    pub message: String,
    /// The function that it is in.
    pub function: String,
    /// The array that it is about, as people know it: `` `u` ``.
    pub array: String,
    /// The program violates it whenever control comes there: an error, and not a warning.
    pub surely: bool,
    /// The places that the violation has to do with, in the order of the program.
    pub related: Vec<RelatedPlace>,
    /// What to write instead, where that is one change.
    pub fix: Option<RuleFix>,
}
