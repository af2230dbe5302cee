//! Which residencies can be written as blocks (`target data`), and which need `enter data` and `exit data`.

use super::file::FileFacts;
use super::spans::Run;
use super::{Change, Decision, MapItem, RegionStyle};
use crate::analysis::function::FunctionModel;
use crate::program::graph::Place;
use crate::source::Span;
use crate::syntax::{StmtId, StmtKind, identifiers};

/// Whether a run can be a block: control stays in it and nothing declared in it is used after it (R6).
pub fn can_be_block(file: &FileFacts<'_>, model: &FunctionModel<'_>, run: Run, jumps_out: bool) -> bool {
    if file.options.style == RegionStyle::Unstructured || jumps_out {
        return false;
    }
    let stmts = run.stmts(model);
    if stmts.len() == 1 {
        return !matches!(model.tree.stmt(stmts[0]).kind, StmtKind::Decl { .. });
    }
    let declares = |s: &StmtId| matches!(model.tree.stmt(*s).kind, StmtKind::Decl { .. });
    let labels = stmts.iter().any(|s| {
        matches!(
            model.tree.stmt(*s).kind,
            StmtKind::Case { .. } | StmtKind::Default | StmtKind::Label { .. }
        )
    });
    if labels {
        return false;
    }
    let Some(parent) = model.tree.stmt(run.first).parent else {
        return false;
    };
    if !stmts.iter().any(declares) {
        return true;
    }
    let end = model.tree.stmt(run.last).span.end;
    let after = Span::new(end, model.tree.stmt(parent).span.end.max(end));
    let used: Vec<String> = identifiers(file.text, after)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    !stmts.iter().any(|s| match &model.tree.stmt(*s).kind {
        StmtKind::Decl { names } => names.is_empty() || names.iter().any(|n| used.contains(&n.name)),
        _ => false,
    })
}

/// A residency to be written.
#[derive(Clone, Copy, Debug)]
pub struct WantedResidency {
    /// The residency's statements.
    pub run: Run,
    /// Alone it can be a block.
    pub block: bool,
    /// The residency's run-time conditions can be repeated where it ends, so that it need not be a block.
    pub repeatable: bool,
}

/// Which of the residencies become blocks. Of two that overlap without one being inside the other only one can be: one
/// that cannot be anything else comes first. Residencies of one run are written one way.
pub fn settle(model: &FunctionModel<'_>, wanted: &[WantedResidency]) -> Vec<bool> {
    let crosses = |a: Run, b: Run| a != b && overlap(model, a, b) && !a.covers(model, b) && !b.covers(model, a);
    let mut blocks: Vec<bool> = wanted.iter().map(|w| w.block).collect();
    for (i, w) in wanted.iter().enumerate() {
        // What must be a block stands; what need not be gives way to it and to anything else that it crosses.
        if w.repeatable && wanted.iter().any(|o| crosses(o.run, w.run)) {
            blocks[i] = false;
        }
    }
    for i in 0..wanted.len() {
        let against = |j: usize| j < i && blocks[j] && crosses(wanted[j].run, wanted[i].run);
        if !wanted[i].repeatable && (0..wanted.len()).any(against) {
            blocks[i] = false;
        }
    }
    let spread: Vec<Run> = wanted
        .iter()
        .zip(&blocks)
        .filter(|(_, b)| !**b)
        .map(|(w, _)| w.run)
        .collect();
    wanted
        .iter()
        .zip(blocks)
        .map(|(w, block)| block && (!w.repeatable || !spread.contains(&w.run)))
        .collect()
}

/// Whether a block around `run` would hide a declaration in it from directives of the same plan that stand after it.
pub fn hides(model: &FunctionModel<'_>, run: Run, decision: &Decision) -> bool {
    let tree = model.tree;
    let stmts = run.stmts(model);
    let names = stmts.iter().filter_map(|s| match &tree.stmt(*s).kind {
        StmtKind::Decl { names } => Some(names),
        _ => None,
    });
    let declared: Vec<&str> = names.flatten().map(|n| n.name.as_str()).collect();
    let Some(parent) = tree.stmt(run.first).parent.filter(|_| !declared.is_empty()) else {
        return false;
    };
    let own = decision.changes.iter().find_map(|c| match c {
        Change::Region { id, first, last, .. } if (*first, *last) == (run.first, run.last) => Some(*id),
        _ => None,
    });
    let Some(own) = own else { return false };
    let after = tree.stmt(run.last).span.end..=tree.stmt(parent).span.end;
    let mentions = |text: &str| {
        let all = Span::new(0, text.len());
        identifiers(text.as_bytes(), all)
            .iter()
            .any(|(name, _)| declared.contains(&name.as_str()))
    };
    let position = |place: &Place| match place {
        Place::Before(s) => tree.stmt(*s).span.start,
        Place::Start(block) => tree.stmt(*block).span.start + 1,
        Place::After(s) | Place::Else(s) => tree.stmt(*s).span.end,
    };
    let maps_mention = |maps: &[MapItem], condition: &Option<String>| {
        maps.iter().any(|m| mentions(&m.text)) || condition.as_deref().is_some_and(mentions)
    };
    decision.changes.iter().any(|change| match change {
        Change::Update {
            place,
            item,
            condition,
            region,
            ..
        } => {
            let outside = *region != Some(own) && after.contains(&position(place));
            outside && (mentions(item) || condition.as_deref().is_some_and(mentions))
        }
        Change::Enter { place, maps, condition } | Change::Exit { place, maps, condition } => {
            after.contains(&position(place)) && maps_mention(maps, condition)
        }
        Change::Region {
            first, maps, condition, ..
        } => after.contains(&tree.stmt(*first).span.start) && maps_mention(maps, condition),
        Change::Remap { .. } | Change::Test { .. } | Change::Kernel { .. } => false,
    })
}

/// Whether two runs share statements.
pub fn overlap(model: &FunctionModel<'_>, a: Run, b: Run) -> bool {
    a.stmts(model).iter().any(|s| b.encloses(model, *s)) || b.stmts(model).iter().any(|s| a.encloses(model, *s))
}
