//! Arrays that a module allocates, hides in a struct and frees, and that stay on the device in between.
//!
//! ```c
//! struct mesh *mesh_new(int n)  { struct mesh *m = malloc(sizeof *m); m->n = n; m->x = malloc(n * sizeof *m->x); … }
//! void push(struct mesh *m)     { double *x = m->x; … #pragma omp target … map(tofrom: x[0:m->n]) … }
//! void mesh_free(struct mesh *m) { /* exit data map(delete: m->x[0:1]) */ free(m->x); free(m); }
//! ```
//!
//! Here [`super::resident`] needs to know more than of a global array.
//!
//! **All kernels map the same of it.** They map `x[0:n]` with pointer and length from two members of one struct, and of a
//! struct these never change once a kernel may have seen them: every store to either is to a struct that the function has
//! just allocated, and the function starts no kernels. Null pointers and lengths of zero may be stored at any time, since
//! kernels map nothing of them. Only one store sets the pointer, to what has just been allocated, so that no two structs
//! share an array. Copies of such structs are not followed.
//!
//! Kernels name the pointer as a variable: where they map a member by its path, the struct is on the device too, and would
//! stay there when it is freed.
//!
//! **Nothing is there before its first kernel.** What a function does with an array of a struct that it has just allocated
//! needs no updates.
//!
//! **A freed array is not there.** Before each `free` of one stands an `exit data` with `delete`, which takes it from the
//! device however often it was entered, and does nothing where it never was. Its first element is enough to say which array
//! is meant. Nothing else frees one, nothing moves one (`realloc` reads what the host has of it), and arrays that are never freed keep their addresses.

use super::candidates;
use super::entering::entered;
use super::file::FileFacts;
use super::host;
use super::inputs::Inputs;
use super::inputs::inputs;
use super::names::NamingPoint;
use super::prepare::with_model;
use super::program_facts::ProgramFacts;
use super::resident_fresh::PointerEffect;
use super::residents::{By, Resident, is_plain};
use super::terms::root_of;
use crate::analysis::callee_term::CalleeTerm;
use crate::analysis::device_summary::{DeviceSummary, DeviceUse};
use crate::analysis::function::FunctionModel;
use crate::analysis::storage::freed;
use crate::program::graph::{NodeKind, Place};
use crate::program::ir::{FuncId, InstId, Operand};
use crate::program::objects::{MemLoc, ObjectId, ObjectKind};
use crate::symbolic::{Expr, Facts, Section, Sym};
use crate::syntax::StmtId;

impl ProgramFacts<'_> {
    /// The functions that use the array on the host or in kernels themselves, but for arrays that they have just allocated.
    pub(super) fn users_of_members(&self, array: &Resident, cells: &[MemLoc]) -> Vec<FuncId> {
        let uses = |id: &FuncId| {
            let insts = self
                .module
                .function(*id)
                .inst_ids()
                .filter(|i| !self.only_frees(*id, *i));
            let mut addresses = insts.flat_map(|i| self.addresses(*id, i));
            addresses.any(|a| self.points_at(*id, a, array) && !self.is_fresh(*id, a, cells))
        };
        let users = self.own_users(array.objects.iter().copied());
        users.into_iter().filter(uses).collect()
    }

    /// Whether a call frees a pointer, and does nothing else with what it points to: `realloc` reads all of it.
    pub(super) fn only_frees(&self, func: FuncId, inst: InstId) -> bool {
        freed(self.module, self.points_to.known(), func, inst).is_some_and(|f| !f.moved)
    }

    pub(super) fn points_at(&self, func: FuncId, address: &Operand, array: &Resident) -> bool {
        array.may_be(self.points_to.of_operand(func, address))
    }

    /// The functions that may free one of the arrays themselves.
    pub(super) fn freeing(&self, array: &Resident) -> Vec<FuncId> {
        let mut found: Vec<FuncId> = self.own_frees(&array.objects).into_iter().map(|f| f.0).collect();
        found.dedup();
        found
    }

    /// The calls of the library in a function that may free one of the arrays.
    pub(super) fn frees_in(&self, func: FuncId, array: &Resident) -> Vec<InstId> {
        let frees = self.own_frees(&array.objects).into_iter();
        frees.filter(|f| f.0 == func).map(|f| f.1).collect()
    }

    /// Whether all functions keep the arrays as [`super::resident`] asks.
    pub(super) fn members_are_kept(&self, files: &[FileFacts<'_>], array: &Resident, cells: &[MemLoc]) -> bool {
        let Some(lengths) = self.lengths(array, cells) else {
            return false;
        };
        let mut pointers_set = 0;
        if self.runs_unknown_code() {
            return false;
        }
        // All of these lie in structs that do not escape, which nothing else is a name for.
        for func in self.own_users(cells.iter().chain(&lengths).map(|l| l.object)) {
            for inst in self.module.function(func).inst_ids() {
                match self.sets(func, inst, cells, &lengths) {
                    PointerEffect::Nothing => {}
                    PointerEffect::Pointer => pointers_set += 1,
                    PointerEffect::Unfollowed => return false,
                }
            }
        }
        let users = self.users_of_members(array, cells);
        pointers_set == 1
            && users
                .iter()
                .all(|id| !self.is_main(*id) && self.uses_by_name(files, *id, array))
            && self.freeing(array).iter().all(|id| self.gives_up(files, *id, array))
    }

    /// Where the lengths lie that go with the pointers, if all that functions tell of the arrays is in terms of these.
    fn lengths(&self, array: &Resident, cells: &[MemLoc]) -> Option<Vec<MemLoc>> {
        let told = self.running().filter_map(|id| self.summaries.get(&id));
        let told: Vec<&DeviceSummary> = told.map(|s| &**s).collect();
        let may_be = |locs: &[MemLoc]| locs.is_empty() || array.may_be(locs);
        let by_path = told
            .iter()
            .any(|s| s.maps_members && s.uses.iter().any(|u| may_be(&u.locs)));
        if by_path || told.iter().flat_map(|s| &s.opaque).any(|o| may_be(&o.locs)) {
            return None;
        }
        let uses = told.iter().flat_map(|s| s.uses.iter().map(|u| (&s.terms, u)));
        let uses: Vec<(&Vec<CalleeTerm>, &DeviceUse)> = uses.filter(|(_, u)| may_be(&u.locs)).collect();
        let (_, first) = uses.first()?;
        let by_cells = |root: &CalleeTerm| matches!(root, CalleeTerm::Member { places, .. } if places.iter().all(|p| cells.contains(p)));
        let alike = |u: &DeviceUse| {
            let same = u.element == first.element && array.is(Some(&u.root), &u.locs) && by_cells(&u.root);
            same && is_plain(u)
        };
        if !uses.iter().all(|(_, u)| alike(u)) {
            return None;
        }
        // Which member is the length, kernels say.
        let mut found: Vec<MemLoc> = Vec::new();
        let mut at = None;
        for (terms, used) in &uses {
            for section in &used.mapped {
                let (bytes, places) = length(terms, &used.root, section)?;
                if *at.get_or_insert(bytes) != bytes {
                    return None;
                }
                found.extend(places);
            }
        }
        // A single element is all on the device or not at all.
        let is_inside = |terms: &[CalleeTerm], used: &DeviceUse, section: &Section| {
            let mapped = (0..terms.len()).map(|k| Section::whole(Expr::sym(Sym(k as u32))));
            let mut mapped =
                mapped.filter(|all| length(terms, &used.root, all).is_some_and(|(bytes, _)| Some(bytes) == at));
            Section::element(section.lo.clone()).as_ref() == Some(section)
                || mapped.any(|all| all.provably_covers(section, &Facts::new()))
        };
        for (terms, used) in &uses {
            let copied = used.updates.iter().flat_map(|u| &u.sections);
            if !copied.into_iter().all(|s| is_inside(terms, used, s)) {
                return None;
            }
        }
        found.sort_unstable();
        found.dedup();
        let is_record = |l: &MemLoc| matches!(self.points_to.object(l.object).kind, ObjectKind::Heap { .. });
        let apart = found
            .iter()
            .all(|l| cells.iter().all(|c| !self.points_to.may_alias(*l, *c)));
        let pointed: Vec<ObjectId> = cells
            .iter()
            .flat_map(|c| self.points_to.contents(*c))
            .map(|l| l.object)
            .collect();
        let known = cells
            .iter()
            .chain(&found)
            .all(|l| is_record(l) && !self.points_to.escapes(l.object));
        let closed = pointed.iter().all(|o| array.objects.contains(o));
        (apart && known && closed && !found.is_empty()).then_some(found)
    }

    /// Whether a function's own uses of the arrays are all by names that its summary tells of.
    fn uses_by_name(&self, files: &[FileFacts<'_>], func: FuncId, array: &Resident) -> bool {
        let (Some(summary), Some(&(at, f))) = (self.summaries.get(&func), self.places.get(&func)) else {
            return false;
        };
        let host = host::of_callees(self, files, func);
        let looked = with_model(self, &files[at], f, func, &host, |model| {
            let inputs = inputs(self, &files[at], model, &host);
            let told = |root: CalleeTerm| summary.uses.iter().any(|u| u.root == root);
            let mut own = inputs
                .accesses
                .iter()
                .filter(|a| self.points_at(func, &a.address, array));
            let named = own.all(|a| a.at.as_ref().and_then(|at| root_of(&inputs, at.base)).is_some_and(told));
            let function = model.function();
            let library = |i: &InstId| self.calls_library(func, *i) && !model.copies_bytes(*i);
            let mut calls = function.inst_ids().filter(library);
            let touched = |i: InstId| {
                let effects = self.effects.of_call(func, i);
                effects
                    .reads
                    .union(&effects.writes)
                    .any(|l| array.objects.contains(&l.object))
            };
            let candidates = candidates::find(&inputs);
            let mut ours = candidates.iter().filter(|c| array.may_be(&c.locs));
            let is_entered = ours.all(|c| entered(&inputs, c).is_some());
            named && is_entered && !calls.any(touched) && self.frees_in(func, array).is_empty()
        });
        looked.unwrap_or(false)
    }

    /// Bytes per element, as far as a function told.
    fn element_of(&self, array: &Resident) -> Option<u64> {
        if let By::Sized(element) = array.by {
            return Some(element);
        }
        let mut uses = self
            .running()
            .filter_map(|id| self.summaries.get(&id))
            .flat_map(|s| &s.uses);
        uses.find(|u| array.is(Some(&u.root), &u.locs)).map(|u| u.element)
    }

    /// Whether `exit data` can be written before everything in a function that frees one of the arrays.
    pub(super) fn gives_up(&self, files: &[FileFacts<'_>], func: FuncId, array: &Resident) -> bool {
        let Some(&(at, f)) = self.places.get(&func) else {
            return false;
        };
        if !self.may_update.contains(&func) && !self.is_main(func) {
            return false;
        }
        let host = host::of_callees(self, files, func);
        let looked = with_model(self, &files[at], f, func, &host, |model| {
            given_up(&inputs(self, &files[at], model, &host), array).is_some()
        });
        looked.unwrap_or(false)
    }
}

/// The member that is the end of a section from the first element on, and where it lies: of the struct that the pointer to
/// the array is a member of.
fn length<'t>(terms: &'t [CalleeTerm], root: &CalleeTerm, section: &Section) -> Option<(u64, &'t [MemLoc])> {
    let CalleeTerm::Member { of: record, .. } = root else {
        return None;
    };
    match terms.get(section.hi.as_sym()?.0 as usize)? {
        CalleeTerm::Member { of, bytes, places, .. } if of == record && section.lo.is_zero() => Some((*bytes, places)),
        _ => None,
    }
}

/// Before which statements a function has to take arrays from the device, and how these are named there; `None` where one of
/// them has no name, or a statement may not come to free it.
pub(super) fn given_up(inputs: &Inputs<'_>, array: &Resident) -> Option<Vec<(StmtId, String)>> {
    let model = inputs.model;
    let mut found = Vec::new();
    for inst in inputs.program.frees_in(model.func, array) {
        let freed = model.frees(inst)?.pointer;
        if *freed == Operand::Null {
            continue;
        }
        let freed = model.values.ptr(freed).filter(|p| p.offset.is_zero())?;
        let stmt = always_frees(model, inst)?;
        let at = NamingPoint::coarse(model, model.coarse.gap(Place::Before(stmt))?)?;
        let candidate = candidates::single(model, freed.base, inputs.program.element_of(array)?, Vec::new());
        let first = Section::whole(Expr::constant(1));
        let item = inputs.item(&candidate, &at, freed.base, &first, false)?;
        if inputs.is_unwanted_item(&item) {
            return None;
        }
        found.push((stmt, item));
    }
    Some(found)
}

/// The simple statement that comes to a call whenever it runs, and once: not behind `&&`, nor in the head of a loop.
fn always_frees(model: &FunctionModel<'_>, inst: InstId) -> Option<StmtId> {
    let node = model.attachment.node_of[inst.0 as usize]?;
    let NodeKind::Leaf(stmt) = model.fine.node(node).kind else {
        return None;
    };
    let block = |i: &InstId| model.function().inst(*i).block;
    let insts = &model.attachment.insts_of[node.0 as usize];
    insts.iter().all(|i| block(i) == block(&inst)).then_some(stmt)
}
