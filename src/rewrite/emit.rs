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

use super::content::{Conditional, Content, DecisionRefusal, Filling, UpdateItems};
use super::gaps::{self, Gap, GapOwner, Side, is_label};
use super::indent::Indents;
use super::text::Rest;
use super::wording::{self, DataDirective};
use super::{TextToWrite, remaps, routines};
use crate::plan::MapItem;
use crate::reasons::Wording;
use crate::source::{Edit, EditSet, Span};
use std::collections::BTreeMap;

// Order of insertions at one offset.
/// Text that belongs to the token before the offset.
pub(super) const BEHIND: i32 = 0;
/// Lines of their own.
pub(super) const LINES: i32 = 1;
/// Blanks at the start of a line.
const STEPS: i32 = 2;
/// Text that belongs to the token at the offset.
pub(super) const AHEAD: i32 = 3;

/// A position in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum TextPosition {
    /// The start of a line.
    Line(usize),
    /// Before a token in the middle of a line, which is broken.
    Break(usize),
}

/// Lines for a position.
#[derive(Debug)]
pub(super) struct NewLines {
    /// Sorts what meets at one position: ends of inner statements first, then ends of outer ones, then beginnings.
    pub(super) rank: (Side, i64),
    pub(super) lines: Vec<String>,
    /// Put before the token that follows on the broken line, after its indentation.
    pub(super) lead: String,
    pub(super) by: usize,
}

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

/// The edits so far.
pub(super) struct Emitter<'a> {
    pub(super) page: &'a TextToWrite<'a>,
    pub(super) content: &'a Content,
    pub(super) indents: Indents<'a>,
    pub(super) lines: BTreeMap<TextPosition, Vec<NewLines>>,
    pub(super) inline: Vec<(usize, i32, String)>,
}

impl Emitter<'_> {
    pub(super) fn put(&mut self, at: TextPosition, lines: NewLines) {
        self.lines.entry(at).or_default().push(lines);
    }

    pub(super) fn depth(&self, owner: GapOwner) -> i64 {
        let (GapOwner::Block(stmt) | GapOwner::Body(stmt)) = owner;
        2 * self.page.tree.ancestors(stmt).count() as i64
    }

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

    /// The position right after the token that ends at `end`.
    pub(super) fn after(&self, end: usize) -> TextPosition {
        match self.page.text.rest_of_line(end) {
            Rest::NextLine(line) => TextPosition::Line(line),
            Rest::Code(code) => TextPosition::Break(code),
        }
    }

    /// The position right before the token at `start`.
    pub(super) fn before(&self, start: usize) -> TextPosition {
        if self.page.text.is_first(start) {
            TextPosition::Line(self.page.text.line_start(start))
        } else {
            TextPosition::Break(start)
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

    /// The directives for these items, one list for each condition, in the order in which the conditions appear.
    pub(super) fn data(&self, which: DataDirective, indent: &str, items: &[Conditional]) -> Vec<String> {
        let mut lists: Vec<(Option<&str>, Vec<MapItem>)> = Vec::new();
        for (condition, item) in items {
            match lists.iter_mut().find(|(c, _)| *c == condition.as_deref()) {
                Some((_, list)) => list.push(item.clone()),
                None => lists.push((condition.as_deref(), vec![item.clone()])),
            }
        }
        let write = |(condition, list): &(Option<&str>, Vec<MapItem>)| {
            wording::data(&self.page.habits, indent, which, list, *condition)
        };
        lists.iter().flat_map(write).collect()
    }

    fn updates(&self, updates: &UpdateItems, indent: &str) -> Vec<String> {
        let mut lines = wording::updates(&self.page.habits, indent, false, &updates.from);
        lines.extend(wording::updates(&self.page.habits, indent, true, &updates.to));
        lines
    }

    fn finish(self, others: Vec<(Edit, usize)>) -> Result<EditSet, DecisionRefusal> {
        let Emitter {
            page,
            content: _,
            indents,
            lines,
            inline,
        } = self;
        let mut edits: Vec<(Edit, usize)> = others;
        let eol = page.habits.eol;
        for (at, mut parts) in lines {
            parts.sort_by_key(|p| p.rank);
            let by = parts.iter().map(|p| p.by).max().unwrap_or(0);
            match at {
                TextPosition::Line(start) => {
                    if page.text.is_continued(start) {
                        let span = Span::new(start, start);
                        return Err(DecisionRefusal::new(by, span, Wording::Continued));
                    }
                    // What belongs to the statement before is an edit of its own, which says so.
                    for (side, order) in [(Side::After, BEHIND), (Side::Before, LINES)] {
                        let own = parts.iter().filter(|p| p.rank.0 == side).flat_map(|p| &p.lines);
                        let text: String = own.flat_map(|line| [line.as_str(), eol]).collect();
                        edits.push((Edit::insert(start, order, text), by));
                    }
                }
                TextPosition::Break(token) => {
                    let all = parts.iter().flat_map(|p| p.lines.iter().map(String::as_str));
                    let mut text: String = all.flat_map(|line| [eol, line]).collect();
                    text.push_str(eol);
                    text.push_str(&indents.at(token));
                    parts.iter().for_each(|p| text.push_str(&p.lead));
                    let blanks = Span::new(page.text.blanks_before(token), token);
                    let edit = if blanks.is_empty() {
                        Edit::insert(token, LINES, text)
                    } else {
                        Edit::replace(blanks, text)
                    };
                    edits.push((edit, by));
                }
            }
        }
        edits.extend(
            inline
                .into_iter()
                .map(|(offset, order, text)| (Edit::insert(offset, order, text), 0)),
        );
        for (line, steps) in indents.moved_lines() {
            edits.push((Edit::insert(line, STEPS, page.habits.unit.repeat(steps)), 0));
        }
        let mut set = EditSet::new();
        for (edit, by) in edits {
            let span = edit.span;
            set.add(edit).map_err(|overlap| {
                let overlap = overlap.to_string();
                DecisionRefusal::new(by, span, Wording::Overlaps { overlap })
            })?;
        }
        Ok(set)
    }
}
