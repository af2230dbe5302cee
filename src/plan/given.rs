//! Residencies that have been chosen already, by a plan of the program with other numbers.
//!
//! ```c
//! for (int t = 0; t < 3; t++)          chosen for `a`: one residency over this loop …
//!     kernel on a[0:12]
//! kernel on a[START:n]                 … and none over both, which may be cheaper for some START, and dearer for others
//! ```
//!
//! What pays depends on numbers, and what is right must not. A plan that is given residencies tries these and no others, whatever
//! they cost. Their copies stand where the other plan has put them, and are read as they are written there (`update to(a[0:START])`): what
//! is asked of them is whether they are right here, too ([`super::placing`]). Where one cannot be read, copies are placed as ever, and
//! whoever has given the residency compares them with its own.

use super::decision::{ChosenCopy, ChosenResidency, Direction};
use super::inputs::Inputs;
use super::model::{Candidate, FeasibleResidency, Settled};
use super::names::NamingPoint;
use super::spans::Run;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::mapped::meaning;
use crate::analysis::movement::placement::Boundary;
use crate::analysis::movement::problem::Problem;
use crate::analysis::values::slots::SlotKind;
use crate::analysis::values::table::SymKind;
use crate::openmp::Directive;
use crate::program::graph::{NodeId, NodeKind};
use crate::symbolic::{Expr, Section, Sym};
use std::collections::BTreeSet;

impl ChosenResidency {
    /// Where a residency copies: inside in the placement's order, and at its ends.
    fn copies(model: &FunctionModel<'_>, e: &FeasibleResidency) -> Vec<ChosenCopy> {
        let (span, placement) = (&e.span, &e.placement);
        let copies = |boundaries: &[Boundary]| boundaries.iter().any(|b| b.copies);
        let inside = placement.copies.iter().map(|copy| (copy.gap, copy.up, false));
        let entry = copies(&placement.entry).then_some((span.entry, true, true));
        let exits = placement.exits.iter().filter(|(_, ends)| copies(ends));
        let all = inside.chain(entry).chain(exits.map(|(gap, _)| (*gap, false, true)));
        let copy = |(gap, up, at_end)| {
            let NodeKind::Gap(place) = model.coarse.node(gap).kind else {
                return None;
            };
            Some(ChosenCopy {
                place: e.run.canonical(model, place),
                direction: if up { Direction::To } else { Direction::From },
                at_end,
                item: None,
            })
        };
        all.filter_map(copy).collect()
    }
}

impl Inputs<'_> {
    /// The residencies of a candidate that have been chosen, alone or `joint` with other members of its struct; `None` where that is
    /// open.
    pub(super) fn given(&self, candidate: &Candidate, joint: bool) -> Option<BTreeSet<Run>> {
        let ours = self.given_of(candidate)?.iter();
        Some(ours.filter(|g| g.joint == joint).map(|g| g.run).collect())
    }

    /// The residency over a run that has been chosen.
    pub(super) fn given_over(&self, candidate: &Candidate, run: Run) -> Option<&ChosenResidency> {
        let mut ours = self.given_of(candidate)?.iter();
        ours.find(|g| g.run == run && g.joint == candidate.joint.is_some())
    }

    /// What a copy copies of a candidate, in elements.
    pub(super) fn given_section(&self, candidate: &Candidate, copy: &ChosenCopy) -> Option<(NodeId, Section)> {
        let gap = self.model.coarse.gap(copy.place)?;
        let at = NamingPoint::coarse(self.model, gap)?;
        let directive = Directive::parse(&format!("#pragma omp target update to({})", copy.item.as_ref()?))?;
        let item = directive.clauses.first()?.kind.items().first()?;
        let (base, section) = meaning(self.model, &self.file.macros, at.gap, at.stmt, item)?;
        candidate.bases.contains(&base).then_some((gap, section))
    }

    /// All residencies of a candidate that have been chosen; `None` where that is open.
    fn given_of(&self, candidate: &Candidate) -> Option<&[ChosenResidency]> {
        let given = self.file.options.residencies.as_deref()?;
        let function = &self.model.tree.functions[self.model.tree_function].name;
        let ours = given.get(&(function.clone(), candidate.label.clone()));
        Some(ours.map_or(&[], Vec::as_slice))
    }

    /// Takes macros that say how far an object is used for no larger than it is: what is used exists. All of it is mapped.
    pub(super) fn uses_exist(&self, problem: &mut Problem<'_>) {
        let values = self.model.values;
        let is_macro = |sym: &Sym| match values.kind(*sym) {
            SymKind::Slot(slot, _) => match values.slots.get(slot).kind {
                SlotKind::Global(g) => self.model.module.global(g).number_name().is_some(),
                _ => false,
            },
            _ => false,
        };
        let said_by_macros = |e: &&Expr| {
            let symbols = e.symbols();
            !symbols.is_empty() && symbols.iter().all(is_macro)
        };
        let events = self.model.coarse.ids().flat_map(|n| problem.events(n));
        let bounds = events
            .flat_map(|event| event.kind.sections())
            .flat_map(|s| [&s.lo, &s.hi]);
        let bounds: BTreeSet<Expr> = bounds.filter(said_by_macros).cloned().collect();
        for bound in &bounds {
            problem.facts.assume_le(&problem.extent.lo, bound);
            problem.facts.assume_le(bound, &problem.extent.hi);
        }
    }

    /// The residencies that were chosen.
    pub(super) fn chosen(&self, settled: &[Settled]) -> Vec<ChosenResidency> {
        let function = &self.model.tree.functions[self.model.tree_function].name;
        let of = |s: &Settled| {
            let all = s.regions().map(|e| ChosenResidency {
                function: function.clone(),
                label: s.candidate.label.clone(),
                run: e.run,
                joint: e.joint.is_some(),
                asks_loops: self.when(&s.candidate, e.run).is_ok_and(|when| e.when != when),
                copies: ChosenResidency::copies(self.model, e),
            });
            all.collect::<Vec<_>>()
        };
        settled.iter().flat_map(of).collect()
    }
}
