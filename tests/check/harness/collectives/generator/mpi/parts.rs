//! The right parts that MPI programs are made of.

use super::calls;
use super::collectives::Collective;
use super::defects::Planted;
use super::scope::Scope;
use super::{defects, divergent, sides};
use crate::collectives::generator::builder::Builder;
use crate::collectives::generator::containers::{self, CONTAINERS, Container};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::tree::{Stmt, block as braces, branch, line};

/// A right part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Collective,
    /// A branch on the rank with equal sequences on all its sides.
    SameSides,
    /// A function that some ranks leave early, after what the others do as well.
    SameBeforeReturn,
    /// A branch on the rank without collectives.
    LocalBranch,
    /// A loop on the rank without collectives.
    LocalLoop,
    /// A message between two ranks.
    Messages,
    /// A branch on the rank that no rank takes and that ends the program.
    AbortPath,
    /// A loop until all ranks are done.
    Converge,
    /// A part that holds others.
    Uniform(Container),
    Call,
    /// A function that all ranks leave early, or none.
    UniformReturn,
    /// A function that some ranks leave when nothing is left to do together.
    LateReturn,
    Dup,
    /// A split into one part, with the ranks backwards.
    SplitWhole,
    /// A split with all parts at work.
    SplitAll,
    /// A split with work on a communicator in a branch on the colour.
    SplitByColour,
    /// A split that leaves some ranks without a communicator.
    SplitUndefined,
}

/// Parts that hold no others, with weights.
pub const LEAVES: [(u32, Part); 8] = [
    (8, Part::Collective),
    (5, Part::SameSides),
    (2, Part::SameBeforeReturn),
    (4, Part::LocalBranch),
    (2, Part::LocalLoop),
    (1, Part::Messages),
    (2, Part::AbortPath),
    (1, Part::Converge),
];

/// Parts on communicators of their own, with weights.
pub const COMMUNICATORS: [(u32, Part); 5] = [
    (2, Part::Dup),
    (2, Part::SplitWhole),
    (2, Part::SplitAll),
    (3, Part::SplitByColour),
    (2, Part::SplitUndefined),
];

/// How many parts may be around a part.
const DEEPEST: usize = 3;

/// Some parts in a row, one of which has what is planted.
pub fn block(b: &mut Builder, at: &Scope, planted: &mut Planted) -> Vec<Stmt> {
    let most = if at.depth == 0 { 5 } else { 2 };
    let count = b.rng.range(if at.depth == 0 { 3 } else { 1 }, most) as usize;
    let place = b.rng.below(count);
    let mut body = Vec::new();
    for i in 0..count {
        if i == place && planted.is_there() {
            if at.depth < DEEPEST && b.rng.chance(60) {
                body.extend(container(b, at, planted));
            } else {
                body.extend(defects::plant(planted, b, at));
            }
        } else if at.depth < DEEPEST && b.rng.chance(40) {
            body.extend(container(b, at, &mut Planted::nothing()));
        } else {
            body.extend(leaf(b, at));
        }
    }
    body
}

fn leaf(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let mut part = b.rng.weighted(&LEAVES);
    if part == Part::Messages && !at.whole {
        part = Part::Collective;
    }
    b.note(Feature::MpiPart(part));
    match part {
        Part::SameSides => sides::same(b, at),
        Part::SameBeforeReturn => sides::before_return(b, at),
        Part::LocalBranch => sides::local(b, at),
        Part::LocalLoop => {
            let value = divergent::value(b, at, true, 1);
            let i = b.name("i");
            let body = b.arithmetic(&i, 1, 2);
            let mut stmts = value.setup;
            let head = format!("for (int {i} = 0; {i} < {}; {i}++)", value.expr);
            stmts.push(braces(head, body));
            stmts
        }
        Part::Messages => messages(b, at),
        Part::AbortPath => abort(b, at),
        Part::Converge => converge(b, at),
        _ => Collective::any(b, at.whole).stmts(b, &at.names),
    }
}

fn container(b: &mut Builder, at: &Scope, planted: &mut Planted) -> Vec<Stmt> {
    let part = if at.whole && b.rng.chance(30) {
        let part = b.rng.weighted(&COMMUNICATORS);
        match part {
            Part::SplitAll | Part::SplitByColour | Part::SplitUndefined if planted.is_there() => Part::SplitWhole,
            part => part,
        }
    } else if b.rng.chance(30) {
        Part::Call
    } else {
        Part::Uniform(b.rng.weighted(&CONTAINERS))
    };
    b.note(Feature::MpiPart(part));
    match part {
        Part::Uniform(of) => containers::container(b, at, of, planted),
        Part::Call => calls::call(b, at, planted),
        _ => sides::communicator(b, at, part, planted),
    }
}

/// What a function starts with: perhaps a return that all ranks take or none.
pub fn early(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    if b.rng.chance(75) {
        return Vec::new();
    }
    b.note(Feature::MpiPart(Part::UniformReturn));
    containers::uniform_return(b, at)
}

/// What a function ends with: perhaps a return that only some ranks take.
pub fn late(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    if b.rng.chance(75) {
        return Vec::new();
    }
    b.note(Feature::MpiPart(Part::LateReturn));
    containers::late_return(b, at)
}

fn messages(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let (rank, size, name) = (&at.names.rank, &at.names.size, b.name("note"));
    let tag = b.rng.range(1, 9);
    let send = line(format!("MPI_Send(&{name}, 1, MPI_INT, 1, {tag}, MPI_COMM_WORLD);"));
    let receive = line(format!(
        "MPI_Recv(&{name}, 1, MPI_INT, 0, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    ));
    let other = branch(format!("{rank} == 1"), vec![receive], Vec::new());
    let both = branch(format!("{rank} == 0"), vec![send], vec![other]);
    vec![
        line(format!("int {name} = {rank};")),
        branch(format!("{size} > 1"), vec![both], Vec::new()),
    ]
}

fn abort(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let value = divergent::value(b, at, false, 1);
    let end = b.pick(&["MPI_Abort(MPI_COMM_WORLD, 2);", "exit(1);", "abort();"]);
    let mut body = value.setup;
    let cond = format!("{} > {}", value.expr, b.rng.range(1000, 9000));
    body.push(branch(cond, vec![line(end)], Vec::new()));
    body
}

fn converge(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let (mine, left, open) = (b.name("mine"), b.name("left"), b.name("open"));
    let body = vec![
        line(format!("{mine}--;")),
        line(format!("int {open} = {mine} > 0;")),
        line(format!(
            "MPI_Allreduce(&{open}, &{left}, 1, MPI_INT, MPI_SUM, {});",
            at.names.comm
        )),
    ];
    vec![
        line(format!(
            "int {mine} = {} + {}, {left} = 1;",
            at.names.rank,
            b.rng.range(1, 3)
        )),
        braces(format!("while ({left} > 0)"), body),
    ]
}
