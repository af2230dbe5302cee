//! Makes a program safe to speculate on: every run of a loop reaches every kernel that stands in it, so that a copy moved
//! in front of the loop replaces at least one copy in it. See `simulate`, which finds the offenders.

use super::ast::*;
use super::simulate::{self, kernels_in};
use std::collections::BTreeSet;

/// Removes what keeps loops from reaching their kernels: odd trip counts first, then jumps, and at last the kernels.
pub fn repair(program: &mut Program) {
    for round in 0.. {
        let starved = simulate::simulate(program).starved;
        if starved.is_empty() {
            return;
        }
        let loops: BTreeSet<LoopId> = starved.iter().map(|(l, _)| *l).collect();
        let kernels: BTreeSet<usize> = starved.iter().map(|(_, k)| *k).collect();
        match round {
            0 => each_loop(program, &loops, &mut |l| {
                if !matches!(l.trip, Trip::Lit(1..) | Trip::Macro(1..)) {
                    l.trip = Trip::Lit(2);
                }
            }),
            1 => each_loop(program, &loops, &mut |l| {
                retain(&mut l.body, &mut |s| !matches!(s, Stmt::Jump { .. }));
            }),
            2 => {
                for f in 1..program.functions.len() {
                    if !kernels_in(program, &program.functions[f].body).is_disjoint(&kernels) {
                        retain(&mut program.functions[f].body, &mut |s| !matches!(s, Stmt::Jump { .. }));
                    }
                }
            }
            _ => {
                for f in &mut program.functions {
                    retain(
                        &mut f.body,
                        &mut |s| !matches!(s, Stmt::Kernel(k) if kernels.contains(&k.id)),
                    );
                }
            }
        }
    }
}

fn each_loop(program: &mut Program, loops: &BTreeSet<LoopId>, f: &mut dyn FnMut(&mut Loop)) {
    fn walk(block: &mut [Stmt], loops: &BTreeSet<LoopId>, f: &mut dyn FnMut(&mut Loop)) {
        for s in block {
            if let Stmt::Loop(l) = s
                && loops.contains(&l.id)
            {
                f(l);
            }
            for b in s.blocks_mut() {
                walk(b, loops, f);
            }
        }
    }
    for function in &mut program.functions {
        walk(&mut function.body, loops, f);
    }
}
