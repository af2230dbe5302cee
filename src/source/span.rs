//! Byte ranges of a file.

use serde::{Deserialize, Serialize};

/// A half-open byte range `[start, end)` of one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `[start, end)`.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end);
        Span { start, end }
    }
    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }
    /// Whether it covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
    /// Whether `offset` lies inside.
    pub fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }
    /// Whether `other` lies wholly inside.
    pub fn encloses(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
    /// Whether the two share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }
}
