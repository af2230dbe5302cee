//! A file's text with the branches of `#if` that this compilation leaves out written down as calls, for the compiler.
//!
//! ```c
//! #if A                                            { void …1(const void *, ...) __asm__("__ompmemopt_left_out"); …1(0, a, n); }
//!     f(x);                                        f(x);
//! #else                                     ──►    (empty line)
//!     a[5] = n;                                    (empty line)
//! #endif                                           (empty line)
//! ```
//!
//! [`crate::program::left_out`] says what such a call stands for. It stands where the conditional begins, which nothing that is
//! compiled makes dead code. The branch that counts stays as it is, and so does the number of each line.
//!
//! A call can stand where a statement can. Where a branch is part of a statement, or includes a file, its function is *unseen*:
//! it may do what its instructions do not show.

use crate::openmp::Directive;
use crate::program::ir::Unseen;
use crate::program::left_out::{LeftOut, VALUE};
use crate::source::Span;
use crate::syntax::{
    BranchForm, BranchPlace, ConditionalGroup, Define, Mentions, ScopeTree, StmtKind, branch_form, declared_before,
    identifiers,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A name that the text can use outside of functions from a line on.
pub(super) struct FileName<'n> {
    pub name: &'n str,
    pub from_line: u32,
}

impl<'n> FileName<'n> {
    pub(super) fn new(name: &'n str, from_line: u32) -> FileName<'n> {
        FileName { name, from_line }
    }
}

/// Branches of a text that do something in other builds.
#[derive(Default)]
pub(super) struct LeftOutBranches {
    /// The pieces of the text to be replaced, and by what.
    pub edits: Vec<(Span, String)>,
    /// Functions with calls in the place of branches.
    pub written: BTreeSet<String>,
    /// Functions in which branches do what is written nowhere.
    pub unseen: Vec<(String, Unseen)>,
}

/// What macros stand for, and whether they have arguments, by name.
pub(super) type MacroTable<'t> = FxHashMap<&'t str, Vec<(&'t str, bool)>>;

/// What macros stand for: those that the preprocessor knows, and those that texts with these scope trees define.
pub(super) fn macros_of<'t>(defined: &'t [Define], trees: impl Iterator<Item = &'t ScopeTree>) -> MacroTable<'t> {
    let mut macros = MacroTable::default();
    for define in defined {
        let body = (define.body.as_str(), define.params.is_some());
        macros.entry(&define.name).or_default().push(body);
    }
    for (name, body) in trees.flat_map(|tree| &tree.constants) {
        macros.entry(name).or_default().push((body, false));
    }
    macros
}

/// What is known of a text.
pub(super) struct KnownText<'a> {
    /// Different for each text of a compilation.
    pub number: usize,
    pub text: &'a [u8],
    pub tree: &'a ScopeTree,
    /// What macros stand for, those of headers and flags included.
    pub macros: &'a MacroTable<'a>,
    /// Variables that the text can name.
    pub variables: &'a [FileName<'a>],
}

const WITHIN: &str = "a branch of `#if` that this build leaves out is part of a statement in it";
const DIRECTIVE: &str =
    "a branch of `#if` in it ends with a directive, which other builds do not have for what stands behind it";
const LABEL: &str = "a branch of `#if` that this build leaves out is a case of a `switch` in it";
const INCLUDES: &str = "a branch of `#if` that this build leaves out includes a file in it";
const UNDECLARED: &str = "a branch of `#if` that this build leaves out calls a function that is defined further down";

impl KnownText<'_> {
    /// Writes down the branches of the text's functions.
    pub(super) fn left_out(&self) -> LeftOutBranches {
        let mut found = LeftOutBranches::default();
        let body = |name: &str| self.macros.get(name).cloned().unwrap_or_default();
        let mut number = 0;
        for group in &self.tree.open_conditionals {
            let Some((first, function)) = group.lines.first().and_then(|first| {
                let own = self.tree.functions.iter().find(|f| f.span.encloses(*first))?;
                Some((*first, &own.name))
            }) else {
                continue;
            };
            if let Some(why) = self.cuts(group) {
                found.unseen.push((function.clone(), Unseen::because(why)));
                continue;
            }
            let mut calls = String::new();
            for branch in group.branches.iter().filter(|b| self.tree.left_out.contains(b)) {
                let mentions = Mentions::of(self.text, *branch, &body);
                match self.call(group, *branch, &mentions, number) {
                    Ok(call) => calls.push_str(&call),
                    Err(why) => found.unseen.push((function.clone(), Unseen::because(why))),
                }
                number += 1;
            }
            if calls.is_empty() {
                continue;
            }
            found.written.insert(function.clone());
            found.edits.push((first, calls));
            found
                .edits
                .extend(group.lines[1..].iter().map(|line| (*line, String::new())));
            let gone = group.branches.iter().filter(|b| self.tree.inactive.contains(b));
            found.edits.extend(gone.map(|b| (*b, String::new())));
        }
        found
    }

    /// Why a conditional is more than statements that one build has and another one has not.
    fn cuts(&self, group: &ConditionalGroup) -> Option<&'static str> {
        let inside = self.tree.places_of(group).is_none();
        let within_list = inside && group.lines.first().is_some_and(|line| self.is_in_list(line.start));
        group
            .branches
            .iter()
            .find_map(|branch| match branch_form(self.text, *branch) {
                BranchForm::Pragma(pragma) if !self.stands_alone(pragma) => Some(DIRECTIVE),
                BranchForm::Number if inside && !within_list => Some(WITHIN),
                BranchForm::Cut if !inside => Some(WITHIN),
                BranchForm::Open if self.opens_body(group) => Some(WITHIN),
                _ => None,
            })
    }

    /// Whether a conditional leaves the body of a statement open whose head differs between builds. A loop around kernels is
    /// none: nobody relies on how often one runs.
    fn opens_body(&self, group: &ConditionalGroup) -> bool {
        let Some(block) = group.lines.last().and_then(|line| self.tree.place_at(line.start).ok()) else {
            return true;
        };
        let around = self.tree.stmt(block.block).parent;
        let is_body = around.is_some_and(|around| self.tree.stmt(around).kind != StmtKind::Block);
        let span = self.tree.stmt(block.block).span;
        is_body && !self.tree.pragmas.iter().any(|p| span.encloses(p.span))
    }

    /// Whether a pragma belongs to no statement.
    fn stands_alone(&self, pragma: Span) -> bool {
        let said = String::from_utf8_lossy(&self.text[pragma.start..pragma.end]);
        Directive::parse(&said).is_some_and(|d| d.is_standalone())
    }

    /// Whether a place lies in the braces of an initial value.
    fn is_in_list(&self, at: usize) -> bool {
        let Err(Some(stmt)) = self.tree.place_at(at) else {
            return false;
        };
        let before = &self.text[self.tree.stmt(stmt).span.start..at];
        let count = |byte: u8| before.iter().filter(|b| **b == byte).count();
        count(b'{') > count(b'}')
    }

    /// The call that stands for a branch; nothing where nothing that the branch mentions is memory.
    fn call(
        &self,
        group: &ConditionalGroup,
        branch: Span,
        mentions: &Mentions,
        number: usize,
    ) -> Result<String, &'static str> {
        if mentions.is_empty() {
            return Ok(String::new());
        }
        let places = self.tree.places_of(group);
        let begin = group.lines.first().map_or(branch.start, |line| line.start);
        let reached = match (places, self.tree.place_at(begin)) {
            (Some((place, _)), _) | (None, Ok(place)) => self.visible(place, branch, &mentions.names),
            (None, Err(Some(stmt))) => {
                let place = self.tree.ancestors(stmt).skip(1).find_map(|block| {
                    let mut children = self.tree.stmt(block).children.iter();
                    let index = children.position(|c| self.tree.encloses(*c, stmt))? as u32;
                    Some(BranchPlace { block, index })
                });
                place.map_or_else(Vec::new, |place| self.visible(place, branch, &mentions.names))
            }
            (None, Err(None)) => return Ok(String::new()),
        };
        let matters = !reached.is_empty() || !mentions.calls.is_empty() || !mentions.jumps.is_empty();
        if mentions.includes {
            return Err(INCLUDES);
        }
        if !matters && !mentions.launches {
            return Ok(String::new());
        }
        if places.is_none() {
            return Err(WITHIN);
        }
        if mentions.jumps.contains("case") || mentions.jumps.contains("default") {
            return Err(LABEL);
        }
        let functions = self.functions(branch, &mentions.calls)?;
        let known = LeftOut {
            jumps: mentions.jumps.iter().cloned().collect(),
            anything: mentions.launches,
            enters: mentions.enters,
            calls: mentions.calls.iter().cloned().collect(),
        };
        // What is stored behind a name of the branch's own may be a pointer.
        let is_known = |stored: &&String| {
            let names = identifiers(stored.as_bytes(), Span::new(0, stored.len()));
            names.first().is_some_and(|(name, _)| reached.contains(&name.as_str()))
        };
        let (stores, others): (Vec<&String>, Vec<&String>) = mentions.stores.iter().partition(is_known);
        let branch = WrittenBranch {
            known: LeftOut {
                anything: known.anything || !others.is_empty(),
                ..known
            },
            variables: reached,
            functions,
            assigned: &mentions.assigned,
            stores,
        };
        Ok(branch.statement(&format!("{}_{number}", self.number)))
    }

    /// The variables among names that can be named where a branch stands.
    fn visible<'n>(&self, place: BranchPlace, branch: Span, names: &'n BTreeSet<String>) -> Vec<&'n str> {
        let line = 1 + self.text[..branch.start].iter().filter(|b| **b == b'\n').count() as u32;
        let own = declared_before(self.tree, place);
        let is_visible = |name: &String| {
            own.iter().any(|d| d.name == *name) || self.variables.iter().any(|v| v.name == *name && v.from_line <= line)
        };
        names
            .iter()
            .filter(|name| is_visible(name))
            .map(String::as_str)
            .collect()
    }

    /// The functions of the text that a branch calls.
    fn functions<'n>(&self, branch: Span, calls: &'n BTreeSet<String>) -> Result<Vec<&'n str>, &'static str> {
        let mut found = Vec::new();
        for name in calls {
            match self.tree.functions.iter().find(|f| f.name == *name) {
                Some(function) if function.name_span.start < branch.start => found.push(name.as_str()),
                Some(_) => return Err(UNDECLARED),
                None => {}
            }
        }
        Ok(found)
    }
}

/// A branch to be written down.
struct WrittenBranch<'m> {
    known: LeftOut,
    /// Variables that it mentions.
    variables: Vec<&'m str>,
    /// Functions of the text that it calls.
    functions: Vec<&'m str>,
    /// Variables that it may assign to.
    assigned: &'m BTreeSet<String>,
    /// Elements and members of variables that it assigns to.
    stores: Vec<&'m String>,
}

impl WrittenBranch<'_> {
    /// The statement that stands for the branch.
    fn statement(&self, number: &str) -> String {
        const POINTER: &str = "5";
        const RECORD: &str = "12";
        let name = format!("__ompmemopt_branch_{number}");
        let declaration = |name: &str, branch: &LeftOut| {
            let symbol = branch.symbol();
            format!("void {name}(const void *, ...) __asm__(\"{symbol}\");")
        };
        let is_pointer = |lvalue: &str| format!(" || __builtin_classify_type({lvalue}) == {POINTER}");
        let mut arguments = String::from("0");
        let mut numbers = String::new();
        // Whether pointers get other values: then they may lead anywhere that anything here leads to.
        let mut points: String = self.stores.iter().map(|stored| is_pointer(stored)).collect();
        for variable in &self.variables {
            if self.assigned.contains(*variable) {
                let number = format!(
                    "(__builtin_classify_type({variable}) < {POINTER} || \
                     __builtin_classify_type({variable}) > 7 && __builtin_classify_type({variable}) < {RECORD})"
                );
                // A number becomes any number; other variables are given away.
                numbers.push_str(&format!(
                    " __builtin_choose_expr({number}, {variable}, {name}_none) = {name}_value();"
                ));
                arguments.push_str(&format!(", __builtin_choose_expr({number}, 0, &({variable}))"));
                points.push_str(&format!(" || __builtin_classify_type({variable}) >= {RECORD}"));
                points.push_str(&is_pointer(variable));
            } else {
                arguments.push_str(&format!(
                    ", __builtin_choose_expr(__builtin_classify_type({variable}) >= {RECORD}, &({variable}), ({variable}))"
                ));
            }
        }
        if !numbers.is_empty() {
            let value = format!("int {name}_none; int {name}_value(void) __asm__(\"{VALUE}\");");
            numbers.insert_str(0, &value);
        }
        arguments.extend(self.functions.iter().map(|function| format!(", {function}")));
        if points.is_empty() || self.known.anything {
            let declaration = declaration(&name, &self.known);
            return format!("{{ {declaration} {name}({arguments}); {numbers} }}");
        }
        let anything = LeftOut {
            anything: true,
            ..self.known.clone()
        };
        let other = format!("{name}_stores");
        format!(
            "{{ {} {} __builtin_choose_expr(0{points}, {other}, {name})({arguments}); {numbers} }}",
            declaration(&name, &self.known),
            declaration(&other, &anything)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{inactive_spans, marked_text, parse};

    /// The text with its left-out branches written down; those count of which the first line has `yes` in it.
    fn shown(text: &str) -> (String, LeftOutBranches) {
        let (_, branches) = marked_text(text.as_bytes());
        let counts = |span: Span| {
            text[span.start..span.end]
                .lines()
                .next()
                .is_some_and(|l| l.contains("yes"))
        };
        let surviving = branches.iter().filter(|b| counts(b.span)).map(|b| b.id).collect();
        let inactive = inactive_spans(&branches, &surviving);
        let tree = parse(text.as_bytes(), &inactive);
        let page = KnownText {
            number: 0,
            text: text.as_bytes(),
            tree: &tree,
            macros: &macros_of(&[], std::iter::once(&tree)),
            variables: &[FileName {
                name: "g",
                from_line: 1,
            }],
        };
        let found = page.left_out();
        let written = super::super::evaluations::written(text.as_bytes(), &found.edits);
        (String::from_utf8(written).unwrap(), found)
    }

    #[test]
    fn a_branch_becomes_a_call_and_lines_stay() {
        let text = "void f(int n, double *a) {\n#if A\n  yes();\n#else\n  a[5] = g;\n  printf(\"%d\", n);\n#endif\n}\n";
        let (written, found) = shown(text);
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!(lines.len(), text.lines().count());
        assert_eq!((lines[2], lines[3], lines[4], lines[5]), ("  yes();", "", "", ""));
        assert!(
            lines[1].contains("__asm__(\"__ompmemopt_left_out:printf\")"),
            "{}",
            lines[1]
        );
        assert!(lines[1].contains("(a))") && lines[1].contains("(g))") && lines[1].contains("(n))"));
        assert!(found.written.contains("f") && found.unseen.is_empty());
    }

    #[test]
    fn what_is_assigned_may_be_any_number() {
        let (written, _) = shown("void f(int n, double *a) {\n#if A\n  n = 3;\n#endif\n}\n");
        assert!(
            written.contains(", n, __ompmemopt_branch_0_0_none) = __ompmemopt_branch_0_0_value();"),
            "{written}"
        );
        let (written, _) = shown("void f(int n, double *a) {\n#if A\n  if (n) return;\n#endif\n}\n");
        assert!(written.contains("__asm__(\"__ompmemopt_left_out:^return\")"));
    }

    #[test]
    fn branches_within_statements_leave_their_function_unseen() {
        let (written, found) = shown("void f(int n, double *a) {\n n +=\n#if A\n  a[0] +\n#endif\n 1;\n}\n");
        assert!(written.contains("#if A") && found.unseen.len() == 1);
        let (_, found) = shown("void f(int n, double *a) {\n n +=\n#if A\n  2 +\n#endif\n 1;\n}\n");
        assert_eq!(found.unseen.len(), 1);
        let (_, found) = shown("void f(void) {\n static int t[] = {\n#if A\n  2,\n#endif\n 1 };\n}\n");
        assert!(found.unseen.is_empty());
        let (_, found) =
            shown("void f(double *a) {\n#if A\n#pragma omp parallel for\n#endif\n for (;;) a[0] = 1;\n}\n");
        assert_eq!(found.unseen.len(), 1);
    }
}
