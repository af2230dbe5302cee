//! How far new and old lines are indented once regions and new braces are in place.
//!
//! Braces that are added indent what is inside them by one step more. [`Indents`] knows for every line of the file by how
//! many steps, and for every statement the indentation that it will have. Lines are left alone where blanks at their
//! start would be part of a token (inside a string), of a directive in the first column, or of a pragma that is itself
//! replaced.

use super::TextToWrite;
use super::content::Content;
use super::gaps::{self, Gap, GapOwner, is_label};
use crate::source::Span;
use crate::syntax::{StmtId, StmtKind};
use std::collections::BTreeMap;

/// Indentation after the rewrite.
#[derive(Debug)]
pub struct Indents<'a> {
    page: &'a TextToWrite<'a>,
    content: &'a Content,
    /// Start of a line to its additional steps.
    steps: BTreeMap<usize, usize>,
}

impl<'a> Indents<'a> {
    /// Works out every line.
    pub fn new(page: &'a TextToWrite<'a>, content: &'a Content) -> Indents<'a> {
        let mut spans: Vec<Span> = Vec::new();
        for region in content.regions.iter().filter(|r| r.indents) {
            spans.push(Span::new(
                gaps::top(page.tree, region.first),
                page.tree.stmt(region.last).span.end,
            ));
        }
        for body in &content.wraps {
            // A body on its own line is indented already; one behind its header moves to a line of its own.
            let top = gaps::top(page.tree, *body);
            if !page.text.is_first(top) {
                spans.push(Span::new(top, page.tree.stmt(*body).span.end));
            }
        }
        spans.extend(content.twins.keys().map(|s| page.tree.stmt(*s).span));
        let replaced: Vec<Span> = content.remaps.keys().map(|p| page.tree.pragma(*p).span).collect();
        let mut steps = BTreeMap::new();
        for span in spans {
            let mut line = page.text.line_start(span.start);
            if !page.text.is_first(span.start) {
                line = page.text.next_line(span.start);
            }
            while line < span.end {
                if moves(page, line, &replaced) {
                    *steps.entry(line).or_insert(0) += 1;
                }
                line = page.text.next_line(line);
            }
        }
        Indents { page, content, steps }
    }

    /// Lines that move, with their additional steps.
    pub fn moved_lines(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.steps.iter().map(|(line, steps)| (*line, *steps))
    }

    /// The additional steps of the line that holds `offset`.
    pub fn steps_at(&self, offset: usize) -> usize {
        self.steps.get(&self.page.text.line_start(offset)).copied().unwrap_or(0)
    }

    /// The indentation that a statement will have.
    pub fn of(&self, stmt: StmtId) -> String {
        self.without(stmt, &[], 0)
    }

    /// That of the `if` around a loop that is written twice.
    pub fn around_twin(&self, stmt: StmtId) -> String {
        self.without(stmt, &[], 1)
    }

    /// Steps by which a statement is indented because it is written twice.
    fn twin(&self, stmt: StmtId) -> usize {
        usize::from(self.content.twins.contains_key(&stmt))
    }

    /// The indentation that a statement would have if the regions `except`, which contain it, did not indent it, and with so
    /// many steps less besides.
    fn without(&self, stmt: StmtId, except: &[usize], less: usize) -> String {
        let (text, tree) = (&self.page.text, self.page.tree);
        let unit = &self.page.habits.unit;
        let indents = |r: &&usize| self.content.regions[**r].indents;
        let start = tree.stmt(stmt).span.start;
        if text.is_first(start) {
            let steps = self
                .steps_at(start)
                .saturating_sub(except.iter().filter(indents).count() + less);
            return text.indentation(start).to_owned() + &unit.repeat(steps);
        }
        let Some(parent) = tree.stmt(stmt).parent else {
            return text
                .indentation(tree.functions[tree.stmt(stmt).function as usize].span.start)
                .to_owned();
        };
        let outer = self.of(parent);
        let in_control = tree.stmt(parent).kind != StmtKind::Block;
        let chained = matches!(tree.stmt(parent).kind, StmtKind::If { other: Some(o), .. } if o == stmt);
        if in_control && (tree.stmt(stmt).kind == StmtKind::Block || (chained && !self.content.wraps.contains(&stmt))) {
            return outer;
        }
        let around = (0..self.content.regions.len()).filter(|r| !except.contains(r) && self.directly_in(*r, stmt));
        let around: Vec<usize> = around.collect();
        let steps = 1 + self.twin(stmt) + around.iter().filter(indents).count();
        outer + &unit.repeat(steps.saturating_sub(less))
    }

    fn directly_in(&self, region: usize, stmt: StmtId) -> bool {
        let region = &self.content.regions[region];
        match region.start.owner {
            GapOwner::Block(b) => {
                let members = &self.page.tree.stmt(b).children[region.start.index..region.end.index];
                members.contains(&stmt)
            }
            GapOwner::Body(_) => region.first == stmt,
        }
    }

    /// The indentation of a line put in a gap, outside the regions that start or end there.
    pub fn in_gap(&self, gap: Gap) -> String {
        let tree = self.page.tree;
        let usable = |s: &StmtId| !is_label(tree, *s);
        if let Some(next) = gap.next(tree).filter(usable) {
            return self.without(next, &self.content.starts(gap), self.twin(next));
        }
        if let Some(prev) = gap.prev(tree).filter(usable) {
            return self.without(prev, &self.content.ends(gap), self.twin(prev));
        }
        match gap.owner {
            GapOwner::Block(b) => self.of(b) + &self.page.habits.unit,
            GapOwner::Body(b) => self.of(b),
        }
    }

    /// The indentation of the token at `offset` once it starts a line.
    pub fn at(&self, offset: usize) -> String {
        let tree = self.page.tree;
        let Some(inner) = tree.innermost(offset) else {
            return String::new();
        };
        if self.page.text.bytes.get(offset) == Some(&b'}') {
            return self.of(inner);
        }
        let starting = tree
            .ancestors(inner)
            .take_while(|s| tree.stmt(*s).span.start == offset)
            .last();
        match starting {
            Some(stmt) => self.of(stmt),
            None if tree.stmt(inner).kind == StmtKind::Block => self.of(inner) + &self.page.habits.unit,
            None => self.of(inner),
        }
    }
}

/// Whether blanks may be put at the start of a line.
fn moves(page: &TextToWrite<'_>, line: usize, replaced: &[Span]) -> bool {
    let text = &page.text;
    let blank = text.bytes[line..text.next_line(line)]
        .iter()
        .all(u8::is_ascii_whitespace);
    let directive = text.bytes.get(line) == Some(&b'#');
    let in_replaced = replaced.iter().any(|s| s.start < line && line < s.end);
    let pragma = page
        .tree
        .pragmas
        .iter()
        .find(|p| p.span.start < line && line < p.span.end);
    let flush = pragma.is_some_and(|p| text.bytes.get(text.line_start(p.span.start)) == Some(&b'#'));
    let in_token = text.is_continued(line) && pragma.is_none();
    !(blank || directive || in_replaced || flush || in_token)
}
