//! What the per-file part hands to the whole-program part, and how it travels as bytes.
//!
//! ```text
//! text, flags ─► gather (clang) ─► UnitFacts ─► encode ─┬► F.omps: a summary, made anywhere, read by `rewrite --summaries`
//!                                      ▲                └► the store: made once, found again by the next run
//!                                      └── decode ◄── container (whole? ours? of this version?)
//! ```
//!
//! The facts of a file are its [plain IR](crate::program::ir) with what its headers declare, the spans of its inactive `#if` branches, and of what they
//! were made: the text and each file that clang read, by hash. The scope tree is not among them: making it again from the
//! text takes no longer than reading it would. `docs/summaries.md` describes the bytes.
//!
//! **Invariants.** Equal inputs give equal bytes: no time, no address, no order of hashing is in them. Bytes that are not
//! exactly what this version wrote are refused with a reason, whatever they are; nothing of their content is believed
//! before the checksum is. Facts may be out of date ([`UnitFacts::stale`]) but never for another text or other flags than
//! they name.

mod choices;
mod codec;
mod container;
mod declared;
mod disk;
mod error;
mod evaluations;
mod fields;
mod format;
mod gather;
mod header_texts;
mod includes;
mod left_out;
mod make_rule;
mod moved;
mod other_macros;
mod parsed_texts;
mod shelf;
mod source;
mod store;
mod store_key;
mod summary;
mod sweep;
#[cfg(test)]
mod tests;
mod unit;
mod unseen;
mod written_down;

pub use declared::{bodies, headers};
pub use includes::{headers_below, headers_mention_target};
pub use make_rule::make_rule;
pub use moved::EditedText;
pub use parsed_texts::ParsedText;
pub use source::UnitSource;
pub use store::Store;
pub use store_key::StoreKey;
pub use summary::{EXTENSION, FoundSummary, read_dir, write};
pub use unit::{Dependency, UnitFacts};
