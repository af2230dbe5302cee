//! One candidate residency of one family: builds the movement problem for a run of statements and places the copies.

use super::RegionStyle;
use super::blocks::{can_be_block, overlap};
use super::cost;
use super::existence::{Asked, MAY_NOT_EXIST};
use super::file::FileFacts;
use super::founded::Founded;
use super::hand_regions::HandRegion;
use super::joint::Joint;
use super::members::maps_pointer;
use super::names::At;
use super::program::ProgramFacts;
use super::resident::Resident;
use super::spans::{Run, span_of};
use super::when::When;
use crate::analysis::accesses::Accesses;
use crate::analysis::conditions::LaunchCondition;
use crate::analysis::device_calls::DeviceCall;
use crate::analysis::function::FunctionModel;
use crate::analysis::host_calls::HostCall;
use crate::analysis::movement::budget::{Measure, is_paid};
use crate::analysis::movement::build::Events;
use crate::analysis::movement::demand::{Demand, surely_passes};
use crate::analysis::movement::family::{Family, Naming, header_edges, naming};
use crate::analysis::movement::mapped::Mapped;
use crate::analysis::movement::outside::KnownOutside;
use crate::analysis::movement::place::place;
use crate::analysis::movement::placement::{Conflict, Copy, Mode, Placement, Return, Span, Upload};
use crate::analysis::movement::problem::{Event, EventKind, ExpandedLoops, Problem};
use crate::analysis::movement::subject::Subject;
use crate::analysis::movement::terms::FunctionTerms;
use crate::analysis::params;
use crate::analysis::values::eval::Base;
use crate::analysis::values::slots::{SlotId, SlotKind};
use crate::program::graph::{FlowGraph, NodeId};
use crate::program::objects::MemLoc;
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};

/// A family with what does not depend on where it would be resident.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The family.
    pub family: Family,
    /// All bases that name its cells somewhere.
    pub bases: Vec<Base>,
    /// Bytes per element.
    pub element: u64,
    /// Where its objects live.
    pub locs: Vec<MemLoc>,
    /// What starts kernels that touch or map it, as indices (see `starts`).
    pub launches: Vec<usize>,
    /// Arrays that the user manages by hand and that only the user's maps keep apart from it.
    pub beside: Vec<Base>,
    /// Regions by hand that hold it, as indices, none within another.
    pub regions: Vec<usize>,
    /// What other regions by hand govern that may hold it: what is done there is the user's affair, and no residency spans it.
    pub closed: Vec<StmtId>,
    /// These are taken to read nothing, and to write all of it.
    pub unread: bool,
    /// Where it stays already with buffers that it trades places with.
    pub traded: Vec<Run>,
    /// It is to be mapped together with other members of its struct.
    pub joint: Option<Joint>,
    /// Its name for people.
    pub label: String,
}

impl Candidate {
    /// Its bases, if they trade places.
    pub(super) fn trading(&self) -> &[Base] {
        match self.family {
            Family::PingPong(_) => &self.bases,
            Family::Single(_) => &[],
        }
    }
}

/// A residency that works.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The statements.
    pub run: Run,
    /// Entry, exits, nodes.
    pub span: Span,
    /// It can be written as a block.
    pub block: bool,
    /// What is mapped of each cell.
    pub extent: Section,
    /// Names of the cells by node.
    pub naming: Naming,
    /// The copies.
    pub placement: Placement,
    /// Expected cost.
    pub cost: f64,
    /// When its kernels run on the device: it holds only there.
    pub when: When,
    /// What else must hold at run time for the residency to be right, as C; empty if nothing.
    pub conditions: Vec<String>,
    /// It is mapped by one directive with other members of its struct, which have residencies of the same run.
    pub joint: Option<Joint>,
    /// One of its kernels surely writes all of it.
    pub filled: bool,
    /// Items and conditions can be written at all exits, so that `exit data` can repeat them.
    pub repeatable: bool,
}

/// Why a candidate does not work.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Where.
    pub stmt: StmtId,
    /// Why, for people.
    pub message: String,
}

/// Why a residency that is right is not worth having.
pub const MOVES_NO_LESS: &str = "a residency from here on would move no less than its kernels' own maps do";

/// What is mapped of an array, and around which runs: statements of one block, of no block, or any.
pub type MappedIn = (Section, Option<Option<StmtId>>);

/// Shared inputs of all evaluations of a function.
pub struct Inputs<'a> {
    /// The file.
    pub file: &'a FileFacts<'a>,
    /// The program.
    pub program: &'a ProgramFacts<'a>,
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// Its accesses.
    pub accesses: Accesses,
    /// What each kernel maps.
    pub mapped: Vec<Vec<Mapped>>,
    /// When each kernel runs on the device, where that is followed.
    pub conditions: Vec<Option<LaunchCondition>>,
    /// Calls of functions that start kernels.
    pub calls: Vec<DeviceCall>,
    /// Regions by hand that could be starts.
    pub regions: Vec<HandRegion>,
    /// Calls of functions that use arrays on the host.
    pub host_calls: Vec<HostCall>,
    /// Parameters that are the same constant in every call, with their value on entry.
    pub parameters: Vec<(Expr, i128)>,
    /// The pointer variables that ever hold each base, once somebody has asked.
    pub holders: OnceCell<FxHashMap<Base, Vec<SlotId>>>,
    /// The starts at each node, once somebody has asked.
    pub starts_by_node: OnceCell<FxHashMap<NodeId, Vec<usize>>>,
    /// What happens to arrays outside of the residencies that are tried.
    pub outside: KnownOutside,
    /// The loops of the function with their headers and statements, once somebody has asked.
    pub loops: OnceCell<(ExpandedLoops, Vec<(NodeId, StmtId)>)>,
    /// What holds where so much of an array is mapped, in runs of statements of a block; `None`: anywhere.
    pub sizes: RefCell<FxHashMap<MappedIn, Facts>>,
}

/// Values of the parameters on entry that every caller passes as the same constant.
pub fn constant_parameters(model: &FunctionModel<'_>) -> Vec<(Expr, i128)> {
    let constants = params::constants(model.module, model.points_to, model.func);
    let mut found = Vec::new();
    for slot in model.values.slots.ids() {
        let SlotKind::Local(v) = model.values.slots.get(slot).kind else {
            continue;
        };
        let Some(Some(value)) = model.function().variables[v.0 as usize]
            .arg
            .and_then(|a| constants.get(a as usize))
        else {
            continue;
        };
        let version = model.values.versions.after(FlowGraph::ENTRY, slot);
        let entry = model.values.slot_int(slot, version);
        if entry.as_sym().is_some() {
            found.push((entry, *value));
        }
    }
    found
}

impl Inputs<'_> {
    /// What movement problems of a candidate are about, where so much of it is mapped.
    pub(super) fn subject(&self, candidate: &Candidate, extent: Section) -> Subject<'_> {
        Subject {
            model: self.model,
            accesses: &self.accesses,
            mapped: &self.mapped,
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
        }
    }

    /// Tries a residency of `candidate` over `run` that holds where a condition does.
    pub(super) fn evaluate_when(&self, candidate: &Candidate, run: Run, when: When) -> Result<Evaluated, Refused> {
        let model = self.model;
        let refuse = |stmt: StmtId, message: String| Refused { stmt, message };
        if candidate.traded.iter().any(|r| overlap(model, run, *r)) {
            return Err(refuse(run.first, "it trades places with other buffers in there".into()));
        }
        if let Some(message) = self.in_left_out_branch(candidate, run) {
            return Err(refuse(run.first, message));
        }
        let whole_only = self.is_whole_only(candidate);
        let run_span = span_of(model, run).map_err(|(stmt, message)| refuse(stmt, message))?;
        let span = run_span.span;
        let naming = naming(model, &candidate.family, &span).map_err(|m| refuse(run.first, m))?;
        let cells = naming.at(span.entry).len();
        if cells > 1 && !self.trades_places(candidate, &span, &naming) {
            return Err(refuse(run.first, "they do not trade places here".into()));
        }
        let mapped = self.extent(candidate, run, (&naming, &span), &when)?;
        let (extent, whole_object, uniform) = (mapped.section, mapped.whole, mapped.uniform);
        let mut facts = self.facts(&extent, Some(run));
        self.lasting(&when, &span).assume(&mut facts);
        let mut subject = self.subject(candidate, extent.clone());
        let stmt_at = |n: Option<NodeId>| n.and_then(|n| model.coarse.stmt_of(n)).unwrap_or(run.first);
        let single = |base: &Base| candidate.family == Family::Single(*base);
        let events_of = |subject: &Subject<'_>| {
            let is_single = naming.at(span.entry).iter().all(single);
            let outside = is_single.then(|| self.outside.get(subject, &naming, &span)).flatten();
            let events = match (&candidate.family, &outside) {
                (Family::Single(base), Some(outside)) => subject.events_beside(*base, &span, outside),
                (family, _) => subject.events(family, &naming, &span),
            };
            let events = events.map_err(|r| refuse(stmt_at(r.node), r.message))?;
            Ok((events, outside))
        };
        let (mut events, mut outside) = events_of(&subject)?;
        if let Some((node, reason)) = events.barrier(|n| span.nodes.contains(&n)) {
            return Err(refuse(stmt_at(Some(node)), reason.to_owned()));
        }
        self.only_asked(candidate, &span, &events.events)?;
        let called = self.updates_at_calls(candidate, Some(run));
        self.covers_updates(candidate, run, &extent, uniform)?;
        let (mut loops, headers) = self.loops();
        self.enter(&mut loops, &headers, (run, &when));
        // Every way of placing copies asks again.
        let known: RefCell<FxHashMap<(Section, NodeId), bool>> = RefCell::default();
        let nameable = |section: &Section, gap: NodeId| {
            let question = (section.clone(), gap);
            if let Some(answer) = known.borrow().get(&question) {
                return *answer;
            }
            let answer = At::coarse(model, gap)
                .map(|at| at.asking(&when, self.file.options.speculate))
                .is_some_and(|at| {
                    self.can_say(&when, gap)
                        && (*section == extent || at.can_ask(section, &facts))
                        && (*section == extent || !whole_only || section.has_no_numbers())
                        && naming.at(gap).iter().all(|b| {
                            self.item(candidate, &at, *b, section, whole_object && *section == extent)
                                .is_some()
                        })
                });
            known.borrow_mut().insert(question, answer);
            answer
        };
        let founded = Founded::new(self, candidate, &facts, &[], None);
        let in_object = |section: &Section, gap: NodeId| whole_object && founded.is_accessed(section, gap);
        let terms = FunctionTerms {
            model,
            loops: headers.iter().map(|h| h.1).collect(),
            facts: facts.clone(),
            certain: facts.clone(),
            extent: extent.clone(),
            nameable: &nameable,
            in_object: &in_object,
        };
        if !self.can_say(&when, span.entry) {
            let message = "what the `if` clauses of its kernels say has no name where the residency would start";
            return Err(refuse(run.first, message.into()));
        }
        if !nameable(&extent, span.entry) {
            return Err(refuse(
                run.first,
                "its name or the bounds of its section are not available where the residency would start".into(),
            ));
        }
        let entered = naming.at(span.entry).iter();
        let mut texts = entered.filter_map(|b| {
            let at = At::coarse(model, span.entry)?.asking(&when, self.file.options.speculate);
            self.item(candidate, &at, *b, &extent, whole_object)
        });
        if texts.any(|text| maps_pointer(&text)) {
            let message = "only a pointer behind a parameter names it where the residency would start";
            return Err(refuse(run.first, message.into()));
        }
        let told_apart = |events: &Events| {
            let others = candidate.beside.iter();
            let beside = others.flat_map(|other| naming.at(span.entry).iter().map(|name| (*name, *other)));
            let apart: Vec<(Base, Base)> = events.apart.iter().copied().chain(beside).collect();
            self.conditions(candidate, run, (&span, &naming), &extent, &apart, &when)
        };
        let mut apart = told_apart(&events);
        if apart.is_err() {
            // What has no name where it would start may be the same array where it does not stay.
            subject.apart_outside = false;
            (events, outside) = events_of(&subject)?;
            apart = told_apart(&events);
        }
        let (mut conditions, repeatable) = apart?;
        conditions.retain(|c| !self.is_said(&when, c, span.entry));
        // Where it ends, the names and bounds that it began with must still mean the same, or it has to be a block.
        let same_at_exits = span.exits.iter().all(|gap| {
            At::coarse(model, *gap)
                .map(|at| at.asking(&when, self.file.options.speculate))
                .is_some_and(|at| {
                    let mut names = naming.at(*gap).iter();
                    names.all(|b| self.item(candidate, &at, *b, &extent, whole_object).is_some())
                })
        });
        let same_at_exits = same_at_exits && self.says_the_same(&when, &span);
        if cells > 1 && !same_at_exits {
            let message = "the buffers that trade places have no name where the residency would end";
            return Err(refuse(run.first, message.into()));
        }
        let repeatable = repeatable && same_at_exits;
        let block = can_be_block(self.file, model, run, run_span.jumps_out);
        if !block && !repeatable {
            let message = "its name, its bounds or a condition that it depends on are not the same where it ends";
            return Err(refuse(run.first, message.into()));
        }
        if !block && self.file.options.style == RegionStyle::Structured {
            let message = "it needs `enter data` and `exit data`, which `--style structured` rules out";
            return Err(refuse(run.first, message.into()));
        }
        let header_edges = header_edges(model, &naming, &headers, cells);
        let is_seen = self.visible_outside(candidate);
        let renamed = subject.renamed(&candidate.family, &span, &mut events, is_seen);
        let mut problem = Problem {
            graph: model.coarse,
            cells,
            events: std::mem::take(&mut events.events),
            header_edges,
            loops,
            extent: extent.clone(),
            uniform,
            facts: facts.clone(),
            live_out: match is_seen {
                true => SectionSet::Union(vec![extent.clone()]),
                false => SectionSet::Empty,
            },
            renamed,
            speculate: self.file.options.speculate,
            kept_by_callers: false,
            current_on_host: false,
            hosted: self.hosted(candidate),
            terms: &terms,
        };
        problem.uniform |= mapped.hull && self.may_round(candidate, run, &problem, &span);
        let entry = At::coarse(model, span.entry).map(|at| at.asking(&when, self.file.options.speculate));
        let members = entry.map_or_else(Vec::new, |at| {
            self.members(candidate, &at, &extent, naming.at(span.entry))
        });
        self.structs_are_free(candidate, run, &problem, (&span, &members))
            .map_err(|message| refuse(run.first, message))?;
        let (pointers, member) = self.pointers(candidate, &problem, &span, (naming.at(span.entry), &members));
        let demand = match outside {
            Some(outside) => outside.demand(&mut problem, &span),
            None => Demand::solve(&problem, &span),
        };
        let own_calls = self.own_calls(candidate, run);
        let often = |node| cost::frequency(model, model.coarse, node);
        let in_calls: f64 = called.iter().map(|(node, u)| u.elements * often(*node)).sum();
        let mut best: Option<(f64, Placement)> = None;
        let mut conflict = None;
        // Copying everything in on entry is a bet that a loop in there runs; every way in must lead to a kernel that would
        // copy in for itself.
        let bets = self.file.options.speculate
            && run.stmts(model).iter().any(|s| {
                model.tree.stmt(*s).kind.is_loop()
                    && candidate
                        .launches
                        .iter()
                        .filter(|l| !self.is_hosted(candidate, **l))
                        .any(|l| *s != self.start(*l) && model.tree.encloses(*s, self.start(*l)))
            })
            && surely_passes(&problem, &span, &|n| self.copies_in(candidate, n));
        let fills: &[bool] = if bets { &[false, true] } else { &[false] };
        let measure = Measure {
            pays: &|n| self.pays_parts(candidate, n, &problem),
            elements: &|section| cost::elements(model, section),
        };
        let may_update = !self.may_be_present(candidate);
        let returns_twice = Cell::new(false);
        let (without_bets, returns_in_parts) = (Cell::new(false), Cell::new(false));
        let (rounds_up, piecemeal) = (Cell::new(false), Cell::new(false));
        let before_loop = |c: &Copy| problem.loops.behind(c.gap).next().is_some();
        let mut attempt = |results, uploads, updates: bool, fill| {
            let mode = Mode {
                results,
                uploads,
                updates,
                fill,
                piecemeal: piecemeal.get(),
            };
            match place(&problem, &demand, &span, mode) {
                Ok(placement) if placement.copies.iter().any(|c| subject.region_of(c.gap).is_some()) => {
                    conflict.get_or_insert_with(|| Conflict {
                        node: span.entry,
                        message: "copies would be needed within a region that holds it by hand".into(),
                    });
                }
                Ok(placement) if is_paid(&problem, &span, &placement, pointers, &measure) => {
                    without_bets.set(without_bets.get() || !fill);
                    let cost = cost::placement(model, span.entry, &extent, &placement, own_calls) + in_calls;
                    if best.as_ref().is_none_or(|(c, _)| cost < *c) {
                        best = Some((cost, placement));
                    }
                }
                Ok(_) => {
                    conflict.get_or_insert_with(|| Conflict {
                        node: span.entry,
                        message: match &member {
                            Some(name) => format!(
                                "mapping `{name}` copies the pointer too, which kernels here do not, or do only if they run"
                            ),
                            None => MOVES_NO_LESS.into(),
                        },
                    });
                }
                // What keeps copies at the ends from being enough is not what keeps the array off the device.
                Err(c) if updates || !may_update => {
                    conflict.get_or_insert(c);
                }
                Err(_) => {}
            }
            returns_twice.set(
                best.as_ref()
                    .is_some_and(|(_, p)| copies_out(p) && p.copies.iter().any(|c| !c.up)),
            );
            let down = |p: &Placement| p.copies.iter().filter(|c| !c.up).count();
            returns_in_parts.set(best.as_ref().is_some_and(|(_, p)| down(p) > 1));
            let all_before_loop = |c: &Copy| !c.up && c.section == extent && before_loop(c);
            rounds_up.set(best.as_ref().is_some_and(|(_, p)| p.copies.iter().any(all_before_loop)));
            match &best {
                None => Progress::Nothing,
                Some((_, p)) if p.copies.iter().any(|c| c.up) => Progress::Uploads,
                Some(_) => Progress::Settled,
            }
        };
        let mut progress = attempt(Return::Late, Upload::Late, false, false);
        if may_update {
            progress = attempt(Return::Late, Upload::Late, true, false);
        }
        if progress != Progress::Settled && bets {
            progress = attempt(Return::Late, Upload::Late, false, true);
        }
        if progress != Progress::Settled && may_update {
            for &fill in fills {
                attempt(Return::Late, Upload::Early, true, fill);
            }
            if bets {
                attempt(Return::Late, Upload::Late, true, true);
            }
        }
        if (!without_bets.get() || returns_in_parts.get()) && may_update {
            // Every result back at once, or a bet on what kernels will need.
            for &fill in fills {
                attempt(Return::AfterEachKernel, Upload::Late, true, fill);
                attempt(Return::AfterEachKernel, Upload::Early, true, fill);
            }
            if bets {
                attempt(Return::Late, Upload::Eager, true, false);
            }
        }
        // What the host reads in a loop before kernels write it: back at once, it needs no copy at the end. How often a
        // copy runs that a jump may pass by in each iteration is not known.
        if returns_twice.get() && may_update && !skips_within(model, run) {
            for &fill in fills {
                attempt(Return::AfterEachKernel, Upload::Late, true, fill);
            }
        }
        // Where all of it comes back before a loop because parts have no name there, each part may come back on its own.
        if rounds_up.get() {
            piecemeal.set(true);
            attempt(Return::Late, Upload::Late, true, false);
            attempt(Return::Late, Upload::Early, true, false);
        }
        // The ends of ping-pong buffers under their new names are written as updates.
        if !may_update && cells > 1 && best.as_ref().is_some_and(|(_, p)| copies_out(p)) {
            best = None;
        }
        let Some((cost, placement)) = best else {
            if !may_update {
                let why = self.called_from_outside();
                let message = format!(
                    "copies inside would be needed, and it may be on the device already when the function is called{why}"
                );
                return Err(refuse(run.first, message));
            }
            let c = conflict.map_or((run.first, String::new()), |c| (stmt_at(Some(c.node)), c.message));
            return Err(refuse(c.0, c.1));
        };
        let asked = Asked {
            candidate,
            run,
            span: &span,
            naming: &naming,
            extent: &extent,
            facts: &problem.facts,
            loops: &problem.loops,
            freed: &events.freed,
        };
        if !self.exists(&asked) {
            return Err(refuse(run.first, MAY_NOT_EXIST.into()));
        }
        let fills = |e: &Event| match &e.kind {
            EventKind::Launch { must, .. } => must.iter().any(|m| m.provably_covers(&extent, &problem.facts)),
            _ => false,
        };
        let filled = span.nodes.iter().any(|n| problem.events(*n).iter().any(fills));
        Ok(Evaluated {
            filled,
            run,
            span,
            block,
            extent,
            naming,
            placement,
            cost,
            when,
            conditions,
            joint: candidate.joint.clone(),
            repeatable,
        })
    }
}

/// How far the ways to place copies that were tried have come.
#[derive(PartialEq, Eq)]
enum Progress {
    /// None was right.
    Nothing,
    /// One is right, but copies in inside the residency: another may copy in better.
    Uploads,
    /// One is right and leaves nothing that copying in otherwise could improve.
    Settled,
}

/// Whether control may pass by the rest of statements of a run time and again. A `break` does so once.
fn skips_within(model: &FunctionModel<'_>, run: Run) -> bool {
    let skips = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::Continue | StmtKind::Goto { .. } | StmtKind::ComputedGoto | StmtKind::Return { .. }
        )
    };
    let mut stmts = (0..model.tree.stmts.len() as u32).map(StmtId);
    stmts.any(|s| skips(&model.tree.stmt(s).kind) && run.encloses(model, s))
}

fn copies_out(placement: &Placement) -> bool {
    placement.exits.iter().any(|(_, b)| b.iter().any(|b| b.copies))
}
