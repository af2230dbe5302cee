//! Whether what a residency maps exists (R11).
//!
//! ```c
//! void step(double *v, double *w, int n, int rounds)
//! {
//!     for (int t = 0; t < rounds; t++) {
//!         #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
//!         …
//!         if (w)
//!             #pragma omp target teams distribute parallel for map(tofrom: w[0:n])
//!             …
//!     }
//! }
//! ```
//!
//! Where a kernel runs, what it maps exists: that is the user's word. A directive in front of the loop maps as much where no
//! kernel runs: `w` may be null, or shorter than `n`. To copy for a kernel that does not run costs bytes, which is what speculation
//! is about; to copy what does not exist ends the program. So an array exists where the residency begins if
//!
//! * it is a variable, or memory that was allocated with so many elements and not freed since, or
//! * every way from there comes by a kernel, a call or a host statement that surely uses so much of it, or
//! * every way to there has come by one.
//!
//! Loops are entered here where they surely run, or where the residency asks whether they do (`if(rounds > 0)`,
//! [`super::zero_trip`]). Of what called functions map their summaries say under which guards it exists ([`Existing`]): a call with
//! constants decides most. What may be on the device in part already, only kernels of the residency show
//! ([`Inputs::is_mapped_by_kernels`]). On a way on which the pointer or a bound gets another value, or on which the program may end,
//! nothing is shown any more.

use super::inputs::Inputs;
use super::model::Candidate;
use super::spans::Run;
use super::update_existence::surely_accesses;
use super::ways::{Ways, branch, may_end};
use crate::analysis::arrays::object_extent;
use crate::analysis::device_summary::Existing;
use crate::analysis::movement::family::Naming;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::problem::ExpandedLoops;
use crate::analysis::values::table::Base;
use crate::program::graph::{FlowGraph, NodeId};
use crate::symbolic::{Comparison, Expr, Facts, Section, Sym};
use crate::syntax::StmtId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A residency whose arrays are asked about.
pub(super) struct ExistenceQuery<'a> {
    pub candidate: &'a Candidate,
    pub run: Run,
    pub span: &'a ResidencySpan,
    pub naming: &'a Naming,
    /// What is mapped of each cell.
    pub extent: &'a Section,
    /// What holds where the residency begins.
    pub facts: &'a Facts,
    /// Loops, with those that surely run marked.
    pub loops: &'a ExpandedLoops,
    /// Nodes at which it may be freed.
    pub freed: &'a FxHashSet<NodeId>,
}

impl Inputs<'_> {
    /// Whether all that a residency maps exists where it begins.
    pub(super) fn exists(&self, asked: &ExistenceQuery<'_>) -> bool {
        let names = asked.naming.at(asked.span.entry);
        if names.iter().all(|base| self.is_there(asked, *base)) {
            return true;
        }
        let ways = Ways::new(self, asked.loops);
        let lose = self.redefined(names, asked.extent);
        let shown = |section: &Section| {
            let used = self.surely_used(asked, section);
            let wanted = |n: NodeId| used.at(n);
            ways.come_by(asked.span.entry, &wanted, &lose) || ways.have_come_by(asked.span.entry, &wanted, &lose)
        };
        if shown(asked.extent) {
            return true;
        }
        // Or by several that use a part each.
        let object = object_extent(self.model, names[0], asked.candidate.element);
        let parts = self
            .sections(asked.candidate, asked.run, object.as_ref())
            .unwrap_or_default();
        let mut hull: Option<Section> = None;
        for part in parts.iter().filter(|part| shown(part)) {
            hull = match hull {
                None => Some(part.clone()),
                Some(h) => h.hull(part, asked.facts),
            };
        }
        hull.is_some_and(|h| h.provably_covers(asked.extent, asked.facts))
    }

    /// Whether a kernel of a residency maps all that it maps, wherever control goes from its begin: of what is on the device in part already the
    /// runtime refuses to map more, however much exists, and such a kernel has the same to fear.
    pub(super) fn is_mapped_by_kernels(&self, asked: &ExistenceQuery<'_>) -> bool {
        let lose = self.redefined(asked.naming.at(asked.span.entry), asked.extent);
        let mapping = self.surely_used(asked, asked.extent).mapping;
        let wanted = |n: NodeId| asked.span.nodes.contains(&n) && mapping.contains(&n);
        Ways::new(self, asked.loops).come_by(asked.span.entry, &wanted, &lose)
    }

    /// Whether a base is a variable that is large enough, or memory that was allocated so and is not freed before a residency
    /// begins.
    fn is_there(&self, asked: &ExistenceQuery<'_>, base: Base) -> bool {
        let Some(object) = object_extent(self.model, base, asked.candidate.element) else {
            return false;
        };
        let whole = object == *asked.extent;
        let fits = || {
            let facts = self.known_on_entry();
            facts.prove_le(&asked.extent.lo, &asked.extent.hi) && object.provably_covers(asked.extent, &facts)
        };
        (whole || fits()) && !self.is_freed_before(asked, base)
    }

    fn is_freed_before(&self, asked: &ExistenceQuery<'_>, base: Base) -> bool {
        let Base::Value(sym) = base else { return false };
        let graph = self.model.coarse;
        let made = self.model.coarse_of(self.model.values.defined_at(sym));
        let before = |n: &NodeId| graph.may_follow(*n, asked.span.entry);
        let mut work: Vec<NodeId> = asked.freed.iter().copied().filter(before).collect();
        let mut seen: FxHashSet<NodeId> = work.iter().copied().collect();
        while let Some(node) = work.pop() {
            let after = graph.node(node).succs.iter().filter(|s| Some(**s) != made);
            for s in after {
                if *s == asked.span.entry {
                    return true;
                }
                if seen.insert(*s) {
                    work.push(*s);
                }
            }
        }
        false
    }

    /// The nodes that surely use all of a section of a residency's family, wherever it is: by a kernel that maps it, or on the host.
    fn surely_used<'a>(&'a self, asked: &'a ExistenceQuery<'a>, section: &'a Section) -> SurelyUsed<'a> {
        let mut mapping: FxHashSet<NodeId> = FxHashSet::default();
        let covers = |all: &[Existing]| {
            let mut there = all.iter().filter(|e| Comparison::all_hold(&e.guards, asked.facts, &[]));
            there.any(|e| e.section.provably_covers(section, asked.facts))
        };
        for &start in &asked.candidate.launches {
            let Some(node) = self.start_node(start) else { continue };
            let mapped = self.surely_mapped(asked.candidate, start);
            if self.starts_first(start) && self.maps_where_asked(asked, start) && mapped.is_some_and(|all| covers(&all))
            {
                mapping.insert(node);
            }
        }
        SurelyUsed {
            inputs: self,
            asked,
            section,
            mapping,
            known: RefCell::default(),
        }
    }

    /// Whether the conditions of one that starts kernels hold: the residency asks for those of what is in it, and others must
    /// follow from what is known.
    fn maps_where_asked(&self, asked: &ExistenceQuery<'_>, start: usize) -> bool {
        if asked.run.encloses(self.model, self.start(start)) {
            return true;
        }
        if self.call(start).is_none() {
            let own = self.conditions.get(start);
            return own.is_none_or(|c| c.as_ref().is_some_and(|when| when.follows(asked.facts)));
        }
        let positive = |e: &Expr| asked.facts.prove_le(&Expr::constant(1), e);
        let uses = self.used_by_call(asked.candidate, start);
        let mut idle = uses.iter().map(|u| u.when.as_ref());
        idle.all(|idle| idle.is_some_and(|all| all.iter().all(positive)))
    }

    /// Whether no other call of the statement may end the program before one that starts kernels: `step(v, ready(v))`.
    fn starts_first(&self, start: usize) -> bool {
        let model = self.model;
        self.call(start).is_none_or(|c| {
            let insts = model.fine_of(c.node).iter();
            let mut insts = insts.flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
            insts.all(|i| *i == c.inst || !model.may_end_at(*i))
        })
    }

    /// What one that starts kernels surely maps whenever it runs, under the conditions that its kernels have.
    fn surely_mapped(&self, candidate: &Candidate, start: usize) -> Option<Vec<Existing>> {
        if self.call(start).is_some() {
            let uses = self.used_by_call(candidate, start).into_iter().filter(|u| !u.is_one_of);
            let own = uses.flat_map(|u| u.exists.clone());
            return Some(own.chain(self.surely_exists_if_chosen(candidate, start)).collect());
        }
        if self.conditions.get(start).is_some_and(Option::is_none) {
            return None;
        }
        let sections = self.sections_of(candidate, start, None).ok()?;
        Some(sections.into_iter().map(Existing::always).collect())
    }

    /// Where bases, or the bounds of a section, get their values.
    fn redefined(&self, bases: &[Base], section: &Section) -> FxHashSet<NodeId> {
        let pointers = bases.iter().filter_map(|b| match b {
            Base::Value(sym) => Some(*sym),
            Base::Local(_) | Base::Global(_) => None,
        });
        let bounds = section.lo.symbols().into_iter().chain(section.hi.symbols());
        let at = |sym: Sym| self.model.coarse_of(self.model.values.defined_at(sym));
        pointers.chain(bounds).filter_map(at).collect()
    }

    /// What the function surely maps of a candidate in every call in which its kernels' conditions hold, if that has a length.
    pub(super) fn always_mapped_in_calls(&self, candidate: &Candidate) -> Vec<Section> {
        let all = self.surely_mapped_in_calls(candidate).into_iter();
        all.filter(|e| e.guards.is_empty()).map(|e| e.section).collect()
    }

    /// What the function surely maps of a candidate where guards hold, which are of numbers in it.
    pub(super) fn surely_mapped_in_calls(&self, candidate: &Candidate) -> Vec<Existing> {
        let mut found = Vec::new();
        let loops = self.loops();
        for (section, by) in self.mapping(candidate) {
            if self.comes_by(&section, &by, &[], &loops) {
                found.push(Existing::always(section));
                continue;
            }
            let mut all: Vec<Vec<Comparison>> = by.iter().map(|m| self.guards_of(m)).collect();
            all.sort();
            all.dedup();
            all.retain(|guards| !guards.is_empty() && self.comes_by(&section, &by, guards, &loops));
            found.extend(all.into_iter().map(|guards| Existing {
                section: section.clone(),
                guards,
            }));
        }
        found
    }

    /// The sections that kernels and calls map, each with all that map it: one of several does on each way.
    fn mapping(&self, candidate: &Candidate) -> Vec<(Section, Vec<Mapping>)> {
        let mut by_section: Vec<(Section, Vec<Mapping>)> = Vec::new();
        for &start in &candidate.launches {
            let Some(node) = self.start_node(start).filter(|_| self.starts_first(start)) else {
                continue;
            };
            for Existing { section, guards } in self.surely_mapped(candidate, start).unwrap_or_default() {
                let mapping = Mapping {
                    node,
                    stmt: self.start(start),
                    guards,
                };
                match by_section.iter_mut().find(|(known, _)| *known == section) {
                    Some((_, all)) => all.push(mapping),
                    None => by_section.push((section, vec![mapping])),
                }
            }
        }
        by_section
    }

    /// Whether every way through the function comes by one that maps a section, where guards hold. What has no length exists in
    /// any case; who does not speculate takes no size for one that is not negative.
    fn comes_by(
        &self,
        section: &Section,
        by: &[Mapping],
        guards: &[Comparison],
        (loops, headers): &(ExpandedLoops, Vec<(NodeId, StmtId)>),
    ) -> bool {
        let mut facts = Facts::new();
        if self.file.options.speculate {
            facts.assume_lt(&section.lo, &section.hi);
        }
        guards.iter().for_each(|g| g.assume(&mut facts));
        let mut loops = loops.clone();
        self.mark_running(&mut loops, headers, &facts);
        let wanted = by.iter().filter(|m| Comparison::all_hold(&m.guards, &facts, guards));
        let wanted: FxHashSet<NodeId> = wanted.map(|m| m.node).collect();
        let ways = Ways::new(self, &loops).knowing(&facts, guards);
        !wanted.is_empty() && ways.come_by(FlowGraph::ENTRY, &|n| wanted.contains(&n), &FxHashSet::default())
    }

    /// What makes one that maps a section run: its own guards, the conditions around it, and that loops around it run.
    fn guards_of(&self, mapping: &Mapping) -> Vec<Comparison> {
        let model = self.model;
        let mut guards = mapping.guards.clone();
        for around in model.tree.ancestors(mapping.stmt).skip(1) {
            let said = match branch(model, around) {
                Some((then, said)) if model.tree.encloses(then, mapping.stmt) => Some(said),
                Some((_, said)) => said.negated(),
                None => self
                    .trips_less_one(around)
                    .and_then(|trips| Comparison::at_most(&Expr::zero(), &trips)),
            };
            guards.extend(said.filter(|s| s.is_decided() != Some(true)));
        }
        guards.sort();
        guards.dedup();
        guards
    }
}

/// The nodes that surely use all of a section, found where they are asked for.
struct SurelyUsed<'a> {
    inputs: &'a Inputs<'a>,
    asked: &'a ExistenceQuery<'a>,
    section: &'a Section,
    /// The nodes that map the section.
    mapping: FxHashSet<NodeId>,
    known: RefCell<FxHashMap<NodeId, bool>>,
}

impl SurelyUsed<'_> {
    fn at(&self, node: NodeId) -> bool {
        let on_host = || {
            let (inputs, asked) = (self.inputs, self.asked);
            // Where the program may end, it may do so before.
            !may_end(inputs.model, node) && surely_accesses(inputs, asked.candidate, asked.facts, node, self.section)
        };
        self.mapping.contains(&node) || *self.known.borrow_mut().entry(node).or_insert_with(on_host)
    }
}

/// One that starts kernels and maps some section.
struct Mapping {
    node: NodeId,
    stmt: StmtId,
    /// What its callee asks for.
    guards: Vec<Comparison>,
}
