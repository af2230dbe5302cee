//! Grows host statements that are traps: guarded accesses, library calls that remember, code that runs by itself.

use super::ast::*;
use super::frames;
use super::grow::Grower;

/// The shortest array that guarded accesses are made to.
const SHORTEST: i64 = 8;

impl Grower<'_> {
    /// What the traps of the body share.
    pub fn traps(&mut self) {
        let runtime = self.rng.below(self.program.runtimes.len());
        let (above, first, second) = (self.rng.range(-1, 2), self.rng.range(0, 5), self.rng.range(0, 5));
        self.program.spot = (runtime, above, [first, second]);
        let global = |n: &NameId| {
            let n = &self.program.names[*n];
            n.kind == NameKind::Global && n.dims.len() == 1 && n.index_bound.is_none()
        };
        let globals: Vec<NameId> = (0..self.program.names.len()).filter(global).collect();
        let (at, writes) = (self.rng.range(0, 5), self.rng.chance(50));
        self.elsewhere = self.rng.pick(&globals).map(|name| Elsewhere { name, at, writes });
    }

    /// The macros that conditions ask for.
    pub fn flags(&mut self) {
        if self.profile.traps.p_flag + self.profile.traps.p_directive > 0 {
            let count = self.rng.range(1, 3);
            self.program.flags = (0..count).map(|_| self.rng.chance(50)).collect();
        }
    }

    /// A condition that asks for one of them, in so many percent.
    pub fn flag(&mut self, percent: u32, directive: bool) -> Option<Cond> {
        if percent == 0 || self.program.flags.is_empty() || !self.rng.chance(percent) {
            return None;
        }
        let flag = self.rng.below(self.program.flags.len());
        if directive {
            return Some(Cond::Flag(flag, Asked::Directive));
        }
        let (runtime, above) = (self.rng.below(self.program.runtimes.len()), self.rng.range(-1, 2));
        let asked = self.rng.weighted(&[
            (4, Asked::Alone),
            (2, Asked::Not),
            (2, Asked::And(runtime, above)),
            (1, Asked::Or(runtime, above)),
            (2, Asked::Chosen(runtime, above)),
        ]);
        Some(Cond::Flag(flag, asked))
    }

    /// A host statement that is a trap, if the profile has any.
    pub fn trap(&mut self) -> Option<HostOp> {
        let traps = &self.profile.traps;
        let code = if self.elsewhere.is_some() && self.scope.function == 0 {
            (traps.w_raise, traps.w_meet, traps.w_back)
        } else {
            (0, 0, 0)
        };
        let member = self
            .member_in_scope()
            .filter(|_| !frames::in_region(&self.scope.frames));
        let weigh = if member.is_some() { traps.w_weigh } else { 0 };
        let survey = if self.surveyed().is_empty() { 0 } else { traps.w_survey };
        let border = if self.bordered().is_empty() { 0 } else { traps.w_border };
        let kinds = [
            (traps.w_guarded, 0),
            (traps.w_tokens, 1),
            (code.0, 2),
            (code.1, 3),
            (code.2, 4),
            (weigh, 5),
            (survey, 6),
            (border, 7),
        ];
        if kinds.iter().all(|(w, _)| *w == 0) {
            return None;
        }
        match self.rng.weighted(&kinds) {
            0 => self.guarded(),
            1 => self.tokens(),
            2 => self.elsewhere.map(HostOp::Raise),
            3 => self.elsewhere.map(HostOp::Meet),
            5 => {
                let place = self.call_place();
                member.map(|name| HostOp::Weigh(name, place))
            }
            6 => self.survey(),
            7 => self.border(),
            _ => self.elsewhere.map(|code| self.called_back(code)),
        }
    }

    fn call_place(&mut self) -> CallPlace {
        self.rng.weighted(&[
            (2, CallPlace::Alone),
            (2, CallPlace::Twice),
            (2, CallPlace::Asked),
            (2, CallPlace::Head),
        ])
    }

    /// Arrays that a kernel may map all of: none that a region has a part of.
    fn surveyed(&self) -> Vec<NameId> {
        let plain = |n: &NameId| self.program.names[*n].dims.len() == 1;
        match self.scope.function != 0 || frames::in_region(&self.scope.frames) {
            true => Vec::new(),
            false => self.writable().into_iter().filter(plain).collect(),
        }
    }

    fn survey(&mut self) -> Option<HostOp> {
        let name = self.rng.pick(&self.surveyed())?;
        let global = u32::from(self.program.names[name].kind == NameKind::Global);
        let by = self.rng.weighted(&[
            (4 * global, Surveyed::Global),
            (2, Surveyed::Parameter),
            (2, Surveyed::Bytes),
        ]);
        let place = self.call_place();
        Some(HostOp::Survey(name, by, place))
    }

    /// Arrays whose extents other builds may set.
    fn bordered(&self) -> Vec<NameId> {
        let set = |n: &NameId| {
            let extent = self.program.names[*n].dims.first();
            let size = extent.and_then(|d| match d {
                Size::Var(s) | Size::Plus(s, _) => Some(&self.program.sizes[*s]),
                Size::Lit(_) | Size::Times(..) => None,
            });
            size.is_some_and(|s| s.kind == SizeKind::Macro) && self.program.names[*n].elem != Elem::Char
        };
        self.surveyed().into_iter().filter(set).collect()
    }

    fn border(&mut self) -> Option<HostOp> {
        let name = self.rng.pick(&self.bordered())?;
        let extent = self.program.len(name);
        let from = self.rng.range(0, extent);
        let border = Border {
            from,
            drop: extent - from,
            writes: self.rng.chance(30),
            kernel: self.rng.chance(60),
        };
        Some(HostOp::Border(name, border))
    }

    /// An array of the body that is a member of the structure.
    fn member_in_scope(&self) -> Option<NameId> {
        let mut names = self.scope.names.iter().copied();
        let member = |n: &NameId| self.program.names[*n].kind == NameKind::Member;
        names.find(|n| self.scope.function == 0 && member(n))
    }

    fn called_back(&mut self, code: Elsewhere) -> HostOp {
        // What a region holds, the kernel would leave on the device, and the host of the function would not see.
        let held = frames::in_region(&self.scope.frames);
        let number = self.program.names[code.name].elem != Elem::Char;
        let caller = Caller {
            unknown: self.rng.chance(40),
            kernel: number && !held && self.rng.chance(50),
        };
        HostOp::CallBack(code, caller)
    }

    fn guarded(&mut self) -> Option<HostOp> {
        let body = self.scope.function == 0;
        if body && self.rng.chance(12) {
            return Some(HostOp::Advance);
        }
        let long = |n: &NameId| {
            let name = &self.program.names[*n];
            name.dims.len() == 1 && self.program.value(&name.dims[0]) >= SHORTEST
        };
        let names: Vec<NameId> = self.writable().into_iter().filter(long).collect();
        let name = self.rng.pick(&names)?;
        let runtime = self.rng.below(self.program.runtimes.len());
        let counter = self.scope.counters().last().copied();
        let (some, id) = (if counter.is_some() { 3 } else { 0 }, counter.unwrap_or(0));
        let guard = self.rng.weighted(&[
            (if body { 5 } else { 0 }, Guard::Spot),
            (3, Guard::Divisor(runtime)),
            (some, Guard::Counter(id)),
            (some, Guard::Remainder(id, runtime)),
        ]);
        let divides = matches!(guard, Guard::Divisor(_) | Guard::Counter(_));
        let form = self.rng.weighted(&[
            (4, Guarded::Chosen),
            (4, Guarded::And),
            (2, Guarded::AndWrite),
            (2, Guarded::If),
            (if divides { 3 } else { 0 }, Guarded::Loop),
            (4, Guarded::ReadCall),
            (3, Guarded::WriteCall),
        ]);
        let salt = self.rng.range(1, 900);
        Some(HostOp::Guarded {
            name,
            guard,
            form,
            salt,
        })
    }

    fn tokens(&mut self) -> Option<HostOp> {
        if frames::in_region(&self.scope.frames) {
            // Nobody knows whose updates the next word needs.
            return None;
        }
        let text = |n: &NameId| self.program.names[*n].elem == Elem::Char;
        let texts: Vec<NameId> = self.scope.names.iter().copied().filter(text).collect();
        let w_local = if self.scope.function == 0 { 2 } else { 0 };
        let how = self.rng.weighted(&[
            (4, Tokens::Hidden),
            (w_local, Tokens::Saved),
            (w_local, Tokens::Separated),
        ]);
        let salt = self.rng.range(0, 19);
        match self.rng.pick(&texts) {
            Some(name) if self.rng.chance(35) => Some(HostOp::FirstToken(name, how, salt)),
            _ => Some(HostOp::NextToken(how, salt)),
        }
    }
}
