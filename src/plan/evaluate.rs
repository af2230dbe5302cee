//! One candidate residency of one family: builds the movement problem for a run of statements and places the copies.

use super::RegionStyle;
use super::blocks::can_be_block;
use super::cost;
use super::file::FileFacts;
use super::names::At;
use super::spans::{Run, span_of};
use crate::analysis::access::Access;
use crate::analysis::function::FunctionModel;
use crate::analysis::movement::demand::{Demand, surely_passes};
use crate::analysis::movement::family::{Family, Naming, header_edges, naming};
use crate::analysis::movement::mapped::{Mapped, means_the_same, object_extent, shape};
use crate::analysis::movement::place::place;
use crate::analysis::movement::placement::{Mode, Placement, Return, Span, Upload};
use crate::analysis::movement::problem::Problem;
use crate::analysis::movement::subject::{Subject, may_overlap, runs_at_exit};
use crate::analysis::movement::terms::{FunctionTerms, loops_of};
use crate::analysis::params;
use crate::analysis::values::eval::Base;
use crate::analysis::values::slots::SlotKind;
use crate::openmp;
use crate::program::graph::{FlowGraph, NodeId, NodeKind};
use crate::program::objects::MemLoc;
use crate::program::objects::ObjectKind;
use crate::symbolic::{Expr, Facts, Section, SectionSet};
use crate::syntax::StmtId;

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
    /// Kernels that touch or map it, as indices.
    pub launches: Vec<usize>,
    /// Arrays that the user manages by hand and that only the user's maps keep apart from it.
    pub beside: Vec<Base>,
    /// Its name for people.
    pub label: String,
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
    /// What must hold at run time for the residency to be right, as C; empty if nothing.
    pub conditions: Vec<String>,
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

/// Shared inputs of all evaluations of a function.
pub struct Inputs<'a> {
    /// The file.
    pub file: &'a FileFacts<'a>,
    /// The function.
    pub model: &'a FunctionModel<'a>,
    /// Its accesses.
    pub accesses: Vec<Access>,
    /// What each kernel maps.
    pub mapped: Vec<Vec<Mapped>>,
    /// Parameters that are the same constant in every call, with their value on entry.
    pub parameters: Vec<(Expr, i128)>,
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
    /// Tries a residency of `candidate` over `run`.
    pub fn evaluate(&self, candidate: &Candidate, run: Run) -> Result<Evaluated, Refused> {
        let model = self.model;
        let refuse = |stmt: StmtId, message: String| Refused { stmt, message };
        let run_span = span_of(model, run).map_err(|(stmt, message)| refuse(stmt, message))?;
        let span = run_span.span;
        let naming = naming(model, &candidate.family, &span).map_err(|m| refuse(run.first, m))?;
        let cells = naming.at(span.entry).len();
        let (extent, whole_object, uniform) = self.extent(candidate, run, &naming, &span)?;
        let facts = self.facts(&extent);
        let subject = Subject {
            model,
            accesses: &self.accesses,
            mapped: &self.mapped,
            element: candidate.element,
            locs: candidate.locs.clone(),
            extent: extent.clone(),
        };
        let stmt_at = |n: Option<NodeId>| n.and_then(|n| model.coarse.stmt_of(n)).unwrap_or(run.first);
        let events = subject
            .events(&candidate.family, &naming, &span)
            .map_err(|r| refuse(stmt_at(r.node), r.message))?;
        let mut barriers: Vec<(&NodeId, &String)> =
            events.barriers.iter().filter(|(n, _)| span.nodes.contains(n)).collect();
        barriers.sort();
        if let Some((node, reason)) = barriers.first() {
            return Err(refuse(stmt_at(Some(**node)), (*reason).clone()));
        }
        let (loops, headers) = loops_of(model);
        let nameable = |section: &Section, gap: NodeId| {
            At::coarse(model, gap).is_some_and(|at| {
                naming.at(gap).iter().all(|b| {
                    self.item(candidate, &at, *b, section, whole_object && *section == extent)
                        .is_some()
                })
            })
        };
        let terms = FunctionTerms {
            model,
            loops: headers.iter().map(|h| h.1).collect(),
            facts: facts.clone(),
            extent: extent.clone(),
            whole_object,
            nameable: &nameable,
        };
        if !nameable(&extent, span.entry) {
            return Err(refuse(
                run.first,
                "its name or the bounds of its section are not available where the residency would start".into(),
            ));
        }
        let mut apart = events.apart;
        for other in &candidate.beside {
            apart.extend(naming.at(span.entry).iter().map(|name| (*name, *other)));
        }
        let (conditions, repeatable) = self.conditions(candidate, run, &span, &naming, &extent, &apart)?;
        // Where it ends, the names and bounds that it began with must still mean the same, or it has to be a block.
        let same_at_exits = span.exits.iter().all(|gap| {
            At::coarse(model, *gap).is_some_and(|at| {
                let mut names = naming.at(*gap).iter();
                names.all(|b| self.item(candidate, &at, *b, &extent, whole_object).is_some())
            })
        });
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
        let problem = Problem {
            graph: model.coarse,
            cells,
            events: events.events,
            header_edges,
            loops,
            extent: extent.clone(),
            uniform,
            facts,
            live_out: if self.visible_outside(candidate) {
                SectionSet::Union(vec![extent.clone()])
            } else {
                SectionSet::Empty
            },
            speculate: self.file.options.speculate,
            terms: &terms,
        };
        self.members(candidate, &problem, &span, &naming)
            .map_err(|m| refuse(run.first, m))?;
        let demand = Demand::solve(&problem, &span);
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
                        .any(|l| model.tree.encloses(*s, model.constructs.launches[*l].stmt))
            })
            && surely_passes(&problem, &span, &|n| self.copies_in(candidate, n));
        let fills: &[bool] = if bets { &[false, true] } else { &[false] };
        let may_update = !self.may_be_present(candidate);
        let mut attempt = |results, uploads, updates: bool, fill| {
            let mode = Mode {
                results,
                uploads,
                updates,
                fill,
            };
            match place(&problem, &demand, &span, mode) {
                Ok(placement) => {
                    let cost = cost::placement(model, span.entry, &extent, &placement);
                    if best.as_ref().is_none_or(|(c, _)| cost < *c) {
                        best = Some((cost, placement));
                    }
                }
                // What keeps copies at the ends from being enough is not what keeps the array off the device.
                Err(c) if updates || !may_update => {
                    conflict.get_or_insert(c);
                }
                Err(_) => {}
            }
            // Whether there is nothing left that copying in otherwise could improve.
            let settled = |p: &Placement| !p.copies.iter().any(|c| c.up);
            (best.is_some(), best.as_ref().is_some_and(|(_, p)| settled(p)))
        };
        let mut done = attempt(Return::Late, Upload::Late, false, false);
        if may_update {
            done = attempt(Return::Late, Upload::Late, true, false);
        }
        if !done.1 && bets {
            done = attempt(Return::Late, Upload::Late, false, true);
        }
        if !done.1 && may_update {
            for &fill in fills {
                done = attempt(Return::Late, Upload::Early, true, fill);
            }
            if bets {
                done = attempt(Return::Late, Upload::Late, true, true);
            }
        }
        if !done.0 && may_update {
            // Every result back at once, or a bet on what kernels will need.
            for &fill in fills {
                attempt(Return::AfterEachKernel, Upload::Late, true, fill);
                attempt(Return::AfterEachKernel, Upload::Early, true, fill);
            }
            if bets {
                attempt(Return::Late, Upload::Eager, true, false);
            }
        }
        // The ends of ping-pong buffers under their new names are written as updates.
        if !may_update && cells > 1 && best.as_ref().is_some_and(|(_, p)| copies_out(p)) {
            best = None;
        }
        let Some((cost, placement)) = best else {
            if !may_update {
                let message =
                    "copies inside would be needed, and it may be on the device already when the function is called";
                return Err(refuse(run.first, message.into()));
            }
            let c = conflict.map_or((run.first, String::new()), |c| (stmt_at(Some(c.node)), c.message));
            return Err(refuse(c.0, c.1));
        };
        Ok(Evaluated {
            run,
            span,
            block,
            extent,
            naming,
            placement,
            cost,
            conditions,
            repeatable,
        })
    }

    /// Mapping `s->x[0:n]` copies the pointer `s->x` too. Where kernels do that themselves, a residency saves it; where
    /// they name the array otherwise, or may not run at all, it would only add it.
    fn members(
        &self,
        candidate: &Candidate,
        problem: &Problem<'_>,
        span: &Span,
        naming: &Naming,
    ) -> Result<(), String> {
        let model = self.model;
        let is_member = |text: &str| text.split('[').next().is_some_and(|path| path.contains(['.', '-']));
        let spelled = naming.at(span.entry).iter().filter_map(|base| {
            let at = At::coarse(model, span.entry)?;
            self.item(candidate, &at, *base, &problem.extent, false)
        });
        let Some(name) = spelled.into_iter().find(|text| is_member(text)) else {
            return Ok(());
        };
        let maps_member = |n: NodeId| {
            let NodeKind::Whole(stmt) = model.coarse.node(n).kind else {
                return false;
            };
            let launch = |l: &&usize| model.constructs.launches[**l].stmt == stmt;
            candidate.launches.iter().filter(launch).any(|l| {
                let mut items = self.mapped[*l]
                    .iter()
                    .filter(|m| candidate.bases.contains(&m.base))
                    .peekable();
                items.peek().is_none() || items.any(|m| is_member(&m.item.text))
            })
        };
        if surely_passes(problem, span, &maps_member) {
            Ok(())
        } else {
            Err(format!(
                "mapping `{name}` copies the pointer too, which kernels here do not, or do only if they run"
            ))
        }
    }

    /// Whether a kernel at this node copies the family in, as written.
    fn copies_in(&self, candidate: &Candidate, node: NodeId) -> bool {
        let NodeKind::Whole(stmt) = self.model.coarse.node(node).kind else {
            return false;
        };
        let launch = |l: &&usize| self.model.constructs.launches[**l].stmt == stmt;
        candidate.launches.iter().filter(launch).any(|l| {
            let mut items = self.mapped[*l]
                .iter()
                .filter(|m| candidate.bases.contains(&m.base))
                .peekable();
            items.peek().is_none() || items.any(|m| matches!(m.map_type, openmp::MapType::To | openmp::MapType::Tofrom))
        })
    }

    /// A list item for a section of a base at a gap: the user's own text where it means the same there, else printed,
    /// with the user's name for the base if it has several.
    pub fn item(
        &self,
        candidate: &Candidate,
        at: &At<'_>,
        base: Base,
        section: &Section,
        whole: bool,
    ) -> Option<String> {
        let items = || candidate.launches.iter().flat_map(|l| &self.mapped[*l]);
        let here = |m: &&Mapped, wanted: Option<&Section>| {
            means_the_same(self.model, &self.file.macros, (at.gap, at.stmt), &m.item, base, wanted)
        };
        if let Some(m) = items().find(|m| here(m, Some(section)) && self.alone(&m.item.path.to_string())) {
            return Some(m.item.text.clone());
        }
        let mapped = items().find(|m| here(m, None)).map(|m| m.item.path.to_string());
        let name = [mapped, at.base(base), at.plain_base(base)]
            .into_iter()
            .flatten()
            .find(|n| self.alone(n))?;
        let place = (at.gap, at.stmt);
        let shape = shape(self.model, &self.file.macros, place, &self.mapped, &name);
        if shape.element.is_some_and(|bytes| bytes != candidate.element) {
            return None;
        }
        at.item(&name, section, &shape, whole)
    }

    /// Whether a name may be mapped apart from the kernels' own maps. Mapping `s->x[0:n]` also maps the pointer `s->x`; a
    /// kernel that then maps `s->x` and `s->y` together maps the stretch of the struct that holds both, of which a part
    /// is present already, and the runtime refuses that. A struct of which kernels map a single member has no such
    /// stretch.
    fn alone(&self, name: &str) -> bool {
        let Some(end) = name.find(['.', '-']) else { return true };
        let root = &name[..end];
        let maps = self.model.constructs.launches.iter().flat_map(|l| &l.maps);
        maps.filter(|(_, item)| item.path.base == root)
            .all(|(_, item)| item.path.to_string() == name)
    }

    /// What the residency maps: the hull of the kernels' own sections, else the whole object (R5); whether that is the
    /// whole object; whether it is what each of them maps.
    fn extent(
        &self,
        candidate: &Candidate,
        run: Run,
        naming: &Naming,
        span: &Span,
    ) -> Result<(Section, bool, bool), Refused> {
        let model = self.model;
        let refuse = |stmt: StmtId, message: &str| Refused {
            stmt,
            message: message.to_owned(),
        };
        let mut object: Option<Section> = None;
        for (i, base) in naming.at(span.entry).iter().enumerate() {
            let this = object_extent(model, *base, candidate.element);
            if i > 0 && this != object {
                return Err(refuse(run.first, "the buffers that trade places differ in size"));
            }
            object = this;
        }
        let mut hull: Option<Section> = None;
        let mut all: Vec<Section> = Vec::new();
        let mut facts = Facts::new();
        if let Some(o) = &object {
            facts = self.facts(o);
        }
        for &l in &candidate.launches {
            let launch = &model.constructs.launches[l];
            if !run.encloses(model, launch.stmt) {
                continue;
            }
            let items: Vec<&Mapped> = self.mapped[l]
                .iter()
                .filter(|m| candidate.bases.contains(&m.base) && !m.pointer_itself)
                .collect();
            let mut sections: Vec<Section> = Vec::new();
            for m in &items {
                sections.push(match (&m.section, &object) {
                    (Some(s), _) => s.clone(),
                    (None, Some(o)) if m.item.sections.is_empty() => o.clone(),
                    _ => {
                        return Err(refuse(
                            launch.stmt,
                            "the section in its map clause could not be evaluated",
                        ));
                    }
                });
            }
            if items.is_empty() {
                // A kernel that names no section maps all of an array, and may reach all that a pointer points to.
                sections.push(object.clone().ok_or_else(|| {
                    refuse(
                        launch.stmt,
                        "how many elements it has is not known here (give a map clause with a section)",
                    )
                })?);
            }
            for section in sections {
                all.push(section.clone());
                hull = Some(match hull {
                    None => section,
                    Some(h) if h == section => h,
                    Some(h) => h
                        .merge(&section, &facts)
                        .or_else(|| object.clone())
                        .ok_or_else(|| refuse(launch.stmt, "kernels map sections of it that cannot be compared"))?,
                });
            }
        }
        let extent = match (hull, &object) {
            (Some(h), _) => h,
            (None, Some(o)) => o.clone(),
            (None, None) => {
                return Err(refuse(
                    run.first,
                    "how many elements it has is not known here (give a map clause with a section)",
                ));
            }
        };
        let whole = object.as_ref() == Some(&extent);
        let uniform = all.iter().all(|s| *s == extent);
        Ok((extent, whole, uniform))
    }

    /// Arrays that only the user's maps keep apart are checked at run time (R8): each condition says in C that two of
    /// them do not overlap, at the entry of the residency and, unchanged, at its ends.
    fn conditions(
        &self,
        candidate: &Candidate,
        run: Run,
        span: &Span,
        naming: &Naming,
        extent: &Section,
        apart: &[(Base, Base)],
    ) -> Result<(Vec<String>, bool), Refused> {
        let model = self.model;
        let names = naming.at(span.entry);
        let mut pairs: Vec<(Base, Base)> = Vec::new();
        for (i, a) in names.iter().enumerate() {
            for b in &names[i + 1..] {
                if may_overlap(model, *a, *b) {
                    pairs.push((*a, *b));
                }
            }
        }
        for (name, other) in apart {
            // Ping-pong buffers are checked under the names that they have at the entry.
            let own = if names.contains(name) {
                vec![*name]
            } else {
                names.to_vec()
            };
            if !names.contains(other) {
                pairs.extend(own.into_iter().map(|n| (n, *other)));
            }
        }
        for pair in &mut pairs {
            *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut conditions = Vec::new();
        let mut repeatable = true;
        for (a, b) in pairs {
            let section = |base: Base| {
                if names.contains(&base) {
                    return Some(extent.clone());
                }
                let mut found: Option<Section> = None;
                for m in self.mapped.iter().flatten().filter(|m| m.base == base) {
                    match (&found, &m.section) {
                        (None, Some(s)) => found = Some(s.clone()),
                        (Some(f), Some(s)) if f == s => {}
                        _ => return None,
                    }
                }
                found
            };
            let text = |gap: &NodeId| {
                let at = At::coarse(model, *gap)?;
                at.disjoint(a, &section(a)?, b, &section(b)?)
            };
            match text(&span.entry) {
                Some(c) => {
                    repeatable &= span.exits.iter().all(|g| text(g).as_ref() == Some(&c));
                    conditions.push(c);
                }
                None => {
                    return Err(Refused {
                        stmt: run.first,
                        message: format!(
                            "{} may overlap another array here, and that cannot be checked at run time",
                            candidate.label
                        ),
                    });
                }
            }
        }
        Ok((conditions, repeatable))
    }

    /// What is taken to hold everywhere: sizes are not negative, counters lie in their ranges.
    fn facts(&self, extent: &Section) -> Facts {
        let mut facts = Facts::new();
        let zero = Expr::constant(0);
        facts.assume_le(&extent.lo, &extent.hi);
        let mut symbols = extent.hi.symbols();
        symbols.extend(extent.lo.symbols());
        for s in symbols {
            facts.assume_le(&zero, &Expr::sym(s));
        }
        for (sym, value) in &self.parameters {
            facts.assume_eq(sym, &Expr::constant(*value));
        }
        for (i, stmt) in self.model.tree.stmts.iter().enumerate() {
            let id = StmtId(i as u32);
            if stmt.function as usize != self.model.tree_function || self.model.coarse.cond_of(id).is_none() {
                continue;
            }
            if let Some(ind) = self.model.loops.get(id).and_then(|l| l.induction.as_ref()) {
                facts.assume_le(&ind.lo, &Expr::sym(ind.sym));
                facts.assume_le(&Expr::sym(ind.sym), &ind.hi);
            }
        }
        facts
    }

    /// Whether the family's objects may be on the device when the function is called.
    fn may_be_present(&self, candidate: &Candidate) -> bool {
        let presence = &self.file.presence;
        presence.on_entry(self.model.points_to, self.model.func, &candidate.locs)
    }

    /// Whether somebody may read the family's objects after the function has returned.
    fn visible_outside(&self, candidate: &Candidate) -> bool {
        let model = self.model;
        let main_ends = model.function().name == "main" && model.points_to.closed() && !runs_at_exit(model.module);
        candidate.locs.is_empty()
            || candidate
                .locs
                .iter()
                .any(|l| match &model.points_to.object(l.object).kind {
                    ObjectKind::Local { func, .. } => *func != model.func || model.points_to.escapes(l.object),
                    ObjectKind::Global(_) | ObjectKind::Heap { .. } => !main_ends,
                    _ => true,
                })
    }
}

fn copies_out(placement: &Placement) -> bool {
    placement.exits.iter().any(|(_, b)| b.iter().any(|b| b.copies))
}
