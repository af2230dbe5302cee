//! Braces and branches that the text did not have: around a body that gets a directive, for an `else` that is only there
//! for one, and blocks written on one line, which are opened.

use super::content::Filling;
use super::emitter::{AHEAD, BEHIND, Emitter, NewLines, TextPosition};
use super::gaps::{self, GapOwner, Side};
use super::wording::{self, DataDirective};
use crate::syntax::{StmtId, StmtKind};
use std::collections::BTreeSet;

impl Emitter<'_> {
    /// Braces around a body.
    pub(super) fn wrap(&mut self, body: StmtId) {
        let (page, tree) = (self.page, self.page.tree);
        let Some(parent) = tree.stmt(body).parent else { return };
        let habits = &page.habits;
        let outer = self.indents.of(parent);
        let by = self
            .content
            .gaps
            .iter()
            .filter(|(g, _)| g.owner == GapOwner::Body(body))
            .map(|(_, f)| f.by)
            .max();
        let by = by
            .or_else(|| self.content.elses.get(&parent).map(|f| f.by))
            .unwrap_or(0);
        let header = gaps::header_end(&page.text, tree, body);
        let next_line = format!("{}{outer}{{", habits.eol);
        self.inline.push((
            header,
            BEHIND,
            if habits.brace_on_next_line {
                next_line
            } else {
                " {".into()
            },
        ));
        let depth = self.depth(GapOwner::Body(body));
        let top = gaps::top(tree, body);
        if !page.text.is_first(top) {
            let rank = (Side::Before, depth);
            self.put(
                TextPosition::Break(top),
                NewLines {
                    rank,
                    lines: Vec::new(),
                    lead: String::new(),
                    by,
                },
            );
        }
        if self.content.elses.contains_key(&parent) {
            // The new `else` is written together with the closing brace.
            return;
        }
        let end = tree.stmt(body).span.end;
        // After the lines of the body's own end, which have the same depth.
        let rank = (Side::After, -depth + 1);
        let brace = format!("{outer}}}");
        let Some(follower) = gaps::follower(&page.text, tree, body) else {
            let at = self.after(end);
            return self.put(
                at,
                NewLines {
                    rank,
                    lines: vec![brace],
                    lead: String::new(),
                    by,
                },
            );
        };
        let first = page.text.is_first(follower);
        match (habits.brace_on_next_line, first) {
            (false, true) => self.inline.push((follower, AHEAD, "} ".into())),
            (false, false) => self.put(
                TextPosition::Break(follower),
                NewLines {
                    rank,
                    lines: Vec::new(),
                    lead: "} ".into(),
                    by,
                },
            ),
            (true, _) => {
                let at = self.before(follower);
                self.put(
                    at,
                    NewLines {
                        rank,
                        lines: vec![brace],
                        lead: String::new(),
                        by,
                    },
                );
            }
        }
    }

    /// An `else` with directives only.
    pub(super) fn new_else(&mut self, stmt: StmtId, filling: &Filling) {
        let (page, tree) = (self.page, self.page.tree);
        let StmtKind::If { then, .. } = tree.stmt(stmt).kind else {
            return;
        };
        let outer = self.indents.of(stmt);
        let inner = format!("{outer}{}", page.habits.unit);
        let mut lines = wording::other_branch(&page.habits, &outer);
        lines.extend(wording::updates(&page.habits, &inner, false, &filling.updates.from));
        lines.extend(self.data(DataDirective::Exit, &inner, &filling.exits));
        lines.extend(self.data(DataDirective::Enter, &inner, &filling.enters));
        lines.extend(wording::updates(&page.habits, &inner, true, &filling.updates.to));
        lines.push(format!("{outer}}}"));
        let end = tree.stmt(stmt).span.end;
        if self.content.wraps.contains(&then) {
            let rank = (Side::After, -self.depth(GapOwner::Body(then)) + 1);
            let at = self.after(end);
            return self.put(
                at,
                NewLines {
                    rank,
                    lines,
                    lead: String::new(),
                    by: filling.by,
                },
            );
        }
        // The closing brace is there already.
        let text = lines.join(page.habits.eol);
        let rest = text.strip_prefix(&format!("{outer}}}")).unwrap_or(&text).to_owned();
        self.inline.push((end, BEHIND, rest));
    }

    /// A block that was on one line and is broken somewhere is broken at every statement.
    pub(super) fn open_one_line_blocks(&mut self) {
        let (page, tree) = (self.page, self.page.tree);
        let blocks: BTreeSet<StmtId> = self
            .content
            .gaps
            .keys()
            .filter_map(|g| match g.owner {
                GapOwner::Block(b) => Some(b),
                GapOwner::Body(_) => None,
            })
            .collect();
        for block in blocks {
            let span = tree.stmt(block).span;
            if page.text.line_start(span.start) != page.text.line_start(span.end - 1) {
                continue;
            }
            let tokens = tree
                .stmt(block)
                .children
                .iter()
                .map(|c| gaps::top(tree, *c))
                .chain([span.end - 1]);
            for token in tokens {
                let lines = NewLines {
                    rank: (Side::Before, 0),
                    lines: Vec::new(),
                    lead: String::new(),
                    by: 0,
                };
                self.lines
                    .entry(TextPosition::Break(token))
                    .or_insert_with(|| vec![lines]);
            }
        }
    }
}
