//! Smaller versions of a program about numbers. Each is run before it is tried, as when it was drawn.

use super::ast::*;
use super::run::run;

/// All programs that are one step smaller and fit.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut out = Vec::new();
    let mut offer = |edit: &dyn Fn(&mut Program)| {
        let mut p = program.clone();
        edit(&mut p);
        if run(&p).is_ok() {
            out.push(p);
        }
    };
    for k in 0..program.calls.len() {
        offer(&|p| {
            p.calls.remove(k);
        });
    }
    for f in 0..program.functions.len() {
        offer(&|p| p.functions[f].own = None);
        for n in 0..count(&program.functions[f].body) {
            offer(&|p| at(&mut p.functions[f].body, n, &mut |block, k| drop(block.remove(k))));
            offer(&|p| at(&mut p.functions[f].body, n, &mut unwrap));
            offer(&|p| at(&mut p.functions[f].body, n, &mut |block, k| plain(&mut block[k])));
        }
        for n in 0..count(&program.functions[f].body) {
            let mut forms = 0;
            at(&mut program.clone().functions[f].body, n, &mut |block, k| {
                let exprs = block[k].exprs_mut();
                forms = exprs.iter().map(|e| e.parts().len()).sum();
            });
            for form in 0..forms {
                offer(&|p| {
                    at(&mut p.functions[f].body, n, &mut |block, k| {
                        simplify(&mut block[k], form)
                    })
                });
            }
        }
    }
    out
}

/// Statements, those in others counted.
fn count(block: &[Stmt]) -> usize {
    let inside = |s: &Stmt| match s {
        Stmt::If(_, body) | Stmt::Loop(Loop { body, .. }) => count(body),
        _ => 0,
    };
    block.iter().map(|s| 1 + inside(s)).sum()
}

/// Calls `f` with the block that holds statement number `n` and the position in it.
fn at(block: &mut Vec<Stmt>, mut n: usize, f: &mut dyn FnMut(&mut Vec<Stmt>, usize)) {
    for k in 0..block.len() {
        if n == 0 {
            return f(block, k);
        }
        n -= 1;
        let Some(inner) = block[k].block_mut() else {
            continue;
        };
        let inside = count(inner);
        if n < inside {
            return at(inner, n, f);
        }
        n -= inside;
    }
}

fn unwrap(block: &mut Vec<Stmt>, k: usize) {
    if let Some(inner) = block[k].block_mut() {
        let inner = std::mem::take(inner);
        block.splice(k..=k, inner);
    }
}

/// Without what need not be there.
fn plain(s: &mut Stmt) {
    match s {
        Stmt::Loop(l) => (l.turns, l.serial) = (None, false),
        Stmt::Kernel(k) => (k.section, k.condition) = (None, None),
        Stmt::Access(_, _, action) => *action = Action::Read,
        _ => {}
    }
}

/// A part of an expression in its place: the `form`th of all.
fn simplify(s: &mut Stmt, mut form: usize) {
    for e in s.exprs_mut() {
        let parts = e.parts().len();
        if form < parts {
            *e = e.parts()[form].clone();
            return;
        }
        form -= parts;
    }
}
