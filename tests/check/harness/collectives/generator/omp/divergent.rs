//! Values that differ between the threads of a team.

use super::scope::Scope;
use super::sync::used;
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::flows;
use crate::collectives::generator::tree::{block, branch, line, omp};

/// Where a value that differs between threads is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    Thread,
    /// The thread's number, asked for again.
    ThreadAgain,
    /// What only one thread set for itself.
    SetByOne,
    /// What only the master set for itself.
    Master,
    /// The thread's own element of a shared array.
    OwnElement,
    /// The last index of the thread's part of a loop.
    Chunk,
    /// What only the thread of a `single` has.
    Single,
    /// What only the thread of a section has.
    Section,
    /// The order in which threads came, by `atomic capture`.
    Ticket,
    /// The order in which threads came, by `critical`.
    TicketInCritical,
}

/// Every origin; all threads have to reach those after the fifth.
pub const ORIGINS: [Origin; 10] = [
    Origin::Thread,
    Origin::ThreadAgain,
    Origin::SetByOne,
    Origin::Master,
    Origin::OwnElement,
    Origin::Chunk,
    Origin::Single,
    Origin::Section,
    Origin::Ticket,
    Origin::TicketInCritical,
];

/// A value that differs between threads, after up to `most` ways; `together` says whether all threads are here.
pub fn value(b: &mut Builder, at: &Scope, together: bool, most: i64) -> Value {
    let origin = if b.rng.chance(40) {
        Origin::Thread
    } else {
        b.pick(&ORIGINS[..if together { ORIGINS.len() } else { 5 }])
    };
    let value = from(b, at, origin);
    flows::flows(b, value, &at.around(), most)
}

/// A value from `origin`.
pub fn from(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    b.note(Feature::OmpDivergent(origin));
    match origin {
        Origin::Thread => Value::plain(at.tid.clone(), vec![0, 1, 2, 3]),
        Origin::ThreadAgain => Value::plain("omp_get_thread_num()", vec![0, 1, 2, 3]),
        Origin::Ticket | Origin::TicketInCritical => ticket(b, at, origin),
        _ => own(b, at, origin),
    }
}

fn own(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    let (name, n) = (b.name("mine"), b.rng.range(1, 4));
    let set = vec![line(format!("{name} = {n};"))];
    let mut each = vec![n, 0, 0, 0];
    let mut setup = vec![line(format!("int {name} = 0;"))];
    match origin {
        Origin::Master => setup.extend([omp("master"), block("", set)]),
        Origin::Single => setup.extend([omp(b.pick(&["single", "single nowait"])), block("", set)]),
        Origin::Section => {
            let rest = vec![used(b, "0")];
            let body = vec![omp("section"), block("", set), omp("section"), block("", rest)];
            setup.extend([omp("sections"), block("", body)]);
        }
        Origin::Chunk => {
            let (i, nowait) = (b.name("i"), b.pick(&["", " nowait"]));
            each = vec![1, 3, 5, 7];
            setup.push(omp(format!("for schedule(static){nowait}")));
            let keep = vec![line(format!("{name} = {i};"))];
            setup.push(block(format!("for (int {i} = 0; {i} < 8; {i}++)"), keep));
        }
        Origin::OwnElement => {
            let cells = b.name("cells");
            b.global(&format!("static int {cells}[64];"));
            each = vec![0, 1, 2, 3].into_iter().map(|tid| tid * n).collect();
            setup = vec![
                line(format!("{cells}[{}] = {} * {n};", at.tid, at.tid)),
                line(format!("int {name} = {cells}[{}];", at.tid)),
            ];
        }
        _ => setup.push(branch(format!("{} == {}", at.tid, b.rng.range(0, 3)), set, Vec::new())),
    }
    Value {
        setup,
        expr: name,
        each,
    }
}

fn ticket(b: &mut Builder, at: &Scope, origin: Origin) -> Value {
    let (name, next) = (b.name("mine"), at.shared(b));
    let mut setup = vec![
        line(format!("int {name};")),
        omp("barrier"),
        omp("single"),
        block("", vec![line(format!("{next} = 0;"))]),
    ];
    if origin == Origin::Ticket {
        setup.extend([omp("atomic capture"), line(format!("{name} = {next}++;"))]);
    } else {
        let body = vec![line(format!("{name} = {next};")), line(format!("{next}++;"))];
        setup.extend([omp("critical"), block("", body)]);
    }
    Value {
        setup,
        expr: name,
        each: vec![0, 1, 2, 3],
    }
}
