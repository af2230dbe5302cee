//! A generated program as a tree: what the generator grows, the shrinker cuts, and the printer turns into C.
//!
//! Nothing in the tree says which way a kernel maps an array or whether a `break` has a loop to leave: the printer works
//! that out from what is there. That is why cutting any statement out of a tree leaves a program that is still correct.
//!
//! Sizes are printed as symbols (`n`, a macro, a value read from a `volatile`) but the generator knows their values, so
//! bounds, races and which elements a kernel writes are settled by running the index expressions, not by reasoning.

mod choices;
mod control;
mod devices;
mod host;
mod kernel;
mod names;
mod places;

pub use choices::*;
pub use control::*;
pub use devices::*;
pub use host::*;
pub use kernel::*;
pub use names::*;
pub use places::*;

use std::collections::BTreeSet;

/// Index into [`Program::names`].
pub type NameId = usize;
/// Index into [`Program::sizes`].
pub type SizeId = usize;
/// Index into [`Program::scalars`].
pub type ScalarId = usize;
/// Index into [`Program::runtimes`].
pub type RuntimeId = usize;
/// Index into [`Program::flags`].
pub type FlagId = usize;
/// Index into [`Program::marks`].
pub type MarkId = usize;
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
    /// Macros have their values only where nothing else gives them others; see `configure`.
    pub configurable: bool,
    /// Definitions that nothing uses are left out of the text; the shrinker asks for it.
    pub minimal: bool,
    /// Members are reached as `s->x`, not `s.x`.
    pub arrow: bool,
    /// The structure lives on the heap.
    pub heap_struct: bool,
    /// Sections of members are as long as the structure says (`s->x[0:s->n]`).
    pub field_extents: bool,
    /// Pointers to functions are variables that all files see, instead of one in each file that calls through it.
    pub shared_pointers: bool,
    /// Prototypes stand in the files that call the functions, and not in the header.
    pub local_prototypes: bool,
    /// Memory of the heap comes from functions of the program.
    pub allocators: bool,
    /// How many elements heap arrays have that nobody uses.
    pub slack: i64,
    /// Kernels map pointers that may be one array as though they were not: then nothing comes back that only one of them says.
    pub loses: bool,
    /// Blocks give names of the whole program, which they do not use, another meaning.
    pub hides: bool,
    /// When the pointer of [`Guard::Spot`] starts as NULL: unless this value is above the number; and where it leads.
    pub spot: (RuntimeId, i64, [i64; 2]),
    pub sizes: Vec<SizeVar>,
    pub names: Vec<Name>,
    /// The name that owns each object; a bit in [`Name::class`] is an index into this.
    pub objects: Vec<NameId>,
    pub scalars: Vec<Scalar>,
    /// Values that only the running program knows: each is read from a `static volatile int`.
    pub runtimes: Vec<i64>,
    /// Macros that are 0 or 1: which are 1 in this build.
    pub flags: Vec<bool>,
    /// Numbers that ranges begin or end at.
    pub marks: Vec<Mark>,
    /// Function 0 is the body of the case, the rest are helpers that call only helpers before them.
    pub functions: Vec<Function>,
    pub loops: usize,
    pub kernels: usize,
    /// The devices that directives name.
    pub devices: Devices,
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

#[derive(Clone, Debug)]
pub struct Function {
    pub ident: String,
    pub params: Vec<NameId>,
    /// The size variables in scope, macros included.
    pub sizes: Vec<SizeId>,
    pub recursion: Recursion,
    /// The function of the same parameters that recursion goes through, and that recurs into this one.
    pub partner: Option<FunctionId>,
    pub home: Home,
    /// Only its own file calls it, and it is `static` as long as that is so.
    pub hidden: bool,
    /// What it is called while it is `static`: functions of several files may share the name.
    pub nick: Option<String>,
    /// The function does nothing where its first parameter is NULL.
    pub nullable: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    None,
    /// The function calls itself, or its partner, before its statements.
    First,
    /// The function calls itself, or its partner, after its statements.
    Last,
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

    /// Whether an extent is a number that changes.
    pub fn changes(&self, size: &Size) -> bool {
        let kind = |s: SizeId| self.sizes[s].kind;
        matches!(size, Size::Var(s) if matches!(kind(*s), SizeKind::Count { .. }))
    }

    /// The value of a bound.
    pub fn edge(&self, edge: &Edge) -> i64 {
        let value = |r: RuntimeId| self.runtimes[r];
        match *edge {
            Edge::Plus(r, c) => value(r) + c,
            Edge::Less(c, r) => c - value(r),
            Edge::Between(a, b) => value(a) - value(b),
            Edge::Mark(m) => self.marks[m].value,
        }
    }

    /// Whether a condition on a macro holds in this build.
    pub fn asks(&self, flag: FlagId, asked: Asked) -> bool {
        let set = self.flags[flag];
        let above = |r: RuntimeId, c: i64| self.runtimes[r] > c;
        match asked {
            Asked::Alone | Asked::Directive => set,
            Asked::Not => !set,
            Asked::And(r, c) => set && above(r, c),
            Asked::Or(r, c) => set || above(r, c),
            Asked::Chosen(r, c) => above(r, c) == set,
        }
    }

    /// The macros that the text asks for.
    pub fn asked_flags(&self) -> BTreeSet<FlagId> {
        let mut found = BTreeSet::new();
        for f in &self.functions {
            visit(&f.body, &mut |s| found.extend(s.cond().and_then(Cond::flag)));
        }
        found
    }

    /// Whether the array is there.
    pub fn exists(&self, name: NameId) -> bool {
        match self.names[name].kind {
            NameKind::Optional { runtime, above, .. } => self.runtimes[runtime] > above,
            _ => true,
        }
    }

    /// How helpers ask whether there is a first array: the pointer itself, or a number that callers hand over.
    pub fn guard_form(&self) -> u64 {
        self.seed % 5
    }

    /// Whether callers say in a number of its own that there is no first array.
    pub fn is_told(&self, function: FunctionId) -> bool {
        self.functions[function].nullable && self.guard_form() != 0
    }

    /// Whether a call shows in its text whether the array is there, and not only when it is made.
    pub fn shows_absence(&self, name: NameId) -> bool {
        !(name as u64 + self.seed / 5).is_multiple_of(3)
    }

    /// Whether the array is a part of memory that is never freed.
    pub fn carved(&self, name: NameId) -> bool {
        let plain = self.names[name].kind == NameKind::Heap { calloc: false };
        self.allocators && plain && (name as u64 + self.seed) % 4 == 3
    }

    /// How many elements `name` may be used for.
    pub fn len(&self, name: NameId) -> i64 {
        self.names[name].dims.iter().map(|d| self.value(d)).product()
    }

    /// Whether the two names never overlap.
    pub fn disjoint(&self, a: NameId, b: NameId) -> bool {
        a != b && (self.names[a].class & self.names[b].class == 0 || self.names[a].partner == Some(b))
    }

    /// Whether a region that holds `cover` surely holds all of what a pointer leads to. What a member leads to is found by the struct, which
    /// nobody maps.
    pub fn is_held(&self, name: NameId, cover: &[NameId]) -> bool {
        let n = &self.names[name];
        let same = |c: &NameId| self.names[*c].class == n.class;
        n.kind != NameKind::Member && n.class.count_ones() == 1 && cover.iter().any(same)
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
