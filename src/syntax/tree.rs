//! The scope tree: the statements of a file, with exact byte ranges, as owned plain data.
//!
//! Built once per file from tree-sitter (see [`super::parse`]) and never changed. Statements nest as the text nests;
//! every statement knows its parent, so "the smallest block that contains both" is a walk up. Labels and `case` labels
//! are flattened: `L: x = 1;` inside a block gives two children, a [`StmtKind::Label`] and the expression statement, so
//! that the place *after* a label is visibly not a place before the statement for those who jump.
//!
//! Pragmas are not statements here, because whether a pragma owns the statement after it is OpenMP's business: each is
//! a [`Pragma`] that knows the statement that follows it in the same block.

use crate::source::Span;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Index of a statement in [`ScopeTree::stmts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct StmtId(pub u32);

/// Index of a pragma in [`ScopeTree::pragmas`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PragmaId(pub u32);

/// Everything syntactic about one file.
#[derive(Clone, Debug, Default)]
pub struct ScopeTree {
    /// Function definitions in text order.
    pub functions: Vec<FunctionNode>,
    /// All statements, parents before children, in text order.
    pub stmts: Vec<Stmt>,
    /// All `#pragma` lines and `_Pragma` operators in active code, in text order.
    pub pragmas: Vec<Pragma>,
    /// Lines of preprocessor conditionals (`#if … #endif`), each as the span of its own line(s).
    pub conditionals: Vec<Span>,
    /// Macros defined in this file whose expansion contains a `_Pragma` or ends in the middle of a statement (a loop
    /// header, an unpaired brace), sorted. Uses of those that are *only* pragmas are among [`ScopeTree::pragmas`].
    pub pragma_macros: Vec<String>,
    /// Names of all macros defined in active code, in text order.
    pub macros: Vec<String>,
    /// Object-like macros defined in active code, name and body, in text order.
    pub constants: Vec<(String, String)>,
    /// The loops of which a build may choose whether they run.
    pub trips: NamedTrips,
    /// What could not be parsed, file-wide.
    pub problems: Vec<SyntaxProblem>,
    /// The branches of preprocessor conditionals that this compilation leaves out and another one may compile, sorted and disjoint.
    pub left_out: Vec<Span>,
    /// All conditionals, inner ones before outer ones.
    pub conditional_groups: Vec<ConditionalGroup>,
    /// The conditionals of which another build may compile other branches, in text order.
    pub open_conditionals: Vec<ConditionalGroup>,
    /// All branches of preprocessor conditionals that this compilation leaves out, sorted and disjoint.
    pub inactive: Vec<Span>,
    /// By name: the statements that declare it, in text order; once somebody has asked.
    pub(super) declaring: OnceLock<FxHashMap<String, Vec<StmtId>>>,
}

/// A conditional, from its `#if` to its `#endif`.
#[derive(Clone, Debug, Default)]
pub struct ConditionalGroup {
    /// The lines of its directives.
    pub lines: Vec<Span>,
    /// The conditional's branches, in order: from the line after a directive to the start of the line of the next one.
    pub branches: Vec<Span>,
}

/// A number in the source's words, and how much of it is no iteration: a loop runs where `words > less`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The words, in parentheses unless they are one: names of macros, enumerators and variables of the file, and numbers.
    pub words: String,
    /// What they have to exceed.
    pub less: i128,
    /// The names among them. Those of variables mean this number only where they have the value that they have at the loop.
    pub names: Vec<String>,
}

/// The loops of which a build may choose whether they run, each with the bound that decides it, if that is plain.
pub type NamedTrips = BTreeMap<StmtId, Option<Bound>>;

/// A reason why part of a file is not understood, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxProblem {
    /// Where.
    pub span: Span,
    /// Why, for people.
    pub message: String,
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct FunctionNode {
    /// Name.
    pub name: String,
    /// The identifier in the declarator.
    pub name_span: Span,
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// Parameters: name and identifier span, in order (unnamed ones are skipped).
    pub params: Vec<DeclName>,
    /// The body, a [`StmtKind::Block`].
    pub body: StmtId,
    /// Why this function cannot be rewritten, if anything in it did not parse.
    pub problems: Vec<SyntaxProblem>,
}

/// A declared identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclName {
    /// The identifier.
    pub name: String,
    /// The identifier's place.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// From its first token to its last (the `;` or `}` included; pragmas before it excluded).
    pub span: Span,
    /// Enclosing statement; `None` for a function's body.
    pub parent: Option<StmtId>,
    /// Nested statements in text order (bodies, branches, block members).
    pub children: Vec<StmtId>,
    /// The children that declare something.
    pub declarations: Vec<StmtId>,
    /// Index into [`ScopeTree::functions`].
    pub function: u32,
}

/// Kinds of statements. Expression parts are given as spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    /// `{ … }`
    Block,
    If {
        cond: Span,
        then: StmtId,
        other: Option<StmtId>,
    },
    /// `init` covers the init clause without its `;`; `declares` are names declared in it. Conditions (of all kinds) are
    /// given without their parentheses.
    For {
        init: Option<Span>,
        declares: Vec<DeclName>,
        cond: Option<Span>,
        step: Option<Span>,
        body: StmtId,
    },
    While {
        cond: Span,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: Span,
    },
    /// The body of a switch; `case` labels are children of the block inside.
    Switch {
        cond: Span,
        body: StmtId,
    },
    /// `case value:`; the statements after it are its next siblings.
    Case {
        value: Span,
    },
    /// `default:`
    Default,
    /// `name:`; the labelled statement is the next sibling.
    Label {
        name: String,
    },
    Goto {
        label: String,
    },
    /// `goto *p;`
    ComputedGoto,
    Break,
    Continue,
    Return {
        value: Option<Span>,
    },
    /// Expression statement.
    Expr,
    /// Declaration, with all names that it gives a meaning: variables, functions, types, constants of enumerations
    /// (`_Static_assert` has none).
    Decl {
        names: Vec<DeclName>,
    },
    /// `;`
    Empty,
    /// A use of a macro that expands to statements, with or without `;`: opaque, nothing may be inserted inside it.
    /// `FOR_ALL(i, n) { … }` covers the block too, as its only child.
    Macro {
        name: String,
    },
    /// Inline assembly.
    Asm,
    /// Something that did not parse; its function has a problem.
    Error,
}

/// A `#pragma` line (continuations included) or a `_Pragma("…")` operator.
#[derive(Clone, Debug)]
pub struct Pragma {
    /// Whole text, from `#` to the last byte before the final newline (a trailing comment included), or `_Pragma(…)`.
    pub span: Span,
    /// Text after `#pragma`, with continuations joined, comments replaced by a space and outer whitespace trimmed.
    pub text: String,
    /// The pragma is a `_Pragma` operator, or a use of a macro that expands to nothing but such operators: its span is
    /// not a line of its own. A macro that expands to several gives several pragmas with the same span.
    pub operator: bool,
    /// The statement directly after it within the same parent, other pragmas skipped; `None` at the end of a block or
    /// at file level.
    pub before: Option<StmtId>,
    /// The innermost block (or other statement) that contains it; `None` at file level.
    pub inside: Option<StmtId>,
    /// Index into [`ScopeTree::functions`], `None` at file level.
    pub function: Option<u32>,
}

impl ScopeTree {
    /// The tree of this build: its loops run as often as their numbers say. What other builds do in branches of `#if` that this one leaves out is
    /// in it where the code says it, too (`left_out`).
    #[must_use]
    pub fn in_this_build(&self, left_out: bool) -> ScopeTree {
        let mut tree = self.clone();
        tree.trips = NamedTrips::new();
        if !left_out {
            tree.left_out.clear();
            tree.open_conditionals.clear();
        }
        tree
    }

    /// The statement with this id.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }
    /// The pragmas of a function, which lie together.
    pub fn pragmas_of(&self, function: usize) -> impl Iterator<Item = &Pragma> {
        self.pragma_ids_of(function).map(|id| &self.pragmas[id.0 as usize])
    }
    /// [`ScopeTree::pragmas_of`], as places among all.
    pub fn pragma_ids_of(&self, function: usize) -> impl Iterator<Item = PragmaId> {
        let span = self.functions[function].span;
        let first = self.pragmas.partition_point(|p| p.span.start < span.start);
        let near = self.pragmas.iter().enumerate().skip(first);
        let inside = near.take_while(move |(_, p)| p.span.start < span.end);
        let own = inside.filter(move |(_, p)| p.function == Some(function as u32));
        own.map(|(at, _)| PragmaId(at as u32))
    }
    /// The statements of a function, which lie together.
    pub fn stmts_of(&self, function: usize) -> impl Iterator<Item = StmtId> {
        let first = self.functions[function].body.0;
        let rest = self.stmts.get(first as usize..).unwrap_or_default();
        let own = rest.iter().take_while(move |s| s.function as usize == function);
        (first..).zip(own).map(|(at, _)| StmtId(at))
    }
    /// The loops of a function in text order.
    pub fn loops_of(&self, function: usize) -> Vec<StmtId> {
        let own = self.stmts_of(function);
        own.filter(|s| self.stmt(*s).kind.is_loop()).collect()
    }
    /// Whether a body has no braces of its own around its directives: no block, or a block that a pragma stands before
    /// (`if (c) #pragma omp target { … }`).
    pub fn is_bare(&self, body: StmtId) -> bool {
        self.stmt(body).kind != StmtKind::Block || self.pragmas.iter().any(|p| p.before == Some(body))
    }
    /// The pragma with this id.
    pub fn pragma(&self, id: PragmaId) -> &Pragma {
        &self.pragmas[id.0 as usize]
    }
    /// Ancestors of `id`, itself first, the function's body last.
    pub fn ancestors(&self, id: StmtId) -> impl Iterator<Item = StmtId> + '_ {
        std::iter::successors(Some(id), |s| self.stmt(*s).parent)
    }
    /// Whether `inner` is `outer` or nested in it.
    pub fn encloses(&self, outer: StmtId, inner: StmtId) -> bool {
        // Children lie within their parent: most statements are told apart by where they stand.
        self.stmt(outer).span.encloses(self.stmt(inner).span) && self.ancestors(inner).any(|s| s == outer)
    }
    /// The innermost statement whose span contains the byte `offset`.
    pub fn innermost(&self, offset: usize) -> Option<StmtId> {
        let function = self.functions.iter().find(|f| f.span.contains(offset))?;
        let mut at = function.body;
        if !self.stmt(at).span.contains(offset) {
            return None;
        }
        // Children are disjoint and in text order.
        loop {
            let children = &self.stmt(at).children;
            let next = children.partition_point(|s| self.stmt(*s).span.end <= offset);
            match children.get(next) {
                Some(child) if self.stmt(*child).span.contains(offset) => at = *child,
                _ => return Some(at),
            }
        }
    }
    /// The smallest statement that contains both.
    pub fn common_ancestor(&self, a: StmtId, b: StmtId) -> Option<StmtId> {
        self.ancestors(a).find(|s| self.encloses(*s, b))
    }
}

impl StmtKind {
    /// `for`, `while` or `do`.
    pub fn is_loop(&self) -> bool {
        matches!(
            self,
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. }
        )
    }
}
