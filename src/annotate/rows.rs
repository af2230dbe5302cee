//! Rows of variably modified types, and sections in whole rows.
//!
//! ```c
//! void f(int n, int m, double a[n][m], double (*b)[2 * m]);       /* rows of m, and of 2 * m                         */
//! ```
//!
//! The compiler's types do not say how long these rows are: the declaration does, for the values that its variables had
//! there.

use super::spell::Speller;
use crate::analysis::cexpr::evaluate;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::scope::{Scope, visible_variable};
use crate::plan::file::FileFacts;
use crate::plan::names::divide;
use crate::symbolic::{Expr, Facts, Section};
use crate::syntax::{StmtId, StmtKind, array_lengths, declaration_in_scope};

/// The lengths of the dimensions below the outermost that the declaration of a variable gives.
pub(super) fn declared_rows(file: &FileFacts<'_>, speller: &Speller<'_>, name: &str) -> Option<Vec<Expr>> {
    let model = speller.at.model;
    visible_variable(model, speller.at.stmt, name)?;
    let declared = declaration_in_scope(model.tree, speller.at.stmt, name)?;
    let (pointer, lengths) = array_lengths(file.text, declared.span)?;
    let scope = Scope::before(model, &file.macros, place_of(model, declared.span.start)?)?;
    let inner = lengths.iter().skip(usize::from(!pointer));
    inner
        .map(|text| evaluate(text, &scope).filter(|e| !e.has_opaque()))
        .collect()
}

/// The statement before which what stands in a declaration has the values that count there.
fn place_of(model: &FunctionModel<'_>, at: usize) -> Option<StmtId> {
    let tree = model.tree;
    let function = &tree.functions[model.tree_function];
    if at < tree.stmt(function.body).span.start {
        return tree.stmt(function.body).children.first().copied();
    }
    let declares = |s: &StmtId| {
        let stmt = tree.stmt(*s);
        stmt.function as usize == model.tree_function
            && matches!(stmt.kind, StmtKind::Decl { .. })
            && stmt.span.start <= at
            && at < stmt.span.end
    };
    (0..tree.stmts.len() as u32).map(StmtId).find(declares)
}

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
