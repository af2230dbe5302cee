//! Whether anything in the program looks at `errno`: then a loop whose functions may set it cannot run elsewhere.

use super::verdict::CallTrouble;
use crate::analysis::function::FunctionModel;
use crate::program::ir::{FuncId, Module};

/// What looks at `errno`, or gives its address.
pub(super) const READS_ERRNO: [&str; 6] = ["__errno_location", "perror", "err", "verr", "warn", "vwarn"];

/// How the program may look at `errno`, wherever that is. A format that is put together at run time is taken to have no `%m`.
pub(super) fn errno_readers(model: &FunctionModel<'_>) -> Option<CallTrouble> {
    let module = model.module;
    let reads = module
        .functions
        .iter()
        .any(|f| f.declaration && READS_ERRNO.contains(&f.name.as_str()));
    if reads || module.globals.iter().any(|g| g.prints_errno) {
        return Some(CallTrouble::Errno);
    }
    (!model.points_to.closed()).then_some(CallTrouble::ErrnoOutside)
}

/// Whether a function is told of memory, and has nothing to do with it.
pub(super) fn is_silent(module: &Module, f: FuncId) -> bool {
    module.function(f).name.starts_with("llvm.lifetime.")
}
