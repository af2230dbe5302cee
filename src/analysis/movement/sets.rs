//! Small conveniences over [`SectionSet`] for the movement analyses.

use crate::symbolic::{Section, SectionSet};

/// A set of one section, even where that may be empty.
pub fn one(section: Section) -> SectionSet {
    SectionSet::Union(vec![section])
}

/// The sections of a set, or `None` for the whole object of unknown bounds.
pub trait List {
    /// The sections.
    fn list(&self) -> Option<&[Section]>;
}

impl List for SectionSet {
    fn list(&self) -> Option<&[Section]> {
        if self.is_all() { None } else { Some(self.sections()) }
    }
}
