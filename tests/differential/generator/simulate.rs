//! Runs the control flow of a program without its data: how many kernels it launches, and which kernels some run of an
//! enclosing loop never reaches. Branches on array contents count as taken; the generator puts neither kernels nor jumps
//! behind them where the answer matters.

use super::ast::*;
use super::frames::{self, Frame};
use super::walk::called_bodies;
use std::collections::{BTreeMap, BTreeSet};

/// What a run of the program does.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub launches: u64,
    pub steps: u64,
    /// Loops that were entered and left without reaching a kernel that stands in them, calls included.
    pub starved: BTreeSet<(LoopId, usize)>,
    /// Some loop with kernels in it was left, or never entered because the function returned before it, without any kernel of
    /// it having run.
    pub idle: bool,
    /// Some loop with kernels in it ran any of them in less than two iterations.
    pub brief: bool,
    /// In some loop with kernels a condition held whenever it was asked, and the host did something because of it.
    pub insistent: bool,
    /// Which kernels run depends on what arrays hold.
    pub uncertain: bool,
}

/// One way that a statement may go: which statement, and which of its ways.
type Way = (*const Stmt, usize);

/// What one run of a loop has seen.
#[derive(Default)]
struct Entered {
    /// How often control came to a statement that asks for something.
    asked: BTreeMap<*const Stmt, u64>,
    /// How often it went a way on which the host does something.
    went: BTreeMap<Way, u64>,
    /// Iterations that ran a kernel.
    launching: u64,
}

/// A run stops being followed after this many steps; no useful test case is that long.
pub const MAX_STEPS: u64 = 20_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Jump(Jump),
}

struct Run<'a> {
    program: &'a Program,
    counters: Vec<i64>,
    frames: Vec<Frame>,
    reached: Vec<BTreeSet<usize>>,
    /// The loops that run, outermost first, those of callers too.
    entered: Vec<Entered>,
    outcome: Outcome,
}

/// The kernels that stand in `block` and in what it calls.
pub fn kernels_in(program: &Program, block: &[Stmt]) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    visit(block, &mut |s| match s {
        Stmt::Kernel(k) => {
            out.insert(k.id);
        }
        Stmt::Call(c) => out.extend(called_bodies(program, c.function).flat_map(|b| kernels_in(program, b))),
        _ => {}
    });
    out
}

/// Whether a loop with kernels stands in `block`.
fn loops_kernels(program: &Program, block: &[Stmt]) -> bool {
    let mut found = false;
    visit(block, &mut |s| {
        found |= matches!(s, Stmt::Loop(l) if !kernels_in(program, &l.body).is_empty());
    });
    found
}

/// Follows one run of the program.
pub fn simulate(program: &Program) -> Outcome {
    let mut run = Run {
        program,
        counters: vec![0; program.loops],
        frames: Vec::new(),
        reached: vec![BTreeSet::new()],
        entered: Vec::new(),
        outcome: Outcome::default(),
    };
    run.block(&program.functions[0].body);
    run.outcome
}

/// Whether a call gets behind the first line of the function.
fn runs(program: &Program, call: &Call) -> bool {
    let first = call.args.first().map(|(n, _)| *n);
    !program.functions[call.function].nullable || first.is_none_or(|n| program.exists(n))
}

/// Whether the host does something in a block, and not only kernels run.
fn does_something(block: &[Stmt]) -> bool {
    let mut something = false;
    visit(block, &mut |s| something |= matches!(s, Stmt::Host(_) | Stmt::Call(_)));
    something
}

impl Run<'_> {
    fn counter(&self, id: LoopId) -> i64 {
        if frames::counts(&self.frames, id) {
            self.counters[id]
        } else {
            0
        }
    }

    fn holds(&self, cond: &Cond) -> bool {
        match *cond {
            Cond::RuntimeGreater(r, c) => self.program.runtimes[r] > c,
            Cond::CounterMod { id, modulus, equals } => self.counter(id) % modulus == equals,
            Cond::CounterLess(id, c) => self.counter(id) < c,
            Cond::Parity(id, _) => self.counter(id) % 2 != 0,
            Cond::Real(id, c) => self.counter(id) * 3 > 4 * c,
            Cond::Flag(flag, asked) => self.program.asks(flag, asked),
            Cond::Data { .. } => true,
        }
    }

    fn trip(&self, trip: &Trip) -> i64 {
        match *trip {
            Trip::Lit(v) | Trip::Macro(v) => v,
            Trip::Runtime(r) => self.program.runtimes[r],
            Trip::RuntimeLess(r, c) => self.program.runtimes[r] - c,
            Trip::Counter(id) if frames::counts(&self.frames, id) => self.counters[id],
            Trip::Counter(_) => 1,
            Trip::Edge(ref edge) => self.program.edge(edge),
        }
    }

    fn block(&mut self, block: &[Stmt]) -> Flow {
        for s in block {
            self.outcome.steps += 1;
            if self.outcome.steps > MAX_STEPS {
                return Flow::Jump(Jump::Exit);
            }
            self.note_data(s);
            let flow = self.stmt(s);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    /// Notes what nobody can know: which way a branch on data goes.
    fn note_data(&mut self, s: &Stmt) {
        let branches = match s {
            Stmt::Jump {
                cond: Cond::Data { .. },
                ..
            } => true,
            Stmt::If {
                cond: Cond::Data { .. },
                then,
                other,
                ..
            } => [then, other].into_iter().any(|b| {
                let mut jumps = false;
                visit(b, &mut |s| jumps |= matches!(s, Stmt::Jump { .. }));
                jumps || !kernels_in(self.program, b).is_empty()
            }),
            _ => false,
        };
        self.outcome.uncertain |= branches;
    }

    /// Notes which way a statement goes, and whether the host does something there.
    fn goes(&mut self, s: &Stmt, way: usize, something: bool) {
        for entered in &mut self.entered {
            *entered.asked.entry(s).or_default() += 1;
            *entered.went.entry((s, way)).or_default() += u64::from(something);
        }
    }

    /// Whether an access is made behind its guard. Where [`Guard::Spot`] points is not followed.
    fn spares(&self, guard: Guard) -> bool {
        match guard {
            Guard::Spot => true,
            Guard::Divisor(r) | Guard::Remainder(_, r) => self.program.runtimes[r] != 0,
            Guard::Counter(id) => self.counter(id) != 0,
        }
    }

    fn within(&mut self, frame: Frame, block: &[Stmt]) -> Flow {
        self.frames.push(frame);
        let flow = self.block(block);
        self.frames.pop();
        flow
    }

    fn stmt(&mut self, s: &Stmt) -> Flow {
        match s {
            Stmt::Kernel(k) => {
                self.outcome.launches += 1;
                for set in &mut self.reached {
                    set.insert(k.id);
                }
                Flow::Next
            }
            Stmt::If { cond, then, other, .. } => {
                let (way, side) = if self.holds(cond) { (0, then) } else { (1, other) };
                self.goes(s, way, does_something(side));
                self.block(side)
            }
            Stmt::Host(HostOp::Guarded { guard, .. }) => {
                let held = self.spares(*guard);
                self.goes(s, 0, held);
                Flow::Next
            }
            Stmt::Switch { on, arms } => {
                let value = match *on {
                    Selector::Runtime(r) => self.program.runtimes[r],
                    Selector::Counter(id) => self.counter(id),
                };
                let first = (value % (arms.len() as i64 + 1)) as usize;
                self.goes(s, first, arms.get(first).is_some_and(|arm| does_something(&arm.body)));
                for arm in arms.iter().skip(first) {
                    match self.within(Frame::Switch, &arm.body) {
                        Flow::Jump(Jump::Break) => return Flow::Next,
                        Flow::Next => {}
                        flow => return flow,
                    }
                    if !arm.falls_through {
                        break;
                    }
                }
                Flow::Next
            }
            // A jump that depends on data is not taken: the run that is followed is the longest one.
            Stmt::Jump { cond, kind }
                if !matches!(cond, Cond::Data { .. }) && frames::lands(&self.frames, *kind) && self.holds(cond) =>
            {
                Flow::Jump(*kind)
            }
            Stmt::When { name, form, body } if self.program.exists(*name) => {
                self.goes(s, 0, does_something(body));
                self.outcome.brief |= *form == When::Loop && !kernels_in(self.program, body).is_empty();
                self.block(body)
            }
            Stmt::When { form, body, .. } => {
                // A loop of no trips.
                self.outcome.idle |= *form == When::Loop && !kernels_in(self.program, body).is_empty();
                Flow::Next
            }
            Stmt::Call(c) if !runs(self.program, c) => {
                self.outcome.idle |= loops_kernels(self.program, &self.program.functions[c.function].body);
                Flow::Next
            }
            Stmt::Call(c) => {
                let outer = std::mem::take(&mut self.frames);
                self.reached.push(BTreeSet::new());
                self.call(c.function, c.depth);
                let reached = self.reached.pop().unwrap_or_default();
                let function = &self.program.functions[c.function];
                // A function that calls itself is a loop.
                if function.recursion != Recursion::None {
                    let missed = kernels_in(self.program, &function.body);
                    self.outcome.idle |= !missed.is_empty() && missed.is_disjoint(&reached);
                    self.outcome.brief |= !missed.is_empty() && c.depth < 1;
                }
                self.frames = outer;
                Flow::Next
            }
            Stmt::Region { form, body, .. } => self.within(
                Frame::Region {
                    unstructured: form.unstructured(),
                },
                body,
            ),
            Stmt::Sync { body, .. } | Stmt::Choose { body, .. } => self.block(body),
            Stmt::Loop(l) => self.host_loop(l),
            _ => Flow::Next,
        }
    }

    fn call(&mut self, function: FunctionId, depth: i64) {
        let program = self.program;
        let f = &program.functions[function];
        let again = f.partner.unwrap_or(function);
        let recurs = |at| f.recursion == at && depth > 0;
        if recurs(Recursion::First) {
            self.call(again, depth - 1);
        }
        let flow = self.block(&f.body);
        if recurs(Recursion::Last) && flow == Flow::Next {
            self.call(again, depth - 1);
        }
    }

    fn host_loop(&mut self, l: &Loop) -> Flow {
        let trip = self.trip(&l.trip);
        let (first, times) = match l.kind {
            LoopKind::Converted(_, below, form) if below > 0 || form == ConvertedForm::Far => (0, 0),
            LoopKind::For | LoopKind::Wrapping(_) | LoopKind::Converted(..) => (0, trip),
            LoopKind::While => (1, trip),
            LoopKind::DoWhile => (1, trip.max(1)),
            LoopKind::Middle(_) => (0, trip.max(0) + 1),
            LoopKind::Entered(_, r) if self.program.runtimes[r] < 0 => (0, 0),
            LoopKind::Entered(..) => (0, trip.max(1)),
        };
        self.reached.push(BTreeSet::new());
        self.entered.push(Entered::default());
        let mut left = Flow::Next;
        for k in 0..times {
            self.counters[l.id] = first + k;
            let body = match l.kind {
                LoopKind::Middle(tested) if k + 1 == times => &l.body[..tested.min(l.body.len())],
                LoopKind::Entered(passed, r) if k == 0 && self.program.runtimes[r] % 2 == 1 => {
                    &l.body[passed.min(l.body.len())..]
                }
                _ => &l.body,
            };
            let before = self.outcome.launches;
            let flow = self.within(Frame::Loop(l.id), body);
            if let Some(entered) = self.entered.last_mut() {
                entered.launching += u64::from(self.outcome.launches > before);
            }
            match flow {
                Flow::Next | Flow::Jump(Jump::Continue) => {}
                Flow::Jump(Jump::Break) => break,
                Flow::Jump(Jump::Out(id)) if id == l.id => break,
                flow => {
                    left = flow;
                    break;
                }
            }
        }
        let reached = self.reached.pop().unwrap_or_default();
        let missed = kernels_in(self.program, &l.body);
        self.outcome.idle |= !missed.is_empty() && missed.is_disjoint(&reached);
        let entered = self.entered.pop().unwrap_or_default();
        if !missed.is_empty() {
            let always = |((s, _), went): (&Way, &u64)| entered.asked.get(s) == Some(went);
            self.outcome.brief |= entered.launching < 2;
            self.outcome.insistent |= entered.went.iter().any(always);
        }
        self.outcome
            .starved
            .extend(missed.difference(&reached).map(|k| (l.id, *k)));
        left
    }
}
