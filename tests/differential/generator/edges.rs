//! Grows what may be nothing: bounds that leave loops and ranges empty, arrays that need not be there.

use super::ast::*;
use super::frames;
use super::grow::Grower;

/// Statements under a condition, at most.
const MOST: i64 = 3;
/// Times that a call is proposed before a helper is not called with nothing.
const TRIES: usize = 6;

impl Grower<'_> {
    /// The few bounds that a program has, so that one turns up in several places.
    pub fn edges(&mut self) {
        if self.profile.traps.p_edge == 0 {
            return;
        }
        for _ in 0..2 {
            let (r, s) = (
                self.rng.below(self.program.runtimes.len()),
                self.rng.below(self.program.runtimes.len()),
            );
            let (down, up) = (self.rng.range(-2, 1), self.rng.range(0, 2));
            let edge = self.rng.weighted(&[
                (5, Edge::Plus(r, down)),
                (3, Edge::Less(up, r)),
                (if r == s { 0 } else { 2 }, Edge::Between(r, s)),
            ]);
            self.edges.push(edge);
            // What is empty where the first is not.
            if let Edge::Plus(r, c) = edge {
                self.edges.push(Edge::Less(1 - c, r));
            }
        }
    }

    /// Numbers of macros and of the text that ranges begin or end at, all within `length` elements.
    pub fn marks(&mut self, length: i64) {
        if self.profile.traps.p_mark == 0 {
            return;
        }
        for named in [true, false, self.rng.chance(50), self.rng.chance(50)] {
            let most = length - 1;
            let value = self.rng.range(if named { 1 } else { 4 }, most);
            self.program.marks.push(Mark { value, most, named });
        }
    }

    /// One of these numbers, if it stays within so many elements.
    pub fn mark(&mut self, extent: i64) -> Option<Edge> {
        let p = self.profile.traps.p_mark;
        if p == 0 || self.program.marks.is_empty() || !self.rng.chance(p) {
            return None;
        }
        let mark = self.rng.below(self.program.marks.len());
        (self.program.marks[mark].most < extent).then_some(Edge::Mark(mark))
    }

    /// One of the bounds.
    pub fn edge(&mut self) -> Option<Edge> {
        self.rng.pick(&self.edges.clone())
    }

    /// Elements from the first or second one up to a bound, all inside where there are any.
    pub fn between(&mut self, extent: i64) -> Option<Select> {
        if let Some(mark) = self.mark(extent) {
            return Some(Select::Between(0, mark));
        }
        let (lo, edge) = (self.rng.range(0, 1), self.edge()?);
        (self.program.edge(&edge) <= extent).then_some(Select::Between(lo, edge))
    }

    /// Elements from a bound on, all inside where there are any.
    pub fn behind(&mut self, extent: i64) -> Option<Select> {
        if let Some(mark) = self.mark(extent) {
            return Some(Select::Behind(mark, 0));
        }
        let (edge, drop) = (self.edge()?, self.rng.range(0, extent - 1));
        let from = self.program.edge(&edge);
        (from >= 0 || extent - drop <= from).then_some(Select::Behind(edge, drop))
    }

    /// Arrays that need not be there.
    pub fn optionals(&mut self, n: SizeId) {
        for _ in 0..2 {
            if !self.rng.chance(self.profile.traps.p_optional) {
                continue;
            }
            let owners = self.program.objects.clone();
            let vector = |n: &NameId| {
                let n = &self.program.names[*n];
                n.dims.len() == 1 && n.index_bound.is_none() && n.elem != Elem::Char
            };
            let owners: Vec<NameId> = owners.into_iter().filter(vector).collect();
            let like = self.rng.pick(&owners).map(|n| self.program.names[n].elem);
            let id = self.program.names.len();
            let kind = NameKind::Optional {
                runtime: self.rng.below(self.program.runtimes.len()),
                above: self.rng.range(0, 3),
                single: self.rng.chance(35),
            };
            let (elem, observed) = (like.unwrap_or(Elem::Double), self.rng.chance(70));
            self.own(Name {
                ident: format!("w{id}"),
                elem,
                dims: vec![Size::Var(n)],
                matrix: None,
                kind,
                class: 0,
                partner: None,
                index_bound: None,
                observed,
                live: true,
                home: MAIN,
                made: Made::Here,
                hidden: false,
                nick: None,
            });
        }
    }

    /// Statements that use an array which need not be there, where it is.
    pub fn when(&mut self, depth: u32) -> Option<Stmt> {
        if self.scope.function != 0 {
            return None;
        }
        let optional = |n: &NameId| matches!(self.program.names[*n].kind, NameKind::Optional { .. });
        let hidden = |n: &NameId| !self.scope.names.contains(n);
        let all: Vec<NameId> = (0..self.program.names.len()).filter(optional).filter(hidden).collect();
        let name = self.rng.pick(&all)?;
        let single = matches!(self.program.names[name].kind, NameKind::Optional { single: true, .. });
        let pointer = if single { 0 } else { 3 };
        let form = self.rng.weighted(&[
            (4, When::Flag),
            (pointer, When::Pointer),
            (pointer / 3, When::Both),
            (2, When::Switch),
            (2, When::Loop),
        ]);
        let (names, jumps) = (self.scope.names.clone(), self.scope.jumps);
        let other = self.rng.pick(&names).filter(|_| self.rng.chance(60));
        self.scope.names = [name].into_iter().chain(other).collect();
        self.scope.jumps = false;
        let mut body: Vec<Stmt> = if self.scope.device {
            self.kernel().map(Stmt::Kernel).into_iter().collect()
        } else {
            Vec::new()
        };
        let more = self.rng.range(i64::from(body.is_empty()), MOST - 1);
        body.extend(self.block(depth + 1, more));
        self.scope.names = names;
        self.scope.jumps = jumps;
        (!body.is_empty()).then_some(Stmt::When { name, form, body })
    }

    /// Whether the body has memory that only it can free.
    pub fn has_own(&self) -> bool {
        let mut kinds = self.program.names.iter().map(|n| n.kind);
        self.profile.traps.w_meet > 0 || kinds.any(|k| matches!(k, NameKind::Optional { .. }))
    }

    /// The arrays that need not be there and may all the same be handed to a function that asks.
    pub fn absent(&self) -> Vec<NameId> {
        let fits = |n: &NameId| {
            matches!(self.program.names[*n].kind, NameKind::Optional { single: false, .. })
                && self.scope.function == 0
                && !frames::in_region(&self.scope.frames)
        };
        (0..self.program.names.len()).filter(fits).collect()
    }

    /// Ends the body with calls that hand nothing, over and over, to the helpers that ask: whoever maps it for them has no such memory.
    pub fn hand_nothing(&mut self) {
        let nullable = |f: &FunctionId| self.program.functions[*f].nullable;
        let helpers: Vec<FunctionId> = (1..self.program.functions.len()).filter(nullable).collect();
        for function in helpers {
            let call = (0..TRIES).find_map(|_| {
                let call = self.call_of(function);
                call.filter(|call| matches!(call, Stmt::Loop(_)))
            });
            self.program.functions[0].body.extend(call);
        }
    }
}
