//! Parts that hold other parts and that all ranks, or all threads, go through alike. MPI and OpenMP share these.
//!
//! ```c
//! if (size > 2) {                    /* a value that the `Place` knows; the condition holds everywhere      */
//!     MPI_Barrier(MPI_COMM_WORLD);   /* `Place::block`: what is planted is here, where everybody comes      */
//! } else { … }                       /* a block of its own, which nobody comes to                           */
//! ```

use super::builder::{Builder, Value};
use super::shapes::Frame;
use super::tree::{Stmt, block as braces, branch, line};

/// A place of a program where parts can be put.
pub trait Place: Sized {
    /// What can be wrong.
    type Defect;
    /// A place inside a part that is here.
    fn inner(&self) -> Self;
    /// A place inside a function that is called from here with [`Place::frame`].
    fn framed(&self) -> Self;
    /// What functions are called with from here.
    fn frame(&self) -> Frame;
    /// A value that is the same everywhere, after up to `most` ways.
    fn uniform(&self, b: &mut Builder, most: i64) -> Value;
    /// A value that is not the same everywhere, after up to `most` ways.
    fn divergent(&self, b: &mut Builder, most: i64) -> Value;
    /// Some parts in a row, one of which has what is planted.
    fn block(&self, b: &mut Builder, planted: &mut Planted<Self::Defect>) -> Vec<Stmt>;
}

/// A defect that waits for its place, and what is known of it once it has one.
#[derive(Clone, Debug)]
pub struct Planted<D> {
    waiting: Option<D>,
    /// Whether a run surely shows the defect.
    pub shows: bool,
    /// Whether what is missed is an `MPI_Allreduce`, so that a loop which ends by one may hide it.
    pub reduces: bool,
}

impl<D> Planted<D> {
    /// Nothing to plant.
    pub fn nothing() -> Planted<D> {
        Planted {
            waiting: None,
            shows: false,
            reduces: false,
        }
    }

    /// `defect`, to be planted.
    pub fn waiting(defect: D) -> Planted<D> {
        Planted {
            waiting: Some(defect),
            ..Planted::nothing()
        }
    }

    /// Whether something waits to be planted.
    pub fn is_there(&self) -> bool {
        self.waiting.is_some()
    }

    /// What waited, which from then on has its place.
    pub fn take(&mut self) -> Option<D> {
        self.waiting.take()
    }
}

/// A part that holds others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Container {
    If,
    Switch,
    Loop,
    Recursion,
    /// A call through a pointer that everybody sets to the same function.
    Pointer,
    /// A call behind `&&` with a condition that holds everywhere or nowhere.
    ShortCircuit,
}

/// Every container, with weights.
pub const CONTAINERS: [(u32, Container); 6] = [
    (5, Container::If),
    (2, Container::Switch),
    (4, Container::Loop),
    (2, Container::Recursion),
    (2, Container::Pointer),
    (2, Container::ShortCircuit),
];

/// A container with blocks in it; what is planted is surely reached.
pub fn container<P: Place>(b: &mut Builder, at: &P, of: Container, planted: &mut Planted<P::Defect>) -> Vec<Stmt> {
    match of {
        Container::If => uniform_if(b, at, planted),
        Container::Switch => uniform_switch(b, at, planted),
        Container::Loop => uniform_loop(b, at, planted),
        Container::Recursion => recursion(b, at, planted),
        Container::Pointer => pointer(b, at, planted),
        Container::ShortCircuit => short_circuit(b, at, planted),
    }
}

/// What a function may start with: a return that everybody would take.
pub fn uniform_return<P: Place>(b: &mut Builder, at: &P) -> Vec<Stmt> {
    let value = at.uniform(b, 1);
    let cond = b.holds(&value, false);
    let mut body = value.setup;
    body.push(branch(cond, vec![line("return;")], Vec::new()));
    body
}

/// What a function may end with: a return that only some take, after which nothing is left to do together.
pub fn late_return<P: Place>(b: &mut Builder, at: &P) -> Vec<Stmt> {
    let value = at.divergent(b, 1);
    let cond = b.splits(&value);
    let rest = b.arithmetic("1", 1, 2);
    let mut body = value.setup;
    body.push(branch(cond, vec![line("return;")], Vec::new()));
    body.extend(rest);
    body
}

/// `expr` changed by `less`.
fn lower(expr: &str, less: i64) -> String {
    match less {
        0 => expr.to_string(),
        less if less > 0 => format!("{expr} - {less}"),
        less => format!("{expr} + {}", -less),
    }
}

fn uniform_if<P: Place>(b: &mut Builder, at: &P, planted: &mut Planted<P::Defect>) -> Vec<Stmt> {
    let value = at.uniform(b, 2);
    let want = b.rng.chance(60);
    let cond = b.holds(&value, want);
    let taken = at.inner().block(b, planted);
    let mut stmts = value.setup;
    if want && b.rng.chance(50) {
        stmts.push(branch(cond, taken, Vec::new()));
    } else {
        let not = at.inner().block(b, &mut Planted::nothing());
        let (then, other) = if want { (taken, not) } else { (not, taken) };
        stmts.push(branch(cond, then, other));
    }
    stmts
}

fn uniform_switch<P: Place>(b: &mut Builder, at: &P, planted: &mut Planted<P::Defect>) -> Vec<Stmt> {
    let value = at.uniform(b, 1);
    let taken = at.inner().block(b, planted);
    let not = at.inner().block(b, &mut Planted::nothing());
    let there = b.rng.chance(50);
    let n = value.each[0] + if there { 0 } else { 1 };
    let (case, default) = if there { (taken, not) } else { (not, taken) };
    let body = vec![
        line(format!("case {n}:")),
        braces("", case),
        line("break;"),
        line("default:"),
        braces("", default),
    ];
    let mut stmts = value.setup;
    stmts.push(braces(format!("switch ({})", value.expr), body));
    stmts
}

fn uniform_loop<P: Place>(b: &mut Builder, at: &P, planted: &mut Planted<P::Defect>) -> Vec<Stmt> {
    let value = at.uniform(b, 1);
    let (trips, i) = (b.rng.range(1, 3), b.name("i"));
    let bound = lower(&value.expr, value.each[0] - trips);
    let mut body = at.inner().block(b, planted);
    let mut stmts = value.setup;
    match b.rng.below(4) {
        0 => {
            body.push(line(format!("{i}++;")));
            stmts.push(line(format!("int {i} = 0;")));
            stmts.push(braces(format!("while ({i} < {bound})"), body));
        }
        1 => {
            body.push(line(format!("{i}++;")));
            stmts.push(line(format!("int {i} = 0;")));
            stmts.push(Stmt::Block {
                head: "do".into(),
                body,
                tail: format!(" while ({i} < {bound});"),
            });
        }
        2 => {
            body.push(branch(format!("{i} + 1 >= {bound}"), vec![line("break;")], Vec::new()));
            stmts.push(braces(format!("for (int {i} = 0; {i} < 9; {i}++)"), body));
        }
        _ => {
            if b.rng.chance(30) {
                body.insert(0, branch(format!("{i} % 2 == 1"), vec![line("continue;")], Vec::new()));
            }
            stmts.push(braces(format!("for (int {i} = 0; {i} < {bound}; {i}++)"), body));
        }
    }
    stmts
}

fn recursion<P: Place>(b: &mut Builder, at: &P, planted: &mut Planted<P::Defect>) -> Vec<Stmt> {
    let (name, frame) = (b.name("walk"), at.frame());
    let value = at.uniform(b, 1);
    let bound = lower(&value.expr, value.each[0] - b.rng.range(1, 2));
    let mut body = vec![branch("left <= 0", vec![line("return;")], Vec::new())];
    body.extend(at.framed().block(b, planted));
    body.push(line(format!("{name}({});", frame.forwarded(&["left - 1"]))));
    b.function(&format!("void {name}"), &frame.params(&["int left"]), &body);
    let mut stmts = value.setup;
    stmts.push(line(format!("{name}({});", frame.args(&[&bound]))));
    stmts
}

fn pointer<P: Place>(b: &mut Builder, at: &P, planted: &mut Planted<P::Defect>) -> Vec<Stmt> {
    let (frame, names) = (at.frame(), [b.name("work"), b.name("work")]);
    let value = at.uniform(b, 1);
    let cond = b.holds(&value, true);
    let body = at.framed().block(b, planted);
    b.function(&format!("void {}", names[0]), &frame.params(&[]), &body);
    let body = at.framed().block(b, &mut Planted::nothing());
    b.function(&format!("void {}", names[1]), &frame.params(&[]), &body);
    let f = b.name("f");
    let mut stmts = value.setup;
    stmts.push(line(format!("void (*{f})({}) = {};", frame.types(), names[1])));
    stmts.push(branch(cond, vec![line(format!("{f} = {};", names[0]))], Vec::new()));
    stmts.push(line(format!("{f}({});", frame.args(&[]))));
    stmts
}

fn short_circuit<P: Place>(b: &mut Builder, at: &P, planted: &mut Planted<P::Defect>) -> Vec<Stmt> {
    let (name, frame) = (b.name("vote"), at.frame());
    let value = at.uniform(b, 1);
    let (cond, result) = (b.holds(&value, true), b.rng.range(0, 1));
    let mut body = at.framed().block(b, planted);
    body.push(line(format!("return {result};")));
    b.function(&format!("int {name}"), &frame.params(&[]), &body);
    let then = b.arithmetic(&value.expr, 1, 1);
    let mut stmts = value.setup;
    stmts.push(branch(
        format!("{cond} && {name}({})", frame.args(&[])),
        then,
        Vec::new(),
    ));
    stmts
}
