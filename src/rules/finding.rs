//! What is found about a place, by a rule.

use super::Rule;
use crate::source::{Position, Span};
use std::path::PathBuf;

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
}
