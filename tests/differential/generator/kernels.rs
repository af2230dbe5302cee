//! Grows kernels: proposes index expressions at random and keeps what `facts` finds in bounds and free of races.

use super::ast::*;
use super::facts;
use super::frames;
use super::grow::Grower;

/// Proposals before giving up on a kernel in this place.
const TRIES: usize = 14;

impl Grower<'_> {
    /// The bounds of one loop over an extent.
    fn bounds(&mut self, extent: Size) -> (Bound, Bound) {
        let value = self.program.value(&extent);
        let counter = self.scope.counters().last().copied();
        let mut counts = self.changing();
        counts.retain(|c| self.program.sizes[*c].value <= value);
        if let Some(count) = self.rng.pick(&counts)
            && self.rng.chance(40)
        {
            return (Bound::Const(0), Bound::Less(Size::Var(count), 0));
        }
        if let Some(mark) = self.mark(value) {
            return match self.rng.chance(50) {
                true => (Bound::Const(0), Bound::Edge(mark)),
                false => (Bound::Edge(mark), Bound::Less(extent, 0)),
            };
        }
        // Kernels of helpers would have to read a volatile on the device.
        if self.scope.function == 0
            && self.rng.chance(self.profile.traps.p_edge / 5)
            && let Some(edge) = self.edge()
            && self.program.edge(&edge) <= value
        {
            return (Bound::Const(0), Bound::Edge(edge));
        }
        if self.rng.chance(self.profile.p_partial) {
            let (lo, drop) = (self.rng.range(0, 2), self.rng.range(0, 2));
            if let Some(id) = counter
                && self.rng.chance(15)
            {
                return (Bound::Counter(id, extent), Bound::Less(extent, drop));
            }
            if self.rng.chance(20) {
                return (Bound::Const(lo), Bound::Const(self.rng.range(lo, value)));
            }
            return (Bound::Const(lo), Bound::Less(extent, drop));
        }
        (Bound::Const(0), Bound::Less(extent, 0))
    }

    /// Rows and columns, if the name holds a matrix of either kind.
    fn grid(&self, name: NameId) -> Option<(Size, Size)> {
        let n = &self.program.names[name];
        match n.dims.as_slice() {
            [r, c] => Some((*r, *c)),
            _ => n.matrix,
        }
    }

    fn source_index(&mut self, name: NameId, nested: bool) -> KernelAt {
        let near = self.rng.range(-1, 1);
        let two = self.program.names[name].dims.len() == 2;
        if nested && self.grid(name).is_some() {
            return if self.rng.chance(50) {
                KernelAt::Cell(0, 0)
            } else {
                KernelAt::Cell(near, self.rng.range(-1, 1))
            };
        }
        if two {
            let fixed = self.rng.range(0, 2);
            return if self.rng.chance(50) {
                KernelAt::RowOf(fixed)
            } else {
                KernelAt::ColumnOf(fixed)
            };
        }
        let indices: Vec<NameId> = self.scope.names.clone();
        let indices: Vec<NameId> = indices
            .into_iter()
            .filter(|n| self.program.names[*n].index_bound.is_some())
            .collect();
        let gather = self.rng.pick(&indices);
        let (factor, add) = (self.rng.range(1, 5), self.rng.range(0, 4));
        self.rng.weighted(&[
            (50, KernelAt::Shift(0)),
            (22, KernelAt::Shift(near)),
            (4, KernelAt::Shift(2)),
            (8, KernelAt::Wrap(factor, add)),
            (self.profile.traps.w_unsigned / 10, KernelAt::Ring(factor, add)),
            (
                if gather.is_some() { 30 } else { 0 },
                KernelAt::Gather(gather.unwrap_or(0)),
            ),
            (5, KernelAt::Fixed(add)),
            (5, KernelAt::Reverse),
        ])
    }

    fn term(&mut self, nested: bool, reduced: Option<ScalarId>) -> Option<Term> {
        let names = self.scope.names.clone();
        let name = self.rng.pick(&names)?;
        let at = self.source_index(name, nested);
        if self.program.names[name].dims.len() == 2 && !nested && self.rng.chance(40) {
            return Some(Term::RowSum(name));
        }
        let scalars: Vec<ScalarId> = self
            .scope
            .scalars
            .iter()
            .copied()
            .filter(|s| Some(*s) != reduced)
            .collect();
        let (scalar, counter) = (self.rng.pick(&scalars), self.scope.counters().last().copied());
        let factor = self.rng.range(1, 5);
        let runtime = self.rng.below(self.program.runtimes.len());
        let main = self.scope.function == 0;
        if self.rng.chance(10) {
            let other = self.rng.pick(&names)?;
            return Some(Term::Product(name, at, other, self.source_index(other, nested)));
        }
        Some(self.rng.weighted(&[
            (70, Term::Read(factor, name, at)),
            (8, Term::Iter(factor)),
            (if scalar.is_some() { 12 } else { 0 }, Term::Scalar(scalar.unwrap_or(0))),
            (if main { 6 } else { 0 }, Term::Runtime(runtime)),
            (
                if counter.is_some() { 14 } else { 0 },
                Term::Counter(counter.unwrap_or(0)),
            ),
        ]))
    }

    fn statement(&mut self, target: KernelTarget, nested: bool) -> KernelStmt {
        let reduced = match target {
            KernelTarget::Reduce(s, _) => Some(s),
            KernelTarget::Elem(..) => None,
        };
        let terms = (0..self.rng.range(0, 3))
            .filter_map(|_| self.term(nested, reduced))
            .collect();
        let cond = if self.rng.chance(self.profile.p_kernel_if) {
            let data = self
                .rng
                .pick(&self.scope.names.clone())
                .map(|n| (n, self.source_index(n, nested)));
            let (modulus, limit) = (self.rng.range(2, 3), self.rng.range(1, 12));
            match (self.rng.below(3), data) {
                (0, Some((n, at))) => Some(KernelCond::Data(n, at, self.rng.range(0, 300))),
                (1, _) => Some(KernelCond::IterLess(limit)),
                _ => Some(KernelCond::IterMod(modulus, self.rng.range(0, modulus - 1))),
            }
        } else {
            None
        };
        let adds = matches!(target, KernelTarget::Elem(..)) && self.rng.chance(20);
        KernelStmt {
            cond,
            target,
            adds,
            terms,
            constant: self.rng.range(0, 99),
        }
    }

    fn target(&mut self, nested: bool) -> Option<KernelTarget> {
        let scalars = self.scope.scalars.clone();
        if self.rng.chance(12)
            && let Some(s) = self.rng.pick(&scalars)
        {
            let op = if self.rng.chance(75) {
                Reduction::Sum
            } else {
                Reduction::Max
            };
            return Some(KernelTarget::Reduce(s, op));
        }
        let names: Vec<NameId> = self
            .writable()
            .into_iter()
            .filter(|n| !nested || self.grid(*n).is_some())
            .collect();
        let name = self.rng.pick(&names)?;
        let (fixed, c) = (self.rng.range(0, 2), self.rng.range(-1, 2));
        let at = match (nested, self.program.names[name].dims.len()) {
            (true, _) => KernelAt::Cell(0, 0),
            (false, 2) if self.rng.chance(60) => KernelAt::RowOf(fixed),
            (false, 2) => KernelAt::ColumnOf(fixed),
            _ => self.rng.weighted(&[
                (78, KernelAt::Shift(0)),
                (6, KernelAt::Shift(c)),
                (8, KernelAt::Reverse),
                (8, KernelAt::Twice(fixed / 2)),
            ]),
        };
        Some(KernelTarget::Elem(name, at))
    }

    fn loops(&mut self, target: &KernelTarget, nested: bool) -> Option<Vec<(Bound, Bound)>> {
        let name = match *target {
            KernelTarget::Elem(name, _) => name,
            KernelTarget::Reduce(..) => {
                let names = self.scope.names.iter().copied();
                let names = names.filter(|n| !nested || self.grid(*n).is_some());
                // The kernel may use no array at all, so that no struct is at hand whose members spell a size.
                let spelled = |n: &NameId| {
                    let mut dims = self.program.names[*n].dims.iter();
                    dims.all(|d| self.spelled_without_members(*d))
                };
                let names: Vec<NameId> = names.filter(spelled).collect();
                self.rng.pick(&names)?
            }
        };
        if nested {
            let (r, c) = self.grid(name)?;
            return Some(vec![self.bounds(r), self.bounds(c)]);
        }
        let dims = &self.program.names[name].dims;
        let mut extent = match target {
            KernelTarget::Elem(_, KernelAt::RowOf(_)) => dims[1],
            _ => dims[0],
        };
        if self.rng.chance(15) {
            // Another array's extent: the loop covers part of this one, or `facts` throws it out.
            let other = self.rng.pick(&self.scope.names.clone())?;
            let other = self.program.names[other].dims[0];
            if self.spelled_without_members(other) {
                extent = other;
            }
        }
        Some(vec![self.bounds(extent)])
    }

    fn propose(&mut self) -> Option<Kernel> {
        let names = self.scope.names.clone();
        let nested = names.iter().any(|n| self.grid(*n).is_some()) && self.rng.chance(40);
        let target = self.target(nested)?;
        let loops = self.loops(&target, nested)?;
        let mut stmts = vec![self.statement(target, nested)];
        if self.rng.chance(25)
            && let Some(second) = self.target(nested)
        {
            let both_reduce =
                matches!(second, KernelTarget::Reduce(..)) && matches!(stmts[0].target, KernelTarget::Reduce(..));
            let stmt = self.statement(second, nested);
            // The other statement may read the scalar that this one reduces into, and such a read has no value.
            let scalars = |s: &KernelStmt| s.terms.iter().any(|t| matches!(t, Term::Scalar(_)));
            if !both_reduce && !scalars(&stmts[0]) && !scalars(&stmt) {
                stmts.push(stmt);
            }
        }
        let directive = self.rng.weighted(&[
            (60, Directive::TeamsDistributeParallelFor),
            (6, Directive::TeamsDistributeParallelForSimd),
            (14, Directive::ParallelFor),
            (10, Directive::Split),
            (10, Directive::Serial),
        ]);
        let implicit = if self.profile.traps.managed { 150 } else { 15 };
        let maps = self.rng.weighted(&[
            (45, MapStyle::Whole),
            (20, MapStyle::Tight),
            (20, MapStyle::Broad),
            (implicit, MapStyle::Implicit),
        ]);
        let odd = self.rng.chance(self.profile.p_style);
        // Without odd style: only missing braces, bare names, explicit scalar maps, a clause for each item.
        let style = (self.rng.next() as u32) & if odd { 511 } else { 8 | 16 | 128 | 256 };
        let by_macro = odd && self.rng.chance(20);
        let asks = self.asks(directive).filter(|_| !by_macro);
        let copies = self.copies(&stmts);
        self.program.kernels += 1;
        let kernel = Kernel {
            id: self.program.kernels,
            directive,
            loops,
            collapse: nested && self.rng.chance(60),
            stmts,
            maps,
            style,
            by_macro,
            copies,
            asks,
        };
        Some(self.element_by_element(kernel))
    }

    /// The kernel with plain indices where two names in it may be one array.
    fn element_by_element(&self, mut kernel: Kernel) -> Kernel {
        let all = facts::names_of(&kernel);
        let shared = all.into_iter().filter(|n| facts::may_share(&self.program, &kernel, *n));
        let shared: Vec<NameId> = shared.collect();
        if shared.is_empty() {
            return kernel;
        }
        let plain = |name: NameId, at: &mut KernelAt| {
            if shared.contains(&name) {
                *at = KernelAt::Shift(0);
            }
        };
        for s in &mut kernel.stmts {
            if let KernelTarget::Elem(name, at) = &mut s.target {
                plain(*name, at);
            }
            if let Some(KernelCond::Data(name, at, _)) = &mut s.cond {
                plain(*name, at);
            }
            for term in &mut s.terms {
                match term {
                    Term::Read(_, name, at) => plain(*name, at),
                    Term::Product(one, at, other, bt) => {
                        plain(*one, at);
                        plain(*other, bt);
                    }
                    _ => {}
                }
            }
        }
        kernel.copies.passed.clear();
        kernel
    }

    /// What the host evaluates for a kernel.
    fn asks(&mut self, directive: Directive) -> Option<Asks> {
        if self.profile.traps.p_asks == 0 || !self.rng.chance(self.profile.traps.p_asks) {
            return None;
        }
        let combined = matches!(
            directive,
            Directive::TeamsDistributeParallelFor | Directive::TeamsDistributeParallelForSimd
        );
        Some(self.rng.weighted(&[
            (50, Asks::Step),
            (20, Asks::Length),
            (if combined { 30 } else { 0 }, Asks::Teams),
        ]))
    }

    /// What a kernel with these statements has copies of. In a data region the host's arrays are old, so nothing is passed there.
    fn copies(&mut self, stmts: &[KernelStmt]) -> Copies {
        let mut copies = Copies::default();
        let p = self.profile.traps.p_copied;
        if p == 0 || self.scope.function != 0 {
            return copies;
        }
        if self.rng.chance(p / 2) {
            copies.scratch = Some(self.rng.range(1, 90));
        }
        if frames::in_region(&self.scope.frames) {
            return copies;
        }
        for name in stmts.iter().flat_map(|s| &s.terms).flat_map(facts::read_by) {
            let array = self.program.is_array(name);
            if array && !copies.passed.contains(&name) && self.rng.chance(p) {
                copies.passed.push(name);
            }
        }
        copies
    }

    /// A kernel over the names in scope.
    pub fn kernel(&mut self) -> Option<Kernel> {
        for _ in 0..TRIES {
            if let Some(k) = self.propose()
                && facts::facts(&self.program, &k).is_ok_and(|f| !f.is_empty())
            {
                return Some(k);
            }
        }
        None
    }
}
