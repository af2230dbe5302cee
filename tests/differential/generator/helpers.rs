//! Grows helper functions.

use super::ast::*;
use super::grow::{Grower, Scope};

/// A program has 64 objects at most, parameters included, and a helper brings up to three, its partner as many.
const MOST_OBJECTS: usize = 58;

impl Grower<'_> {
    pub fn parameter(&mut self, like: NameId, dims: Vec<Size>) -> NameId {
        let (elem, id) = (self.program.names[like].elem, self.program.names.len());
        self.own(Name {
            ident: format!("q{id}"),
            elem,
            dims,
            matrix: None,
            kind: NameKind::Param,
            class: 0,
            partner: None,
            index_bound: None,
            observed: false,
            live: true,
            home: MAIN,
            made: Made::Here,
            hidden: false,
            nick: None,
        })
    }

    fn parameter_size(&mut self, sizes: &mut Vec<SizeId>, ident: &str, value: i64) -> SizeId {
        let known = sizes.iter().copied().find(|s| self.program.sizes[*s].ident == ident);
        known.unwrap_or_else(|| {
            self.program.sizes.push(SizeVar {
                ident: ident.into(),
                value,
                kind: SizeKind::Param,
            });
            sizes.push(self.program.sizes.len() - 1);
            self.program.sizes.len() - 1
        })
    }

    /// Parameters for a new helper, and the sizes that go with them. Empty where there is nothing to pass.
    fn parameters(&mut self) -> (Vec<NameId>, Vec<SizeId>) {
        let callable: Vec<NameId> = self.program.objects.clone();
        let mut callable: Vec<NameId> = callable
            .into_iter()
            .filter(|n| {
                let n = &self.program.names[*n];
                n.kind != NameKind::Param && n.index_bound.is_none()
            })
            .collect();
        if self.files > 0 {
            let home = self.program.functions[0].home;
            callable.retain(|n| self.seen_from(home, *n));
        }
        let mut sizes = Vec::new();
        let mut params = Vec::new();
        let vectors = callable.iter().filter(|n| self.program.names[**n].dims.len() == 1);
        let shortest = vectors
            .map(|n| self.program.len(*n))
            .filter(|l| *l >= 8)
            .min()
            .unwrap_or(8);
        let len = if self.rng.chance(60) {
            shortest
        } else {
            shortest - self.rng.range(1, 4)
        };
        for _ in 0..self.rng.range(1, 3) {
            let Some(like) = self.rng.pick(&callable) else {
                return (Vec::new(), Vec::new());
            };
            let dims = self.program.names[like].dims.clone();
            let dims = match dims.as_slice() {
                [r, c] => {
                    let (r, c) = (self.program.value(r), self.program.value(c));
                    let rows = self.parameter_size(&mut sizes, "high", r);
                    let columns = self.parameter_size(&mut sizes, "wide", c);
                    vec![Size::Var(rows), Size::Var(columns)]
                }
                _ => vec![Size::Var(self.parameter_size(&mut sizes, "len", len))],
            };
            let param = self.parameter(like, dims);
            params.push(param);
            if self.files > 0 {
                // So that the case has an array to pass for each.
                callable.retain(|n| *n != like);
                self.likes.insert(param, like);
            }
        }
        self.pair_parameters(&params);
        (params, sizes)
    }

    /// A helper that stands in `home` and, if there is a `model`, hands its parameters on to that.
    pub fn helper(&mut self, home: Home, hidden: bool, model: Option<FunctionId>) {
        if self.program.objects.len() > MOST_OBJECTS {
            return;
        }
        let (params, mut sizes) = match model {
            Some(model) => {
                let sizes = self.program.functions[model].sizes.iter().copied();
                let sizes = sizes.filter(|s| self.program.sizes[*s].kind == SizeKind::Param);
                let sizes: Vec<SizeId> = sizes.collect();
                (self.parameters_like(model), sizes)
            }
            None => self.parameters(),
        };
        if params.is_empty() && model.is_none() {
            return;
        }
        let shared = |s: &SizeId| matches!(self.program.sizes[*s].kind, SizeKind::Macro | SizeKind::Global);
        sizes.extend((0..self.program.sizes.len()).filter(shared));
        let function = self.program.functions.len();
        let recursion = self
            .rng
            .weighted(&[(80, Recursion::None), (10, Recursion::First), (10, Recursion::Last)]);
        self.program.functions.push(Function {
            ident: format!("help{function}_{}", self.program.seed),
            params,
            sizes,
            recursion,
            partner: None,
            home,
            hidden,
            nick: None,
            nullable: self.rng.chance(self.profile.traps.p_optional),
            body: Vec::new(),
        });
        self.helper_body(function, function);
        if let Some(model) = model {
            self.hand_on(function, model);
        }
        if self.files > 0 && recursion != Recursion::None && !hidden && self.rng.chance(self.profile.p_mutual) {
            self.partner(function);
        }
    }

    /// Gives the helper a partner in another file, of the same parameters, and lets their recursion alternate.
    fn partner(&mut self, function: FunctionId) {
        let mut other = self.program.functions[function].clone();
        let id = self.program.functions.len();
        other.ident = format!("back{id}_{}", self.program.seed);
        other.home = self.elsewhere(other.home);
        other.recursion = self.rng.weighted(&[(1, Recursion::First), (1, Recursion::Last)]);
        other.params = self.parameters_like(function);
        other.body = Vec::new();
        self.program.functions.push(other);
        // The partner's own statements call neither of the two.
        self.helper_body(id, function);
        self.program.functions[function].partner = Some(id);
        self.program.functions[id].partner = Some(function);
    }

    /// The statements of a helper, which may call the helpers before `callees`.
    fn helper_body(&mut self, function: FunctionId, callees: FunctionId) {
        let home = self.program.functions[function].home;
        let mut names = self.program.functions[function].params.clone();
        let mut body = Vec::new();
        if self.files > 0 {
            body = self.helper_names(home, &mut names);
        } else if self.rng.chance(30) {
            let globals = 0..self.program.names.len();
            names.extend(globals.filter(|n| self.program.names[*n].kind == NameKind::Global));
        }
        let scalars = (0..self.program.scalars.len())
            .filter(|s| self.program.scalars[*s].global)
            .collect();
        let (device, host) = self
            .rng
            .weighted(&[(35, (true, true)), (35, (true, false)), (30, (false, true))]);
        self.scope = Scope {
            function,
            callees,
            names,
            scalars,
            frames: Vec::new(),
            device,
            host,
            jumps: true,
        };
        body.extend(self.asked_for(function));
        let statements = self.rng.range(1, 3);
        body.extend(self.block(self.profile.depth.saturating_sub(1), statements));
        self.program.functions[function].body = body;
    }

    /// A kernel on the array that the helper asks for, so that asking matters.
    fn asked_for(&mut self, function: FunctionId) -> Option<Stmt> {
        let asks = self.program.functions[function].nullable && self.scope.device && self.rng.chance(70);
        let first = self.program.functions[function].params.first().filter(|_| asks)?;
        let names = std::mem::replace(&mut self.scope.names, vec![*first]);
        let kernel = self.kernel();
        self.scope.names = names;
        kernel.map(Stmt::Kernel)
    }

    /// Lets the helper swap two parameters of the same type: calls always pass disjoint arrays.
    fn pair_parameters(&mut self, params: &[NameId]) {
        let [a, b, ..] = *params else { return };
        let (x, y) = (&self.program.names[a], &self.program.names[b]);
        if x.elem == y.elem && x.dims.len() == 1 && x.dims == y.dims && self.rng.chance(40) {
            let class = x.class | y.class;
            for (end, other) in [(a, b), (b, a)] {
                self.program.names[end].partner = Some(other);
                self.program.names[end].class = class;
            }
        }
    }

    /// All helpers of the case.
    pub fn helpers(&mut self) {
        let least = if self.files > 0 { self.profile.helpers / 2 } else { 0 };
        for _ in 0..self.rng.range(least, self.profile.helpers) {
            let (home, hidden) = self.helper_place();
            let model = self.model(home);
            let before = self.program.functions.len();
            self.helper(home, hidden, model);
            let grown = self.program.functions.len() > before;
            if hidden && grown && self.rng.chance(self.profile.p_twin) {
                self.namesake(before);
            }
        }
    }
}
