//! Values that travel in records as a whole, and through functions that call themselves.

use super::{Around, Flow};
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::tree::line;

const PAIR: &str = "struct pair {\n    int left, right;\n};";
const WIDE: &str = "struct wide {\n    int spare[6];\n    int left, right;\n};";

/// The value in a record that is assigned, passed or returned.
pub(super) fn record(b: &mut Builder, mut value: Value, around: &Around, flow: Flow) -> Value {
    // Small records travel in registers, wide ones in memory.
    let kind = if b.rng.chance(50) { "pair" } else { "wide" };
    b.global(if kind == "pair" { PAIR } else { WIDE });
    let (name, function) = (b.name("record"), b.name("hand"));
    let (other, expr) = (around.other(&value).to_string(), value.expr.clone());
    let fill = |name: &str, left: &str, right: &str| {
        [
            line(format!("struct {kind} {name} = {{ 0 }};")),
            line(format!("{name}.left = {left};")),
            line(format!("{name}.right = {right};")),
        ]
    };
    match flow {
        Flow::ReturnedRecord => {
            let params = ["int left", "int right"].map(str::to_string);
            let mut body = fill("made", "left", "right").to_vec();
            body.push(line("return made;"));
            b.function(&format!("struct {kind} {function}"), &params, &body);
            value
                .setup
                .push(line(format!("struct {kind} {name} = {function}({other}, {expr});")));
            value.expr = format!("{name}.right");
        }
        Flow::PassedRecord => {
            let params = [format!("struct {kind} given")];
            b.function(&format!("int {function}"), &params, &[line("return given.right;")]);
            value.setup.extend(fill(&name, &other, &expr));
            value.expr = b.name("v");
            value
                .setup
                .push(line(format!("int {} = {function}({name});", value.expr)));
        }
        _ => {
            let copy = b.name("copy");
            value.setup.extend(fill(&name, &other, &expr));
            value.setup.push(line(format!("struct {kind} {copy} = {name};")));
            value.expr = format!("{copy}.right");
        }
    }
    value
}

/// The value through a function that calls itself so often.
pub(super) fn recursive(b: &mut Builder, mut value: Value) -> Value {
    let (name, function) = (b.name("v"), b.name("deepen"));
    let depth = b.rng.range(1, 3);
    let params = ["int x", "int depth"].map(str::to_string);
    let body = line(format!("return depth > 0 ? {function}(x, depth - 1) + 1 : x;"));
    b.function(&format!("int {function}"), &params, &[body]);
    value
        .setup
        .push(line(format!("int {name} = {function}({}, {depth});", value.expr)));
    value.expr = name;
    value.each.iter_mut().for_each(|n| *n += depth);
    value
}
