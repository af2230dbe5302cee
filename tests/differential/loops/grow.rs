//! Puts a program together: arrays, helpers, functions with loops, and the case that calls them.
//!
//! A program is grown without much care for what is defined, and run: what is to blame for undefined behaviour is cut out
//! until nothing is.

use super::ast::*;
use super::run::{Blame, Ran, run};
use super::uses::Uses;
use super::weights::Weights;
use crate::generator::rng::Rng;

/// A program under construction.
pub struct Maker<'a> {
    pub rng: Rng,
    pub weights: &'a Weights,
    pub program: Program,
    pub scope: Scope,
}

/// What the function being grown has.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub function: FnId,
    /// Type of its numbers.
    pub ty: Option<Ty>,
    /// `n`, `m`, `k` and `s`, or what stands for them.
    pub sizes: Vec<E>,
    /// Arrays of one dimension that it uses.
    pub arrays: Vec<ArrayId>,
    /// Arrays of two dimensions.
    pub grids: Vec<ArrayId>,
    /// Arrays of subscripts.
    pub maps: Vec<ArrayId>,
    /// Scalars that it computes with, set before any loop.
    pub temps: Vec<VarId>,
    /// An array that need not be there, and the number that says whether it is.
    pub optional: Option<(VarId, ArrayId)>,
    /// Indices of the loops around, outermost first.
    pub around: Vec<VarId>,
    /// The array that a nest writes, each element in one iteration, and does not read: so that it may well be parallel.
    pub target: Option<ArrayId>,
}

/// The program of `seed`, and what a run of it is like.
pub fn grow(seed: u64, weights: &Weights) -> (Program, Ran) {
    let mut maker = Maker {
        rng: Rng::new(seed),
        weights,
        program: Program {
            seed,
            vars: Vec::new(),
            arrays: Vec::new(),
            functions: Vec::new(),
            helpers: 0,
            handed: false,
            bare: false,
            slack: 0,
        },
        scope: Scope::default(),
    };
    maker.program.handed = maker.rng.chance(50);
    maker.program.bare = maker.rng.chance(40);
    maker.program.slack = maker.rng.weighted(&[(70, 0), (10, 1), (20, 7)]);
    maker.memory();
    maker.helpers();
    for _ in 0..maker.rng.range(1, 3) {
        maker.work();
    }
    maker.case();
    settle(maker.program)
}

/// Cuts out what is to blame until the program is defined.
fn settle(mut program: Program) -> (Program, Ran) {
    loop {
        match run(&program) {
            Ok(ran) => return (program, ran),
            Err(Blame { function, item }) => {
                program.functions[function].body.remove(item);
                orphans(&mut program, function);
            }
        }
    }
}

/// What stands at the top of a function and needs something that is gone goes, too.
fn orphans(program: &mut Program, function: FnId) {
    loop {
        let body = &program.functions[function].body;
        let made = |a: ArrayId| {
            body.iter()
                .any(|s| matches!(s, S::Point(p, ..) | S::Scratch(p) if *p == a))
        };
        let set = |v: VarId| body.iter().any(|s| matches!(s, S::Declare(w, _) if *w == v));
        let lost = |s: &S| {
            let uses = Uses::of_block(std::slice::from_ref(s));
            let mut local = uses.arrays.iter().filter(|a| {
                matches!(
                    program.arrays[**a].kind,
                    ArrayKind::Local | ArrayKind::Tabled | ArrayKind::Scratch(_)
                )
            });
            let inside = declared(std::slice::from_ref(s));
            let mut vars = uses.vars.iter();
            local.any(|a| !made(*a) && !inside.1.contains(a))
                || vars.any(|v| program.vars[*v].kind == VarKind::Inline && !set(*v) && !inside.0.contains(v))
        };
        match body.iter().position(lost) {
            Some(at) => {
                program.functions[function].body.remove(at);
            }
            None => return,
        }
    }
}

/// The scalars and arrays that a block declares, however deep.
fn declared(block: &[S]) -> (Vec<VarId>, Vec<ArrayId>) {
    let (mut vars, mut arrays) = (Vec::new(), Vec::new());
    visit(block, &mut |s| match s {
        S::Declare(v, _) => vars.push(*v),
        S::For(l) if l.declares => vars.push(l.var),
        S::Scratch(a) | S::Point(a, ..) => arrays.push(*a),
        _ => {}
    });
    (vars, arrays)
}

/// A smaller version of a program: `None` where it is no longer defined.
pub fn again(mut program: Program) -> Option<(Program, Ran)> {
    for f in program.helpers..program.functions.len() {
        orphans(&mut program, f);
    }
    let ran = run(&program).ok()?;
    Some((program, ran))
}

impl Maker<'_> {
    pub fn var(&mut self, name: &str, ty: Ty, kind: VarKind) -> VarId {
        let id = self.program.vars.len();
        // Names of different cases share a file; what is at file scope says whose it is.
        let name = match kind {
            VarKind::Param => name.to_owned(),
            VarKind::Global => format!("{name}{id}_{}", self.program.seed),
            _ => format!("{name}{id}"),
        };
        self.program.vars.push(Var {
            name,
            ty,
            kind,
            owner: self.scope.function,
        });
        id
    }

    pub fn array(&mut self, name: &str, elem: Ty, kind: ArrayKind, row: Option<E>) -> ArrayId {
        let id = self.program.arrays.len();
        let name = match kind {
            ArrayKind::Global(_) | ArrayKind::GlobalPointer(_) => format!("{name}{id}_{}", self.program.seed),
            _ => format!("{name}{id}"),
        };
        self.program.arrays.push(Array { name, elem, kind, row });
        id
    }

    /// The memory of the program.
    fn memory(&mut self) {
        for k in 0..self.rng.range(5, 8) {
            let elem = match self.rng.chance(self.weights.p_double) {
                true => Ty::Double,
                false => self.rng.weighted(&[
                    (60, Ty::Int),
                    (12, Ty::Long),
                    (8, Ty::Unsigned),
                    (8, Ty::Short),
                    (6, Ty::Byte),
                ]),
            };
            let elem = if k < 3 { Ty::Int } else { elem };
            let fill = Fill {
                factor: self.rng.range(1, 13),
                add: self.rng.range(0, 9),
                modulus: self.rng.range(5, 97),
            };
            let row = self
                .rng
                .chance(self.weights.p_grid)
                .then(|| E::Num(self.rng.range(6, 24)));
            let kind = self.kind(fill, row.is_some());
            self.array("a", elem, kind, row);
        }
        // Subscripts: each once, in order or not, or some of them several times.
        let fill = match self.rng.below(4) {
            0 => (1, 0, 4099),
            1 => (7, 3, 64),
            2 => (5, 1, 32),
            _ => (3, 0, 17),
        };
        let kind = self.kind(
            Fill {
                factor: fill.0,
                add: fill.1,
                modulus: fill.2,
            },
            false,
        );
        self.array("ix", Ty::Int, kind, None);
    }

    fn kind(&mut self, fill: Fill, grid: bool) -> ArrayKind {
        match (self.rng.chance(self.weights.p_shared), grid) {
            (true, true) => ArrayKind::Global(fill),
            (true, false) => self.rng.weighted(&[
                (4, ArrayKind::Global(fill)),
                (3, ArrayKind::GlobalPointer(fill)),
                (3, ArrayKind::Member(fill)),
                (2, ArrayKind::Inside(fill)),
            ]),
            (false, _) => self
                .rng
                .weighted(&[(7, ArrayKind::Heap(fill)), (3, ArrayKind::Stack(fill))]),
        }
    }

    /// A function with loops.
    fn work(&mut self) {
        let seed = self.program.seed;
        let function = self.program.functions.len();
        let ty = self
            .rng
            .weighted(&[(60, Ty::Int), (14, Ty::Long), (10, Ty::Unsigned), (14, Ty::Size)]);
        self.scope = Scope {
            function,
            ty: Some(ty),
            ..Scope::default()
        };
        let mut params = Vec::new();
        for name in ["n", "m", "k", "s"] {
            let v = self.var(name, ty, VarKind::Param);
            params.push(Param::Var(v));
            self.scope.sizes.push(E::Var(v));
        }
        let owned: Vec<ArrayId> = self.owned();
        let restrict = self.rng.chance(self.weights.p_restrict);
        for k in 0..self.rng.range(3, 5) {
            let like = self.rng.pick(&owned).unwrap_or(0);
            let elem = if k < 2 { Ty::Int } else { self.program.arrays[like].elem };
            let readonly = k > 1 && self.rng.chance(20);
            let grid = self.rng.chance(self.weights.p_grid / 2);
            let row = grid.then(|| self.scope.sizes[1].clone());
            let kind = ArrayKind::Param { restrict, readonly };
            let a = self.array(if readonly { "c" } else { "p" }, elem, kind, row);
            params.push(Param::Array(a));
            match grid {
                true => self.scope.grids.push(a),
                false => self.scope.arrays.push(a),
            }
        }
        if self.rng.chance(30) {
            let kind = ArrayKind::Param {
                restrict,
                readonly: self.rng.chance(70),
            };
            let a = self.array("ix", Ty::Int, kind, None);
            params.push(Param::Array(a));
            self.scope.maps.push(a);
        }
        if self.rng.chance(self.weights.p_optional) {
            let given = self.var("given", Ty::Int, VarKind::Param);
            let kind = ArrayKind::Param {
                restrict,
                readonly: true,
            };
            let a = self.array("o", Ty::Int, kind, None);
            params.extend([Param::Var(given), Param::Array(a)]);
            self.scope.optional = Some((given, a));
        }
        if self.rng.chance(self.weights.p_direct) {
            self.direct();
        }
        let exported = self.rng.chance(40);
        self.program.functions.push(Function {
            name: format!("{}_{seed}_{function}", if exported { "open" } else { "work" }),
            params,
            returns: None,
            exported,
            body: Vec::new(),
        });
        let body = self.body(5);
        self.program.functions[function].body = body;
    }

    /// The arrays with memory of their own that are not subscripts.
    pub fn owned(&self) -> Vec<ArrayId> {
        let all = self.program.arrays.iter().enumerate();
        let own = all.filter(|(_, a)| a.fill().is_some() && !a.name.starts_with("ix"));
        own.map(|(a, _)| a).collect()
    }

    /// Arrays that a function reaches by itself.
    fn direct(&mut self) {
        for a in self.owned() {
            let local = matches!(self.program.arrays[a].kind, ArrayKind::Heap(_) | ArrayKind::Stack(_));
            if !local && self.rng.chance(60) {
                self.adopt(a);
            }
        }
    }

    fn adopt(&mut self, a: ArrayId) {
        match self.program.arrays[a].row {
            Some(_) => self.scope.grids.push(a),
            None => self.scope.arrays.push(a),
        }
    }

    /// The last function: it calls the others, and may have loops of its own.
    fn case(&mut self) {
        let function = self.program.functions.len();
        let numbers = [40, 17, 2, 20].map(E::Num).to_vec();
        self.scope = Scope {
            function,
            ty: Some(Ty::Int),
            sizes: numbers,
            ..Scope::default()
        };
        for a in self.owned() {
            self.adopt(a);
        }
        for (a, array) in self.program.arrays.iter().enumerate() {
            if array.fill().is_some() && array.name.starts_with("ix") {
                self.scope.maps.push(a);
            }
        }
        let mut body = Vec::new();
        if self.rng.chance(50) {
            body.extend(self.body(1));
        }
        for f in self.program.helpers..function {
            for _ in 0..self.rng.range(1, 3) {
                body.extend(self.given(f));
                if self.rng.chance(15) {
                    let (place, _) = self.place(false);
                    body.push(S::Show(place));
                }
            }
        }
        if self.rng.chance(30) {
            body.extend(self.body(1));
        }
        self.program.functions.push(Function {
            name: format!("case_{}", self.program.seed),
            params: Vec::new(),
            returns: None,
            exported: false,
            body,
        });
    }
}
