//! The statements of each shape.

use super::{Frame, Piece, Shape, placed};
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::tree::{Stmt, block, branch, line};

/// In a branch on one side, or past a jump.
pub(super) fn missed(b: &mut Builder, shape: Shape, value: &Value, piece: &Piece, frame: &Frame) -> Vec<Stmt> {
    let cond = b.splits(value);
    let stmts = placed(b, piece, frame, 0);
    match shape {
        Shape::OtherSide => {
            let side = b.arithmetic(&value.expr, 1, 2);
            vec![branch(cond, side, stmts)]
        }
        Shape::Nested => {
            let inner = vec![branch(format!("{} > -1000", value.expr), stmts, Vec::new())];
            let side = if b.rng.chance(50) {
                b.arithmetic(&value.expr, 1, 2)
            } else {
                Vec::new()
            };
            vec![branch(cond, inner, side)]
        }
        Shape::Jump => {
            let past = b.name("past");
            let mut body = vec![branch(cond, vec![line(format!("goto {past};"))], Vec::new())];
            body.push(block("", stmts));
            body.push(line(format!("{past}:;")));
            body
        }
        Shape::Case => {
            let some = b.pick(&value.each);
            let (there, default) = if b.rng.chance(50) {
                (block("", stmts), line(";"))
            } else {
                (line(";"), block("", stmts))
            };
            let body = vec![
                line(format!("case {some}:")),
                there,
                line("break;"),
                line("default:"),
                default,
                line("break;"),
            ];
            vec![block(format!("switch ({})", value.expr), body)]
        }
        _ => vec![branch(cond, stmts, Vec::new())],
    }
}

/// On both sides, not the same.
pub(super) fn sides(b: &mut Builder, shape: Shape, value: &Value, pieces: [&Piece; 2], frame: &Frame) -> Vec<Stmt> {
    let cond = b.splits(value);
    let mut place = |piece: &Piece| {
        let stmts = placed(b, piece, frame, 0);
        if stmts.len() > 1 { vec![block("", stmts)] } else { stmts }
    };
    let (first, second) = (place(pieces[0]), place(pieces[1]));
    let again = place(pieces[0]);
    match shape {
        Shape::Different => vec![branch(cond, first, second)],
        Shape::Order => {
            let other = [place(pieces[1]), again].concat();
            vec![branch(cond, [first, second].concat(), other)]
        }
        _ => {
            let third = place(pieces[0]);
            vec![branch(cond, [first, again].concat(), third)]
        }
    }
}

/// An expression with between nought and a few, not the same everywhere.
fn few(b: &mut Builder, value: &Value) -> String {
    let (least, most) = (value.least(), value.most());
    if most - least > 6 {
        let cond = b.splits(value);
        return format!("({cond} ? 2 : 1)");
    }
    match least {
        0 => value.expr.clone(),
        n if n < 0 => format!("({} + {})", value.expr, -n),
        n => format!("({} - {n})", value.expr),
    }
}

/// In a loop.
pub(super) fn looped(b: &mut Builder, shape: Shape, value: &Value, piece: &Piece, frame: &Frame) -> Vec<Stmt> {
    let i = b.name("i");
    let stmts = placed(b, piece, frame, 0);
    let trips = b.rng.range(2, 4);
    let head = format!("for (int {i} = 0; {i} < {trips}; {i}++)");
    match shape {
        Shape::Trips => {
            let bound = few(b, value);
            let mut body = stmts;
            match b.rng.below(3) {
                0 => vec![block(format!("for (int {i} = 0; {i} < {bound}; {i}++)"), body)],
                1 => {
                    body.push(line(format!("{i}--;")));
                    vec![
                        line(format!("int {i} = {bound};")),
                        block(format!("while ({i} > 0)"), body),
                    ]
                }
                _ => {
                    body.push(line(format!("{i}++;")));
                    // A barrier in the body stands before the test: what is read there is the same for all.
                    let last = b.name("last");
                    let repeat = Stmt::Block {
                        head: "do".into(),
                        body,
                        tail: format!(" while ({i} <= {last});"),
                    };
                    vec![line(format!("int {i} = 0, {last} = {bound};")), repeat]
                }
            }
        }
        Shape::Break => {
            let cond = b.splits(value);
            let mut body = vec![branch(cond, vec![line("break;")], Vec::new())];
            body.extend(stmts);
            vec![block(head, body)]
        }
        _ => {
            let cond = b.splits(value);
            let mut body = vec![branch(cond, vec![line("continue;")], Vec::new())];
            body.extend(stmts);
            vec![block(head, body)]
        }
    }
}

/// In a function.
pub(super) fn called(b: &mut Builder, shape: Shape, value: &Value, piece: &Piece, frame: &Frame) -> Vec<Stmt> {
    let name = b.name("part");
    let inside = piece.inside.clone();
    match shape {
        Shape::Return => {
            let cond = b.splits(&Value::plain("key", value.each.clone()));
            let mut body = vec![branch(cond, vec![line("return;")], Vec::new())];
            body.extend(inside);
            b.function(&format!("void {name}"), &frame.params(&["int key"]), &body);
            vec![line(format!("{name}({});", frame.args(&[&value.expr])))]
        }
        Shape::Recursion => {
            let bound = few(b, value);
            let mut body = vec![branch("left <= 0", vec![line("return;")], Vec::new())];
            body.extend(inside);
            body.push(line(format!("{name}({});", frame.forwarded(&["left - 1"]))));
            b.function(&format!("void {name}"), &frame.params(&["int left"]), &body);
            vec![line(format!("{name}({});", frame.args(&[&bound])))]
        }
        _ => {
            let cond = b.splits(value);
            let mut body = inside;
            body.push(line("return 1;"));
            b.function(&format!("int {name}"), &frame.params(&[]), &body);
            let call = format!("{cond} && {name}({})", frame.args(&[]));
            let side = b.arithmetic(&value.expr, 0, 1);
            vec![branch(call, side, Vec::new())]
        }
    }
}

/// Behind a function pointer.
pub(super) fn pointed(b: &mut Builder, shape: Shape, value: &Value, piece: &Piece, frame: &Frame) -> Vec<Stmt> {
    let (with, without, pointer) = (b.name("busy"), b.name("idle"), b.name("f"));
    b.function(&format!("void {with}"), &frame.params(&[]), &piece.inside);
    b.function(&format!("void {without}"), &frame.params(&[]), &[]);
    let (types, args) = (frame.types(), frame.args(&[]));
    let cond = b.splits(value);
    if shape == Shape::Table {
        return vec![
            line(format!("void (*{pointer}[2])({types}) = {{ {with}, {without} }};")),
            line(format!("{pointer}[({cond}) ? 1 : 0]({args});")),
        ];
    }
    let declare = line(format!("void (*{pointer})({types}) = {with};"));
    let change = branch(cond, vec![line(format!("{pointer} = {without};"))], Vec::new());
    vec![declare, change, line(format!("{pointer}({args});"))]
}
