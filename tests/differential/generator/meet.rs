//! Makes the functions of a program of several files call each other: chains of calls from file to file, fronts for
//! `static` helpers, calls of what nothing calls yet. Draws nothing from the stream where there is one file.

use super::ast::*;
use super::frames;
use super::grow::Grower;
use super::walk;

/// Choices of arguments before giving up on a call.
const TRIES: usize = 6;

impl Grower<'_> {
    /// An earlier helper for a new one in `home` to call, preferably of another file.
    pub fn model(&mut self, home: Home) -> Option<FunctionId> {
        if self.files == 0 || !self.rng.chance(self.profile.p_chain) {
            return None;
        }
        let program = &self.program;
        let callable = (1..program.functions.len()).filter(|f| self.callable_from(home, *f));
        let (far, near): (Vec<FunctionId>, Vec<FunctionId>) =
            callable.partition(|f| program.functions[*f].home != home || program.functions[*f].hidden);
        // The newest one has the longest chain behind it.
        let newest = far.last().copied().filter(|_| self.rng.chance(60));
        newest.or_else(|| self.rng.pick(&far)).or_else(|| self.rng.pick(&near))
    }

    /// Parameters like those of `model`.
    pub fn parameters_like(&mut self, model: FunctionId) -> Vec<NameId> {
        let params = self.program.functions[model].params.clone();
        let params = params.into_iter().map(|p| {
            let dims = self.program.names[p].dims.clone();
            let param = self.parameter(p, dims);
            let like = self.likes.get(&p).copied();
            self.likes.extend(like.map(|like| (param, like)));
            param
        });
        params.collect()
    }

    /// Lets a helper that was made after `model` hand its parameters on.
    pub fn hand_on(&mut self, function: FunctionId, model: FunctionId) {
        let params = &self.program.functions[function].params;
        let call = Stmt::Call(Call {
            function: model,
            args: params.iter().map(|p| (*p, 0)).collect(),
            besides: vec![None; params.len()],
            depth: self.rng.range(0, 2),
            by_pointer: self.rng.chance(20),
        });
        let body = &mut self.program.functions[function].body;
        // Behind what the whole body needs.
        let declared = |s: &&Stmt| matches!(s, Stmt::DeclareAlias(_));
        let first = body.iter().take_while(declared).count();
        let at = first + self.rng.below(body.len() - first + 1);
        body.insert(at, call);
    }

    /// A namesake for a hidden helper, in another file, and for each of the two a helper that all files can call.
    pub fn namesake(&mut self, hidden: FunctionId) {
        let home = self.program.functions[hidden].home;
        let there = self.elsewhere(home);
        let twin = self.program.functions.len();
        self.helper(there, true, None);
        if self.program.functions.len() == twin {
            return;
        }
        for f in [hidden, twin] {
            self.program.functions[f].nick = Some(format!("step{hidden}_{}", self.program.seed));
            let home = self.program.functions[f].home;
            self.helper(home, false, Some(f));
        }
    }

    /// Calls the helpers that nothing calls yet from the body of the case.
    pub fn reach(&mut self) {
        if self.files == 0 {
            return;
        }
        for function in (1..self.program.functions.len()).rev() {
            let mut called = false;
            for f in &self.program.functions {
                let calls =
                    |s: &Stmt| matches!(s, Stmt::Call(c) if self.program.group(c.function).any(|g| g == function));
                visit(&f.body, &mut |s| called |= calls(s));
            }
            if called || !self.rng.chance(85) {
                continue;
            }
            let Some(call) = (0..TRIES).find_map(|_| self.call_of(function)) else {
                continue;
            };
            let loops = self.program.functions[0].body.iter().enumerate();
            let loops: Vec<usize> = loops
                .filter(|(_, s)| matches!(s, Stmt::Loop(_)))
                .map(|(k, _)| k)
                .collect();
            let inside = self.rng.pick(&loops).filter(|_| self.rng.chance(50));
            let body = &mut self.program.functions[0].body;
            let block = match inside.map(|k| &mut body[k]) {
                Some(Stmt::Loop(l)) => &mut l.body,
                _ => body,
            };
            let at = self.rng.below(block.len() + 1);
            block.insert(at, call);
        }
    }

    /// Calls a helper that has kernels once more, with its arrays on the device and without.
    pub fn again(&mut self) {
        if self.files == 0 || !self.rng.chance(self.profile.p_again) {
            return;
        }
        let program = &self.program;
        let calls = program.functions[0].body.iter().filter_map(|s| match s {
            Stmt::Call(c) => Some(c.clone()),
            _ => None,
        });
        let plain = |c: &Call| {
            walk::called_bodies(program, c.function).any(|b| walk::uses_device(program, b))
                && walk::called_bodies(program, c.function)
                    .all(|b| !walk::bare_host(program, b) && !walk::swaps_shared(program, b))
                // Declared in the middle of a block, an array's second name is gone by now.
                && c.args.iter().all(|(n, _)| frames::lasts(program, *n))
        };
        let calls: Vec<Call> = calls.filter(plain).collect();
        let Some(call) = self.rng.pick(&calls) else { return };
        let body = vec![Stmt::Call(call.clone())];
        let region = Stmt::Region {
            form: self.region_form(),
            maps: RegionMaps::Fitting,
            cover: self.cover(&body),
            body,
        };
        let first = self.rng.chance(50);
        let both = [region, Stmt::Call(call)];
        let (a, b) = if first { (0, 1) } else { (1, 0) };
        let out = &mut self.program.functions[0].body;
        out.extend([both[a].clone(), both[b].clone()]);
    }
}
