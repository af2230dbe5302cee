//! What programs compute with: extents, arrays and the names for them, scalars.

use super::{Home, Made, NameId, RuntimeId, SizeId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elem {
    Int,
    Long,
    Unsigned,
    Double,
    /// Texts: one more element is there than is used, and it is 0.
    Char,
    /// A struct of two numbers, `x` and `y`.
    Point,
}

#[derive(Clone, Debug)]
pub struct SizeVar {
    pub ident: String,
    pub value: i64,
    pub kind: SizeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeKind {
    Macro,
    /// A local with a constant initialiser.
    Constant,
    /// A local read from a `volatile`.
    Opaque,
    /// A variable of the whole program, which the case sets before all else.
    Global,
    /// A parameter of a helper.
    Param,
    /// A local that changes ([`super::HostOp::Step`]), from this to no more than the value that is known of it.
    Count {
        low: i64,
    },
}

/// An extent, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Lit(i64),
    Var(SizeId),
    Plus(SizeId, i64),
    Times(SizeId, SizeId),
}

/// A C expression that denotes an array or a pointer to one.
#[derive(Clone, Debug)]
pub struct Name {
    pub ident: String,
    pub elem: Elem,
    /// One or two extents that the name may be used for.
    pub dims: Vec<Size>,
    /// Rows and columns when a one-dimensional array holds a matrix.
    pub matrix: Option<(Size, Size)>,
    pub kind: NameKind,
    /// The objects that the name may denote, one bit each.
    pub class: u64,
    /// The pointer that this one is swapped with; the two never denote the same object.
    pub partner: Option<NameId>,
    /// The elements are indices below this and no kernel writes them.
    pub index_bound: Option<i64>,
    /// The final contents are part of the output.
    pub observed: bool,
    /// False once the shrinker has removed it.
    pub live: bool,
    /// The file that defines it, or that makes its first value.
    pub home: Home,
    pub made: Made,
    /// Only its own file uses it, and it is `static` as long as that is so.
    pub hidden: bool,
    /// What it is called while it is `static`: names of several files may share it.
    pub nick: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    Heap {
        calloc: bool,
    },
    Static,
    Global,
    /// A pointer at file scope to memory of the heap.
    GlobalHeap,
    Stack,
    Vla,
    Member,
    /// `of + offset`, declared at the top of the body, as a parameter of the work function, or by [`Stmt::DeclareAlias`].
    Alias {
        of: NameId,
        offset: i64,
        place: AliasPlace,
    },
    /// One of two pointers that start at different arrays and get swapped.
    Cursor {
        of: NameId,
    },
    /// One of two arrays, and now and then the other ([`super::HostOp::Pick`]).
    Pick {
        of: NameId,
        other: NameId,
    },
    /// One of these arrays, as a [`super::Choice`] says.
    Chosen {
        among: [NameId; 3],
    },
    Param,
    /// Memory of the heap, if a value that only the running program knows is above a number; if not, nothing, or a `single`
    /// element. Only [`super::Stmt::When`] uses it.
    Optional {
        runtime: RuntimeId,
        above: i64,
        single: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasPlace {
    Top,
    Param,
    Middle,
}

/// A `long` that kernels and host share.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub ident: String,
    pub initial: i64,
    pub global: bool,
    /// The file that defines it if it is global.
    pub home: Home,
    /// Declared by [`Stmt::DeclareScalar`] rather than at the top.
    pub middle: bool,
}

impl Elem {
    /// The C type.
    pub fn c(self) -> &'static str {
        match self {
            Elem::Int => "int",
            Elem::Long => "long",
            Elem::Unsigned => "unsigned",
            Elem::Double => "double",
            Elem::Char => "char",
            Elem::Point => "struct point",
        }
    }

    /// The C type as part of a name.
    pub fn word(self) -> &'static str {
        match self {
            Elem::Point => "point",
            _ => self.c(),
        }
    }

    /// What stands behind an element where a number is wanted.
    pub fn part(self) -> &'static str {
        if self == Elem::Point { ".y" } else { "" }
    }

    /// How many elements there are beyond those that are used.
    pub fn spare(self) -> i64 {
        i64::from(self == Elem::Char)
    }
}
