//! Sections in whole rows.

use crate::plan::names::divide;
use crate::symbolic::{Expr, Facts, Section};

/// The whole rows that a section lies in. A row of which an element is used exists as a whole: the type says so.
pub(super) fn whole_rows(section: &Section, dims: &[Expr], facts: &Facts) -> Option<Section> {
    let row = dims.iter().try_fold(Expr::constant(1), |p, d| p.mul(d))?;
    let last = row.offset(-1)?;
    let (begins, column) = divide(&section.lo, &row)?;
    if !facts.prove_nonneg(&column) || !facts.prove_le(&column, &last) {
        return None;
    }
    // The section ends in the last column of a row, or before.
    let (ends, column) = divide(&section.hi, &row)?;
    let ends = match facts.prove_nonneg(&column.neg()?) {
        true if facts.prove_le(&last.neg()?, &column) => ends,
        false if facts.prove_nonneg(&column.offset(-1)?) && facts.prove_le(&column, &row) => ends.offset(1)?,
        _ => return None,
    };
    Some(Section::new(begins.mul(&row)?, ends.mul(&row)?))
}
