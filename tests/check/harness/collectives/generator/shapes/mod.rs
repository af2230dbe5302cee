//! Ways in which a collective, or a barrier, can be missed by some ranks or threads.
//!
//! A shape needs a value that differs (`v`), and a [`Piece`], which it places so that not everybody meets it equally often:
//!
//! ```c
//! for (int i1 = 0; i1 < v; i1++) {   /* Shape::Trips                                                  */
//!     meet2(rank, size, comm);       /* the piece, here through a function: see `placed` and `Frame`  */
//! }
//! ```

mod forms;

use super::builder::{Builder, Value};
use super::tree::{Stmt, line};

/// How the sequences of two ranks or threads come to differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// Only in the branch.
    OneSide,
    /// Only in the `else`.
    OtherSide,
    /// In a branch inside another one.
    Nested,
    /// Another one on each side.
    Different,
    /// Two on each side, in another order.
    Order,
    /// Two on one side, one on the other.
    Twice,
    /// A loop whose number of trips differs.
    Trips,
    /// A loop that some leave early.
    Break,
    /// A loop whose rest some skip.
    Continue,
    /// A function that some leave early.
    Return,
    /// A function pointer that not all set to the same function.
    Pointer,
    /// A table of functions, with an index that differs.
    Table,
    /// A function that calls itself, not equally often.
    Recursion,
    /// A call behind `&&`.
    ShortCircuit,
    /// A `switch` whose cases do not all have it.
    Case,
    /// A `goto` past it.
    Jump,
}

/// Every shape.
pub const SHAPES: [Shape; 16] = [
    Shape::OneSide,
    Shape::OtherSide,
    Shape::Nested,
    Shape::Different,
    Shape::Order,
    Shape::Twice,
    Shape::Trips,
    Shape::Break,
    Shape::Continue,
    Shape::Return,
    Shape::Pointer,
    Shape::Table,
    Shape::Recursion,
    Shape::ShortCircuit,
    Shape::Case,
    Shape::Jump,
];

impl Shape {
    /// Whether the shape is of two collectives, not of one.
    pub fn has_two(self) -> bool {
        matches!(self, Shape::Different | Shape::Order)
    }
}

/// A collective or barrier as text.
#[derive(Clone, Debug)]
pub struct Piece {
    /// For where the defect is.
    pub here: Vec<Stmt>,
    /// For the body of a function that has the parameters of a [`Frame`].
    pub inside: Vec<Stmt>,
    /// Whether nobody gets past it before everybody has come.
    pub waits: bool,
    /// Whether one thing that waits is like another to who runs it, as barriers of OpenMP are, so that only their number shows.
    pub same_wait: bool,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub ty: &'static str,
    pub name: &'static str,
}

/// What functions that hold a [`Piece`] are called with.
#[derive(Clone, Debug)]
pub struct Frame {
    pub params: Vec<Parameter>,
    /// What is passed where the defect is.
    pub args: Vec<String>,
}

impl Frame {
    /// The parameters, with `more` before them.
    pub fn params(&self, more: &[&str]) -> Vec<String> {
        let own = self.params.iter().map(|param| format!("{} {}", param.ty, param.name));
        more.iter().map(|text| text.to_string()).chain(own).collect()
    }

    /// The list of arguments where the defect is, with `more` before them.
    pub fn args(&self, more: &[&str]) -> String {
        let own = self.args.iter().map(String::as_str);
        more.iter().copied().chain(own).collect::<Vec<_>>().join(", ")
    }

    /// The list of arguments inside a function of this frame, with `more` before them.
    pub fn forwarded(&self, more: &[&str]) -> String {
        let own = self.params.iter().map(|param| param.name);
        more.iter().copied().chain(own).collect::<Vec<_>>().join(", ")
    }

    /// The types of the parameters.
    pub fn types(&self) -> String {
        let types: Vec<&str> = self.params.iter().map(|param| param.ty).collect();
        if types.is_empty() {
            "void".into()
        } else {
            types.join(", ")
        }
    }
}

/// `piece` where the defect is, directly or through up to three functions.
pub fn placed(b: &mut Builder, piece: &Piece, frame: &Frame, least: i64) -> Vec<Stmt> {
    let most = if b.rng.chance(50) { least } else { 3 };
    let levels = b.rng.range(least, most);
    if levels == 0 {
        return piece.here.clone();
    }
    let mut body = piece.inside.clone();
    let mut name = String::new();
    for _ in 0..levels {
        name = b.name("meet");
        b.function(&format!("void {name}"), &frame.params(&[]), &body);
        body = vec![line(format!("{name}({});", frame.forwarded(&[])))];
    }
    vec![line(format!("{name}({});", frame.args(&[])))]
}

/// A shape as statements.
pub struct Shaped {
    pub body: Vec<Stmt>,
    /// Whether some rank or thread surely meets fewer of what waits.
    pub shows: bool,
}

/// The statements of `shape`, on `value`, which differs.
pub fn shape(b: &mut Builder, shape: Shape, value: Value, pieces: [&Piece; 2], frame: &Frame) -> Shaped {
    let mut body = value.setup.clone();
    let [first, second] = pieces;
    let rest = match shape {
        Shape::OneSide | Shape::OtherSide | Shape::Nested | Shape::Jump | Shape::Case => {
            forms::missed(b, shape, &value, first, frame)
        }
        Shape::Different | Shape::Order | Shape::Twice => forms::sides(b, shape, &value, pieces, frame),
        Shape::Trips | Shape::Break | Shape::Continue => forms::looped(b, shape, &value, first, frame),
        Shape::Return | Shape::Recursion | Shape::ShortCircuit => forms::called(b, shape, &value, first, frame),
        Shape::Pointer | Shape::Table => forms::pointed(b, shape, &value, first, frame),
    };
    body.extend(rest);
    let shows = match shape {
        Shape::Different if first.same_wait => first.waits != second.waits,
        Shape::Different => first.waits || second.waits,
        Shape::Order => first.waits && second.waits && !first.same_wait,
        _ => first.waits,
    };
    Shaped { body, shows }
}
