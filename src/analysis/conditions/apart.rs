//! Guards that say that two arrays do not overlap: `x + n <= y || y + n <= x` of `x[0:n]` and `y[0:n]`; of
//! `double (*a)[m]`, where a step is a row, of `a[0:n][0:m]`.

use crate::analysis::access::element_bytes;
use crate::analysis::arrays::element_of;
use crate::analysis::arrays::inner_dims;
use crate::analysis::cexpr::evaluate;
use crate::analysis::conditions::reader::{ConditionReader, top_level};
use crate::analysis::movement::scope::NameScope;
use crate::analysis::rows::declared_rows;
use crate::analysis::values::table::Base;
use crate::symbolic::{Expr, Facts, Section};

/// Two sections that share nothing, in elements of what the pointers point to.
#[derive(Clone, Debug)]
pub struct Apart {
    one: (Base, Section),
    other: (Base, Section),
}

impl Apart {
    /// Whether all of these sections of two arrays are apart: each is a part of what is.
    pub fn holds(&self, a: (Base, &[Section]), b: (Base, &[Section]), facts: &Facts) -> bool {
        let within = |known: &(Base, Section), (base, list): (Base, &[Section])| {
            let covered = |s: &Section| known.1.provably_covers(s, facts);
            known.0 == base && !list.is_empty() && list.iter().all(covered)
        };
        within(&self.one, a) && within(&self.other, b) || within(&self.one, b) && within(&self.other, a)
    }

    /// What a condition says of this kind.
    pub(super) fn read(text: &str, reader: &ConditionReader<'_>, scope: &NameScope<'_>) -> Option<Apart> {
        let operators = top_level(text);
        let mut outer = operators.iter().filter(|(_, op)| !["+", "-", "*", "/"].contains(op));
        let (first, or, second) = match (outer.next()?, outer.next()?, outer.next()?, outer.next()) {
            ((first, "<="), (or, "||"), (second, "<="), None) => (*first, *or, *second),
            _ => return None,
        };
        let at = |text: &str| at(text, reader, scope);
        let (one_end, other_start) = (at(&text[..first])?, at(&text[first + 2..or])?);
        let (other_end, one_start) = (at(&text[or + 2..second])?, at(&text[second + 2..])?);
        if one_end.0 != one_start.0 || other_end.0 != other_start.0 {
            return None;
        }
        Some(Apart {
            one: (one_end.0, Section::new(one_start.1, one_end.1)),
            other: (other_end.0, Section::new(other_start.1, other_end.1)),
        })
    }
}

/// An element of an array: `x + n - 1`, where `x` points to elements of the size that the array has, or to rows of them.
fn at(text: &str, reader: &ConditionReader<'_>, scope: &NameScope<'_>) -> Option<(Base, Expr)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let (base, offset) = scope.base(name)?;
    let declared = scope.declared(name)?;
    let size = element_bytes(declared)?;
    // A pointer is moved in 64 bits.
    let index = evaluate(&format!("0L {rest}"), scope)?;
    let rows = || declared_rows(reader.model, reader.macros, scope.stmt(), name);
    let dims = inner_dims(Some(declared)).or_else(rows)?;
    let index = dims.iter().try_fold(index, |index, length| index.mul(length))?;
    (offset.is_zero() && element_of(reader.model, base) == Some(size)).then_some((base, index))
}
