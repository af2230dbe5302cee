//! Runs a function, and tells an observer what it touches, loop by loop and iteration by iteration.
//!
//! What C leaves undefined (signed overflow, division by zero, an access outside of all memory), and loops that go on for
//! too long, end the run: nothing is to be learned from it.

use super::ast::{E, Function, Loop, Place, S, Ty, Var};

/// Where a byte or variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cell {
    Byte(i64),
    Var(Var),
}

/// An access through an array, for sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Through {
    /// 0 to 2: a, b, c; 3: G.
    pub array: usize,
    /// Bytes from its start.
    pub offset: i64,
    pub bytes: i64,
}

/// Who watches.
pub trait Observer {
    fn enter(&mut self, l: &Loop, vars: &[i128]) -> Result<(), String>;
    fn iteration(&mut self);
    fn leave(&mut self) -> Result<(), String>;
    fn touch(&mut self, cell: Cell, writes: bool) -> Result<(), String>;
    fn through(&mut self, through: Through, writes: bool) -> Result<(), String>;
}

/// Why a run ended early.
pub enum Stop {
    Undefined,
    Wrong(String),
}

impl From<String> for Stop {
    fn from(why: String) -> Stop {
        Stop::Wrong(why)
    }
}

const MEMORY: i64 = 4096;
const GRID: i64 = 100_000;
const GRID_BYTES: i64 = 12 * 7 * 4;
const STEPS: usize = 20_000;

pub struct Machine<'a> {
    function: &'a Function,
    pub vars: Vec<i128>,
    /// Where `a`, `b` and `c` point.
    pub pointers: [i64; 3],
    memory: Vec<u8>,
    grid: Vec<u8>,
    observer: &'a mut dyn Observer,
    steps: usize,
}

enum Flow {
    On,
    Continue,
}

impl<'a> Machine<'a> {
    pub fn new(
        function: &'a Function,
        vars: Vec<i128>,
        pointers: [i64; 3],
        memory: impl Fn(usize) -> u8,
        observer: &'a mut dyn Observer,
    ) -> Machine<'a> {
        Machine {
            function,
            vars,
            pointers,
            memory: (0..MEMORY as usize).map(&memory).collect(),
            grid: (0..GRID_BYTES as usize).map(&memory).collect(),
            observer,
            steps: 0,
        }
    }

    pub fn run(&mut self) -> Result<(), Stop> {
        let function = self.function;
        self.block(&function.body)?;
        self.observer.touch(Cell::Var(function.result), false)?;
        Ok(())
    }

    fn block(&mut self, body: &[S]) -> Result<Flow, Stop> {
        for s in body {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Stop::Undefined);
            }
            match s {
                S::Store(p, e) => {
                    let value = self.eval(e)?.0;
                    self.access(p, Some(value))?;
                }
                S::Set(v, e) => {
                    let value = self.eval(e)?.0;
                    self.set(*v, value)?;
                }
                S::Update(v, op, e) => {
                    let right = self.eval(e)?;
                    let left = self.var(*v)?;
                    let value = arithmetic(*op, left, right)?.0;
                    self.set(*v, value)?;
                }
                S::If(l, cmp, r, yes, no) => {
                    let taken = self.compare(l, cmp, r)?;
                    if let Flow::Continue = self.block(if taken { yes } else { no })? {
                        return Ok(Flow::Continue);
                    }
                }
                S::Continue => return Ok(Flow::Continue),
                S::For(l) => self.run_loop(l)?,
            }
        }
        Ok(Flow::On)
    }

    fn run_loop(&mut self, l: &Loop) -> Result<(), Stop> {
        let first = self.eval(&l.first)?.0;
        self.set(l.var, first)?;
        self.observer.enter(l, &self.vars)?;
        loop {
            // The test belongs to the iteration that it begins; the last one has no iteration.
            self.observer.iteration();
            if !self.compare(&E::Var(l.var), l.cmp, &l.end)? {
                break;
            }
            self.block(&l.body)?;
            let ty = self.function.vars[l.var].ty;
            let (value, _) = arithmetic('+', (self.vars[l.var], ty), (i128::from(l.step), ty))?;
            self.set(l.var, value)?;
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Stop::Undefined);
            }
        }
        self.observer.leave()?;
        Ok(())
    }

    fn set(&mut self, v: Var, value: i128) -> Result<(), Stop> {
        self.vars[v] = wrap(value, self.function.vars[v].ty);
        self.observer.touch(Cell::Var(v), true)?;
        Ok(())
    }

    fn var(&mut self, v: Var) -> Result<(i128, Ty), Stop> {
        self.observer.touch(Cell::Var(v), false)?;
        Ok((self.vars[v], self.function.vars[v].ty))
    }

    fn compare(&mut self, l: &E, cmp: &str, r: &E) -> Result<bool, Stop> {
        let ((l, lt), (r, rt)) = (self.eval(l)?, self.eval(r)?);
        let ty = lt.with(rt);
        let (l, r) = (wrap(l, ty), wrap(r, ty));
        Ok(match cmp {
            "<" => l < r,
            "<=" => l <= r,
            ">" => l > r,
            ">=" => l >= r,
            "==" => l == r,
            _ => l != r,
        })
    }

    fn eval(&mut self, e: &E) -> Result<(i128, Ty), Stop> {
        match e {
            E::Const(c) => Ok((i128::from(*c), Ty::Int)),
            E::Var(v) => self.var(*v),
            E::Bin(op, l, r) => {
                let (l, r) = (self.eval(l)?, self.eval(r)?);
                arithmetic(*op, l, r)
            }
            E::Load(p) => Ok((self.access(p, None)?, Ty::Int)),
            E::Cast(ty, e) => {
                let value = self.eval(e)?.0;
                Ok(match *ty {
                    "unsigned char" => (value.rem_euclid(256), Ty::Int),
                    "short" => ((value + 32768).rem_euclid(65536) - 32768, Ty::Int),
                    "unsigned" => (wrap(value, Ty::Unsigned), Ty::Unsigned),
                    "long" => (wrap(value, Ty::Long), Ty::Long),
                    "size_t" => (wrap(value, Ty::Size), Ty::Size),
                    _ => (wrap(value, Ty::Int), Ty::Int),
                })
            }
        }
    }

    fn access(&mut self, p: &Place, store: Option<i128>) -> Result<i128, Stop> {
        let (array, index, scale) = match p {
            Place::Element(a, e) => (*a, self.eval(e)?, 4),
            Place::Byte(a, e) => (*a, self.eval(e)?, 1),
            Place::Cell(e, f) => {
                let (row, column) = (self.eval(e)?.0, self.eval(f)?.0);
                let flat = row
                    .checked_mul(7)
                    .and_then(|r| r.checked_add(column))
                    .ok_or(Stop::Undefined)?;
                (3, (flat, Ty::Long), 4)
            }
        };
        // As addresses are computed: modulo two to the 64.
        let offset = (index.0 as u64).wrapping_mul(scale as u64) as i64;
        let (start, limit) = if array == 3 {
            (0, GRID_BYTES)
        } else {
            (self.pointers[array], MEMORY)
        };
        let at = start.checked_add(offset).ok_or(Stop::Undefined)?;
        if at < 0 || at + scale > limit {
            return Err(Stop::Undefined);
        }
        let cell = |byte: i64| Cell::Byte(if array == 3 { GRID + byte } else { byte });
        for byte in at..at + scale {
            self.observer.touch(cell(byte), store.is_some())?;
        }
        let through = Through {
            array,
            offset,
            bytes: scale,
        };
        self.observer.through(through, store.is_some())?;
        let memory = if array == 3 { &mut self.grid } else { &mut self.memory };
        let range = at as usize..(at + scale) as usize;
        match store {
            Some(value) => {
                let bytes = (value as u32).to_le_bytes();
                memory[range].copy_from_slice(&bytes[..scale as usize]);
                Ok(value)
            }
            None if scale == 1 => Ok(i128::from(memory[at as usize] as i8)),
            None => {
                let mut bytes = [0; 4];
                bytes.copy_from_slice(&memory[range]);
                Ok(i128::from(i32::from_le_bytes(bytes)))
            }
        }
    }
}

fn wrap(value: i128, ty: Ty) -> i128 {
    let modulus = 1i128 << ty.bits();
    let low = value.rem_euclid(modulus);
    if ty.signed() && low >= modulus / 2 {
        low - modulus
    } else {
        low
    }
}

fn arithmetic(op: char, (l, lt): (i128, Ty), (r, rt): (i128, Ty)) -> Result<(i128, Ty), Stop> {
    let ty = lt.with(rt);
    let (l, r) = (wrap(l, ty), wrap(r, ty));
    let value = match op {
        '+' => l + r,
        '-' => l - r,
        '*' => l.checked_mul(r).ok_or(Stop::Undefined)?,
        '/' => l.checked_div(r).ok_or(Stop::Undefined)?,
        '%' => l.checked_rem(r).ok_or(Stop::Undefined)?,
        '^' => l ^ r,
        '|' => l | r,
        _ => return Err(Stop::Undefined),
    };
    if ty.signed() && wrap(value, ty) != value {
        return Err(Stop::Undefined);
    }
    Ok((wrap(value, ty), ty))
}
