//! The ways to place a residency's copies, tried in stages; the cheapest that is right and paid for is kept.
//!
//! ```text
//! stage                                  results                uploads       inside   all on entry
//! always                                 late                   late          no       no
//! always                                 late                   late          yes      no
//! while kernels get copies inside        late                   late          no       a bet
//! ...                                    late                   early         yes      no, then a bet
//! where results come back in parts       after each kernel      late, early   yes      no, then a bet
//! ```
//!
//! A later stage is tried only where what was found so far leaves something to gain: the columns are the fields of [`PlacementMode`].
//! A *bet* copies all of the extent in on entry, and takes for granted that a loop in the residency runs
//! ([`Placing::bets`]). It must be won by the second iteration: `update`s of all but a little in each of them could take dozens to
//! make up for what is copied once.

use super::cost;
use super::decision::{ChosenCopy, ChosenResidency, Direction};
use super::inputs::Inputs;
use super::mapped_as_written::naive_least;
use super::model::Candidate;
use super::spans::Run;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::budget::{Measure, is_paid};
use crate::analysis::movement::check::check_values;
use crate::analysis::movement::demand::Demand;
use crate::analysis::movement::place::place;
use crate::analysis::movement::placement::{
    Boundary, Conflict, Copy, Placement, PlacementMode, ResidencySpan, Return, Upload,
};
use crate::analysis::movement::problem::Problem;
use crate::analysis::movement::subject::Subject;
use crate::program::graph::NodeId;
use crate::reasons::Copying;
use crate::syntax::{StmtId, StmtKind};

/// What copies are placed for.
pub(super) struct Placing<'a> {
    pub inputs: &'a Inputs<'a>,
    pub candidate: &'a Candidate,
    pub run: Run,
    pub span: &'a ResidencySpan,
    pub subject: &'a Subject<'a>,
    pub problem: &'a Problem<'a>,
    pub demand: &'a Demand,
    /// What directives inside may copy.
    pub may_update: bool,
    /// Copying all in on entry may be a bet: a loop in the residency is taken to run.
    pub bets: bool,
    /// Whole copies that pointers on the way to the array cost on entry.
    pub pointers: i64,
    /// The member that brings such a pointer along.
    pub member: Option<&'a str>,
    /// Copies that the kernels would make themselves.
    pub own_calls: f64,
    /// Elements that directives of called functions copy.
    pub in_calls: f64,
    /// The copies that have been chosen, whatever they cost.
    pub given: Option<&'a ChosenResidency>,
}

/// What has been found so far.
#[derive(Default)]
pub(super) struct PlacedCopies {
    /// The cheapest placement, with its cost.
    pub best: Option<(f64, Placement)>,
    /// Why the first of the others is none.
    pub conflict: Option<Conflict>,
    /// Some placement is paid for without a bet.
    without_bets: bool,
}

/// A way to place copies.
struct PlacementWay {
    mode: PlacementMode,
    /// The way is tried only where a loop may be taken to run.
    bet: bool,
}

/// Ways that are tried one after the other.
struct Stage {
    /// Whether they are worth trying.
    is_due: fn(&Placing<'_>, &PlacedCopies) -> bool,
    ways: &'static [PlacementWay],
}

const fn way(results: Return, uploads: Upload) -> PlacementWay {
    PlacementWay {
        mode: PlacementMode::new(results, uploads),
        bet: false,
    }
}

impl PlacementWay {
    /// All of the extent is copied in on entry.
    const fn filled(mut self) -> PlacementWay {
        self.mode.fill = true;
        self.bet = true;
        self
    }

    /// Copies stand at the ends alone.
    const fn at_ends(mut self) -> PlacementWay {
        self.mode.updates = false;
        self
    }

    const fn piecemeal(mut self) -> PlacementWay {
        self.mode.piecemeal = true;
        self
    }

    const fn bet(mut self) -> PlacementWay {
        self.bet = true;
        self
    }
}

const STAGES: [Stage; 7] = [
    Stage {
        is_due: |_, _| true,
        ways: &[way(Return::Late, Upload::Late).at_ends()],
    },
    Stage {
        is_due: |_, _| true,
        ways: &[way(Return::Late, Upload::Late)],
    },
    Stage {
        is_due: |_, placed| !placed.is_settled(),
        ways: &[way(Return::Late, Upload::Late).at_ends().filled()],
    },
    Stage {
        is_due: |_, placed| !placed.is_settled(),
        ways: &[
            way(Return::Late, Upload::Early),
            way(Return::Late, Upload::Early).filled(),
            way(Return::Late, Upload::Late).filled(),
        ],
    },
    // Every result back at once, or a bet on what kernels will need.
    Stage {
        is_due: |_, placed| !placed.without_bets || placed.copies_back() > 1,
        ways: &[
            way(Return::AfterEachKernel, Upload::Late),
            way(Return::AfterEachKernel, Upload::Early),
            way(Return::AfterEachKernel, Upload::Late).filled(),
            way(Return::AfterEachKernel, Upload::Early).filled(),
            way(Return::Late, Upload::Eager).bet(),
        ],
    },
    // What the host reads in a loop before kernels write it: back at once, it needs no copy at the end. How often a copy runs
    // that a jump may pass by in each iteration is not known.
    Stage {
        is_due: |placing, placed| placed.returns_twice() && !skips_within(placing.inputs.model, placing.run),
        ways: &[
            way(Return::AfterEachKernel, Upload::Late),
            way(Return::AfterEachKernel, Upload::Late).filled(),
        ],
    },
    // Where all of it comes back before a loop because parts have no name there, each part may come back on its own.
    Stage {
        is_due: |placing, placed| placing.rounds_up(placed),
        ways: &[
            way(Return::Late, Upload::Late).piecemeal(),
            way(Return::Late, Upload::Early).piecemeal(),
        ],
    },
];

impl Placing<'_> {
    /// Tries all ways that may lead to something.
    pub fn place(&self) -> PlacedCopies {
        let mut placed = PlacedCopies::default();
        if let Some(placement) = self.given.and_then(|given| self.chosen(given)) {
            match check_values(self.problem, self.demand, self.span, &placement) {
                Ok(()) => placed.best = Some((self.cost(&placement), placement)),
                Err(conflict) => placed.conflict = Some(conflict),
            }
            return placed;
        }
        for stage in &STAGES {
            if !(stage.is_due)(self, &placed) {
                continue;
            }
            let possible = |way: &&PlacementWay| (self.bets || !way.bet) && (self.may_update || !way.mode.updates);
            for way in stage.ways.iter().filter(possible) {
                self.attempt(way, &mut placed);
            }
        }
        // The ends of ping-pong buffers under their new names are written as updates.
        if !self.may_update && self.problem.cells > 1 && placed.best.as_ref().is_some_and(|(_, p)| copies_out(p)) {
            placed.best = None;
        }
        placed
    }

    /// The placement that was chosen, if all of it can be read.
    fn chosen(&self, given: &ChosenResidency) -> Option<Placement> {
        let (model, problem, span) = (self.inputs.model, self.problem, self.span);
        if problem.cells != 1 || problem.kept_by_callers {
            return None;
        }
        let ends = |gap: NodeId, direction: Direction| {
            let is_there = |c: &&ChosenCopy| model.coarse.gap(c.place) == Some(gap) && c.direction == direction;
            let copies = given.copies.iter().any(|c| c.at_end && is_there(&c));
            vec![Boundary { copies }]
        };
        let inside = given.copies.iter().filter(|c| !c.at_end).map(|copy| {
            let (gap, section) = self.inputs.given_section(self.candidate, copy)?;
            Some(Copy {
                gap,
                cell: 0,
                up: copy.direction == Direction::To,
                section,
                ordered: true,
            })
        });
        Some(Placement {
            entry: ends(span.entry, Direction::To),
            exits: span
                .exits
                .iter()
                .map(|gap| (*gap, ends(*gap, Direction::From)))
                .collect(),
            copies: inside.collect::<Option<Vec<Copy>>>()?,
        })
    }

    /// Whether a copy stands in a region by hand.
    fn is_in_region(&self, placement: &Placement) -> bool {
        let mut copies = placement.copies.iter();
        copies.any(|c| self.subject.region_of(c.gap).is_some())
    }

    fn cost(&self, placement: &Placement) -> f64 {
        let (model, span, extent) = (self.inputs.model, self.span, &self.problem.extent);
        cost::placement(model, span.entry, extent, placement, self.own_calls) + self.in_calls
    }

    /// Whether a bet is won as soon as loops have more than one iteration; what directives of called functions copy is not counted.
    fn pays_soon(&self, placement: &Placement) -> bool {
        let (inputs, span) = (self.inputs, self.span);
        let least = cost::least_elements(inputs.model, span.entry, &self.problem.extent, placement);
        least <= naive_least(inputs, self.candidate, self.run)
    }

    fn attempt(&self, way: &PlacementWay, placed: &mut PlacedCopies) {
        let mode = way.mode;
        let (inputs, problem, span) = (self.inputs, self.problem, self.span);
        let model = inputs.model;
        let measure = Measure {
            pays: &|n| inputs.payments(self.candidate, n, problem),
            elements: &|section| cost::elements(model, section),
        };
        let reason = match place(problem, self.demand, span, mode) {
            Ok(placement) if self.is_in_region(&placement) => Copying::InRegion,
            Ok(placement)
                if is_paid(problem, span, &placement, self.pointers, &measure)
                    && (!way.bet || self.pays_soon(&placement)) =>
            {
                placed.without_bets |= !mode.fill;
                let cost = self.cost(&placement);
                if placed.best.as_ref().is_none_or(|(c, _)| cost < *c) {
                    placed.best = Some((cost, placement));
                }
                return;
            }
            Ok(_) => self.is_not_paid(),
            // What keeps copies at the ends from being enough is not what keeps the array off the device.
            Err(conflict) => {
                if mode.updates || !self.may_update {
                    placed.conflict.get_or_insert(conflict);
                }
                return;
            }
        };
        let node = span.entry;
        placed.conflict.get_or_insert(Conflict {
            node,
            reason: reason.into(),
        });
    }

    fn is_not_paid(&self) -> Copying {
        match self.member {
            Some(name) => Copying::PointerToo {
                member: name.to_owned(),
            },
            None => Copying::MovesNoLess,
        }
    }

    /// Whether all of the extent comes back before a loop.
    fn rounds_up(&self, placed: &PlacedCopies) -> bool {
        let problem = self.problem;
        let before_loop = |c: &Copy| problem.loops.behind(c.gap).next().is_some();
        placed.any(|c| !c.up && c.section == problem.extent && before_loop(c))
    }
}

impl PlacedCopies {
    /// Whether the best placement has such a copy inside.
    fn any(&self, which: impl Fn(&Copy) -> bool) -> bool {
        self.best.iter().any(|(_, p)| p.copies.iter().any(&which))
    }

    /// Whether one is right and leaves nothing that copying in otherwise could improve.
    fn is_settled(&self) -> bool {
        self.best.is_some() && !self.any(|c| c.up)
    }

    /// How many copies back to the host the best placement has inside.
    fn copies_back(&self) -> usize {
        let inside = self.best.iter().flat_map(|(_, p)| &p.copies);
        inside.filter(|c| !c.up).count()
    }

    /// Whether results come back inside, and at the end again.
    fn returns_twice(&self) -> bool {
        self.copies_back() > 0 && self.best.iter().any(|(_, p)| copies_out(p))
    }
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
