//! Values that are the same on all threads of a team.

use super::scope::Scope;
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::flows;
use crate::collectives::generator::tree::{Stmt, block, branch, line, omp};

/// Where a value that all threads share is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    Threads,
    Constant,
    /// The number of arguments of the program.
    Arguments,
    /// A variable from before the region.
    Before,
    /// A copy, for each thread, of a variable from before the region.
    Firstprivate,
    Copyprivate,
    /// A shared variable that one thread sets, before a barrier.
    AfterBarrier,
    /// A shared variable that one thread sets, before a barrier in a function.
    AfterBarrierInFunction,
    /// A shared variable that is set in a `single`.
    FromSingle,
    Reduction,
    /// The maximum over the threads.
    Maximum,
}

/// Every origin.
pub const ORIGINS: [Origin; 11] = [
    Origin::Threads,
    Origin::Constant,
    Origin::Arguments,
    Origin::Before,
    Origin::Firstprivate,
    Origin::Copyprivate,
    Origin::AfterBarrier,
    Origin::AfterBarrierInFunction,
    Origin::FromSingle,
    Origin::Reduction,
    Origin::Maximum,
];

/// A value that is the same on all threads, after up to `most` ways.
pub fn value(b: &mut Builder, at: &Scope, most: i64) -> Value {
    let origin = match b.pick(&ORIGINS) {
        Origin::Arguments | Origin::Before if !at.main => Origin::Threads,
        Origin::Firstprivate if !at.main => Origin::Constant,
        origin => origin,
    };
    b.note(Feature::OmpUniform(origin));
    let value = from(b, at, origin);
    flows::flows(b, value, &at.around(), most)
}

fn from(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    let (k, agents) = (b.rng.range(1, 4), b.agents);
    let plain = |expr: String, n: i64| Value::plain(expr, vec![n; agents]);
    match origin {
        Origin::Threads => plain("omp_get_num_threads()".into(), agents as i64),
        Origin::Arguments => plain("argc".into(), 1),
        Origin::Before | Origin::Firstprivate => {
            let name = b.name("n");
            b.locals.push(format!("int {name} = {k};"));
            if origin == Origin::Firstprivate {
                b.clauses.push(format!("firstprivate({name})"));
            }
            plain(name, k)
        }
        Origin::Constant => {
            let name = b.name("n");
            let mut value = plain(name.clone(), k);
            value.setup.push(line(format!("int {name} = {k};")));
            value
        }
        Origin::Copyprivate => {
            let name = b.name("n");
            let mut value = plain(name.clone(), k);
            value.setup = vec![
                line(format!("int {name} = {};", at.tid)),
                omp(format!("single copyprivate({name})")),
                block("", vec![line(format!("{name} = {k};"))]),
            ];
            value
        }
        _ => shared(b, at, origin, k),
    }
}

/// A shared variable. A barrier before it is set keeps the store away from what other threads read earlier.
fn shared(b: &mut Builder, at: &Scope, origin: Origin, k: i64) -> Value {
    let name = at.shared(b);
    let set = |n: i64| vec![line(format!("{name} = {n};"))];
    let single = |n: i64| vec![omp("single"), block("", set(n))];
    let mut n = k;
    let mut setup = vec![omp("barrier")];
    match origin {
        Origin::FromSingle => setup.extend(single(k)),
        Origin::Reduction => {
            let i = b.name("i");
            n = 8 * k;
            setup.extend(single(0));
            setup.push(omp(format!("for reduction(+ : {name})")));
            let add = vec![line(format!("{name} += {k};"))];
            setup.push(block(format!("for (int {i} = 0; {i} < 8; {i}++)"), add));
        }
        Origin::Maximum => {
            n = k + 3;
            setup.extend(single(0));
            let mine = format!("{} + {k}", at.tid);
            let keep = vec![line(format!("{name} = {mine};"))];
            setup.push(omp("critical"));
            setup.push(block("", vec![branch(format!("{mine} > {name}"), keep, Vec::new())]));
            setup.push(omp("barrier"));
        }
        _ => {
            if b.rng.chance(50) {
                setup.push(omp("master"));
                setup.push(block("", set(k)));
            } else {
                setup.push(branch(
                    format!("{} == {}", at.tid, b.rng.range(0, 3)),
                    set(k),
                    Vec::new(),
                ));
            }
            setup.push(barrier(b, origin == Origin::AfterBarrierInFunction));
        }
    }
    let mut expr = name.clone();
    if b.rng.chance(40) {
        expr = b.name("v");
        setup.push(line(format!("int {expr} = {name};")));
        setup.push(omp("barrier"));
    }
    Value {
        setup,
        expr,
        each: vec![n; b.agents],
    }
}

fn barrier(b: &mut Builder, in_function: bool) -> Stmt {
    if !in_function {
        return omp("barrier");
    }
    let name = b.name("sync");
    b.function(&format!("void {name}"), &[], &[omp("barrier")]);
    line(format!("{name}();"))
}
