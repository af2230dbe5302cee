//! What goes wrong in a parallel region.

use super::divergent::{self, Origin};
use super::scope::Scope;
use super::sync::Sync;
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::containers::{self, Place};
use crate::collectives::generator::flows::{self, Flow};
use crate::collectives::generator::shapes::{SHAPES, Shape, Shaped, placed, shape};
use crate::collectives::generator::tree::{Stmt, block, branch, line, omp};

/// A defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Defect {
    /// Missed by some threads.
    Shape(Shape),
    /// As above, on an element of an array of which another element was set last.
    WeakElement(Shape),
    /// As above, on what a `single` set without `copyprivate`.
    MissingCopyprivate(Shape),
    /// As above, on a shared variable that is read without a barrier after the thread that sets it.
    MissingBarrier(Shape),
    /// A barrier or a construct that shares work, in a function that is called in another construct.
    Inside(Construct),
    /// A barrier on each side of a branch on the thread, in equal number.
    Unaligned(Sides),
}

/// A construct in which no barrier may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Construct {
    Single,
    SingleNowait,
    Master,
    Critical,
    Ordered,
    For,
    Section,
    Task,
}

/// Every construct.
pub const CONSTRUCTS: [Construct; 8] = [
    Construct::Single,
    Construct::SingleNowait,
    Construct::Master,
    Construct::Critical,
    Construct::Ordered,
    Construct::For,
    Construct::Section,
    Construct::Task,
];

/// How barriers are on both sides of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sides {
    Direct,
    /// One side, or both, in a function.
    InFunction,
    /// Two on each side.
    Two,
    /// Sides that are branches again.
    Nested,
    /// Before an early return, and after.
    BeforeReturn,
}

/// Every way.
pub const SIDES: [Sides; 5] = [
    Sides::Direct,
    Sides::InFunction,
    Sides::Two,
    Sides::Nested,
    Sides::BeforeReturn,
];

/// A defect that waits for its place.
pub type Planted = containers::Planted<Defect>;

/// Any defect that makes threads meet different barriers or constructs.
pub fn any(b: &mut Builder) -> Defect {
    let shape = b.pick(&SHAPES);
    let construct = b.pick(&CONSTRUCTS);
    b.rng.weighted(&[
        (10, Defect::Shape(shape)),
        (1, Defect::WeakElement(shape)),
        (2, Defect::MissingCopyprivate(shape)),
        (2, Defect::MissingBarrier(shape)),
        (6, Defect::Inside(construct)),
    ])
}

/// Any way to have barriers on both sides.
pub fn unaligned(b: &mut Builder) -> Defect {
    Defect::Unaligned(b.pick(&SIDES))
}

/// The statements of what waits, which from then on has its place.
pub fn plant(planted: &mut Planted, b: &mut Builder, at: &Scope) -> Vec<Stmt> {
    let Some(defect) = planted.take() else {
        return Vec::new();
    };
    match defect {
        Defect::Shape(shape) => {
            let value = divergent::value(b, at, true, 3);
            shaped(planted, b, at, shape, value)
        }
        Defect::WeakElement(shape) => {
            let value = divergent::value(b, at, true, 1);
            let value = flows::go(b, value, &at.around(), Flow::WeakElement);
            shaped(planted, b, at, shape, value)
        }
        Defect::MissingCopyprivate(shape) => {
            let value = divergent::from(b, at, Origin::Single);
            let value = flows::flows(b, value, &at.around(), 1);
            shaped(planted, b, at, shape, value)
        }
        Defect::MissingBarrier(shape) => {
            let value = unordered(b, at);
            let body = shaped(planted, b, at, shape, value);
            planted.shows = false;
            body
        }
        Defect::Inside(construct) => inside(planted, b, at, construct),
        Defect::Unaligned(sides) => both(b, at, sides),
    }
}

fn shaped(planted: &mut Planted, b: &mut Builder, at: &Scope, of: Shape, value: Value) -> Vec<Stmt> {
    let first = Sync::missed(b);
    let mut second = first;
    while of.has_two() && second == first {
        second = Sync::missed(b);
    }
    let pieces = [&at.piece(b, first), &at.piece(b, second)];
    let Shaped { body, shows } = shape(b, of, value, pieces, &at.frame());
    planted.shows = shows;
    body
}

/// A shared variable that threads may read before or after one of them sets it.
fn unordered(b: &mut Builder, at: &Scope) -> Value {
    let (name, n) = (at.shared(b), b.rng.range(1, 4));
    let set = vec![line(format!("{name} = {n};"))];
    let setup = if b.rng.chance(50) {
        vec![omp(b.pick(&["master", "single nowait"])), block("", set)]
    } else {
        vec![branch(format!("{} == {}", at.tid, b.rng.range(0, 3)), set, Vec::new())]
    };
    Value {
        setup,
        expr: name,
        each: vec![n, 0, 0, 0],
    }
}

fn inside(planted: &mut Planted, b: &mut Builder, at: &Scope, construct: Construct) -> Vec<Stmt> {
    let sync = Sync::missed(b);
    let piece = at.piece(b, sync);
    let body = placed(b, &piece, &at.frame(), 1);
    let (i, trips) = (b.name("i"), b.rng.range(5, 8));
    let head = format!("for (int {i} = 0; {i} < {trips}; {i}++)");
    let braced = |head: &str, body: Vec<Stmt>| vec![omp(head), block("", body)];
    planted.shows = match construct {
        Construct::For => sync.waits() && trips != 8,
        Construct::Task => false,
        _ => sync.waits(),
    };
    match construct {
        Construct::Single => braced("single", body),
        Construct::SingleNowait => braced("single nowait", body),
        Construct::Master => braced("master", body),
        Construct::Critical => braced("critical", body),
        Construct::Ordered => vec![omp("for ordered"), block(head, braced("ordered", body))],
        Construct::For => vec![omp("for schedule(static)"), block(head, body)],
        Construct::Section => {
            let rest = b.arithmetic(&at.tid, 1, 1);
            let sections = vec![omp("section"), block("", body), omp("section"), block("", rest)];
            braced("sections", sections)
        }
        Construct::Task => braced("single", braced("task", body)),
    }
}

/// A branch on the thread whose sides have as many barriers as each other.
fn both(b: &mut Builder, at: &Scope, sides: Sides) -> Vec<Stmt> {
    let value = divergent::value(b, at, true, 2);
    let frame = at.frame();
    let piece = at.piece(b, Sync::Barrier);
    let mut body = value.setup.clone();
    if sides == Sides::BeforeReturn {
        let name = b.name("either");
        let cond = b.splits(&Value::plain("key", value.each.clone()));
        let then = vec![omp("barrier"), line("return;")];
        let function = vec![branch(cond, then, Vec::new()), omp("barrier")];
        b.function(&format!("void {name}"), &["int key".to_string()], &function);
        body.push(line(format!("{name}({});", value.expr)));
        return body;
    }
    let cond = b.splits(&value);
    let (then, other) = match sides {
        Sides::InFunction => (placed(b, &piece, &frame, 1), placed(b, &piece, &frame, 0)),
        Sides::Two => {
            let i = b.name("i");
            let looped = block(format!("for (int {i} = 0; {i} < 2; {i}++)"), vec![omp("barrier")]);
            let other = b.pick(&[vec![omp("barrier"), omp("barrier")], vec![looped]]);
            (vec![omp("barrier"), omp("barrier")], other)
        }
        Sides::Nested => {
            let inner = divergent::value(b, at, false, 1);
            let inner_cond = b.splits(&inner);
            let mut then = inner.setup;
            then.push(branch(inner_cond, vec![omp("barrier")], vec![omp("barrier")]));
            (then, placed(b, &piece, &frame, 0))
        }
        _ => (vec![omp("barrier")], vec![omp("barrier")]),
    };
    body.push(branch(cond, then, other));
    body
}
