//! The scope tree as indented text, for tests and `--dump scopes`.
//!
//! ```text
//! function f(n a) 1:1-7:2
//!   block 1:22-7:2
//!     #pragma 2:1 before 3:3 | omp parallel for
//!     for 3:3-5:4 init `int i = 0` cond `i < n` step `i++` declares i
//! ```
//!
//! Places are `line:column`, both from 1, columns in bytes; the second of a range is one past its last byte.

use super::tree::{DeclName, Pragma, ScopeTree, StmtId, StmtKind, SyntaxProblem};
use crate::source::Span;
use std::fmt::Write;

/// Writes `tree`, which was parsed from `text`: pragmas at file level, functions with their statements and problems,
/// problems of the file. Ends with a newline unless empty.
pub fn dump(tree: &ScopeTree, text: &[u8]) -> String {
    let starts = std::iter::once(0).chain(
        text.iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(at, _)| at + 1),
    );
    let mut within = vec![Vec::new(); tree.stmts.len()];
    for pragma in &tree.pragmas {
        if let Some(inside) = pragma.inside {
            within[inside.0 as usize].push(pragma);
        }
    }
    let mut printer = TreePrinter {
        tree,
        text,
        lines: starts.collect(),
        within,
        out: String::new(),
    };
    for pragma in tree.pragmas.iter().filter(|pragma| pragma.function.is_none()) {
        printer.pragma(0, pragma);
    }
    for (index, function) in tree.functions.iter().enumerate() {
        let head = format!(
            "function {}({}) {}",
            function.name,
            names(&function.params),
            printer.range(function.span)
        );
        printer.line(0, &head);
        printer.statements(function.body);
        let outside = |p: &&Pragma| p.function == Some(index as u32) && p.inside.is_none();
        for pragma in tree.pragmas.iter().filter(outside) {
            printer.pragma(1, pragma);
        }
        for problem in &function.problems {
            printer.problem(1, problem);
        }
    }
    for problem in &tree.problems {
        printer.problem(0, problem);
    }
    printer.out
}

fn names(names: &[DeclName]) -> String {
    names
        .iter()
        .map(|name| name.name.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

struct TreePrinter<'a> {
    tree: &'a ScopeTree,
    text: &'a [u8],
    /// Where each line starts.
    lines: Vec<usize>,
    /// The pragmas directly within each statement.
    within: Vec<Vec<&'a Pragma>>,
    out: String,
}

impl TreePrinter<'_> {
    fn place(&self, offset: usize) -> String {
        let line = self.lines.partition_point(|start| *start <= offset);
        format!("{line}:{}", offset - self.lines[line - 1] + 1)
    }
    fn range(&self, span: Span) -> String {
        format!("{}-{}", self.place(span.start), self.place(span.end))
    }
    fn code(&self, span: Span) -> String {
        format!(
            "`{}`",
            String::from_utf8_lossy(&self.text[span.start..span.end]).escape_debug()
        )
    }
    fn line(&mut self, depth: usize, text: &str) {
        let indent = depth * 2;
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{:indent$}{text}", "");
    }
    fn pragma(&mut self, depth: usize, pragma: &Pragma) {
        let before = pragma.before.map(|id| self.place(self.tree.stmt(id).span.start));
        let before = before.map_or(String::new(), |place| format!(" before {place}"));
        let name = if pragma.operator { "_Pragma" } else { "#pragma" };
        let line = format!("{name} {}{before} | {}", self.place(pragma.span.start), pragma.text);
        self.line(depth, &line);
    }
    fn problem(&mut self, depth: usize, problem: &SyntaxProblem) {
        let line = format!("! {} {}", self.range(problem.span), problem.message);
        self.line(depth, &line);
    }

    /// A statement with all below it, and the pragmas among its children.
    fn statements(&mut self, body: StmtId) {
        let tree = self.tree;
        // What is still to print, last first: a nesting as deep as it may be needs no call stack.
        let mut pending: Vec<(usize, Result<StmtId, &Pragma>)> = vec![(1, Ok(body))];
        while let Some((depth, item)) = pending.pop() {
            let id = match item {
                Ok(id) => id,
                Err(pragma) => {
                    self.pragma(depth, pragma);
                    continue;
                }
            };
            let stmt = tree.stmt(id);
            let line = format!("{}{}", self.head(&stmt.kind, stmt.span), self.details(&stmt.kind));
            self.line(depth, &line);
            let mut below: Vec<(usize, Result<StmtId, &Pragma>)> = stmt
                .children
                .iter()
                .map(|child| (tree.stmt(*child).span.start, Ok(*child)))
                .collect();
            below.extend(
                self.within[id.0 as usize]
                    .iter()
                    .map(|pragma| (pragma.span.start, Err(*pragma))),
            );
            below.sort_by_key(|(start, _)| *start);
            pending.extend(below.into_iter().rev().map(|(_, item)| (depth + 1, item)));
        }
    }

    fn head(&self, kind: &StmtKind, span: Span) -> String {
        let word = match kind {
            StmtKind::Block => "block",
            StmtKind::If { .. } => "if",
            StmtKind::For { .. } => "for",
            StmtKind::While { .. } => "while",
            StmtKind::DoWhile { .. } => "do",
            StmtKind::Switch { .. } => "switch",
            StmtKind::Case { .. } => "case",
            StmtKind::Default => "default",
            StmtKind::Label { .. } => "label",
            StmtKind::Goto { .. } => "goto",
            StmtKind::ComputedGoto => "computed goto",
            StmtKind::Break => "break",
            StmtKind::Continue => "continue",
            StmtKind::Return { .. } => "return",
            StmtKind::Expr => "expr",
            StmtKind::Decl { .. } => "decl",
            StmtKind::Empty => "empty",
            StmtKind::Macro { .. } => "macro",
            StmtKind::Asm => "asm",
            StmtKind::Error => "error",
        };
        format!("{word} {}", self.range(span))
    }

    fn details(&self, kind: &StmtKind) -> String {
        let mut out = String::new();
        let mut part = |name: &str, span: Option<Span>| {
            if let Some(span) = span {
                out += &format!("{name} {}", self.code(span));
            }
        };
        match kind {
            StmtKind::If { cond, other, .. } => {
                part(" cond", Some(*cond));
                out += if other.is_some() { " with else" } else { "" };
            }
            StmtKind::For {
                init,
                declares,
                cond,
                step,
                ..
            } => {
                part(" init", *init);
                part(" cond", *cond);
                part(" step", *step);
                if !declares.is_empty() {
                    out += &format!(" declares {}", names(declares));
                }
            }
            StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } | StmtKind::Switch { cond, .. } => {
                part(" cond", Some(*cond));
            }
            StmtKind::Case { value } => part("", Some(*value)),
            StmtKind::Return { value } => part("", *value),
            StmtKind::Label { name } | StmtKind::Goto { label: name } | StmtKind::Macro { name } => {
                out = format!(" {name}");
            }
            StmtKind::Decl { names: declared } if !declared.is_empty() => out = format!(" {}", names(declared)),
            _ => {}
        }
        out
    }
}
