//! Grows calls of helpers: which may be called where, and with what.

use super::ast::*;
use super::grow::Grower;
use super::walk;

/// Names and offsets, and the names of what is not chosen.
type Arguments = (Vec<(NameId, i64)>, Vec<Option<NameId>>);

impl Grower<'_> {
    /// An argument for every parameter, all disjoint, and what a condition might choose in its place.
    fn arguments(&mut self, function: FunctionId) -> Option<Arguments> {
        let params = self.program.functions[function].params.clone();
        let globals = walk::globals_of(&self.program, function);
        let mut args: Vec<(NameId, i64)> = Vec::new();
        let mut besides = Vec::new();
        for (k, p) in params.into_iter().enumerate() {
            let shape = |n: NameId| -> Vec<i64> {
                self.program.names[n]
                    .dims
                    .iter()
                    .map(|d| self.program.value(d))
                    .collect()
            };
            let fits = |n: &NameId| {
                let (a, b) = (&self.program.names[*n], &self.program.names[p]);
                let (x, y) = (shape(*n), shape(p));
                let size = if x.len() == 1 {
                    y.len() == 1 && x[0] >= y[0]
                } else {
                    x == y
                };
                let mut used = args.iter().map(|(m, _)| *m).chain(globals.iter().copied());
                size && a.elem == b.elem && a.index_bound.is_none() && used.all(|m| self.program.disjoint(*n, m))
            };
            // Of what is not there nobody asks how large it would be.
            let is_alike = |n: &NameId| {
                let (a, b) = (&self.program.names[*n], &self.program.names[p]);
                let mut used = args.iter().map(|(m, _)| *m).chain(globals.iter().copied());
                let alike = a.elem == b.elem && a.index_bound.is_none() && a.dims.len() == 1 && b.dims.len() == 1;
                alike && used.all(|m| self.program.disjoint(*n, m))
            };
            let absent: Vec<NameId> = match k == 0 && self.program.functions[function].nullable {
                true => {
                    let absent = self.absent().into_iter();
                    absent
                        .filter(|n| fits(n) || !self.program.exists(*n) && is_alike(n))
                        .collect()
                }
                false => Vec::new(),
            };
            let candidates: Vec<NameId> = self.scope.names.iter().copied().filter(fits).collect();
            if let Some(name) = self.rng.pick(&absent).filter(|_| self.rng.chance(60)) {
                args.push((name, 0));
                besides.push(None);
                continue;
            }
            let name = self.rng.pick(&candidates)?;
            let spare = self.program.len(name) - self.program.len(p);
            let offset = if spare > 0 && self.rng.chance(40) {
                self.rng.range(0, spare)
            } else {
                0
            };
            args.push((name, offset));
            let beside = self.rng.chance(30).then(|| self.rng.pick(&candidates)).flatten();
            besides.push(beside.filter(|n| *n != name));
        }
        Some((args, besides))
    }

    /// A call of an earlier helper, with the updates that it needs in a data region.
    pub fn call(&mut self) -> Option<Stmt> {
        let last = self.scope.callees;
        let function = self.rng.range(1, last as i64 - 1) as FunctionId;
        (function < last).then(|| self.call_of(function))?
    }

    /// A call of the helper, if it may be called here.
    pub fn call_of(&mut self, function: FunctionId) -> Option<Stmt> {
        let home = self.program.functions[self.scope.function].home;
        if !self.callable_from(home, function) {
            return None;
        }
        let program = &self.program;
        let any = |f: &dyn Fn(&Program, &[Stmt]) -> bool| walk::called_bodies(program, function).any(|b| f(program, b));
        let device = any(&walk::uses_device);
        let bare = any(&walk::bare_host);
        let in_region = super::frames::in_region(&self.scope.frames);
        let empty = !any(&|_, b| !b.is_empty());
        if in_region && any(&walk::swaps_shared) {
            // The region would be left with other arrays than it was entered with.
            return None;
        }
        if empty || device && !self.scope.device || bare && !self.scope.host && !in_region {
            return None;
        }
        if in_region && bare && device {
            return None;
        }
        let globals = walk::globals_of(program, function);
        if in_region && bare && !globals.into_iter().all(|n| self.seen_from(home, n)) {
            // Nobody here can name what the updates would have to be for.
            return None;
        }
        let (args, besides) = self.arguments(function)?;
        let depth = self.rng.range(0, 2);
        let absent = args.first().is_some_and(|(n, _)| !self.program.exists(*n));
        // What is called again and again with nothing shows whether somebody maps that.
        let again = absent && !in_region && self.rng.chance(70);
        let call = Stmt::Call(Call {
            function,
            args,
            besides,
            depth,
            by_pointer: self.rng.chance(if again { 5 } else { 20 }),
        });
        if again {
            let id = self.program.loops;
            self.program.loops += 1;
            return Some(Stmt::Loop(Loop {
                id,
                kind: LoopKind::For,
                trip: Trip::Lit(self.rng.range(2, 4)),
                braces: true,
                by_macro: false,
                body: vec![call],
            }));
        }
        Some(if in_region && bare {
            Stmt::Sync {
                body: vec![call],
                updates: Updates::Touched,
            }
        } else {
            call
        })
    }
}
