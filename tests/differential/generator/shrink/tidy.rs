//! Removes names from a program, and what an edit left hanging.

use crate::generator::ast::*;
use crate::generator::walk;
use std::collections::BTreeSet;

/// Removes an array, every name for it, and every statement that mentions one of them.
pub fn drop_object(program: &mut Program, name: NameId) {
    let mut gone: BTreeSet<NameId> = [name].into();
    loop {
        let more = (0..program.names.len()).filter(|q| match program.names[*q].kind {
            NameKind::Alias { of, .. } | NameKind::Cursor { of } => gone.contains(&of),
            NameKind::Pick { of, other } => gone.contains(&of) || gone.contains(&other),
            NameKind::Chosen { among } => among.iter().any(|n| gone.contains(n)),
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
pub fn tidy(program: &mut Program) {
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
            .filter(|f| walk::called_bodies(program, *f).all(Vec::is_empty))
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
        // What nothing declares must not have its own function to make it.
        gone.into_iter().for_each(|n| program.names[n].live = false);
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
