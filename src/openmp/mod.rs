//! OpenMP directives and clauses as data, and what the standard says they do. Touches no file and no IR.
//!
//! * **Reading**: [`Directive::parse`] takes a pragma's text, raw or joined, and returns constructs, clauses and list items
//!   with byte ranges, plus problems; an unknown clause is data, not an error. [`Directive::unavailable_in`] says which
//!   parts a given [`SpecVersion`] does not have.
//! * **Writing**: [`Style`] is read off the user's own pragmas; [`mod@print`] writes new directives in it, and
//!   [`replace_map_clauses_styled`] exchanges the `map` clauses of a pragma and leaves every other byte alone.
//! * **Another dialect**: [`openacc`] says the same in OpenACC.
//! * **Meaning**: [`map`] is the interpreter of `map` clauses and reference counts; [`implicit`] gives the attribute of a
//!   variable that a `target` region uses.
//!
//! **Invariants.** Parsing never fails and never panics. All ranges are byte ranges within the text that was given.

pub mod clause;
pub mod directive;
pub mod effects;
pub mod implicit;
pub mod item;
pub mod map;
pub mod names;
pub mod openacc;
pub mod parse;
mod parse_clause;
pub mod print;
pub mod replace;
mod scan;
pub mod style;
pub mod version;
mod without_items;
pub mod words;

pub use clause::{Category, Clause, ClauseKind, DefaultmapBehaviour, DependKind, MapClause, MapModifier, MapType};
pub use directive::{Directive, DirectiveProblem};
pub use item::{Item, ItemPath, PathStep};
pub use names::{Association, Construct};
pub use print::{MapClauseText, MapEntry, group_maps};
pub use replace::replace_map_clauses_styled;
pub use style::{Style, detect_style};
pub use version::SpecVersion;
pub use without_items::without_items;
