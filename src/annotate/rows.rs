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
    /// Where it is these that the elements lie in: a condition for each dimension of which nothing else says it.
    pub when: Vec<Requirement>,
}

/// So often a column is moved by a row, so that it is no larger than it has to be.
const MOST_MOVES: usize = 4;

/// A place in rows: which row, and the column in it.
struct RowPlace {
    row: Expr,
    column: Expr,
}

impl RowPlace {
    /// The place behind so many elements, where a row has `length`.
    fn of(elements: &Expr, length: &Expr) -> Option<RowPlace> {
        let (row, column) = divide(elements, length)?;
        Some(RowPlace { row, column })
    }

    /// The place in the row before, where only there the column surely is `least` or more.
    fn with_column_from(self, least: i128, length: &Expr, facts: &Facts) -> Option<RowPlace> {
        let before = self.column.add(length)?;
        let is_least = |column: &Expr| column.offset(-least).is_some_and(|more| facts.prove_nonneg(&more));
        match !is_least(&self.column) && is_least(&before) {
            true => Some(RowPlace {
                row: self.row.offset(-1)?,
                column: before,
            }),
            false => Some(self),
        }
    }

    /// The place with the smallest column that surely is one: with short rows, what a column is counts as rows in part.
    fn with_small_column(self, length: &Expr, facts: &Facts) -> Option<RowPlace> {
        let mut place = self;
        for _ in 0..MOST_MOVES {
            let less = place.column.sub(length)?;
            if !facts.prove_nonneg(&less.offset(-1)?) {
                break;
            }
            place = RowPlace {
                row: place.row.offset(1)?,
                column: less,
            };
        }
        Some(place)
    }
}

/// How many rows, and what has to hold for that.
struct AskedRows {
    rows: Expr,
    asked: Option<Requirement>,
}

/// The whole rows that a section lies in. A row of which an element is used exists as a whole: the type says so.
pub(super) fn whole_rows(section: &Section, dims: &[Expr], facts: &Facts) -> Option<WholeRows> {
    let row = dims.iter().try_fold(Expr::constant(1), |p, d| p.mul(d))?;
    let mut when = Vec::new();
    // Each dimension by itself where something is asked: then these are lengths that the text has names for.
    let mut in_rows = |elements: &Expr, of: &dyn Fn(&Expr, &Expr) -> Option<AskedRows>| {
        if let AskedRows { rows, asked: None } = of(elements, &row)? {
            return Some(rows);
        }
        let mut rows = elements.clone();
        for length in dims.iter().rev() {
            let AskedRows { rows: outer, asked } = of(&rows, length)?;
            rows = outer;
            when.extend(asked.filter(|asked| !when.contains(asked)));
        }
        Some(rows)
    };
    let begins = in_rows(&section.lo, &|element, length| first_row(element, length, facts))?;
    let ends = in_rows(&section.hi, &|elements, length| last_row(elements, length, facts))?;
    let section = Section::new(begins.mul(&row)?, ends.mul(&row)?);
    Some(WholeRows { section, when })
}

/// The row that an element is in.
fn first_row(element: &Expr, length: &Expr, facts: &Facts) -> Option<AskedRows> {
    let place = RowPlace::of(element, length)?;
    let RowPlace { row, column } = place.with_column_from(0, length, facts)?;
    if !facts.prove_nonneg(&column) {
        return None;
    }
    let asked = at_most(column.offset(1)?, length, facts);
    Some(AskedRows { rows: row, asked })
}

/// That so many columns are no more than a row has, if it is not known.
fn at_most(columns: Expr, length: &Expr, facts: &Facts) -> Option<Requirement> {
    let is_known = facts.prove_le(&columns, length);
    (!is_known).then(|| Requirement::AtMost {
        left: columns,
        right: length.clone(),
    })
}

/// How many rows so many elements lie in, and what has to hold for that.
fn last_row(elements: &Expr, length: &Expr, facts: &Facts) -> Option<AskedRows> {
    let place = RowPlace::of(elements, length)?;
    // The elements end in the last column of a row, or before.
    if facts.prove_nonneg(&place.column.neg()?) {
        let is_last = facts.prove_le(&length.offset(-1)?.neg()?, &place.column);
        return is_last.then_some(AskedRows {
            rows: place.row,
            asked: None,
        });
    }
    let place = place.with_column_from(1, length, facts)?;
    let RowPlace { row, column } = place.with_small_column(length, facts)?;
    if !facts.prove_nonneg(&column.offset(-1)?) {
        return None;
    }
    Some(AskedRows {
        rows: row.offset(1)?,
        asked: at_most(column, length, facts),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::Sym;

    fn number(n: i128) -> Expr {
        Expr::constant(n)
    }

    /// The rows of `a[0:end]`, where `n` is positive, and what is asked.
    fn rows(end: &Expr, dims: &[i128]) -> Option<(Expr, Vec<Requirement>)> {
        let mut facts = Facts::new();
        facts.assume_le(&number(3), &Expr::sym(Sym(0)));
        let dims: Vec<Expr> = dims.iter().map(|d| number(*d)).collect();
        let found = whole_rows(&Section::new(Expr::zero(), end.clone()), &dims, &facts)?;
        Some((found.section.hi, found.when))
    }

    #[test]
    fn each_dimension_is_asked_for_by_itself() {
        let n = Expr::sym(Sym(0));
        let less = n.offset(-1).unwrap();
        let at_most = |right| Requirement::AtMost {
            left: n.clone(),
            right: number(right),
        };
        // (n - 1) * 10 + n
        let end = less.scale(10).unwrap().add(&n).unwrap();
        assert_eq!(rows(&end, &[10]), Some((n.scale(10).unwrap(), vec![at_most(10)])));
        // ((n - 1) * 10 + n - 1) * 20 + n
        let inner = end.offset(-1).unwrap();
        let end = inner.scale(20).unwrap().add(&n).unwrap();
        let asked = vec![at_most(20), at_most(10)];
        assert_eq!(rows(&end, &[10, 20]), Some((n.scale(200).unwrap(), asked)));
    }

    #[test]
    fn columns_are_asked_for() {
        let (n, k) = (Expr::sym(Sym(0)), Expr::sym(Sym(1)));
        let mut facts = Facts::new();
        facts.assume_le(&number(1), &n);
        facts.assume_nonneg(&k);
        // a[0][k] to a[n - 1][k]
        let end = n
            .offset(-1)
            .unwrap()
            .scale(10)
            .unwrap()
            .add(&k.offset(1).unwrap())
            .unwrap();
        let found = whole_rows(&Section::new(k.clone(), end), &[number(10)], &facts).unwrap();
        assert_eq!(found.section, Section::new(Expr::zero(), n.scale(10).unwrap()));
        let asked = Requirement::AtMost {
            left: k.offset(1).unwrap(),
            right: number(10),
        };
        assert_eq!(found.when, vec![asked]);
    }

    #[test]
    fn short_rows_are_told_from_columns() {
        let n = Expr::sym(Sym(0));
        // (n - 2) * 2 + n - 1
        let end = n.scale(3).unwrap().offset(-5).unwrap();
        let (rows, asked) = rows(&end, &[2]).unwrap();
        assert_eq!(rows, n.offset(-1).unwrap().scale(2).unwrap());
        let less = n.offset(-1).unwrap();
        assert_eq!(
            asked,
            vec![Requirement::AtMost {
                left: less,
                right: number(2)
            }]
        );
    }
}
