//! Files as bytes: lines, spans, edits, diffs, atomic writes. Knows nothing of C.
//!
//! A run reads each file once ([`SourceFile`]), finds its lines ([`LineIndex`]), collects what is to change as
//! [`Edit`]s in an [`EditSet`], and either shows the difference ([`unified_diff`]) or replaces the file
//! ([`SourceFile::write_in_place`]), alone or together with others ([`replace_together()`]). Which files a run is about is [`discover()`]'s answer.
//!
//! **Invariants.** Edits never overlap. A file is replaced whole or not at all. Text is never decoded: every position is
//! a byte offset, and a column counts bytes from one, as clang's do.

pub mod diff;
pub mod discover;
pub mod edit;
pub mod file;
mod foreign;
mod identity;
pub mod lines;
mod patch;
pub mod span;
pub mod together;

pub use diff::{ChangedLines, changed_lines, unified_diff};
pub use discover::{discover, discover_named, texts_below};
pub use edit::{Edit, EditSet};
pub use file::SourceFile;
pub use identity::{FileId, are_one_file};
pub use lines::{LineIndex, Position};
pub use patch::EditedHunks;
pub use span::Span;
pub use together::replace_together;
