//! Arrays that are mapped as members of structs: `s->x[0:n]`.
//!
//! Mapping one also maps the pointer `s->x`, which has a price and a danger:
//!
//! * the pointer is copied, 8 bytes that kernels which name the array otherwise do not copy;
//! * a part of the struct is then on the device. A kernel that maps another part of it, or all of it, together with that
//!   pointer asks for a stretch of which some is there already, and the runtime refuses that.
//!
//! Several members that kernels map by paths can stay on the device together: [`super::joint`].
//!
//! A global pointer has the same price, once in a run of the program, and no danger.

use super::decision::is_member;
use super::inputs::Inputs;
use super::model::{Candidate, Planned};
use super::names::NamingPoint;
use super::program_facts::ProgramFacts;
use super::spans::Run;
use super::{Change, MapItem};
use crate::analysis::arrays::locs_of;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::cexpr::Macros;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::Problem;
use crate::analysis::movement::surely::surely_passes;
use crate::analysis::values::table::Base;
use crate::openmp::Item;
use crate::program::graph::NodeId;
use crate::program::ir::{FuncId, GlobalId, Op};
use crate::program::objects::{MemLoc, ObjectId};
use crate::reasons::Structs;
use rustc_hash::FxHashMap;

/// Whether an item as written is reached by a pointer that is itself reached by one: to map `(*v)[0:n]` is to map `*v` too,
/// which no kernel asked for. Updates and `exit data` leave a pointer alone that is not there.
pub(super) fn maps_pointer(text: &str) -> bool {
    text.starts_with("(*")
}

/// Whether an item of a clause names a member of a struct.
pub(super) fn names_member(item: &Item) -> bool {
    if item.unparsed {
        is_member(&item.text)
    } else {
        !item.path.steps.is_empty()
    }
}

/// Everything in memory that the kernels of a function touch or map, those of called functions included, locals too.
pub(super) fn touched_by_kernels(inputs: &Inputs<'_>) -> Vec<MemLoc> {
    let mut touched: Vec<MemLoc> = (0..inputs.model.constructs.launches.len())
        .flat_map(|launch| {
            touched_by(inputs.model, launch)
                .into_iter()
                .chain(mapped_by(inputs, launch))
        })
        .collect();
    touched.extend(inputs.calls.iter().flat_map(|c| &c.touched));
    let effects = inputs.program.effects.of(inputs.model.func);
    if effects.unknown {
        touched.extend(inputs.program.unknown_code.called.touched.iter().copied());
    }
    touched.sort_unstable();
    touched.dedup();
    touched
}

pub(super) fn touched_by(model: &FunctionModel<'_>, launch: usize) -> Vec<MemLoc> {
    let function = model.function();
    let inside = model.fine.ids().filter(|n| model.launch_of(*n) == Some(launch));
    let insts = inside.flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
    let mut touched = Vec::new();
    for inst in insts {
        match &function.inst(*inst).op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => {
                touched.extend_from_slice(model.points_to.of_operand(model.func, ptr));
            }
            Op::Call { .. } => {
                let effects = model.effects.of_call(model.func, *inst);
                touched.extend(effects.reads.union(&effects.writes));
            }
            _ => {}
        }
    }
    touched
}

/// What a kernel's clauses map, touched or not: of what is reached by a path the pointer, of all else the whole object.
pub(super) fn mapped_by(inputs: &Inputs<'_>, launch: usize) -> Vec<MemLoc> {
    let items = inputs.mapped[launch].iter();
    let places = items.flat_map(|m| match m.item.path.steps.is_empty() {
        true => {
            let all = locs_of(inputs.model, m.base).into_iter();
            all.map(|l| MemLoc::whole(l.object)).collect()
        }
        false => pointer_places(inputs.model, &m.item.path.to_string()),
    });
    let unnamed = inputs.unnamed[launch].iter().flat_map(|m| m.places.iter().flatten());
    places.chain(unnamed.copied()).collect()
}

/// Gives members a directive each where residencies of one struct may be active at a time: a list of members maps the whole
/// stretch between them, of which a part must not be there already.
pub(super) fn set_apart(program: &ProgramFacts<'_>, planned: &mut FxHashMap<FuncId, Planned>) {
    let mut deciding: Vec<(FuncId, Vec<ObjectId>, usize)> = Vec::new();
    for (id, plan) in planned.iter() {
        let Ok(Ok(plan)) = plan else { continue };
        let decisions = || plan.decisions.iter();
        let structs: Vec<ObjectId> = decisions().flat_map(|d| d.structs.iter().copied()).collect();
        let maps = decisions()
            .flat_map(|d| &d.changes)
            .filter(|c| c.maps().iter().any(MapItem::is_member));
        if !structs.is_empty() {
            deciding.push((*id, structs, maps.count()));
        }
    }
    let share = |a: &[ObjectId], b: &[ObjectId]| {
        a.iter()
            .any(|x| b.iter().any(|y| program.points_to.objects_may_alias(*x, *y)))
    };
    let apart: Vec<FuncId> = deciding
        .iter()
        .filter(|(id, structs, maps)| {
            let reached = program.points_to.call_graph().reachable(*id);
            *maps > 1
                || deciding.iter().any(|(other, theirs, _)| {
                    other != id
                        && share(structs, theirs)
                        && (reached.contains(other) || program.points_to.call_graph().reachable(*other).contains(id))
                })
        })
        .map(|(id, ..)| *id)
        .collect();
    for id in apart {
        let Some(Ok(Ok(plan))) = planned.get_mut(&id) else {
            continue;
        };
        let changes = plan.decisions.iter_mut().flat_map(|d| &mut d.changes);
        for item in changes.flat_map(Change::maps_mut) {
            item.alone = item.is_member() && !item.together;
        }
    }
}

/// Where the pointer that an item is reached through may lie.
pub(super) fn pointer_places(model: &FunctionModel<'_>, text: &str) -> Vec<MemLoc> {
    let slots = &model.values.slots;
    let path = text.split('[').next().unwrap_or_default();
    slots
        .named(path)
        .flat_map(|s| slots.places(model.points_to, model.func, s))
        .collect()
}

/// Whether a pointer in a struct leads to the struct of an item: `s.grid` of `s.grid->u[0:n]`. To map such an item maps each
/// of these pointers, and the runtime counts the last one twice on the way in and once on the way out: it stays on the
/// device for good, and with it a part of the struct, whatever comes to lie there when that is freed.
pub(super) fn is_far(text: &str) -> bool {
    let path = text.split('[').next().unwrap_or_default();
    let mut pointers = path.match_indices("->").map(|(end, _)| &path[..end]);
    pointers.any(is_member)
}

/// Where the pointers may lie that a function's own data directives map as members of structs; `None`: anywhere.
pub(super) fn mapped_by_hand(model: &FunctionModel<'_>, macros: &Macros) -> Option<Vec<MemLoc>> {
    let mut found = Vec::new();
    let names = model.item_scope(macros);
    let items = model.constructs.user_data.iter().flat_map(|u| &u.items);
    for item in items.filter(|item| names_member(item)) {
        let exact = match item.unparsed {
            true => Vec::new(),
            false => pointer_places(model, &item.path.to_string()),
        };
        let all = || names.led_to(item);
        found.extend(if exact.is_empty() { all()? } else { exact });
    }
    Some(found)
}

impl Inputs<'_> {
    /// The structs that an item leads through.
    pub(super) fn structs_of(&self, text: &str) -> Vec<ObjectId> {
        let places = match is_member(text) {
            true => pointer_places(self.model, text),
            false => Vec::new(),
        };
        places.into_iter().map(|l| l.object).collect()
    }

    /// How many pointers a residency copies beside the arrays, and one of the members. Where kernels surely copy them
    /// themselves, it is none; else one for each cell, which has to be paid for as a copy of the array would be.
    pub(super) fn pointers(
        &self,
        candidate: &Candidate,
        problem: &Problem<'_>,
        span: &ResidencySpan,
        names: &[Base],
        members: &[String],
    ) -> (i64, Option<String>) {
        let called = |n: NodeId| {
            let calls = self.calls.iter().filter(|c| c.node == n).flat_map(|c| &c.members.list);
            let mut surely = calls.filter(|m| m.surely);
            surely.any(|m| self.leads_to(m, candidate))
        };
        let maps_member = |n: NodeId| called(n) || self.kernel_maps(candidate, n, &|m| is_member(&m.item.text));
        if members.is_empty() {
            // With what is mapped through a global pointer the runtime copies the pointer, whenever what it points to comes to the device anew.
            let Some(global) = self.global_pointer(names, span.entry) else {
                return (0, None);
            };
            let copies_pointer = |n: NodeId| match self.file.options.speculate {
                // One pointer is little beside what kernels save that run.
                true => problem.launches(n),
                false => self.copies_global(candidate, n, global),
            };
            return match surely_passes(problem, span, &copies_pointer) {
                true => (0, None),
                false => (1, Some(self.model.module.global(global).name.clone())),
            };
        }
        if surely_passes(problem, span, &maps_member) {
            return (0, None);
        }
        (members.len() as i64, members.first().cloned())
    }

    /// A global or static pointer by which one of these bases would be mapped at a gap.
    fn global_pointer(&self, bases: &[Base], gap: NodeId) -> Option<GlobalId> {
        let at = NamingPoint::coarse(self.model, gap)?;
        let named = bases.iter().filter(|base| matches!(base, Base::Value(_)));
        let mut names = named.filter_map(|base| at.base(*base));
        names.find_map(|name| self.model.visible_global(at.stmt, &name))
    }

    /// Whether a kernel at this node maps the family through a global or static pointer, and so copies that as well.
    pub(super) fn copies_global(&self, candidate: &Candidate, node: NodeId, global: GlobalId) -> bool {
        let by_call = |l: &usize| {
            let mut uses = self.used_by_call(candidate, *l).into_iter();
            uses.any(|u| u.by_global && u.root == CalleeTerm::Global(global))
        };
        let name = &self.model.module.global(global).name;
        self.launches_at(candidate, node).any(|l| by_call(&l))
            || self.kernel_maps(candidate, node, &|m| {
                m.item.path.base == *name && m.item.path.steps.is_empty()
            })
    }

    /// Whether the structs that the family is mapped through have no other part on the device at some kernel of the run:
    /// why not.
    pub(super) fn structs_are_free(
        &self,
        candidate: &Candidate,
        run: Run,
        problem: &Problem<'_>,
        span: &ResidencySpan,
        members: &[String],
    ) -> Result<(), Structs> {
        if let Some(joint) = &candidate.joint {
            return self.may_begin(joint, problem, span);
        }
        let model = self.model;
        for text in members {
            let name = text.clone();
            if is_far(text) {
                return Err(Structs::LeftBehind { name });
            }
            let pointer = pointer_places(model, text);
            if pointer.is_empty() {
                return Err(Structs::PlaceUnknown { name });
            }
            let same_struct = |l: &MemLoc| {
                pointer
                    .iter()
                    .any(|p| model.points_to.objects_may_alias(p.object, l.object))
            };
            for launch in 0..model.constructs.launches.len() {
                if !run.encloses(model, self.start(launch)) {
                    continue;
                }
                let maps_it = self.items(candidate, launch).iter().any(|m| is_member(&m.item.text));
                let other = |l: &MemLoc| same_struct(l) && !(maps_it && pointer.contains(l));
                let used = touched_by(model, launch).into_iter().chain(mapped_by(self, launch));
                if used.into_iter().any(|l| other(&l)) {
                    return Err(Structs::KernelUsesMore { name });
                }
            }
            let by_hand = self.program.members_by_hand.as_ref();
            if by_hand.is_none_or(|places| places.iter().any(same_struct)) {
                return Err(Structs::MapsPart { name });
            }
            for call in &self.calls {
                if run.encloses(model, call.stmt) && call.touched.iter().any(same_struct) {
                    let callee = call.callee.clone();
                    return Err(Structs::UsedInCall { name, callee });
                }
            }
            if let Some((_, callee)) = self.untold_use(run, &same_struct) {
                return Err(Structs::UsedInCall { name, callee });
            }
        }
        Ok(())
    }

    /// The member paths by which the family would be mapped on entry.
    pub(super) fn members(
        &self,
        candidate: &Candidate,
        entry: &NamingPoint<'_>,
        extent: &crate::symbolic::Section,
        names: &[Base],
    ) -> Vec<String> {
        let spelled = names
            .iter()
            .filter_map(|base| self.item(candidate, entry, *base, extent, false));
        spelled.filter(|text| is_member(text)).collect()
    }

    /// Whether a name may be mapped apart from the kernels' own maps: a struct of which kernels map a single member has no
    /// stretch.
    pub(super) fn alone(&self, name: &str) -> bool {
        let Some(end) = name.find(['.', '-']) else { return true };
        let root = &name[..end];
        let maps = self.model.constructs.launches.iter().flat_map(|l| &l.maps);
        maps.filter(|(_, item)| item.path.base == root)
            .all(|(_, item)| item.path.to_string() == name)
    }
}
