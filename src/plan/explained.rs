//! What the list items of a file's constructs do with their arrays, for who explains it.

use crate::openmp::effects::MapEffect;
use crate::source::Span;

/// A list item of a construct, or an array that a kernel uses without naming it in a clause.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExplainedItem {
    /// The construct's directive.
    pub span: Span,
    /// The end of the construct, with the statement that it is about: an offset in the text.
    pub end: usize,
    /// The construct's name, as `target enter data`.
    pub construct: String,
    /// The function that it stands in.
    pub function: String,
    /// The item, as the text has it, or the array's name.
    pub item: String,
    /// No clause names it.
    pub implied: bool,
    /// Bytes per element.
    pub element: u64,
    /// The bytes that it names, where their number is a constant.
    pub bytes: Option<u64>,
    /// What happens where control meets the construct: one thing, or several over all calls and ways; nothing where that is no matter of it.
    pub entry: Vec<MapEffect>,
    /// What happens at the construct's end.
    pub exit: Vec<MapEffect>,
}
