//! From content to edits: which lines go where in the text.
//!
//! All lines of a gap go to one of two positions: right after what stands before the gap, or right before what follows
//! it. Closing braces belong to the first and opening ones to the second; for the rest the plan's word decides, or `#if`
//! lines in between. The order is always the same:
//!
//! ```text
//! x();
//! #pragma omp target update from(..)      inside the region that ends here
//! }                                       its end
//! #pragma omp target update from(..)
//! #pragma omp target exit data ..
//! #pragma omp target enter data ..
//! #pragma omp target update to(..)
//! const int x_y_disjoint = ..;            a test for kernels
//! #pragma omp target data ..              a region that starts here
//! {
//! #pragma omp target update to(..)        inside it
//! if (x_y_disjoint) {                     y is there twice
//! #pragma omp target teams ..             y becomes a kernel
//! y();
//! } else {
//! y();                                    its twin
//! }
//! ```
//!
//! Where the position is in the middle of a line, the line is broken there.

use super::content::{Content, DecisionRefusal, Filling, UpdateItems};
use super::emitter::{Emitter, NewLines};
use super::gaps::{self, Gap, GapOwner, Side, is_label};
use super::indent::Indents;
use super::wording::{self, DataDirective};
use super::{TextToWrite, remaps, routines};
use crate::source::EditSet;
use std::collections::BTreeMap;

/// The edits for `content`.
pub fn emit(page: &TextToWrite<'_>, content: &Content) -> Result<EditSet, DecisionRefusal> {
    let mut emitter = Emitter {
        page,
        content,
        indents: Indents::new(page, content),
        lines: BTreeMap::new(),
        inline: Vec::new(),
    };
    for (gap, filling) in &content.gaps {
        emitter.gap(*gap, filling);
    }
    for body in &content.wraps {
        emitter.wrap(*body);
    }
    for (stmt, filling) in &content.elses {
        emitter.new_else(*stmt, filling);
    }
    for (stmt, by) in &content.twins {
        emitter.twin(*stmt, *by);
    }
    emitter.open_one_line_blocks();
    let mut others = remaps::edits(page, content, &emitter.indents)?;
    others.extend(routines::edits(page, content)?);
    emitter.finish(others)
}

impl Emitter<'_> {
    fn gap(&mut self, gap: Gap, filling: &Filling) {
        let (after, before) = self.texts(gap, filling);
        let depth = self.depth(gap.owner);
        let by = filling.by;
        if !after.is_empty() {
            let at = self.after(self.end_before(gap));
            self.put(
                at,
                NewLines {
                    rank: (Side::After, -depth),
                    lines: after,
                    lead: String::new(),
                    by,
                },
            );
        }
        if !before.is_empty() {
            let at = self.before(self.start_after(gap));
            self.put(
                at,
                NewLines {
                    rank: (Side::Before, depth),
                    lines: before,
                    lead: String::new(),
                    by,
                },
            );
        }
    }

    /// Where what stands before a gap ends.
    fn end_before(&self, gap: Gap) -> usize {
        let tree = self.page.tree;
        match (gap.prev(tree), gap.owner) {
            (Some(prev), _) => tree.stmt(prev).span.end,
            (None, GapOwner::Block(b)) => tree.stmt(b).span.start + 1,
            (None, GapOwner::Body(b)) => gaps::header_end(&self.page.text, tree, b),
        }
    }

    /// Where what follows a gap starts.
    fn start_after(&self, gap: Gap) -> usize {
        let tree = self.page.tree;
        match (gap.next(tree), gap.owner) {
            (Some(next), _) => gaps::top(tree, next),
            (None, GapOwner::Block(b)) => tree.stmt(b).span.end - 1,
            (None, GapOwner::Body(b)) => tree.stmt(b).span.end,
        }
    }

    /// The lines of a gap: those right after what precedes it, and those right before what follows it.
    fn texts(&self, gap: Gap, filling: &Filling) -> (Vec<String>, Vec<String>) {
        let (page, unit) = (self.page, &self.page.habits.unit);
        let base = self.indents.in_gap(gap);
        let (starts, ends) = (self.content.starts(gap), self.content.ends(gap));
        let indents = |r: &&usize| self.content.regions[**r].indents;

        let mut steps = ends.iter().filter(indents).count();
        let mut closing = Vec::new();
        for r in &ends {
            if let Some(updates) = filling.at_end.get(r) {
                closing.extend(self.updates(updates, &(base.clone() + &unit.repeat(steps))));
            }
            steps -= usize::from(self.content.regions[*r].indents);
            if self.content.regions[*r].braces {
                closing.push(format!("{base}{}}}", unit.repeat(steps)));
            }
        }
        let middle = [
            wording::updates(&page.habits, &base, false, &filling.updates.from),
            self.data(DataDirective::Exit, &base, &filling.exits),
            self.data(DataDirective::Enter, &base, &filling.enters),
            wording::updates(&page.habits, &base, true, &filling.updates.to),
        ];
        let mut opening: Vec<String> = filling
            .tests
            .iter()
            .flat_map(|t| wording::test(&page.habits, &base, t))
            .collect();
        let mut inner = base.clone();
        for r in &starts {
            let region = &self.content.regions[*r];
            let condition = region.condition.as_deref();
            let directive = wording::data(&page.habits, &inner, DataDirective::Region, &region.maps, condition);
            opening.extend(directive);
            if region.braces {
                opening.push(format!("{inner}{{"));
            }
            if region.indents {
                inner.push_str(unit);
            }
            if let Some(updates) = filling.at_start.get(r) {
                opening.extend(self.updates(updates, &inner));
            }
        }
        if let Some(condition) = &filling.twin {
            opening.extend(wording::begin_if(&page.habits, &inner, condition));
            inner.push_str(unit);
        }
        for (clauses, maps) in &filling.kernels {
            opening.push(wording::kernel(&page.habits, &inner, clauses, maps));
        }
        let anything = !closing.is_empty() || !opening.is_empty() || middle.iter().any(|m| !m.is_empty());
        let semicolon = anything && gap.prev(page.tree).is_some_and(|s| is_label(page.tree, s));

        let (mut after, mut before) = (closing, opening);
        let mut late: Vec<String> = Vec::new();
        for (lines, likes) in middle
            .into_iter()
            .zip([Side::After, Side::After, Side::Before, Side::Before])
        {
            if !late.is_empty() || self.side(gap, filling, likes) == Side::Before {
                late.extend(lines);
            } else {
                after.extend(lines);
            }
        }
        before.splice(0..0, late);
        if semicolon {
            let first = if after.is_empty() { &mut before } else { &mut after };
            first.insert(0, format!("{base};"));
        }
        (after, before)
    }

    fn side(&self, gap: Gap, filling: &Filling, likes: Side) -> Side {
        let descent = self
            .page
            .conditionals
            .descent(self.end_before(gap), self.start_after(gap));
        match descent {
            1.. => Side::After,
            ..=-1 => Side::Before,
            0 if filling.sides.len() == 1 => filling.sides.first().copied().unwrap_or(likes),
            0 => likes,
        }
    }

    fn updates(&self, updates: &UpdateItems, indent: &str) -> Vec<String> {
        let mut lines = wording::updates(&self.page.habits, indent, false, &updates.from);
        lines.extend(wording::updates(&self.page.habits, indent, true, &updates.to));
        lines
    }
}
