//! Run-time conditions: arrays that only the user's maps keep apart are checked where a residency begins (R8).

use super::evaluate::{Candidate, Inputs, Refused};
use super::names::At;
use super::spans::Run;
use crate::analysis::movement::family::Naming;
use crate::analysis::movement::placement::Span;
use crate::analysis::movement::promised::{how_to_promise, promised_apart};
use crate::analysis::movement::subject::may_overlap;
use crate::analysis::values::eval::Base;
use crate::program::graph::NodeId;
use crate::symbolic::Section;

impl Inputs<'_> {
    /// Arrays that only the user's maps keep apart are checked at run time (R8): each condition says in C that two of
    /// them do not overlap, at the entry of the residency and, unchanged, at its ends.
    pub(super) fn conditions(
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
        pairs.retain(|(a, b)| !promised_apart(model, *a, *b));
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
                            "{} may overlap another array here, and that cannot be checked at run time{}",
                            candidate.label,
                            how_to_promise(model, [(a, b)])
                        ),
                    });
                }
            }
        }
        Ok((conditions, repeatable))
    }
}
