//! Grows pointers that are chosen by a test, and what is done with them.
//!
//! ```c
//! for (int t = 0; t < 3; t++) {
//!     double *src = t & 1 ? b : a, *dst = t & 1 ? a : b;
//!     #pragma omp target teams distribute parallel for map(to: src[0:n]) map(from: dst[0:n])
//!     for (int i = 0; i < n; i++) dst[i] = src[i] + 1;
//!     b[3] = t;                                             // one of the two, and nobody sees which
//! }
//! ```

use super::ast::*;
use super::facts;
use super::frames::{self, Frame};
use super::grow::Grower;

/// Statements about chosen pointers, at most.
const MOST: i64 = 5;

impl Grower<'_> {
    /// Arrays that are like another one, so that there is something to choose.
    pub fn alike(&mut self) {
        let p = self.profile.traps.p_choice;
        if p == 0 {
            return;
        }
        let plain = |n: &NameId| {
            let n = &self.program.names[*n];
            n.dims.len() == 1 && n.index_bound.is_none() && !n.hidden && n.elem != Elem::Char
        };
        let vectors: Vec<NameId> = self.program.objects.iter().copied().filter(plain).collect();
        let Some(of) = self.rng.pick(&vectors) else { return };
        for _ in 0..self.rng.weighted(&[(3, 1), (2, 2)]) {
            let mut twin = self.program.names[of].clone();
            let (id, seed) = (self.program.names.len(), self.program.seed);
            twin.ident = match twin.kind {
                NameKind::Member => format!("m{id}"),
                NameKind::Global => format!("g{id}_{seed}"),
                NameKind::GlobalHeap => format!("gp{id}_{seed}"),
                _ => format!("a{id}"),
            };
            self.own(twin);
        }
    }

    /// Arrays that pointers may be chosen among here; where there are but two, the last is the second.
    fn buffers(&mut self) -> Option<[NameId; 3]> {
        let fits = |n: &NameId| {
            let n = &self.program.names[*n];
            let is_fixed = !matches!(
                n.kind,
                NameKind::Chosen { .. } | NameKind::Pick { .. } | NameKind::Optional { .. }
            );
            is_fixed && n.dims.len() == 1 && n.index_bound.is_none() && n.elem != Elem::Char
        };
        let all: Vec<NameId> = self.scope.names.iter().copied().filter(fits).collect();
        let is_like = |a: NameId, b: NameId| {
            let (x, y) = (&self.program.names[a], &self.program.names[b]);
            x.elem == y.elem && x.dims == y.dims && self.program.disjoint(a, b)
        };
        let is_one_of_two = |n: &NameId| all.iter().any(|other| is_like(*n, *other));
        let firsts: Vec<NameId> = all.iter().copied().filter(is_one_of_two).collect();
        let first = self.rng.pick(&firsts)?;
        let others: Vec<NameId> = all.into_iter().filter(|n| is_like(first, *n)).collect();
        let second = self.rng.pick(&others)?;
        let thirds: Vec<NameId> = others.into_iter().filter(|n| is_like(second, *n)).collect();
        let third = self.rng.pick(&thirds).filter(|_| self.rng.chance(50));
        Some([first, second, third.unwrap_or(second)])
    }

    /// What chooses: mostly the parity of a counter.
    fn test(&mut self) -> Cond {
        let names = self.scope.names.clone();
        let is_seen = self.scope.host && !frames::in_region(&self.scope.frames);
        if is_seen
            && self.rng.chance(8)
            && let Some(name) = self.rng.pick(&names)
        {
            let at = self.element(name);
            let above = self.rng.range(0, 500);
            return Cond::Data { name, at, above };
        }
        match self.scope.counters().last().copied() {
            Some(id) if self.rng.chance(55) => Cond::Parity(id, self.rng.chance(60)),
            Some(id) if self.rng.chance(20) => Cond::Real(id, self.rng.range(0, 2)),
            _ => self.cond(false),
        }
    }

    /// A choice among these, as one that is apart or is not.
    fn choice_of(&mut self, names: [NameId; 2], among: [NameId; 3], is_apart: bool) -> Choice {
        let three = u32::from(among[1] != among[2]);
        let form = match is_apart {
            true => self.rng.weighted(&[
                (8, ChoiceForm::Twice),
                (3, ChoiceForm::Opposite),
                (2, ChoiceForm::Respelled),
                (2, ChoiceForm::MovedByTwo),
                (5, ChoiceForm::Branch),
                (3, ChoiceForm::Preset),
                (2, ChoiceForm::Compared),
                (10 * three, ChoiceForm::Nested),
                (8 * three, ChoiceForm::Cascade),
            ]),
            false => self.rng.weighted(&[
                (4, ChoiceForm::Moved),
                (4, ChoiceForm::Apiece),
                (3, ChoiceForm::Carried),
            ]),
        };
        // What a pointer leads to does not choose that pointer anew.
        let is_new = !self.scope.names.contains(&names[0]);
        let test = match self.test() {
            Cond::Data { .. } if !is_new => self.cond(false),
            test => test,
        };
        // What is asked besides must not be a macro's number: those are looked for in the first test alone.
        let second = match self.test() {
            Cond::Flag(..) | Cond::Data { .. } => Cond::RuntimeGreater(self.rng.below(self.program.runtimes.len()), 1),
            cond => cond,
        };
        Choice {
            names,
            among,
            form,
            test,
            second,
            spelled: false,
        }
    }

    /// New pointers to some of these.
    fn chosen_names(&mut self, among: [NameId; 3], is_apart: bool) -> [NameId; 2] {
        let first = self.program.names.len();
        let names = [first, first + 1];
        let class = among.iter().map(|n| self.program.names[*n].class);
        let class = class.fold(0, |all, class| all | class);
        for (word, at) in [("src", 0), ("dst", 1)] {
            let like = self.program.names[among[0]].clone();
            self.program.names.push(Name {
                ident: format!("{word}{first}"),
                kind: NameKind::Chosen { among },
                class,
                matrix: None,
                partner: is_apart.then_some(names[1 - at]),
                observed: false,
                home: MAIN,
                made: Made::Here,
                hidden: false,
                nick: None,
                ..like
            });
        }
        names
    }

    /// Statements about pointers that are chosen in front of them.
    pub fn choose(&mut self, depth: u32) -> Option<Stmt> {
        let among = self.buffers()?;
        let is_apart = self.rng.chance(if self.profile.traps.loses { 30 } else { 75 });
        let names = self.chosen_names(among, is_apart);
        let mut choice = self.choice_of(names, among, is_apart);
        let all = self.scope.names.clone();
        self.scope.names.extend(names);
        let is_looped = self.scope.counters().is_empty() && self.rng.chance(70) || self.rng.chance(10);
        let only_calls = !is_looped && is_apart && self.scope.callees > 1 && self.rng.chance(35);
        let body = match () {
            () if is_looped => self.carried(&choice, depth),
            () if only_calls => self.calls_about(names),
            () => self.about(&choice, depth),
        };
        choice.spelled = only_calls && choice.form.is_expression() && self.rng.chance(80);
        self.scope.names = all;
        (!body.is_empty()).then_some(Stmt::Choose { choice, body })
    }

    /// The body of a loop, in which pointers are chosen.
    pub fn choosing(&mut self, id: LoopId, depth: u32) -> Vec<Stmt> {
        self.scope.frames.push(Frame::Loop(id));
        let mut body: Vec<Stmt> = Vec::new();
        if self.rng.chance(25) {
            body.extend(self.block(depth + 1, 1));
        }
        body.extend(self.choose(depth + 1));
        if self.rng.chance(25) || body.is_empty() {
            body.extend(self.block(depth + 1, 2));
        }
        self.scope.frames.pop();
        body
    }

    /// Calls of helpers that are given pointers.
    fn calls_about(&mut self, names: [NameId; 2]) -> Vec<Stmt> {
        let all = std::mem::replace(&mut self.scope.names, names.to_vec());
        let mut calls = Vec::new();
        for _ in 0..2 * MOST {
            if calls.len() < 2 {
                calls.extend(self.call().filter(|s| matches!(s, Stmt::Call(_))));
            }
        }
        self.scope.names = all;
        calls
    }

    /// A loop around statements about pointers that are chosen before it, and perhaps anew in it.
    fn carried(&mut self, choice: &Choice, depth: u32) -> Vec<Stmt> {
        let id = self.program.loops;
        self.program.loops += 1;
        let trip = Trip::Lit(self.rng.range(2, 4));
        self.scope.frames.push(Frame::Loop(id));
        let mut body = self.about(choice, depth + 1);
        if self.rng.chance(60) {
            let again = self.choice_of(choice.names, choice.among, choice.form.is_apart());
            let at = if self.rng.chance(50) { 0 } else { body.len() };
            body.insert(at, Stmt::Host(HostOp::Choose(again)));
        }
        self.scope.frames.pop();
        let around = Loop {
            id,
            kind: LoopKind::For,
            trip,
            braces: true,
            by_macro: false,
            body,
        };
        vec![Stmt::Loop(around)]
    }

    /// Statements about pointers and what they are chosen among.
    fn about(&mut self, choice: &Choice, depth: u32) -> Vec<Stmt> {
        let all = self.scope.names.clone();
        let mut near: Vec<NameId> = choice.names.into_iter().chain(choice.among).collect();
        near.dedup();
        let device = |w: u32| if self.scope.device { w } else { 0 };
        let is_seen = self.scope.host || frames::in_region(&self.scope.frames);
        let host = |w: u32| if is_seen { w } else { 0 };
        let kinds = [
            (device(40), 0),
            (device(10), 1),
            (host(12), 2),
            (host(12), 3),
            (self.profile.w_call / 2, 4),
            (6, 5),
            (4, 6),
            (8, 7),
        ];
        let mut body = Vec::new();
        for _ in 0..self.rng.range(2, MOST) {
            let kind = self.rng.weighted(&kinds);
            self.scope.names = match kind {
                0 => choice.names.to_vec(),
                1..4 => near.clone(),
                _ => all.clone(),
            };
            match kind {
                0 | 1 => body.extend(self.kernel().map(Stmt::Kernel)),
                2 => body.extend(self.read().map(|op| self.host_stmt(op))),
                3 => body.extend(self.write().map(|op| self.host_stmt(op))),
                4 => body.extend(self.call()),
                5 => {
                    let again = self.choice_of(choice.names, choice.among, choice.form.is_apart());
                    body.push(Stmt::Host(HostOp::Choose(again)));
                }
                6 => body.extend(self.swap().map(Stmt::Host)),
                _ => body.extend(self.block(depth + 1, 1)),
            }
        }
        self.scope.names = all;
        body
    }
}

/// What programs with pointers that a test chooses have.
pub const TRAPS: &[&str] = &[
    "pointers that are never one array",
    "pointers that may be one array",
    "one of three arrays",
    "kernel on two pointers that are never one array",
    "kernel on two pointers that may be one array",
    "choice that is made anew",
    "choice in arguments",
];

/// The traps that one choice sets.
pub fn traps(choice: &Choice, body: &[Stmt]) -> Vec<&'static str> {
    let is_apart = choice.form.is_apart();
    let mut out = vec![match is_apart {
        true => "pointers that are never one array",
        false => "pointers that may be one array",
    }];
    if choice.among[1] != choice.among[2] {
        out.push("one of three arrays");
    }
    if choice.spelled {
        out.push("choice in arguments");
    }
    visit(body, &mut |s| match s {
        Stmt::Kernel(k) if choice.names.iter().all(|n| facts::names_of(k).contains(n)) => out.push(match is_apart {
            true => "kernel on two pointers that are never one array",
            false => "kernel on two pointers that may be one array",
        }),
        Stmt::Host(HostOp::Choose(again)) if again.names == choice.names => out.push("choice that is made anew"),
        _ => {}
    });
    out
}
