//! Smaller versions of a failing case.
//!
//! An edit cuts something out of the tree or makes it plainer. Whatever is left is correct by construction (see `ast`), so
//! no edit needs to be checked, save that a case that is safe to speculate on has to stay so. Edits come biggest first.
//!
//! - `simpler`: plainer statements. `spread`: fewer files. `tidy`: what goes with what was cut.

mod simpler;
mod spread;
mod tidy;

use super::ast::*;
use super::simulate;
use super::{Case, Tree};
use crate::loops::shrink as loops;
use crate::{handles, hosts, numbers, rows};
use simpler::simpler;
use spread::Move;
use tidy::{drop_object, tidy};

/// One way of making a program smaller. Statements are numbered in order, functions one after another.
#[derive(Clone, Debug)]
enum Edit {
    /// Statements `.0..=.1` at the top of the body.
    DropRange(usize, usize),
    DropObject(NameId),
    /// The helper's statements, and all calls of it.
    DropHelper(FunctionId),
    /// All calls of the helper.
    DropCalls(FunctionId),
    Move(Move),
    Drop(usize),
    /// Puts the `.1`th inner block in the place of the statement.
    Unwrap(usize, usize),
    /// The `.1`th simplification of the statement itself.
    Simplify(usize, usize),
    Unobserve(NameId),
    NoRecursion(FunctionId),
    Flag(usize),
}

/// The edits of a case, in the order in which to try them.
pub struct Candidates<'a> {
    case: &'a Case,
    edits: Edits,
}

enum Edits {
    Kernels(Vec<Edit>),
    Loops(loops::Edits),
    Handles(Vec<handles::Program>),
    Numbers(Vec<numbers::Program>),
    Rows(Vec<rows::Program>),
    Hosts(Vec<hosts::Program>),
}

impl<'a> Candidates<'a> {
    /// All edits of `case`.
    pub fn of(case: &'a Case) -> Candidates<'a> {
        let edits = match &case.tree {
            Tree::Kernels(program) => Edits::Kernels(edits(program)),
            Tree::Loops(program) => Edits::Loops(loops::Edits::of(program)),
            Tree::Handles(program) => Edits::Handles(handles::smaller(program)),
            Tree::Numbers(program) => Edits::Numbers(numbers::smaller(program)),
            Tree::Rows(program) => Edits::Rows(rows::smaller(program)),
            Tree::Hosts(program) => Edits::Hosts(hosts::smaller(program)),
        };
        Candidates { case, edits }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.edits {
            Edits::Kernels(edits) => edits.len(),
            Edits::Loops(edits) => edits.len(),
            Edits::Handles(smaller) => smaller.len(),
            Edits::Numbers(smaller) => smaller.len(),
            Edits::Rows(smaller) => smaller.len(),
            Edits::Hosts(smaller) => smaller.len(),
        }
    }

    /// The case after the `k`th edit; `None` if that edit would break a promise of the case.
    pub fn get(&self, k: usize) -> Option<Case> {
        let smaller = match (&self.case.tree, &self.edits) {
            (Tree::Kernels(program), Edits::Kernels(edits)) => {
                let mut program = Program::clone(program);
                apply(&mut program, edits.get(k)?);
                program.minimal = true;
                tidy(&mut program);
                if program.speculation_safe && !simulate::simulate(&program).starved.is_empty() {
                    return None;
                }
                Case::of(program)
            }
            (Tree::Loops(program), Edits::Loops(edits)) => Case::of_loops(edits.get(program, k)?),
            (_, Edits::Handles(smaller)) => Case::of_handles(smaller.get(k)?.clone()),
            (_, Edits::Numbers(smaller)) => Case::of_numbers(smaller.get(k)?.clone()),
            (_, Edits::Rows(smaller)) => Case::of_rows(smaller.get(k)?.clone()),
            (_, Edits::Hosts(smaller)) => Case::of_hosts(smaller.get(k)?.clone()),
            _ => return None,
        };
        Some(smaller).filter(|c| c.parts != self.case.parts)
    }
}

/// All cases that are one edit smaller than `case`.
pub fn shrink(case: &Case) -> impl Iterator<Item = Case> {
    let candidates = Candidates::of(case);
    (0..candidates.len()).filter_map(move |k| candidates.get(k))
}

fn edits(program: &Program) -> Vec<Edit> {
    let mut out = Vec::new();
    let (moves, late) = spread::moves(program);
    out.extend(moves.into_iter().map(Edit::Move));
    let top = program.functions[0].body.len();
    let mut size = top / 2;
    while size > 1 {
        out.extend(
            (0..top)
                .step_by(size)
                .map(|at| Edit::DropRange(at, (at + size).min(top) - 1)),
        );
        size /= 2;
    }
    let helpers = 1..program.functions.len();
    let full = helpers.clone().filter(|f| !program.functions[*f].body.is_empty());
    out.extend(full.map(Edit::DropHelper));
    let called = helpers.filter(|f| calls(program, *f));
    out.extend(called.map(Edit::DropCalls));
    let live = |n: &NameId| program.names[*n].live;
    let owned = program.objects.iter().copied().filter(live);
    out.extend(
        owned
            .filter(|n| program.names[*n].kind != NameKind::Param)
            .map(Edit::DropObject),
    );
    let alias = |n: &NameId| matches!(program.names[*n].kind, NameKind::Alias { .. } | NameKind::Pick { .. });
    let aliases = (0..program.names.len()).filter(live).filter(alias);
    out.extend(aliases.map(Edit::DropObject));
    let mut count = 0;
    let (mut unwraps, mut simplifications) = (Vec::new(), Vec::new());
    for f in &program.functions {
        visit(&f.body, &mut |s| {
            out.push(Edit::Drop(count));
            // Without its updates a host statement would break the data region around it; without its condition, an array
            // need not be there.
            // Pointers have to be declared.
            if !matches!(s, Stmt::Sync { .. } | Stmt::When { .. } | Stmt::Choose { .. }) {
                unwraps.extend((0..s.blocks().len()).map(|k| Edit::Unwrap(count, k)));
            }
            simplifications.extend((0..simpler(s).len()).map(|k| Edit::Simplify(count, k)));
            count += 1;
        });
    }
    out.extend(unwraps);
    out.extend(late.into_iter().map(Edit::Move));
    let recursive = |f: &FunctionId| program.functions[*f].recursion != Recursion::None;
    out.extend((0..program.functions.len()).filter(recursive).map(Edit::NoRecursion));
    out.extend((0..FLAGS.len()).map(Edit::Flag));
    let observed = |n: &NameId| program.names[*n].live && program.names[*n].observed;
    out.extend((0..program.names.len()).filter(observed).map(Edit::Unobserve));
    out.extend(simplifications);
    out
}

/// Properties of the whole case that can be made plain.
const FLAGS: [fn(&mut Program); 9] = [
    |p| p.devices = Devices::Default,
    |p| p.crlf = false,
    |p| p.inline_hash = false,
    |p| p.global_hash = true,
    |p| p.heap_struct = true,
    |p| p.field_extents = false,
    |p| p.shared_pointers = false,
    |p| p.local_prototypes = false,
    |p| {
        if p.layout == Layout::Function {
            p.layout = Layout::Inline;
            p.functions[0].home = MAIN;
            for n in &mut p.names {
                if let NameKind::Alias {
                    place: place @ AliasPlace::Param,
                    ..
                } = &mut n.kind
                {
                    *place = AliasPlace::Top;
                }
            }
        }
    },
];

/// Calls `f` with the block that holds statement number `n` and the position in it.
fn at(block: &mut Vec<Stmt>, n: &mut usize, f: &mut dyn FnMut(&mut Vec<Stmt>, usize)) -> bool {
    for k in 0..block.len() {
        if *n == 0 {
            f(block, k);
            return true;
        }
        *n -= 1;
        for b in block[k].blocks_mut() {
            if at(b, n, f) {
                return true;
            }
        }
    }
    false
}

fn edit_statement(program: &mut Program, mut n: usize, f: &mut dyn FnMut(&mut Vec<Stmt>, usize)) {
    for function in &mut program.functions {
        if at(&mut function.body, &mut n, f) {
            return;
        }
    }
}

fn apply(program: &mut Program, edit: &Edit) {
    match *edit {
        Edit::DropRange(from, to) => {
            program.functions[0].body.drain(from..=to);
        }
        Edit::Drop(n) => edit_statement(program, n, &mut |block, k| {
            block.remove(k);
        }),
        Edit::Unwrap(n, which) => edit_statement(program, n, &mut |block, k| {
            let inner = std::mem::take(block[k].blocks_mut().swap_remove(which));
            block.splice(k..=k, inner);
        }),
        Edit::Simplify(n, which) => edit_statement(program, n, &mut |block, k| {
            if let Some(s) = simpler(&block[k]).into_iter().nth(which) {
                block[k] = s;
            }
        }),
        Edit::Unobserve(n) => program.names[n].observed = false,
        Edit::NoRecursion(f) => {
            for f in program.group(f).collect::<Vec<_>>() {
                let f = &mut program.functions[f];
                (f.recursion, f.partner) = (Recursion::None, None);
            }
        }
        Edit::Move(ref m) => m.apply(program),
        Edit::DropHelper(helper) => {
            program.functions[helper].body.clear();
            apply(program, &Edit::DropCalls(helper));
        }
        Edit::DropCalls(callee) => {
            for f in &mut program.functions {
                retain(&mut f.body, &mut |s| !calls_of(s, callee));
            }
        }
        Edit::Flag(k) => FLAGS[k](program),
        Edit::DropObject(name) => drop_object(program, name),
    }
}

fn calls_of(s: &Stmt, callee: FunctionId) -> bool {
    matches!(s, Stmt::Call(c) if c.function == callee)
}

/// Whether some statement calls the helper.
fn calls(program: &Program, callee: FunctionId) -> bool {
    let mut found = false;
    for f in &program.functions {
        visit(&f.body, &mut |s| found |= calls_of(s, callee));
    }
    found
}
