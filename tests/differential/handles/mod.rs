//! Random programs about an opaque handle: a module keeps arrays behind a structure that only it can see into, has kernels on
//! them, and lets them grow; `main` calls its functions in some order.
//!
//! A program is a list of calls; every list is correct, since what a call needs (a handle that is there, memory that nobody
//! else holds) is asked while the program is printed, and calls that do not have it are left out. So the shrinker drops calls.

pub mod print;

use crate::generator::rng::Rng;

/// A call of a function of the module, or several in a loop.
#[derive(Clone, Debug)]
pub enum Op {
    /// A kernel that changes every element.
    Push(Handle),
    /// A kernel that sums the elements up.
    Fold(Handle),
    /// The host reads an element.
    Peek(Handle, i64),
    /// The host writes an element.
    Poke(Handle, i64),
    /// The host reads all elements.
    Show(Handle),
    /// The array gets another length, and the first handle may be another one.
    Renew(i64),
    /// The second handle becomes a copy of the first, for its first elements, and shares its memory from then on.
    Head(i64),
    Loop(i64, Vec<Op>),
}

/// Which of the two handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    First,
    Second,
}

/// A test case.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    /// The length that the first handle starts with.
    pub length: i64,
    /// `realloc` stands in a function that makes a new structure, and not in one that uses the old one.
    pub anew: bool,
    /// The first handle is made by the function that lets handles grow.
    pub from_nothing: bool,
    /// A structure is copied by `memcpy`.
    pub by_memcpy: bool,
    pub ops: Vec<Op>,
}

/// The least length of any array.
const LEAST: i64 = 8;

/// The program of `seed`.
pub fn grow(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let mut program = Program {
        seed,
        length: rng.range(LEAST, 40),
        anew: rng.chance(60),
        from_nothing: rng.chance(50),
        by_memcpy: rng.chance(40),
        ops: Vec::new(),
    };
    program.ops = block(&mut rng, 6, 0);
    program
}

fn block(rng: &mut Rng, most: i64, depth: u32) -> Vec<Op> {
    let count = rng.range(most / 2, most);
    (0..count).map(|_| op(rng, depth)).collect()
}

fn op(rng: &mut Rng, depth: u32) -> Op {
    let handle = rng.weighted(&[(3, Handle::First), (1, Handle::Second)]);
    let (at, length, times) = (rng.range(0, LEAST - 1), rng.range(LEAST, 50), rng.range(2, 4));
    let top = if depth == 0 { 1 } else { 0 };
    match rng.weighted(&[
        (9, 0),
        (1, 1),
        (1, 2),
        (1, 3),
        (1, 4),
        (3 * top, 5),
        (top, 6),
        (6 * top, 7),
    ]) {
        0 => Op::Push(handle),
        1 => Op::Fold(handle),
        2 => Op::Peek(handle, at),
        3 => Op::Poke(handle, at),
        4 => Op::Show(handle),
        5 => Op::Renew(length),
        6 => Op::Head(rng.range(LEAST, length)),
        _ => Op::Loop(times, block(rng, 3, depth + 1)),
    }
}

/// All programs that are one step smaller.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut out = Vec::new();
    for k in 0..program.ops.len() {
        let mut without = program.clone();
        let op = without.ops.remove(k);
        out.push(without);
        if let Op::Loop(times, body) = op {
            let mut flat = program.clone();
            flat.ops.splice(k..=k, body.clone());
            out.push(flat);
            for j in 0..body.len() {
                let mut body = body.clone();
                body.remove(j);
                let mut other = program.clone();
                other.ops[k] = Op::Loop(times, body);
                out.push(other);
            }
        }
    }
    out
}
