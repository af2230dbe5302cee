//! Arrays of which threads of the host have copies.
//!
//! ```c
//! double line[64];
//! #pragma omp parallel for private(line)
//! for (int k = 0; k < 8; k++) { for (int i = 0; i < 64; i++) line[i] = k; … }     /* nothing happens to the line above */
//! ```
//!
//! `private` leaves the array alone, `firstprivate` reads all of it first, `reduction` and `lastprivate` read or write it at
//! the end. These are not told apart: an access that may be one to a copy may read and write all of the array, and surely
//! writes nothing.

use super::access::Access;
use super::function::FunctionModel;
use super::values::table::Base;

/// Whether an access on the host may be one to a thread's copy of an array. `others`: whatever else is accessed there.
pub fn may_be_of_copy<'a>(
    model: &FunctionModel<'_>,
    access: &Access,
    mut others: impl Iterator<Item = &'a Access>,
) -> bool {
    let (Some(at), Some(stmt)) = (&access.at, model.fine.stmt_of(access.node)) else {
        return false;
    };
    let name = match at.base {
        Base::Local(v) => Some(&model.function().variables[v.0 as usize].name),
        Base::Global(g) => Some(&model.module.global(g).name),
        // A copy of a pointer points to the same array.
        Base::Value(_) => None,
    };
    let host = &model.constructs.host;
    if host
        .around(model.tree, stmt)
        .any(|r| name.is_some_and(|n| r.copies.may_be(n)))
    {
        return true;
    }
    // Sections are copied under a pointer's name, and what is combined is written.
    let sections = host.around(model.tree, stmt).any(|r| r.sections);
    sections && others.any(|o| o.writes && o.at.as_ref().is_some_and(|o| o.base == at.base))
}
