//! Files as bytes: lines, spans, edits, diffs, atomic writes. Knows nothing of C.

pub mod span;

pub use span::Span;
