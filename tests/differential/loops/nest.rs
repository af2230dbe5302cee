//! Loop nests, and the statements in and around them.

use super::ast::*;
use super::grow::Maker;

/// Helpers, by number.
pub const TICK: FnId = 1;
pub const NOTE: FnId = 2;
pub const PUT: FnId = 4;
pub const COUNT: FnId = 6;

impl Maker<'_> {
    /// The statements of a function: scalars, then up to so many loops and other things.
    pub fn body(&mut self, most: i64) -> Vec<S> {
        let mut out = Vec::new();
        let before = self.scope.clone();
        for name in ["t", "u", "d"] {
            let ty = match name {
                "d" => Ty::Double,
                _ => self.rng.weighted(&[(7, Ty::Int), (2, Ty::Long), (1, Ty::Unsigned)]),
            };
            let first = if name == "d" {
                E::Halves(self.rng.range(-3, 5))
            } else {
                self.small(-3, 9)
            };
            let top = self.rng.chance(40);
            let v = self.var(name, ty, if top { VarKind::Top } else { VarKind::Inline });
            out.push(match top {
                true => S::Assign(Lhs::Var(v), None, first),
                false => S::Declare(v, first),
            });
            self.scope.temps.push(v);
        }
        if self.rng.chance(self.weights.p_pointer) {
            out.extend(self.pointer());
        }
        for _ in 0..self.rng.range(most.min(2), most) {
            let item = self.item();
            out.extend(item);
        }
        for t in self.scope.temps.clone() {
            if self.rng.chance(35) {
                out.push(self.shown(t));
            }
        }
        self.scope = before;
        out
    }

    fn shown(&self, t: VarId) -> S {
        S::Show(match self.program.vars[t].ty {
            Ty::Double => E::bin("*", E::Var(t), E::Num(1024)),
            _ => E::Var(t),
        })
    }

    /// A second way to an array.
    fn pointer(&mut self) -> Option<S> {
        let mut from = self.arrays(false, true);
        from.retain(|a| self.program.arrays[*a].row.is_none());
        let a = self.rng.pick(&from)?;
        let elem = self.program.arrays[a].elem;
        let offset = match self.rng.below(4) {
            0 => E::Num(0),
            1 => self.size(2),
            2 => self.size(0),
            _ => self.small(1, 5),
        };
        let table = self.rng.chance(self.weights.p_table);
        let kind = if table { ArrayKind::Tabled } else { ArrayKind::Local };
        let p = self.array("q", elem, kind, None);
        self.scope.arrays.push(p);
        Some(S::Point(p, a, offset))
    }

    fn item(&mut self) -> Vec<S> {
        let time = self.weights.p_time;
        let kernel = self.weights.p_kernel;
        let bound = self.weights.p_bound;
        match self.rng.weighted(&[
            (70, 0),
            (time, 1),
            (kernel, 2),
            (8, 3),
            (5, 4),
            (7, 5),
            (5, 6),
            (bound, 7),
        ]) {
            1 => self.time(),
            2 => self.kernel().into_iter().collect(),
            3 => {
                let callable = self.program.helpers..self.scope.function;
                let f = self.rng.pick(&callable.collect::<Vec<_>>());
                f.and_then(|f| self.given(f)).into_iter().collect()
            }
            4 => vec![S::Show(self.place(false).0)],
            5 => {
                let limit = self.small(0, 30);
                let nest = self.nest(0);
                vec![S::If(E::bin(">", self.size(0), limit), vec![nest], Vec::new())]
            }
            7 => self.bounded().into_iter().collect(),
            6 => self.temps(false).first().map(|t| self.shown(*t)).into_iter().collect(),
            _ => {
                let nest = self.nest(0);
                let used = match &nest {
                    S::For(l) if !l.declares && self.rng.chance(40) => Some(l.var),
                    _ => None,
                };
                [nest].into_iter().chain(used.map(|v| S::Show(E::Var(v)))).collect()
            }
        }
    }

    /// A loop, with what is inside.
    pub fn nest(&mut self, depth: usize) -> S {
        if depth == 0 {
            self.scope.target = None;
            let double = self.rng.chance(35);
            let fits = self.arrays(double, true);
            let target = self.rng.pick(&fits);
            self.scope.target = target.filter(|_| self.rng.chance(65));
        }
        let mut l = self.header(depth);
        self.scope.around.push(l.var);
        let deeper = depth < 2 && self.rng.chance(if depth == 0 { 60 } else { 25 });
        if !deeper || self.rng.chance(30) {
            for _ in 0..self.rng.range(1, 2) {
                let s = self.within(depth);
                l.body.extend(s);
            }
        }
        if deeper {
            let inner = self.nest(depth + 1);
            l.body.push(inner);
            if self.rng.chance(20) {
                let s = self.within(depth);
                l.body.extend(s);
            }
        }
        self.scope.around.pop();
        if depth == 0 {
            self.scope.target = None;
        }
        S::For(Box::new(l))
    }

    fn header(&mut self, depth: usize) -> For {
        let ty = match self.rng.chance(90) {
            true => self.scope.ty.unwrap_or(Ty::Int),
            false => self
                .rng
                .weighted(&[(1, Ty::Int), (1, Ty::Long), (1, Ty::Size), (1, Ty::Unsigned)]),
        };
        let declares = self.rng.chance(75);
        let name = ["i", "j", "l"][depth.min(2)];
        let var = self.var(name, ty, if declares { VarKind::Inline } else { VarKind::Top });
        let outer = self.scope.around.last().copied();
        let low = match (self.rng.below(12), outer) {
            (0 | 1, Some(i)) => E::Var(i),
            (2, Some(i)) => E::bin("+", E::Var(i), E::Num(1)),
            (3, _) => self.size(2),
            (4, _) => {
                let k = E::Cast(Ty::Int, Box::new(self.size(2)));
                E::Choose(
                    Box::new(E::bin(">", k.clone(), E::Num(1))),
                    Box::new(k),
                    Box::new(E::Num(1)),
                )
            }
            (5..=7, _) => self.small(1, 2),
            _ => E::Num(0),
        };
        let across = if depth == 1 { 1 } else { 0 };
        let high = match (self.rng.below(14), outer) {
            (0, Some(i)) => E::Var(i),
            (1, Some(i)) => E::bin("+", E::Var(i), E::Num(1)),
            (2 | 3, _) => self.small(6, 40),
            (4, _) => E::bin("-", self.size(across), E::Num(1)),
            (5, _) => E::bin("-", self.size(across), self.size(2)),
            (6, _) => {
                let (a, b) = (self.size(0), self.size(1));
                let (a, b) = (E::Cast(Ty::Int, Box::new(a)), E::Cast(Ty::Int, Box::new(b)));
                E::Choose(Box::new(E::bin("<", a.clone(), b.clone())), Box::new(a), Box::new(b))
            }
            (7, _) => E::bin("/", self.size(across), E::Num(2)),
            (8, _) => self.size(1 - across),
            _ => self.size(across),
        };
        let high = self.element_as_bound().unwrap_or(high);
        let (first, cmp, end, step) = match self.rng.below(14) {
            0 => (low, "<=", E::bin("-", high, E::Num(1)), 1),
            1 => (E::bin("-", high, E::Num(1)), ">=", low, -1),
            2 => (high, ">", low, -1),
            3 | 4 => (low, "<", high, self.rng.range(2, 3)),
            5 => (E::bin("-", high, E::Num(1)), ">=", low, -2),
            6 => (low, "!=", high, 1),
            _ => (low, "<", high, 1),
        };
        For {
            var,
            declares,
            first,
            cmp,
            end,
            step,
            body: Vec::new(),
            kernel: Vec::new(),
        }
    }

    /// An element for a bound: the loop reads it in each iteration, and may have written it in between.
    fn element_as_bound(&mut self) -> Option<E> {
        let often = self.weights.p_bound;
        if often == 0 || !self.rng.chance(often) {
            return None;
        }
        let mut from = self.arrays(false, false);
        from.retain(|a| self.program.arrays[*a].row.is_none());
        let array = self.rng.pick(&from)?;
        let at = E::Num(self.rng.range(0, 12));
        Some(E::Load(Place { array, at: vec![at] }))
    }

    /// A loop that is parallel where its bound is not in the array that it writes, and else ends early, or late.
    fn bounded(&mut self) -> Option<S> {
        self.scope.target = None;
        let mut all = self.arrays(false, true);
        all.retain(|a| self.program.arrays[*a].row.is_none());
        let array = self.rng.pick(&all)?;
        let elem = self.program.arrays[array].elem;
        all.retain(|a| *a != array && self.program.arrays[*a].elem == elem);
        let bound = self.rng.pick(&all)?;
        let declares = self.rng.chance(75);
        let kind = if declares { VarKind::Inline } else { VarKind::Top };
        let var = self.var("i", Ty::Int, kind);
        // The first one: what a caller hands over may begin anywhere in an array.
        let at = if self.rng.chance(85) { 0 } else { self.rng.range(1, 8) };
        let end = E::Load(Place {
            array: bound,
            at: vec![E::Num(at)],
        });
        let value = match self.rng.below(4) {
            0 => E::bin("+", E::Var(var), self.small(0, 9)),
            1 => self.size(0),
            _ => self.small(0, 20),
        };
        let cell = Place {
            array,
            at: vec![E::Var(var)],
        };
        let op = self.rng.chance(30).then_some("+");
        Some(S::For(Box::new(For {
            var,
            declares,
            first: E::Num(self.rng.range(0, 2)),
            cmp: if self.rng.chance(20) { "<=" } else { "<" },
            end,
            step: if self.rng.chance(20) { 2 } else { 1 },
            body: vec![S::Assign(Lhs::Cell(cell), op, value)],
            kernel: Vec::new(),
        })))
    }

    /// Statements for the body of a loop.
    fn within(&mut self, depth: usize) -> Vec<S> {
        let double = self.rng.chance(if self.arrays(true, true).is_empty() { 4 } else { 35 });
        let whole = self.rng.pick(&self.temps(false));
        if let Some((given, array)) = self.scope.optional
            && self.rng.chance(15)
        {
            return self.if_given(given, array);
        }
        if let Some(t) = whole.filter(|_| self.rng.chance(self.weights.p_narrow)) {
            return vec![self.narrow(t)];
        }
        match self.rng.below(24) {
            0 => {
                let cond = self.condition();
                let (yes, no) = (self.store(double), self.store(double));
                let no = if self.rng.chance(35) { no } else { Vec::new() };
                vec![S::If(cond, yes, no)]
            }
            1 => {
                let cond = self.condition();
                let mut out = vec![S::If(cond, vec![S::Continue], Vec::new())];
                out.extend(self.store(double));
                out
            }
            2 if depth > 0 => {
                let cond = self.condition();
                let mut out = self.store(double);
                out.push(S::If(cond, vec![S::Break], Vec::new()));
                out
            }
            3 | 4 => {
                // A temporary, set and then used.
                let Some(t) = self.rng.pick(&self.temps(double)) else {
                    return Vec::new();
                };
                let value = self.value(double);
                let mut out = vec![S::Assign(Lhs::Var(t), None, value)];
                if let Some(a) = self.rng.pick(&self.arrays(double, true)) {
                    let cell = self.cell(a);
                    let value = match double {
                        true => E::bin("*", E::Var(t), E::Halves(1)),
                        false => E::bin("&", E::bin("+", E::Var(t), E::Num(7)), E::Num(1023)),
                    };
                    out.push(S::Assign(Lhs::Cell(cell), None, value));
                }
                out
            }
            5 => match whole {
                Some(t) => {
                    let op = self.rng.weighted(&[(6, "+"), (2, "^"), (1, "|"), (1, "-"), (1, "&")]);
                    vec![S::Assign(Lhs::Var(t), Some(op), self.place(false).0)]
                }
                None => Vec::new(),
            },
            6 => {
                let Some(t) = self.rng.pick(&self.temps(double)) else {
                    return Vec::new();
                };
                let (x, _) = self.place(double);
                let op = self.rng.weighted(&[(1, "<"), (1, ">"), (1, ">=")]);
                let set = S::Assign(Lhs::Var(t), None, x.clone());
                vec![S::If(E::bin(op, x, E::Var(t)), vec![set], Vec::new())]
            }
            7 => self.scratch(double),
            8 if self.rng.chance(self.weights.p_helper) => self.calling(),
            9 => {
                let t = self.rng.pick(&self.temps(double));
                let value = self.value(double);
                let target = t.filter(|_| self.rng.chance(50)).map(Lhs::Var);
                target.map(|t| S::Assign(t, None, value)).into_iter().collect()
            }
            _ => self.store(double),
        }
    }

    /// What uses an array where it is there, in all iterations or in some.
    fn if_given(&mut self, given: VarId, array: ArrayId) -> Vec<S> {
        let at = vec![E::Var(*self.scope.around.last().unwrap_or(&0))];
        let mut add = match self.rng.pick(&self.arrays(false, true)) {
            Some(a) => {
                let target = Lhs::Cell(self.cell(a));
                vec![S::Assign(target, Some("+"), E::Load(Place { array, at }))]
            }
            None => return Vec::new(),
        };
        if self.rng.chance(30) {
            add = vec![S::If(self.condition(), add, Vec::new())];
        }
        let other = if self.rng.chance(30) {
            self.store(false)
        } else {
            Vec::new()
        };
        let cond = match self.rng.below(3) {
            0 => E::Var(given),
            1 => E::bin("==", E::Var(given), E::Num(1)),
            _ => E::bin(">", E::Var(given), E::Num(0)),
        };
        vec![S::If(cond, add, other)]
    }

    /// A sum, product or the like that is cut in each iteration.
    fn narrow(&mut self, t: VarId) -> S {
        let op = self.rng.weighted(&[(6, "+"), (2, "*"), (1, "|"), (1, "^")]);
        let ty = self.rng.weighted(&[(3, Ty::Byte), (3, Ty::Short), (1, Ty::Unsigned)]);
        let (x, _) = self.place(false);
        let x = E::bin("&", x, E::Num(1023));
        S::Assign(
            Lhs::Var(t),
            None,
            E::Cast(ty, Box::new(E::bin(op, E::Cast(Ty::Unsigned, Box::new(E::Var(t))), x))),
        )
    }

    fn condition(&mut self) -> E {
        let (x, _) = self.place(false);
        match self.rng.below(5) {
            0 => E::bin(
                "==",
                E::bin("%", E::Var(self.scope.around[0]), self.small(2, 4)),
                E::Num(0),
            ),
            1 => E::bin("<", E::Var(*self.scope.around.last().unwrap_or(&0)), self.size(2)),
            2 => E::bin("!=", x, self.small(0, 5)),
            _ => E::bin(if self.rng.chance(50) { "<" } else { ">" }, x, self.small(0, 60)),
        }
    }

    fn store(&mut self, double: bool) -> Vec<S> {
        if let Some(a) = self.scope.target {
            let double = self.program.arrays[a].elem == Ty::Double;
            let (cell, several) = self.straight(a);
            let adds = several || self.rng.chance(20);
            return vec![S::Assign(Lhs::Cell(cell), adds.then_some("+"), self.value(double))];
        }
        let a = self.rng.pick(&self.arrays(double, true));
        let Some(a) = a.or_else(|| self.rng.pick(&self.arrays(!double, true))) else {
            return Vec::new();
        };
        let double = self.program.arrays[a].elem == Ty::Double;
        let op = self.rng.weighted(&[(7, None), (2, Some("+")), (1, Some("-"))]);
        let target = Lhs::Cell(self.cell(a));
        vec![S::Assign(target, op, self.value(double))]
    }

    /// A small array of the iteration's own: filled, then used.
    fn scratch(&mut self, double: bool) -> Vec<S> {
        let elem = if double { Ty::Double } else { Ty::Int };
        let count = self.rng.range(3, 8);
        let w = self.array("w", elem, ArrayKind::Scratch(count), None);
        let mut out = vec![S::Scratch(w)];
        for filling in [true, false] {
            let q = self.var("e", Ty::Int, VarKind::Inline);
            let own = Place {
                array: w,
                at: vec![E::Var(q)],
            };
            let body = match filling {
                true => S::Assign(Lhs::Cell(own), None, self.value(double)),
                false => {
                    let Some(a) = self.rng.pick(&self.arrays(double, true)) else {
                        return Vec::new();
                    };
                    S::Assign(Lhs::Cell(self.cell(a)), Some("+"), E::Load(own))
                }
            };
            // Now and then one element is left as it was.
            let end = count - i64::from(filling && self.rng.chance(10));
            out.push(S::For(Box::new(For {
                var: q,
                declares: true,
                first: E::Num(0),
                cmp: "<",
                end: E::Num(end),
                step: 1,
                body: vec![body],
                kernel: Vec::new(),
            })));
        }
        out
    }

    /// A call of a helper with effects.
    fn calling(&mut self) -> Vec<S> {
        let value = Arg::Value(E::Cast(Ty::Short, Box::new(self.place(false).0)));
        match self.rng.below(4) {
            0 => vec![S::Call(NOTE, vec![value])],
            1 => vec![S::Call(COUNT, vec![value])],
            2 => match self.rng.pick(&self.temps(false)) {
                Some(t) => vec![S::Assign(Lhs::Var(t), None, E::Call(TICK, vec![value]))],
                None => Vec::new(),
            },
            _ => {
                let mut fits = self.arrays(false, true);
                fits.retain(|a| self.program.arrays[*a].elem == Ty::Int && self.program.arrays[*a].row.is_none());
                let at = Arg::Value(self.index());
                match self.rng.pick(&fits) {
                    Some(a) => vec![S::Call(PUT, vec![Arg::Array(a, E::Num(0)), at, value])],
                    None => Vec::new(),
                }
            }
        }
    }
}
