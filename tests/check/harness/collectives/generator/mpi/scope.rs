//! What code of an MPI program can name, at one place.

use super::collectives::{Collective, Names};
use super::defects::Defect;
use super::{divergent, parts, uniform};
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::containers::{Place, Planted};
use crate::collectives::generator::flows::Around;
use crate::collectives::generator::shapes::{Frame, Parameter, Piece};
use crate::collectives::generator::tree::Stmt;

/// A place in a program.
#[derive(Clone, Debug)]
pub struct Scope {
    pub names: Names,
    /// Whether the communicator has all ranks.
    pub whole: bool,
    /// The rank in `MPI_COMM_WORLD` of the communicator's first rank, where it has all ranks.
    pub first: i64,
    /// Whether the place is in `main`.
    pub main: bool,
    /// How many parts are around.
    pub depth: usize,
}

impl Scope {
    /// The outermost place of `main`.
    pub fn main() -> Scope {
        Scope {
            names: Names {
                rank: "rank".into(),
                size: "size".into(),
                comm: "MPI_COMM_WORLD".into(),
            },
            whole: true,
            first: 0,
            main: true,
            depth: 0,
        }
    }

    /// A place inside a part that is here, on another communicator.
    pub fn on(&self, comm: &str, whole: bool, first: i64) -> Scope {
        let mut inner = self.inner();
        inner.names.comm = comm.to_string();
        inner.whole &= whole;
        inner.first = first;
        inner
    }

    /// What ways of values may mention here.
    pub fn around(&self) -> Around {
        Around {
            divergent: self.names.rank.clone(),
            uniform: self.names.size.clone(),
            own: "static int",
        }
    }

    /// What a function of a frame names.
    pub fn framed_names() -> Names {
        Names {
            rank: "rank".into(),
            size: "size".into(),
            comm: "comm".into(),
        }
    }

    /// A collective as it is written here and in a function of the frame.
    pub fn piece(&self, b: &mut Builder, collective: &Collective) -> Piece {
        Piece {
            here: collective.stmts(b, &self.names),
            inside: collective.stmts(b, &Scope::framed_names()),
            waits: collective.waits(),
            same_wait: false,
        }
    }
}

impl Place for Scope {
    type Defect = Defect;

    fn inner(&self) -> Scope {
        Scope {
            depth: self.depth + 1,
            ..self.clone()
        }
    }

    fn framed(&self) -> Scope {
        Scope {
            main: false,
            names: Scope::framed_names(),
            ..self.inner()
        }
    }

    fn frame(&self) -> Frame {
        Frame {
            params: [("int", "rank"), ("int", "size"), ("MPI_Comm", "comm")]
                .map(|(ty, name)| Parameter { ty, name })
                .to_vec(),
            args: vec![
                self.names.rank.clone(),
                self.names.size.clone(),
                self.names.comm.clone(),
            ],
        }
    }

    fn uniform(&self, b: &mut Builder, most: i64) -> Value {
        uniform::value(b, self, most)
    }

    fn divergent(&self, b: &mut Builder, most: i64) -> Value {
        divergent::value(b, self, true, most)
    }

    fn block(&self, b: &mut Builder, planted: &mut Planted<Defect>) -> Vec<Stmt> {
        parts::block(b, self, planted)
    }
}
