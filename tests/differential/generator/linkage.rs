//! What the parts of a program are called in which file, and which of them are `static` there.
//!
//! A part that was meant for its own file alone is `static` while that is so. The shrinker moves parts about, so that is
//! found out anew for every tree: a part that others have come to mention is known to all files, by its own name.

use super::ast::*;
use super::walk;
use std::collections::BTreeSet;

/// How one part is seen.
#[derive(Clone, Debug)]
pub struct Seen {
    pub ident: String,
    /// `static` in the file that it stands in.
    pub local: bool,
}

/// The answers for one tree.
#[derive(Clone, Debug)]
pub struct Linkage {
    /// The program is more than one file.
    pub spread: bool,
    /// Where something of it stands.
    pub homes: BTreeSet<Home>,
    /// The functions that have a text.
    pub printed: Vec<bool>,
    pub names: Vec<Seen>,
    pub functions: Vec<Seen>,
    /// The function is given the structure.
    boxed: Vec<bool>,
}

impl Linkage {
    pub fn of(program: &Program) -> Linkage {
        let homes = homes(program);
        let spread = homes.len() > 1;
        let users: Vec<BTreeSet<Home>> = users(program);
        let callers: Vec<BTreeSet<Home>> = callers(program);
        let seen = |id: usize, idents: &[Part<'_>], users: &[BTreeSet<Home>]| {
            let part = &idents[id];
            let local = part.hidden && users[id].iter().all(|h| *h == part.home);
            let same = |other: &Part<'_>| other.nick == part.nick && other.home == part.home;
            let alone = idents.iter().filter(|p| same(p)).count() == 1;
            let nick = part.nick.filter(|_| local && alone);
            Seen {
                ident: nick.unwrap_or(part.ident).to_string(),
                local: local || !spread,
            }
        };
        let names: Vec<Part<'_>> = program.names.iter().map(Part::name).collect();
        let functions: Vec<Part<'_>> = program.functions.iter().map(Part::function).collect();
        Linkage {
            spread,
            homes,
            printed: printed(program),
            names: (0..names.len()).map(|n| seen(n, &names, &users)).collect(),
            functions: (0..functions.len()).map(|f| seen(f, &functions, &callers)).collect(),
            boxed: (0..functions.len()).map(|f| boxed(program, f)).collect(),
        }
    }

    /// Whether a helper is given the structure: it, or what it calls, uses members.
    pub fn boxed(&self, function: FunctionId) -> bool {
        self.boxed[function]
    }

    /// Whether the file that defines an array also fills it, prints it and frees it, in functions that the case calls.
    pub fn at_home(&self, program: &Program, name: NameId) -> bool {
        let n = &program.names[name];
        let heap = n.kind == NameKind::GlobalHeap;
        // Which of the arrays that every file sees these are does not matter: some.
        let chosen = heap || n.kind == NameKind::Global && (self.names[name].local || name.is_multiple_of(2));
        n.live && n.home != MAIN && chosen
    }
}

/// What linkage depends on.
struct Part<'a> {
    ident: &'a str,
    nick: Option<&'a str>,
    home: Home,
    hidden: bool,
}

impl Part<'_> {
    fn name(n: &Name) -> Part<'_> {
        Part {
            ident: &n.ident,
            nick: n.nick.as_deref().filter(|_| n.live),
            home: n.home,
            hidden: n.hidden,
        }
    }

    fn function(f: &Function) -> Part<'_> {
        Part {
            ident: &f.ident,
            nick: f.nick.as_deref(),
            home: f.home,
            hidden: f.hidden,
        }
    }
}

/// Which functions have a text: where a program is to be small, not those that do nothing and that nothing calls.
fn printed(program: &Program) -> Vec<bool> {
    let idle = |f: FunctionId| f != 0 && walk::called_bodies(program, f).all(Vec::is_empty);
    let callers = callers(program);
    let wanted = |f: FunctionId| !program.minimal || !idle(f) || !callers[f].is_empty();
    (0..program.functions.len()).map(wanted).collect()
}

/// All places where something of the program stands.
fn homes(program: &Program) -> BTreeSet<Home> {
    let printed = printed(program).into_iter().zip(&program.functions);
    let functions = printed.filter(|(is, _)| *is).map(|(_, f)| f.home);
    let names = program.names.iter().filter(|n| n.live).map(|n| n.home);
    let scalars = program.scalars.iter().filter(|s| s.global).map(|s| s.home);
    functions.chain(names).chain(scalars).chain([MAIN]).collect()
}

/// For each name, where the functions stand that mention it.
fn users(program: &Program) -> Vec<BTreeSet<Home>> {
    let mut out = vec![BTreeSet::new(); program.names.len()];
    for f in &program.functions {
        let mut add = |n: NameId| {
            out[n].insert(f.home);
        };
        walk::owners_in(program, &f.body).into_iter().for_each(&mut add);
        // The updates around a call name what the callee uses.
        visit(&f.body, &mut |s| {
            if let Stmt::Sync { body, .. } = s {
                visit(body, &mut |s| {
                    if let Stmt::Call(c) = s {
                        walk::globals_of(program, c.function).into_iter().for_each(&mut add);
                    }
                });
            }
        });
    }
    out
}

/// For each function, where its callers stand.
fn callers(program: &Program) -> Vec<BTreeSet<Home>> {
    let mut out = vec![BTreeSet::new(); program.functions.len()];
    for f in &program.functions {
        visit(&f.body, &mut |s| {
            if let Stmt::Call(c) = s {
                out[c.function].insert(f.home);
            }
        });
    }
    let direct: Vec<bool> = out.iter().map(|h| !h.is_empty()).collect();
    for (f, function) in program.functions.iter().enumerate() {
        if let Some(p) = function.partner.filter(|p| direct[f] || direct[*p]) {
            out[p].insert(function.home);
        }
    }
    out
}

fn boxed(program: &Program, function: FunctionId) -> bool {
    let globals = walk::globals_of(program, function);
    globals.iter().any(|n| program.names[*n].kind == NameKind::Member)
}
