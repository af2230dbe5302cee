//! Branches on the rank that are right: equal sequences on all sides, no collectives, or along a communicator.

use super::collectives::Collective;
use super::defects::Planted;
use super::divergent;
use super::parts::{self, Part};
use super::scope::Scope;
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::containers::Place;
use crate::collectives::generator::shapes::placed;
use crate::collectives::generator::tree::{Stmt, block as braces, branch, line};

fn sequence(b: &mut Builder, at: &Scope) -> Vec<Collective> {
    (0..b.rng.range(1, 2)).map(|_| Collective::any(b, at.whole)).collect()
}

/// The sequence where the branch ends, each collective directly or through functions.
fn leaf(b: &mut Builder, at: &Scope, sequence: &[Collective]) -> Vec<Stmt> {
    let mut body = Vec::new();
    for collective in sequence {
        let piece = at.piece(b, collective);
        body.extend(placed(b, &piece, &at.frame(), 0));
    }
    body
}

/// A branch on the rank with the same sequence on all its sides.
pub fn same(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let sequence = sequence(b, at);
    let value = divergent::value(b, at, true, 2);
    let mut body = value.setup.clone();
    body.push(fork(b, at, &sequence, &value, 0));
    body
}

fn fork(b: &mut Builder, at: &Scope, sequence: &[Collective], value: &Value, depth: usize) -> Stmt {
    if depth == 0 && b.rng.chance(15) {
        let (case, default) = (leaf(b, at, sequence), leaf(b, at, sequence));
        let n = b.pick(&value.each);
        let body = vec![
            line(format!("case {n}:")),
            braces("", case),
            line("break;"),
            line("default:"),
            braces("", default),
        ];
        return braces(format!("switch ({})", value.expr), body);
    }
    let cond = b.splits(value);
    let side = |b: &mut Builder| {
        if depth < 2 && b.rng.chance(25) {
            let inner = divergent::value(b, at, false, 1);
            let mut body = inner.setup.clone();
            body.push(fork(b, at, sequence, &inner, depth + 1));
            body
        } else {
            leaf(b, at, sequence)
        }
    };
    let (then, other) = (side(b), side(b));
    branch(cond, then, other)
}

/// A function that some ranks leave early, after the sequence that the others have behind the branch.
pub fn before_return(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let sequence = sequence(b, at);
    let value = divergent::value(b, at, true, 1);
    let (name, frame) = (b.name("either"), at.frame());
    let cond = b.splits(&Value::plain("key", value.each.clone()));
    let names = Scope::framed_names();
    let mut first: Vec<Stmt> = sequence.iter().flat_map(|one| one.stmts(b, &names)).collect();
    first.push(line("return;"));
    let mut body = vec![branch(cond, first, Vec::new())];
    body.extend(sequence.iter().flat_map(|one| one.stmts(b, &names)));
    b.function(&format!("void {name}"), &frame.params(&["int key"]), &body);
    let mut stmts = value.setup;
    stmts.push(line(format!("{name}({});", frame.args(&[&value.expr]))));
    stmts
}

/// A branch on the rank without collectives.
pub fn local(b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let value = divergent::value(b, at, true, 2);
    let cond = b.splits(&value);
    let then = b.arithmetic(&at.names.rank, 1, 2);
    let other = if b.rng.chance(50) {
        b.arithmetic(&value.expr, 1, 2)
    } else {
        Vec::new()
    };
    let mut body = value.setup;
    body.push(branch(cond, then, other));
    body
}

/// A communicator of its own, and work on it.
pub fn communicator(b: &mut Builder, at: &Scope, part: Part, planted: &mut Planted) -> Vec<Stmt> {
    let (comm, rank, new) = (&at.names.comm, &at.names.rank, b.name("comm"));
    let mut body = vec![line(format!("MPI_Comm {new};"))];
    let free = line(format!("MPI_Comm_free(&{new});"));
    let colours = [
        format!("{rank} % 2"),
        format!("{rank} > 0"),
        format!("{rank} == 1"),
        format!("{rank} / 2 % 2"),
    ];
    match part {
        Part::Dup | Part::SplitWhole => {
            let dup = part == Part::Dup;
            let call = if dup {
                format!("MPI_Comm_dup({comm}, &{new});")
            } else {
                format!("MPI_Comm_split({comm}, 0, -{rank}, &{new});")
            };
            body.push(line(call));
            let inside = at.on(&new, true, if dup { at.first } else { 2 });
            body.extend(parts::block(b, &inside, planted));
            body.push(free);
        }
        Part::SplitUndefined => {
            let colour = b.pick(&colours);
            let call = format!("MPI_Comm_split({comm}, {colour} ? 1 : MPI_UNDEFINED, {rank}, &{new});");
            body.push(line(call));
            let mut work = parts::block(b, &at.on(&new, false, 0), &mut Planted::nothing());
            work.push(free);
            body.push(branch(format!("{new} != MPI_COMM_NULL"), work, Vec::new()));
        }
        _ => {
            let colour = b.name("colour");
            body.push(line(format!("int {colour} = {};", b.pick(&colours))));
            body.push(line(format!("MPI_Comm_split({comm}, {colour}, {rank}, &{new});")));
            let inside = at.on(&new, false, 0);
            let work = parts::block(b, &inside, &mut Planted::nothing());
            if part == Part::SplitAll {
                body.extend(work);
            } else {
                let other = if b.rng.chance(50) {
                    parts::block(b, &inside, &mut Planted::nothing())
                } else {
                    Vec::new()
                };
                let cond = b.pick(&[format!("{colour} == 0"), format!("{colour} == 1"), colour]);
                body.push(branch(cond, work, other));
            }
            body.push(free);
        }
    }
    body
}
