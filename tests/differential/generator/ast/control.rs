//! Statements that hold others or lead elsewhere, and how to walk over them.

use super::{At, Choice, FlagId, FunctionId, HostOp, Kernel, LoopId, MarkId, NameId, RuntimeId, ScalarId};

/// How a data region is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionForm {
    /// `target data` in front of a block.
    Block,
    /// `enter data` and `exit data` around a block.
    Standing,
    /// Functions that enter and leave each array, called around a block.
    Called,
}

impl RegionForm {
    pub fn unstructured(self) -> bool {
        self != RegionForm::Block
    }
}

/// Which way a data region maps its arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionMaps {
    /// In, and out what kernels may write.
    Fitting,
    /// In and out, whatever for.
    Wasteful,
    /// Out alone where the first statement is a kernel that writes all of the array, else as [`RegionMaps::Wasteful`].
    Fresh,
    /// Neither: updates at the beginning and at the end of the block do it. Right only where nothing around it holds the array.
    Updated,
}

/// What stands before and behind host statements in a data region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updates {
    /// Updates of what they touch, as far as they touch it.
    Touched,
    /// Updates of all of one array, both ways.
    Whole(NameId),
    /// Updates of one array: of a single element where they touch no other, and not back where they only read that.
    Narrow(NameId),
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
        form: RegionForm,
        maps: RegionMaps,
        cover: Vec<NameId>,
        body: Vec<Stmt>,
    },
    /// Host statements inside a data region, between the updates that make them right.
    Sync {
        body: Vec<Stmt>,
        updates: Updates,
    },
    /// Statements that use two pointers, declared before them.
    Choose {
        choice: Choice,
        body: Vec<Stmt>,
    },
    DeclareAlias(NameId),
    DeclareScalar(ScalarId),
    /// Statements that use an array which is there only under a condition (a [`super::NameKind::Optional`]), under that condition.
    When {
        name: NameId,
        form: When,
        body: Vec<Stmt>,
    },
}

/// How a condition is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// `if (r0 > 1)`, where nobody says what that has to do with the array.
    Flag,
    /// `if (w)`.
    Pointer,
    Both,
    Switch,
    /// A loop that runs once or not at all.
    Loop,
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
    /// The loop is left after so many statements of its body, if the trips are over.
    Middle(usize),
    /// A `switch` leads into it: to its beginning, or behind so many statements of its body where a value is odd.
    Entered(usize, RuntimeId),
    /// An unsigned index that begins so far below zero counts the trips, up to where it ends and nothing else.
    Wrapping(i64),
    /// The first index is a value of the running program less itself and so much more, and is compared with an unsigned number: where it is
    /// negative there is no trip. Or it is a number beyond which there are few in an `int`.
    Converted(RuntimeId, i64, ConvertedForm),
}

/// What makes the comparison of a loop another one than that of its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvertedForm {
    Unsigned,
    UnsignedLong,
    /// There is no trip.
    Far,
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
    /// Not at all where this is negative.
    Edge(Edge),
}

/// A bound that is no extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// `r + c`, of a value that only the running program knows; often zero or less, as the next two.
    Plus(RuntimeId, i64),
    /// `c - r`.
    Less(i64, RuntimeId),
    /// `r - s`.
    Between(RuntimeId, RuntimeId),
    /// A macro, or a number of the text.
    Mark(MarkId),
}

/// A number on whose two sides others are in different builds: a loop ends at it, or begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub value: i64,
    /// What it never is larger than: all that it bounds is as long as this.
    pub most: i64,
    /// Whether a macro gives it, which may be set from outside; else it stands in the text.
    pub named: bool,
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
    /// Whether the counter is odd, asked by its last bit or by its remainder.
    Parity(LoopId, bool),
    /// `t * 0.75 > c`.
    Real(LoopId, i64),
    /// A macro that is 0 or 1, in this build.
    Flag(FlagId, Asked),
    /// Compares an element with a constant: not even the generator knows.
    Data {
        name: NameId,
        at: Vec<At>,
        above: i64,
    },
}

/// How a condition asks for a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// `F`.
    Alone,
    /// `!F`.
    Not,
    /// `F && r > c`.
    And(RuntimeId, i64),
    /// `F || r > c`.
    Or(RuntimeId, i64),
    /// `F ? r > c : r <= c`.
    Chosen(RuntimeId, i64),
    /// `#if F`: what it leaves out only the preprocessor sees. Only of [`Stmt::If`].
    Directive,
}

impl Cond {
    /// The macro that it asks for, if that is one.
    pub fn flag(&self) -> Option<FlagId> {
        match self {
            Cond::Flag(flag, _) => Some(*flag),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Call {
    pub function: FunctionId,
    /// A pointer and an offset to it for each parameter.
    pub args: Vec<(NameId, i64)>,
    /// For each, an array that a condition might choose in its place, and does not.
    pub besides: Vec<Option<NameId>>,
    pub depth: i64,
    /// Through a function pointer that the compiler cannot see through.
    pub by_pointer: bool,
}

impl Stmt {
    /// What it asks itself, if it asks anything.
    pub fn cond(&self) -> Option<&Cond> {
        match self {
            Stmt::If { cond, .. } | Stmt::Jump { cond, .. } | Stmt::Host(HostOp::Pick(_, cond)) => Some(cond),
            Stmt::Choose { choice, .. } | Stmt::Host(HostOp::Choose(choice)) => Some(&choice.test),
            _ => None,
        }
    }

    /// The blocks directly below.
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::Loop(l) => vec![&l.body],
            Stmt::If { then, other, .. } => vec![then, other],
            Stmt::Switch { arms, .. } => arms.iter().map(|a| &a.body).collect(),
            Stmt::Region { body, .. } | Stmt::Sync { body, .. } => vec![body],
            Stmt::When { body, .. } | Stmt::Choose { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks directly below, to change.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::Loop(l) => vec![&mut l.body],
            Stmt::If { then, other, .. } => vec![then, other],
            Stmt::Switch { arms, .. } => arms.iter_mut().map(|a| &mut a.body).collect(),
            Stmt::Region { body, .. } | Stmt::Sync { body, .. } => vec![body],
            Stmt::When { body, .. } | Stmt::Choose { body, .. } => vec![body],
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
