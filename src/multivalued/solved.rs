//! A program of which is known where its pointers lead and what its functions do.

use crate::analysis::effects::Effects;
use crate::analysis::points_to::PointsTo;
use crate::program::ir::{Callee, FuncId, Function, Module, Op};
use crate::program::objects::Site;

/// A program, with where its pointers lead and what its functions do.
#[derive(Clone, Copy)]
pub struct SolvedProgram<'a> {
    pub module: &'a Module,
    pub points_to: &'a PointsTo,
    pub effects: &'a Effects<'a>,
}

impl<'a> SolvedProgram<'a> {
    /// The name of the function that is called at a place: of one that the call names, or of the library if a pointer leads to that alone.
    pub fn callee_name(&self, site: Site) -> Option<&'a str> {
        let module = self.module;
        match &module.function(site.func).inst(site.inst).op {
            Op::Call {
                callee: Callee::Direct(f),
                ..
            } => Some(&module.function(*f).name),
            Op::Call {
                callee: Callee::Indirect(_),
                ..
            } => {
                let targets = self.points_to.call_targets(site.func, site.inst);
                let mut known = targets.known.iter().map(|target| module.function(*target));
                match (known.next(), known.next()) {
                    (Some(only), None) if only.declaration && !targets.unknown => Some(&only.name),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The functions that have a body.
pub fn functions(module: &Module) -> impl Iterator<Item = (FuncId, &Function)> {
    let numbered = module.functions.iter().enumerate();
    numbered
        .filter(|(_, function)| !function.declaration)
        .map(|(at, function)| (FuncId(at as u32), &**function))
}
