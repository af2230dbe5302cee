//! Whether a pointer and a number belong together: the number says how many elements what the pointer points to was
//! allocated with.
//!
//! ```c
//! int renew(double **v, int *n)
//! {
//!     free(*v);
//!     *n += 5;                                /* here they do not        */
//!     *v = malloc(*n * sizeof **v);           /* and from here on again  */
//!     …
//! }
//! ```
//!
//! **Operational semantics.** For one pointer slot and one integer slot the fact goes forward over the statement graph. It
//! begins where both have just been set and their values say so: what was allocated has as many elements as the number is, or
//! the pointer is null. It ends where something else changes one of them. A call that changes both keeps it if the called
//! function does: there the two are what callers name so, belong together on entry, and have to wherever it returns.
//!
//! How much was allocated does not change as long as the array lives. So it is enough to know it of the values that a
//! function is called with, wherever in there these are used.

use super::file::FileFacts;
use super::host;
use super::inputs::Inputs;
use super::inputs::inputs;
use super::prepare::with_model;
use super::terms::{entry_value, on_entry};
use crate::analysis::arrays::object_extent;
use crate::analysis::at_call::AtCall;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::storage::cleared;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::analysis::values::table::{Base, SymKind};
use crate::analysis::values::version::Version;
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::ir::{Callee, FuncId, InstId, Op, Operand, Type};
use crate::symbolic::{Expr, Section};

/// How deep calls are followed.
const MOST_CALLS: usize = 4;

/// A pointer and a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PointerAndLength {
    /// The pointer.
    pub pointer: SlotId,
    /// How many elements it points to.
    pub length: SlotId,
}

/// What is asked about one function.
pub(super) struct LengthQuery<'a> {
    inputs: &'a Inputs<'a>,
    /// To follow calls; `None`: these keep nothing.
    files: Option<&'a [FileFacts<'a>]>,
    element: u64,
    calls: usize,
}

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LengthEffect {
    /// The fact holds afterwards if it did before.
    Keeps,
    /// The fact holds afterwards.
    Makes,
    /// The fact may not hold afterwards.
    Ends,
}

impl<'a> LengthQuery<'a> {
    /// Of a function, with arrays of elements of so many bytes.
    pub fn new(inputs: &'a Inputs<'a>, files: Option<&'a [FileFacts<'a>]>, element: u64) -> LengthQuery<'a> {
        LengthQuery {
            inputs,
            files,
            element,
            calls: MOST_CALLS,
        }
    }

    /// Whether what a base points to, as it is used at a node of the fine graph, was allocated with so many elements.
    pub fn belong(&self, node: NodeId, base: Base, count: &Expr) -> bool {
        let model = self.inputs.model;
        if self.was_allocated_with(base, count) {
            return true;
        }
        let values = model.values;
        let pointers = values.slots.ids().filter(|s| {
            let value = values.slot_ptr(*s, values.versions.before(node, *s));
            self.may_be_pointer(*s) && value.base == base && value.offset.is_zero()
        });
        let pointers: Vec<SlotId> = pointers.collect();
        let lengths = values
            .slots
            .ids()
            .filter(|s| self.may_be_number(*s) && values.slot_int(*s, values.versions.before(node, *s)) == *count);
        let mut pairs =
            lengths.flat_map(|length| pointers.iter().map(move |p| PointerAndLength { pointer: *p, length }));
        pairs.any(|pair| self.solve(pair)[node.0 as usize])
    }

    /// Whether the two belong together wherever the function returns, if they do where it is called.
    pub fn are_kept(&self, pair: PointerAndLength) -> bool {
        self.solve(pair)[FlowGraph::EXIT.0 as usize]
    }

    /// Whether a slot may be a number; of what only callees mention the type is not known.
    pub fn may_be_number(&self, slot: SlotId) -> bool {
        !matches!(self.inputs.model.values.slots.get(slot).ty, Some(Type::Ptr))
    }

    fn may_be_pointer(&self, slot: SlotId) -> bool {
        !matches!(self.inputs.model.values.slots.get(slot).ty, Some(Type::Int(_)))
    }

    /// What the function is called with in a slot.
    pub fn called_with(&self, slot: SlotId) -> Option<Expr> {
        let model = self.inputs.model;
        let values = model.values;
        // Where a parameter gets its value, what is behind it counts as changed: that version the statements see.
        let versions = model.fine.ids().map(|n| values.versions.before(n, slot));
        let mut versions: Vec<Version> = versions.filter(|v| self.is_as_called(slot, *v)).collect();
        versions.sort_by_key(|v| *v == Version::Entry);
        Some(values.slot_int(slot, *versions.first()?))
    }

    /// Whether a version of a slot is what the function is called with.
    fn is_as_called(&self, slot: SlotId, version: Version) -> bool {
        let value = self.inputs.model.values.sym(SymKind::Slot(slot, version));
        let was = entry_value(self.inputs, value);
        was.is_some() && was == on_entry(self.inputs, slot)
    }

    fn was_allocated_with(&self, base: Base, count: &Expr) -> bool {
        let extent = object_extent(self.inputs.model, base, self.element);
        matches!(base, Base::Value(_)) && extent == Some(Section::whole(count.clone()))
    }

    /// Whether the two belong together on entry to each node: the greatest solution.
    fn solve(&self, pair: PointerAndLength) -> Vec<bool> {
        let model = self.inputs.model;
        let (graph, versions) = (model.fine, &model.values.versions);
        let steps: Vec<LengthEffect> = graph.ids().map(|n| self.step(n, pair)).collect();
        let arrives = |from: NodeId, to: NodeId| {
            [pair.pointer, pair.length].into_iter().all(|slot| {
                let (left, here) = (versions.after(from, slot), versions.before(to, slot));
                left == here || !matches!(here, Version::AfterLaunch(_) | Version::Within(_))
            })
        };
        let order = graph.reverse_post_order();
        let mut before = vec![true; graph.nodes.len()];
        before[FlowGraph::ENTRY.0 as usize] = self.holds_on_entry(pair);
        loop {
            let mut changed = false;
            for &n in order.iter().filter(|n| **n != FlowGraph::ENTRY) {
                let after = |p: &NodeId| match steps[p.0 as usize] {
                    LengthEffect::Keeps => before[p.0 as usize],
                    LengthEffect::Makes => true,
                    LengthEffect::Ends => false,
                };
                let reached = |p: &&NodeId| versions.after(**p, pair.pointer) != Version::Unreached;
                let mut ways = graph.node(n).preds.iter().filter(reached);
                let holds = ways.all(|p| after(p) && arrives(*p, n));
                if before[n.0 as usize] && !holds {
                    before[n.0 as usize] = false;
                    changed = true;
                }
            }
            if !changed {
                return before;
            }
        }
    }

    /// Where the program begins pointers of globals are null; what other functions are called with, callers answer for.
    fn holds_on_entry(&self, pair: PointerAndLength) -> bool {
        let (program, model) = (self.inputs.program, self.inputs.model);
        let values = model.values;
        match program.is_main(model.func) {
            true => {
                let places = values.slots.places(model.points_to, model.func, pair.pointer);
                let set = |id: FuncId| {
                    let mut places = places.iter();
                    places.any(|l| program.effects.of(id).may_write(model.points_to, *l))
                };
                // What else the program comes to by itself may run first.
                let others = || {
                    program
                        .running()
                        .filter(|id| *id != model.func && model.points_to.has_unseen_callers(*id))
                };
                let kind = &values.slots.get(pair.pointer).kind;
                matches!(kind, SlotKind::Global(_) | SlotKind::GlobalField(..)) && !others().any(set)
            }
            false => on_entry(self.inputs, pair.pointer).is_some() && on_entry(self.inputs, pair.length).is_some(),
        }
    }

    fn step(&self, node: NodeId, pair: PointerAndLength) -> LengthEffect {
        let versions = &self.inputs.model.values.versions;
        let ours = |slot: SlotId| slot == pair.pointer || slot == pair.length;
        let mut insts: Vec<InstId> = versions
            .changes(node)
            .iter()
            .filter(|c| ours(c.slot))
            .map(|c| c.inst)
            .collect();
        insts.dedup();
        match insts.as_slice() {
            [] => LengthEffect::Keeps,
            _ if self.say_so(node, pair) => LengthEffect::Makes,
            [call] if self.call_keeps(*call, pair) => LengthEffect::Keeps,
            _ => LengthEffect::Ends,
        }
    }

    /// Whether the values that two slots have after a node belong together.
    fn say_so(&self, node: NodeId, pair: PointerAndLength) -> bool {
        let model = self.inputs.model;
        let values = model.values;
        let pointer = values.versions.after(node, pair.pointer);
        let length = values.versions.after(node, pair.length);
        let value = values.slot_ptr(pair.pointer, pointer);
        self.is_null(pair.pointer, pointer)
            || value.offset.is_zero() && self.was_allocated_with(value.base, &values.slot_int(pair.length, length))
            || !self.inputs.program.is_main(model.func)
                && self.is_as_called(pair.pointer, pointer)
                && self.is_as_called(pair.length, length)
    }

    /// Whether a version of a pointer is null: stored, or by `memset` over all of the struct from its start.
    fn is_null(&self, slot: SlotId, version: Version) -> bool {
        let model = self.inputs.model;
        let op = |inst: InstId| &model.function().inst(inst).op;
        match version {
            Version::Def(store) => matches!(
                op(store),
                Op::Store {
                    value: Operand::Null,
                    ..
                }
            ),
            Version::Clobber(call) => {
                let Some((to, Operand::Int(bytes))) = cleared(model.module, model.points_to.known(), model.func, call)
                else {
                    return false;
                };
                let (whole, at) = match model.values.slots.get(slot).kind {
                    SlotKind::LocalField(v, at) => (Base::Local(v), at),
                    SlotKind::GlobalField(g, at) => (Base::Global(g), at),
                    _ => return false,
                };
                let to = model.values.ptr(to);
                to.is_some_and(|p| p.base == whole && p.offset.is_zero()) && *bytes >= i128::from(at) + 8
            }
            _ => false,
        }
    }

    /// Whether a called function leaves two things together that belong together where it is called.
    fn call_keeps(&self, inst: InstId, pair: PointerAndLength) -> bool {
        let (program, model) = (self.inputs.program, self.inputs.model);
        let Op::Call {
            callee: Callee::Direct(f),
            args,
        } = &model.function().inst(inst).op
        else {
            return false;
        };
        let (Some(files), Some(&(at, place))) = (self.files, program.places.get(f)) else {
            return false;
        };
        if self.calls == 0 || program.points_to.call_graph().recursive(*f) {
            return false;
        }
        let call = AtCall {
            model,
            terms: &[],
            callee: *f,
            inst,
            args,
        };
        let host = host::of_callees(program, files, *f);
        let looked = with_model(program, &files[at], place, *f, &host, |model| {
            let inputs = inputs(program, &files[at], model, &host);
            let there = LengthQuery {
                inputs: &inputs,
                files: Some(files),
                element: self.element,
                calls: self.calls - 1,
            };
            // What two names in there are, stores by one of them change under the other.
            let only = |wanted: SlotId| {
                let is = |s: &SlotId| {
                    let term = on_entry(&inputs, *s).filter(|t| !matches!(t, CalleeTerm::Param(_)));
                    term.and_then(|t| call.slot(&t)).is_some_and(|(here, _)| here == wanted)
                };
                let mut found = model.values.slots.ids().filter(is);
                found.next().filter(|_| found.next().is_none())
            };
            match (only(pair.pointer), only(pair.length)) {
                (Some(pointer), Some(length)) => there.are_kept(PointerAndLength { pointer, length }),
                _ => false,
            }
        });
        looked.unwrap_or(false)
    }
}
