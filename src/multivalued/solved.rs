//! A program of which is known where its pointers lead and what its functions do.

use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{Callee, FuncId, Function, Module, Op};

/// A program, with where its pointers lead and what its functions do.
#[derive(Clone, Copy)]
pub struct SolvedProgram<'a> {
    pub module: &'a Module,
    pub points_to: &'a PointsTo,
    pub effects: &'a Effects<'a>,
}

/// The name of the function that a call names, if it names one.
pub fn callee_name<'a>(module: &'a Module, call: &Op) -> Option<&'a str> {
    match call {
        Op::Call {
            callee: Callee::Direct(f),
            ..
        } => Some(&module.function(*f).name),
        _ => None,
    }
}

/// The functions that have a body.
pub fn functions(module: &Module) -> impl Iterator<Item = (FuncId, &Function)> {
    let numbered = module.functions.iter().enumerate();
    numbered
        .filter(|(_, function)| !function.declaration)
        .map(|(at, function)| (FuncId(at as u32), &**function))
}
