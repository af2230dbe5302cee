//! Lines that wait for their place in the text, and edits of them.
//!
//! Whoever has something to write puts lines at a position; several may meet there, and their rank says which comes first.

use super::TextToWrite;
use super::content::{Conditional, Content, DecisionRefusal};
use super::gaps::{GapOwner, Side};
use super::indent::Indents;
use super::text::Rest;
use super::wording::{self, DataDirective};
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

    pub(super) fn finish(self, others: Vec<(Edit, usize)>) -> Result<EditSet, DecisionRefusal> {
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
