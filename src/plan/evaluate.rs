//! One candidate residency of one family: builds the movement problem for a run of statements and places the copies.

use super::condition::When;
use super::cost;
use super::inputs::Inputs;
use super::map_existence::ExistenceQuery;
use super::model::{Candidate, FeasibleResidency, Refused};
use super::placing::Placing;
use super::residents::Resident;
use super::spans::Run;
use super::trial::Trial;
use super::update_existence::SurelyThere;
use crate::analysis::movement::check::check_values;
use crate::analysis::movement::demand::Demand;
use crate::analysis::movement::events::Events;
use crate::analysis::movement::family::header_edges;
use crate::analysis::movement::flow::Flow;
use crate::analysis::movement::loop_symbols::FunctionTerms;
use crate::analysis::movement::outside::Outside;
use crate::analysis::movement::placement::{Conflict, Placement, ResidencySpan};
use crate::analysis::movement::problem::{Event, EventKind, ExpandedLoops, Problem};
use crate::analysis::movement::quiet::Stretch;
use crate::analysis::movement::subject::{Subject, ToldBySteps};
use crate::analysis::movement::surely::{surely_passes, surely_passes_all};
use crate::analysis::movement::text::Printed;
use crate::analysis::values::table::SymKind;
use crate::program::graph::NodeId;
use crate::reasons::{Copying, Sizes};
use crate::source::LineIndex;
use crate::symbolic::{Section, SectionSet, Sym};
use crate::syntax::StmtId;
use std::rc::Rc;

impl Inputs<'_> {
    /// What movement problems of a candidate are about, where so much of it is mapped.
    pub(super) fn subject(&self, candidate: &Candidate, extent: Section) -> Subject<'_> {
        Subject {
            model: self.model,
            accesses: &self.accesses,
            mapped: &self.mapped,
            unnamed: &self.unnamed,
            conditions: &self.conditions,
            calls: &self.calls,
            host_calls: &self.host_calls,
            element: candidate.element,
            locs: candidate.locs.clone(),
            extent,
            given_up: self.resident(candidate).is_some_and(Resident::is_given_up),
            regions: self.held_regions(candidate),
            closed: candidate.closed.clone(),
            unread: candidate.unread,
            apart_outside: true,
            left_current: self.is_left_current(candidate),
            told: &[],
            apart: ToldBySteps::default(),
        }
    }

    /// Tries a residency of `candidate` over `run` that holds where a condition does.
    pub(super) fn evaluate_when(
        &self,
        candidate: &Candidate,
        run: Run,
        when: When,
    ) -> Result<FeasibleResidency, Refused> {
        let trial = Trial::begin(self, candidate, run, when)?;
        let (span, extent) = (&trial.span, &trial.mapped.section);
        let mut subject = self.subject(candidate, extent.clone());
        let mut happens = trial.happens(&subject)?;
        if let Some((node, reason)) = happens.events.barrier(|n| span.nodes.contains(&n)) {
            return Err(trial.refuse_at(Some(node), reason.clone()));
        }
        self.only_asked(candidate, span, &happens.events.events)?;
        self.covers_updates(candidate, run, extent, trial.mapped.uniform)?;
        let (mut loops, headers) = self.loops();
        self.enter(&mut loops, &headers, run, &trial.when);
        trial.can_begin()?;
        let guards = trial.guards(&mut subject, &mut happens)?;
        let block = trial.is_block(&guards)?;
        let founded = SurelyThere::new(self, candidate, &trial.facts, &[], None);
        let terms = FunctionTerms {
            model: self.model,
            loops: headers.iter().map(|h| h.1).collect(),
            facts: trial.facts.clone(),
            certain: trial.facts.clone(),
            extent: extent.clone(),
            nameable: &|section, gap| trial.is_nameable(section, gap),
            in_object: &|section, gap| trial.is_in_object(&founded, section, gap),
        };
        let mut problem = self.problem(&trial, &subject, &mut happens.events, loops, &headers, &terms);
        problem.uniform |= trial.mapped.hull && self.may_round(candidate, run, &problem, span);
        if trial.mapped.whole && self.given_over(candidate, run).is_some() {
            self.uses_exist(&mut problem);
        }
        let stretch = Stretch {
            model: self.model,
            closed: &self.closed,
            stmts: run.stmts(self.model),
            loops: &headers,
            span: Some(span),
        };
        let placed = self.placed(&trial, &stretch, &subject, &mut problem, happens.outside)?;
        let asked = ExistenceQuery {
            candidate,
            run,
            span,
            naming: &trial.naming,
            extent,
            facts: &problem.facts,
            loops: &problem.loops,
            freed: &happens.events.freed,
        };
        if !self.exists(&asked) {
            return Err(trial.refuse(Copying::MayNotExist));
        }
        if self.may_be_present_in_part(candidate) && !self.is_mapped_by_kernels(&asked) {
            return Err(trial.refuse(Sizes::PresentInPart));
        }
        let fills = |e: &Event| match &e.kind {
            EventKind::Launch { must, .. } => must.iter().any(|m| m.provably_covers(extent, &problem.facts)),
            _ => false,
        };
        let filled = span.nodes.iter().any(|n| problem.events(*n).iter().any(fills));
        let (cost, placement) = placed;
        Ok(FeasibleResidency {
            filled,
            run,
            block,
            extent: extent.clone(),
            placement,
            cost,
            conditions: guards.conditions,
            joint: candidate.joint.clone(),
            repeatable: guards.repeatable,
            span: trial.span.clone(),
            naming: trial.naming.clone(),
            when: trial.when.clone(),
        })
    }

    /// The movement problem of a residency that is tried.
    fn problem<'p>(
        &'p self,
        trial: &Trial<'_>,
        subject: &Subject<'_>,
        events: &mut Events,
        loops: ExpandedLoops,
        headers: &[(NodeId, StmtId)],
        terms: &'p FunctionTerms<'p>,
    ) -> Problem<'p> {
        let (candidate, extent) = (trial.candidate, &trial.mapped.section);
        let is_seen = self.visible_outside(candidate);
        let renamed = subject.renamed(&candidate.family, &trial.span, events, is_seen);
        Problem {
            flow: Flow::of(self.model.coarse),
            cells: trial.cells,
            events: std::mem::take(&mut events.events),
            header_edges: header_edges(self.model, &trial.naming, headers, trial.cells),
            loops,
            extent: extent.clone(),
            vouched: true,
            uniform: trial.mapped.uniform,
            facts: trial.facts.clone(),
            live_out: match is_seen {
                true => SectionSet::Union(vec![extent.clone()]),
                false => SectionSet::Empty,
            },
            renamed,
            speculate: self.file.options.speculate,
            kept_by_callers: false,
            current_on_host: false,
            hosted: self.hosted(candidate),
            terms,
        }
    }

    /// The cheapest placement of its copies, with its cost.
    fn placed(
        &self,
        trial: &Trial<'_>,
        stretch: &Stretch<'_>,
        subject: &Subject<'_>,
        problem: &mut Problem<'_>,
        outside: Option<Rc<Outside>>,
    ) -> Result<(f64, Placement), Refused> {
        let (candidate, run, span) = (trial.candidate, trial.run, &trial.span);
        let members = trial.members();
        self.structs_are_free(candidate, run, problem, span, &members)
            .map_err(|reason| trial.refuse(reason))?;
        let names = trial.naming.at(span.entry);
        let (pointers, member) = self.pointers(candidate, problem, span, names, &members);
        if self.file.options.problems {
            let text = self.text_of(trial, problem);
            self.problems.borrow_mut().push(text);
        }
        let given = self.given_over(candidate, run);
        let copies = given.iter().flat_map(|given| &given.copies);
        let places: Vec<NodeId> = copies.filter_map(|c| self.model.coarse.gap(c.place)).collect();
        let body = self.model.tree.functions[self.model.tree_function].body;
        let function = Stretch {
            stmts: &self.model.tree.stmt(body).children,
            span: None,
            ..*stretch
        };
        let loud = outside.as_ref().map(|o| o.loud(&problem.extent, &function));
        let span = &match trial.cells {
            1 => stretch.pass_by(problem, span, &places, loud),
            _ => span.clone(),
        };
        let demand = match outside {
            Some(outside) => outside.demand(problem, span, &function),
            None => Demand::solve(problem, span),
        };
        let often = |node| cost::frequency(self.model, self.model.coarse, node);
        let called = self.updates_at_calls(candidate, Some(run));
        let placing = Placing {
            inputs: self,
            candidate,
            run,
            span,
            subject,
            problem,
            demand: &demand,
            may_update: !self.may_be_present(candidate),
            bets: self.bets(candidate, run) && surely_passes(problem, span, &|n| self.copies_in(candidate, n)),
            pointers,
            member: member.as_deref(),
            own_calls: self.own_calls(candidate, run),
            given,
            in_calls: called.iter().map(|(node, u)| u.elements * often(*node)).sum(),
        };
        let may_update = placing.may_update;
        let placed = placing.place();
        if cfg!(debug_assertions)
            && let Some((_, best)) = &placed.best
            && let Err(conflict) = is_right_in_full(problem, &trial.span, best)
        {
            let text = self.text_of(trial, problem);
            panic!("what is passed by makes a difference ({conflict:?}), {best:?}\n{text}");
        }
        match (placed.best, placed.conflict) {
            (Some(best), _) => Ok(best),
            (None, _) if !may_update => {
                let who = self.called_from_outside();
                Err(trial.refuse(Copying::PresentAlready { who }))
            }
            (None, Some(conflict)) => Err(trial.refuse_at(Some(conflict.node), conflict.reason)),
            (None, None) => Err(trial.refuse(Copying::MovesNoLess)),
        }
    }

    /// The text of a problem, with what it is of.
    fn text_of(&self, trial: &Trial<'_>, problem: &Problem<'_>) -> String {
        let (model, run) = (self.model, trial.run);
        let name = |sym: Sym| match model.values.kind(sym) {
            SymKind::Slot(slot, _) => model.values.slots.get(slot).name.clone(),
            _ => None,
        };
        let function = &model.tree.functions[model.tree_function];
        let text = Printed {
            problem,
            tree: model.tree,
            body: function.body,
            run: (run.first, run.last),
            name: &name,
        };
        let lines = LineIndex::new(self.file.text);
        let line = |at: usize| lines.position(at).line;
        let (first, last) = (model.tree.stmt(run.first).span, model.tree.stmt(run.last).span);
        let head = format!(
            "/* {} in `{}`, lines {} to {} */",
            trial.candidate.label,
            function.name,
            line(first.start),
            line(last.end)
        );
        let text = text.text();
        let text = text.unwrap_or_else(|| "/* of several arrays, which has no text */\n".to_owned());
        format!("{head}\n{text}")
    }

    /// Whether a loop of the run that holds kernels may be taken to run. Copying everything in on entry is a bet that it does; every
    /// way in must lead to a kernel that would copy in for itself, too.
    fn bets(&self, candidate: &Candidate, run: Run) -> bool {
        let tree = self.model.tree;
        let on_device = |l: &&usize| !self.is_hosted(candidate, **l);
        let launches = || candidate.launches.iter().filter(on_device);
        let holds = |s: StmtId| launches().any(|l| s != self.start(*l) && tree.encloses(s, self.start(*l)));
        let mut stmts = run.stmts(self.model).iter();
        self.file.options.speculate && stmts.any(|s| tree.stmt(*s).kind.is_loop() && holds(*s))
    }
}

/// Longer residencies are not checked twice, and none in longer functions: each check solves all of the function.
const MOST_NODES: usize = 400;
const MOST_AROUND: usize = 600;

/// Whether a placement is right with all that the problem passes by, too: what is quiet makes no difference. What is known of the outside
/// already may be more exact than what is found here anew: where that alone does not show that the placement is right, nothing is said.
fn is_right_in_full(problem: &mut Problem<'_>, span: &ResidencySpan, placement: &Placement) -> Result<(), Conflict> {
    if span.nodes.len() > MOST_NODES || problem.flow.graph.nodes.len() > MOST_AROUND {
        return Ok(());
    }
    let all = Flow::of(problem.flow.graph);
    let flow = std::mem::replace(&mut problem.flow, all);
    let anew = |problem: &Problem<'_>| check_values(problem, &Demand::solve(problem, span), span, placement);
    let in_full = anew(problem);
    problem.flow = flow;
    in_full.or_else(|conflict| anew(problem).map_or(Ok(()), |()| Err(conflict)))
}

impl Inputs<'_> {
    /// Whether the hull of what kernels map may be copied: they are new, and all of them run. What is the whole of an object
    /// because nothing less is known may be far more.
    pub(super) fn may_round(
        &self,
        candidate: &Candidate,
        run: Run,
        problem: &Problem<'_>,
        span: &ResidencySpan,
    ) -> bool {
        let starts = candidate.launches.iter();
        let starts = starts.filter(|l| run.encloses(self.model, self.start(**l)));
        let nodes = || starts.map(|l| self.start_node(*l)).collect::<Option<Vec<NodeId>>>();
        self.file.options.new_kernels && nodes().is_some_and(|nodes| surely_passes_all(problem, span, &nodes))
    }
}
