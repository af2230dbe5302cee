//! Draws programs about rows of variable length.

use super::{Cell, Function, Kernel, Matrix, Op, Param, Program, Step, Storage, What};
use crate::generator::rng::Rng;

/// Fewest rows and columns of any matrix.
const LEAST: i64 = 3;
/// Nesting of what a program does.
const DEPTH: u32 = 2;

/// Kernels that a program starts, at most.
const MOST_LAUNCHES: i64 = 120;

/// The program of `seed`.
pub fn grow(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    loop {
        let program = draw(seed, &mut rng);
        if (1..=MOST_LAUNCHES).contains(&launches(&program)) {
            return program;
        }
    }
}

/// How many kernels the program starts, those of calls that do not fit counted.
fn launches(program: &Program) -> i64 {
    fn of_steps(before: &[i64], steps: &[Step]) -> i64 {
        let of = |step: &Step| match step {
            Step::Kernel(_) => 1,
            Step::Forward { function, .. } => before[*function],
            Step::Loop(times, body) => times * of_steps(before, body),
            Step::Longer(_, body) => of_steps(before, body),
            Step::Poke(..) | Step::Peek(..) => 0,
        };
        steps.iter().map(of).sum()
    }
    fn of_ops(functions: &[i64], ops: &[Op]) -> i64 {
        let of = |op: &Op| match op {
            Op::Call { function, .. } => functions[*function],
            Op::Loop(times, _, body) => times * of_ops(functions, body),
            Op::Longer(_, body) => of_ops(functions, body),
            _ => 0,
        };
        ops.iter().map(of).sum()
    }
    let mut functions: Vec<i64> = Vec::new();
    for function in &program.functions {
        functions.push(of_steps(&functions, &function.body));
    }
    of_ops(&functions, &program.ops)
}

fn draw(seed: u64, rng: &mut Rng) -> Program {
    let mut program = Program {
        seed,
        rows: rng.range(LEAST, 6),
        columns: rng.range(LEAST, 7),
        is_spread: rng.chance(30),
        matrices: Vec::new(),
        functions: Vec::new(),
        ops: Vec::new(),
    };
    let wide = rng.chance(35);
    for at in 0..rng.range(2, 4) {
        let storage = rng.weighted(&[(5, Storage::Rows), (3, Storage::Array), (3, Storage::Flat)]);
        // Two of a width at least, so that there is something to hand over.
        let is_wide = wide && (at > 1 || rng.chance(20));
        program.matrices.push(Matrix { storage, is_wide });
    }
    for at in 0..rng.range(1, 4) as usize {
        let function = function(rng, &program.functions[..at]);
        program.functions.push(function);
    }
    let most = rng.range(3, 6);
    program.ops = ops(rng, &program, most, 0, false);
    program
}

fn function(rng: &mut Rng, before: &[Function]) -> Function {
    let param = |rng: &mut Rng| rng.weighted(&[(4, Param::Both), (2, Param::Open), (4, Param::Pointer)]);
    let params: Vec<Param> = (0..rng.range(1, 2)).map(|_| param(rng)).collect();
    let mut function = Function {
        params,
        columns_first: rng.chance(25),
        body: Vec::new(),
    };
    function.body = steps(rng, before, function.params.len(), 0);
    function
}

fn steps(rng: &mut Rng, before: &[Function], params: usize, depth: u32) -> Vec<Step> {
    let count = rng.range(1, 3);
    (0..count).map(|_| step(rng, before, params, depth)).collect()
}

fn step(rng: &mut Rng, before: &[Function], params: usize, depth: u32) -> Step {
    let deeper = u32::from(depth < DEPTH);
    let like: Vec<usize> = (0..before.len())
        .filter(|f| before[*f].params.len() <= params)
        .collect();
    let forward = rng.pick(&like);
    let (param, at) = (rng.below(params), cell(rng));
    match rng.weighted(&[
        (10, 0),
        (2, 1),
        (2, 2),
        (if forward.is_some() { 5 } else { 0 }, 3),
        (3 * deeper, 4),
        (3 * deeper, 5),
    ]) {
        0 => Step::Kernel(kernel(rng, params)),
        1 => Step::Poke(param, at),
        2 => Step::Peek(param, at),
        3 => Step::Forward {
            function: forward.unwrap_or(0),
            crossed: rng.chance(40),
        },
        4 => Step::Loop(rng.range(1, 3), steps(rng, before, params, depth + 1)),
        _ => Step::Longer(longer(rng), steps(rng, before, params, depth + 1)),
    }
}

fn kernel(rng: &mut Rng, params: usize) -> Kernel {
    let what = [
        (8, What::Copy),
        (4, What::Add),
        (if params > 1 { 3 } else { 0 }, What::Above),
        (2, What::Sums),
        (2, What::OneRow),
        (2, What::OneColumn),
    ];
    Kernel {
        what: rng.weighted(&what),
        written: rng.below(params),
        whole_rows: rng.chance(45),
        collapses: rng.chance(50),
        salt: rng.range(1, 90),
    }
}

/// A place that is in every matrix.
fn cell(rng: &mut Rng) -> Cell {
    Cell {
        row: rng.range(0, LEAST - 1),
        column: rng.range(0, LEAST - 1),
    }
}

/// By how much the variable is larger for a while, or smaller.
fn longer(rng: &mut Rng) -> i64 {
    rng.weighted(&[(3, 1), (2, 2), (1, 5), (2, -1)])
}

fn ops(rng: &mut Rng, program: &Program, most: i64, depth: u32, is_host: bool) -> Vec<Op> {
    let count = rng.range(most / 2, most).max(1);
    (0..count).map(|_| op(rng, program, depth, is_host)).collect()
}

fn op(rng: &mut Rng, program: &Program, depth: u32, is_host: bool) -> Op {
    let deeper = u32::from(depth < DEPTH);
    let device = u32::from(!is_host);
    let (one, other) = (rng.below(program.matrices.len()), rng.below(program.matrices.len()));
    let (at, row) = (cell(rng), rng.range(0, LEAST - 1));
    match rng.weighted(&[
        (10 * device, 0),
        (3, 1),
        (3, 2),
        (2, 3),
        (2, 4),
        (9 * deeper * device, 5),
        (4 * deeper * device, 6),
        (2 * deeper * device, 7),
    ]) {
        0 => call(rng, program),
        1 => Op::Poke(one, at),
        2 => Op::Peek(one, at),
        3 => Op::Show(one, row),
        4 => Op::Swap(one, other),
        5 => {
            let (times, is_opaque) = (rng.range(1, 4), rng.chance(40));
            let mut body = ops(rng, program, 3, depth + 1, false);
            // A loop is worth little without a kernel.
            body.push(call(rng, program));
            Op::Loop(times, is_opaque, body)
        }
        6 => Op::Longer(longer(rng), ops(rng, program, 3, depth + 1, false)),
        _ => Op::Sometimes(ops(rng, program, 2, depth + 1, true)),
    }
}

/// A call whose matrices fit together, if any do.
fn call(rng: &mut Rng, program: &Program) -> Op {
    let matrices = &program.matrices;
    let first = rng.below(matrices.len());
    let fits = |at: &usize| *at != first && matrices[*at].is_wide == matrices[first].is_wide;
    let others: Vec<usize> = (0..matrices.len()).filter(fits).collect();
    Op::Call {
        function: rng.below(program.functions.len()),
        args: [first, rng.pick(&others).unwrap_or(first)],
        transposed: rng.chance(20),
    }
}
