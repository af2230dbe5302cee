//! Facts of a text, said of one with other directives that is the same program but for these.
//!
//! ```text
//! a.c                          line 7: a[i] = i;            facts of a.c: a store in line 7
//! a.c with two more pragmas    line 9: a[i] = i;            facts of that: a store in line 9, and two more directives
//! ```
//!
//! The plain IR is made without OpenMP, so directives move what is in it and change nothing else: clang need not be asked again. What they
//! evaluate is the exception ([`super::evaluations`]); where they evaluate anything more than the original's did, there is no answer here.
//!
//! **Invariant.** What comes of it is what clang's facts of the new text would be, but for the places of jumps to the end of a block whose braces were
//! added, and of literals, which nobody asks for. Whoever made the edits has to know that nothing but directives and braces were added:
//! [`crate::rewrite`]'s guard does.

use super::declared::includes_own;
use super::evaluations::evaluations;
use super::parsed_texts::ParsedTexts;
use super::source::UnitSource;
use super::unit::UnitFacts;
use crate::openmp::{Construct, Directive};
use crate::program::ir::{Function, Loc, Module, Op};
use crate::source::{EditSet, LineIndex, Position, Span};
use crate::syntax::ScopeTree;
use std::sync::Arc;

/// A text, and what edits have made of it.
#[derive(Clone, Copy, Debug)]
pub struct EditedText<'a> {
    pub original: &'a [u8],
    pub edits: &'a EditSet,
    pub text: &'a [u8],
}

/// Where something of a text is once the text was edited.
struct MovedPlaces {
    before: LineIndex,
    after: LineIndex,
    /// By edit, in the order of the text: what it replaces, and how far everything behind it moves, edits before it included.
    edits: Vec<(Span, isize)>,
}

impl MovedPlaces {
    fn new(edited: &EditedText<'_>) -> MovedPlaces {
        let mut moved = 0;
        let edit = |edit: &crate::source::Edit| {
            moved += edit.replacement.len() as isize - (edit.span.end - edit.span.start) as isize;
            (edit.span, moved)
        };
        MovedPlaces {
            before: LineIndex::new(edited.original),
            after: LineIndex::new(edited.text),
            edits: edited.edits.iter().map(edit).collect(),
        }
    }

    /// What stands at an offset stands behind all that was inserted there; what was replaced begins where that begins which is there instead.
    fn offset(&self, offset: usize) -> usize {
        let before = self.edits.partition_point(|(span, _)| span.end <= offset);
        let by = before.checked_sub(1).map_or(0, |at| self.edits[at].1);
        let offset = match self.edits.get(before) {
            Some((span, _)) if span.start < offset => span.start,
            _ => offset,
        };
        offset.saturating_add_signed(by)
    }

    fn place(&self, loc: &mut Loc) {
        // Of another file.
        if loc.line >= Loc::INCLUDED {
            return;
        }
        let at = Position {
            line: loc.line,
            column: loc.col,
        };
        if let Some(offset) = self.before.offset(at) {
            let there = self.after.position(self.offset(offset));
            *loc = Loc {
                line: there.line,
                col: there.column,
            };
        } else if let Some(line) = self.before.full_span(loc.line) {
            // Somewhere behind the line's end.
            loc.line = self.after.position(self.offset(line.start)).line;
        }
    }

    fn function(&self, function: &mut Function) {
        if function.in_header {
            return;
        }
        function.decl.iter_mut().for_each(|loc| self.place(loc));
        let variables = function.variables.iter_mut().filter_map(|v| v.decl.as_mut());
        variables.for_each(|loc| self.place(loc));
        for inst in &mut function.insts {
            inst.loc.iter_mut().for_each(|loc| self.place(loc));
            if let Op::Br { latch, .. } | Op::CondBr { latch, .. } = &mut inst.op {
                latch.iter_mut().for_each(|loc| self.place(loc));
            }
        }
    }

    fn module(&self, module: &mut Module) {
        module
            .functions
            .iter_mut()
            .for_each(|f| self.function(Arc::make_mut(f)));
        let globals = module.globals.iter_mut().filter_map(|g| g.decl.as_mut());
        let named = module.declared.names.iter_mut().filter_map(|d| d.from.as_mut());
        globals.chain(named).for_each(|loc| self.place(loc));
    }
}

impl UnitFacts {
    /// The facts of an edited text, by those of the original; `None` where directives that are new evaluate anything that clang has to tell.
    pub fn moved(self, source: &UnitSource<'_>, edited: &EditedText<'_>, texts: &ParsedTexts) -> Option<UnitFacts> {
        let places = MovedPlaces::new(edited);
        let inactive: Vec<Span> = { self.inactive.iter() }
            .map(|span| Span::new(places.offset(span.start), places.offset(span.end)))
            .collect();
        let old = texts.parsed(edited.original, &self.inactive);
        let new = texts.parsed(edited.text, &inactive);
        let mut module = self.module;
        // Facts that were kept do not say which words headers define as macros, and what these evaluate.
        if module.declared.macros.is_empty() && includes_own(edited.text) {
            return None;
        }
        let evaluated = |text: &[u8], tree: &ScopeTree| {
            let found = evaluations(text, tree, &module.declared.macros);
            let written: Vec<String> = found.edits.into_iter().map(|(_, said)| said).collect();
            (written, found.unseen)
        };
        if evaluated(edited.original, &old.tree) != evaluated(edited.text, &new.tree) {
            return None;
        }
        places.module(&mut module);
        count_again(&mut module.declared.directives, &old.tree, &new.tree);
        let directives = &module.declared.directives;
        for function in module.functions.iter_mut().filter(|f| !f.declaration) {
            let function = Arc::make_mut(function);
            if let Some((_, count, enters)) = directives.iter().find(|(name, ..)| *name == function.name) {
                (function.directives, function.enters_data) = (*count, *enters);
            }
        }
        Some(UnitFacts {
            inputs: source.hash(),
            text: blake3::hash(edited.text),
            inactive,
            module,
            ..self
        })
    }
}

/// Counts the directives for the device of functions that have others now: those that a text shows are more or fewer, and what macros and
/// included files make of it stays.
fn count_again(counts: &mut Vec<(String, u32, bool)>, old: &ScopeTree, new: &ScopeTree) {
    let (before, after) = (on_device(old), on_device(new));
    for (function, now) in new.functions.iter().zip(after) {
        let was = old.functions.iter().position(|f| f.name == function.name);
        let was = was.map(|at| before[at]).unwrap_or_default();
        match counts.iter_mut().find(|(name, ..)| *name == function.name) {
            Some((_, count, enters)) => {
                *count = (*count + now.count).saturating_sub(was.count);
                *enters |= now.enter;
            }
            None if now.count > 0 => counts.push((function.name.clone(), now.count, now.enter)),
            None => {}
        }
    }
}

/// The directives for the device in a function.
#[derive(Clone, Copy, Default)]
struct DeviceDirectives {
    count: u32,
    /// `target enter data` is among them.
    enter: bool,
}

/// The directives for the device of each function of a text.
fn on_device(tree: &ScopeTree) -> Vec<DeviceDirectives> {
    let of_function = |at: usize| {
        let directives = tree.pragmas_of(at).filter_map(|p| Directive::parse(&p.text));
        let mut found = DeviceDirectives::default();
        for directive in directives.filter(Directive::is_on_device) {
            found.count += 1;
            found.enter |= directive.has(&Construct::TargetEnterData);
        }
        found
    };
    (0..tree.functions.len()).map(of_function).collect()
}
