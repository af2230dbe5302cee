//! Smaller programs about what the host does.
//!
//! ```text
//! while (t0 < times[2]) { but_one(p0); total(p0) }    ->    for (t0 < 2) { … }    while (…) { all(p0); total(p0) }    but_one(p0); total(p0)
//! ```

use super::{Bounds, Call, Form, Loop, Mapped, Nest, Number, Op, Program, Reading, Writing};
use crate::nested::{Nested, lists};

impl Nested for Op {
    fn inner(&mut self) -> Option<&mut Vec<Op>> {
        match self {
            Op::Loop(_, body)
            | Op::Shorter(_, body)
            | Op::Sometimes(body)
            | Op::Region(_, _, body)
            | Op::Held(_, body) => Some(body),
            _ => None,
        }
    }

    fn plainer(&self) -> Vec<Op> {
        match self {
            Op::Loop(shape, body) => {
                let plain = Loop {
                    form: Form::For,
                    times: shape.times.min(2),
                    is_opaque: false,
                };
                let each = [
                    Loop {
                        form: Form::For,
                        ..*shape
                    },
                    plain,
                ];
                let others = each.into_iter().filter(|other| other != shape);
                others.map(|other| Op::Loop(other, body.clone())).collect()
            }
            Op::Write(array, how) if *how != Writing::All => vec![Op::Write(*array, Writing::All)],
            Op::Read(array, how) if *how != Reading::All => vec![Op::Read(*array, Reading::All)],
            Op::Region(mapped, pair, body) if *mapped != Mapped::Both => {
                vec![Op::Region(Mapped::Both, *pair, body.clone())]
            }
            Op::Call(call) => {
                let each = [
                    Call {
                        is_relayed: false,
                        ..*call
                    },
                    Call {
                        by_hand: false,
                        ..*call
                    },
                ];
                each.into_iter().filter(|other| other != call).map(Op::Call).collect()
            }
            Op::Nest(nest) => plainer_nests(nest).into_iter().map(Op::Nest).collect(),
            _ => Vec::new(),
        }
    }
}

fn plainer_nests(nest: &Nest) -> Vec<Nest> {
    let each = [
        Nest {
            is_apart: false,
            ..*nest
        },
        Nest {
            is_nest: false,
            ..*nest
        },
        Nest {
            counter: Number::Int,
            ..*nest
        },
        Nest {
            inner: Bounds::PLAIN,
            ..*nest
        },
        Nest {
            outer: Bounds::PLAIN,
            ..*nest
        },
    ];
    each.into_iter().filter(|other| other != nest).collect()
}

/// All programs that are one step smaller.
pub fn smaller(program: &Program) -> Vec<Program> {
    let mut out: Vec<Program> = Vec::new();
    if program.is_apart {
        let is_apart = false;
        out.push(Program {
            is_apart,
            ..program.clone()
        });
    }
    for ops in lists(&program.ops) {
        out.push(Program { ops, ..program.clone() });
    }
    for at in 0..program.arrays.len() {
        if program.arrays[at] {
            let mut new = program.clone();
            new.arrays[at] = false;
            out.push(new);
        }
    }
    out
}
