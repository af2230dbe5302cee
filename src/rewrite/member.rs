//! A file between linking and writing.

use super::reading::ParsedFile;
use super::unit::Unit;
use crate::program::link::ObjectFile;

/// A file of a linked program.
pub(super) struct Member<'a> {
    /// The file's place among the units.
    pub at: usize,
    pub unit: Unit<'a>,
    pub read: &'a ParsedFile,
    /// What was linked.
    pub object: &'a ObjectFile,
    /// The file is not written.
    pub context: bool,
}
