//! The comparison without the preprocessor: both texts as they are written.
//!
//! What a rewriting adds are pragmas and braces. If all other directives are the same, macros mean the same in both
//! texts, and it is enough that the syntax trees before expansion agree. Starting the preprocessor and parsing the
//! headers would cost more than everything else the guard does. Where a text does not parse as it is written (a macro
//! that stands for half a statement), or the trees differ, there is no answer here.

use super::shape;
use super::tokens::same_pragmas;
use crate::syntax::{foreign_types, plain};
use lang_c::driver::{Config, parse_preprocessed};

/// Whether the texts are the same program but for what a rewriting may add; false where that is not sure.
pub fn same(original: &[u8], rewritten: &[u8], kernels: bool) -> bool {
    let (old, new) = (plain(original), plain(rewritten));
    if old.directives != new.directives || same_pragmas(&old.pragmas, &new.pragmas, kernels).is_err() {
        return false;
    }
    let types: String = foreign_types(&old.text)
        .iter()
        .map(|t| format!("typedef int {t};\n"))
        .collect();
    let parse = |text: Vec<u8>| {
        let text = types.clone() + &String::from_utf8(text).ok()?;
        let unit = parse_preprocessed(&Config::with_clang(), text).ok()?.unit;
        Some(shape::of_unit(&unit))
    };
    match (parse(old.text), parse(new.text)) {
        (Some(old), Some(new)) => shape::same(&old, &new),
        _ => false,
    }
}
