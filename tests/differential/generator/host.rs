//! Grows host statements.

use super::ast::*;
use super::frames;
use super::grow::Grower;

impl Grower<'_> {
    fn index(&mut self, extent: i64) -> At {
        let small = self.rng.range(0, (extent - 1).min(5));
        let counter = self.scope.counters().last().copied();
        let runtime = self.rng.below(self.program.runtimes.len());
        let count = self.rng.pick(&self.changing());
        let (wrapped, by_number) = (self.wrapped(extent), self.rng.chance(50));
        let w_wrapped = if counter.is_some() {
            self.profile.traps.w_unsigned
        } else {
            0
        };
        self.rng.weighted(&[
            (w_wrapped, At::Wrapped(counter.unwrap_or(0), wrapped, by_number)),
            (30, At::Const(small)),
            (12, At::FromEnd(small)),
            (12, At::Half),
            (
                if counter.is_some() { 35 } else { 0 },
                At::Counter(counter.unwrap_or(0), small),
            ),
            (12, At::Runtime(runtime)),
            (if count.is_some() { 12 } else { 0 }, At::Count(count.unwrap_or(0))),
        ])
    }

    /// An index in arithmetic that wraps around.
    fn wrapped(&mut self, extent: i64) -> Wrapped {
        let (back, add) = (self.rng.range(1, 4), self.rng.range(0, 9));
        let width = self
            .rng
            .weighted(&[(3, Width::Unsigned), (2, Width::Size), (1, Width::Long)]);
        self.rng.weighted(&[
            (6, Wrapped::Ring(width, back)),
            (3, Wrapped::Hash),
            (2, Wrapped::Next(add)),
            (2, Wrapped::LongNext),
            (2, Wrapped::Quotient),
            (if extent > 4 { 2 } else { 0 }, Wrapped::Top(back)),
            (2, Wrapped::Byte(add)),
            (2, Wrapped::Short(back)),
        ])
    }

    /// One element of `name`.
    pub fn element(&mut self, name: NameId) -> Vec<At> {
        let extents: Vec<i64> = self.program.names[name]
            .dims
            .iter()
            .map(|d| self.program.value(d))
            .collect();
        extents.into_iter().map(|e| self.index(e)).collect()
    }

    fn select(&mut self, name: NameId) -> Select {
        let dims = &self.program.names[name].dims;
        let (extent, flat) = (self.program.value(&dims[0]), dims.len() == 1);
        let (lo, drop, step) = (
            self.rng.range(0, 2),
            self.rng.range(0, extent.min(4) - 1),
            self.rng.range(2, 3),
        );
        let (element, row) = (self.element(name), self.index(extent));
        let mut counts = self.changing();
        counts.retain(|c| self.program.sizes[*c].value <= extent);
        let count = self.rng.pick(&counts);
        let (between, behind) = (self.between(extent), self.behind(extent));
        let w_edge = if flat {
            self.profile.traps.p_edge + self.profile.traps.p_mark
        } else {
            0
        };
        let counter = self.scope.counters().last().copied();
        let (back, w_ring) = (self.rng.range(1, 4), self.profile.traps.w_unsigned / 6);
        self.rng.weighted(&[
            (40 + self.profile.traps.w_unsigned, Select::Elem(element)),
            (
                if flat && counter.is_some() { w_ring } else { 0 },
                Select::Ring(counter.unwrap_or(0), back),
            ),
            (if flat { 0 } else { 25 }, Select::Row(row)),
            (15, Select::Range(lo, drop)),
            (
                if between.is_some() { w_edge } else { 0 },
                between.unwrap_or(Select::All),
            ),
            (if behind.is_some() { w_edge } else { 0 }, behind.unwrap_or(Select::All)),
            (8, Select::Strided(step)),
            (
                if count.is_some() { 40 } else { 0 },
                Select::Counted(count.unwrap_or(0)),
            ),
            (30, Select::All),
        ])
    }

    /// The names in scope whose contents may change freely.
    pub fn writable(&self) -> Vec<NameId> {
        let names = self.scope.names.iter().copied();
        names.filter(|n| self.program.names[*n].index_bound.is_none()).collect()
    }

    /// A read into the running hash or onto the screen.
    pub fn read(&mut self) -> Option<HostOp> {
        if !self.scope.scalars.is_empty() && self.rng.chance(10) {
            return self.rng.pick(&self.scope.scalars.clone()).map(HostOp::ReadScalar);
        }
        let name = self.rng.pick(&self.scope.names.clone())?;
        let select = self.select(name);
        Some(HostOp::Read {
            name,
            select,
            print: self.rng.chance(25),
        })
    }

    /// A write.
    pub fn write(&mut self) -> Option<HostOp> {
        let name = self.rng.pick(&self.writable())?;
        let select = self.select(name);
        let how = self
            .rng
            .weighted(&[(60, Write::Set), (25, Write::Add), (15, Write::Sometimes)]);
        let counter = self.scope.counters().last().copied().filter(|_| self.rng.chance(60));
        Some(HostOp::Write {
            name,
            select,
            how,
            salt: self.rng.range(1, 900),
            counter,
        })
    }

    /// A library call, new memory, a new index array, a scalar.
    pub fn misc(&mut self) -> Option<HostOp> {
        let names = self.writable();
        let name = self.rng.pick(&names)?;
        let vector = self.program.names[name].dims.len() == 1;
        match self.rng.below(8) {
            0 => Some(HostOp::Memset(name)),
            1 => {
                let fits = |s: &NameId| {
                    let (a, b) = (&self.program.names[name], &self.program.names[*s]);
                    a.elem == b.elem && b.dims.len() == 1 && self.program.disjoint(name, *s)
                };
                let sources: Vec<NameId> = names.iter().copied().filter(|s| vector && fits(s)).collect();
                let src = self.rng.pick(&sources)?;
                Some(HostOp::Memcpy {
                    dst: name,
                    src,
                    drop: self.rng.range(0, 3),
                })
            }
            2 => vector.then_some(HostOp::Sort(name)),
            3 | 4 | 7 => {
                let class = self.program.names[name].class;
                // Which names a nested statement may use says nothing of what is declared around it.
                let held = self.program.names.iter().any(|n| {
                    n.class & class != 0
                        && matches!(
                            n.kind,
                            NameKind::Alias {
                                place: AliasPlace::Middle,
                                ..
                            }
                        )
                });
                if held || self.scope.function != 0 || !frames::may_free(&self.program, &self.scope.frames, name) {
                    return None;
                }
                Some(if self.rng.chance(50) {
                    HostOp::Realloc(name)
                } else {
                    HostOp::Renew(name)
                })
            }
            5 => {
                let indices = self.scope.names.iter().copied();
                let indices: Vec<NameId> = indices
                    .filter(|n| self.program.names[*n].index_bound.is_some())
                    .collect();
                let name = self.rng.pick(&indices)?;
                Some(HostOp::Reindex {
                    name,
                    salt: self.rng.range(1, 50),
                })
            }
            _ => {
                let scalar = self.rng.pick(&self.scope.scalars.clone())?;
                Some(HostOp::SetScalar(scalar, self.rng.range(0, 90)))
            }
        }
    }

    /// A swap of two pointers.
    pub fn swap(&mut self) -> Option<HostOp> {
        let first = |n: &NameId| self.program.names[*n].partner.is_some_and(|p| *n < p);
        let pairs: Vec<NameId> = self.scope.names.iter().copied().filter(first).collect();
        let a = self.rng.pick(&pairs)?;
        let b = self.program.names[a].partner?;
        let alike = self.program.carved(a) == self.program.carved(b);
        (alike && frames::may_swap(&self.program, &self.scope.frames, a)).then_some(HostOp::Swap(a, b))
    }
}
