//! Which elements a kernel touches, found by running its index expressions over its iteration space.
//!
//! The answer decides three things: whether a proposed kernel stays in bounds, whether two of its iterations race, and
//! which naive map types are right (`from` needs every mapped element written in every run).

use super::ast::*;
use std::collections::{BTreeMap, BTreeSet};

/// The elements of one name that a kernel touches, as flat positions.
#[derive(Clone, Debug, Default)]
pub struct Touch {
    /// Read before the same iteration has surely written them.
    pub exposed: BTreeSet<i64>,
    /// Written whatever the data.
    pub must: BTreeSet<i64>,
    /// Written perhaps.
    pub may: BTreeSet<i64>,
}

impl Touch {
    /// The first touched element and the one behind the last.
    pub fn hull(&self) -> Option<(i64, i64)> {
        let all = [&self.exposed, &self.must, &self.may];
        let lo = all.iter().filter_map(|s| s.first()).min()?;
        let hi = all.iter().filter_map(|s| s.last()).max()?;
        Some((*lo, hi + 1))
    }
}

/// What a kernel touches, by name.
pub type Facts = BTreeMap<NameId, Touch>;

/// Where an index expression points.
enum Place {
    One(i64),
    Anywhere,
}

/// The first and last-plus-one iteration of a bound pair; a bound that follows a host counter starts at 0, and one that
/// follows a number that changes ends where that is largest.
fn span(program: &Program, bounds: &(Bound, Bound)) -> (i64, i64, bool) {
    let end = |b: &Bound| match b {
        Bound::Const(c) => (*c, false),
        Bound::Less(s, c) => (program.value(s) - c, program.changes(s)),
        Bound::Edge(e) => (program.edge(e), true),
        Bound::Counter(..) => (0, true),
    };
    let ((lo, a), (hi, b)) = (end(&bounds.0), end(&bounds.1));
    (lo, hi, a || b)
}

fn place(program: &Program, name: NameId, at: &KernelAt, i: i64, j: i64) -> Result<Place, String> {
    let n = &program.names[name];
    let len = program.len(name);
    let grid = match (&n.matrix, n.dims.as_slice()) {
        (Some((r, c)), [_]) => Some((program.value(r), program.value(c))),
        (_, [r, c]) => Some((program.value(r), program.value(c))),
        _ => None,
    };
    let flat = |p: i64| {
        if (0..len).contains(&p) && n.dims.len() == 1 {
            Ok(Place::One(p))
        } else {
            Err(format!("{}[{p}] is out of bounds", n.ident))
        }
    };
    let cell = |r: i64, c: i64| match grid {
        Some((rows, cols)) if (0..rows).contains(&r) && (0..cols).contains(&c) && r * cols + c < len => {
            Ok(Place::One(r * cols + c))
        }
        _ => Err(format!("{}[{r}][{c}] is out of bounds", n.ident)),
    };
    match *at {
        KernelAt::Shift(c) => flat(i + c),
        KernelAt::Reverse => flat(len - 1 - i),
        KernelAt::Twice(c) => flat(2 * i + c),
        KernelAt::Wrap(m, c) => flat((i * m + c).rem_euclid(len.max(1))),
        KernelAt::Ring(m, c) => flat(i64::from((i * m - c) as u32) % len.max(1)),
        KernelAt::Fixed(c) => flat(c),
        KernelAt::Gather(x) => match program.names[x].index_bound {
            Some(bound) if bound <= len && i < program.len(x) && n.dims.len() == 1 => Ok(Place::Anywhere),
            _ => Err(format!(
                "{} does not hold indices of {}",
                program.names[x].ident, n.ident
            )),
        },
        KernelAt::Cell(di, dj) => cell(i + di, j + dj),
        KernelAt::RowOf(r) if n.dims.len() == 2 => cell(r, i),
        KernelAt::ColumnOf(c) if n.dims.len() == 2 => cell(i, c),
        KernelAt::RowOf(_) | KernelAt::ColumnOf(_) => Err("a row of a vector".into()),
    }
}

/// The names that the kernel mentions, in order.
pub fn names_of(kernel: &Kernel) -> BTreeSet<NameId> {
    mentions(kernel).into_iter().map(|m| m.0).collect()
}

/// The indices by which the kernel uses `name`.
pub fn indices_of(kernel: &Kernel, name: NameId) -> Vec<KernelAt> {
    let mentioned = mentions(kernel).into_iter().filter(|m| m.0 == name);
    mentioned.map(|m| m.1).collect()
}

fn mentions(kernel: &Kernel) -> Vec<(NameId, KernelAt)> {
    let mut out = Vec::new();
    let mut add = |name: NameId, at: &KernelAt| {
        out.push((name, *at));
        if let KernelAt::Gather(x) = at {
            out.push((*x, KernelAt::Shift(0)));
        }
    };
    for s in &kernel.stmts {
        if let KernelTarget::Elem(n, at) = &s.target {
            add(*n, at);
        }
        if let Some(KernelCond::Data(n, at, _)) = &s.cond {
            add(*n, at);
        }
        for t in &s.terms {
            match t {
                Term::Read(_, n, at) => add(*n, at),
                Term::Product(n, at, m, bt) => {
                    add(*n, at);
                    add(*m, bt);
                }
                Term::RowSum(n) => add(*n, &KernelAt::Fixed(0)),
                _ => {}
            }
        }
    }
    out
}

/// Whether a kernel uses two names that may be one array, and both element by element: iteration `i` has the elements `i` to itself.
fn are_alike(program: &Program, kernel: &Kernel, a: NameId, b: NameId) -> bool {
    let is_plain = |name| indices_of(kernel, name).iter().all(|at| *at == KernelAt::Shift(0));
    kernel.loops.len() == 1 && program.may_be_one(a, b) && is_plain(a) && is_plain(b)
}

/// Whether another name in the kernel may be the same array: then whatever comes back comes back under either.
pub fn may_share(program: &Program, kernel: &Kernel, name: NameId) -> bool {
    names_of(kernel)
        .into_iter()
        .any(|other| program.may_be_one(name, other))
}

/// The names that a term reads.
pub fn read_by(term: &Term) -> Vec<NameId> {
    match *term {
        Term::Read(_, n, _) | Term::RowSum(n) => vec![n],
        Term::Product(n, _, m, _) => vec![n, m],
        Term::Iter(_) | Term::Scalar(_) | Term::Runtime(_) | Term::Counter(_) => Vec::new(),
    }
}

/// The arrays that the kernel takes `firstprivate`: what it writes it has no copy of.
pub fn passed(kernel: &Kernel) -> Vec<NameId> {
    let read: BTreeSet<NameId> = kernel.stmts.iter().flat_map(|s| &s.terms).flat_map(read_by).collect();
    let written = |name: &NameId| {
        let mut targets = kernel.stmts.iter().map(|s| &s.target);
        targets.any(|t| matches!(t, KernelTarget::Elem(n, _) if n == name))
    };
    let passed = kernel.copies.passed.iter().copied();
    passed.filter(|n| read.contains(n) && !written(n)).collect()
}

/// The scalars that the kernel reduces into.
pub fn reductions_of(kernel: &Kernel) -> BTreeMap<ScalarId, Reduction> {
    let reduced = kernel.stmts.iter().filter_map(|s| match s.target {
        KernelTarget::Reduce(scalar, op) => Some((scalar, op)),
        KernelTarget::Elem(..) => None,
    });
    reduced.collect()
}

/// One pass over the iteration space.
struct Pass<'a> {
    program: &'a Program,
    facts: Facts,
    /// For every element: the iteration that writes it, the first that touches it, whether others do.
    seen: BTreeMap<(NameId, i64), (Option<usize>, usize, bool)>,
    /// Whether the iteration space is known exactly.
    exact: bool,
    iteration: usize,
    fresh: BTreeSet<(NameId, i64)>,
}

impl Pass<'_> {
    fn note(&mut self, key: (NameId, i64), writes: bool) -> Result<(), String> {
        let it = self.iteration;
        let e = self.seen.entry(key).or_insert((None, it, false));
        e.2 |= e.1 != it;
        if writes && e.0.is_none() {
            e.0 = Some(it);
        }
        match e.0 {
            Some(w) if w != it || e.2 => Err(format!(
                "iterations race on {}[{}]",
                self.program.names[key.0].ident, key.1
            )),
            _ => Ok(()),
        }
    }

    fn read(&mut self, name: NameId, at: &KernelAt, i: i64, j: i64) -> Result<(), String> {
        if let KernelAt::Gather(x) = at {
            self.read(*x, &KernelAt::Shift(0), i, j)?;
        }
        let places = match place(self.program, name, at, i, j)? {
            Place::One(p) => p..p + 1,
            Place::Anywhere => 0..self.program.len(name),
        };
        for p in places {
            self.note((name, p), false)?;
            if !self.fresh.contains(&(name, p)) {
                self.facts.entry(name).or_default().exposed.insert(p);
            }
        }
        Ok(())
    }

    fn stmt(&mut self, s: &KernelStmt, i: i64, j: i64) -> Result<(), String> {
        if let Some(KernelCond::Data(n, at, _)) = &s.cond {
            self.read(*n, at, i, j)?;
        }
        for t in &s.terms {
            match t {
                Term::Read(_, n, at) => self.read(*n, at, i, j)?,
                Term::Product(n, at, m, bt) => {
                    self.read(*n, at, i, j)?;
                    self.read(*m, bt, i, j)?;
                }
                Term::RowSum(n) => {
                    let columns = match self.program.names[*n].dims.as_slice() {
                        [_, c] => self.program.value(c),
                        _ => return Err("a row sum of a vector".into()),
                    };
                    for c in 0..columns {
                        self.read(*n, &KernelAt::Cell(0, c - j), i, j)?;
                    }
                }
                _ => {}
            }
        }
        let KernelTarget::Elem(n, at) = &s.target else {
            return Ok(());
        };
        if s.adds {
            self.read(*n, at, i, j)?;
        }
        let Place::One(p) = place(self.program, *n, at, i, j)? else {
            return Err("a scattered write".into());
        };
        self.note((*n, p), true)?;
        let touch = self.facts.entry(*n).or_default();
        touch.may.insert(p);
        if s.cond.is_none() && self.exact {
            touch.must.insert(p);
            self.fresh.insert((*n, p));
        }
        Ok(())
    }
}

/// What `kernel` touches, or why it is no correct kernel.
pub fn facts(program: &Program, kernel: &Kernel) -> Result<Facts, String> {
    let names: Vec<NameId> = names_of(kernel).into_iter().collect();
    for (k, a) in names.iter().enumerate() {
        let clashes = |b: &&NameId| !program.disjoint(*a, **b) && !are_alike(program, kernel, *a, **b);
        if let Some(b) = names[k + 1..].iter().find(clashes) {
            return Err(format!(
                "{} and {} may overlap",
                program.names[*a].ident, program.names[*b].ident
            ));
        }
    }
    let spans: Vec<_> = kernel.loops.iter().map(|b| span(program, b)).collect();
    let (ilo, ihi, idyn) = spans[0];
    let (jlo, jhi, jdyn) = spans.get(1).copied().unwrap_or((0, 1, false));
    let mut pass = Pass {
        program,
        // An empty iteration space still maps what the kernel mentions.
        facts: names.iter().map(|n| (*n, Touch::default())).collect(),
        seen: BTreeMap::new(),
        exact: !idyn && !jdyn,
        iteration: 0,
        fresh: BTreeSet::new(),
    };
    for i in ilo..ihi {
        for j in jlo..jhi {
            pass.iteration += 1;
            pass.fresh.clear();
            for s in &kernel.stmts {
                pass.stmt(s, i, j)?;
            }
        }
    }
    Ok(pass.facts)
}
