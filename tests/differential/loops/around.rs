//! What stands beside plain nests: loops over time steps, and kernels of the user's own.

use super::ast::*;
use super::grow::Maker;

impl Maker<'_> {
    /// A loop over time steps, in which buffers may trade places.
    pub(super) fn time(&mut self) -> Vec<S> {
        let mut out = Vec::new();
        let mut buffers = self.arrays(false, true);
        buffers.extend(self.arrays(true, true));
        buffers.retain(|a| self.program.arrays[*a].row.is_none());
        let mut trade = None;
        let a = self.rng.pick(&buffers);
        let b = a.and_then(|a| {
            let like = |b: &ArrayId| *b != a && self.program.arrays[*b].elem == self.program.arrays[a].elem;
            let others: Vec<ArrayId> = buffers.iter().copied().filter(like).collect();
            self.rng.pick(&others)
        });
        if let (Some(a), Some(b), true) = (a, b, self.rng.chance(60)) {
            let elem = self.program.arrays[a].elem;
            let p = self.array("from", elem, ArrayKind::Local, None);
            let q = self.array("to", elem, ArrayKind::Local, None);
            out.extend([S::Point(p, a, E::Num(0)), S::Point(q, b, E::Num(0))]);
            trade = Some((p, q));
        }
        let step = self.var("step", Ty::Int, VarKind::Inline);
        let mut body = Vec::new();
        let kept = self.scope.arrays.clone();
        self.scope
            .arrays
            .extend(trade.map(|t| [t.0, t.1]).into_iter().flatten());
        for _ in 0..self.rng.range(1, 2) {
            body.push(match trade {
                Some((p, q)) if self.rng.chance(60) => self.relax(p, q),
                _ => self.nest(0),
            });
            if self.rng.chance(25) {
                body.push(S::Show(self.place(false).0));
            }
        }
        self.scope.arrays = kept;
        if let Some((p, q)) = trade {
            body.push(S::Swap(p, q));
        }
        out.push(S::For(Box::new(For {
            var: step,
            declares: true,
            first: E::Num(0),
            cmp: "<",
            end: self.small(1, 4),
            step: 1,
            body,
            kernel: Vec::new(),
        })));
        out
    }

    /// `for (i = 1; i < n - 1; i++) to[i] = (from[i - 1] + from[i + 1]) / 2;`
    fn relax(&mut self, from: ArrayId, to: ArrayId) -> S {
        let ty = self.scope.ty.unwrap_or(Ty::Int);
        let i = self.var("i", ty, VarKind::Inline);
        let cell = |array: ArrayId, at: E| Place { array, at: vec![at] };
        let left = E::Load(cell(from, E::bin("-", E::Var(i), E::Num(1))));
        let right = E::Load(cell(from, E::bin("+", E::Var(i), E::Num(1))));
        let sum = E::bin("+", left, right);
        let value = match self.program.arrays[from].elem {
            Ty::Double => E::bin("*", sum, E::Halves(1)),
            _ => E::bin("&", sum, E::Num(511)),
        };
        S::For(Box::new(For {
            var: i,
            declares: true,
            first: E::Num(1),
            cmp: "<",
            end: E::bin("-", self.size(0), E::Num(1)),
            step: 1,
            body: vec![S::Assign(Lhs::Cell(cell(to, E::Var(i))), None, value)],
            kernel: Vec::new(),
        }))
    }

    /// A kernel that the user wrote.
    pub(super) fn kernel(&mut self) -> Option<S> {
        let double = self.rng.chance(30);
        let mut to = self.arrays(double, true);
        to.retain(|a| {
            let a = &self.program.arrays[*a];
            a.row.is_none() && !matches!(a.kind, ArrayKind::Member(_) | ArrayKind::Inside(_))
        });
        let a = self.rng.pick(&to)?;
        let from: Vec<ArrayId> = to.into_iter().filter(|b| *b != a).collect();
        let b = self.rng.pick(&from);
        let ty = self.scope.ty.unwrap_or(Ty::Int);
        let i = self.var("i", ty, VarKind::Inline);
        let n = self.size(0);
        let cell = |array: ArrayId| Place {
            array,
            at: vec![E::Var(i)],
        };
        let value = match b {
            Some(b) => E::bin("+", E::Load(cell(b)), E::Num(3)),
            None => E::Num(5),
        };
        let value = if double { value } else { E::bin("&", value, E::Num(255)) };
        let mut kernel = vec![(a, n.clone(), true)];
        kernel.extend(b.map(|b| (b, n.clone(), false)));
        let l = S::For(Box::new(For {
            var: i,
            declares: true,
            first: E::Num(0),
            cmp: "<",
            end: n.clone(),
            step: 1,
            body: vec![S::Assign(Lhs::Cell(cell(a)), None, value)],
            kernel,
        }));
        Some(S::If(E::bin(">", n, E::Num(0)), vec![l], Vec::new()))
    }
}
