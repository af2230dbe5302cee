//! A generated program as a tree: what the generator grows, the shrinker cuts, and the printer turns into C.
//!
//! Nothing in the tree says which way a kernel maps an array or whether a `break` has a loop to leave: the printer works
//! that out from what is there. That is why cutting any statement out of a tree leaves a program that is still correct.
//!
//! Sizes are printed as symbols (`n`, a macro, a value read from a `volatile`) but the generator knows their values, so
//! bounds, races and which elements a kernel writes are settled by running the index expressions, not by reasoning.

mod host;
mod kernel;

pub use host::*;
pub use kernel::*;

/// Index into [`Program::names`].
pub type NameId = usize;
/// Index into [`Program::sizes`].
pub type SizeId = usize;
/// Index into [`Program::scalars`].
pub type ScalarId = usize;
/// Index into [`Program::runtimes`].
pub type RuntimeId = usize;
/// Number of a host loop, unique in the program; its counter is `t<id>`.
pub type LoopId = usize;
/// Index into [`Program::functions`].
pub type FunctionId = usize;

/// A whole test case.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub layout: Layout,
    /// The running hash is a global, not a local handed down by address.
    pub global_hash: bool,
    /// Final hashes are computed by loops in line instead of a shared function.
    pub inline_hash: bool,
    pub crlf: bool,
    pub speculation_safe: bool,
    /// Definitions that nothing uses are left out of the text; the shrinker asks for it.
    pub minimal: bool,
    /// Members are reached as `s->x`, not `s.x`.
    pub arrow: bool,
    /// The structure lives on the heap.
    pub heap_struct: bool,
    pub sizes: Vec<SizeVar>,
    pub names: Vec<Name>,
    /// The name that owns each object; a bit in [`Name::class`] is an index into this.
    pub objects: Vec<NameId>,
    pub scalars: Vec<Scalar>,
    /// Values that only the running program knows: each is read from a `static volatile int`.
    pub runtimes: Vec<i64>,
    /// Function 0 is the body of the case, the rest are helpers that call only helpers before them.
    pub functions: Vec<Function>,
    pub loops: usize,
    pub kernels: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Everything in `case_<seed>`.
    Inline,
    /// `case_<seed>` owns the arrays and passes them to `work_<seed>`, which holds the statements.
    Function,
    /// Everything in `main`.
    Main,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elem {
    Int,
    Long,
    Unsigned,
    Double,
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
    /// A parameter of a helper.
    Param,
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    Heap {
        calloc: bool,
    },
    Static,
    Global,
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
    Param,
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
    /// Declared by [`Stmt::DeclareScalar`] rather than at the top.
    pub middle: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub ident: String,
    pub params: Vec<NameId>,
    /// The size variables in scope, macros included.
    pub sizes: Vec<SizeId>,
    pub recursion: Recursion,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    None,
    /// The function calls itself before its statements.
    First,
    /// The function calls itself after its statements.
    Last,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Kernel(Kernel),
    Host(HostOp),
    Loop(Loop),
    If {
        cond: Cond,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
        braces: bool,
    },
    Switch {
        on: Selector,
        arms: Vec<Arm>,
    },
    /// `if (cond) break;` and its like; prints as nothing where there is nothing to leave or a data region in between.
    Jump {
        cond: Cond,
        kind: Jump,
    },
    Call(Call),
    /// A data region that the user wrote over the arrays in `cover` (owners of objects).
    Region {
        unstructured: bool,
        cover: Vec<NameId>,
        body: Vec<Stmt>,
    },
    /// Host statements inside a data region, between the updates that make them right.
    Sync {
        body: Vec<Stmt>,
    },
    DeclareAlias(NameId),
    DeclareScalar(ScalarId),
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub id: LoopId,
    pub kind: LoopKind,
    pub trip: Trip,
    pub braces: bool,
    /// The header comes out of a macro.
    pub by_macro: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    For,
    While,
    DoWhile,
}

/// How often a loop runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trip {
    Lit(i64),
    Macro(i64),
    Runtime(RuntimeId),
    RuntimeLess(RuntimeId, i64),
    /// As often as the counter of an enclosing loop says.
    Counter(LoopId),
}

#[derive(Clone, Debug)]
pub struct Arm {
    pub body: Vec<Stmt>,
    pub falls_through: bool,
}

/// What a `switch` looks at, modulo the number of arms plus one (so that `default` is met, too).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    Runtime(RuntimeId),
    Counter(LoopId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    Break,
    Continue,
    /// Leaves the body of the case, or the helper.
    Exit,
    /// `goto` behind the loop.
    Out(LoopId),
}

#[derive(Clone, Debug)]
pub enum Cond {
    RuntimeGreater(RuntimeId, i64),
    CounterMod {
        id: LoopId,
        modulus: i64,
        equals: i64,
    },
    CounterLess(LoopId, i64),
    /// Compares an element with a constant: not even the generator knows.
    Data {
        name: NameId,
        at: Vec<At>,
        above: i64,
    },
}

#[derive(Clone, Debug)]
pub struct Call {
    pub function: FunctionId,
    /// A pointer and an offset to it for each parameter.
    pub args: Vec<(NameId, i64)>,
    pub depth: i64,
    /// Through a function pointer that the compiler cannot see through.
    pub by_pointer: bool,
}

impl Program {
    /// The value of an extent.
    pub fn value(&self, size: &Size) -> i64 {
        match *size {
            Size::Lit(v) => v,
            Size::Var(s) => self.sizes[s].value,
            Size::Plus(s, c) => self.sizes[s].value + c,
            Size::Times(a, b) => self.sizes[a].value * self.sizes[b].value,
        }
    }

    /// How many elements `name` may be used for.
    pub fn len(&self, name: NameId) -> i64 {
        self.names[name].dims.iter().map(|d| self.value(d)).product()
    }

    /// Whether the two names never overlap.
    pub fn disjoint(&self, a: NameId, b: NameId) -> bool {
        a != b && (self.names[a].class & self.names[b].class == 0 || self.names[a].partner == Some(b))
    }

    /// Whether, where the statements stand, the name has an array type and not a pointer type.
    pub fn is_array(&self, name: NameId) -> bool {
        match self.names[name].kind {
            NameKind::Global => true,
            NameKind::Static | NameKind::Stack | NameKind::Vla => self.layout != Layout::Function,
            _ => false,
        }
    }
}

impl Elem {
    /// The C type.
    pub fn c(self) -> &'static str {
        match self {
            Elem::Int => "int",
            Elem::Long => "long",
            Elem::Unsigned => "unsigned",
            Elem::Double => "double",
        }
    }
}

impl Stmt {
    /// The blocks directly below.
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::Loop(l) => vec![&l.body],
            Stmt::If { then, other, .. } => vec![then, other],
            Stmt::Switch { arms, .. } => arms.iter().map(|a| &a.body).collect(),
            Stmt::Region { body, .. } | Stmt::Sync { body } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks directly below, to change.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Loop(l) => vec![&mut l.body],
            Stmt::If { then, other, .. } => vec![then, other],
            Stmt::Switch { arms, .. } => arms.iter_mut().map(|a| &mut a.body).collect(),
            Stmt::Region { body, .. } | Stmt::Sync { body } => vec![body],
            _ => Vec::new(),
        }
    }
}

/// Calls `f` on every statement, outer before inner.
pub fn visit<'a>(block: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    for s in block {
        f(s);
        for b in s.blocks() {
            visit(b, f);
        }
    }
}

/// Keeps the statements for which `keep` holds, at every depth.
pub fn retain(block: &mut Vec<Stmt>, keep: &mut dyn FnMut(&Stmt) -> bool) {
    block.retain(|s| keep(s));
    for s in block {
        for b in s.blocks_mut() {
            retain(b, keep);
        }
    }
}
