//! Adds to a grown program what a careful but wasteful user would have mapped by hand, and chooses the devices of its directives.
//!
//! ```c
//! #pragma omp target data map(tofrom: a[0:n])              // a run of sibling statements with a kernel …
//! {
//!     #pragma omp target teams distribute parallel for     // … which may do without its own clause for `a`
//!     for (int i = 0; i < n; i++) a[i] += 1;
//!     #pragma omp target update from(a[0:n])               // and what the host does with `a` stands between updates
//!     a[3] = 7;
//!     #pragma omp target update to(a[0:n])
//! }
//! ```
//!
//! **Right by construction.** Nothing jumps out of a run; within it the array keeps its memory; calls in it either stay away from the array, or run
//! kernels alone, or do what they do between updates. An array that has other names in the run is held as a whole.

use super::ast::*;
use super::frames::{self, Frame};
use super::profile::Profile;
use super::rng::Rng;
use super::traps::DeviceTrap;
use super::{facts, walk};
use std::collections::BTreeSet;

/// Cases that share a file, and with it what they call their device.
pub const TOGETHER: u64 = 5;
/// Choices of a run and an array before a block is left as it is.
const TRIES: usize = 4;
/// How often in a hundred tries an array may be held that is held already.
const HELD_AGAIN: u32 = 15;

/// Adds the mappings and devices that the profile asks for.
pub fn decorate(program: &mut Program, profile: &Profile) {
    let traps = &profile.traps;
    let mut rng = Rng::new(program.seed.wrapping_mul(7).wrapping_add(0x6861_6e64));
    if traps.p_hand > 0 {
        // Callers ask what their callees do, so these come first.
        let functions = (1..program.functions.len()).chain([0]);
        for function in functions {
            let body = program.functions[function].body.clone();
            let mut hand = Hand {
                program,
                rng: &mut rng,
                percent: traps.p_hand,
                function,
                held: 0,
            };
            let body = hand.block(body, false);
            program.functions[function].body = body;
        }
    }
    program.devices = devices(program, traps.devices);
}

/// The devices that the directives name. Cases that share a file agree.
fn devices(program: &Program, trap: DeviceTrap) -> Devices {
    let mut rng = Rng::new(program.seed / TOGETHER);
    let mut keeps = false;
    for f in &program.functions {
        visit(&f.body, &mut |s| keeps |= matches!(s, Stmt::Region { .. }));
    }
    let form = rng.weighted(&[
        (2, DeviceForm::Number),
        (2, DeviceForm::Macro),
        (2, DeviceForm::Constant),
        (2, DeviceForm::Local),
        (3, DeviceForm::Parameter),
    ]);
    match trap {
        DeviceTrap::Never => Devices::Default,
        DeviceTrap::One => Devices::One(form, rng.weighted(&[(3, 0), (1, 1), (1, 3)])),
        DeviceTrap::Several if keeps || rng.chance(30) => Devices::Partly,
        DeviceTrap::Several => Devices::Several,
    }
}

/// Maps by hand in one function.
struct Hand<'a> {
    program: &'a Program,
    rng: &'a mut Rng,
    percent: u32,
    function: FunctionId,
    /// The objects that regions around this place hold.
    held: u64,
}

/// The array that a region is to hold.
#[derive(Clone, Copy)]
struct Chosen {
    name: NameId,
    class: u64,
    /// Only kernels that call it by this name can do with what the region holds.
    is_part: bool,
}

impl Hand<'_> {
    /// The block with regions in it, and in what stands in it; a block that other code counts the statements of stays one.
    fn block(&mut self, mut block: Vec<Stmt>, is_counted: bool) -> Vec<Stmt> {
        let percent = if self.held == 0 { self.percent } else { self.percent / 3 };
        let tries = if is_counted { 0 } else { 1 + block.len() / 4 };
        for _ in 0..tries {
            if self.rng.chance(percent) {
                block = self.with_region(block);
            }
        }
        for s in &mut block {
            let outer = self.held;
            match s {
                Stmt::Sync { .. } => continue,
                Stmt::Region { cover, .. } => {
                    let classes = cover.iter().map(|n| self.program.names[*n].class);
                    self.held |= classes.fold(0, |all, class| all | class);
                }
                _ => {}
            }
            let is_counted =
                matches!(s, Stmt::Loop(l) if matches!(l.kind, LoopKind::Middle(_) | LoopKind::Entered(..)));
            for inner in s.blocks_mut() {
                *inner = self.block(std::mem::take(inner), is_counted);
            }
            self.held = outer;
        }
        block
    }

    /// The block with a region around some of its statements, if one can be there.
    fn with_region(&mut self, block: Vec<Stmt>) -> Vec<Stmt> {
        let launches = |s: &Stmt| walk::uses_device(self.program, std::slice::from_ref(s));
        let places: Vec<usize> = { 0..block.len() }.filter(|at| launches(&block[*at])).collect();
        for _ in 0..TRIES {
            let Some(at) = self.rng.pick(&places) else {
                return block;
            };
            let alone = self.rng.chance(30);
            let lengths = [(40, 0), (25, 1), (20, 2), (15, 5)];
            let before = self.rng.weighted(&lengths);
            let behind = self.rng.weighted(&lengths);
            let (first, last) = match alone {
                true => (at, at + 1),
                false => (at.saturating_sub(before), (at + 1 + behind).min(block.len())),
            };
            let run = &block[first..last];
            let declares = |s: &Stmt| matches!(s, Stmt::DeclareAlias(_) | Stmt::DeclareScalar(_));
            let is_closed = last == block.len() || !run.iter().any(declares);
            let again = self.rng.chance(HELD_AGAIN);
            let held = self.held | self.held_in(run);
            let mut candidates = self.candidates(run);
            candidates.retain(|c| again || held & c.class == 0);
            let Some(chosen) = self.rng.pick(&candidates).filter(|_| is_closed && stays_inside(run)) else {
                continue;
            };
            if let Some(body) = self.current(run, chosen) {
                let mut out = block;
                let region = self.region(chosen, body);
                out.splice(first..last, [region]);
                return out;
            }
        }
        block
    }

    fn region(&mut self, chosen: Chosen, body: Vec<Stmt>) -> Stmt {
        let form = [
            (60, RegionForm::Block),
            (30, RegionForm::Standing),
            (10, RegionForm::Called),
        ];
        // Whose caller holds the array must not update it from what may be old.
        let by_updates = self.function == 0 && self.held & chosen.class == 0;
        let maps = [
            (45, RegionMaps::Wasteful),
            (20, RegionMaps::Fitting),
            (20, RegionMaps::Fresh),
            (if by_updates { 15 } else { 0 }, RegionMaps::Updated),
        ];
        Stmt::Region {
            form: self.rng.weighted(&form),
            maps: self.rng.weighted(&maps),
            cover: vec![chosen.name],
            body,
        }
    }

    /// The arrays that a region around the statements may hold: some that kernels in them use.
    fn candidates(&self, run: &[Stmt]) -> Vec<Chosen> {
        let (mut named, mut declared) = (BTreeSet::new(), BTreeSet::new());
        visit(run, &mut |s| match s {
            Stmt::Kernel(k) => named.extend(facts::names_of(k)),
            Stmt::Call(c) => named.extend(c.args.iter().map(|(n, _)| *n)),
            Stmt::DeclareAlias(q) => drop(declared.insert(*q)),
            _ => {}
        });
        let fits = |name: &NameId| {
            let n = &self.program.names[*name];
            let stays = match n.kind {
                NameKind::Member | NameKind::Optional { .. } | NameKind::Cursor { .. } => false,
                NameKind::Pick { .. } | NameKind::Chosen { .. } => false,
                NameKind::Alias { of, .. } => n.class == self.program.names[of].class,
                _ => true,
            };
            let is_known = !declared.contains(name) && !n.dims.iter().any(|d| self.program.changes(d));
            stays && is_known && n.elem != Elem::Char && n.class.count_ones() == 1 && n.partner.is_none()
        };
        let chosen = |name: NameId| Chosen {
            name,
            class: self.program.names[name].class,
            is_part: !self.program.objects.contains(&name),
        };
        named.into_iter().filter(fits).map(chosen).collect()
    }

    /// The objects that regions in a run hold.
    fn held_in(&self, run: &[Stmt]) -> u64 {
        let mut held = 0;
        visit(run, &mut |s| {
            if let Stmt::Region { cover, .. } = s {
                let classes = cover.iter().map(|n| self.program.names[*n].class);
                held = classes.fold(held, |all, class| all | class);
            }
        });
        held
    }

    /// The statements with updates where the host may touch the array; `None` where a region must not stand around them.
    fn current(&mut self, run: &[Stmt], chosen: Chosen) -> Option<Vec<Stmt>> {
        run.iter().map(|s| self.current_stmt(s, chosen)).collect()
    }

    fn meets(&self, name: NameId, chosen: Chosen) -> bool {
        self.program.names[name].class & chosen.class != 0
    }

    fn current_stmt(&mut self, s: &Stmt, chosen: Chosen) -> Option<Stmt> {
        let asks = match s.cond() {
            Some(Cond::Data { name, .. }) => self.meets(*name, chosen),
            _ => false,
        };
        let is_compound = !s.blocks().is_empty() && !matches!(s, Stmt::Sync { .. } | Stmt::Region { .. });
        let own = std::slice::from_ref(s);
        if is_compound && !walk::uses_device(self.program, own) && self.touches(own, chosen) {
            let inner: Option<Stmt> = self.with_current_blocks(s, chosen);
            let may_stand = inner.is_some() && !jumps(own);
            if may_stand && (asks || self.rng.chance(50)) {
                return Some(self.between_updates(s.clone(), chosen));
            }
            return inner.filter(|_| !asks);
        }
        match s {
            Stmt::Jump { .. } if asks => Some(Stmt::Sync {
                body: vec![s.clone()],
                updates: Updates::Whole(chosen.name),
            }),
            _ if asks => None,
            Stmt::Kernel(k) => self.kernel(k, chosen),
            Stmt::Host(op) => self.host(op, chosen),
            Stmt::Region { cover, .. } => {
                let other = |n: &NameId| chosen.is_part && self.meets(*n, chosen) && *n != chosen.name;
                match cover.iter().any(other) {
                    true => None,
                    false => self.with_current_blocks(s, chosen),
                }
            }
            Stmt::Sync {
                updates: Updates::Touched,
                ..
            } => Some(s.clone()),
            Stmt::Call(c) => self.call(c, chosen),
            Stmt::DeclareAlias(_) | Stmt::DeclareScalar(_) | Stmt::Jump { .. } => Some(s.clone()),
            _ => self.with_current_blocks(s, chosen),
        }
    }

    /// The statement with updates in its blocks.
    fn with_current_blocks(&mut self, s: &Stmt, chosen: Chosen) -> Option<Stmt> {
        let mut s = s.clone();
        for block in s.blocks_mut() {
            *block = self.current(block, chosen)?;
        }
        Some(s)
    }

    /// A kernel, which may lose its clause for the array.
    fn kernel(&mut self, k: &Kernel, chosen: Chosen) -> Option<Stmt> {
        let meets = |n: &NameId| self.meets(*n, chosen);
        let names: Vec<NameId> = facts::names_of(k).into_iter().filter(meets).collect();
        let is_passed = k.copies.passed.iter().any(meets);
        if is_passed || chosen.is_part && names.iter().any(|n| *n != chosen.name) {
            return None;
        }
        let mut k = k.clone();
        if !names.is_empty() && self.rng.chance(45) {
            k.maps = MapStyle::Implicit;
        }
        Some(Stmt::Kernel(k))
    }

    fn host(&mut self, op: &HostOp, chosen: Chosen) -> Option<Stmt> {
        let s = Stmt::Host(op.clone());
        let meets = walk::names_in(&s).into_iter().any(|n| self.meets(n, chosen));
        match op {
            _ if !meets => Some(s),
            HostOp::Choose(_) => Some(s),
            HostOp::Read { .. }
            | HostOp::Write { .. }
            | HostOp::Reindex { .. }
            | HostOp::Memset(_)
            | HostOp::Memcpy { .. }
            | HostOp::Sort(_)
            | HostOp::Guarded { .. } => Some(self.between_updates(s, chosen)),
            _ => None,
        }
    }

    /// A call that has nothing to do with the array, runs kernels alone, or runs none.
    fn call(&mut self, c: &Call, chosen: Chosen) -> Option<Stmt> {
        let s = Stmt::Call(c.clone());
        if !self.touches(std::slice::from_ref(&s), chosen) {
            return Some(s);
        }
        let any = |f: &dyn Fn(&Program, &[Stmt]) -> bool| {
            walk::called_bodies(self.program, c.function).any(|b| f(self.program, b))
        };
        let (device, bare) = (any(&walk::uses_device), any(&walk::bare_host));
        match (device, bare) {
            _ if any(&walk::swaps_shared) || any(&moves) => None,
            (true, true) => None,
            (true, false) => (!chosen.is_part).then_some(s),
            (false, _) => Some(self.between_updates(s, chosen)),
        }
    }

    /// Whether statements, or what they call, may use the array.
    fn touches(&self, block: &[Stmt], chosen: Chosen) -> bool {
        let mut touches = false;
        visit(block, &mut |s| {
            touches |= walk::names_in(s).into_iter().any(|n| self.meets(n, chosen));
            if let Stmt::Call(c) = s {
                let globals = walk::globals_of(self.program, c.function);
                touches |= globals.into_iter().any(|n| self.meets(n, chosen));
            }
        });
        touches
    }

    fn between_updates(&mut self, s: Stmt, chosen: Chosen) -> Stmt {
        let updates = match self.rng.chance(60) {
            true => Updates::Whole(chosen.name),
            false => Updates::Narrow(chosen.name),
        };
        Stmt::Sync { body: vec![s], updates }
    }
}

/// Whether all jumps in a run of statements end within it.
fn stays_inside(run: &[Stmt]) -> bool {
    fn within(block: &[Stmt], around: &mut Vec<Frame>) -> bool {
        block.iter().all(|s| {
            let frame = match s {
                Stmt::Jump { kind, .. } => return frames::lands(around, *kind) && *kind != Jump::Exit,
                Stmt::Loop(l) => Some(Frame::Loop(l.id)),
                Stmt::Switch { .. } => Some(Frame::Switch),
                Stmt::Region { form, .. } => Some(Frame::Region {
                    unstructured: form.unstructured(),
                }),
                _ => None,
            };
            around.extend(frame);
            let stays = s.blocks().into_iter().all(|b| within(b, around));
            if frame.is_some() {
                around.pop();
            }
            stays
        })
    }
    within(run, &mut Vec::new())
}

/// Whether there are jumps in a block.
fn jumps(block: &[Stmt]) -> bool {
    let mut found = false;
    visit(block, &mut |s| found |= matches!(s, Stmt::Jump { .. }));
    found
}

/// Whether the block, or what it calls, gives an array other memory.
fn moves(program: &Program, block: &[Stmt]) -> bool {
    let mut found = false;
    visit(block, &mut |s| match s {
        Stmt::Host(HostOp::Realloc(_) | HostOp::Renew(_)) => found = true,
        Stmt::Call(c) => found |= walk::called_bodies(program, c.function).any(|b| moves(program, b)),
        _ => {}
    });
    found
}
