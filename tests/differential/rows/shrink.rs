//! Smaller programs about rows of variable length.

use super::{Op, Program, Step, Storage};

/// A list whose parts hold lists.
trait Nested: Clone {
    /// The list in it.
    fn inner(&mut self) -> Option<&mut Vec<Self>>;
    /// Plainer forms, with the same list in them.
    fn plainer(&self) -> Vec<Self>;
}

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

/// All lists that are one step smaller.
fn lists<T: Nested>(list: &[T]) -> Vec<Vec<T>> {
    let mut out = Vec::new();
    for k in 0..list.len() {
        let with = |items: &[T]| [&list[..k], items, &list[k + 1..]].concat();
        out.push(with(&[]));
        let mut item = list[k].clone();
        if let Some(body) = item.inner().cloned() {
            out.push(with(&body));
            for body in lists(&body) {
                let mut item = item.clone();
                if let Some(inner) = item.inner() {
                    *inner = body;
                }
                out.push(with(&[item]));
            }
        }
        out.extend(list[k].plainer().into_iter().map(|plain| with(&[plain])));
    }
    out
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
