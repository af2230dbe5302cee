//! Calls: with arrays that are apart, the same, or parts of one; and the small functions that loops call.

use super::ast::*;
use super::grow::Maker;

impl Maker<'_> {
    /// A call of a function with loops, from the case or from another such function.
    pub fn given(&mut self, f: FnId) -> Option<S> {
        let params = self.program.functions[f].params.clone();
        let first = params.first().map(|p| match p {
            Param::Var(v) => self.program.vars[*v].ty,
            Param::Array(_) => Ty::Int,
        });
        let signed = matches!(first, Some(Ty::Int | Ty::Long));
        let n = self.extent(signed);
        let m = self.extent(signed);
        let mut numbers = vec![n, m];
        numbers.push(match self.rng.below(10) {
            0 if signed => -1,
            1 => n.max(0),
            2 => m.max(0),
            3 => 64,
            _ => self.rng.range(0, 5),
        });
        numbers.push(match self.rng.below(6) {
            0 => m + 3,
            1 => (m - 1).max(0),
            2 => 1,
            3 => n,
            4 => 24,
            _ => m,
        });
        let restrict = params.iter().any(|p| {
            matches!(p, Param::Array(a) if matches!(self.program.arrays[*a].kind, ArrayKind::Param { restrict: true, .. }))
        });
        let mut numbers = numbers.into_iter();
        let mut taken: Vec<ArrayId> = Vec::new();
        let mut args = Vec::new();
        let given = self.rng.chance(40);
        for p in &params {
            match p {
                Param::Var(v) if self.program.vars[*v].name.starts_with("given") => {
                    args.push(Arg::Value(E::Num(i64::from(given))));
                }
                Param::Array(to) if !given && self.program.arrays[*to].name.starts_with('o') => args.push(Arg::Null),
                Param::Var(_) => args.push(Arg::Value(E::Num(numbers.next().unwrap_or(1)))),
                Param::Array(to) => {
                    let a = self.chosen(*to, &taken, restrict)?;
                    let offset = if self.rng.chance(self.weights.p_middle) {
                        let n = n.max(0);
                        self.rng
                            .weighted(&[(3, 1), (3, 3), (3, n), (1, n - 1), (1, 64), (1, 2 * n)])
                    } else {
                        0
                    };
                    taken.push(a);
                    args.push(Arg::Array(a, E::Num(offset.max(0))));
                }
            }
        }
        Some(S::Call(f, args))
    }

    fn extent(&mut self, signed: bool) -> i64 {
        let small = if signed { -3 } else { 0 };
        self.rng.weighted(&[
            (6, small),
            (6, 0),
            (6, 1),
            (10, 5),
            (24, 17),
            (24, 24),
            (16, 33),
            (8, 60),
        ])
    }

    /// An array for a parameter.
    fn chosen(&mut self, to: ArrayId, taken: &[ArrayId], restrict: bool) -> Option<ArrayId> {
        let target = self.program.arrays[to].clone();
        let subscripts = target.name.starts_with("ix");
        let here = [&self.scope.arrays, &self.scope.grids, &self.scope.maps];
        let fits: Vec<ArrayId> = here
            .into_iter()
            .flatten()
            .copied()
            .filter(|a| self.program.arrays[*a].elem == target.elem)
            .filter(|a| self.program.arrays[*a].name.starts_with("ix") == subscripts)
            .collect();
        let same: Vec<ArrayId> = fits.iter().copied().filter(|a| taken.contains(a)).collect();
        if !restrict && !subscripts && self.rng.chance(self.weights.p_same) && !same.is_empty() {
            return self.rng.pick(&same);
        }
        // What reaches memory by itself would be another way to what a parameter points to.
        let mut fresh: Vec<ArrayId> = fits.iter().copied().filter(|a| !taken.contains(a)).collect();
        if subscripts && fresh.is_empty() {
            fresh = fits;
        }
        self.rng.pick(&fresh)
    }

    /// The functions that loops call.
    pub fn helpers(&mut self) {
        let seed = self.program.seed;
        let numbers: [i64; 2] = [self.rng.range(2, 5), self.rng.range(1, 9)];
        for which in 0..7 {
            let function = self.program.functions.len();
            self.scope.function = function;
            let x = self.var("x", Ty::Int, VarKind::Param);
            let mixed = E::bin(
                "&",
                E::bin("+", E::bin("*", E::Var(x), E::Num(numbers[0])), E::Num(numbers[1])),
                E::Num(255),
            );
            let p = self.array(
                "h",
                Ty::Int,
                ArrayKind::Param {
                    restrict: false,
                    readonly: which == 3 || which == 5,
                },
                None,
            );
            let at = Place {
                array: p,
                at: vec![E::Var(x)],
            };
            let (name, params, returns, body) = match which {
                0 => ("mix", vec![Param::Var(x)], Some(Ty::Int), vec![S::Return(mixed)]),
                1 => {
                    let calls = self.var("calls", Ty::Int, VarKind::Static);
                    let count = S::Assign(Lhs::Var(calls), Some("+"), E::Num(1));
                    let value = E::bin("&", E::bin("+", E::Var(x), E::Var(calls)), E::Num(255));
                    (
                        "tick",
                        vec![Param::Var(x)],
                        Some(Ty::Int),
                        vec![count, S::Return(value)],
                    )
                }
                2 => {
                    let last = self.var("last", Ty::Int, VarKind::Global);
                    let note = S::Assign(Lhs::Var(last), None, mixed);
                    ("note", vec![Param::Var(x)], None, vec![note])
                }
                3 => {
                    let params = vec![Param::Array(p), Param::Var(x)];
                    ("peek", params, Some(Ty::Int), vec![S::Return(E::Load(at))])
                }
                4 => {
                    let v = self.var("v", Ty::Int, VarKind::Param);
                    let params = vec![Param::Array(p), Param::Var(x), Param::Var(v)];
                    let put = S::Assign(Lhs::Cell(at), None, E::Var(v));
                    ("put", params, None, vec![put])
                }
                5 => {
                    let (sum, i) = (
                        self.var("sum", Ty::Int, VarKind::Inline),
                        self.var("i", Ty::Int, VarKind::Inline),
                    );
                    let cell = Place {
                        array: p,
                        at: vec![E::Var(i)],
                    };
                    let body = vec![S::Assign(
                        Lhs::Var(sum),
                        None,
                        E::bin("&", E::bin("+", E::Var(sum), E::Load(cell)), E::Num(1023)),
                    )];
                    let add = S::For(Box::new(For {
                        var: i,
                        declares: true,
                        first: E::Num(0),
                        cmp: "<",
                        end: E::Var(x),
                        step: 1,
                        body,
                        kernel: Vec::new(),
                    }));
                    let body = vec![S::Declare(sum, E::Num(0)), add, S::Return(E::Var(sum))];
                    ("total", vec![Param::Array(p), Param::Var(x)], Some(Ty::Int), body)
                }
                _ => {
                    let total = self.var("tally", Ty::Int, VarKind::Global);
                    let add = S::Assign(Lhs::Var(total), Some("+"), mixed);
                    ("count", vec![Param::Var(x)], None, vec![add])
                }
            };
            self.program.functions.push(Function {
                name: format!("{name}_{seed}"),
                params,
                returns,
                exported: false,
                body,
            });
        }
        self.program.helpers = self.program.functions.len();
    }
}
