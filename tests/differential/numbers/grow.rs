//! Grows programs about numbers: what is drawn is run, and drawn again where C does not define it.

use super::ast::*;
use super::number::{Op, WIDTHS, Width};
use super::run::{BENDS, Bend, Done, Run, run};
use crate::generator::rng::Rng;

/// How often a function is drawn until one is fit.
const ATTEMPTS: usize = 3000;
/// Of a hundred functions in which C computes as everybody expects, so many are taken.
const STRAIGHT: u32 = 1;
/// Calls from outside.
const CALLS: usize = 3;

/// A function under construction.
pub(super) struct Maker<'a> {
    pub rng: &'a mut Rng,
    pub plain: bool,
    pub size: i64,
    pub constants: usize,
    pub params: Vec<Width>,
    pub locals: Vec<Width>,
    /// The variables that can be used here.
    pub visible: Vec<usize>,
    pub own: bool,
}

/// The program of `seed`; `plain` ones have nothing on the device.
pub fn grow(seed: u64, plain: bool) -> Program {
    let mut rng = Rng::new(seed);
    let size = rng.weighted(&[(2, 40), (2, 64), (4, 300)]);
    let mut program = Program {
        seed,
        plain,
        size,
        fixed: rng.chance(60),
        constants: Vec::new(),
        functions: Vec::new(),
        calls: Vec::new(),
    };
    constants(&mut rng, &mut program);
    let count = rng.range(1, 3);
    let params: Vec<Width> = (0..count).map(|_| width(&mut rng)).collect();
    let calls = (0..CALLS).map(|_| params.iter().map(|w| argument(&mut rng, *w, size)).collect());
    program.calls = calls.collect();
    let helpers = rng.weighted(&[(6, 1), (3, 2), (1, 3)]);
    for _ in 0..helpers {
        let own: Vec<Width> = params
            .iter()
            .map(|w| if rng.chance(75) { *w } else { width(&mut rng) })
            .collect();
        let helper = |rng: &mut Rng, p: &Program| Maker::of(rng, p, own.clone()).helper();
        attempt(&mut rng, &mut program, STRAIGHT, helper);
    }
    let taken: Vec<Vec<Width>> = program.functions.iter().map(|f| f.params.clone()).collect();
    let main = |rng: &mut Rng, p: &Program| Maker::of(rng, p, params.clone()).main(&taken);
    if !attempt(&mut rng, &mut program, 100, main) {
        program
            .functions
            .push(Maker::of(&mut rng, &program, params).simplest(&taken));
    }
    program
}

/// Adds a function that is fit for all calls, and does something in one of them, mostly with a trap of a kind that is drawn; of others
/// `plain` in a hundred are taken.
fn attempt(rng: &mut Rng, program: &mut Program, plain: u32, draw: impl Fn(&mut Rng, &Program) -> Function) -> bool {
    let wanted = rng.pick(&BENDS).unwrap_or(Bend::Counter);
    for k in 0..ATTEMPTS {
        let function = draw(rng, program);
        program.functions.push(function);
        let done = run(program).ok();
        let runs = |d: Done| d.accesses > 1 && d.entered + d.kernels > 0;
        // At last any is taken.
        let late = k > ATTEMPTS * 3 / 4;
        if done.is_some_and(|d| runs(d) && (d.bent[wanted as usize] > 0 || late || rng.chance(plain))) {
            return true;
        }
        program.functions.pop();
    }
    false
}

fn constants(rng: &mut Rng, program: &mut Program) {
    for _ in 0..rng.range(0, 2) {
        let small = literal(rng, program.size);
        let value = match rng.below(4) {
            0 => Expr::Literal(small),
            1 => Expr::Negative(Box::new(Expr::Literal(small))),
            2 => {
                let wide = Literal {
                    value: rng.weighted(&[(1, 256), (1, 65536), (1, 4_294_967_296), (1, 4_294_967_295)]),
                    base: Base::Decimal,
                    unsigned: rng.chance(40),
                    long: false,
                };
                let op = rng.weighted(&[(2, Op::Add), (1, Op::Mul), (1, Op::Sub)]);
                Expr::binary(op, Expr::Literal(wide), Expr::Literal(small))
            }
            _ => Expr::binary(
                rng.weighted(&[(2, Op::Add), (2, Op::Mul), (1, Op::Div)]),
                Expr::Literal(small),
                Expr::Literal(literal(rng, program.size)),
            ),
        };
        let width = width(rng);
        let made = rng.weighted(&[(1, Made::Macro), (2, Made::Enumerator), (4, Made::Static(width))]);
        program.constants.push(Constant { made, value });
        if Run::new(program).is_err() {
            program.constants.pop();
        }
    }
}

fn width(rng: &mut Rng) -> Width {
    let weights = [1, 4, 1, 2, 6, 6, 2, 3];
    let items: Vec<(u32, Width)> = weights.into_iter().zip(WIDTHS).collect();
    rng.weighted(&items)
}

/// A number that something may well be compared with.
pub(super) fn literal(rng: &mut Rng, size: i64) -> Literal {
    let small = rng.range(0, 12);
    let value = rng.weighted(&[
        (10, small),
        (2, size),
        (2, size / 2),
        (1, size - 1),
        (1, 255),
        (1, 256),
        (1, 250 + small),
    ]);
    Literal {
        value: value.into(),
        base: match value {
            // '0' to '9' and letters need no escapes.
            48..=57 | 97..=122 if rng.chance(50) => Base::Character,
            _ => rng.weighted(&[(14, Base::Decimal), (2, Base::Octal), (2, Base::Hexadecimal)]),
        },
        unsigned: rng.chance(12),
        long: rng.chance(8),
    }
}

/// What a parameter is given.
fn argument(rng: &mut Rng, width: Width, size: i64) -> i128 {
    let (small, below): (i128, i128) = (rng.range(0, 14).into(), rng.range(0, 9).into());
    let near: i128 = rng.range(size - 3, size + 1).into();
    let half = width.most() / 2 + 1 + below;
    let value = rng.weighted(&[
        (8, small),
        (3, near),
        (3, (size / 2).into()),
        (4, width.most() - below),
        (if width.is_signed() { 5 } else { 1 }, -below - 1),
        (1, half),
        (1, width.least()),
        (1, 256 + below),
    ]);
    width.wrap(value)
}

impl<'a> Maker<'a> {
    fn of(rng: &'a mut Rng, program: &Program, params: Vec<Width>) -> Maker<'a> {
        Maker {
            rng,
            plain: program.plain,
            size: program.size,
            constants: program.constants.len(),
            params,
            locals: Vec::new(),
            visible: Vec::new(),
            own: false,
        }
    }

    fn finish(self, own: Option<Expr>, body: Vec<Stmt>) -> Function {
        Function {
            params: self.params,
            locals: self.locals,
            own,
            body,
        }
    }

    fn helper(mut self) -> Function {
        if self.rng.chance(60) {
            let body = self.sharp();
            return self.finish(None, body);
        }
        let own = self.rng.chance(12).then(|| self.sum(1));
        self.own = own.is_some();
        // Where much goes on in a function, everything is copied around its calls, right or wrong.
        let count = self.rng.weighted(&[(5, 1), (1, 2)]);
        let body = (0..count).flat_map(|_| self.statement(2)).collect();
        self.finish(own, body)
    }

    /// A function that calls those before it, between kernels, again and again.
    fn main(mut self, taken: &[Vec<Width>]) -> Function {
        let mut body = self.rounds(taken);
        if self.rng.chance(60) {
            let t = self.local(Width::Int);
            let rounds = if self.rng.chance(70) { self.few() } else { self.sum(1) };
            body = vec![Stmt::Loop(Loop {
                form: Form::For,
                counter: t,
                start: Expr::number(0),
                test: Expr::binary(Op::Less, Expr::Local(t), rounds),
                step: Step::Up,
                turns: None,
                serial: false,
                body,
            })];
        }
        self.finish(None, body)
    }

    fn rounds(&mut self, taken: &[Vec<Width>]) -> Vec<Stmt> {
        let mut body = Vec::new();
        for (f, widths) in taken.iter().enumerate() {
            body.push(self.whole());
            if self.rng.chance(60) {
                body.push(self.whole());
            }
            let array = if self.rng.chance(85) {
                Array::First
            } else {
                self.pick_array()
            };
            let args = widths.iter().map(|w| self.given(*w)).collect();
            let call = Stmt::Call(f, array, args);
            body.push(match self.rng.chance(8) {
                true => Stmt::If(self.condition(), vec![call]),
                false => call,
            });
            if self.rng.chance(25) {
                let args = widths.iter().map(|w| self.given(*w)).collect();
                body.push(Stmt::Call(f, Array::Nothing, args));
            }
        }
        if self.rng.chance(60) {
            body.push(self.whole());
        }
        if self.rng.chance(25) {
            body.extend(self.statement(1));
        }
        body
    }

    /// Calls between kernels, and nothing else.
    fn simplest(mut self, taken: &[Vec<Width>]) -> Function {
        let calls = (0..taken.len()).flat_map(|f| {
            let args = (0..taken[f].len()).map(Expr::Param).collect();
            [self.whole(), Stmt::Call(f, Array::First, args)]
        });
        let body = calls.collect::<Vec<_>>();
        let last = self.whole();
        self.finish(None, body.into_iter().chain([last]).collect())
    }

    /// What a call hands over: a number of the function's own, or one of the text.
    fn given(&mut self, width: Width) -> Expr {
        let params = self.params.len();
        if params > 0 && self.rng.chance(35) {
            return Expr::Param(self.rng.below(params));
        }
        let value = argument(self.rng, width, self.size);
        let literal = Expr::Literal(Literal {
            unsigned: value > i32::MAX.into(),
            ..Literal::small(value.abs())
        });
        match value < 0 {
            true => Expr::Negative(Box::new(literal)),
            false => literal,
        }
    }

    /// Three or so.
    fn few(&mut self) -> Expr {
        Expr::number(self.rng.range(1, 3))
    }

    /// A kernel over all of an array, written without any trap.
    fn whole(&mut self) -> Stmt {
        let counter = self.local(Width::Int);
        Stmt::Kernel(Kernel {
            array: if self.rng.chance(94) {
                Array::First
            } else {
                Array::Second
            },
            section: None,
            condition: None,
            counter,
            start: Expr::number(0),
            test: Expr::binary(Op::Less, Expr::Local(counter), Expr::Size),
            step: Step::Up,
            index: Expr::Local(counter),
            salt: self.rng.range(0, 40),
        })
    }

    /// One up or down, or in so many percent a few.
    pub(super) fn pace(&mut self, percent: u32, down: bool) -> Step {
        let few = Expr::number(self.rng.range(2, 4));
        match (self.rng.chance(percent), down) {
            (true, false) => Step::By(few),
            (true, true) => Step::DownBy(few),
            (false, false) => Step::Up,
            (false, true) => Step::Down,
        }
    }

    pub(super) fn local(&mut self, width: Width) -> usize {
        self.locals.push(width);
        self.locals.len() - 1
    }

    pub(super) fn width(&mut self) -> Width {
        width(self.rng)
    }

    pub(super) fn pick_array(&mut self) -> Array {
        let own = if self.own { 12 } else { 0 };
        self.rng.weighted(&[
            (4, Array::First),
            (1, Array::Second),
            (8, Array::Given),
            (own, Array::Own),
        ])
    }
}
