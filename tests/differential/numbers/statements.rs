//! Grows statements and expressions: loops of every form and width, subscripts, conditions, kernels.

use super::ast::*;
use super::grow::{Maker, literal};
use super::number::{Op, Width};

impl Maker<'_> {
    /// Statements that belong together, with so much inside one another.
    pub(super) fn statement(&mut self, depth: usize) -> Vec<Stmt> {
        let loops = if depth > 0 { 10 } else { 0 };
        match self
            .rng
            .weighted(&[(2 * loops, 0), (2, 1), (3, 2), (6, 3), (loops / 5, 4), (loops / 5, 5)])
        {
            0 => self.repeat(depth - 1),
            1 => vec![self.access()],
            2 => self.changed(),
            3 => vec![self.kernel()],
            5 => self.carried(depth - 1),
            _ => {
                let condition = self.condition();
                let body = self.scoped(|m| m.statement(depth - 1));
                vec![Stmt::If(condition, body)]
            }
        }
    }

    /// What is declared in it ends with it.
    fn scoped<T>(&mut self, grow: impl FnOnce(&mut Self) -> T) -> T {
        let visible = self.visible.len();
        let out = grow(self);
        self.visible.truncate(visible);
        out
    }

    /// A variable that changes before it is used.
    fn changed(&mut self) -> Vec<Stmt> {
        let width = self.width();
        let initial = self.sum(1);
        let local = self.local(width);
        self.visible.push(local);
        let mut out = vec![Stmt::Declare(local, initial)];
        for _ in 0..self.rng.range(1, 2) {
            let step = match self.rng.below(4) {
                0 | 1 => Step::Up,
                2 => Step::Down,
                _ => Step::By(self.leaf()),
            };
            out.push(Stmt::Change(local, step));
        }
        let last = match self.rng.chance(30) {
            true => vec![self.kernel()],
            false => vec![self.access()],
        };
        match self.rng.chance(25) {
            true => out.push(Stmt::If(self.condition(), last)),
            false => out.extend(last),
        }
        out
    }

    /// A loop that changes a variable beside its counter, which may start or end it, too, and which counts afterwards.
    fn carried(&mut self, depth: usize) -> Vec<Stmt> {
        let width = self.width();
        let initial = self.sum(1);
        let local = self.local(width);
        self.visible.push(local);
        let mut out = vec![Stmt::Declare(local, initial)];
        let mut repeated = self.repeat(depth);
        let visible = self.visible.len();
        if let [Stmt::Loop(l)] = repeated.as_mut_slice() {
            self.visible.push(l.counter);
            let step = match self.rng.below(5) {
                0 => Step::Up,
                1 => Step::Down,
                2 => Step::To(self.sum(1)),
                _ => Step::By(self.leaf()),
            };
            let change = Stmt::Change(local, step);
            let change = match self.rng.chance(25) {
                true => Stmt::If(self.condition(), vec![change]),
                false => change,
            };
            let at = self.rng.below(l.body.len() + 1);
            l.body.insert(at, change);
            l.serial = false;
        }
        self.visible.truncate(visible);
        out.extend(repeated);
        out.push(Stmt::Tell(local));
        out
    }

    fn repeat(&mut self, depth: usize) -> Vec<Stmt> {
        let form = self
            .rng
            .weighted(&[(10, Form::For), (2, Form::While), (1, Form::DoWhile), (1, Form::Bare)]);
        let width = self.width();
        let start = self.number();
        let counter = self.local(width);
        let before = self.visible.len();
        self.visible.push(counter);
        let down = self.rng.chance(30);
        let test = self.test(counter, down);
        let step = self.stride(counter, down);
        let turns = self.rng.chance(25).then(|| self.rng.range(1, 9));
        // What the device counts the host does not see.
        let serial = !self.plain && form == Form::For && self.rng.chance(15);
        let body = self.scoped(|m| match depth > 0 && !serial && m.rng.chance(12) {
            true => m.statement(depth),
            false => (0..m.rng.weighted(&[(4, 1), (1, 2)])).map(|_| m.access()).collect(),
        });
        if form == Form::For || self.rng.chance(60) {
            self.visible.truncate(before);
        }
        vec![Stmt::Loop(Loop {
            form,
            counter,
            start,
            test,
            step,
            turns,
            serial,
            body,
        })]
    }

    fn stride(&mut self, counter: usize, down: bool) -> Step {
        let k = Expr::number(self.rng.range(2, 5));
        let large = Expr::Literal(Literal::small(self.rng.weighted(&[
            (1, 100),
            (1, 0x800_0000),
            (1, 70_000),
        ])));
        match (self.rng.below(10), down) {
            (0, false) => Step::By(k),
            (0, true) => Step::DownBy(k),
            (1, false) => Step::To(Expr::binary(Op::Add, Expr::Local(counter), k)),
            (1, true) => Step::To(Expr::binary(Op::Sub, Expr::Local(counter), k)),
            (2, false) => Step::By(large),
            (3, false) if self.rng.chance(30) => Step::By(self.leaf()),
            (_, false) => Step::Up,
            (_, true) => Step::Down,
        }
    }

    fn comparison(&mut self, counter: usize, down: bool) -> Expr {
        let op = self.rng.weighted(&[
            (8, if down { Op::Greater } else { Op::Less }),
            (6, if down { Op::GreaterEqual } else { Op::LessEqual }),
            (4, Op::NotEqual),
        ]);
        let (left, end) = (self.around(Expr::Local(counter)), self.number());
        match (self.rng.chance(15), op) {
            (true, Op::Less) => Expr::binary(Op::Greater, end, left),
            (true, Op::GreaterEqual) => Expr::binary(Op::LessEqual, end, left),
            _ => Expr::binary(op, left, end),
        }
    }

    /// A number as it is, or nearly.
    fn around(&mut self, e: Expr) -> Expr {
        match self.rng.below(40) {
            0 | 1 => Expr::binary(Op::Add, e, self.leaf()),
            2 => Expr::binary(Op::Sub, e, self.leaf()),
            3 => Expr::Cast(self.width(), Box::new(e)),
            _ => e,
        }
    }

    fn test(&mut self, counter: usize, down: bool) -> Expr {
        let first = self.comparison(counter, down);
        let form = self.rng.below(36);
        if form > 5 {
            return first;
        }
        let second = match self.rng.chance(70) {
            true => self.comparison(counter, down),
            false => self.condition(),
        };
        let (first, second) = (Box::new(first), Box::new(second));
        match form {
            0 | 1 => Expr::Both(first, second),
            2 | 3 => Expr::Either(first, second),
            4 => Expr::Choice(Box::new(self.condition()), first, second),
            _ => Expr::Not(Box::new(Expr::Either(
                Box::new(Expr::Not(first)),
                Box::new(Expr::Not(second)),
            ))),
        }
    }

    pub(super) fn condition(&mut self) -> Expr {
        let op = self.rng.weighted(&[
            (4, Op::Less),
            (3, Op::Greater),
            (2, Op::LessEqual),
            (2, Op::GreaterEqual),
            (1, Op::Equal),
            (2, Op::NotEqual),
        ]);
        let left = self.sum(1);
        let right = match self.rng.chance(35) {
            // `w + 5 > w`.
            true => self.around(left.clone()),
            false => self.sum(1),
        };
        Expr::binary(op, left, right)
    }

    pub(super) fn leaf(&mut self) -> Expr {
        let params = self.params.len();
        let (p, c) = (self.rng.below(params), self.rng.below(self.constants));
        let local = self.rng.pick(&self.visible).unwrap_or_default();
        let literal = literal(self.rng, self.size);
        self.rng.weighted(&[
            (5, Expr::Literal(literal)),
            (2, Expr::Size),
            (if params > 0 { 8 } else { 0 }, Expr::Param(p)),
            (if self.visible.is_empty() { 0 } else { 2 }, Expr::Local(local)),
            (if self.constants > 0 { 4 } else { 0 }, Expr::Constant(c)),
        ])
    }

    /// A number as bounds are: a name or a literal, or a sum with one.
    fn number(&mut self) -> Expr {
        match self.rng.chance(60) {
            true => self.leaf(),
            false => self.sum(1),
        }
    }

    /// Some number: a name or literal, often with another.
    pub(super) fn sum(&mut self, depth: usize) -> Expr {
        let first = self.leaf();
        if depth == 0 {
            return first;
        }
        match self.rng.below(20) {
            0..=8 => first,
            9..=11 => Expr::binary(Op::Add, first, self.sum(depth - 1)),
            12 | 13 => Expr::binary(Op::Sub, first, self.sum(depth - 1)),
            14 => {
                let op = self
                    .rng
                    .weighted(&[(3, Op::Mul), (2, Op::Div), (1, Op::Rem), (1, Op::Right), (1, Op::Xor)]);
                Expr::binary(op, first, self.sum(depth - 1))
            }
            15 => Expr::Negative(Box::new(first)),
            16 => Expr::Cast(self.width(), Box::new(first)),
            17 => Expr::Choice(
                Box::new(self.comparison_of_leaves()),
                Box::new(first),
                Box::new(self.leaf()),
            ),
            _ => Expr::binary(Op::Add, first, Expr::Literal(literal(self.rng, self.size))),
        }
    }

    fn comparison_of_leaves(&mut self) -> Expr {
        let op = self.rng.weighted(&[(1, Op::Less), (1, Op::Greater)]);
        Expr::binary(op, self.leaf(), self.leaf())
    }

    pub(super) fn access(&mut self) -> Stmt {
        let array = self.pick_array();
        let index = self.index();
        let salt = self.rng.range(1, 90);
        let other = (self.pick_array(), self.index());
        let read = if self.plain { 2 } else { 5 };
        let action = self.rng.weighted(&[
            (read, Action::Read),
            (4, Action::Set(salt)),
            (4, Action::Add(salt)),
            (1, Action::Take(other.0, other.1)),
        ]);
        Stmt::Access(array, index, action)
    }

    /// A subscript, mostly of the innermost counter.
    fn index(&mut self) -> Expr {
        let counter = self.visible.last().map(|l| Expr::Local(*l));
        let base = match counter {
            Some(counter) if self.rng.chance(85) => counter,
            _ => self.leaf(),
        };
        let size = match self.rng.chance(75) {
            true => Expr::Size,
            false => Expr::number(self.size),
        };
        let narrow = self.rng.weighted(&[
            (2, Width::UnsignedChar),
            (1, Width::UnsignedShort),
            (1, Width::Unsigned),
        ]);
        match self.rng.below(32) {
            20.. | 0..=6 => base,
            7 | 8 => Expr::binary(Op::Add, base, self.leaf()),
            9 | 10 => Expr::binary(Op::Sub, base, self.leaf()),
            11 | 12 => Expr::binary(Op::Rem, base, size),
            13 => Expr::binary(Op::Rem, Expr::binary(Op::Add, base, self.leaf()), size),
            14 => Expr::binary(Op::Rem, Expr::binary(Op::Sub, base, self.leaf()), size),
            15 => Expr::Cast(narrow, Box::new(Expr::binary(Op::Add, base, self.leaf()))),
            16 => Expr::binary(Op::Sub, self.leaf(), base),
            17 => Expr::binary(Op::Div, base, self.leaf()),
            18 => Expr::binary(Op::And, base, Expr::number(15)),
            _ => Expr::binary(Op::Sub, Expr::binary(Op::Add, base, self.leaf()), self.leaf()),
        }
    }

    fn kernel(&mut self) -> Stmt {
        let array = self.pick_array();
        let width = self.width();
        let start = self.sum(1);
        let condition = self.rng.chance(25).then(|| self.condition());
        let section = self.rng.chance(35).then(|| (self.sum(1), self.sum(1)));
        let counter = self.local(width);
        let down = self.rng.chance(15);
        let op = self.rng.weighted(&[
            (4, if down { Op::Greater } else { Op::Less }),
            (2, if down { Op::GreaterEqual } else { Op::LessEqual }),
        ]);
        let test = Expr::binary(op, Expr::Local(counter), self.sum(1));
        let step = self.pace(15, down);
        let index = self.scoped(|m| {
            m.visible.push(counter);
            m.index()
        });
        Stmt::Kernel(Kernel {
            array,
            section,
            condition,
            counter,
            start,
            test,
            step,
            index,
            salt: self.rng.range(0, 40),
        })
    }
}
