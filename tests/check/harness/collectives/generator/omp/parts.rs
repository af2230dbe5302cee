//! The right parts that parallel regions are made of.

use super::scope::Scope;
use super::sync::{Sync, used};
use super::{calls, defects, divergent};
use crate::collectives::generator::builder::Builder;
use crate::collectives::generator::containers::{self, CONTAINERS, Container, Place};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::omp::defects::Planted;
use crate::collectives::generator::shapes::placed;
use crate::collectives::generator::tree::{Stmt, block as braces, branch, line, omp};

/// A right part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A barrier or a construct that shares work.
    Sync,
    /// One that is in a function.
    Orphaned,
    /// A branch on the thread without anything that all have to reach.
    LocalBranch,
    /// A loop on the thread without anything that all have to reach.
    LocalLoop,
    Master,
    Critical,
    Atomic,
    Tasks,
    /// A branch on the thread that no thread takes and that ends the program.
    AbortPath,
    /// A region inside, with barriers of its own team.
    Nested,
    /// As above, where only some threads come.
    NestedApart(Apart),
    /// A part that holds others.
    Uniform(Container),
    Call,
    /// A function that all threads leave early, or none.
    UniformReturn,
    /// A function that some threads leave when nothing is left to do together.
    LateReturn,
}

/// Where not all threads come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Apart {
    Branch,
    Single,
    Master,
    Critical,
    Loop,
    Task,
}

/// Every place.
pub const APART: [Apart; 6] = [
    Apart::Branch,
    Apart::Single,
    Apart::Master,
    Apart::Critical,
    Apart::Loop,
    Apart::Task,
];

/// Parts that hold no others, with weights.
pub const LEAVES: [(u32, Part); 10] = [
    (7, Part::Sync),
    (5, Part::Orphaned),
    (4, Part::LocalBranch),
    (2, Part::LocalLoop),
    (1, Part::Master),
    (1, Part::Critical),
    (1, Part::Atomic),
    (1, Part::Tasks),
    (2, Part::AbortPath),
    (2, Part::Nested),
];

/// How many parts may be around a part.
const DEEPEST: usize = 3;

/// Some parts in a row, one of which has what is planted.
pub fn block(b: &mut Builder, at: &Scope, planted: &mut Planted) -> Vec<Stmt> {
    let top = at.depth == 0;
    let count = b.rng.range(if top { 2 } else { 1 }, if top { 4 } else { 2 }) as usize;
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

fn container(b: &mut Builder, at: &Scope, planted: &mut Planted) -> Vec<Stmt> {
    let part = if b.rng.chance(35) {
        Part::Call
    } else {
        Part::Uniform(b.rng.weighted(&CONTAINERS))
    };
    b.note(Feature::OmpPart(part));
    match part {
        Part::Uniform(of) => containers::container(b, at, of, planted),
        _ => calls::call(b, at, planted),
    }
}

fn leaf(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let mut part = b.rng.weighted(&LEAVES);
    if part == Part::Nested && b.rng.chance(60) {
        part = Part::NestedApart(b.pick(&APART));
    }
    b.note(Feature::OmpPart(part));
    let braced = |head: &str, body: Vec<Stmt>| vec![omp(head), braces("", body)];
    match part {
        Part::Orphaned => {
            let sync = Sync::any(b);
            let piece = at.piece(b, sync);
            placed(b, &piece, &at.frame(), 1)
        }
        Part::LocalBranch => local(b, at),
        Part::LocalLoop => {
            let value = divergent::value(b, at, true, 1);
            let i = b.name("i");
            let body = b.arithmetic(&i, 1, 2);
            let mut stmts = value.setup;
            let head = format!("for (int {i} = 0; {i} < {}; {i}++)", value.expr);
            stmts.push(braces(head, body));
            stmts
        }
        Part::Master => braced("master", vec![used(b, "1")]),
        Part::Critical => braced("critical", vec![used(b, &at.tid)]),
        Part::Atomic => {
            let count = b.name("count");
            b.global(&format!("static int {count};"));
            vec![omp("atomic"), line(format!("{count} += 1;"))]
        }
        Part::Tasks => {
            let task = vec![omp("task"), braces("", vec![used(b, "2")])];
            let mut stmts = braced(b.pick(&["single nowait", "master"]), task);
            stmts.push(omp("taskwait"));
            stmts
        }
        Part::AbortPath => {
            let value = divergent::value(b, at, true, 1);
            let mut stmts = value.setup;
            let cond = format!("{} > {}", value.expr, b.rng.range(1000, 9000));
            let end = b.pick(&["exit(1);", "abort();"]);
            stmts.push(branch(cond, vec![line(end)], Vec::new()));
            stmts
        }
        Part::Nested => nested(b, at),
        Part::NestedApart(apart) => apart_from_others(b, at, apart),
        _ => Sync::any(b).stmts(b),
    }
}

/// A branch on the thread without anything that all threads have to reach.
fn local(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let value = divergent::value(b, at, true, 2);
    let cond = b.splits(&value);
    let then = match b.rng.below(4) {
        0 => vec![omp("critical"), braces("", vec![used(b, &at.tid)])],
        1 => {
            let inner = divergent::value(b, at, false, 1);
            let cond = b.splits(&inner);
            let then = b.arithmetic(&at.tid, 1, 1);
            let mut body = inner.setup;
            body.push(branch(cond, then, Vec::new()));
            body
        }
        _ => b.arithmetic(&at.tid, 1, 2),
    };
    let other = if b.rng.chance(50) {
        b.arithmetic(&value.expr, 1, 2)
    } else {
        Vec::new()
    };
    let mut body = value.setup;
    body.push(branch(cond, then, other));
    body
}

/// A region with a team of its own, and what its threads do together.
fn nested(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let kinds = [
        Sync::Barrier,
        Sync::Single,
        Sync::ForDynamic,
        Sync::Sections,
        Sync::Copyprivate,
    ];
    let mut body = Vec::new();
    for _ in 0..b.rng.range(1, 2) {
        let sync = b.pick(&kinds);
        let piece = at.piece(b, sync);
        body.extend(placed(b, &piece, &at.frame(), 0));
    }
    let clause = b.pick(&["", " num_threads(2)"]);
    vec![omp(format!("parallel{clause}")), braces("", body)]
}

fn apart_from_others(b: &mut Builder, at: &Scope, apart: Apart) -> Vec<Stmt> {
    let braced = |head: &str, body: Vec<Stmt>| vec![omp(head), braces("", body)];
    match apart {
        Apart::Branch => {
            let value = divergent::value(b, at, true, 1);
            let cond = b.splits(&value);
            let then = nested(b, at);
            let mut body = value.setup;
            body.push(branch(cond, then, Vec::new()));
            body
        }
        Apart::Single => braced("single", nested(b, at)),
        Apart::Master => braced("master", nested(b, at)),
        Apart::Critical => braced("critical", nested(b, at)),
        Apart::Loop => {
            let i = b.name("i");
            let body = nested(b, at);
            let head = format!("for (int {i} = 0; {i} < 5; {i}++)");
            vec![omp("for"), braces(head, body)]
        }
        Apart::Task => {
            let task = braced("task", nested(b, at));
            braced("single", task)
        }
    }
}
