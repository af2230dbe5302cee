//! Questions about statements that several parts ask: which names one mentions, what a block does to arrays.

use super::ast::*;
use super::facts;

/// The names that a statement mentions itself, its inner blocks not counted.
pub fn names_in(stmt: &Stmt) -> Vec<NameId> {
    match stmt {
        Stmt::Kernel(k) => facts::names_of(k).into_iter().collect(),
        Stmt::Host(op) => match op {
            HostOp::Read { name, .. } | HostOp::Write { name, .. } | HostOp::Reindex { name, .. } => vec![*name],
            HostOp::Memset(name) | HostOp::Sort(name) | HostOp::Realloc(name) | HostOp::Renew(name) => vec![*name],
            HostOp::Memcpy { dst, src, .. } => vec![*dst, *src],
            HostOp::Swap(a, b) => vec![*a, *b],
            HostOp::Pick(name, _) => vec![*name],
            HostOp::Choose(choice) => choice.mentioned(),
            HostOp::Guarded { name, .. } | HostOp::FirstToken(name, ..) => vec![*name],
            HostOp::Raise(code) | HostOp::Meet(code) | HostOp::CallBack(code, _) => vec![code.name],
            HostOp::Weigh(name, _) | HostOp::Survey(name, ..) | HostOp::Border(name, _) => vec![*name],
            HostOp::NextToken(..) | HostOp::Advance => Vec::new(),
            HostOp::ReadScalar(_) | HostOp::SetScalar(..) | HostOp::Step(..) => Vec::new(),
        },
        Stmt::If {
            cond: Cond::Data { name, .. },
            ..
        }
        | Stmt::Jump {
            cond: Cond::Data { name, .. },
            ..
        } => vec![*name],
        Stmt::Call(c) => {
            let besides = c.besides.iter().flatten();
            c.args.iter().map(|(n, _)| n).chain(besides).copied().collect()
        }
        Stmt::DeclareAlias(q) => vec![*q],
        Stmt::When { name, .. } => vec![*name],
        Stmt::Choose { choice, .. } => choice.mentioned(),
        // What a region covers can shrink without the statement going away.
        _ => Vec::new(),
    }
}

/// The scalars that a statement mentions itself, its inner blocks not counted.
pub fn scalars_in(stmt: &Stmt) -> Vec<ScalarId> {
    match stmt {
        Stmt::Kernel(k) => {
            let read = k.stmts.iter().flat_map(|s| &s.terms).filter_map(|t| match t {
                Term::Scalar(s) => Some(*s),
                _ => None,
            });
            read.chain(facts::reductions_of(k).into_keys()).collect()
        }
        Stmt::Host(HostOp::ReadScalar(s) | HostOp::SetScalar(s, _)) | Stmt::DeclareScalar(s) => vec![*s],
        _ => Vec::new(),
    }
}

/// Whether the block, or what it calls, touches array contents on the host without the updates a data region needs.
pub fn bare_host(program: &Program, block: &[Stmt]) -> bool {
    block.iter().any(|s| match s {
        Stmt::Sync {
            updates: Updates::Touched,
            ..
        } => false,
        Stmt::Host(HostOp::Swap(..) | HostOp::ReadScalar(_) | HostOp::SetScalar(..)) => false,
        Stmt::Host(HostOp::Step(..) | HostOp::Pick(..) | HostOp::Choose(_) | HostOp::Advance) => false,
        Stmt::Host(_) => true,
        Stmt::If {
            cond: Cond::Data { .. },
            ..
        }
        | Stmt::Jump {
            cond: Cond::Data { .. },
            ..
        } => true,
        Stmt::Choose {
            choice: Choice {
                test: Cond::Data { .. },
                ..
            },
            ..
        } => true,
        Stmt::Call(c) => called_bodies(program, c.function).any(|b| bare_host(program, b)),
        _ => s.blocks().iter().any(|b| bare_host(program, b)),
    })
}

/// Whether the block, or what it calls, uses the device in any way.
pub fn uses_device(program: &Program, block: &[Stmt]) -> bool {
    let mut found = false;
    visit(block, &mut |s| match s {
        Stmt::Kernel(_) | Stmt::Region { .. } | Stmt::Sync { .. } => found = true,
        Stmt::Call(c) => found |= called_bodies(program, c.function).any(|b| uses_device(program, b)),
        _ => {}
    });
    found
}

/// Whether the block, or what it calls, swaps pointers that are not its own.
pub fn swaps_shared(program: &Program, block: &[Stmt]) -> bool {
    let mut found = false;
    visit(block, &mut |s| match s {
        Stmt::Host(HostOp::Swap(a, _)) => found |= program.names[*a].kind != NameKind::Param,
        Stmt::Call(c) => found |= called_bodies(program, c.function).any(|b| swaps_shared(program, b)),
        _ => {}
    });
    found
}

/// What a call of `function` may run, calls of other functions not counted.
pub fn called_bodies(program: &Program, function: FunctionId) -> impl Iterator<Item = &Vec<Stmt>> {
    program.group(function).map(|f| &program.functions[f].body)
}

/// The names that an alias is, in the end, another name of.
fn roots(program: &Program, mut name: NameId) -> Vec<NameId> {
    while let NameKind::Alias { of, .. } | NameKind::Cursor { of } = program.names[name].kind {
        name = of;
    }
    match program.names[name].kind {
        NameKind::Pick { of, other } => vec![of, other],
        NameKind::Chosen { among } => among.into_iter().flat_map(|n| roots(program, n)).collect(),
        _ => vec![name],
    }
}

/// The arrays that a block uses by their own or another name, what it calls not counted.
pub fn owners_in(program: &Program, block: &[Stmt]) -> Vec<NameId> {
    let mut out: Vec<NameId> = Vec::new();
    visit(block, &mut |s| {
        out.extend(names_in(s).into_iter().flat_map(|n| roots(program, n)));
        if let Stmt::Region { cover, .. } = s {
            out.extend(cover);
        }
    });
    out
}

/// The arrays that a helper uses without being given them, itself or through its callees: global ones and members.
pub fn globals_of(program: &Program, function: FunctionId) -> Vec<NameId> {
    let shared = |n: &NameId| {
        matches!(
            program.names[*n].kind,
            NameKind::Global | NameKind::GlobalHeap | NameKind::Member
        )
    };
    let mut out: Vec<NameId> = Vec::new();
    for body in called_bodies(program, function) {
        out.extend(owners_in(program, body).into_iter().filter(shared));
        visit(body, &mut |s| {
            if let Stmt::Call(c) = s {
                out.extend(globals_of(program, c.function));
            }
        });
    }
    out.sort_unstable();
    out.dedup();
    out
}
