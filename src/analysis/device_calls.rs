//! Calls of functions that start kernels, with their summaries in the caller's terms.

use super::at_call::{AtCall, ReachedArray};
use super::called::called;
use super::callee_term::CalleeTerm;
use super::cexpr::Macros;
use super::device_summary::{DeviceSummary, DeviceUse, Existing, OpaqueArray};
use super::function::FunctionModel;
use super::host_calls::{self, HostCall};
use super::movement::estimate::expected_elements;
use super::movement::scope::NameScope;
use super::values::slots::SlotId;
use super::values::table::Base;
use crate::analysis::payment::Payment;
use crate::analysis::values::version::Version;
use crate::program::graph::{NodeId, NodeKind};
use crate::program::ir::{FuncId, InstId, Module};
use crate::program::objects::MemLoc;
use crate::symbolic::{Expr, Section, SectionSet};
use crate::syntax::{StmtId, StmtKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Summaries of the functions that have one.
pub type Summaries = FxHashMap<FuncId, Arc<DeviceSummary>>;

/// An array that a call's kernels use, as the caller names it.
#[derive(Clone, Debug)]
pub struct CallUse {
    /// The callee.
    pub by: FuncId,
    /// How the callee reaches it.
    pub root: CalleeTerm,
    /// The array; `None` where the caller has no name for it.
    pub base: Option<Base>,
    /// Bytes per element.
    pub element: u64,
    /// Where it may be, over all calls.
    pub locs: Vec<MemLoc>,
    /// What must be current on the device.
    pub needs: SectionSet,
    /// What may be written.
    pub may: SectionSet,
    /// What is surely written.
    pub must: Vec<Section>,
    /// What is surely mapped whenever the statement runs and `when` holds.
    pub exists: Vec<Existing>,
    /// What is mapped; `None` where that cannot be said here.
    pub mapped: Option<Vec<Section>>,
    /// All of this holds where these are positive; `None` where that cannot be said here.
    pub when: Option<Vec<Expr>>,
    /// Copies where nothing is present.
    pub copies: Vec<Payment>,
    /// How many of them are expected.
    pub expected_copies: f64,
    /// The array is surely copied in where nothing is present.
    pub copies_in: bool,
    /// The callee's root is a global pointer through which the array is surely mapped.
    pub by_global: bool,
    /// What the callee takes to be other arrays because its kernels map both.
    pub apart: Vec<CalleeTerm>,
    /// What is copied there where the array is present.
    pub updates: Option<CallUpdates>,
    /// The use under the names of other arrays, one of which the array is (`f(c ? a : b)`): none of them is surely
    /// used.
    pub perhaps: Vec<CallUse>,
    /// The use is one of another's `perhaps`.
    pub is_one_of: bool,
}

/// The copies that a call makes of an array that is present ([`super::device_summary::Updates`]).
#[derive(Clone, Debug)]
pub struct CallUpdates {
    /// All that they copy; `None` where that cannot be said here.
    pub sections: Option<Vec<Section>>,
    /// What kernels would copy for themselves less what the updates copy: at least.
    pub net: i64,
    /// Elements that they are expected to copy.
    pub elements: f64,
    /// No kernel there uses the array.
    pub host_only: bool,
}

impl CallUse {
    /// The use under all names that the array may have.
    pub fn each(&self) -> impl Iterator<Item = &CallUse> {
        std::iter::once(self).chain(&self.perhaps)
    }

    /// The use under the names that somebody knows arrays by; under its own, where it has no others that are known.
    pub fn as_known(&self, knows: impl Fn(Base) -> bool) -> Vec<&CallUse> {
        let known = |u: &CallUse| u.base.is_some_and(&knows);
        match known(self) || !self.perhaps.iter().any(known) {
            true => vec![self],
            false => self.perhaps.iter().collect(),
        }
    }

    /// Whether the callee's maps say that the two are different arrays.
    pub fn is_apart(&self, other: &CallUse) -> bool {
        self.by == other.by && (self.apart.contains(&other.root) || other.apart.contains(&self.root))
    }
}

/// What kernels of a call map of structs by paths ([`super::device_summary::Members`]).
#[derive(Clone, Debug)]
pub struct CallMembers {
    /// The members.
    pub list: Vec<CallMember>,
    /// What kernels touch or map that they have not mapped so themselves.
    pub loose: Vec<MemLoc>,
    /// Nothing is missing.
    pub complete: bool,
}

/// A member of a struct that kernels of a call map by its path.
#[derive(Clone, Debug)]
pub struct CallMember {
    /// Which one, and what it holds at the call; `None` where the caller has no place for it.
    pub slot: Option<(SlotId, Version)>,
    /// Where it may lie: over all calls, where it has no place here.
    pub places: Vec<MemLoc>,
    /// The member is a number that is copied in; else the pointer to an array.
    pub number: bool,
    /// The member is surely mapped when the statement runs.
    pub surely: bool,
}

/// An expression statement, a declaration or the condition of an `if`, in which exactly one call starts kernels.
#[derive(Clone, Debug)]
pub struct DeviceCall {
    /// The statement.
    pub stmt: StmtId,
    /// The statement's node in the coarse graph.
    pub node: NodeId,
    /// The call.
    pub inst: InstId,
    /// What is called: one of these.
    pub targets: Vec<FuncId>,
    /// The callee's name, for messages.
    pub callee: String,
    /// Variables that it is handed, and members that it knows: the names of sizes.
    pub sizes: Vec<SlotId>,
    /// What its summary does not mention it leaves alone ([`DeviceSummary::guess`]).
    pub guess: bool,
    /// Some kernel there maps a member of a struct by its path.
    pub maps_members: bool,
    /// What is mapped of structs by paths there.
    pub members: CallMembers,
    /// Everything in memory that kernels there touch.
    pub touched: Vec<MemLoc>,
    /// Arrays that only kernels touch there.
    pub uses: Vec<CallUse>,
    /// Arrays that it also uses otherwise, and how they are reached here where that is known: each of several that one may be.
    pub opaque: Vec<(OpaqueArray, Option<Base>)>,
    /// What it does on the host, where that is known.
    pub host: Option<HostCall>,
}

/// All such calls of a function, in the order of the IR.
pub fn calls(model: &FunctionModel<'_>, text: &[u8], macros: &Macros, summaries: &Summaries) -> Vec<DeviceCall> {
    let function = model.function();
    let mut found = Vec::new();
    for inst in function.inst_ids() {
        let Some(called) = called(model.module, model.points_to, model.func, inst) else {
            continue;
        };
        let known: Option<Vec<_>> = called.functions.iter().map(|f| Some((*f, summaries.get(f)?))).collect();
        let Some(known) = known else { continue };
        let node = model.attachment.node_of[inst.0 as usize].and_then(|fine| model.coarse_of(fine));
        let Some(node) = node else { continue };
        let stmt = match model.coarse.node(node).kind {
            NodeKind::Leaf(stmt) if is_plain(model, stmt) => stmt,
            NodeKind::Cond(stmt) if is_plain_choice(model, stmt) => stmt,
            _ => continue,
        };
        let others = model
            .fine_of(node)
            .iter()
            .flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
        let calls = others.filter(|i| model.launching_target(**i).is_some()).count();
        if calls != 1 {
            continue;
        }
        let mut call = DeviceCall {
            stmt,
            node,
            inst,
            callee: name(model.module, &called.functions),
            sizes: variables(model, text, macros, stmt),
            guess: known.iter().all(|(_, summary)| summary.guess),
            uses: Vec::new(),
            maps_members: known.iter().any(|(_, summary)| summary.maps_members),
            members: CallMembers {
                list: Vec::new(),
                loose: Vec::new(),
                complete: true,
            },
            touched: Vec::new(),
            opaque: Vec::new(),
            host: known
                .iter()
                .all(|(_, summary)| summary.host.is_some())
                .then(|| HostCall {
                    inst,
                    uses: Vec::new(),
                    others: Vec::new(),
                }),
            targets: Vec::new(),
        };
        for (target, summary) in known {
            let at = AtCall {
                model,
                terms: &summary.terms,
                callee: target,
                inst,
                args: called.args,
            };
            call.sizes.extend(at.slots());
            call.uses.extend(uses(&at, summary, target, called.is_one()));
            call.touched.extend(summary.touched.iter().copied());
            call.members.loose.extend(&summary.members.loose);
            call.members.complete &= summary.members.complete;
            let runs = called.is_one() && at.surely_runs();
            let members = summary.members.list.iter().map(|m| {
                let slot = at.slot(&m.root);
                let here = |(slot, _)| model.values.slots.places(model.points_to, model.func, slot);
                CallMember {
                    places: slot.map_or_else(|| m.places.clone(), here),
                    slot,
                    number: m.number,
                    surely: m.surely && runs,
                }
            });
            call.members.list.extend(members);
            call.opaque.extend(opaque(&at, summary));
            if let (Some(all), Some(host)) = (&mut call.host, &summary.host) {
                let at = AtCall {
                    terms: &host.terms,
                    ..at
                };
                all.uses.extend(host_calls::uses(&at, host, runs));
                all.others.extend(host.others.iter().copied());
            }
        }
        call.targets = called.functions;
        found.push(call);
    }
    found
}

/// What to call the functions that a call may run.
fn name(module: &Module, functions: &[FuncId]) -> String {
    let names: Vec<&str> = functions.iter().map(|f| module.function(*f).name.as_str()).collect();
    names.join("` or `")
}

/// Whether copies can stand before and after a statement, whatever it calls.
fn is_plain(model: &FunctionModel<'_>, stmt: StmtId) -> bool {
    matches!(model.tree.stmt(stmt).kind, StmtKind::Expr | StmtKind::Decl { .. })
}

/// Whether a statement is an `if` that starts kernels in its condition alone.
fn is_plain_choice(model: &FunctionModel<'_>, stmt: StmtId) -> bool {
    let cond = model.coarse.cond_of(stmt);
    let starts_inside = |n: NodeId| {
        let mut insts = model
            .fine_of(n)
            .iter()
            .flat_map(|n| &model.attachment.insts_of[n.0 as usize]);
        insts.any(|i| model.launching_target(*i).is_some())
    };
    let inside = |n: &NodeId| {
        let of = model.coarse.stmt_of(*n);
        of.is_some_and(|s| model.tree.encloses(stmt, s)) && Some(*n) != cond
    };
    matches!(model.tree.stmt(stmt).kind, StmtKind::If { .. })
        && !model
            .constructs
            .launches
            .iter()
            .any(|l| model.tree.encloses(stmt, l.stmt))
        && !model.coarse.ids().filter(inside).any(starts_inside)
}

/// The variables that stand alone as arguments in the text of a call.
fn variables(model: &FunctionModel<'_>, text: &[u8], macros: &Macros, stmt: StmtId) -> Vec<SlotId> {
    let span = model.tree.stmt(stmt).span;
    let call = String::from_utf8_lossy(&text[span.start..span.end]);
    let Some(scope) = NameScope::before(model, macros, stmt) else {
        return Vec::new();
    };
    let arguments = call.split_once('(').map_or("", |(_, rest)| rest);
    let names = arguments.split([',', ')']).map(str::trim);
    names
        .filter(|n| n.chars().all(|c| c.is_alphanumeric() || c == '_'))
        .filter_map(|n| scope.slot(n))
        .collect()
}

/// A summary's arrays at a call, which calls no other function if that is `sure`.
fn uses(call: &AtCall<'_>, summary: &DeviceSummary, by: FuncId, sure: bool) -> Vec<CallUse> {
    let runs = sure && call.surely_runs();
    let uses = summary.uses.iter().map(|u| {
        let perhaps = call.perhaps(&u.root, u.element);
        let chance = 1.0 / perhaps.len().max(1) as f64;
        let each = perhaps.iter().map(|reached| CallUse {
            is_one_of: true,
            ..used(call, u, by, Some(reached), false, chance)
        });
        CallUse {
            perhaps: each.collect(),
            ..used(call, u, by, call.reached(&u.root, u.element).as_ref(), runs, 0.5)
        }
    });
    uses.collect()
}

/// One of them by a name of the caller: it surely `runs`, or by some chance.
fn used(
    call: &AtCall<'_>,
    u: &DeviceUse,
    by: FuncId,
    reached: Option<&ReachedArray>,
    runs: bool,
    chance: f64,
) -> CallUse {
    // With updates, they are also of what the host uses.
    let host_too = u.updates.is_some();
    let section = |s: &Section| match host_too {
        true => call.section(s, reached?),
        false => call.mapped(s, reached?),
    };
    let set = |set: &SectionSet| match host_too {
        true => call.set(set, reached),
        false => call.mapped_set(set, reached),
    };
    // A guard that never holds here says nothing, one that always does needs not be said.
    let existing = |e: &Existing| {
        let guards = e.guards.iter().map(|g| call.comparison(g));
        let mut guards = guards.collect::<Option<Vec<_>>>()?;
        guards.retain(|g| g.is_decided() != Some(true));
        let never = guards.iter().any(|g| g.is_decided() == Some(false));
        let section = section(&e.section).filter(|_| !never)?;
        Some(Existing { section, guards })
    };
    let payment = |paid: &Payment| paid.translated(section);
    CallUse {
        by,
        base: reached.map(|r| r.base),
        element: u.element,
        locs: u.locs.clone(),
        needs: set(&u.needs),
        may: set(&u.may),
        must: u.must.iter().filter(|_| runs).filter_map(section).collect(),
        exists: u.exists.iter().filter(|_| runs).filter_map(existing).collect(),
        mapped: u.mapped.iter().map(section).collect(),
        when: u.when.iter().map(|e| call.condition(e)).collect(),
        copies: u.copies.iter().filter(|_| runs).filter_map(payment).collect(),
        expected_copies: if runs {
            u.expected_copies
        } else {
            u.expected_copies * chance
        },
        copies_in: u.copies_in && runs,
        by_global: u.by_global && runs,
        root: u.root.clone(),
        apart: u.apart.clone(),
        updates: u.updates.as_ref().map(|updates| {
            let sections: Option<Vec<Section>> = updates.sections.iter().map(section).collect();
            CallUpdates {
                net: if runs { updates.net } else { updates.net.min(0) },
                elements: updates.elements * known_better(&updates.sections, sections.as_deref()),
                host_only: updates.host_only,
                sections,
            }
        }),
        perhaps: Vec::new(),
        is_one_of: false,
    }
}

/// How many times the elements that a callee expects of its sections the caller does, who may know their sizes.
fn known_better(there: &[Section], here: Option<&[Section]>) -> f64 {
    let expected = |sections: &[Section]| sections.iter().map(expected_elements).sum::<f64>();
    match (expected(there), here.map(expected)) {
        (there, Some(here)) if there > 0.0 => here / there,
        _ => 1.0,
    }
}

fn opaque(call: &AtCall<'_>, summary: &DeviceSummary) -> Vec<(OpaqueArray, Option<Base>)> {
    let here = |o: &OpaqueArray| -> Vec<Option<Base>> {
        let at = o.root.as_ref().and_then(|root| call.array(root));
        match at.as_ref().and_then(|at| call.model.values.choice(at)) {
            Some(among) => among.into_iter().map(|at| Some(at.base)).collect(),
            None => vec![at.map(|at| at.base)],
        }
    };
    let each = |o: &OpaqueArray| here(o).into_iter().map(|base| (o.clone(), base)).collect::<Vec<_>>();
    summary.opaque.iter().flat_map(each).collect()
}
