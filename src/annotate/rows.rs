//! Sections in whole rows.
//!
//! ```c
//! void f(int n, int m, double a[100][110])        // for i < n, j < m: a[i][j] touches a[0:n*110-110+m]
//!                                                 // in rows: a[0:n][0:110], where m <= 110
//! ```

use crate::analysis::dependence::Requirement;
use crate::plan::names::divide;
use crate::symbolic::{Expr, Facts, Section};

/// Whole rows.
pub(super) struct WholeRows {
    pub section: Section,
    /// Where it is these that the elements lie in.
    pub when: Option<Requirement>,
}

/// The whole rows that a section lies in. A row of which an element is used exists as a whole: the type says so.
pub(super) fn whole_rows(section: &Section, dims: &[Expr], facts: &Facts) -> Option<WholeRows> {
    let row = dims.iter().try_fold(Expr::constant(1), |p, d| p.mul(d))?;
    let last = row.offset(-1)?;
    let (begins, column) = divide(&section.lo, &row)?;
    if !facts.prove_nonneg(&column) || !facts.prove_le(&column, &last) {
        return None;
    }
    // The section ends in the last column of a row, or before.
    let (ends, column) = divide(&section.hi, &row)?;
    let (ends, when) = match facts.prove_nonneg(&column.neg()?) {
        true if facts.prove_le(&last.neg()?, &column) => (ends, None),
        false if facts.prove_nonneg(&column.offset(-1)?) => {
            let is_known = facts.prove_le(&column, &row);
            let asked = (!is_known).then_some(Requirement::AtMost {
                left: column,
                right: row.clone(),
            });
            (ends.offset(1)?, asked)
        }
        _ => return None,
    };
    let section = Section::new(begins.mul(&row)?, ends.mul(&row)?);
    Some(WholeRows { section, when })
}
