//! What calls surely do to the slots of their caller: the summaries of [`crate::analysis::value_summary`], checked and
//! translated.
//!
//! ```c
//! swap(&from, &to);       /* from := to before, to := from before                                              */
//! swap(&from, &from);     /* not believed: the summary takes the two for different memory                       */
//! swap(&b->now, &b);      /* nor this: what `b->now` names afterwards is another member                         */
//! ```

use super::known_calls::{Here, KnownCall, KnownCalls};
use super::slots::{SlotId, SlotKind, Slots};
use super::version::is_private;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::effects::{Effects, LocSet};
use crate::analysis::points_to::PointsTo;
use crate::analysis::value_summary::{SummaryCell, ValueAtom, ValueSummaries, ValueSummary, Worth, at};
use crate::program::ir::{Callee, FuncId, Function, InstId, Module, Op, Operand, SourceType, Type};
use crate::program::objects::MemLoc;

/// What surrounds the calls.
#[derive(Clone, Copy)]
struct Caller<'a> {
    module: &'a Module,
    func: FuncId,
    function: &'a Function,
    points_to: &'a PointsTo,
    slots: &'a Slots,
}

/// The load that an argument comes from, member by member, and the address that it loads from.
pub fn loaded_from<'f>(function: &'f Function, argument: &Operand) -> Option<(InstId, &'f Operand)> {
    let Operand::Inst(id) = argument else { return None };
    match &function.inst(*id).op {
        Op::Load { ptr, .. } => Some((*id, ptr)),
        Op::Gep { base, .. } => loaded_from(function, base),
        _ => None,
    }
}

impl Slots {
    /// Makes slots of what the calls of a function read and write by their summaries.
    pub fn include_calls(&mut self, module: &Module, func: FuncId, points_to: &PointsTo, summaries: &ValueSummaries) {
        let function = module.function(func);
        for inst in function.inst_ids() {
            let Op::Call { args, .. } = &function.inst(inst).op else {
                continue;
            };
            if let Some(summary) = at(summaries, module, points_to, func, inst) {
                self.include(module, function, args, summary.named());
            }
        }
    }
}

/// Finds what is known of the calls of a function.
pub fn known_calls(
    module: &Module,
    func: FuncId,
    points_to: &PointsTo,
    effects: &Effects<'_>,
    slots: &Slots,
    summaries: &ValueSummaries,
) -> KnownCalls {
    let function = module.function(func);
    let caller = Caller {
        module,
        func,
        function,
        points_to,
        slots,
    };
    let calls = function.inst_ids().filter_map(|inst| {
        let Op::Call { args, .. } = &function.inst(inst).op else {
            return None;
        };
        let summary = at(summaries, module, points_to, func, inst)?;
        Some((inst, caller.known(summary, inst, args, effects)?))
    });
    calls.collect()
}

impl Caller<'_> {
    /// A summary in terms of the caller; `None` where it does not hold for this call.
    fn known(
        &self,
        summary: &ValueSummary,
        inst: InstId,
        args: &[Operand],
        effects: &Effects<'_>,
    ) -> Option<KnownCall> {
        let slots: Vec<Option<SlotId>> = summary
            .cells
            .iter()
            .map(|cell| self.slot_of(cell, inst, args, effects))
            .collect();
        let all = || summary.cells.iter().zip(&slots);
        let stores_to: Vec<SlotId> = all()
            .filter(|(c, _)| c.written)
            .map(|(_, s)| *s)
            .collect::<Option<_>>()?;
        for (i, (cell, slot)) in all().enumerate().filter(|(_, (c, _))| c.written) {
            let others = all().enumerate().filter(|(j, (c, _))| *j != i && !c.copied);
            for (_, (other, at)) in others {
                if !self.are_apart((*slot)?, cell.size, (*at)?, other.size) {
                    return None;
                }
            }
        }
        let written = self.written(inst, summary, &stores_to, effects);
        if stores_to.iter().any(|s| self.moves(*s, &stores_to, written.as_ref())) {
            return None;
        }
        let here = |atom: &ValueAtom| {
            let found = match atom {
                ValueAtom::Entry(CalleeTerm::Param(n)) => {
                    let parameter = self.parameter(inst, *n);
                    args.get(*n as usize).cloned().map(|a| Here::Argument(a, parameter))
                }
                ValueAtom::Entry(CalleeTerm::Storage(g)) => Some(Here::Storage(*g)),
                ValueAtom::Entry(term) => {
                    let cell = summary.cells.iter().position(|c| c.term == *term);
                    cell.and_then(|c| slots[c]).map(Here::Before)
                }
                ValueAtom::Left(cell) => slots[*cell].map(Here::After),
            };
            found.unwrap_or(Here::Nameless)
        };
        let values = summary.cells.iter().filter(|c| c.written).map(|c| c.value.clone());
        Some(KnownCall {
            atoms: summary.atoms.iter().map(here).collect(),
            stores: stores_to.into_iter().zip(values).collect(),
            returned: summary.returned.clone(),
            elsewhere: summary.elsewhere.clone(),
        })
    }

    /// The type of a parameter of what is called by its name.
    fn parameter(&self, inst: InstId, n: u32) -> SourceType {
        let Op::Call {
            callee: Callee::Direct(f),
            ..
        } = &self.function.inst(inst).op
        else {
            return SourceType::Unknown;
        };
        self.module.function(*f).parameter_type(n)
    }

    /// The slot that a cell is here, if it has its size and the argument is what its pointer still holds.
    fn slot_of(&self, cell: &SummaryCell, inst: InstId, args: &[Operand], effects: &Effects<'_>) -> Option<SlotId> {
        let slot = self.slots.of_term(self.module, self.function, args, &cell.term)?;
        let argument = cell.term.parameter().and_then(|n| args.get(n as usize));
        if argument.is_some_and(|a| self.is_stale(a, inst, effects)) {
            return None;
        }
        let has = |ty: &Type| self.module.size_of(ty) == cell.size && (*ty == Type::Ptr) == cell.pointer;
        let fits = match self.slots.get(slot).kind {
            SlotKind::Local(v) => {
                let alloca = self.function.variables[v.0 as usize].alloca?;
                matches!(&self.function.inst(alloca).op, Op::Alloca { ty, .. } if has(ty))
            }
            SlotKind::Global(g) => has(&self.module.global(g).ty),
            SlotKind::LocalField(..) | SlotKind::GlobalField(..) | SlotKind::Behind(..) => {
                self.slots.get(slot).ty.as_ref().is_none_or(has)
            }
        };
        fits.then_some(slot)
    }

    /// Whether the variables that an argument was read from may have changed before the call, as in `f(p++)`.
    fn is_stale(&self, argument: &Operand, call: InstId, effects: &Effects<'_>) -> bool {
        let Some((load, from)) = loaded_from(self.function, argument) else {
            return false;
        };
        let lies = self.points_to.of_operand(self.func, from);
        let mut between = (load.0 + 1..call.0).map(InstId);
        let changed = between.any(|i| {
            let effects = effects.of_inst(self.func, i);
            let changes =
                |l: &MemLoc| effects.may_write(self.points_to, *l) || effects.may_free(self.points_to, l.object);
            effects.unknown || lies.iter().any(changes)
        });
        changed || self.is_stale(from, call, effects)
    }

    fn lives(&self, slot: SlotId) -> Vec<MemLoc> {
        self.slots.places(self.points_to, self.func, slot)
    }

    /// Whether two slots of these sizes surely are different memory.
    fn are_apart(&self, a: SlotId, bytes_a: u64, b: SlotId, bytes_b: u64) -> bool {
        let disjoint = |x: u64, y: u64| x.saturating_add(bytes_a) <= y || y.saturating_add(bytes_b) <= x;
        let kind = |s: SlotId| &self.slots.get(s).kind;
        match (kind(a), kind(b)) {
            _ if a == b => false,
            (SlotKind::LocalField(v, x), SlotKind::LocalField(w, y)) if v == w => disjoint(*x, *y),
            (SlotKind::GlobalField(v, x), SlotKind::GlobalField(w, y)) if v == w => disjoint(*x, *y),
            (SlotKind::Behind(v, x), SlotKind::Behind(w, y)) if v == w => disjoint(*x, *y),
            (SlotKind::Behind(..), _) | (_, SlotKind::Behind(..)) => {
                let (lives, others) = (self.lives(a), self.lives(b));
                let meets = |l: &MemLoc| others.iter().any(|o| self.points_to.may_alias(*l, *o));
                !lives.is_empty() && !others.is_empty() && !lives.iter().any(meets)
            }
            (SlotKind::Global(v) | SlotKind::GlobalField(v, _), SlotKind::Global(w) | SlotKind::GlobalField(w, _)) => {
                v != w
            }
            (SlotKind::Local(v) | SlotKind::LocalField(v, _), SlotKind::Local(w) | SlotKind::LocalField(w, _)) => {
                v != w
            }
            // A local variable and a global one.
            _ => true,
        }
    }

    /// All places that the call may write; `None`: any.
    fn written(
        &self,
        inst: InstId,
        summary: &ValueSummary,
        stores: &[SlotId],
        effects: &Effects<'_>,
    ) -> Option<LocSet> {
        if let Some(elsewhere) = &summary.elsewhere {
            let stored = stores.iter().flat_map(|s| self.lives(*s));
            let mut all = elsewhere.clone();
            all.extend(stored);
            return Some(all);
        }
        let effects = effects.of_call(self.func, inst);
        (!effects.unknown).then(|| effects.writes.clone())
    }

    /// Whether a slot may be other memory after the call than before, because a pointer on the way to it is written.
    fn moves(&self, slot: SlotId, stores: &[SlotId], written: Option<&LocSet>) -> bool {
        let SlotKind::Behind(outer, _) = self.slots.get(slot).kind else {
            return false;
        };
        let hit = match written {
            Some(written) => {
                let lives = self.lives(outer);
                lives.iter().any(|l| written.meets(self.points_to, *l))
            }
            None => !is_private(self.slots, self.points_to, self.func, outer),
        };
        stores.contains(&outer) || hit || self.moves(outer, stores, written)
    }
}

impl KnownCall {
    /// What a slot surely holds afterwards.
    pub(super) fn left_in(&self, slot: SlotId) -> Option<&Worth> {
        let (_, value) = self.stores.iter().find(|(s, _)| *s == slot)?;
        value.as_ref()
    }
}
