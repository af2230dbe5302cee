//! Grows what is short and can be said exactly, if its numbers are understood: a loop from one number to another with one access, an
//! element behind a variable that is counted up, kernels that ask for the same. Where more goes on in a function, everything is
//! copied around its calls, right or wrong, and no trap shuts.

use super::ast::*;
use super::grow::{Maker, literal};
use super::number::{Op, Width};

impl Maker<'_> {
    /// The statements of a function.
    pub(super) fn sharp(&mut self) -> Vec<Stmt> {
        let kernels = if self.plain { 0 } else { 4 };
        let steps = kernels / 2;
        match self
            .rng
            .weighted(&[(8, 0), (3, 1), (kernels, 2), (3, 3), (steps, 4), (3, 5)])
        {
            0 => vec![self.everyday()],
            1 => self.counted(),
            2 => vec![self.agreed()],
            3 => vec![self.chooses()],
            4 => vec![self.stepping()],
            _ => vec![self.shows()],
        }
    }

    /// `k++; v[k] = ...;`.
    fn counted(&mut self) -> Vec<Stmt> {
        let narrow = (0..self.params.len()).find(|p| self.params[*p] < Width::Int);
        let (width, initial) = match narrow {
            Some(p) if self.rng.chance(60) => (self.params[p], Expr::Param(p)),
            _ => (self.common(), self.simple()),
        };
        let local = self.local(width);
        let by = Step::By(self.small());
        let step = self.rng.weighted(&[(2, Step::Up), (2, Step::Down), (1, by)]);
        let action = self
            .rng
            .weighted(&[(1, Action::Read), (2, Action::Set(57)), (1, Action::Add(5))]);
        vec![
            Stmt::Declare(local, initial),
            Stmt::Change(local, step),
            Stmt::Access(Array::Given, Expr::Local(local), action),
        ]
    }

    /// A loop whose test chooses between comparisons of one counter: `l < p ? l < 5 : l < 20`.
    fn chooses(&mut self) -> Stmt {
        let counter = self.local(Width::Int);
        let down = self.rng.chance(30);
        let (op, other) = match down {
            true => (Op::GreaterEqual, Op::Greater),
            false => (Op::Less, Op::LessEqual),
        };
        let ends = [0; 3].map(|_| match self.rng.chance(40) {
            true => self.simple(),
            false => Expr::number(self.rng.range(0, self.size / 2)),
        });
        let [first, second, third] = ends.map(|end| {
            let op = if self.rng.chance(80) { op } else { other };
            Box::new(Expr::binary(op, Expr::Local(counter), end))
        });
        let asked = Box::new(self.asked());
        let test = match self.rng.below(6) {
            0 | 1 => Expr::Choice(first, second, third),
            2 => Expr::Choice(Box::new(Expr::Not(first)), second, third),
            3 => Expr::Choice(asked, second, third),
            4 => Expr::Either(first, Box::new(Expr::Both(second, asked))),
            _ => Expr::Either(first, second),
        };
        let action = self
            .rng
            .weighted(&[(1, Action::Read), (1, Action::Set(57)), (2, Action::Add(5))]);
        let array = self.rng.weighted(&[(1, Array::Given), (1, Array::First)]);
        let most = Expr::binary(Op::Sub, Expr::Size, Expr::number(1));
        Stmt::Loop(Loop {
            form: self.rng.weighted(&[(4, Form::For), (1, Form::While)]),
            counter,
            start: if down { most } else { Expr::number(0) },
            test,
            step: if down { Step::Down } else { Step::Up },
            turns: None,
            serial: false,
            body: vec![Stmt::Access(array, Expr::Local(counter), action)],
        })
    }

    /// Steps with a kernel in each; without steps there need not be an array.
    fn stepping(&mut self) -> Stmt {
        let width = self.common();
        let counter = self.local(width);
        let first = self.simple();
        let end = match self.rng.below(6) {
            0 => first,
            1 => Expr::binary(Op::Mul, first.clone(), first),
            2 => Expr::binary(Op::Sub, first, self.small()),
            _ => Expr::binary(Op::Add, first, self.small()),
        };
        let op = self
            .rng
            .weighted(&[(4, Op::Less), (1, Op::LessEqual), (1, Op::NotEqual)]);
        let body = vec![self.part(&(None, None))];
        Stmt::Loop(Loop {
            form: Form::For,
            counter,
            start: Expr::number(0),
            test: Expr::binary(op, Expr::Local(counter), end),
            step: Step::Up,
            turns: None,
            serial: false,
            body,
        })
    }

    /// A loop of the host alone that says what it finds in an array of the file, up to a number that may be negative.
    fn shows(&mut self) -> Stmt {
        let counter = self.local(Width::Int);
        let down = self.rng.chance(30);
        let end = self.simple();
        let (start, op, end) = match down {
            true => (
                Expr::binary(Op::Sub, end, Expr::number(1)),
                Op::GreaterEqual,
                Expr::number(0),
            ),
            false => (Expr::number(0), Op::Less, end),
        };
        let index = || Expr::Local(counter);
        let mut body = vec![Stmt::Access(Array::First, index(), Action::Show(self.rng.range(0, 6)))];
        if self.rng.chance(40) {
            body.insert(0, Stmt::Access(Array::First, index(), Action::Add(3)));
        }
        Stmt::Loop(Loop {
            form: Form::For,
            counter,
            start,
            test: Expr::binary(op, Expr::Local(counter), end),
            step: if down { Step::Down } else { Step::Up },
            turns: None,
            serial: false,
            body,
        })
    }

    /// Kernels one after another that map the same section, or run on the device under the same condition, and an access between
    /// them and the next.
    fn agreed(&mut self) -> Stmt {
        let t = self.local(Width::Int);
        let clauses = match self.rng.chance(50) {
            true => (Some((self.constant(), self.constant())), None),
            false => (None, Some(self.asked())),
        };
        let (first, second) = (self.part(&clauses), self.part(&clauses));
        let mut body = vec![first, second];
        if self.rng.chance(70) {
            let action = self.rng.weighted(&[(1, Action::Read), (2, Action::Set(4))]);
            body.push(Stmt::Access(Array::Given, Expr::Local(t), action));
        }
        Stmt::Loop(Loop {
            form: Form::For,
            counter: t,
            start: Expr::number(0),
            test: Expr::binary(Op::Less, Expr::Local(t), Expr::number(3)),
            step: Step::Up,
            turns: None,
            serial: false,
            body,
        })
    }

    /// A kernel over some elements of what the function is given.
    fn part(&mut self, (section, condition): &(Option<(Expr, Expr)>, Option<Expr>)) -> Stmt {
        let counter = self.local(Width::Int);
        let plain = Expr::Local(counter);
        let (count, index) = match section {
            Some((first, count)) => (count.clone(), Expr::binary(Op::Add, plain.clone(), first.clone())),
            None => (Expr::Size, plain.clone()),
        };
        Stmt::Kernel(Kernel {
            array: Array::Given,
            section: section.clone(),
            condition: condition.clone(),
            counter,
            start: Expr::number(0),
            test: Expr::binary(Op::Less, plain, count),
            step: Step::Up,
            index,
            salt: self.rng.range(0, 40),
        })
    }

    /// `w + 5 > w`, `n < 010`.
    fn asked(&mut self) -> Expr {
        let op = self.rng.weighted(&[
            (3, Op::Less),
            (3, Op::Greater),
            (1, Op::LessEqual),
            (1, Op::GreaterEqual),
        ]);
        let left = self.simple();
        let sum = match self.rng.chance(50) {
            true => Expr::binary(Op::Add, left.clone(), self.constant()),
            false => left.clone(),
        };
        let right = match self.rng.chance(40) {
            true => left,
            false => self.constant(),
        };
        match self.rng.chance(50) {
            true => Expr::binary(op, sum, right),
            false => Expr::binary(op, right, sum),
        }
    }

    /// A literal in some spelling, or a constant of the file.
    fn constant(&mut self) -> Expr {
        match self.constants > 0 && self.rng.chance(50) {
            true => Expr::Constant(self.rng.below(self.constants)),
            false => Expr::Literal(literal(self.rng, self.size)),
        }
    }

    /// Another comparison of a counter.
    fn other(&mut self, counter: usize, down: bool) -> Expr {
        let op = if down { Op::GreaterEqual } else { Op::Less };
        Expr::binary(op, Expr::Local(counter), self.simple())
    }

    /// The type of the first parameter, or another one.
    fn common(&mut self) -> Width {
        match (self.params.first().copied(), self.rng.chance(50)) {
            (Some(first), true) => first,
            _ => self.width(),
        }
    }

    /// A loop in the words of everyday, from one simple number to another, with one access: what it comes by can be said exactly, if
    /// its numbers are understood.
    fn everyday(&mut self) -> Stmt {
        let width = self.common();
        let counter = self.local(width);
        let down = self.rng.chance(35);
        let start = self.simple();
        let end = match self.rng.below(4) {
            0 => Expr::binary(Op::Add, self.simple(), self.small()),
            1 if down => Expr::binary(Op::Sub, self.simple(), self.small()),
            _ => self.simple(),
        };
        let op = self.rng.weighted(&[
            (5, if down { Op::Greater } else { Op::Less }),
            (5, if down { Op::GreaterEqual } else { Op::LessEqual }),
            (6, Op::NotEqual),
        ]);
        let plain = Expr::Local(counter);
        let index = match self.rng.below(8) {
            0 => Expr::binary(Op::Sub, plain, start.clone()),
            1 => Expr::binary(Op::Rem, plain, Expr::Size),
            2 => Expr::binary(Op::Add, plain, self.small()),
            3 => Expr::binary(Op::Sub, plain, self.small()),
            _ => plain,
        };
        let action = self
            .rng
            .weighted(&[(3, Action::Read), (4, Action::Set(57)), (3, Action::Add(5))]);
        let array = self.rng.weighted(&[(3, Array::Given), (1, Array::First)]);
        let step = self.pace(20, down);
        let compared = Expr::binary(op, Expr::Local(counter), end);
        let test = match self.rng.below(12) {
            0 => Expr::Choice(
                Box::new(self.asked()),
                Box::new(compared),
                Box::new(self.other(counter, down)),
            ),
            1 => Expr::Either(Box::new(compared), Box::new(self.other(counter, down))),
            _ => compared,
        };
        Stmt::Loop(Loop {
            form: self.rng.weighted(&[(6, Form::For), (1, Form::While)]),
            counter,
            start,
            test,
            step,
            turns: self.rng.chance(35).then(|| self.rng.range(2, 9)),
            serial: !self.plain && self.rng.chance(5),
            body: vec![Stmt::Access(array, index, action)],
        })
    }

    fn small(&mut self) -> Expr {
        Expr::number(self.rng.range(1, 12))
    }

    fn simple(&mut self) -> Expr {
        let params = self.params.len();
        match params > 0 && self.rng.chance(70) {
            true => Expr::Param(self.rng.below(params)),
            false => Expr::Literal(literal(self.rng, self.size)),
        }
    }
}
