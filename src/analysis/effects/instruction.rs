//! Effects of one instruction, calls included.

use super::known::Effects;
use super::library;
use super::sets::EffectSet;
use crate::analysis::libc::{self, LibFn};
use crate::program::ir::{Callee, FuncId, GlobalId, InstId, Op, Operand, Type};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind, Site};

impl Effects<'_> {
    /// The effects of an instruction, those through pointers to memory that the function has just allocated apart.
    pub(super) fn instruction(&self, func: FuncId, inst: InstId) -> (EffectSet, EffectSet) {
        let function = self.module.function(func);
        let it = function.inst(inst);
        let mut effects = EffectSet::default();
        // A handler may leave by `longjmp` or end the program, as may a thread.
        self.others_at(func, inst).for_each(|others| effects.join(others));
        let fresh = match &it.op {
            Op::Load { ptr, .. } => {
                effects.reads.extend(self.covered(func, ptr, &it.ty));
                self.is_fresh(func, ptr)
            }
            Op::Store { ptr, ty, .. } => {
                effects.writes.extend(self.covered(func, ptr, ty));
                self.is_fresh(func, ptr)
            }
            Op::Atomic { ptr, ty, .. } => {
                effects.reads.extend(self.covered(func, ptr, ty));
                effects.writes.extend(self.covered(func, ptr, ty));
                self.is_fresh(func, ptr)
            }
            Op::Call { .. } => return self.call(func, inst),
            Op::Other {
                touches_memory: true, ..
            } => {
                effects.join(self.outside());
                false
            }
            _ => false,
        };
        if fresh {
            (EffectSet::default(), effects)
        } else {
            (effects, EffectSet::default())
        }
    }

    fn is_fresh(&self, func: FuncId, ptr: &Operand) -> bool {
        self.tells_calls_apart(func) && self.points_to.is_fresh(self.module, func, ptr)
    }

    /// The locations that an access of type `ty` through `ptr` covers.
    fn covered(&self, func: FuncId, ptr: &Operand, ty: &Type) -> Vec<MemLoc> {
        let bytes = match ty {
            // An aggregate covers several members, a scalar the one it starts at.
            Type::Array(..) | Type::Struct(_) | Type::Other(_) => self.module.size_of(ty),
            _ => 1,
        };
        let pointees = self.points_to.of_operand(func, ptr);
        pointees
            .iter()
            .flat_map(|&loc| self.points_to.range(loc, Some(bytes)))
            .filter(|l| self.is_data(l.object))
            .collect()
    }

    fn is_data(&self, object: ObjectId) -> bool {
        !matches!(self.points_to.object(object).kind, ObjectKind::Function(_))
    }

    /// The effects of a call, with what others may do meanwhile; of another instruction these alone.
    pub(super) fn call(&self, func: FuncId, inst: InstId) -> (EffectSet, EffectSet) {
        let (mut effects, fresh) = self.call_alone(func, inst);
        if !matches!(self.module.function(func).inst(inst).op, Op::Call { .. }) {
            self.others_at(func, inst).for_each(|others| effects.join(others));
            return (effects, fresh);
        }
        let targets = self.points_to.call_targets(func, inst);
        for &target in &targets.known {
            let declared = self.module.function(target).declaration;
            let known = self.points_to.known().of(target).filter(|_| declared);
            if known.is_some_and(LibFn::lets_others_run) {
                effects.join(&self.later);
                if targets.others {
                    effects.join(self.outside());
                }
            }
        }
        if effects.unknown {
            effects.join(&self.later);
        }
        (effects, fresh)
    }

    /// The effects of a call by itself; none for another instruction.
    pub(super) fn call_alone(&self, func: FuncId, inst: InstId) -> (EffectSet, EffectSet) {
        let (mut effects, mut fresh) = (EffectSet::default(), EffectSet::default());
        let Op::Call { callee, args } = &self.module.function(func).inst(inst).op else {
            return (effects, fresh);
        };
        let site = Site { func, inst };
        let by_name = matches!(callee, Callee::Direct(_)).then_some(site);
        let targets = self.points_to.call_targets(func, inst);
        let mut never_returns = !targets.known.is_empty() && !targets.unknown;
        for &target in &targets.known {
            let function = self.module.function(target);
            let one = if !function.declaration {
                let (one, through_fresh) = self.at_call(target, by_name);
                fresh.join(&through_fresh);
                one
            } else if let Some(table) = self.points_to.known().of(target) {
                let one = self.library_call(table, site, args);
                // What `memset` does to the memory that a wrapper returns.
                if let Some((first, others)) = args.split_first()
                    && self.is_fresh(func, first)
                    && others.iter().all(|a| self.points_to.of_operand(func, a).is_empty())
                {
                    fresh.reads.join(&one.reads);
                    fresh.writes.join(&one.writes);
                    EffectSet {
                        reads: Default::default(),
                        writes: Default::default(),
                        ..one
                    }
                } else {
                    one
                }
            } else {
                self.call_declared(target)
            };
            never_returns &= one.never_returns || function.attrs.noreturn;
            effects.join(&one);
        }
        for &target in &targets.callbacks {
            let (one, through_fresh) = self.at_call(target, None);
            effects.join(&one);
            effects.join(&through_fresh);
        }
        if targets.unknown && !self.names_unknown(func, inst) {
            effects.join(self.outside());
        }
        effects.never_returns = never_returns;
        effects.may_not_return |= never_returns;
        (effects, fresh)
    }

    fn call_declared(&self, target: FuncId) -> EffectSet {
        let attrs = &self.module.function(target).attrs;
        let one = self.declared(target);
        if one.unknown {
            self.limited(one, attrs.nocallback, attrs.memory_none || attrs.memory_read)
        } else {
            one
        }
    }

    /// Whether a call is by name and to a declared function that nothing is known of: then [`Effects::declared`] has its effects.
    fn names_unknown(&self, func: FuncId, inst: InstId) -> bool {
        matches!(&self.module.function(func).inst(inst).op,
            Op::Call { callee: Callee::Direct(f), .. }
                if self.module.function(*f).declaration && self.points_to.known().of(*f).is_none())
    }

    /// Unknown code plus what it may call back; one that does not write memory has no part in the latter's writes
    /// either, because then they would be its own.
    fn limited(&self, mut own: EffectSet, no_callback: bool, no_writes: bool) -> EffectSet {
        if no_callback {
            return own;
        }
        let mut called = self.outside().clone();
        if no_writes {
            called.writes.clear();
            called.frees.clear();
        }
        own.join(&called);
        own
    }

    /// A call of a library function, with the effects that the table or the user says its arguments have.
    fn library_call(&self, table: &LibFn, site: Site, args: &[Operand]) -> EffectSet {
        let mut effects = library::flags(table);
        let ints: Vec<Option<u64>> = args
            .iter()
            .map(|a| {
                if let Operand::Int(n) = a {
                    u64::try_from(*n).ok()
                } else {
                    None
                }
            })
            .collect();
        let covered = |access: &libc::ArgAccess| {
            let bytes = crate::analysis::points_to::constant_extent(access.extent, &ints);
            let first = access.arg as usize;
            let end = if access.rest {
                args.len()
            } else {
                (first + 1).min(args.len())
            };
            let pointees = args.get(first..end).unwrap_or_default().iter();
            let pointees = pointees.flat_map(|a| self.points_to.of_operand(site.func, a));
            let pointees: Vec<MemLoc> = match access.behind {
                true => pointees
                    .flat_map(|&loc| self.points_to.contents(loc))
                    .copied()
                    .collect(),
                false => pointees.copied().collect(),
            };
            let locs: Vec<MemLoc> = match access.extent {
                libc::ByteExtent::Reachable => self.reachable(&pointees),
                _ => pointees
                    .iter()
                    .flat_map(|&loc| self.points_to.range(loc, bytes))
                    .collect(),
            };
            locs.into_iter().filter(|l| self.is_data(l.object)).collect::<Vec<_>>()
        };
        effects.reads.extend(table.reads.iter().flat_map(covered));
        effects.writes.extend(table.writes.iter().flat_map(covered));
        if let Some((format, access)) = &table.counts
            && self.may_count(site.func, args.get(*format as usize))
        {
            effects.writes.extend(covered(access));
        }
        if table.overwrites {
            effects.reads.extend([MemLoc::whole(ObjectId::EXTERNAL)]);
            effects.writes.extend([MemLoc::whole(ObjectId::EXTERNAL)]);
        }
        effects.writes.extend(self.variables_of_library(&table.sets));
        let kept = |name: &String| {
            let locs = self.points_to.kept(name).iter();
            locs.flat_map(|loc| self.points_to.range(*loc, None))
                .collect::<Vec<_>>()
        };
        effects.reads.extend(table.reads_kept.iter().flat_map(kept));
        effects.writes.extend(table.writes_kept.iter().flat_map(kept));
        let pointees = |n: &u32| {
            args.get(*n as usize)
                .map_or(&[][..], |a| self.points_to.of_operand(site.func, a))
        };
        effects
            .frees
            .extend(table.frees.iter().flat_map(pointees).map(|l| l.object));
        let inner = table
            .frees_content
            .iter()
            .flat_map(pointees)
            .flat_map(|&l| self.points_to.contents(l));
        effects.frees.extend(inner.map(|l| l.object));
        for (to, _) in &table.stores {
            effects.writes.extend(pointees(to).iter().copied());
        }
        if table.alloc.is_some() {
            effects
                .allocates
                .extend(self.made_at.get(&site).into_iter().flatten().copied());
            if let Some(out) = table.alloc.and_then(|a| a.through) {
                effects.writes.extend(pointees(&out).iter().copied());
            }
        }
        effects.reads.retain(|id| self.is_data(id));
        effects
    }

    /// Whether a format may have a `%n`: it does not where it is one of some literals without.
    fn may_count(&self, func: FuncId, format: Option<&Operand>) -> bool {
        let harmless = |loc: &MemLoc| match self.points_to.object(loc.object).kind {
            ObjectKind::Literal(g) | ObjectKind::Global(g) => {
                let global = self.module.global(g);
                global.constant && !global.counts_printed
            }
            _ => false,
        };
        let formats = format.map_or(&[][..], |f| self.points_to.of_operand(func, f));
        formats.is_empty() || !formats.iter().all(harmless)
    }

    /// Where variables of the C library are that the program names.
    fn variables_of_library(&self, names: &[String]) -> Vec<MemLoc> {
        let named = |name: &String| {
            let mut globals = self.module.globals.iter();
            let id = globals.position(|g| g.external && g.name == *name)?;
            Some(MemLoc::whole(self.points_to.global(GlobalId(id as u32))?))
        };
        let found = names.iter().filter_map(named);
        found.flat_map(|l| self.points_to.range(l, None)).collect()
    }
}
