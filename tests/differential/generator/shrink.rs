//! Smaller versions of a failing case.
//!
//! An edit cuts something out of the tree or makes it plainer. Whatever is left is correct by construction (see `ast`), so
//! no edit needs to be checked, save that a case that is safe to speculate on has to stay so. Edits come biggest first.

use super::Case;
use super::ast::*;
use super::{simulate, walk};
use std::collections::BTreeSet;

/// One way of making a program smaller. Statements are numbered in order, functions one after another.
#[derive(Clone, Debug)]
enum Edit {
    /// Statements `.0..=.1` at the top of the body.
    DropRange(usize, usize),
    DropObject(NameId),
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
    edits: Vec<Edit>,
}

impl<'a> Candidates<'a> {
    /// All edits of `case`.
    pub fn of(case: &'a Case) -> Candidates<'a> {
        Candidates {
            case,
            edits: edits(&case.program),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// The case after the `k`th edit; `None` if that edit would break a promise of the case.
    pub fn get(&self, k: usize) -> Option<Case> {
        let mut program = self.case.program.clone();
        apply(&mut program, self.edits.get(k)?);
        program.minimal = true;
        tidy(&mut program);
        if program.speculation_safe && !simulate::simulate(&program).starved.is_empty() {
            return None;
        }
        Some(Case::of(program)).filter(|c| c.text != self.case.text)
    }
}

/// All cases that are one edit smaller than `case`.
pub fn shrink(case: &Case) -> impl Iterator<Item = Case> {
    let candidates = Candidates::of(case);
    (0..candidates.len()).filter_map(move |k| candidates.get(k))
}

fn edits(program: &Program) -> Vec<Edit> {
    let mut out = Vec::new();
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
    let live = |n: &NameId| program.names[*n].live;
    let owned = program.objects.iter().copied().filter(live);
    out.extend(
        owned
            .filter(|n| program.names[*n].kind != NameKind::Param)
            .map(Edit::DropObject),
    );
    let mut count = 0;
    let (mut unwraps, mut simplifications) = (Vec::new(), Vec::new());
    for f in &program.functions {
        visit(&f.body, &mut |s| {
            out.push(Edit::Drop(count));
            // Without its updates a host statement would break the data region around it.
            if !matches!(s, Stmt::Sync { .. }) {
                unwraps.extend((0..s.blocks().len()).map(|k| Edit::Unwrap(count, k)));
            }
            simplifications.extend((0..simpler(s).len()).map(|k| Edit::Simplify(count, k)));
            count += 1;
        });
    }
    out.extend(unwraps);
    let recursive = |f: &FunctionId| program.functions[*f].recursion != Recursion::None;
    out.extend((0..program.functions.len()).filter(recursive).map(Edit::NoRecursion));
    out.extend((0..FLAGS.len()).map(Edit::Flag));
    let observed = |n: &NameId| program.names[*n].live && program.names[*n].observed;
    out.extend((0..program.names.len()).filter(observed).map(Edit::Unobserve));
    out.extend(simplifications);
    out
}

/// Properties of the whole case that can be made plain.
const FLAGS: [fn(&mut Program); 5] = [
    |p| p.crlf = false,
    |p| p.inline_hash = false,
    |p| p.global_hash = true,
    |p| p.heap_struct = true,
    |p| {
        if p.layout == Layout::Function {
            p.layout = Layout::Inline;
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
        Edit::NoRecursion(f) => program.functions[f].recursion = Recursion::None,
        Edit::Flag(k) => FLAGS[k](program),
        Edit::DropObject(name) => drop_object(program, name),
    }
}

/// Plainer versions of one statement, its inner blocks left alone.
fn simpler(s: &Stmt) -> Vec<Stmt> {
    let mut out = Vec::new();
    match s {
        Stmt::Kernel(k) => {
            let mut push = |f: &dyn Fn(&mut Kernel)| {
                let mut new = k.clone();
                f(&mut new);
                out.push(Stmt::Kernel(new));
            };
            if k.stmts.len() > 1 {
                (0..k.stmts.len()).for_each(|n| push(&|k| drop(k.stmts.remove(n))));
            }
            for (n, stmt) in k.stmts.iter().enumerate() {
                (0..stmt.terms.len()).for_each(|t| {
                    push(&|k| {
                        k.stmts[n].terms.remove(t);
                    })
                });
                if stmt.cond.is_some() {
                    push(&|k| k.stmts[n].cond = None);
                }
                if stmt.adds {
                    push(&|k| k.stmts[n].adds = false);
                }
            }
            if k.style != 0 {
                push(&|k| k.style = 0);
            }
            if k.by_macro {
                push(&|k| k.by_macro = false);
            }
            if k.maps != MapStyle::Whole {
                push(&|k| k.maps = MapStyle::Whole);
            }
            if k.directive != Directive::TeamsDistributeParallelFor {
                push(&|k| k.directive = Directive::TeamsDistributeParallelFor);
            }
            if k.collapse {
                push(&|k| k.collapse = false);
            }
        }
        Stmt::Loop(l) => {
            let mut push = |f: &dyn Fn(&mut Loop)| {
                let mut new = l.clone();
                f(&mut new);
                out.push(Stmt::Loop(new));
            };
            let trips: &[i64] = match l.trip {
                Trip::Lit(0 | 1) => &[],
                Trip::Lit(2) => &[1],
                _ => &[1, 2],
            };
            trips.iter().for_each(|v| push(&|l| l.trip = Trip::Lit(*v)));
            if l.kind != LoopKind::For || l.by_macro || !l.braces {
                push(&|l| (l.kind, l.by_macro, l.braces) = (LoopKind::For, false, true));
            }
        }
        Stmt::If {
            cond,
            then,
            other,
            braces,
        } => {
            if !other.is_empty() {
                out.push(Stmt::If {
                    cond: cond.clone(),
                    then: then.clone(),
                    other: Vec::new(),
                    braces: *braces,
                });
            }
            if !braces {
                out.push(Stmt::If {
                    cond: cond.clone(),
                    then: then.clone(),
                    other: other.clone(),
                    braces: true,
                });
            }
        }
        Stmt::Call(c) if c.by_pointer || c.depth > 0 => {
            out.push(Stmt::Call(Call {
                by_pointer: false,
                ..c.clone()
            }));
            out.push(Stmt::Call(Call { depth: 0, ..c.clone() }));
        }
        Stmt::Host(HostOp::Read {
            name,
            select,
            print: true,
        }) => {
            out.push(Stmt::Host(HostOp::Read {
                name: *name,
                select: select.clone(),
                print: false,
            }));
        }
        Stmt::Region {
            unstructured: true,
            cover,
            body,
        } => {
            out.push(Stmt::Region {
                unstructured: false,
                cover: cover.clone(),
                body: body.clone(),
            });
        }
        _ => {}
    }
    out
}

/// Removes an array, every name for it, and every statement that mentions one of them.
fn drop_object(program: &mut Program, name: NameId) {
    let mut gone: BTreeSet<NameId> = [name].into();
    loop {
        let more = (0..program.names.len()).filter(|q| match program.names[*q].kind {
            NameKind::Alias { of, .. } | NameKind::Cursor { of } => gone.contains(&of),
            _ => false,
        });
        let size = gone.len();
        let more: Vec<NameId> = more.collect();
        gone.extend(more);
        if gone.len() == size {
            break;
        }
    }
    let mentions = |s: &Stmt| walk::names_in(s).iter().any(|n| gone.contains(n));
    for f in &mut program.functions {
        retain(&mut f.body, &mut |s| !mentions(s));
        strip_covers(&mut f.body, &gone);
    }
    for n in gone {
        program.names[n].live = false;
    }
}

fn strip_covers(block: &mut [Stmt], gone: &BTreeSet<NameId>) {
    for s in block {
        if let Stmt::Region { cover, .. } = s {
            cover.retain(|n| !gone.contains(n));
        }
        s.blocks_mut().into_iter().for_each(|b| strip_covers(b, gone));
    }
}

/// Removes what the edits left hanging: empty constructs, calls of empty helpers, uses of lost declarations.
fn tidy(program: &mut Program) {
    loop {
        let mut declared: BTreeSet<NameId> = BTreeSet::new();
        let mut scalars: BTreeSet<ScalarId> = BTreeSet::new();
        let mut size = 0;
        for f in &program.functions {
            visit(&f.body, &mut |s| {
                size += 1;
                match s {
                    Stmt::DeclareAlias(q) => drop(declared.insert(*q)),
                    Stmt::DeclareScalar(s) => drop(scalars.insert(*s)),
                    _ => {}
                }
            });
        }
        let lost = |n: &NameId| match program.names[*n].kind {
            NameKind::Alias {
                place: AliasPlace::Middle,
                of,
                ..
            } => !declared.contains(n) || lost_root(program, &declared, of),
            _ => false,
        };
        let gone: BTreeSet<NameId> = (0..program.names.len()).filter(lost).collect();
        let empty: BTreeSet<FunctionId> = (0..program.functions.len())
            .filter(|f| program.functions[*f].body.is_empty())
            .collect();
        let middle: Vec<bool> = program.scalars.iter().map(|s| s.middle).collect();
        let mut keep = |s: &Stmt| {
            let blocks = s.blocks();
            let hollow = !blocks.is_empty() && blocks.iter().all(|b| b.is_empty());
            let idle = matches!(s, Stmt::Call(c) if empty.contains(&c.function));
            let undeclared = walk::names_in(s).iter().any(|n| gone.contains(n))
                || walk::scalars_in(s).iter().any(|s| middle[*s] && !scalars.contains(s));
            !(hollow || idle || undeclared)
        };
        let mut left = 0;
        for f in &mut program.functions {
            retain(&mut f.body, &mut keep);
            visit(&f.body, &mut |_| left += 1);
        }
        if left == size {
            return;
        }
    }
}

/// Whether the chain of middle declarations that `of` hangs on is broken.
fn lost_root(program: &Program, declared: &BTreeSet<NameId>, of: NameId) -> bool {
    match program.names[of].kind {
        NameKind::Alias {
            place: AliasPlace::Middle,
            of: next,
            ..
        } => !declared.contains(&of) || lost_root(program, declared, next),
        _ => false,
    }
}
