//! Makes programs of several files programs of fewer: files are merged into the main one, parts move there one by one,
//! and what only several files can have is made plain.

use crate::generator::ast::*;
use std::collections::BTreeSet;

/// One step towards a program of one file.
#[derive(Clone, Debug)]
pub enum Move {
    /// Everything into the main file.
    All,
    /// Everything of one file, or of the header.
    File(Home),
    /// The functions of one file, their data left behind.
    Functions(Home),
    Function(FunctionId),
    Name(NameId),
    Scalar(ScalarId),
    /// The name gets its value from whoever declares it.
    Unmake(NameId),
    /// Namesakes get names of their own.
    NoNicks,
    /// A `static` part is known to all files.
    Show(Home),
    /// Recursion goes through the function itself.
    NoPartner(FunctionId),
}

impl Move {
    /// Changes the program.
    pub fn apply(&self, program: &mut Program) {
        match *self {
            Move::All => program.bring_home(|_| true),
            Move::File(home) => program.bring_home(|h| h == home),
            Move::Functions(home) => {
                let there = program.functions.iter_mut().filter(|f| f.home == home);
                there.for_each(|f| f.home = MAIN);
            }
            Move::Function(f) => program.functions[f].home = MAIN,
            Move::Name(n) => program.names[n].home = MAIN,
            Move::Scalar(s) => program.scalars[s].home = MAIN,
            Move::Unmake(n) => {
                let n = &mut program.names[n];
                n.made = Made::Here;
                if !matches!(n.kind, NameKind::Global | NameKind::GlobalHeap) {
                    n.home = MAIN;
                }
            }
            Move::NoNicks => {
                program.functions.iter_mut().for_each(|f| f.nick = None);
                program.names.iter_mut().for_each(|n| n.nick = None);
            }
            Move::Show(home) => {
                let functions = program.functions.iter_mut().filter(|f| f.home == home);
                functions.for_each(|f| f.hidden = false);
                let names = program.names.iter_mut().filter(|n| n.home == home);
                names.for_each(|n| n.hidden = false);
            }
            Move::NoPartner(f) => {
                for f in program.group(f).collect::<Vec<_>>() {
                    program.functions[f].partner = None;
                }
            }
        }
    }
}

/// The steps that there are: those to try before anything is cut, and those to try afterwards.
pub fn moves(program: &Program) -> (Vec<Move>, Vec<Move>) {
    let (mut early, mut late) = (Vec::new(), Vec::new());
    let names = || (0..program.names.len()).filter(|n| program.names[*n].live);
    let functions = || 0..program.functions.len();
    let away = |h: Home| h != MAIN;
    let homes = functions().map(|f| program.functions[f].home);
    let homes = homes.chain(names().map(|n| program.names[n].home));
    let homes = homes.chain(program.scalars.iter().map(|s| s.home));
    let homes: BTreeSet<Home> = homes.filter(|h| away(*h)).collect();
    if !homes.is_empty() {
        early.push(Move::All);
        early.extend(homes.iter().copied().map(Move::File));
        early.extend(homes.iter().copied().map(Move::Functions));
    }
    late.extend(
        functions()
            .filter(|f| away(program.functions[*f].home))
            .map(Move::Function),
    );
    late.extend(names().filter(|n| away(program.names[*n].home)).map(Move::Name));
    let scalars = 0..program.scalars.len();
    late.extend(scalars.filter(|s| away(program.scalars[*s].home)).map(Move::Scalar));
    late.extend(
        names()
            .filter(|n| program.names[*n].made != Made::Here)
            .map(Move::Unmake),
    );
    let nicks = functions().any(|f| program.functions[f].nick.is_some());
    if nicks || names().any(|n| program.names[n].nick.is_some()) {
        late.push(Move::NoNicks);
    }
    late.extend(homes.into_iter().map(Move::Show));
    late.extend(
        functions()
            .filter(|f| program.functions[*f].partner.is_some())
            .map(Move::NoPartner),
    );
    (early, late)
}
