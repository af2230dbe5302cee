//! What must hold before a region or new braces are written (R6): `#if` lines stay whole, labels of an outer `switch` stay
//! outside, and what is declared inside is not used after.

use super::TextToWrite;
use super::content::{Content, DataRegion, DecisionRefusal};
use super::gaps::{self, GapOwner};
use crate::reasons::{Ends, Reason, Wording};
use crate::source::Span;
use crate::syntax::{StmtId, StmtKind, identifiers};

/// Finds the first thing that cannot be written.
pub fn check(content: &Content, page: &TextToWrite<'_>) -> Result<(), DecisionRefusal> {
    for region in &content.regions {
        let span = Span::new(gaps::top(page.tree, region.first), page.tree.stmt(region.last).span.end);
        let refuse = |reason: Reason| Err(DecisionRefusal::new(region.by, span, reason));
        if page.tree.cuts_conditional(span) {
            return refuse(Ends::InConditional.into());
        }
        let members = members(page, region);
        let label = |s: &&StmtId| matches!(page.tree.stmt(**s).kind, StmtKind::Case { .. } | StmtKind::Default);
        if members.iter().any(|s| label(&s)) {
            return refuse(Wording::CaseInside.into());
        }
        if region.braces
            && let Some(name) = leaks(page, members)
        {
            return refuse(Wording::DeclaredInside { name }.into());
        }
    }
    for body in &content.wraps {
        let from = gaps::header_end(&page.text, page.tree, *body);
        let end = page.tree.stmt(*body).span.end;
        let to = gaps::follower(&page.text, page.tree, *body).unwrap_or(end);
        if page.tree.cuts_conditional(Span::new(from, to)) {
            let by = content
                .gaps
                .iter()
                .filter(|(g, _)| g.owner == GapOwner::Body(*body))
                .map(|(_, f)| f.by)
                .max();
            let by = by.or_else(|| content.elses.values().map(|f| f.by).max()).unwrap_or(0);
            let span = page.tree.stmt(*body).span;
            return Err(DecisionRefusal::new(by, span, Wording::BracesInConditional));
        }
    }
    Ok(())
}

/// The statements of a region.
fn members<'a>(page: &'a TextToWrite<'_>, region: &'a DataRegion) -> &'a [StmtId] {
    match region.start.owner {
        GapOwner::Block(b) => &page.tree.stmt(b).children[region.start.index..region.end.index],
        GapOwner::Body(_) => std::slice::from_ref(&region.first),
    }
}

/// A name that one of `members` declares and that is used after them in their block.
fn leaks(page: &TextToWrite<'_>, members: &[StmtId]) -> Option<String> {
    let last = *members.last()?;
    let end = page.tree.stmt(page.tree.stmt(last).parent?).span.end;
    let after = identifiers(page.text.bytes, Span::new(page.tree.stmt(last).span.end, end));
    let declared = members.iter().filter_map(|s| match &page.tree.stmt(*s).kind {
        StmtKind::Decl { names } => Some(names),
        _ => None,
    });
    declared
        .flatten()
        .find(|d| after.iter().any(|(name, _)| *name == d.name))
        .map(|d| d.name.clone())
}
