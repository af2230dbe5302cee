//! Smaller versions of a program of plain loops. Each is run before it is tried: what is no longer defined is no version.

use super::ast::*;
use super::grow::again;
use super::run::Ran;
use super::uses::Uses;

/// One way of making a program smaller. Statements are numbered in order, those of helpers left out.
#[derive(Clone, Debug)]
enum Edit {
    /// Statements `.1..=.2` at the top of a function.
    DropRange(FnId, usize, usize),
    Drop(usize),
    /// Puts the `.1`th inner block in the place of the statement.
    Unwrap(usize, usize),
    /// The `.2`th plainer form of the `.1`th expression of the statement.
    Plainer(usize, usize, usize),
    /// Counts up by one.
    Step(usize),
    Flag(usize),
}

/// The edits of a program, biggest first.
pub struct Edits {
    edits: Vec<Edit>,
}

const FLAGS: [fn(&mut Program); 4] = [
    |p| p.handed = false,
    |p| p.bare = false,
    |p| p.slack = 0,
    |p| p.functions.iter_mut().for_each(|f| f.exported = false),
];

impl Edits {
    pub fn of(program: &Program) -> Edits {
        let mut edits = Vec::new();
        let reached = Uses::of(program).functions;
        for &f in reached.iter().rev().filter(|f| **f >= program.helpers) {
            let top = program.functions[f].body.len();
            let mut size = top / 2;
            while size > 1 {
                edits.extend(
                    (0..top)
                        .step_by(size)
                        .map(|at| Edit::DropRange(f, at, (at + size).min(top) - 1)),
                );
                size /= 2;
            }
        }
        let (mut unwraps, mut plainer) = (Vec::new(), Vec::new());
        let (mut n, mut own) = (0, 0);
        for f in &program.functions[program.helpers..] {
            visit(&f.body, &mut |s| {
                if let S::For(l) = s
                    && !l.kernel.is_empty()
                {
                    // Of a kernel of the user's every form would have to be free of races.
                    own = n + 1;
                    visit(&l.body, &mut |_| own += 1);
                }
                edits.push(Edit::Drop(n));
                unwraps.extend((0..s.blocks().len()).map(|k| Edit::Unwrap(n, k)));
                if let S::For(l) = s
                    && l.step.abs() > 1
                {
                    plainer.push(Edit::Step(n));
                }
                for (k, e) in s.clone().exprs_mut().into_iter().enumerate().filter(|_| n >= own) {
                    plainer.extend((0..forms(e).len()).map(|form| Edit::Plainer(n, k, form)));
                }
                n += 1;
            });
        }
        edits.extend(unwraps);
        edits.extend((0..FLAGS.len()).map(Edit::Flag));
        edits.extend(plainer);
        Edits { edits }
    }

    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// The program after the `k`th edit.
    pub fn get(&self, program: &Program, k: usize) -> Option<(Program, Ran)> {
        let mut smaller = program.clone();
        apply(&mut smaller, self.edits.get(k)?);
        again(smaller).filter(|(p, _)| p != program)
    }
}

/// Plainer forms of an expression.
fn forms(e: &E) -> Vec<E> {
    let mut out = Vec::new();
    match e {
        E::Num(0) | E::Halves(_) => {}
        E::Num(v) => {
            let less = [0, 1, v / 2];
            out.extend(less.into_iter().filter(|l| l < v).map(E::Num));
        }
        E::Var(_) => {}
        E::Load(p) => {
            out.push(E::Num(1));
            for (k, at) in p.at.iter().enumerate() {
                for form in forms(at) {
                    let mut p = p.clone();
                    p.at[k] = form;
                    out.push(E::Load(p));
                }
            }
        }
        E::Bin(op, a, b) => {
            out.extend([(**a).clone(), (**b).clone()]);
            out.extend(forms(a).into_iter().map(|a| E::bin(op, a, (**b).clone())));
            out.extend(forms(b).into_iter().map(|b| E::bin(op, (**a).clone(), b)));
        }
        E::Choose(_, a, b) => out.extend([(**a).clone(), (**b).clone()]),
        E::Cast(_, e) => out.push((**e).clone()),
        E::Call(..) => out.push(E::Num(1)),
    }
    out
}

fn apply(program: &mut Program, edit: &Edit) {
    let at = |program: &mut Program, n: usize, f: &mut dyn FnMut(&mut Vec<S>, usize)| {
        let mut n = n;
        let from = program.helpers;
        for function in &mut program.functions[from..] {
            if find(&mut function.body, &mut n, f) {
                return;
            }
        }
    };
    match *edit {
        Edit::DropRange(f, from, to) => {
            program.functions[f].body.drain(from..=to);
        }
        Edit::Drop(n) => at(program, n, &mut |block, k| {
            block.remove(k);
        }),
        Edit::Unwrap(n, which) => at(program, n, &mut |block, k| {
            let inner = std::mem::take(block[k].blocks_mut().swap_remove(which));
            block.splice(k..=k, inner);
        }),
        Edit::Plainer(n, which, form) => at(program, n, &mut |block, k| {
            if let Some(e) = block[k].exprs_mut().into_iter().nth(which)
                && let Some(plain) = forms(e).into_iter().nth(form)
            {
                *e = plain;
            }
        }),
        Edit::Step(n) => at(program, n, &mut |block, k| {
            if let S::For(l) = &mut block[k] {
                l.step = l.step.signum();
            }
        }),
        Edit::Flag(k) => FLAGS[k](program),
    }
}

/// Calls `f` with the block that holds statement number `n` and the position in it.
fn find(block: &mut Vec<S>, n: &mut usize, f: &mut dyn FnMut(&mut Vec<S>, usize)) -> bool {
    for k in 0..block.len() {
        if *n == 0 {
            f(block, k);
            return true;
        }
        *n -= 1;
        for b in block[k].blocks_mut() {
            if find(b, n, f) {
                return true;
            }
        }
    }
    false
}
