//! From which size on kernels are worth their launch, where one size decides.
//!
//! ```c
//! void relax(int n, int steps, double *restrict x, double *restrict y) {
//!     for (int t = 0; t < steps; t++) {
//!         #pragma omp target … if(target: n > 1000) …
//!         for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
//!         #pragma omp target … if(target: n > 1000) …
//!         for (int i = 1; i < n - 1; i++) x[i] = y[i];
//!     }
//! }
//! ```
//!
//! | rule | why |
//! |---|---|
//! | Kernels that share arrays are asked together, each as often as it is launched, and get the same threshold. | So one condition decides where their data are, and small kernels go along with large ones. |
//! | All of them depend on one size, which has a name and does not change in the loops around. | Of several sizes it would be a guess which one matters: `n * m > 5000` says less about rows of three than it seems to. |
//! | It is the power of ten that is nearest to where the device is [`GAIN`] times as fast. | It is a guess, and looks like one; and kernels of other functions often have the same, so that callers can keep data on the device for both. |
//! | Where a small size costs little all in all there is none: what is launched a few times in `main`, or in functions that are called in no loop. | The condition would be read more often than it would matter. |
//!
//! Where the size is smaller the loop runs on the host, in parallel as the rest of its directive says.
//!
//! **Limits.** Kernels of several functions that callers keep data on the device for may get thresholds that differ; between
//! these, those with the lower one copy for themselves.

use super::sizes::DEPTH;
use super::{FEW, GAIN, KernelsSoFar, LARGE};
use crate::analysis::call_graph::in_loop;
use crate::analysis::dependence::Requirement;
use crate::analysis::dependence::canonical::is_fixed;
use crate::analysis::function::FunctionModel;
use crate::analysis::values::table::Base;
use crate::annotate::spell::Speller;
use crate::program::ir::FuncId;
use crate::program::objects::Site;
use crate::symbolic::{Expr, Sym};
use crate::syntax::StmtId;
use std::collections::{BTreeMap, BTreeSet};

/// Callers of callers that are looked at.
const CALLERS: usize = 4;

/// From here on a number is nearer to the next power of ten.
const NEAREST: i128 = 3;

/// `n > 1000`.
#[derive(Clone)]
pub(in crate::annotate) struct Threshold {
    /// `1000`.
    pub size: i128,
    pub condition: Requirement,
    pub text: String,
}

/// The thresholds of kernels.
pub(in crate::annotate) fn thresholds(kernels: &KernelsSoFar<'_, '_>) -> BTreeMap<StmtId, Threshold> {
    let rare = runs_seldom(kernels.model, kernels.model.func, CALLERS);
    let mut found = BTreeMap::new();
    for group in groups(kernels) {
        let sizes: BTreeSet<Option<Sym>> = group.iter().map(|s| size(kernels, *s)).collect();
        let hot = || group.iter().any(|s| kernels.cost(*s, kernels.of[s], None).is_hot());
        let [Some(sym)] = sizes.into_iter().collect::<Vec<_>>()[..] else {
            continue;
        };
        if rare && !hot() {
            continue;
        }
        let Some(least) = least(kernels, &group, sym) else {
            continue;
        };
        let texts = group
            .iter()
            .map(|s| Some((*s, written(kernels.model, *s, sym, least)?)));
        found.extend(texts.collect::<Option<Vec<_>>>().unwrap_or_default());
    }
    found
}

fn written(model: &FunctionModel<'_>, stmt: StmtId, sym: Sym, least: i128) -> Option<Threshold> {
    let (left, right) = (Expr::constant(least + 1), Expr::sym(sym));
    let text = Speller::before(model, stmt)?.at_most(&left, &right)?;
    let condition = Requirement::AtMost { left, right };
    Some(Threshold {
        size: least,
        condition,
        text,
    })
}

/// The threshold of a kernel for which the number has been chosen.
pub(in crate::annotate) fn with_size(kernels: &KernelsSoFar<'_, '_>, stmt: StmtId, least: i128) -> Option<Threshold> {
    written(kernels.model, stmt, size(kernels, stmt)?, least)
}

/// Kernels that share arrays, with others that share some with these.
fn groups(kernels: &KernelsSoFar<'_, '_>) -> Vec<BTreeSet<StmtId>> {
    let mut groups: Vec<(BTreeSet<StmtId>, BTreeSet<Base>)> = Vec::new();
    for (stmt, p) in &kernels.of {
        let mut own = (
            BTreeSet::from([*stmt]),
            p.arrays.iter().map(|a| a.base).collect::<BTreeSet<_>>(),
        );
        let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|g| !g.1.is_disjoint(&own.1));
        for group in joined {
            own.0.extend(group.0);
            own.1.extend(group.1);
        }
        groups = apart;
        groups.push(own);
    }
    groups.into_iter().map(|g| g.0).collect()
}

/// The size on which it depends how often the loops of a kernel run, if that is one.
fn size(kernels: &KernelsSoFar<'_, '_>, stmt: StmtId) -> Option<Sym> {
    let model = kernels.model;
    let mut sizes = BTreeSet::new();
    let inside = (0..model.tree.stmts.len() as u32).map(StmtId);
    for index in inside
        .filter(|s| model.tree.encloses(stmt, *s))
        .filter_map(|s| model.loops.get(s)?.induction.as_ref())
    {
        kernels.indices.sizes(&index.lo, DEPTH, &mut sizes);
        kernels.indices.sizes(&index.hi, DEPTH, &mut sizes);
    }
    let [only] = sizes.into_iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    let mut around = model.tree.ancestors(stmt).skip(1);
    let fixed = around.all(|s| !model.tree.stmt(s).kind.is_loop() || is_fixed(model, &Expr::sym(only), s));
    fixed.then_some(only)
}

/// The power of ten nearest to the least number that is enough; `None` where any is, or none.
fn least(kernels: &KernelsSoFar<'_, '_>, group: &BTreeSet<StmtId>, sym: Sym) -> Option<i128> {
    let is_enough = |size: i128| {
        let costs = || group.iter().map(|s| kernels.cost(*s, kernels.of[s], Some((sym, size))));
        let host: f64 = costs().map(|c| c.times() * c.operations).sum();
        let device: f64 = costs().map(|c| c.times() * c.device()).sum();
        host >= GAIN * device
    };
    let powers = std::iter::successors(Some(1i128), |n| Some(n * 10)).take_while(|n| *n < LARGE);
    let least = powers.into_iter().find(|n| is_enough(n * NEAREST))?;
    // What is enough for nearly nothing is no threshold.
    (least > 1).then_some(least)
}

/// Whether a function runs a few times at most, as far as that is known: it is `main`, or called in no loop of such functions.
fn runs_seldom(model: &FunctionModel<'_>, func: FuncId, depth: usize) -> bool {
    let (module, points_to) = (model.module, model.points_to);
    if module.function(func).name == "main" {
        return true;
    }
    let sites = points_to.callers(func);
    let seldom = |site: &Site| {
        !in_loop(module.function(site.func), false)(site.inst) && depth > 0 && runs_seldom(model, site.func, depth - 1)
    };
    !points_to.has_unseen_callers(func) && sites.len() as f64 <= FEW && sites.iter().all(seldom)
}
