//! Subscripts and values.

use super::ast::*;
use super::grow::Maker;

impl Maker<'_> {
    pub fn small(&mut self, lo: i64, hi: i64) -> E {
        E::Num(self.rng.range(lo, hi))
    }

    /// One of `n`, `m`, `k` and `s`.
    pub fn size(&self, which: usize) -> E {
        self.scope.sizes.get(which).cloned().unwrap_or(E::Num(8))
    }

    /// An index of the loops around; a number where there are none.
    fn around(&mut self) -> E {
        let around = self.scope.around.clone();
        // The innermost more often.
        match (around.last(), self.rng.chance(55)) {
            (Some(v), true) => E::Var(*v),
            (Some(_), false) => E::Var(self.rng.pick(&around).unwrap_or(0)),
            (None, _) => self.small(0, 5),
        }
    }

    /// A subscript of an array of one dimension.
    pub fn index(&mut self) -> E {
        let around = self.scope.around.clone();
        let mut e = if around.len() > 1 && self.rng.chance(65) {
            let (outer, inner) = (around[around.len() - 2], around[around.len() - 1]);
            let (n, m, s) = (self.size(0), self.size(1), self.size(3));
            let lines =
                |row: VarId, stride: E, column: VarId| E::bin("+", E::bin("*", E::Var(row), stride), E::Var(column));
            let e = match self.rng.below(12) {
                0..=4 => lines(outer, m, inner),
                5 | 6 => lines(outer, s, inner),
                7 => lines(inner, n, outer),
                8 => lines(inner, m, outer),
                9 => lines(outer, self.small(5, 40), inner),
                10 => E::bin("+", E::Var(outer), E::Var(inner)),
                _ => lines(outer, n, inner),
            };
            match around.len() > 2 && self.rng.chance(50) {
                true => {
                    let plane = match self.rng.chance(50) {
                        true => E::bin("*", self.size(1), self.size(1)),
                        false => self.small(60, 300),
                    };
                    E::bin("+", E::bin("*", E::Var(around[0]), plane), e)
                }
                false => e,
            }
        } else {
            let i = self.around();
            match self.rng.below(20) {
                0 => E::bin("-", E::bin("-", self.size(0), E::Num(1)), i),
                1 => E::bin("*", E::Num(2), i),
                2 => E::bin("+", E::bin("*", E::Num(2), i), E::Num(1)),
                3 => E::bin("*", i, self.size(3)),
                4 => E::bin("/", i, self.small(2, 3)),
                5 => E::bin("%", i, self.small(2, 9)),
                6 => match self.rng.pick(&self.scope.maps.clone()) {
                    Some(array) => E::Load(Place { array, at: vec![i] }),
                    None => i,
                },
                7 if self.rng.chance(30) => E::bin("*", i.clone(), i),
                8 if self.rng.chance(40) => self.small(0, 3),
                9 if self.rng.chance(40) => self.size(2),
                10 if self.rng.chance(20) => match self.rng.pick(&self.temps(false)) {
                    Some(t) => E::bin("&", E::Var(t), E::Num(15)),
                    None => i,
                },
                _ => i,
            }
        };
        match self.rng.below(16) {
            0 | 1 => e = E::bin("+", e, E::Num(1)),
            2 => e = E::bin("-", e, E::Num(1)),
            3 => e = E::bin("+", e, self.small(2, 4)),
            4 => e = E::bin("+", e, self.size(2)),
            5 if self.rng.chance(40) => e = E::bin("+", e, self.size(0)),
            7 if self.rng.chance(self.weights.p_narrow) => {
                // What lies below zero wraps around, and then is an element all the same.
                let k = self.small(1, 5);
                let below = E::Cast(Ty::Unsigned, Box::new(E::bin("-", e, k)));
                e = E::bin("%", below, self.small(5, 40));
            }
            6 if self.rng.chance(40) => {
                let ty = self
                    .rng
                    .weighted(&[(2, Ty::Unsigned), (2, Ty::Long), (1, Ty::Byte), (2, Ty::Int)]);
                e = E::Cast(ty, Box::new(e));
            }
            _ => {}
        }
        e
    }

    /// The two subscripts of a grid.
    fn cross(&mut self) -> Vec<E> {
        let around = self.scope.around.clone();
        let (outer, inner) = match around.as_slice() {
            [] => (self.small(0, 3), self.small(0, 3)),
            [i] => match self.rng.below(4) {
                0 => (E::Var(*i), self.small(0, 3)),
                1 => (self.small(0, 3), E::Var(*i)),
                2 => (E::Var(*i), E::Var(*i)),
                _ => (E::Var(*i), self.size(2)),
            },
            [.., i, j] => match self.rng.below(9) {
                0 | 1 => (E::Var(*j), E::Var(*i)),
                2 => (E::Var(*i), E::Var(*i)),
                _ => (E::Var(*i), E::Var(*j)),
            },
        };
        let mut shift = |e: E| match self.rng.below(14) {
            0 => E::bin("+", e, E::Num(1)),
            1 => E::bin("-", e, E::Num(1)),
            2 => match self.rng.pick(&self.scope.maps.clone()) {
                Some(array) => E::Load(Place { array, at: vec![e] }),
                None => e,
            },
            _ => e,
        };
        vec![shift(outer), shift(inner)]
    }

    /// An element that most likely belongs to one iteration of the outermost loop, and whether several inner ones have it.
    pub fn straight(&mut self, array: ArrayId) -> (Place, bool) {
        let around = self.scope.around.clone();
        let (outer, inner) = match around.as_slice() {
            [] => return (self.cell(array), false),
            [i] => (*i, None),
            [i, j, ..] => (*i, Some(*j)),
        };
        let several = around.len() > 2 || (inner.is_some() && self.rng.chance(20));
        if self.program.arrays[array].row.is_some() {
            let column = match inner {
                Some(j) if around.len() > 2 || !several => E::Var(j),
                _ => self.size(2),
            };
            let at = vec![E::Var(outer), column];
            return (Place { array, at }, several);
        }
        let mut at = match inner {
            Some(j) if around.len() > 2 || !several => {
                let stride = self.rng.weighted(&[(6, 1), (3, 3), (1, 0)]);
                E::bin("+", E::bin("*", E::Var(outer), self.size(stride)), E::Var(j))
            }
            _ => match self.rng.below(10) {
                0 => E::bin("-", E::bin("-", self.size(0), E::Num(1)), E::Var(outer)),
                1 => E::bin("*", E::Num(2), E::Var(outer)),
                2 => E::bin("+", E::Var(outer), self.size(2)),
                _ => E::Var(outer),
            },
        };
        if self.rng.chance(15) {
            at = E::bin("+", at, self.small(1, 3));
        }
        (Place { array, at: vec![at] }, several)
    }

    pub fn cell(&mut self, array: ArrayId) -> Place {
        let at = match self.program.arrays[array].row {
            Some(_) => self.cross(),
            None => vec![self.index()],
        };
        Place { array, at }
    }

    /// Arrays with elements of this sort.
    pub fn arrays(&self, double: bool, writable: bool) -> Vec<ArrayId> {
        let all = self.scope.arrays.iter().chain(&self.scope.grids).copied();
        let fits = all.filter(|a| (self.program.arrays[*a].elem == Ty::Double) == double);
        let may =
            |a: &ArrayId| !writable || !matches!(self.program.arrays[*a].kind, ArrayKind::Param { readonly: true, .. });
        fits.filter(may).filter(|a| self.scope.target != Some(*a)).collect()
    }

    pub fn temps(&self, double: bool) -> Vec<VarId> {
        let all = self.scope.temps.iter().copied();
        all.filter(|v| (self.program.vars[*v].ty == Ty::Double) == double)
            .collect()
    }

    /// An element that is read; whether there was one.
    pub fn place(&mut self, double: bool) -> (E, bool) {
        match self.rng.pick(&self.arrays(double, false)) {
            Some(a) => (E::Load(self.cell(a)), true),
            None if double => (E::Halves(self.rng.range(-3, 9)), false),
            None => (self.around(), false),
        }
    }

    /// A number for a scalar or an element; whole unless `double`.
    pub fn value(&mut self, double: bool) -> E {
        if double {
            let a = self.place(true).0;
            return match self.rng.below(8) {
                0 => a,
                1 => E::Halves(self.rng.range(-5, 9)),
                2 => E::bin("+", a, self.value(false)),
                3 => match self.rng.pick(&self.temps(true)) {
                    Some(t) => E::bin("+", a, E::Var(t)),
                    None => E::bin("*", a, E::Halves(1)),
                },
                4 | 5 => E::bin("*", E::bin("+", a, self.place(true).0), E::Halves(1)),
                6 => E::bin("-", a, E::Halves(3)),
                _ => E::bin("+", E::bin("*", a, E::Halves(1)), self.around()),
            };
        }
        let a = self.place(false).0;
        let e = match self.rng.below(14) {
            0 => return a,
            1 => return self.around(),
            2 => return self.small(-4, 60),
            3 => match self.rng.pick(&self.temps(false)) {
                Some(t) => E::bin("+", a, E::Var(t)),
                None => a,
            },
            4 if self.rng.chance(self.weights.p_helper) => {
                let args = vec![Arg::Value(E::Cast(Ty::Short, Box::new(a)))];
                return E::Call(0, args);
            }
            5 if self.rng.chance(self.weights.p_helper) => return self.called(a),
            6 => {
                let b = E::Cast(Ty::Int, Box::new(self.place(false).0));
                let a = E::Cast(Ty::Int, Box::new(a));
                E::Choose(
                    Box::new(E::bin("<", a.clone(), self.small(0, 40))),
                    Box::new(a),
                    Box::new(b),
                )
            }
            7 => E::bin("+", E::bin("*", a, self.small(2, 5)), self.around()),
            8 => E::bin("-", a, self.place(false).0),
            9 => E::bin("^", a, self.small(1, 31)),
            10 => E::bin("+", a, self.around()),
            _ => E::bin("+", a, self.place(false).0),
        };
        match self.rng.below(5) {
            0 => e,
            1 => E::bin("%", e, self.small(50, 1000)),
            _ => E::bin("&", e, E::Num(1023)),
        }
    }

    /// What a helper finds in an array of `int`.
    fn called(&mut self, otherwise: E) -> E {
        let plain = |m: &Maker<'_>, a: &ArrayId| m.program.arrays[*a].elem == Ty::Int;
        let mut fits = self.arrays(false, false);
        fits.retain(|a| plain(self, a) && self.program.arrays[*a].row.is_none());
        match self.rng.pick(&fits) {
            Some(a) if self.rng.chance(60) => {
                let at = self.index();
                E::Call(3, vec![Arg::Array(a, E::Num(0)), Arg::Value(at)])
            }
            Some(a) => {
                let count = self.small(0, 9);
                E::Call(5, vec![Arg::Array(a, E::Num(0)), Arg::Value(count)])
            }
            None => otherwise,
        }
    }
}
