//! Makes programs: nests of one to three loops whose subscripts are mostly affine, so that many are parallel.

use super::ast::{E, Function, Loop, Place, S, Ty, Var, Variable};

/// A small generator of numbers (xorshift), the same on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678_9ABC_DEF1);
        (0..4).for_each(|_| {
            rng.below(2);
        });
        rng
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }
}

/// Parameters come first: `n m k s`.
const PARAMS: usize = 4;

struct Maker {
    rng: Rng,
    vars: Vec<Variable>,
    /// Temporaries.
    temps: Vec<Var>,
    /// Indices of the loops around.
    around: Vec<Var>,
    loops: usize,
    ty: Ty,
}

pub fn function(seed: u64) -> Function {
    let mut rng = Rng::new(seed);
    let ty = rng.pick(&[Ty::Int, Ty::Int, Ty::Int, Ty::Unsigned, Ty::Long, Ty::Size]);
    let mixed = rng.chance(15);
    let mut vars = Vec::new();
    for name in ["n", "m", "k", "s"] {
        let ty = if mixed {
            rng.pick(&[Ty::Int, Ty::Unsigned, Ty::Long, Ty::Size])
        } else {
            ty
        };
        vars.push(Variable {
            name: name.into(),
            ty,
            param: true,
        });
    }
    let mut temps = Vec::new();
    for name in ["t", "u"] {
        temps.push(vars.len());
        vars.push(Variable {
            name: name.into(),
            ty: Ty::Int,
            param: false,
        });
    }
    let mut maker = Maker {
        rng,
        vars,
        temps,
        around: Vec::new(),
        loops: 0,
        ty,
    };
    let mut body = vec![maker.nest(0)];
    if maker.rng.chance(25) {
        body.push(maker.nest(0));
    }
    let result = maker.rng.pick(&maker.temps.clone());
    Function {
        name: format!("f{seed}"),
        vars: maker.vars,
        arrays: vec!["a", "b", "c"],
        body,
        result,
    }
}

fn var(v: Var) -> Box<E> {
    Box::new(E::Var(v))
}

fn bin(op: char, l: E, r: E) -> E {
    E::Bin(op, Box::new(l), Box::new(r))
}

impl Maker {
    fn nest(&mut self, depth: usize) -> S {
        let name = format!("{}{}", ["i", "j", "l"][depth.min(2)], self.loops);
        self.loops += 1;
        let index = self.vars.len();
        let ty = if self.rng.chance(92) {
            self.ty
        } else {
            self.rng.pick(&[Ty::Int, Ty::Long, Ty::Size, Ty::Unsigned])
        };
        self.vars.push(Variable { name, ty, param: false });
        let low = self.bound(true);
        let high = self.bound(false);
        let (first, cmp, end, step) = match self.rng.below(10) {
            0 => (low, "<=", high, 1),
            1 => (high, ">=", low, -1),
            2 => (bin('-', high, E::Const(1)), ">", low, -1),
            3 => (low, "<", high, 2 + self.rng.below(2) as i64),
            4 => (low, "!=", high, 1),
            5 => (high, ">", low, -2),
            _ => (low, "<", high, 1),
        };
        self.around.push(index);
        let mut body = Vec::new();
        let deeper = depth < 2 && self.rng.chance(if depth == 0 { 65 } else { 30 });
        if !deeper || self.rng.chance(25) {
            body.extend(self.statements(2));
        }
        if deeper {
            body.push(self.nest(depth + 1));
            if self.rng.chance(15) {
                body.extend(self.statements(1));
            }
        }
        self.around.pop();
        let declares = self.rng.chance(80);
        S::For(Box::new(Loop {
            var: index,
            declares,
            first,
            cmp,
            end,
            step,
            body,
        }))
    }

    fn bound(&mut self, low: bool) -> E {
        let outer = self.around.last().copied();
        match (self.rng.below(10), low, outer) {
            (0..=2, true, Some(i)) => {
                let c = self.rng.below(2) as i64;
                bin('+', E::Var(i), E::Const(c))
            }
            (0..=1, false, Some(i)) => E::Var(i),
            (0..=5, true, _) => E::Const(self.rng.below(2) as i64),
            (6, true, _) => E::Var(self.rng.below(PARAMS as u64) as Var),
            (_, true, _) => E::Const(0),
            (2, false, _) => E::Const(3 + self.rng.below(4) as i64),
            (3, false, _) => bin('-', E::Var(0), E::Const(1)),
            (4, false, _) => bin('-', E::Var(0), E::Var(2)),
            (5, false, _) => E::Var(2),
            (6 | 7, false, _) => E::Var(1),
            _ => E::Var(0),
        }
    }

    fn statements(&mut self, most: u64) -> Vec<S> {
        let count = 1 + self.rng.below(most);
        (0..count).map(|_| self.statement(0)).collect()
    }

    fn statement(&mut self, depth: usize) -> S {
        let temp = self.rng.pick(&self.temps.clone());
        match self.rng.below(20) {
            0 | 1 if depth < 2 => {
                let left = E::Var(self.rng.pick(&self.around.clone()));
                let right = if self.rng.chance(60) {
                    E::Var(self.rng.pick(&[0, 1, 2, 3]))
                } else {
                    self.affine()
                };
                let cmp = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let yes = vec![self.statement(depth + 1)];
                let no = if self.rng.chance(30) {
                    vec![self.statement(depth + 1)]
                } else {
                    Vec::new()
                };
                S::If(left, cmp, right, yes, no)
            }
            2 if depth > 0 => S::Continue,
            3 => S::Set(temp, self.value()),
            4 => S::Update(temp, self.rng.pick(&['+', '-', '^', '|', '*']), self.value()),
            5 => S::Set(temp, bin(self.rng.pick(&['+', '-', '*']), E::Var(temp), self.value())),
            6 => S::Set(temp, self.affine()),
            7 if depth == 0 => {
                let (what, cmp) = (E::Load(self.place()), self.rng.pick(&["<", ">", "<=", ">="]));
                S::If(what.clone(), cmp, E::Var(temp), vec![S::Set(temp, what)], Vec::new())
            }
            _ => {
                let place = self.place();
                S::Store(place, self.value())
            }
        }
    }

    fn value(&mut self) -> E {
        let load = |m: &mut Maker| E::Load(m.place());
        match self.rng.below(8) {
            0 => E::Const(1),
            1 => E::Var(self.rng.pick(&self.temps.clone())),
            2 => E::Var(self.rng.pick(&self.around.clone())),
            3 => bin('+', load(self), E::Const(1)),
            4 => bin('+', load(self), load(self)),
            _ => load(self),
        }
    }

    fn place(&mut self) -> Place {
        let array = self.rng.pick(&[0, 0, 0, 1, 1, 2]);
        match self.rng.below(24) {
            0 => Place::Byte(array, Box::new(self.affine())),
            1..=3 => {
                let row = E::Var(self.rng.pick(&self.around.clone()));
                let column = self.affine();
                if self.rng.chance(50) {
                    Place::Cell(Box::new(row), Box::new(column))
                } else {
                    Place::Cell(Box::new(column), Box::new(row))
                }
            }
            4 => Place::Element(array, Box::new(E::Load(Place::Element(2, Box::new(self.affine()))))),
            5 => {
                let i = E::Var(self.rng.pick(&self.around.clone()));
                let c = E::Const(2 + self.rng.below(2) as i64);
                let e = match self.rng.below(4) {
                    0 => bin('%', i, c),
                    1 => bin('/', i, c),
                    2 => bin('*', i.clone(), i),
                    _ => bin('%', i, E::Var(3)),
                };
                Place::Element(array, Box::new(e))
            }
            6 => Place::Element(array, var(self.rng.pick(&self.temps.clone()))),
            _ => Place::Element(array, Box::new(self.affine())),
        }
    }

    /// `i`, `i + 1`, `2*i + 1`, `i*m + j`, `n - i`, ...
    fn affine(&mut self) -> E {
        let around = self.around.clone();
        let inner = *around.last().unwrap_or(&0);
        let mut e = if around.len() > 1 && self.rng.chance(70) {
            let outer = around[around.len() - 2];
            let (row, column) = if self.rng.chance(80) {
                (outer, inner)
            } else {
                (inner, outer)
            };
            let stride = match self.rng.below(6) {
                0 => E::Const(4 + self.rng.below(4) as i64),
                1 => E::Var(3),
                2 => E::Var(0),
                _ => E::Var(1),
            };
            let mut e = bin('+', bin('*', E::Var(row), stride), E::Var(column));
            if around.len() > 2 && self.rng.chance(60) {
                e = bin('+', e, bin('*', E::Var(around[0]), E::Const(20)));
            }
            e
        } else {
            let i = E::Var(self.rng.pick(&around));
            match self.rng.below(7) {
                0 => bin('*', E::Const(2 + self.rng.below(2) as i64), i),
                1 => bin('-', E::Var(0), i),
                2 => bin('*', i, E::Var(3)),
                _ => i,
            }
        };
        match self.rng.below(12) {
            0 => e = bin('+', e, E::Const(1)),
            1 => e = bin('-', e, E::Const(1)),
            2 => e = bin('+', e, E::Var(2)),
            3 => e = bin('+', e, E::Const(2)),
            4 if self.rng.chance(30) => e = E::Const(1),
            5 => {
                let ty = self
                    .rng
                    .pick(&["unsigned char", "short", "int", "unsigned", "long", "size_t"]);
                e = E::Cast(ty, Box::new(e));
            }
            _ => {}
        }
        e
    }
}
