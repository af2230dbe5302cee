//! Runs a program before anybody else does: only programs that C defines, that end soon, and that stay inside their arrays are tests.

use super::ast::*;
use super::number::{Number, Op, Width, apply};
use std::collections::BTreeSet;

/// The program is not defined, or takes too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfit;

/// Turns of loops in a call from outside.
const TURNS: usize = 4000;
/// Elements of an array that a function allocates.
const OWN: std::ops::RangeInclusive<i128> = 1..=400;

/// What a run has done.
#[derive(Clone, Copy, Default, Debug)]
pub struct Done {
    pub accesses: usize,
    /// Loops that had a turn.
    pub entered: usize,
    pub kernels: usize,
    /// For what it mattered that numbers are those of C, by [`Bend`].
    pub bent: [usize; 6],
}

/// Where a number is another one than it looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bend {
    /// A subscript has wrapped around.
    Subscript,
    /// A counter has, or has been converted, and the loop goes on.
    Counter,
    /// What a counter is compared with has.
    End,
    /// The test of a loop that runs is more than a comparison.
    Choice,
    /// A clause has a number in an odd spelling, or a constant that is not what stands behind its `=`.
    Clause,
    /// A loop runs in one call and not in another.
    Sometimes,
}

impl Bend {
    /// What a census calls it.
    pub fn name(self) -> &'static str {
        match self {
            Bend::Subscript => "subscript that wraps around",
            Bend::Counter => "counter that wraps around",
            Bend::End => "end that wraps around",
            Bend::Choice => "test that chooses",
            Bend::Clause => "number of a clause that is not what it looks like",
            Bend::Sometimes => "loop that runs in one call",
        }
    }
}

pub const BENDS: [Bend; 6] = [
    Bend::Subscript,
    Bend::Counter,
    Bend::End,
    Bend::Choice,
    Bend::Clause,
    Bend::Sometimes,
];

pub struct Run<'a> {
    pub(super) program: &'a Program,
    pub(super) constants: Vec<Number>,
    turns: usize,
    /// Loops that had turns in one visit, and those that had none.
    visited: [BTreeSet<*const Loop>; 2],
    pub done: Done,
}

/// A function while it runs.
pub(super) struct Frame<'a> {
    function: &'a Function,
    params: Vec<Number>,
    pub(super) locals: Vec<Option<Number>>,
    given: Option<i128>,
    own: i128,
    /// On the device, which only writes.
    device: bool,
    /// The array that is mapped for that.
    mapped: Option<Array>,
}

/// What the program does when all of its calls are made.
pub fn run(program: &Program) -> Result<Done, Unfit> {
    let mut run = Run::new(program)?;
    for f in &program.functions {
        run.sections(&f.body)?;
    }
    let main = program.functions.len() - 1;
    for call in &program.calls {
        run.call(main, call)?;
    }
    // Loops that run in one call and not in another.
    let sometimes = run.visited[0].intersection(&run.visited[1]).count();
    run.bends(Bend::Sometimes, sometimes > 0);
    Ok(run.done)
}

impl<'a> Run<'a> {
    pub fn new(program: &'a Program) -> Result<Run<'a>, Unfit> {
        let mut run = Run {
            program,
            constants: Vec::new(),
            turns: 0,
            visited: Default::default(),
            done: Done::default(),
        };
        for c in &program.constants {
            let value = run.constant(&c.value)?;
            run.constants.push(match c.made {
                Made::Macro => value,
                Made::Enumerator if Width::Int.holds(value.value) => value.to(Width::Int),
                Made::Enumerator => return Err(Unfit),
                Made::Static(width) => value.to(width),
            });
        }
        Ok(run)
    }

    pub(super) fn constant(&self, e: &Expr) -> Result<Number, Unfit> {
        let function = Function {
            params: Vec::new(),
            locals: Vec::new(),
            own: None,
            body: Vec::new(),
        };
        let frame = Frame::of(&function, Vec::new(), None);
        self.value(&frame, e)
    }

    /// Calls a function from outside.
    pub fn call(&mut self, function: usize, values: &[i128]) -> Result<(), Unfit> {
        self.turns = 0;
        let function = &self.program.functions[function];
        let params = function.params.iter().zip(values);
        let params = params.map(|(width, value)| Number {
            value: *value,
            width: *width,
            bent: false,
        });
        let params: Vec<Number> = params.map(|n| n.to(n.width)).collect();
        self.enter(Frame::of(function, params, Some(self.program.size.into())))
    }

    fn enter(&mut self, mut frame: Frame<'a>) -> Result<(), Unfit> {
        if let Some(own) = &frame.function.own {
            frame.own = self.value(&frame, own)?.value;
            if !OWN.contains(&frame.own) {
                return Err(Unfit);
            }
        }
        let function = frame.function;
        self.block(&mut frame, &function.body)
    }

    fn block(&mut self, frame: &mut Frame<'a>, block: &'a [Stmt]) -> Result<(), Unfit> {
        block.iter().try_for_each(|s| self.statement(frame, s))
    }

    fn statement(&mut self, frame: &mut Frame<'a>, s: &'a Stmt) -> Result<(), Unfit> {
        match s {
            Stmt::Access(array, index, action) => {
                self.element(frame, *array, index)?;
                match action {
                    Action::Read | Action::Show(_) if frame.device => return Err(Unfit),
                    Action::Take(from, index) => {
                        self.element(frame, *from, index)?;
                    }
                    _ => {}
                }
            }
            Stmt::Declare(local, e) => {
                let value = self.value(frame, e)?;
                frame.set(*local, value);
            }
            // What the device changes the host does not see.
            Stmt::Change(..) | Stmt::Tell(_) if frame.device => return Err(Unfit),
            Stmt::Change(local, step) => self.step(frame, *local, step)?,
            Stmt::Tell(local) => {
                frame.locals[*local].ok_or(Unfit)?;
            }
            Stmt::If(condition, body) => {
                if self.value(frame, condition)?.holds() {
                    self.block(frame, body)?;
                }
            }
            Stmt::Loop(l) => self.repeat(frame, l)?,
            Stmt::Kernel(k) => self.kernel(frame, k)?,
            Stmt::Call(callee, array, args) => {
                let callee = &self.program.functions[*callee];
                let length = self.length(frame, *array)?;
                let params = args.iter().zip(&callee.params);
                let params = params.map(|(e, width)| Ok(self.value(frame, e)?.to(*width)));
                let params = params.collect::<Result<_, Unfit>>()?;
                self.enter(Frame::of(callee, params, Some(length)))?;
            }
        }
        Ok(())
    }

    pub(super) fn length(&self, frame: &Frame<'a>, array: Array) -> Result<i128, Unfit> {
        match array {
            Array::First | Array::Second => Ok(self.program.size.into()),
            Array::Given => frame.given.ok_or(Unfit),
            Array::Own if frame.function.own.is_some() => Ok(frame.own),
            Array::Own => Err(Unfit),
            Array::Nothing => Ok(0),
        }
    }

    pub(super) fn element(&mut self, frame: &mut Frame<'a>, array: Array, index: &Expr) -> Result<i128, Unfit> {
        // A loop on the device maps one array.
        if frame.device && *frame.mapped.get_or_insert(array) != array {
            return Err(Unfit);
        }
        let place = self.value(frame, index)?;
        let at = place.value;
        self.done.accesses += 1;
        self.bends(Bend::Subscript, place.bent);
        match (0..self.length(frame, array)?).contains(&at) {
            true => Ok(at),
            false => Err(Unfit),
        }
    }

    fn repeat(&mut self, frame: &mut Frame<'a>, l: &'a Loop) -> Result<(), Unfit> {
        let start = self.value(frame, &l.start)?;
        frame.set(l.counter, start);
        if l.serial {
            // What the loop maps has to be there, with turns or without.
            if frame.given == Some(0) {
                return Err(Unfit);
            }
            (frame.device, frame.mapped) = (true, None);
            self.done.kernels += 1;
        }
        let mut turns = 0;
        let chosen = matches!(l.test, Expr::Choice(..) | Expr::Either(..) | Expr::Not(_));
        loop {
            if turns > 0 || l.form != Form::DoWhile {
                let test = self.value(frame, &l.test)?;
                let counter = frame.locals[l.counter].is_some_and(|n| n.bent);
                self.bends(Bend::Counter, counter && test.holds());
                self.bends(Bend::End, test.bent && !counter);
                self.bends(Bend::Choice, chosen && turns > 0);
                if !test.holds() {
                    break;
                }
            }
            self.turn()?;
            turns += 1;
            self.block(frame, &l.body)?;
            if l.turns == Some(turns) {
                break;
            }
            self.step(frame, l.counter, &l.step)?;
        }
        self.done.entered += usize::from(turns > 0);
        self.visited[usize::from(turns > 0)].insert(std::ptr::from_ref(l));
        if l.serial {
            frame.device = false;
        }
        Ok(())
    }

    pub(super) fn bends(&mut self, bend: Bend, does: bool) {
        self.done.bent[bend as usize] += usize::from(does);
    }

    pub(super) fn turn(&mut self) -> Result<(), Unfit> {
        self.turns += 1;
        if self.turns > TURNS { Err(Unfit) } else { Ok(()) }
    }

    pub(super) fn step(&mut self, frame: &mut Frame<'a>, local: usize, step: &Step) -> Result<(), Unfit> {
        let now = frame.locals[local].ok_or(Unfit)?;
        let one = Number::truth(true);
        let next = match step {
            Step::Up => apply(Op::Add, now, one),
            Step::Down => apply(Op::Sub, now, one),
            Step::By(e) => apply(Op::Add, now, self.value(frame, e)?),
            Step::DownBy(e) => apply(Op::Sub, now, self.value(frame, e)?),
            Step::To(e) => Some(self.value(frame, e)?),
        };
        frame.set(local, next.ok_or(Unfit)?);
        Ok(())
    }

    pub(super) fn value(&self, frame: &Frame<'a>, e: &Expr) -> Result<Number, Unfit> {
        let of = |e: &Expr| self.value(frame, e);
        Ok(match e {
            Expr::Literal(literal) => literal.number(),
            Expr::Size => Number {
                value: self.program.size.into(),
                width: Width::Int,
                bent: false,
            },
            Expr::Param(p) => *frame.params.get(*p).ok_or(Unfit)?,
            Expr::Local(l) => frame.locals.get(*l).copied().flatten().ok_or(Unfit)?,
            Expr::Constant(c) => *self.constants.get(*c).ok_or(Unfit)?,
            Expr::Binary(op, a, b) => apply(*op, of(a)?, of(b)?).ok_or(Unfit)?,
            Expr::Cast(width, e) => of(e)?.to(*width),
            Expr::Negative(e) => of(e)?.negated().ok_or(Unfit)?,
            Expr::Not(e) => Number::truth(!of(e)?.holds()),
            Expr::Both(a, b) => Number::truth(of(a)?.holds() && of(b)?.holds()),
            Expr::Either(a, b) => Number::truth(of(a)?.holds() || of(b)?.holds()),
            Expr::Choice(c, a, b) => {
                let (a, b, first) = (of(a), of(b), of(c)?.holds());
                // Its type is that of both, so both have to have one.
                let width = a?.width.max(b?.width).max(Width::Int);
                if first { a?.to(width) } else { b?.to(width) }
            }
        })
    }
}

impl<'a> Frame<'a> {
    fn of(function: &'a Function, params: Vec<Number>, given: Option<i128>) -> Frame<'a> {
        Frame {
            function,
            params,
            locals: vec![None; function.locals.len()],
            given,
            own: 0,
            device: false,
            mapped: None,
        }
    }

    pub(super) fn set(&mut self, local: usize, value: Number) {
        self.locals[local] = Some(value.to(self.function.locals[local]));
    }
}
