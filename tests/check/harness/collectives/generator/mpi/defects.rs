//! What goes wrong in an MPI program.

use super::collectives::{Collective, Operation};
use super::divergent::{self, Origin};
use super::scope::Scope;
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::containers::{self, Place};
use crate::collectives::generator::flows::{self, Flow};
use crate::collectives::generator::shapes::{SHAPES, Shape, Shaped, shape};
use crate::collectives::generator::tree::{Stmt, block, branch, line};

/// A defect: a shape, perhaps with an origin of its value that is easily taken for one that all ranks share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Defect {
    Shape(Shape),
    /// On a value that one rank read and nobody sent.
    MissingBcast(Shape),
    /// On the result of `MPI_Reduce`, as if it were that of `MPI_Allreduce`.
    ReduceForAllreduce(Shape),
    /// On an element of an array of which another element was set last.
    WeakElement(Shape),
    /// On what was sent in each of several parts of the ranks.
    BcastInParts(Shape),
    /// Another root on some ranks.
    OtherRoot,
    /// A copy of the communicator on some ranks.
    OtherCommunicator,
    /// A collective on a split communicator, in a branch that divides one of its parts.
    AcrossColours,
    /// A loop until the rank itself is done, where others are not.
    LocalConvergence,
}

/// A defect that waits for its place.
pub type Planted = containers::Planted<Defect>;

/// Any defect.
pub fn any(b: &mut Builder) -> Defect {
    let shape = b.pick(&SHAPES);
    let root = if b.rng.chance(60) {
        Defect::OtherRoot
    } else {
        Defect::OtherCommunicator
    };
    b.rng.weighted(&[
        (10, Defect::Shape(shape)),
        (2, Defect::MissingBcast(shape)),
        (2, Defect::ReduceForAllreduce(shape)),
        (2, Defect::WeakElement(shape)),
        (1, Defect::BcastInParts(shape)),
        (2, root),
        (1, Defect::AcrossColours),
        (1, Defect::LocalConvergence),
    ])
}

/// The statements of the defect, which from then on has its place.
pub fn plant(planted: &mut Planted, b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let Some(defect) = planted.take() else {
        return Vec::new();
    };
    match defect {
        Defect::Shape(shape) => {
            let value = divergent::value(b, at, true, 3);
            shaped(planted, b, at, shape, value)
        }
        Defect::MissingBcast(shape) => from(planted, b, at, shape, Origin::ReadOnOne),
        Defect::ReduceForAllreduce(shape) => from(planted, b, at, shape, Origin::Reduce),
        Defect::BcastInParts(shape) => from(planted, b, at, shape, Origin::BcastInParts),
        Defect::WeakElement(shape) => {
            let value = divergent::value(b, at, true, 1);
            let value = flows::go(b, value, &at.around(), Flow::WeakElement);
            shaped(planted, b, at, shape, value)
        }
        Defect::OtherRoot => other_root(b, at),
        Defect::OtherCommunicator => other_communicator(planted, b, at),
        Defect::AcrossColours => across(planted, b, at),
        Defect::LocalConvergence => local_convergence(planted, b, at),
    }
}

fn from(planted: &mut Planted, b: &mut Builder, at: &Scope, shape: Shape, origin: Origin) -> Vec<Stmt> {
    let value = divergent::from(b, at, origin);
    let value = flows::flows(b, value, &at.around(), 1);
    shaped(planted, b, at, shape, value)
}

fn shaped(planted: &mut Planted, b: &mut Builder, at: &Scope, of: Shape, value: Value) -> Vec<Stmt> {
    let first = Collective::any(b, false);
    let second = if of.has_two() { first.another(b) } else { first.clone() };
    let pieces = [&at.piece(b, &first), &at.piece(b, &second)];
    let Shaped { body, shows } = shape(b, of, value, pieces, &at.frame());
    planted.shows = shows;
    planted.reduces = [&first, &second]
        .iter()
        .any(|one| one.operation == Operation::Allreduce);
    body
}

fn other_communicator(planted: &mut Planted, b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let copy = b.name("copy");
    let value = divergent::value(b, at, true, 2);
    let cond = b.splits(&value);
    let collective = Collective::any(b, false);
    let then = collective.stmts(b, &at.names);
    let other = collective.stmts(b, &at.on(&copy, true, at.first).names);
    planted.shows = collective.waits();
    planted.reduces = collective.operation == Operation::Allreduce;
    let mut body = value.setup;
    body.extend([
        line(format!("MPI_Comm {copy};")),
        line(format!("MPI_Comm_dup({}, &{copy});", at.names.comm)),
        branch(cond, then, other),
        line(format!("MPI_Comm_free(&{copy});")),
    ]);
    body
}

fn across(planted: &mut Planted, b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let (part, rank) = (b.name("part"), &at.names.rank);
    let collective = Collective::any(b, false);
    let then = collective.stmts(b, &at.on(&part, false, 0).names);
    planted.shows = collective.waits();
    let conds = ["< 2", "> 0", "== 0", "== 2", "!= 0"].map(|rest| format!("{rank} {rest}"));
    vec![
        line(format!("MPI_Comm {part};")),
        line(format!(
            "MPI_Comm_split({}, {rank} % 2, {rank}, &{part});",
            at.names.comm
        )),
        branch(b.pick(&conds), then, Vec::new()),
        line(format!("MPI_Comm_free(&{part});")),
    ]
}

fn local_convergence(planted: &mut Planted, b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let (mine, left) = (b.name("mine"), b.name("left"));
    let call = format!(
        "MPI_Allreduce(&{mine}, &{left}, 1, MPI_INT, MPI_SUM, {});",
        at.names.comm
    );
    planted.shows = true;
    planted.reduces = true;
    let start = line(format!(
        "int {mine} = {} + {}, {left} = 0;",
        at.names.rank,
        b.rng.range(1, 3)
    ));
    let head = format!("while ({mine} > 0)");
    vec![start, block(head, vec![line(format!("{mine}--;")), line(call)])]
}

fn other_root(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let rooted = [
        Operation::Bcast,
        Operation::Reduce,
        Operation::Gather,
        Operation::Scatter,
    ];
    let mut collective = Collective::any(b, false);
    while !rooted.contains(&collective.operation) {
        collective = Collective::any(b, false);
    }
    let value = divergent::value(b, at, true, 2);
    let cond = b.splits(&value);
    let mut body = value.setup;
    if b.rng.chance(50) {
        body.extend(collective.rooted(b, &at.names, &format!("({cond}) ? 1 : 0")));
    } else {
        let then = collective.rooted(b, &at.names, "0");
        let other = collective.rooted(b, &at.names, "1");
        body.push(branch(cond, then, other));
    }
    body
}
