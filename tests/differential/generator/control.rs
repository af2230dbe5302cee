//! Grows blocks: which statement comes next, and what encloses what.

use super::ast::*;
use super::frames::{self, Frame};
use super::grow::Grower;
use super::{facts, walk};

#[derive(Clone, Copy)]
enum Pick {
    Kernel,
    Read,
    Write,
    Misc,
    Loop,
    If,
    Switch,
    Jump,
    Call,
    Swap,
    Region,
    Declare,
    Change,
    When,
    Trap,
    Choose,
}

/// Statements proposed for each one wanted, since some places allow few kinds.
const TRIES: i64 = 6;

impl Grower<'_> {
    /// About `statements` statements, `depth` constructs deep.
    pub fn block(&mut self, depth: u32, statements: i64) -> Vec<Stmt> {
        let (names, scalars) = (self.scope.names.clone(), self.scope.scalars.clone());
        let mut out = Vec::new();
        for _ in 0..statements * TRIES {
            if out.len() as i64 >= statements {
                break;
            }
            out.extend(self.stmt(depth));
        }
        // Names declared in the block end with it.
        self.scope.names = names;
        self.scope.scalars = scalars;
        out
    }

    fn stmt(&mut self, depth: u32) -> Option<Stmt> {
        let p = self.profile;
        let deeper = |w: u32| if depth < p.depth { w } else { 0 };
        let device = |w: u32| if self.scope.device { w } else { 0 };
        let in_region = frames::in_region(&self.scope.frames);
        let host = |w: u32| if self.scope.host || in_region { w } else { 0 };
        let kinds = [
            (device(p.w_kernel), Pick::Kernel),
            (host(p.w_read), Pick::Read),
            (host(p.w_write), Pick::Write),
            (host(p.w_misc), Pick::Misc),
            (deeper(p.w_loop), Pick::Loop),
            (deeper(p.w_if), Pick::If),
            (deeper(p.w_switch), Pick::Switch),
            (if self.scope.jumps { p.w_jump } else { 0 }, Pick::Jump),
            (p.w_call, Pick::Call),
            (p.w_swap, Pick::Swap),
            (device(deeper(p.w_region)), Pick::Region),
            (p.w_declare, Pick::Declare),
            (p.w_change, Pick::Change),
            (deeper(p.traps.w_when), Pick::When),
            (host(p.traps.any() / 2), Pick::Trap),
            (deeper(p.traps.w_choice), Pick::Choose),
        ];
        match self.rng.weighted(&kinds) {
            Pick::Kernel => self.kernel().map(Stmt::Kernel),
            Pick::Read => self.read().map(|op| self.host_stmt(op)),
            Pick::Write => self.write().map(|op| self.host_stmt(op)),
            Pick::Misc => self.misc().map(|op| self.host_stmt(op)),
            Pick::Swap => self.swap().map(Stmt::Host),
            Pick::Loop => Some(self.host_loop(depth)),
            Pick::If => self.branch(depth),
            Pick::Switch => Some(self.switch(depth)),
            Pick::Jump => self.jump(),
            Pick::Call => self.call(),
            Pick::Region => self.region(depth),
            Pick::Declare => self.declaration(),
            Pick::Change => self.change().map(Stmt::Host),
            Pick::When => self.when(depth),
            Pick::Trap => self.trap().map(|op| self.host_stmt(op)),
            Pick::Choose => self.choose(depth),
        }
    }

    /// A host statement, with updates where a data region may hold the arrays.
    pub fn host_stmt(&mut self, op: HostOp) -> Stmt {
        let s = Stmt::Host(op);
        if frames::in_region(&self.scope.frames) && walk::bare_host(&self.program, std::slice::from_ref(&s)) {
            let mut body = vec![s];
            if self.rng.chance(30)
                && let Some(second) = self.read()
            {
                body.push(Stmt::Host(second));
            }
            return Stmt::Sync {
                body,
                updates: Updates::Touched,
            };
        }
        s
    }

    fn nested(&mut self, frame: Option<Frame>, depth: u32, most: i64) -> Vec<Stmt> {
        self.scope.frames.extend(frame);
        let statements = self.rng.range(1, most);
        let body = self.block(depth + 1, statements);
        if frame.is_some() {
            self.scope.frames.pop();
        }
        body
    }

    fn host_loop(&mut self, depth: u32) -> Stmt {
        let id = self.program.loops;
        self.program.loops += 1;
        let kind = self
            .rng
            .weighted(&[(70, LoopKind::For), (18, LoopKind::While), (12, LoopKind::DoWhile)]);
        let safe = self.profile.speculation_safe;
        let least = if safe || self.rng.chance(90) { 1 } else { 0 };
        let (count, runtime) = (self.rng.range(least, 4), self.rng.below(self.program.runtimes.len()));
        let less = self.rng.range(1, 3);
        let outer = self.scope.counters().last().copied();
        let trip = self.rng.weighted(&[
            (45, Trip::Lit(count)),
            (12, Trip::Macro(count)),
            (30, Trip::Runtime(runtime)),
            (if safe { 0 } else { 10 }, Trip::RuntimeLess(runtime, less)),
            (
                if safe || outer.is_none() { 0 } else { 10 },
                Trip::Counter(outer.unwrap_or(0)),
            ),
        ]);
        let trip = match self.edge() {
            Some(edge) if self.rng.chance(self.profile.traps.p_edge) => Trip::Edge(edge),
            _ => trip,
        };
        let braces = !self.rng.chance(self.profile.p_style);
        let by_macro = self.rng.chance(self.profile.p_style / 3);
        let few = self.scope.host && self.scope.device && self.rng.chance(self.profile.p_changing / 2);
        let (kind, body) = match few {
            true => {
                let (first, rest) = self.round(id, depth);
                let kind = match self.rng.chance(60) {
                    true => LoopKind::Middle(first.len()),
                    false => kind,
                };
                (kind, [first, rest].concat())
            }
            false if self.profile.traps.p_choice > 0 && self.rng.chance(self.profile.traps.p_choice) => {
                (kind, self.choosing(id, depth))
            }
            false if self.scope.device && self.rng.chance(self.profile.traps.p_focus) => {
                (kind, self.focused(id, depth))
            }
            false => (kind, self.nested(Some(Frame::Loop(id)), depth, 4)),
        };
        let kind = self.entered(trip, &body).unwrap_or(kind);
        Stmt::Loop(Loop {
            id,
            kind,
            trip,
            braces,
            by_macro,
            body,
        })
    }

    /// Another way into a loop, or around it, if the profile has any and the loop can be written so.
    fn entered(&mut self, trip: Trip, body: &[Stmt]) -> Option<LoopKind> {
        let positive = match trip {
            Trip::Lit(v) | Trip::Macro(v) => v >= 0,
            Trip::Runtime(r) => self.program.runtimes[r] >= 0,
            _ => false,
        };
        if positive && self.profile.traps.w_unsigned > 0 && self.rng.chance(40) {
            let runtime = self.rng.below(self.program.runtimes.len());
            let (below, far) = (self.rng.weighted(&[(2, 0), (3, 1), (2, 2)]), ConvertedForm::Far);
            let form = [(3, ConvertedForm::Unsigned), (1, ConvertedForm::UnsignedLong), (2, far)];
            return Some(LoopKind::Converted(runtime, below, self.rng.weighted(&form)));
        }
        let p = self.profile.traps.p_entered;
        if p == 0 || !self.rng.chance(p) {
            return None;
        }
        let (back, split) = (self.rng.range(1, 6), self.rng.range(0, body.len() as i64) as usize);
        let runtime = self.rng.below(self.program.runtimes.len());
        if positive && self.rng.chance(40) {
            return Some(LoopKind::Wrapping(back));
        }
        // What a way in passes by is not declared behind it.
        let declares = |s: &Stmt| matches!(s, Stmt::DeclareAlias(_) | Stmt::DeclareScalar(_));
        (!body.iter().any(declares)).then_some(LoopKind::Entered(split, runtime))
    }

    /// The body of a loop about one or two arrays, with a kernel in it.
    fn focused(&mut self, id: LoopId, depth: u32) -> Vec<Stmt> {
        let all = self.scope.names.clone();
        let first = self.rng.pick(&self.writable());
        let other = self.rng.pick(&all).filter(|_| self.rng.chance(30));
        self.scope.names = first.into_iter().chain(other).collect();
        self.scope.frames.push(Frame::Loop(id));
        let mut body: Vec<Stmt> = self.kernel().map(Stmt::Kernel).into_iter().collect();
        for _ in 0..self.rng.range(1, 3) {
            let s = match self.rng.below(6) {
                _ if self.rng.chance(self.profile.w_call) => {
                    // Helpers may want other arrays, too.
                    let few = std::mem::replace(&mut self.scope.names, all.clone());
                    let call = self.call();
                    self.scope.names = few;
                    call
                }
                0 => self.block(depth + 1, 1).pop(),
                1 => self.read().map(|op| self.host_stmt(op)),
                _ => self.trap().or_else(|| self.write()).map(|op| self.host_stmt(op)),
            };
            let at = self.rng.below(body.len() + 1);
            if let Some(s) = s {
                body.insert(at, s);
            }
        }
        if self.rng.chance(25) {
            body.extend(self.kernel().map(Stmt::Kernel));
        }
        self.scope.frames.pop();
        self.scope.names = all;
        body
    }

    pub fn cond(&mut self, data: bool) -> Cond {
        if let Some(cond) = self.flag(self.profile.traps.p_flag, false) {
            return cond;
        }
        let runtime = self.rng.below(self.program.runtimes.len());
        let counter = self.scope.counters().last().copied();
        let names = self.scope.names.clone();
        if data
            && self.scope.host
            && self.rng.chance(self.profile.p_data_branch)
            && let Some(name) = self.rng.pick(&names)
        {
            let at = self.element(name);
            return Cond::Data {
                name,
                at,
                above: self.rng.range(0, 500),
            };
        }
        let (above, modulus, below) = (self.rng.range(-1, 3), self.rng.range(2, 3), self.rng.range(0, 3));
        match counter {
            Some(id) if self.rng.chance(60) => {
                if self.rng.chance(70) {
                    Cond::CounterMod {
                        id,
                        modulus,
                        equals: self.rng.range(0, modulus - 1),
                    }
                } else {
                    Cond::CounterLess(id, below)
                }
            }
            _ => Cond::RuntimeGreater(runtime, above),
        }
    }

    fn branch(&mut self, depth: u32) -> Option<Stmt> {
        let directive = self.flag(self.profile.traps.p_directive, true);
        let cond = directive.unwrap_or_else(|| self.cond(!frames::in_region(&self.scope.frames)));
        let outer = (self.scope.device, self.scope.jumps);
        if matches!(cond, Cond::Data { .. }) && self.profile.speculation_safe {
            // The simulator cannot tell whether such a branch is taken, so nothing that matters to it stands there.
            (self.scope.device, self.scope.jumps) = (false, false);
        }
        let then = self.nested(None, depth, 3);
        let other = if self.rng.chance(40) {
            self.nested(None, depth, 3)
        } else {
            Vec::new()
        };
        (self.scope.device, self.scope.jumps) = outer;
        let braces = !self.rng.chance(self.profile.p_style.max(10));
        (!then.is_empty()).then_some(Stmt::If {
            cond,
            then,
            other,
            braces,
        })
    }

    fn switch(&mut self, depth: u32) -> Stmt {
        let counter = self.scope.counters().last().copied();
        let on = match counter {
            Some(id) if self.rng.chance(60) => Selector::Counter(id),
            _ => Selector::Runtime(self.rng.below(self.program.runtimes.len())),
        };
        let mut arms = Vec::new();
        for _ in 0..self.rng.range(2, 3) {
            let body = self.nested(Some(Frame::Switch), depth, 2);
            arms.push(Arm {
                body,
                falls_through: self.rng.chance(40),
            });
        }
        Stmt::Switch { on, arms }
    }

    fn jump(&mut self) -> Option<Stmt> {
        let counters = self.scope.counters();
        let out = self.rng.pick(&counters);
        let in_loop = u32::from(!counters.is_empty());
        let kind = self.rng.weighted(&[
            (in_loop * 35, Jump::Break),
            (in_loop * 35, Jump::Continue),
            (in_loop * 20, Jump::Out(out.unwrap_or(0))),
            (8, Jump::Exit),
        ]);
        let data = !self.profile.speculation_safe && !frames::in_region(&self.scope.frames);
        let cond = self.cond(data);
        // What only the body has is freed at its end.
        let leaks = self.scope.function == 0 && self.program.layout == Layout::Function && self.has_own();
        if leaks && kind == Jump::Exit {
            return None;
        }
        frames::lands(&self.scope.frames, kind).then_some(Stmt::Jump { cond, kind })
    }

    fn declaration(&mut self) -> Option<Stmt> {
        if self.rng.chance(40) {
            let (id, initial) = (self.program.scalars.len(), self.rng.range(0, 40));
            self.program.scalars.push(Scalar {
                ident: format!("s{id}"),
                initial,
                global: false,
                home: MAIN,
                middle: true,
            });
            self.scope.scalars.push(id);
            return Some(Stmt::DeclareScalar(id));
        }
        let of = self.rng.pick(&self.scope.names.clone())?;
        let alias = self.alias(of, AliasPlace::Middle)?;
        self.scope.names.push(alias);
        Some(Stmt::DeclareAlias(alias))
    }

    fn region(&mut self, depth: u32) -> Option<Stmt> {
        let form = self.region_form();
        let frame = Frame::Region {
            unstructured: form.unstructured(),
        };
        let body = self.nested(Some(frame), depth, 5);
        let cover = self.cover(&body);
        (!body.is_empty()).then_some(Stmt::Region {
            form,
            maps: RegionMaps::Fitting,
            cover,
            body,
        })
    }

    pub fn region_form(&mut self) -> RegionForm {
        let called = if self.profile.traps.managed { 70 } else { 15 };
        match self.rng.below(100) {
            at if at < called => RegionForm::Called,
            at if at < called + 20 => RegionForm::Standing,
            _ => RegionForm::Block,
        }
    }

    /// Arrays that a data region around `body` may hold: some of those that stand in it.
    pub fn cover(&mut self, body: &[Stmt]) -> Vec<NameId> {
        let mut class = 0;
        visit(body, &mut |s| match s {
            Stmt::Kernel(k) => {
                facts::names_of(k)
                    .into_iter()
                    .for_each(|n| class |= self.program.names[n].class);
            }
            _ => walk::names_in(s)
                .into_iter()
                .for_each(|n| class |= self.program.names[n].class),
        });
        let visible = self.scope.names.clone();
        let owners = self.program.objects.iter().enumerate();
        let owners = owners
            .filter(|(bit, n)| class >> bit & 1 == 1 && visible.contains(n))
            .map(|(_, n)| *n);
        let owners: Vec<NameId> = owners.collect();
        let mut cover: Vec<NameId> = owners.into_iter().filter(|_| self.rng.chance(80)).collect();
        let member = |n: &NameId| self.program.names[*n].kind == NameKind::Member;
        if cover.iter().any(member) {
            // A structure is mapped with all of its pointers or with none: it must not grow while it is present.
            cover.extend(self.program.objects.iter().copied().filter(member));
            cover.sort_unstable();
            cover.dedup();
        }
        cover
    }
}
