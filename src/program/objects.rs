//! Abstract memory: objects, and the locations inside them.
//!
//! An **object** stands for storage that the program creates in one way: a variable, an allocation site, or what a
//! pointer that comes from outside the file may point to. A **location** ([`MemLoc`]) is a field of an object. Array
//! elements are collapsed, struct members are kept apart:
//!
//! ```c
//! struct sim { int n; double *x[3]; } s[10];
//! s[i].n      /* (s, Offset(0)) for every i        */
//! s[i].x[j]   /* (s, Offset(8)) for every i and j  */
//! ```
//!
//! So the offset of a member is counted in *element 0* of every array on the way to it. [`Field::Any`] is a location
//! whose member is not known; it overlaps all the others.
//!
//! Which objects exist, and which of them may be the same storage, is decided by [`crate::analysis::points_to`].

use std::fmt;

use super::ir::{FuncId, GlobalId, InstId};

/// Index of an object in the list that points-to analysis hands out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// What code outside the file may own or reach: always the first object.
    pub const EXTERNAL: ObjectId = ObjectId(0);
}

/// Where in an object, with array elements collapsed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Field {
    /// The member that starts at this byte offset, counted in element 0 of every enclosing array.
    Offset(u64),
    /// Some member, or all of them.
    Any,
}

impl Field {
    /// Whether the two may share a byte.
    pub fn overlaps(self, other: Field) -> bool {
        self == other || self == Field::Any || other == Field::Any
    }
}

/// An abstract location: a field of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemLoc {
    /// The object.
    pub object: ObjectId,
    /// The field inside it.
    pub field: Field,
}

impl MemLoc {
    /// The location of `object`'s first byte.
    pub fn start(object: ObjectId) -> MemLoc {
        MemLoc {
            object,
            field: Field::Offset(0),
        }
    }

    /// The whole of `object`.
    pub const fn whole(object: ObjectId) -> MemLoc {
        MemLoc {
            object,
            field: Field::Any,
        }
    }
}

/// An instruction that allocates, or calls what allocates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function that holds the instruction.
    pub func: FuncId,
    /// The call.
    pub inst: InstId,
}

/// What storage an object stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// Everything unknown code owns. It may also be any object that escaped to unknown code.
    External,
    /// A local variable or temporary.
    Local {
        /// The function that the variable is in.
        func: FuncId,
        /// The variable's `alloca`.
        alloca: InstId,
    },
    /// The callee's own copy of a struct passed by value in memory.
    ByVal {
        /// The callee.
        func: FuncId,
        /// 0-based parameter index.
        index: u32,
    },
    /// A global variable.
    Global(GlobalId),
    /// Constant data without a name in the source: string literals, initialisers of local aggregates.
    Literal(GlobalId),
    /// What one allocation call returns.
    Heap {
        /// From the outermost call that is known to return fresh memory (an allocation wrapper's caller) down to the
        /// library call that allocates. One element where no wrapper is involved.
        sites: Vec<Site>,
    },
    /// A function's code.
    Function(FuncId),
    /// What a pointer parameter points to when its function is called from outside the file.
    Param {
        /// The function.
        func: FuncId,
        /// 0-based parameter index.
        index: u32,
        /// Empty for the parameter's pointee; each element is the pointer member that is followed next.
        path: Vec<Field>,
    },
    /// What a global pointer visible outside the file points to when code outside has set it.
    Pointee {
        /// The global.
        global: GlobalId,
        /// Pointer members followed, the first one in the global itself; never empty.
        path: Vec<Field>,
    },
}

impl ObjectKind {
    /// Whether the object stands for storage that was not created by code in this file, and so may be the same storage
    /// as another such object or as one that escaped.
    pub fn is_incoming(&self) -> bool {
        matches!(
            self,
            ObjectKind::External | ObjectKind::Param { .. } | ObjectKind::Pointee { .. }
        )
    }
}

/// An abstract memory object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// What it stands for.
    pub kind: ObjectKind,
    /// Several instances of it may be alive at a time, so that nothing about it holds of *the* object: an allocation in
    /// a loop or in a function that is called repeatedly, a local of a recursive function that hands its address on,
    /// what the elements of an incoming pointer array point to. For incoming memory, one instance is meant for one activation of the function
    /// and as long as the pointer it was reached by is not assigned.
    pub many: bool,
    /// For people: `a`, `malloc in main (12:8)`, `*p`.
    pub name: String,
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
