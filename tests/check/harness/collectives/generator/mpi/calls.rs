//! Functions that do a part of the work of an MPI program, and what they are told.

use super::defects::Planted;
use super::parts;
use super::scope::Scope;
use crate::collectives::generator::builder::Builder;
use crate::collectives::generator::containers::Place;
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::tree::{Stmt, line};

/// How a function gets to know its rank and the number of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    Values,
    Pointers,
    /// A structure, by value.
    Struct,
    /// A structure, by a pointer.
    StructPointer,
    Globals,
    /// The number of ranks in an array.
    Array,
}

/// Every way.
pub const PASSES: [Pass; 6] = [
    Pass::Values,
    Pass::Pointers,
    Pass::Struct,
    Pass::StructPointer,
    Pass::Globals,
    Pass::Array,
];

/// How a function is declared and called.
struct Way {
    params: Vec<String>,
    /// What runs before the call.
    setup: Vec<Stmt>,
    args: Vec<String>,
    rank: &'static str,
    size: &'static str,
}

/// A call of a new function whose body is a block; where the block is planted, so is the result.
pub fn call(b: &mut Builder, at: &Scope, planted: &mut Planted) -> Vec<Stmt> {
    let pass = b.pick(&PASSES);
    b.note(Feature::Pass(pass));
    let mut way = way(b, at, pass);
    let mut inside = at.inner();
    inside.main = false;
    inside.names.rank = way.rank.into();
    inside.names.size = way.size.into();
    if at.names.comm != "MPI_COMM_WORLD" || b.rng.chance(40) {
        way.params.push("MPI_Comm comm".into());
        way.args.push(at.names.comm.clone());
        inside.names.comm = "comm".into();
    }
    let again = !planted.is_there() && b.rng.chance(25);
    let mut body = parts::early(b, &inside);
    body.extend(parts::block(b, &inside, planted));
    body.extend(parts::late(b, &inside));
    let name = b.name("step");
    b.function(&format!("void {name}"), &way.params, &body);
    let mut stmts = way.setup;
    let call = line(format!("{name}({});", way.args.join(", ")));
    stmts.push(call.clone());
    if again {
        stmts.push(call);
    }
    stmts
}

fn way(b: &mut Builder, at: &Scope, pass: Pass) -> Way {
    let (rank, size) = (at.names.rank.clone(), at.names.size.clone());
    let strings = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
    match pass {
        Pass::Values => Way {
            params: strings(&["int rank", "int size"]),
            setup: Vec::new(),
            args: vec![rank, size],
            rank: "rank",
            size: "size",
        },
        Pass::Pointers => {
            let (r, n) = (b.name("r"), b.name("n"));
            Way {
                params: strings(&["const int *rank", "const int *size"]),
                setup: vec![line(format!("int {r} = {rank}, {n} = {size};"))],
                args: vec![format!("&{r}"), format!("&{n}")],
                rank: "(*rank)",
                size: "(*size)",
            }
        }
        Pass::Struct | Pass::StructPointer => {
            b.global("struct place {\n    int me, count;\n};");
            let place = b.name("place");
            let setup = vec![line(format!("struct place {place} = {{ {rank}, {size} }};"))];
            let (param, arg, names) = if pass == Pass::Struct {
                ("struct place at", place, ("at.me", "at.count"))
            } else {
                ("const struct place *at", format!("&{place}"), ("at->me", "at->count"))
            };
            Way {
                params: strings(&[param]),
                setup,
                args: vec![arg],
                rank: names.0,
                size: names.1,
            }
        }
        Pass::Globals => {
            b.global("static int world_rank, world_size;");
            Way {
                params: Vec::new(),
                setup: Vec::new(),
                args: Vec::new(),
                rank: "world_rank",
                size: "world_size",
            }
        }
        Pass::Array => {
            let dims = b.name("dims");
            Way {
                params: strings(&["int rank", "const int *dims"]),
                setup: vec![line(format!("int {dims}[2] = {{ {size}, 4 }};"))],
                args: vec![rank, dims],
                rank: "rank",
                size: "dims[0]",
            }
        }
    }
}
