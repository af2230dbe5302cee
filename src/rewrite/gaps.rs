//! Places of a plan as positions between tokens of the text.
//!
//! The statement graph calls the place after a statement and the place before its next sibling one gap, and a plan may
//! use either name. A [`Gap`] is that place under one name: the `index`-th space between the members of a block, or the
//! space before (0) or after (1) a body without braces.

use super::TextToWrite;
use super::text::Text;
use crate::openmp::Directive;
use crate::program::graph::Place;
use crate::syntax::{PragmaId, ScopeTree, StmtId, StmtKind};

/// Whose members a gap lies between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GapOwner {
    /// A block.
    Block(StmtId),
    /// A body without braces, which gets them.
    Body(StmtId),
}

/// A place where lines can be put.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Gap {
    /// Between whose members.
    pub owner: GapOwner,
    /// Number of members before it.
    pub index: usize,
}

/// Which side of a gap the text's position follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Right after what stands before it.
    After,
    /// Right before what follows it.
    Before,
}

impl Gap {
    /// The gap of a place before or after a statement; `None` where nothing can be put, and for [`Place::Else`].
    pub fn of(tree: &ScopeTree, place: Place) -> Option<(Gap, Side)> {
        let (stmt, side) = match place {
            Place::Before(s) => (s, Side::Before),
            Place::After(s) => (s, Side::After),
            Place::Else(_) => return None,
            Place::Start(block) => {
                let owner = GapOwner::Block(block);
                return Some((Gap { owner, index: 0 }, Side::After));
            }
        };
        let step = usize::from(side == Side::After);
        let parent = tree.stmt(stmt).parent?;
        if tree.stmt(parent).kind == StmtKind::Block {
            let at = tree.stmt(parent).children.iter().position(|c| *c == stmt)?;
            return Some((
                Gap {
                    owner: GapOwner::Block(parent),
                    index: at + step,
                },
                side,
            ));
        }
        is_bare_body(tree, stmt).then_some((
            Gap {
                owner: GapOwner::Body(stmt),
                index: step,
            },
            side,
        ))
    }

    /// The member before it.
    pub fn prev(self, tree: &ScopeTree) -> Option<StmtId> {
        let at = self.index.checked_sub(1)?;
        match self.owner {
            GapOwner::Block(b) => tree.stmt(b).children.get(at).copied(),
            GapOwner::Body(b) => Some(b),
        }
    }

    /// The member after it.
    pub fn next(self, tree: &ScopeTree) -> Option<StmtId> {
        match self.owner {
            GapOwner::Block(b) => tree.stmt(b).children.get(self.index).copied(),
            GapOwner::Body(b) => (self.index == 0).then_some(b),
        }
    }
}

/// Whether a statement is the body of an `if` or a loop and has no braces around it and its pragmas.
pub fn is_bare_body(tree: &ScopeTree, stmt: StmtId) -> bool {
    let Some(parent) = tree.stmt(stmt).parent else {
        return false;
    };
    let body = match &tree.stmt(parent).kind {
        StmtKind::If { then, other, .. } => *then == stmt || *other == Some(stmt),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => *body == stmt,
        _ => false,
    };
    body && tree.is_bare(stmt)
}

/// Whether a statement is a label of any kind.
pub fn is_label(tree: &ScopeTree, stmt: StmtId) -> bool {
    matches!(
        tree.stmt(stmt).kind,
        StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default
    )
}

/// Pragmas directly before a statement.
pub fn pragmas_before(tree: &ScopeTree, stmt: StmtId) -> impl Iterator<Item = PragmaId> + '_ {
    let all = tree.pragmas.iter().enumerate();
    all.filter(move |(_, p)| p.before == Some(stmt))
        .map(|(index, _)| PragmaId(index as u32))
}

/// Where a statement begins, its pragmas included.
pub fn top(tree: &ScopeTree, stmt: StmtId) -> usize {
    let start = tree.stmt(stmt).span.start;
    pragmas_before(tree, stmt)
        .map(|p| tree.pragma(p).span.start)
        .fold(start, usize::min)
}

/// Where the header before a body without braces ends: behind `)`, `else` or `do`.
pub fn header_end(text: &Text<'_>, tree: &ScopeTree, body: StmtId) -> usize {
    let from = tree.stmt(body).parent.map_or(0, |p| tree.stmt(p).span.start);
    text.last_token_end(from, top(tree, body))
}

/// Where the `else` or `while` that follows a body starts, if one does.
pub fn follower(text: &Text<'_>, tree: &ScopeTree, body: StmtId) -> Option<usize> {
    let parent = tree.stmt(tree.stmt(body).parent?);
    let has = match &parent.kind {
        StmtKind::If { then, other, .. } => *then == body && other.is_some(),
        StmtKind::DoWhile { .. } => true,
        _ => false,
    };
    has.then(|| text.skip_trivia(tree.stmt(body).span.end, parent.span.end))
}

/// Whether a statement, with the pragmas before it, can follow `target data` as it is.
pub fn is_structured_block(page: &TextToWrite<'_>, stmt: StmtId) -> bool {
    let plain = !matches!(
        page.tree.stmt(stmt).kind,
        StmtKind::Decl { .. }
            | StmtKind::Macro { .. }
            | StmtKind::Label { .. }
            | StmtKind::Empty
            | StmtKind::Asm
            | StmtKind::Error
    );
    plain
        && pragmas_before(page.tree, stmt).all(|p| {
            let span = page.tree.pragma(p).span;
            let raw = String::from_utf8_lossy(&page.text.bytes[span.start..span.end]);
            Directive::parse(&raw).is_some_and(|d| !d.is_standalone())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    #[test]
    fn one_gap_has_one_name() {
        let source = b"void f(void) { a(); b(); }";
        let tree = syntax::parse(source, &[]);
        let block = tree.functions[0].body;
        let (a, b) = (tree.stmt(block).children[0], tree.stmt(block).children[1]);
        let after = Gap::of(&tree, Place::After(a)).unwrap().0;
        assert_eq!(after, Gap::of(&tree, Place::Before(b)).unwrap().0);
        assert_eq!((after.prev(&tree), after.next(&tree)), (Some(a), Some(b)));
        assert_eq!(Gap::of(&tree, Place::Before(block)), None);
    }

    #[test]
    fn headers_and_followers() {
        let source = b"void f(int c) { if (c) /* ) */\n#pragma omp target\n a(); else b(); do d(); while (c); }";
        let shown = String::from_utf8_lossy(source);
        let (text, tree) = (Text::new(source), syntax::parse(source, &[]));
        let bodies: Vec<StmtId> = (0..tree.stmts.len() as u32)
            .map(StmtId)
            .filter(|s| is_bare_body(&tree, *s))
            .collect();
        let header: Vec<&str> = bodies.iter().map(|b| &shown[..header_end(&text, &tree, *b)]).collect();
        assert!(header[0].ends_with("if (c)") && header[1].ends_with("else") && header[2].ends_with("do"));
        let after: Vec<Option<&str>> = bodies
            .iter()
            .map(|b| follower(&text, &tree, *b).map(|at| &shown[at..at + 4]))
            .collect();
        assert_eq!(after, [Some("else"), None, Some("whil")]);
        assert!(shown[top(&tree, bodies[0])..].starts_with("#pragma"));
    }
}
