//! Arrays that are apart though the text of the function does not say so: because all of its calls hand over different ones,
//! or because the user promises that of what the pointer parameters of a `noalias` function point to.
//!
//! ```c
//! void step(double *to, double *from, int n) { … }      /* [assume] noalias = ["step"] */
//! ```
//!
//! The promise is about the values that the parameters have when the function is called: two of them overlap neither each
//! other nor a variable. A parameter that is assigned to is a pointer like any other afterwards.

use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::ir::{Op, Operand};
use crate::reasons::Promise;

/// Whether the user, or all calls, say that two arrays do not overlap.
pub fn promised_apart(model: &FunctionModel<'_>, a: Base, b: Base) -> bool {
    let by_calls = || match (parameter(model, a), parameter(model, b)) {
        (Some(a), Some(b)) => model.points_to.are_separate(model.module, model.func, a, b),
        _ => false,
    };
    (model.points_to.known().is_noalias(model.func) && may_be_promised(model, a, b)) || by_calls()
}

/// What to say so with, behind a remark, where that would settle all pairs; else nothing.
pub fn how_to_promise(model: &FunctionModel<'_>, pairs: impl IntoIterator<Item = (Base, Base)>) -> Promise {
    let mut pairs = pairs.into_iter().peekable();
    if pairs.peek().is_none() || !pairs.all(|(a, b)| may_be_promised(model, a, b)) {
        return Promise::default();
    }
    Promise {
        function: Some(model.function().name.clone()),
    }
}

fn may_be_promised(model: &FunctionModel<'_>, a: Base, b: Base) -> bool {
    match (parameter(model, a), parameter(model, b)) {
        (Some(a), Some(b)) => a != b,
        (Some(_), None) => is_variable(b),
        (None, Some(_)) => is_variable(a),
        (None, None) => false,
    }
}

fn is_variable(base: Base) -> bool {
    matches!(base, Base::Local(_) | Base::Global(_))
}

/// The parameter whose value at the call a base is.
fn parameter(model: &FunctionModel<'_>, base: Base) -> Option<u32> {
    let Base::Value(sym) = base else { return None };
    match model.values.kind(sym) {
        SymKind::Arg(n) => Some(n),
        SymKind::Slot(_, Version::Def(store)) => match model.function().inst(store).op {
            Op::Store {
                value: Operand::Arg(n), ..
            } => Some(n),
            _ => None,
        },
        _ => None,
    }
}
