//! Which of the things that only programs of several files have are in a program, and run when it runs: a generator that
//! never gets to them proves nothing about them.

use super::ast::*;
use super::linkage::Linkage;
use super::walk;
use std::collections::BTreeSet;

/// What there is to meet.
pub const FEATURES: [&str; 18] = [
    "a call into another file",
    "a kernel in a helper of another file than the caller's",
    "calls through three files in a row",
    "a static function",
    "static functions of one name",
    "a kernel in the header",
    "a function of the header for several files",
    "an array of another file",
    "static arrays of one name",
    "a pointer that another file allocates",
    "the structure in another file",
    "a kernel that maps a member in a helper",
    "memory through an out parameter",
    "memory that a function returns",
    "a second name that a function returns",
    "recursion through two files",
    "a pointer to a function of another file",
    "a helper called in a data region and outside",
];

/// The functions that a run may reach.
fn reached(program: &Program) -> BTreeSet<FunctionId> {
    let mut out: BTreeSet<FunctionId> = BTreeSet::new();
    let mut next = vec![0];
    while let Some(f) = next.pop() {
        if !out.insert(f) {
            continue;
        }
        visit(&program.functions[f].body, &mut |s| {
            if let Stmt::Call(c) = s {
                next.extend(program.group(c.function));
            }
        });
    }
    out
}

/// The calls in a function, each with whether it stands in a data region.
fn calls(block: &[Stmt], inside: bool) -> Vec<(Call, bool)> {
    let mut out = Vec::new();
    for s in block {
        if let Stmt::Call(c) = s {
            out.push((c.clone(), inside));
        }
        let inside = inside || matches!(s, Stmt::Region { .. });
        s.blocks().iter().for_each(|b| out.extend(calls(b, inside)));
    }
    out
}

/// The most files that calls from `function` on pass through, each another than the one before.
fn chain(program: &Program, function: FunctionId) -> usize {
    let home = program.functions[function].home;
    let onward = calls(&program.functions[function].body, false);
    let most = onward.iter().map(|(c, _)| {
        let next = chain(program, c.function);
        next + usize::from(program.functions[c.function].home != home)
    });
    most.max().unwrap_or(0)
}

fn has_kernel(block: &[Stmt]) -> bool {
    let mut found = false;
    visit(block, &mut |s| found |= matches!(s, Stmt::Kernel(_)));
    found
}

/// The features that `program` has.
pub fn features(program: &Program) -> BTreeSet<&'static str> {
    let linkage = Linkage::of(program);
    let mut out = BTreeSet::new();
    if !linkage.spread {
        return out;
    }
    let mut note = |k: usize, is: bool| {
        if is {
            out.insert(FEATURES[k]);
        }
    };
    let all = &program.functions;
    let reached = reached(program);
    let mut bare: BTreeSet<FunctionId> = BTreeSet::new();
    let mut within: BTreeSet<FunctionId> = BTreeSet::new();
    let mut includers: BTreeSet<(FunctionId, Home)> = BTreeSet::new();
    let mut arrays: BTreeSet<(String, Home)> = BTreeSet::new();
    for f in reached.iter().map(|f| &all[*f]) {
        for (c, inside) in calls(&f.body, false) {
            let callee = &all[c.function];
            let away = callee.home != f.home;
            note(0, away);
            note(1, away && has_kernel(&callee.body));
            note(
                15,
                callee.partner.is_some_and(|p| all[p].home != callee.home) && c.depth > 0,
            );
            note(16, away && c.by_pointer);
            if callee.home == Home::Header {
                includers.insert((c.function, f.home));
            }
            if has_kernel(&callee.body) {
                if inside { &mut within } else { &mut bare }.insert(c.function);
            }
        }
        for n in walk::owners_in(program, &f.body) {
            let name = &program.names[n];
            let shared = matches!(name.kind, NameKind::Global | NameKind::GlobalHeap);
            note(7, name.kind == NameKind::Global && name.home != f.home);
            note(
                9,
                name.kind == NameKind::GlobalHeap && name.home != f.home && name.home != MAIN,
            );
            note(10, name.kind == NameKind::Member && f.home != MAIN);
            if let Some(nick) = name.nick.as_ref().filter(|_| shared && linkage.names[n].local) {
                arrays.insert((nick.clone(), name.home));
            }
        }
    }
    note(2, chain(program, 0) > 2);
    for f in reached.iter().copied().filter(|f| *f != 0) {
        let hidden = all[f].hidden && linkage.functions[f].local;
        let namesake = |g: &FunctionId| *g != f && all[*g].nick.is_some() && all[*g].nick == all[f].nick;
        note(3, hidden);
        note(
            4,
            hidden && reached.iter().any(|g| namesake(g) && linkage.functions[*g].local),
        );
        note(5, all[f].home == Home::Header && has_kernel(&all[f].body));
        note(6, includers.iter().filter(|(g, _)| *g == f).count() > 1);
        let member = |n: NameId| program.names[n].kind == NameKind::Member;
        visit(&all[f].body, &mut |s| {
            note(
                11,
                matches!(s, Stmt::Kernel(_)) && walk::names_in(s).into_iter().any(member),
            );
        });
    }
    note(
        8,
        arrays
            .iter()
            .any(|(nick, home)| arrays.iter().any(|(other, there)| other == nick && there != home)),
    );
    for n in program.names.iter().filter(|n| n.home != MAIN) {
        let alias = matches!(n.kind, NameKind::Alias { .. });
        note(12, n.made == Made::Stored);
        note(13, n.made == Made::Returned && !alias);
        note(14, n.made == Made::Returned && alias);
    }
    note(17, !within.is_disjoint(&bare));
    out
}
