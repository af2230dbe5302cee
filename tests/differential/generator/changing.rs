//! Grows what means one thing now and another later: numbers that change, and pointers to one of two arrays.

use super::ast::*;
use super::frames::{self, Frame};
use super::grow::Grower;

impl Grower<'_> {
    /// Numbers of the body that change, each at most as large as the shortest array is long.
    pub fn counts(&mut self) {
        let extents = self.program.names.iter().flat_map(|n| &n.dims);
        let shortest = extents.map(|d| self.program.value(d)).min().unwrap_or(0);
        for k in 0..2 {
            if !self.rng.chance(self.profile.p_changing) || shortest < 3 {
                continue;
            }
            let low = self.rng.weighted(&[(2, -1), (2, 0), (6, 1)]);
            let value = self.rng.range(2, shortest);
            self.program.sizes.push(SizeVar {
                ident: format!("c{k}"),
                value,
                kind: SizeKind::Count { low },
            });
        }
    }

    /// The numbers that change where the statement being grown stands.
    pub fn changing(&self) -> Vec<SizeId> {
        let all = 0..self.program.sizes.len();
        let counts = all.filter(|s| matches!(self.program.sizes[*s].kind, SizeKind::Count { .. }));
        counts.filter(|_| self.scope.function == 0).collect()
    }

    /// Pointers to one of two arrays.
    pub fn picks(&mut self) {
        let home = self.program.functions[0].home;
        for _ in 0..2 {
            if !self.rng.chance(self.profile.p_changing) {
                continue;
            }
            let owners = self.program.objects.iter().copied();
            let fits = |n: &NameId| {
                let name = &self.program.names[*n];
                name.dims.len() == 1 && name.index_bound.is_none() && name.partner.is_none() && self.seen_from(home, *n)
            };
            let owners: Vec<NameId> = owners.filter(fits).collect();
            let Some(of) = self.rng.pick(&owners) else { return };
            let like = |n: &NameId| {
                let (a, b) = (&self.program.names[of], &self.program.names[*n]);
                *n != of && a.elem == b.elem && a.dims == b.dims
            };
            let others: Vec<NameId> = owners.into_iter().filter(like).collect();
            let Some(other) = self.rng.pick(&others) else { continue };
            let (a, b) = (self.program.names[of].clone(), &self.program.names[other]);
            let pick = Name {
                ident: format!("u{}", self.program.names.len()),
                kind: NameKind::Pick { of, other },
                class: a.class | b.class,
                matrix: None,
                observed: false,
                home: MAIN,
                made: Made::Here,
                hidden: false,
                nick: None,
                ..a
            };
            self.program.names.push(pick);
        }
    }

    /// The body of a loop about few arrays: something changes, one is filled; then kernels use them.
    pub fn round(&mut self, id: LoopId, depth: u32) -> (Vec<Stmt>, Vec<Stmt>) {
        let all = self.scope.names.clone();
        let changes = |n: &NameId| matches!(self.program.names[*n].kind, NameKind::Pick { .. });
        let picks: Vec<NameId> = all.iter().copied().filter(changes).collect();
        let writable = self.writable();
        let any = self.rng.pick(&writable);
        let Some(filled) = self.rng.pick(&picks).filter(|_| self.rng.chance(60)).or(any) else {
            return (Vec::new(), Vec::new());
        };
        let other = self.rng.pick(&all);
        self.scope.frames.push(Frame::Loop(id));
        self.scope.names = [filled].into_iter().chain(other).collect();
        let mut body: Vec<Stmt> = Vec::new();
        if picks.contains(&filled) {
            body.push(Stmt::Host(HostOp::Pick(filled, self.cond(false))));
        }
        if !picks.contains(&filled) || self.rng.chance(20) {
            body.extend(self.change().map(Stmt::Host));
        }
        if !frames::in_region(&self.scope.frames) {
            let extent = self.program.value(&self.program.names[filled].dims[0]);
            let mut counts = self.changing();
            counts.retain(|c| self.program.sizes[*c].value <= extent);
            let often = if picks.contains(&filled) { 20 } else { 70 };
            let counted = self.rng.pick(&counts).filter(|_| self.rng.chance(often));
            body.push(Stmt::Host(HostOp::Write {
                name: filled,
                select: counted.map_or(Select::All, Select::Counted),
                how: Write::Set,
                salt: self.rng.range(1, 900),
                counter: Some(id),
            }));
        }
        let mut rest = Vec::new();
        let both = self.scope.names.clone();
        for _ in 0..self.rng.range(1, 4) {
            self.scope.names = match self.rng.chance(60) {
                true => vec![filled],
                false => both.clone(),
            };
            rest.extend(self.kernel().map(Stmt::Kernel));
        }
        self.scope.names = both;
        let more = self.rng.range(0, 2);
        rest.extend(self.block(depth + 1, more));
        self.scope.names = all;
        self.scope.frames.pop();
        (body, rest)
    }

    /// Another value for a number, or another array for a pointer.
    pub fn change(&mut self) -> Option<HostOp> {
        let counts = self.changing();
        let picks = self.scope.names.iter().copied();
        let picks: Vec<NameId> = picks
            .filter(|n| matches!(self.program.names[*n].kind, NameKind::Pick { .. }))
            .collect();
        if let Some(name) = self.rng.pick(&picks)
            && (counts.is_empty() || self.rng.chance(50))
        {
            return Some(HostOp::Pick(name, self.cond(false)));
        }
        let count = self.rng.pick(&counts)?;
        let (factor, add) = (self.rng.range(1, 7), self.rng.range(0, 9));
        let counter = self.scope.counters().last().copied();
        let runtime = self.rng.below(self.program.runtimes.len());
        let step = self.rng.weighted(&[
            (35, Step::Chain { factor, add }),
            (
                if counter.is_some() { 30 } else { 0 },
                Step::Counter {
                    id: counter.unwrap_or(0),
                    factor,
                    add,
                },
            ),
            (15, Step::Runtime(runtime)),
            (20, Step::Down),
        ]);
        Some(HostOp::Step(count, step))
    }
}
