//! The statements of each way.

use super::{Around, Flow};
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::tree::{Stmt, block, branch, line};

/// The value in an expression.
pub(super) fn computed(b: &mut Builder, value: Value, flow: Flow) -> Value {
    let Value { setup, expr, each } = value.clone();
    let with = |expr: String, each: Vec<i64>| Value {
        setup: setup.clone(),
        expr,
        each,
    };
    let map = |of: &dyn Fn(i64) -> i64| each.iter().map(|n| of(*n)).collect::<Vec<_>>();
    match flow {
        Flow::Conditional => {
            let cond = if value.diverges() { value.most() } else { value.least() };
            let (yes, no) = (b.rng.range(5, 9), b.rng.range(0, 4));
            let of = map(&|n| if n == cond { yes } else { no });
            with(format!("({expr} == {cond} ? {yes} : {no})"), of)
        }
        Flow::Indexed => {
            let table: Vec<i64> = (0..8).map(|i| i * 3 % 8 + 1).collect();
            let text: Vec<String> = table.iter().map(i64::to_string).collect();
            b.global(&format!("static const int table[8] = {{ {} }};", text.join(", ")));
            let of = with(format!("table[{expr} & 7]"), map(&|n| table[(n & 7) as usize]));
            if of.diverges() == value.diverges() { of } else { value }
        }
        _ => {
            let k = b.rng.range(1, 5);
            let mut choices = vec![
                with(format!("({expr} + {k})"), map(&|n| n + k)),
                with(format!("({expr} * 2 + {k})"), map(&|n| n * 2 + k)),
                with(format!("({} - {expr})", k + 9), map(&|n| k + 9 - n)),
            ];
            if value.least() >= 0 {
                choices.push(with(format!("({expr} % 2)"), map(&|n| n % 2)));
                choices.push(with(format!("(({expr} + {k}) / 2)"), map(&|n| (n + k) / 2)));
            }
            choices.retain(|choice| choice.diverges() == value.diverges());
            b.pick(&choices)
        }
    }
}

/// The value in a variable.
pub(super) fn stored(b: &mut Builder, mut value: Value, around: &Around, flow: Flow) -> Value {
    let name = b.name("v");
    let other = around.other(&value).to_string();
    let expr = &value.expr;
    match flow {
        Flow::Overwritten => value.setup.extend([
            line(format!("int {name} = {other};")),
            line(format!("{name} = {expr};")),
        ]),
        Flow::Pointer => {
            let pointer = b.name("p");
            value.setup.extend([
                line(format!("int {name} = 0;")),
                line(format!("int *{pointer} = &{name};")),
                line(format!("*{pointer} = {expr};")),
            ]);
            if b.rng.chance(50) {
                value.expr = format!("(*{pointer})");
                return value;
            }
        }
        _ => value.setup.push(line(format!("int {name} = {expr};"))),
    }
    value.expr = name;
    value
}

/// The value in a field of a structure.
pub(super) fn field(b: &mut Builder, mut value: Value, around: &Around, flow: Flow) -> Value {
    b.global("struct pair {\n    int left, right;\n};");
    let name = b.name("pair");
    let (other, expr) = (around.other(&value), &value.expr);
    value.setup.push(line(format!("struct pair {name};")));
    if flow == Flow::FilledField {
        let fill = b.name("fill");
        let body = [line("pair->left = left;"), line("pair->right = right;")];
        let params = ["struct pair *pair", "int left", "int right"].map(str::to_string);
        b.function(&format!("void {fill}"), &params, &body);
        value.setup.push(line(format!("{fill}(&{name}, {other}, {expr});")));
    } else {
        value.setup.push(line(format!("{name}.left = {other};")));
        value.setup.push(line(format!("{name}.right = {expr};")));
    }
    value.setup.push(line(format!("(void){name}.left;")));
    value.expr = format!("{name}.right");
    value
}

/// The value in an element of an array.
pub(super) fn element(b: &mut Builder, mut value: Value, around: &Around, flow: Flow) -> Value {
    let name = b.name("a");
    let expr = &value.expr;
    if flow == Flow::WeakElement {
        let at = b.rng.range(0, 1);
        value.setup.extend([
            line(format!("int {name}[2];")),
            line(format!("{name}[{at}] = {expr};")),
            line(format!("{name}[{}] = {};", 1 - at, around.uniform)),
        ]);
        value.expr = format!("{name}[{at}]");
        return value;
    }
    let (i, at) = (b.name("i"), b.rng.range(0, 3));
    value.setup.push(line(format!("int {name}[4];")));
    let store = line(format!("{name}[{i}] = {expr} + {i};"));
    value
        .setup
        .push(block(format!("for (int {i} = 0; {i} < 4; {i}++)"), vec![store]));
    value.expr = format!("{name}[{at}]");
    value.each.iter_mut().for_each(|n| *n += at);
    value
}

/// The value through a function.
pub(super) fn called(b: &mut Builder, mut value: Value, around: &Around, flow: Flow) -> Value {
    let (name, function) = (b.name("v"), b.name("shift"));
    let (other, expr) = (around.other(&value).to_string(), &value.expr);
    let k = b.rng.range(1, 4);
    if flow == Flow::OutParameter {
        let params = ["int *to", "int x"].map(str::to_string);
        b.function(&format!("void {function}"), &params, &[line(format!("*to = x + {k};"))]);
        value.setup.push(line(format!("int {name};")));
        value.setup.push(line(format!("{function}(&{name}, {expr});")));
    } else {
        let mut outer = function.clone();
        let params = ["int x".to_string()];
        b.function(&format!("int {function}"), &params, &[line(format!("return x + {k};"))]);
        if flow == Flow::ReturnedTwice {
            outer = b.name("pass");
            b.function(
                &format!("int {outer}"),
                &params,
                &[line(format!("return {function}(x);"))],
            );
        }
        let aside = b.name("w");
        value.setup.push(line(format!("int {aside} = {outer}({other});")));
        value.setup.push(line(format!("int {name} = {outer}({expr});")));
        value.setup.push(line(format!("(void){aside};")));
    }
    value.expr = name;
    value.each.iter_mut().for_each(|n| *n += k);
    value
}

/// The value in a variable of the file.
pub(super) fn global(b: &mut Builder, mut value: Value, around: &Around, flow: Flow) -> Value {
    let name = b.name("kept");
    b.global(&format!("{} {name};", around.own));
    if flow == Flow::GlobalByCall {
        let keep = b.name("keep");
        b.function(
            &format!("void {keep}"),
            &["int x".to_string()],
            &[line(format!("{name} = x;"))],
        );
        value.setup.push(line(format!("{keep}({});", value.expr)));
    } else {
        value.setup.push(line(format!("{name} = {};", value.expr)));
    }
    value.expr = name;
    value
}

/// A value that is set under the control of the value.
pub(super) fn controlled(b: &mut Builder, mut value: Value, flow: Flow) -> Value {
    let (name, expr) = (b.name("v"), value.expr.clone());
    let most = value.most();
    let set = |n: i64| line(format!("{name} = {n};"));
    value.setup.push(line(format!("int {name} = 0;")));
    let stmt: Stmt = match flow {
        Flow::Counted => {
            let i = b.name("i");
            value.each.iter_mut().for_each(|n| *n *= 2);
            block(
                format!("for (int {i} = 0; {i} < {expr}; {i}++)"),
                vec![line(format!("{name} += 2;"))],
            )
        }
        Flow::Switched => {
            value.each.iter_mut().for_each(|n| *n = if *n == most { 4 } else { 1 });
            let body = vec![
                line(format!("case {most}:")),
                set(4),
                line("break;"),
                line("default:"),
                set(1),
            ];
            block(format!("switch ({expr})"), body)
        }
        _ => {
            value.each.iter_mut().for_each(|n| *n = if *n >= most { 3 } else { 0 });
            branch(format!("{expr} >= {most}"), vec![set(3)], Vec::new())
        }
    };
    value.setup.push(stmt);
    value.expr = name;
    value
}
