//! The tree of a program of plain loops.
//!
//! All functions share one table of scalars and one of array names, whose entries are known by number: no function calls
//! itself, so that one place for each is enough to run the program. Functions call functions of lower numbers only; the last
//! one is the case itself, which owns the memory.

/// Types of scalars and of elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ty {
    Byte,
    Short,
    Int,
    Unsigned,
    Long,
    Size,
    Double,
}

impl Ty {
    pub fn c(self) -> &'static str {
        match self {
            Ty::Byte => "unsigned char",
            Ty::Short => "short",
            Ty::Int => "int",
            Ty::Unsigned => "unsigned",
            Ty::Long => "long",
            Ty::Size => "size_t",
            Ty::Double => "double",
        }
    }

    /// Bits, and whether negative numbers are among its values; `None` for floating point.
    pub fn integer(self) -> Option<(u32, bool)> {
        Some(match self {
            Ty::Byte => (8, false),
            Ty::Short => (16, true),
            Ty::Int => (32, true),
            Ty::Unsigned => (32, false),
            Ty::Long => (64, true),
            Ty::Size => (64, false),
            Ty::Double => return None,
        })
    }
}

pub type VarId = usize;
pub type ArrayId = usize;
pub type FnId = usize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    Param,
    /// Declared at the top of its function, without a value.
    Top,
    /// Declared where a statement or a loop says so.
    Inline,
    /// `static` in its function.
    Static,
    /// At file scope.
    Global,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub kind: VarKind,
    /// The function that has it, for [`VarKind::Top`] and [`VarKind::Static`].
    pub owner: FnId,
}

/// What an array starts with: element `i` is `(factor * i + add) % modulus`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fill {
    pub factor: i64,
    pub add: i64,
    pub modulus: i64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ArrayKind {
    /// `static T a[N]` at file scope.
    Global(Fill),
    /// `static T *a` at file scope, allocated by the case.
    GlobalPointer(Fill),
    /// Allocated by the case.
    Heap(Fill),
    /// `T a[N]` in the case.
    Stack(Fill),
    /// A pointer in the structure of the program.
    Member(Fill),
    /// An array in the structure of the program.
    Inside(Fill),
    /// A pointer that a function gets.
    Param { restrict: bool, readonly: bool },
    /// A pointer that a function makes.
    Local,
    /// A pointer that a function takes from a table of pointers, which a loop has made: `b`, `b + e`, `b + 2 * e`, …
    Tabled,
    /// An array that a function declares, of so many elements, without values.
    Scratch(i64),
}

/// A name of an array.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub name: String,
    pub elem: Ty,
    pub kind: ArrayKind,
    /// Elements of a row; `None` for one dimension.
    pub row: Option<E>,
}

impl Array {
    /// What it starts with, where it has memory of its own that lasts as long as the case.
    pub fn fill(&self) -> Option<Fill> {
        match self.kind {
            ArrayKind::Global(f)
            | ArrayKind::GlobalPointer(f)
            | ArrayKind::Heap(f)
            | ArrayKind::Stack(f)
            | ArrayKind::Member(f)
            | ArrayKind::Inside(f) => Some(f),
            _ => None,
        }
    }
}

/// `a[e]`, `g[e][f]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    pub array: ArrayId,
    pub at: Vec<E>,
}

/// Operators, by what C writes.
pub type Op = &'static str;

#[derive(Clone, PartialEq, Debug)]
pub enum E {
    Num(i64),
    /// A number of halves.
    Halves(i64),
    Var(VarId),
    Load(Place),
    Bin(Op, Box<E>, Box<E>),
    Choose(Box<E>, Box<E>, Box<E>),
    Cast(Ty, Box<E>),
    Call(FnId, Vec<Arg>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    Value(E),
    /// `a + e`.
    Array(ArrayId, E),
    /// A null pointer: the function is told not to use it.
    Null,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Lhs {
    Var(VarId),
    Cell(Place),
}

#[derive(Clone, PartialEq, Debug)]
pub enum S {
    /// `T v = e;`
    Declare(VarId, E),
    /// `T w[8];`
    Scratch(ArrayId),
    /// `T *p = a + e;`
    Point(ArrayId, ArrayId, E),
    /// `v = e;`, `v op= e;`
    Assign(Lhs, Option<Op>, E),
    If(E, Vec<S>, Vec<S>),
    For(Box<For>),
    Continue,
    Break,
    Call(FnId, Vec<Arg>),
    /// Exchanges two pointers.
    Swap(ArrayId, ArrayId),
    /// Prints a number.
    Show(E),
    Return(E),
}

#[derive(Clone, PartialEq, Debug)]
pub struct For {
    pub var: VarId,
    pub declares: bool,
    pub first: E,
    pub cmp: Op,
    pub end: E,
    pub step: i64,
    pub body: Vec<S>,
    /// The user made a kernel of it: the arrays that it maps, how many elements, and whether it writes them.
    pub kernel: Vec<(ArrayId, E, bool)>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Param {
    Var(VarId),
    Array(ArrayId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<Param>,
    pub returns: Option<Ty>,
    pub exported: bool,
    pub body: Vec<S>,
}

/// A program; its last function is the case.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub seed: u64,
    pub vars: Vec<Var>,
    pub arrays: Vec<Array>,
    pub functions: Vec<Function>,
    /// So many functions come first that are called in loops; they are never taken apart.
    pub helpers: usize,
    /// Functions get a pointer to the structure; else it is at file scope.
    pub handed: bool,
    /// Single statements go without braces.
    pub bare: bool,
    /// Elements that are allocated beyond those that a run touches.
    pub slack: i64,
}

impl S {
    /// The blocks inside.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<S>> {
        match self {
            S::If(_, yes, no) => vec![yes, no],
            S::For(l) => vec![&mut l.body],
            _ => Vec::new(),
        }
    }

    pub fn blocks(&self) -> Vec<&Vec<S>> {
        match self {
            S::If(_, yes, no) => vec![yes, no],
            S::For(l) => vec![&l.body],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself.
    pub fn exprs_mut(&mut self) -> Vec<&mut E> {
        fn of_args(args: &mut [Arg]) -> Vec<&mut E> {
            let each = args.iter_mut().filter_map(|a| match a {
                Arg::Value(e) | Arg::Array(_, e) => Some(e),
                Arg::Null => None,
            });
            each.collect()
        }
        match self {
            S::Declare(_, e) | S::Point(_, _, e) | S::If(e, ..) | S::Show(e) | S::Return(e) => vec![e],
            S::Assign(lhs, _, e) => {
                let mut out = vec![e];
                if let Lhs::Cell(p) = lhs {
                    out.extend(&mut p.at);
                }
                out
            }
            S::For(l) => vec![&mut l.first, &mut l.end],
            S::Call(_, args) => of_args(args),
            S::Scratch(_) | S::Continue | S::Break | S::Swap(..) => Vec::new(),
        }
    }
}

/// Visits all statements, outer ones first.
pub fn visit(block: &[S], f: &mut dyn FnMut(&S)) {
    for s in block {
        f(s);
        for b in s.blocks() {
            visit(b, f);
        }
    }
}

impl E {
    /// `a op b`.
    pub fn bin(op: Op, a: E, b: E) -> E {
        E::Bin(op, Box::new(a), Box::new(b))
    }
}
