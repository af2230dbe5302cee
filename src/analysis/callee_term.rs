//! What functions are called with, as their summaries name it.
//!
//! ```c
//! void step(struct mesh *m, int n) { … m->x[i] … grid[n] … }
//! /* parameter 1: `n`; member x of what parameter 0 points to: `m->x`; storage of a global: `grid` */
//! ```

use crate::analysis::values::casts::IntType;
use crate::program::ir::GlobalId;
use crate::program::objects::MemLoc;

/// What a symbol of a summary stands for, or an array is reached by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CalleeTerm {
    /// The function's n-th argument.
    Param(u32),
    /// What a scalar global holds on entry.
    Global(GlobalId),
    /// The storage of a global array or struct.
    Storage(GlobalId),
    /// What a member of a struct holds on entry.
    Member {
        /// The pointer to the struct, or its storage.
        of: Box<CalleeTerm>,
        /// How far into it.
        bytes: u64,
        /// What follows `->` or `.` in the callee's text, where that is known.
        name: Option<String>,
        /// Where the member may be, over all calls.
        places: Vec<MemLoc>,
    },
    /// One of the arguments that follow the parameters, whichever: an array that the host uses, and nothing else.
    Variadic,
    /// What the function returns: memory that it has just allocated.
    Returned,
    /// What a number is in another type: of `v[0:(unsigned char)l]` the end. It is no array.
    Cast {
        /// The number.
        of: Box<CalleeTerm>,
        /// The type.
        to: IntType,
    },
}

impl CalleeTerm {
    /// The parameter that it is reached from, if that is one.
    pub fn parameter(&self) -> Option<u32> {
        match self {
            CalleeTerm::Param(n) => Some(*n),
            CalleeTerm::Member { of, .. } | CalleeTerm::Cast { of, .. } => of.parameter(),
            CalleeTerm::Global(_) | CalleeTerm::Storage(_) | CalleeTerm::Variadic | CalleeTerm::Returned => None,
        }
    }
}
