//! Runs a program before anybody else does: what it does is either defined, or the statement that is to blame is known.
//!
//! Arrays have no ends here. How far a run gets in each is how large it will be, so that a program has no element that is
//! never touched, and a kernel that maps too much is wrong.

use super::ast::*;
use super::value::{Undefined, Value, apply};

/// Elements that an array may have.
const MOST: i64 = 4096;
/// Statements that a run may take.
const STEPS: u64 = 120_000;
/// Times that loops may be begun: each may become a kernel, and starting one takes long.
const LOOPS: u64 = 900;

/// What a run was like.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How many elements arrays need that have memory of their own.
    pub sizes: Vec<i64>,
}

/// A statement at the top of a function that should not be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blame {
    pub function: FnId,
    pub item: usize,
}

/// Pointers in a table.
pub const TABLE: i64 = 4;

struct Object {
    elem: Ty,
    cells: Vec<Option<Value>>,
    /// One past the last element that was touched.
    top: i64,
}

struct Machine<'a> {
    program: &'a Program,
    vars: Vec<Option<Value>>,
    objects: Vec<Object>,
    /// What each name points to.
    bound: Vec<Option<(usize, i64)>>,
    steps: u64,
    loops: u64,
    blame: Vec<Blame>,
}

#[derive(PartialEq)]
enum Flow {
    On,
    Continue,
    Break,
    Return(Value),
}

/// Runs a program.
pub fn run(program: &Program) -> Result<Ran, Blame> {
    let mut machine = Machine {
        program,
        vars: vec![None; program.vars.len()],
        objects: Vec::new(),
        bound: vec![None; program.arrays.len()],
        steps: 0,
        loops: 0,
        blame: Vec::new(),
    };
    for (v, var) in program.vars.iter().enumerate() {
        if matches!(var.kind, VarKind::Static | VarKind::Global) {
            machine.vars[v] = Value::Int(0, Ty::Int).to(var.ty).ok();
        }
    }
    for (a, array) in program.arrays.iter().enumerate() {
        let Some(f) = array.fill() else { continue };
        let cell = |i: i64| {
            Value::Int((f.factor * i + f.add) % f.modulus, Ty::Int)
                .to(array.elem)
                .ok()
        };
        machine.bound[a] = Some((machine.objects.len(), 0));
        machine.objects.push(Object {
            elem: array.elem,
            cells: (0..MOST).map(cell).collect(),
            top: 0,
        });
    }
    let last = program.functions.len() - 1;
    match machine.call(last, &[]) {
        Ok(_) => Ok(Ran {
            sizes: program
                .arrays
                .iter()
                .enumerate()
                .map(|(a, array)| match machine.bound[a] {
                    Some((object, _)) if array.fill().is_some() => machine.objects[object].top,
                    _ => 0,
                })
                .collect(),
        }),
        Err(Undefined) => Err(machine.blame.pop().unwrap_or(Blame {
            function: last,
            item: 0,
        })),
    }
}

impl Machine<'_> {
    fn call(&mut self, f: FnId, args: &[Arg]) -> Result<Option<Value>, Undefined> {
        let program = self.program;
        let function = &program.functions[f];
        // All arguments are worth something before any parameter is.
        let mut values = Vec::new();
        let mut pointers = Vec::new();
        for arg in args {
            match arg {
                Arg::Value(e) => values.push(self.eval(e)?),
                Arg::Array(a, e) => pointers.push(Some(self.point(*a, e)?)),
                Arg::Null => pointers.push(None),
            }
        }
        for (v, var) in program.vars.iter().enumerate() {
            if var.kind == VarKind::Top && var.owner == f {
                self.vars[v] = None;
            }
        }
        let (mut values, mut pointers) = (values.into_iter(), pointers.into_iter());
        for param in &function.params {
            match param {
                Param::Var(v) => {
                    let value = values.next().ok_or(Undefined)?;
                    self.vars[*v] = Some(value.to(program.vars[*v].ty)?);
                }
                Param::Array(a) => {
                    self.bound[*a] = pointers.next().ok_or(Undefined)?;
                    if let Some(row) = &program.arrays[*a].row
                        && self.eval(row)?.index()? < 1
                    {
                        return Err(Undefined);
                    }
                }
            }
        }
        let mut result = None;
        for (item, s) in function.body.iter().enumerate() {
            if f >= program.helpers {
                self.blame.push(Blame { function: f, item });
            }
            match self.statement(s)? {
                Flow::On => {}
                Flow::Return(v) => result = Some(v.to(function.returns.ok_or(Undefined)?)?),
                Flow::Continue | Flow::Break => return Err(Undefined),
            }
            if f >= program.helpers {
                self.blame.pop();
            }
            if result.is_some() {
                break;
            }
        }
        Ok(result)
    }

    fn block(&mut self, block: &[S]) -> Result<Flow, Undefined> {
        for s in block {
            match self.statement(s)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, s: &S) -> Result<Flow, Undefined> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Undefined);
        }
        match s {
            S::Declare(v, e) => {
                let value = self.eval(e)?.to(self.program.vars[*v].ty)?;
                self.vars[*v] = Some(value);
            }
            S::Scratch(a) => {
                let array = &self.program.arrays[*a];
                let ArrayKind::Scratch(count) = array.kind else {
                    return Err(Undefined);
                };
                self.bound[*a] = Some((self.objects.len(), 0));
                self.objects.push(Object {
                    elem: array.elem,
                    cells: vec![None; count as usize],
                    top: 0,
                });
            }
            S::Point(p, a, e) => {
                let (object, at) = self.point(*a, e)?;
                if self.program.arrays[*p].kind == ArrayKind::Tabled {
                    // All of the table's pointers are into the array, or behind its end.
                    let step = self.eval(e)?.index()?;
                    let first = self.bound[*a].ok_or(Undefined)?.1;
                    let last = step.checked_mul(TABLE - 1).and_then(|e| e.checked_add(first));
                    self.reach(object, last.ok_or(Undefined)?)?;
                }
                self.bound[*p] = Some((object, at));
            }
            S::Swap(a, b) => self.bound.swap(*a, *b),
            S::Assign(Lhs::Var(v), op, e) => {
                let mut value = self.eval(e)?;
                if let Some(op) = op {
                    value = apply(op, self.vars[*v].ok_or(Undefined)?, value)?;
                }
                self.vars[*v] = Some(value.to(self.program.vars[*v].ty)?);
            }
            S::Assign(Lhs::Cell(p), op, e) => {
                let (object, at) = self.cell(p)?;
                let mut value = self.eval(e)?;
                if let Some(op) = op {
                    value = apply(op, self.objects[object].cells[at].ok_or(Undefined)?, value)?;
                }
                let elem = self.objects[object].elem;
                self.objects[object].cells[at] = Some(value.to(elem)?);
            }
            S::If(e, yes, no) => {
                let taken = self.eval(e)?.holds();
                return self.block(if taken { yes } else { no });
            }
            S::For(l) => return self.count(l),
            S::Continue => return Ok(Flow::Continue),
            S::Break => return Ok(Flow::Break),
            S::Call(f, args) => {
                self.call(*f, args)?;
            }
            S::Show(e) => {
                self.eval(e)?;
            }
            S::Return(e) => return Ok(Flow::Return(self.eval(e)?)),
        }
        Ok(Flow::On)
    }

    fn count(&mut self, l: &For) -> Result<Flow, Undefined> {
        self.loops += 1;
        if self.loops > LOOPS {
            return Err(Undefined);
        }
        if !l.kernel.is_empty() {
            self.mapped(&l.kernel)?;
        }
        let ty = self.program.vars[l.var].ty;
        let mut at = self.eval(&l.first)?.to(ty)?;
        loop {
            self.vars[l.var] = Some(at);
            let end = self.eval(&l.end)?;
            if !apply(l.cmp, at, end)?.holds() {
                return Ok(Flow::On);
            }
            match self.block(&l.body)? {
                Flow::On | Flow::Continue => {}
                Flow::Break => return Ok(Flow::On),
                flow => return Ok(flow),
            }
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Undefined);
            }
            at = apply("+", at, Value::Int(l.step, Ty::Int))?.to(ty)?;
        }
    }

    /// What one directive maps exists, and no two items overlap.
    fn mapped(&mut self, items: &[(ArrayId, E, bool)]) -> Result<(), Undefined> {
        let mut ranges: Vec<(usize, i64, i64)> = Vec::new();
        for (a, count, _) in items {
            let count = self.eval(count)?.index()?;
            let (object, lo) = self.bound[*a].ok_or(Undefined)?;
            let hi = lo.checked_add(count).ok_or(Undefined)?;
            let meets = |(o, l, h): &(usize, i64, i64)| *o == object && *l < hi && lo < *h;
            if count < 1 || ranges.iter().any(meets) {
                return Err(Undefined);
            }
            self.reach(object, hi - 1)?;
            ranges.push((object, lo, hi));
        }
        Ok(())
    }

    fn reach(&mut self, object: usize, at: i64) -> Result<(), Undefined> {
        let o = &mut self.objects[object];
        o.top = o.top.max(at.saturating_add(1));
        match at >= 0 && at < o.cells.len() as i64 {
            true => Ok(()),
            false => Err(Undefined),
        }
    }

    /// `a + e`.
    fn point(&mut self, a: ArrayId, e: &E) -> Result<(usize, i64), Undefined> {
        let (object, offset) = self.bound[a].ok_or(Undefined)?;
        let at = offset.checked_add(self.eval(e)?.index()?).ok_or(Undefined)?;
        if at > 0 {
            self.reach(object, at - 1)?;
        }
        match at >= 0 {
            true => Ok((object, at)),
            false => Err(Undefined),
        }
    }

    fn cell(&mut self, p: &Place) -> Result<(usize, usize), Undefined> {
        let (object, offset) = self.bound[p.array].ok_or(Undefined)?;
        let mut at = self.eval(p.at.first().ok_or(Undefined)?)?.index()?;
        if let Some(row) = &self.program.arrays[p.array].row {
            let row = self.eval(row)?.index()?;
            let column = self.eval(p.at.get(1).ok_or(Undefined)?)?.index()?;
            if column < 0 || column >= row {
                return Err(Undefined);
            }
            // The row is an object: all of it is there.
            let start = at.checked_mul(row).ok_or(Undefined)?;
            let end = start.checked_add(row - 1).and_then(|end| offset.checked_add(end));
            self.reach(object, end.ok_or(Undefined)?)?;
            at = start.checked_add(column).ok_or(Undefined)?;
        }
        let at = offset.checked_add(at).ok_or(Undefined)?;
        self.reach(object, at)?;
        Ok((object, at as usize))
    }

    fn eval(&mut self, e: &E) -> Result<Value, Undefined> {
        match e {
            E::Num(v) => Ok(Value::Int(*v, Ty::Int)),
            E::Halves(v) => Ok(Value::Real(*v as f64 / 2.0)),
            E::Var(v) => self.vars[*v].ok_or(Undefined),
            E::Load(p) => {
                let (object, at) = self.cell(p)?;
                self.objects[object].cells[at].ok_or(Undefined)
            }
            E::Bin(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                apply(op, a, b)
            }
            E::Choose(c, a, b) => {
                // The two values have the type of both together; the generator gives them one.
                let taken = self.eval(c)?.holds();
                self.eval(if taken { a } else { b })
            }
            E::Cast(ty, e) => self.eval(e)?.to(*ty),
            E::Call(f, args) => self.call(*f, args)?.ok_or(Undefined),
        }
    }
}
