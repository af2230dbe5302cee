//! Functions that do a part of the work of a parallel region, and what they are told.

use super::defects::Planted;
use super::parts::{self, Part};
use super::scope::Scope;
use crate::collectives::generator::builder::Builder;
use crate::collectives::generator::containers::{self, Place};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::tree::{Stmt, line};

/// How a function gets to know its thread's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    Value,
    Pointer,
    /// A field of a structure, by a pointer.
    Struct,
    /// The function asks itself.
    Asked,
    /// A file-scope variable of which each thread has its own.
    Threadprivate,
}

/// Every way.
pub const PASSES: [Pass; 5] = [
    Pass::Value,
    Pass::Pointer,
    Pass::Struct,
    Pass::Asked,
    Pass::Threadprivate,
];

/// A call of a new function whose body is a block.
pub fn call(b: &mut Builder, at: &Scope, planted: &mut Planted) -> Vec<Stmt> {
    let (pass, name) = (b.pick(&PASSES), b.name("step"));
    b.note(Feature::OmpPass(pass));
    let (tid, own) = (&at.tid, b.name("own"));
    let mut inside = at.framed();
    let mut body = Vec::new();
    let mut stmts = Vec::new();
    let (param, arg) = match pass {
        Pass::Value => (Some("int tid"), tid.clone()),
        Pass::Pointer => {
            stmts.push(line(format!("int {own} = {tid};")));
            inside.tid = "(*tid)".into();
            (Some("const int *tid"), format!("&{own}"))
        }
        Pass::Struct => {
            b.global("struct place {\n    int count, me;\n};");
            stmts.push(line(format!("struct place {own} = {{ 4, {tid} }};")));
            inside.tid = "at->me".into();
            (Some("const struct place *at"), format!("&{own}"))
        }
        Pass::Asked => {
            body.push(line("int tid = omp_get_thread_num();"));
            body.push(line("(void)tid;"));
            (None, String::new())
        }
        Pass::Threadprivate => {
            b.global("static int my_thread;\n#pragma omp threadprivate(my_thread)");
            stmts.push(line(format!("my_thread = {tid};")));
            inside.tid = "my_thread".into();
            (None, String::new())
        }
    };
    if b.rng.chance(25) {
        b.note(Feature::OmpPart(Part::UniformReturn));
        body.extend(containers::uniform_return(b, &inside));
    }
    let again = !planted.is_there() && b.rng.chance(25);
    body.extend(parts::block(b, &inside, planted));
    if b.rng.chance(25) {
        b.note(Feature::OmpPart(Part::LateReturn));
        body.extend(containers::late_return(b, &inside));
    }
    let params: Vec<String> = param.into_iter().map(str::to_string).collect();
    b.function(&format!("void {name}"), &params, &body);
    let call = line(format!("{name}({arg});"));
    stmts.push(call.clone());
    if again {
        stmts.push(call);
    }
    stmts
}
