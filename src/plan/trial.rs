//! A residency that is tried: over which statements, of how much of the array, under which names; and whether directives for it
//! can be written where it would begin and end.
//!
//! ```c
//! for (int t = 0; t < 9; t++) {          the run: one statement; begins before it, ends behind it
//!     kernel on a[0:n]                   the extent: a[0:n]; `a` and `n` have these names at both ends
//!     if (done) return;                  one more end, so that it cannot be a block
//! }
//! ```
//!
//! What is asked here does not depend on where copies stand ([`super::placing`]).

use super::RegionStyle;
use super::alias_checks::OverlapQuery;
use super::blocks::{can_be_block, overlap};
use super::condition::When;
use super::inputs::Inputs;
use super::members::maps_pointer;

use super::entered_as::EnteredAs;
use super::model::{Candidate, MappedExtent, Refused};
use super::names::NamingPoint;
use super::spans::{Run, span_of};
use super::update_existence::SurelyThere;
use crate::analysis::movement::events::Events;
use crate::analysis::movement::family::{Family, Naming, naming};
use crate::analysis::movement::outside::Outside;
use crate::analysis::movement::placement::ResidencySpan;
use crate::analysis::movement::subject::Subject;
use crate::analysis::values::table::Base;
use crate::program::graph::NodeId;
use crate::reasons::{Ends, Reason};
use crate::source::Span;
use crate::symbolic::{Facts, Section};
use crate::syntax::StmtId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A residency that is tried.
pub(super) struct Trial<'a> {
    pub inputs: &'a Inputs<'a>,
    pub candidate: &'a Candidate,
    pub run: Run,
    /// When it holds.
    pub when: When,
    pub span: ResidencySpan,
    /// Control leaves it by jumps, too.
    jumps_out: bool,
    /// Names of the cells by node.
    pub naming: Naming,
    /// How many arrays trade places in it; 1 if none do.
    pub cells: usize,
    /// What is mapped of each cell.
    pub mapped: MappedExtent,
    /// What holds throughout.
    pub facts: Facts,
    /// Only what has no numbers in it, or all of it, can be said.
    whole_only: bool,
    /// Answers of [`Trial::is_nameable`]: every way of placing copies asks again.
    known: RefCell<FxHashMap<(Section, NodeId), bool>>,
}

/// What happens to the array in the residency and outside.
pub(super) struct Happens {
    pub events: Events,
    /// What is known of the outside already.
    pub outside: Option<Rc<Outside>>,
}

/// What must hold at run time for a residency to be right.
pub(super) struct Guards {
    /// As C; empty if nothing.
    pub conditions: Vec<String>,
    /// The conditions can be said at all ends alike.
    pub repeatable: bool,
}

impl<'a> Trial<'a> {
    /// A residency of `candidate` over `run` that holds `when` a condition does.
    pub fn begin(inputs: &'a Inputs<'a>, candidate: &'a Candidate, run: Run, when: When) -> Result<Trial<'a>, Refused> {
        let model = inputs.model;
        let refuse = |stmt: StmtId, reason: Reason| Refused { stmt, reason };
        if candidate.traded.iter().any(|r| overlap(model, run, *r)) {
            return Err(refuse(run.first, Ends::TradesElsewhere.into()));
        }
        if let Some(off) = inputs.is_switched_off(run) {
            return Err(refuse(run.first, off.into()));
        }
        if let Some(branch) = inputs.in_left_out_branch(candidate, run) {
            return Err(refuse(run.first, branch.into()));
        }
        let run_span = span_of(model, run).map_err(|(stmt, reason)| refuse(stmt, reason.into()))?;
        let span = run_span.span;
        let naming = naming(model, &candidate.family, &span).map_err(|reason| refuse(run.first, reason))?;
        let cells = naming.at(span.entry).len();
        if cells > 1 && !inputs.trades_places(candidate, &span, &naming) {
            return Err(refuse(run.first, Ends::DoNotTrade.into()));
        }
        let mapped = inputs.extent(candidate, run, &naming, &span, &when)?;
        let mut facts = inputs.facts(&mapped.section, Some(run));
        inputs.lasting(&when, &span).assume(&mut facts);
        Ok(Trial {
            inputs,
            candidate,
            run,
            when,
            span,
            jumps_out: run_span.jumps_out,
            naming,
            cells,
            mapped,
            facts,
            whole_only: inputs.is_whole_only(candidate),
            known: RefCell::default(),
        })
    }

    pub fn refuse(&self, reason: impl Into<Reason>) -> Refused {
        self.refuse_at(None, reason)
    }

    /// Why there is none, at a node if it is known.
    pub fn refuse_at(&self, node: Option<NodeId>, reason: impl Into<Reason>) -> Refused {
        let stmt = node.and_then(|n| self.inputs.model.coarse.stmt_of(n));
        Refused {
            stmt: stmt.unwrap_or(self.run.first),
            reason: reason.into(),
        }
    }

    /// What happens to the array, as far as a subject of it tells.
    pub fn happens(&self, subject: &Subject<'_>) -> Result<Happens, Refused> {
        let single = |base: &Base| self.candidate.family == Family::Single(*base);
        let is_single = self.naming.at(self.span.entry).iter().all(single);
        let known = is_single.then(|| self.inputs.outside.get(subject, &self.naming, &self.span));
        let outside = known.flatten();
        let events = match (&self.candidate.family, &outside) {
            (Family::Single(base), Some(outside)) => subject.events_beside(*base, &self.span, outside),
            (family, _) => subject.events(family, &self.naming, &self.span),
        };
        let events = events.map_err(|r| self.refuse_at(r.node, r.reason))?;
        Ok(Happens { events, outside })
    }

    fn at(&self, gap: NodeId) -> Option<NamingPoint<'a>> {
        let at = NamingPoint::coarse(self.inputs.model, gap)?;
        Some(at.asking(&self.when, self.inputs.file.options.speculate))
    }

    /// Whether all of it has a name at a gap, whichever cell is where.
    fn has_names(&self, gap: NodeId, section: &Section, at: &NamingPoint<'_>) -> bool {
        let whole = self.mapped.whole && *section == self.mapped.section;
        let names = self.naming.at(gap).iter();
        let mut items = names.map(|b| self.inputs.item(self.candidate, at, *b, section, whole));
        items.all(|item| item.is_some())
    }

    /// Whether all of it can be left at a gap by the names that it was entered by, if these are members.
    fn is_left_as_entered(&self, gap: NodeId) -> bool {
        let item = |at: &NamingPoint<'_>, base: Base| {
            let (extent, whole) = (&self.mapped.section, self.mapped.whole);
            self.inputs.item(self.candidate, at, base, extent, whole)
        };
        let names = self.naming.at(self.span.entry);
        let ends = |(entered, here): (&Base, &Base)| {
            let text = item(&self.at(self.span.entry)?, *entered)?;
            let at = NamingPoint {
                entered: EnteredAs::of_cell(&text, names.len() > 1),
                ..self.at(gap)?
            };
            Some((EnteredAs::of_item(&text), EnteredAs::of_item(&item(&at, *here)?)))
        };
        let both = names.iter().zip(self.naming.at(gap)).map(ends);
        let both: Option<(Vec<EnteredAs>, Vec<EnteredAs>)> = both.collect();
        both.is_some_and(|(mut entered, mut left)| {
            entered.sort();
            left.sort();
            entered == left
        })
    }

    /// Whether a directive at a gap can name a section.
    pub fn is_nameable(&self, section: &Section, gap: NodeId) -> bool {
        let question = (section.clone(), gap);
        if let Some(answer) = self.known.borrow().get(&question) {
            return *answer;
        }
        let all = *section == self.mapped.section;
        let can_say = |at: &NamingPoint<'_>| {
            self.inputs.can_say(&self.when, gap)
                && (all || at.can_ask(section, &self.facts))
                && (all || !self.whole_only || section.has_no_numbers())
                && self.has_names(gap, section, at)
        };
        let answer = self.at(gap).is_some_and(|at| can_say(&at));
        self.known.borrow_mut().insert(question, answer);
        answer
    }

    /// Whether a section surely lies in what is mapped, all of the object, because it is accessed.
    pub fn is_in_object(&self, founded: &SurelyThere<'_>, section: &Section, gap: NodeId) -> bool {
        self.mapped.whole && founded.is_accessed(section, gap)
    }

    /// Whether the directive that it begins with can be written.
    pub fn can_begin(&self) -> Result<(), Refused> {
        let (inputs, entry) = (self.inputs, self.span.entry);
        let extent = &self.mapped.section;
        if !inputs.can_say(&self.when, entry) {
            return Err(self.refuse(Ends::ConditionNoName));
        }
        if !self.is_nameable(extent, entry) {
            return Err(self.refuse(Ends::NoName));
        }
        let mut texts = self.naming.at(entry).iter().filter_map(|b| {
            let at = self.at(entry)?;
            inputs.item(self.candidate, &at, *b, extent, self.mapped.whole)
        });
        match texts.any(|text| maps_pointer(&text)) {
            true => Err(self.refuse(Ends::OnlyPointerBehind)),
            false => Ok(()),
        }
    }

    /// What must be asked so that it is apart from other arrays.
    fn apart(&self, events: &Events) -> Result<Guards, Refused> {
        let names = self.naming.at(self.span.entry);
        let tree = self.inputs.model.tree;
        let over = Span::new(tree.stmt(self.run.first).span.start, tree.stmt(self.run.last).span.end);
        let others = self.candidate.beside.iter().filter(|other| other.concerns(over));
        let beside = others.flat_map(|other| names.iter().map(|name| (*name, other.base)));
        let apart: Vec<(Base, Base)> = events.apart.iter().copied().chain(beside).collect();
        let found = self.inputs.conditions(&OverlapQuery {
            candidate: self.candidate,
            run: self.run,
            span: &self.span,
            naming: &self.naming,
            extent: &self.mapped.section,
            apart: &apart,
            when: &self.when,
        });
        found.map(|(conditions, repeatable)| Guards { conditions, repeatable })
    }

    /// What must hold at run time. What happens may be looked at in another way, then: what has no name where the residency would
    /// start may be the array where it does not stay.
    pub fn guards(&self, subject: &mut Subject<'_>, happens: &mut Happens) -> Result<Guards, Refused> {
        let mut guards = self.apart(&happens.events);
        let launches = &self.inputs.model.constructs;
        let kernel = self.run == Run::single(self.run.first) && launches.launch_at(self.run.first).is_some();
        // A map clause of a kernel has no condition of its own.
        let is_asked = guards.as_ref().is_ok_and(|g| kernel && !g.conditions.is_empty());
        if guards.is_err() || is_asked {
            subject.apart_outside = false;
            *happens = self.happens(subject)?;
            guards = self.apart(&happens.events);
        }
        let mut guards = guards?;
        let is_said = |c: &String| self.inputs.is_said(&self.when, c, self.span.entry);
        guards.conditions.retain(|c| !is_said(c));
        // Where it ends, the names and bounds that it began with must still mean what they did, or it has to be a block.
        let mut ends = self.span.exits.iter();
        let same = ends.all(|gap| self.is_left_as_entered(*gap)) && self.inputs.says_the_same(&self.when, &self.span);
        if self.cells > 1 && !same {
            return Err(self.refuse(Ends::TradedNoName));
        }
        guards.repeatable &= same;
        Ok(guards)
    }

    /// Whether it is written as a block, or else with `enter data` and `exit data`.
    pub fn is_block(&self, guards: &Guards) -> Result<bool, Refused> {
        let file = self.inputs.file;
        let block = can_be_block(file, self.inputs.model, self.run, self.jumps_out);
        if !block && !guards.repeatable {
            return Err(self.refuse(Ends::NotTheSame));
        }
        if !block && file.options.style == RegionStyle::Structured {
            return Err(self.refuse(Ends::NeedsUnstructured));
        }
        Ok(block)
    }

    /// The members of structs that name it where it begins.
    pub fn members(&self) -> Vec<String> {
        let names = self.naming.at(self.span.entry);
        let at = self.at(self.span.entry);
        at.map_or_else(Vec::new, |at| {
            self.inputs.members(self.candidate, &at, &self.mapped.section, names)
        })
    }
}
