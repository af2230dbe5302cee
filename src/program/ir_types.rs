//! What the plain IR is made of: indices, positions and types.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Index of a function in [`super::ir::Module::functions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct FuncId(pub u32);
/// Index of a global variable in [`super::ir::Module::globals`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GlobalId(pub u32);
/// Index of a basic block in [`super::ir::Function::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct BlockId(pub u32);

impl BlockId {
    /// Of the two blocks that the condition of an `if` leads to, the one in which its first branch begins: clang writes that right behind the condition,
    /// whichever value leads there.
    pub fn of_first_branch(on_true: BlockId, on_false: BlockId) -> BlockId {
        on_true.min(on_false)
    }
}

/// Index of an instruction in [`super::ir::Function::insts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct InstId(pub u32);
/// Index of a struct or union type in [`super::ir::Module::structs`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct StructId(pub u32);
/// Index of a local variable or parameter in [`super::ir::Function::variables`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct VarId(pub u32);

/// A position in the *analysed file*, or in the header that a function is in ([`super::ir::Function::header`]): 1-based line and 1-based
/// byte column, as clang counts them. Of other files only those have positions that are included into a function's body
/// ([`super::ir::Function::included`]); other instructions from there carry `None`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Loc {
    /// 1-based line.
    pub line: u32,
    /// 1-based byte column.
    pub col: u32,
}

impl Loc {
    /// No file has so many lines.
    pub const INCLUDED: u32 = 1 << 22;
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.col)
    }
}

/// A first-class type, as far as the analyses care.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Type {
    /// No value.
    Void,
    /// `iN`.
    Int(u32),
    /// A floating-point type, with its size in bits.
    Float(u32),
    /// An opaque pointer.
    Ptr,
    /// `[len x elem]`.
    Array(Box<Type>, u64),
    /// A struct or union.
    Struct(StructId),
    /// A vector or anything else, with its size in bytes.
    Other(u64),
}

/// A type as the source wrote it (typedefs and qualifiers stripped), from debug information.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SourceType {
    /// Integer, with size in bytes and signedness (`char`, `bool` and enums included).
    Int {
        /// Size in bytes.
        bytes: u64,
        /// Whether arithmetic on it is signed.
        signed: bool,
    },
    /// Floating point, with size in bytes.
    Float {
        /// Size in bytes.
        bytes: u64,
    },
    /// Pointer to the inner type; `const_pointee` when declared `const T *`, `restrict` when so declared.
    Pointer {
        /// What it points to.
        to: Box<SourceType>,
        /// `const` on the pointee.
        const_pointee: bool,
        /// `restrict` on the pointer.
        restrict: bool,
    },
    /// Array; `None` for a VLA or unknown extent.
    Array {
        /// Element type.
        elem: Box<SourceType>,
        /// Extents, outermost first; `None` where not constant.
        dims: Vec<Option<u64>>,
    },
    /// Struct or union by tag (empty for anonymous), with its size.
    Record {
        /// Tag or typedef name.
        name: String,
        /// Size in bytes.
        bytes: u64,
    },
    /// Function type.
    Function,
    /// `void` or nothing known.
    Unknown,
}

impl SourceType {
    /// Whether a pointer or array of this type leads to numbers or pointers, row by row, and not to structs.
    pub fn leads_to_numbers(&self) -> bool {
        let mut ty = self;
        while let SourceType::Pointer { to: inner, .. } | SourceType::Array { elem: inner, .. } = ty {
            match &**inner {
                SourceType::Array { .. } => ty = inner,
                SourceType::Int { .. } | SourceType::Float { .. } | SourceType::Pointer { .. } => return true,
                SourceType::Record { .. } | SourceType::Function | SourceType::Unknown => return false,
            }
        }
        false
    }
}

/// Why a function may do what its instructions do not show: other code may run in its place, or its directives evaluate what
/// cannot be written down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unseen {
    /// The reason, for people.
    pub why: String,
    /// Threads of the host may run parts of it.
    pub threads: bool,
    /// Other code takes its place as a whole, in other builds: its own instructions are all of it in this one.
    pub elsewhere: bool,
}

impl Unseen {
    /// Why other code may take a function's place in another build.
    pub const OTHER_BODY: &str = "a branch of `#if` that this build leaves out has another body of it";

    /// For a reason that has nothing to do with threads.
    pub fn because(why: impl Into<String>) -> Unseen {
        Unseen {
            why: why.into(),
            threads: false,
            elsewhere: false,
        }
    }

    /// For code that takes the function's place in other builds.
    pub fn elsewhere(why: impl Into<String>) -> Unseen {
        Unseen {
            elsewhere: true,
            ..Unseen::because(why)
        }
    }
}
