//! What a program uses: only that is declared and defined.

use super::ast::*;
use std::collections::BTreeSet;

/// The things that functions mention, those that the case reaches apart from the rest.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    pub vars: BTreeSet<VarId>,
    pub arrays: BTreeSet<ArrayId>,
    pub functions: BTreeSet<FnId>,
}

impl Uses {
    /// What the whole program uses.
    pub fn of(program: &Program) -> Uses {
        let mut uses = Uses::default();
        let mut next = vec![program.functions.len() - 1];
        while let Some(f) = next.pop() {
            let before = uses.functions.clone();
            uses.functions.insert(f);
            uses.block(&program.functions[f].body);
            for p in &program.functions[f].params {
                match p {
                    Param::Var(v) => uses.vars.insert(*v),
                    Param::Array(a) => uses.array(program, *a),
                };
            }
            next.extend(uses.functions.difference(&before).copied().filter(|g| *g != f));
        }
        for a in uses.arrays.clone() {
            uses.array(program, a);
        }
        uses
    }

    /// What one block uses.
    pub fn of_block(block: &[S]) -> Uses {
        let mut uses = Uses::default();
        uses.block(block);
        uses
    }

    fn array(&mut self, program: &Program, a: ArrayId) -> bool {
        if let Some(row) = &program.arrays[a].row {
            self.expr(row);
        }
        self.arrays.insert(a)
    }

    fn block(&mut self, block: &[S]) {
        visit(block, &mut |s| self.statement(s));
    }

    fn statement(&mut self, s: &S) {
        let mut copy = s.clone();
        copy.exprs_mut().into_iter().for_each(|e| self.expr(e));
        match s {
            S::Declare(v, _) | S::Assign(Lhs::Var(v), ..) => {
                self.vars.insert(*v);
            }
            S::Assign(Lhs::Cell(p), ..) => {
                self.arrays.insert(p.array);
            }
            S::Scratch(a) => {
                self.arrays.insert(*a);
            }
            S::Point(a, b, _) | S::Swap(a, b) => self.arrays.extend([*a, *b]),
            S::For(l) => {
                self.vars.insert(l.var);
                for (a, n, _) in &l.kernel {
                    self.arrays.insert(*a);
                    self.expr(n);
                }
            }
            S::Call(f, args) => self.call(*f, args),
            _ => {}
        }
    }

    fn call(&mut self, f: FnId, args: &[Arg]) {
        self.functions.insert(f);
        for a in args {
            match a {
                Arg::Value(e) => self.expr(e),
                Arg::Null => {}
                Arg::Array(a, e) => {
                    self.arrays.insert(*a);
                    self.expr(e);
                }
            }
        }
    }

    fn expr(&mut self, e: &E) {
        match e {
            E::Num(_) | E::Halves(_) => {}
            E::Var(v) => {
                self.vars.insert(*v);
            }
            E::Load(p) => {
                self.arrays.insert(p.array);
                p.at.iter().for_each(|e| self.expr(e));
            }
            E::Bin(_, a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            E::Choose(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            E::Cast(_, e) => self.expr(e),
            E::Call(f, args) => self.call(*f, args),
        }
    }
}
