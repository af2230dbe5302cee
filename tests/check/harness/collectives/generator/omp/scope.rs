//! What code of an OpenMP program can name, at one place of a parallel region.

use super::defects::Defect;
use super::sync::Sync;
use super::{divergent, parts, uniform};
use crate::collectives::generator::builder::{Builder, Value};
use crate::collectives::generator::containers::{Place, Planted};
use crate::collectives::generator::flows::Around;
use crate::collectives::generator::shapes::{Frame, Parameter, Piece};
use crate::collectives::generator::tree::Stmt;

/// A place in a program.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The thread's number.
    pub tid: String,
    /// Whether the place is in `main`.
    pub main: bool,
    /// How many parts are around.
    pub depth: usize,
}

impl Scope {
    /// The outermost place of a parallel region of `main`.
    pub fn main() -> Scope {
        Scope {
            tid: "tid".into(),
            main: true,
            depth: 0,
        }
    }

    /// What ways of values may mention here.
    pub fn around(&self) -> Around {
        Around {
            divergent: self.tid.clone(),
            uniform: "omp_get_num_threads()".into(),
            own: "static _Thread_local int",
        }
    }

    /// A construct as it is written here and in a function of the frame.
    pub fn piece(&self, b: &mut Builder, sync: Sync) -> Piece {
        Piece {
            here: sync.stmts(b),
            inside: sync.stmts(b),
            waits: sync.waits(),
            same_wait: true,
        }
    }

    /// A variable that all threads share: of `main` where the place is there, or of the file.
    pub fn shared(&self, b: &mut Builder) -> String {
        let name = b.name("shared");
        if self.main && b.rng.chance(60) {
            b.locals.push(format!("int {name} = 0;"));
        } else {
            b.global(&format!("static int {name};"));
        }
        name
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
            tid: "tid".into(),
            main: false,
            depth: self.depth + 1,
        }
    }

    fn frame(&self) -> Frame {
        Frame {
            params: vec![Parameter { ty: "int", name: "tid" }],
            args: vec![self.tid.clone()],
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
