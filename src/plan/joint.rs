//! Members of one struct that stay on the device together.
//!
//! ```c
//! #pragma omp target data map(tofrom: s->x[0:n], s->y[0:n])
//! for (int t = 0; t < steps; t++) {
//!     #pragma omp target … map(to: s->x[0:n]) map(tofrom: s->y[0:n])
//!     …
//!     #pragma omp target … map(tofrom: s->x[0:n])
//!     …
//! ```
//!
//! A directive that maps members by their paths maps the *stretch* of the struct from the first of them to the last, without
//! copying it, and puts the arrays' addresses into the pointers there. Of a later stretch the runtime takes what lies within
//! one that is there already, and stops the program where one reaches out of it. Hence the rule: *over a run of statements
//! all members stay that kernels there map, by one directive, or none does.* Each kernel's own stretch then lies in that of the
//! directive, and the pointers in it are attached already.
//!
//! What lies in the stretch between the pointers is there too, with no value: a kernel that maps a number of the struct
//! finds it present, and copies nothing. So nothing else of the struct may be mapped, nor touched in a kernel of the run: no
//! number, no array that is part of it, no struct in the struct, and not all of it. Nor may it be reached by another name,
//! whose stretch could begin elsewhere.

use super::evaluate::{Candidate, Evaluated, Inputs, Refused};
use super::function::Settled;
use super::managed::led_to;
use super::members::{pointer_places, touched_by};
use super::names::At;
use super::search::{Chosen, search_together};
use super::spans::{Run, span_of};
use crate::analysis::movement::demand::surely_passes;
use crate::analysis::movement::family::Family;
use crate::analysis::movement::mapped::means_the_same;
use crate::analysis::movement::placement::Span;
use crate::analysis::movement::problem::Problem;
use crate::analysis::movement::scope::visible_variable;
use crate::analysis::movement::subject::locs_of;
use crate::openmp::{Item, Step};
use crate::program::graph::{NodeId, Place};
use crate::program::objects::{Field, MemLoc};
use crate::syntax::StmtId;

/// How an array is mapped together with others of its struct.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The variable that leads to the struct.
    root: String,
    /// The member, as kernels write it: `s->x`.
    pub path: String,
    /// Where the pointer may lie.
    pointer: Vec<MemLoc>,
    /// Kernels that map as much of the struct as the residency does.
    widest: Vec<NodeId>,
}

/// Lets members of one struct stay on the device together where that is better than what each has found for itself.
pub(super) fn settle(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    for root in roots(inputs) {
        let found: Vec<(usize, Joint)> = (0..settled.len())
            .filter_map(|i| Some((i, joint(inputs, &settled[i].candidate, &root)?)))
            .collect();
        // What kernels map no more of than one member is mapped like any other array.
        if found.iter().all(|(_, joint)| inputs.alone(&joint.path)) {
            continue;
        }
        let each: Vec<Candidate> = found.iter().map(|(i, _)| settled[*i].candidate.clone()).collect();
        let members = each.iter().zip(&found).map(|(candidate, (_, joint))| Candidate {
            joint: Some(joint.clone()),
            ..candidate.clone()
        });
        let together = search_together(inputs, &members.collect::<Vec<_>>(), &each);
        let before: f64 = found.iter().map(|(i, _)| settled[*i].found.cost).sum();
        let after: f64 = together.iter().map(|f| f.cost).sum();
        let stays = |s: &Settled| s.found.chosen.iter().any(|c| matches!(c, Chosen::Region(_)));
        for ((i, _), found) in found.iter().zip(together) {
            match after < before {
                true => settled[*i].found = found,
                // Why they cannot stay together says more than why none can stay alone.
                false if !stays(&settled[*i]) && !found.refused.is_empty() => settled[*i].found.refused = found.refused,
                false => {}
            }
        }
    }
}

/// Gives up residencies of single members that overlap with one of several members of the same struct.
pub(super) fn keep_apart(inputs: &Inputs<'_>, settled: &mut [Settled]) {
    let model = inputs.model;
    let regions = |s: &Settled| -> Vec<Evaluated> {
        let all = s.found.chosen.iter().filter_map(|c| match c {
            Chosen::Region(e) => Some((**e).clone()),
            Chosen::Kernel(..) => None,
        });
        all.collect()
    };
    let joint: Vec<(Run, Vec<MemLoc>)> = settled
        .iter()
        .flat_map(regions)
        .filter_map(|e| Some((e.run, e.joint?.pointer)))
        .collect();
    for s in settled {
        let candidate = &s.candidate;
        let clashes = |e: &Evaluated| {
            let names = e.naming.at(e.span.entry).iter().filter_map(|base| {
                let at = At::coarse(model, e.span.entry)?;
                inputs.item(candidate, &at, *base, &e.extent, false)
            });
            let structs: Vec<_> = names.flat_map(|name| inputs.structs_of(&name)).collect();
            let same = |l: &MemLoc| structs.iter().any(|o| model.points_to.objects_may_alias(*o, l.object));
            e.joint.is_none()
                && joint
                    .iter()
                    .any(|(run, pointers)| super::blocks::overlap(model, *run, e.run) && pointers.iter().any(same))
        };
        let (gone, kept) = std::mem::take(&mut s.found.chosen).into_iter().partition(|c| match c {
            Chosen::Region(e) => clashes(e),
            Chosen::Kernel(..) => false,
        });
        s.found.chosen = kept;
        let gone: Vec<Chosen> = gone;
        s.found.refused.extend(gone.into_iter().filter_map(|c| match c {
            Chosen::Region(e) => Some(Refused {
                stmt: e.run.first,
                message: "other members of its struct stay on the device together here".into(),
            }),
            Chosen::Kernel(..) => None,
        }));
    }
}

/// The variables through which kernels map members, in text order.
fn roots(inputs: &Inputs<'_>) -> Vec<String> {
    let mut roots: Vec<String> = Vec::new();
    for (_, item) in inputs.model.constructs.launches.iter().flat_map(|l| &l.maps) {
        if !item.path.steps.is_empty() && !roots.contains(&item.path.base) {
            roots.push(item.path.base.clone());
        }
    }
    roots
}

/// How a candidate is a member: kernels map it by one path from the root, which is a pointer in the struct itself.
fn joint(inputs: &Inputs<'_>, candidate: &Candidate, root: &str) -> Option<Joint> {
    if !matches!(candidate.family, Family::Single(_)) {
        return None;
    }
    let items = candidate.launches.iter().flat_map(|l| inputs.items(candidate, *l));
    let mut paths: Vec<&Item> = Vec::new();
    for m in items.filter(|m| m.item.path.base == root && !m.item.path.steps.is_empty()) {
        if !paths.iter().any(|p| p.path == m.item.path) {
            paths.push(&m.item);
        }
    }
    let [item] = paths.as_slice() else { return None };
    let [Step::Member(_) | Step::Arrow(_)] = item.path.steps.as_slice() else {
        return None;
    };
    let path = item.path.to_string();
    let pointer = pointer_places(inputs.model, &path);
    let known = |l: &MemLoc| matches!(l.field, Field::Offset(_));
    (!pointer.is_empty() && pointer.iter().all(known)).then(|| Joint {
        root: root.to_owned(),
        path,
        pointer,
        widest: Vec::new(),
    })
}

impl Inputs<'_> {
    /// Tries a residency over `run` of all members that kernels there map; with their indices. What is refused is so because
    /// of one of them, or of the struct.
    pub(super) fn evaluate_together(
        &self,
        members: &[Candidate],
        run: Run,
    ) -> Result<Vec<(usize, Evaluated)>, (Option<usize>, Refused)> {
        let used = |c: &Candidate| c.launches.iter().any(|l| run.encloses(self.model, self.start(*l)));
        let mut inside: Vec<(usize, Candidate)> =
            members.iter().cloned().enumerate().filter(|(_, c)| used(c)).collect();
        let refuse = |(stmt, message): (StmtId, String)| (None, Refused { stmt, message });
        let span = span_of(self.model, run).map_err(refuse)?.span;
        let widest = self.only_these(&inside, run, &span).map_err(refuse)?;
        for (_, candidate) in &mut inside {
            if let Some(joint) = &mut candidate.joint {
                joint.widest.clone_from(&widest);
            }
        }
        let mut found = Vec::new();
        for (i, candidate) in &inside {
            found.push((
                *i,
                self.evaluate(candidate, run).map_err(|refused| (Some(*i), refused))?,
            ));
        }
        // One directive has one condition.
        let mut conditions: Vec<String> = found.iter().flat_map(|(_, e)| e.conditions.clone()).collect();
        conditions.sort();
        conditions.dedup();
        let repeatable = found.iter().all(|(_, e)| e.repeatable);
        let block = found.iter().all(|(_, e)| e.block);
        if found.iter().any(|(_, e)| e.when != found[0].1.when) {
            let message = "the kernels on members of its struct run under different conditions";
            return Err(refuse((run.first, message.into())));
        }
        for (_, e) in &mut found {
            e.conditions.clone_from(&conditions);
            (e.repeatable, e.block) = (repeatable, block);
        }
        Ok(found)
    }

    /// Whether the kernels of a run map and touch nothing of the struct but pointers of these members, as they are where the
    /// run begins; the kernels that map as much of it as all of them.
    fn only_these(
        &self,
        members: &[(usize, Candidate)],
        run: Run,
        span: &Span,
    ) -> Result<Vec<NodeId>, (StmtId, String)> {
        let model = self.model;
        let joints: Vec<&Joint> = members.iter().filter_map(|(_, c)| c.joint.as_ref()).collect();
        let Some(root) = joints.first().map(|j| j.root.as_str()) else {
            return Err((run.first, String::new()));
        };
        let pointers: Vec<MemLoc> = joints.iter().flat_map(|j| j.pointer.iter().copied()).collect();
        let same_struct = |l: &MemLoc| {
            let mut objects = pointers.iter();
            objects.any(|p| model.points_to.objects_may_alias(p.object, l.object))
        };
        let entry = At::coarse(model, span.entry);
        let mut widest = Vec::new();
        for (index, launch) in model.constructs.launches.iter().enumerate() {
            if !run.encloses(model, launch.stmt) {
                continue;
            }
            let more = |what: &str| {
                let message = format!("a kernel here uses more of the struct that `{root}` leads to: {what}");
                Err((launch.stmt, message))
            };
            let gap = model.coarse.gap(Place::Before(launch.stmt));
            let here = gap.and_then(|gap| At::coarse(model, gap));
            let mut mapped: Vec<&Joint> = Vec::new();
            for (_, item) in &launch.maps {
                let text = item.path.to_string();
                let member = joints.iter().position(|j| !item.unparsed && j.path == text);
                if let (Some(i), Some(entry), Some(here)) = (member, &entry, &here)
                    && !item.sections.is_empty()
                    && self.is_same(&members[i].1, item, (entry, here))
                {
                    mapped.push(joints[i]);
                } else if member.is_some() {
                    let message = format!("`{}` is not the same array, of the same struct, all the time here", item.text);
                    return Err((launch.stmt, message));
                } else if self.may_be_of(index, item, &same_struct) {
                    return more(&format!("`{}`", item.text));
                }
            }
            let is_mapped = |l: &MemLoc| mapped.iter().any(|j| j.pointer.contains(l));
            if touched_by(model, index).iter().any(|l| same_struct(l) && !is_mapped(l)) {
                return more("not only pointers that it maps");
            }
            if reach(&mapped) == reach(&joints) {
                widest.extend(self.start_node(index));
            }
        }
        for call in self.calls.iter().filter(|call| run.encloses(model, call.stmt)) {
            if call.maps_members || call.touched.iter().any(same_struct) {
                let message = format!(
                    "kernels of `{}`, called here, may use the struct that `{root}` leads to",
                    call.callee
                );
                return Err((call.stmt, message));
            }
        }
        let by_hand = self.program.members_by_hand.as_ref();
        if by_hand.is_none_or(|places| places.iter().any(same_struct)) {
            let message = format!("a data directive may map a part of the struct that `{root}` leads to");
            return Err((run.first, message));
        }
        Ok(widest)
    }

    /// Whether an item means at a kernel the member that its path means where the run begins, in the same struct.
    fn is_same(&self, candidate: &Candidate, item: &Item, (entry, here): (&At<'_>, &At<'_>)) -> bool {
        let model = self.model;
        let [base] = candidate.bases.as_slice() else {
            return false;
        };
        let means = |at: &At<'_>| means_the_same(model, &self.file.macros, (at.gap, at.stmt), item, *base, None);
        let root = |at: &At<'_>| visible_variable(model, at.stmt, &item.path.base);
        let versions = &model.values.versions;
        let slots = &model.values.slots;
        let mut named = slots
            .ids()
            .filter(|s| slots.get(*s).name.as_deref() == Some(&*item.path.base));
        means(entry)
            && means(here)
            && root(entry) == root(here)
            && named.all(|s| versions.before(entry.gap, s) == versions.before(here.gap, s))
    }

    /// Whether what an item of a kernel's clause maps may be a part of a struct.
    fn may_be_of(&self, launch: usize, item: &Item, same_struct: &dyn Fn(&MemLoc) -> bool) -> bool {
        let model = self.model;
        let known = self.mapped[launch].iter().find(|m| m.item.span == item.span);
        let places = match known {
            // A pointer in the struct, or that leads to it.
            _ if !item.path.steps.is_empty() => pointer_places(model, &item.path.to_string()),
            Some(m) => locs_of(model, m.base),
            None => Vec::new(),
        };
        if !places.is_empty() {
            return places.iter().any(same_struct);
        }
        let all = led_to((model.module, model.points_to), model.func, item);
        all.is_none_or(|all| all.iter().any(same_struct))
    }

    /// Whether it would be found if a part of the struct is on the device already where a residency of members begins: a
    /// kernel that surely runs maps as much of it.
    pub(super) fn may_begin(&self, joint: &Joint, problem: &Problem<'_>, span: &Span) -> Result<(), String> {
        let presence = &self.program.presence;
        let there = presence.on_entry(self.model.points_to, self.model.func, &joint.pointer);
        if there && !surely_passes(problem, span, &|n| joint.widest.contains(&n)) {
            return Err(format!(
                "a part of the struct that `{}` leads to may be on the device already when the function is called",
                joint.root
            ));
        }
        Ok(())
    }
}

/// From where to where members reach, in each struct.
fn reach(members: &[&Joint]) -> Vec<(MemLoc, MemLoc)> {
    let mut all: Vec<MemLoc> = members.iter().flat_map(|j| j.pointer.iter().copied()).collect();
    all.sort_unstable();
    let mut found: Vec<(MemLoc, MemLoc)> = Vec::new();
    for loc in all {
        match found.last_mut().filter(|(first, _)| first.object == loc.object) {
            Some((_, last)) => *last = loc,
            None => found.push((loc, loc)),
        }
    }
    found
}
