//! Values that are the same on all ranks of a communicator.

use super::scope::Scope;
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::flows;
use crate::collectives::generator::tree::{block, branch, line};

/// Where a value that all ranks share is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    Size,
    /// A communicator's size, asked for again.
    SizeAgain,
    Constant,
    /// The number of arguments of the program.
    Arguments,
    /// What was read on one rank and sent to all.
    Bcast,
    /// As above, in a function that gets a pointer.
    BcastInFunction,
    Allreduce,
    Allgather,
    /// A sum over what was gathered.
    AllgatherSum,
    /// Reduced to one rank, then sent to all.
    ReduceAndBcast,
}

/// Every origin.
pub const ORIGINS: [Origin; 10] = [
    Origin::Size,
    Origin::SizeAgain,
    Origin::Constant,
    Origin::Arguments,
    Origin::Bcast,
    Origin::BcastInFunction,
    Origin::Allreduce,
    Origin::Allgather,
    Origin::AllgatherSum,
    Origin::ReduceAndBcast,
];

/// A value that is the same on all ranks of the scope's communicator, after up to `most` ways.
pub fn value(b: &mut Builder, at: &Scope, most: i64) -> Value {
    let origin = b.pick(&ORIGINS);
    let origin = match origin {
        Origin::Arguments if !at.main => Origin::Size,
        origin => origin,
    };
    b.note(if at.whole {
        Feature::MpiUniform(origin)
    } else {
        Feature::MpiUniformInPart(origin)
    });
    let value = from(b, at, origin);
    flows::flows(b, value, &at.around(), most)
}

fn all(b: &Builder, n: i64) -> Vec<i64> {
    vec![n; b.agents]
}

fn from(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    let (rank, size, comm) = (&at.names.rank, &at.names.size, &at.names.comm);
    let name = b.name("n");
    let k = b.rng.range(1, 4);
    let agents = b.agents as i64;
    let (setup, n) = match origin {
        Origin::Size | Origin::Arguments => {
            let (expr, n) = if origin == Origin::Size {
                (size.as_str(), agents)
            } else {
                ("argc", 1)
            };
            return Value::plain(expr, all(b, n));
        }
        Origin::Constant => (vec![line(format!("int {name} = {k};"))], k),
        Origin::SizeAgain => {
            let ask = line(format!("MPI_Comm_size(MPI_COMM_WORLD, &{name});"));
            (vec![line(format!("int {name};")), ask], agents)
        }
        Origin::Bcast => {
            let send = line(format!("MPI_Bcast(&{name}, 1, MPI_INT, 0, {comm});"));
            let mut setup = vec![line(format!("int {name} = {rank} + {k};")), send];
            let mut n = at.first + k;
            if b.rng.chance(50) {
                setup[0] = line(format!("int {name} = 0;"));
                let read = vec![line(format!("{name} = {k};"))];
                setup.insert(1, branch(format!("{rank} == {}", at.first), read, Vec::new()));
                n = k;
            }
            (setup, n)
        }
        Origin::BcastInFunction => {
            let share = b.name("share");
            let params = ["int *what", "MPI_Comm comm"].map(str::to_string);
            let body = [line("MPI_Bcast(what, 1, MPI_INT, 0, comm);")];
            b.function(&format!("void {share}"), &params, &body);
            let start = line(format!("int {name} = {rank} * {k};"));
            (vec![start, line(format!("{share}(&{name}, {comm});"))], at.first * k)
        }
        Origin::Allreduce => {
            let mine = b.name("mine");
            let (by, n) = b.pick(&[("MPI_MAX", 2 + k), ("MPI_MIN", k), ("MPI_SUM", 3 + 3 * k)]);
            let call = format!("MPI_Allreduce(&{mine}, &{name}, 1, MPI_INT, {by}, {comm});");
            let start = line(format!("int {mine} = {rank} + {k}, {name} = 0;"));
            (vec![start, line(call)], n)
        }
        Origin::Allgather | Origin::AllgatherSum => {
            let (mine, every) = (b.name("mine"), b.name("every"));
            let mut setup = vec![
                line(format!("int {mine} = {rank} + {k}, {name} = 0, {every}[64];")),
                line(format!(
                    "MPI_Allgather(&{mine}, 1, MPI_INT, {every}, 1, MPI_INT, {comm});"
                )),
            ];
            if origin == Origin::Allgather {
                setup.push(line(format!("{name} = {every}[0];")));
                (setup, at.first + k)
            } else {
                let (i, count) = (b.name("i"), b.name("count"));
                setup.push(line(format!("int {count};")));
                setup.push(line(format!("MPI_Comm_size({comm}, &{count});")));
                let add = vec![line(format!("{name} += {every}[{i}];"))];
                setup.push(block(format!("for (int {i} = 0; {i} < {count}; {i}++)"), add));
                (setup, 3 + 3 * k)
            }
        }
        Origin::ReduceAndBcast => {
            let mine = b.name("mine");
            let setup = vec![
                line(format!("int {mine} = {rank} + {k}, {name} = 0;")),
                line(format!("MPI_Reduce(&{mine}, &{name}, 1, MPI_INT, MPI_SUM, 0, {comm});")),
                line(format!("MPI_Bcast(&{name}, 1, MPI_INT, 0, {comm});")),
            ];
            (setup, 3 + 3 * k)
        }
    };
    Value {
        setup,
        expr: name,
        each: all(b, n),
    }
}
