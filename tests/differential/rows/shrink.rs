//! Smaller programs about rows of variable length.

use super::{Op, Program, Step, Storage};
use crate::nested::{Nested, lists};

impl Nested for Op {
    fn inner(&mut self) -> Option<&mut Vec<Op>> {
        match self {
            Op::Loop(_, _, body) | Op::Longer(_, body) | Op::Sometimes(body) => Some(body),
            _ => None,
        }
    }

    fn plainer(&self) -> Vec<Op> {
        match self {
            Op::Loop(times, is_opaque, body) if *is_opaque || *times > 2 => vec![Op::Loop(2, false, body.clone())],
            Op::Call {
                function,
                args,
                transposed: true,
            } => vec![Op::Call {
                function: *function,
                args: *args,
                transposed: false,
            }],
            _ => Vec::new(),
        }
    }
}

impl Nested for Step {
    fn inner(&mut self) -> Option<&mut Vec<Step>> {
        match self {
            Step::Loop(_, body) | Step::Longer(_, body) => Some(body),
            _ => None,
        }
    }

    fn plainer(&self) -> Vec<Step> {
        match self {
            Step::Kernel(kernel) if kernel.collapses => {
                let mut kernel = *kernel;
                kernel.collapses = false;
                vec![Step::Kernel(kernel)]
            }
            _ => Vec::new(),
        }
    }
}

/// All programs that are one step smaller.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut out = Vec::new();
    let mut push = |change: &dyn Fn(&mut Program)| {
        let mut new = program.clone();
        change(&mut new);
        out.push(new);
    };
    if program.is_spread {
        push(&|p| p.is_spread = false);
    }
    for ops in lists(&program.ops) {
        push(&|p| p.ops = ops.clone());
    }
    for (at, function) in program.functions.iter().enumerate() {
        for body in lists(&function.body) {
            push(&|p| p.functions[at].body = body.clone());
        }
        if function.columns_first {
            push(&|p| p.functions[at].columns_first = false);
        }
    }
    for (at, matrix) in program.matrices.iter().enumerate() {
        if matrix.is_wide {
            push(&|p| p.matrices[at].is_wide = false);
        }
        if matrix.storage != Storage::Rows {
            push(&|p| p.matrices[at].storage = Storage::Rows);
        }
    }
    out
}
