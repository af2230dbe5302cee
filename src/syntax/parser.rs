//! The door to tree-sitter: one parse with a bounded effort, and the compiled queries.

use super::lex::{self, TokenKind};
use super::tree::Problem;
use crate::source::Span;
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use streaming_iterator::StreamingIterator;
use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Query, QueryCursor, Tree};

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| tree_sitter_c::LANGUAGE.into());

/// A query of `grammar-queries/`, compiled on first use.
pub(super) struct Queries {
    pub functions: Query,
    pub statements: Query,
    pub trouble: Query,
}

/// The queries. They are part of the program, so one that does not compile is a bug that every test run finds.
pub(super) static QUERIES: LazyLock<Queries> = LazyLock::new(|| {
    let compile = |source| Query::new(&LANGUAGE, source).expect("the queries fit the grammar they are shipped with");
    Queries {
        functions: compile(include_str!("../../grammar-queries/functions.scm")),
        statements: compile(include_str!("../../grammar-queries/statements.scm")),
        trouble: compile(include_str!("../../grammar-queries/trouble.scm")),
    }
});

/// Parses `text`. `None` if that takes more steps than any program needs: error recovery on garbage can be slow.
pub(super) fn parse(text: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&LANGUAGE).ok()?;
    // The callback comes every hundred steps of the parser; programs take about one step per byte. Counting steps and
    // not time keeps the result the same on every machine.
    let mut left = 10_000 + text.len();
    let mut progress = |_: &ParseState| match left.checked_sub(1) {
        Some(rest) => {
            left = rest;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut |at, _| text.get(at..).unwrap_or_default(), None, Some(options))
}

/// How deep brackets may nest. Query matching takes time proportional to the nodes times the nesting.
const MAX_BRACKETS: usize = 1_000;

/// A bracket that nests deeper than any program needs, if there is one.
pub(super) fn too_deep(text: &[u8]) -> Option<Problem> {
    let mut depth = 0usize;
    for token in lex::tokens(text, Span::new(0, text.len())) {
        match token.kind {
            TokenKind::Punct(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_BRACKETS {
            let message = format!("brackets nest deeper than {MAX_BRACKETS} levels: the file is not parsed");
            return Some(Problem {
                span: token.span,
                message,
            });
        }
    }
    None
}

/// All captures of `query` under `root`, with their names, in text order, outer ones first.
pub(super) fn captures<'tree, 'query>(
    query: &'query Query,
    root: Node<'tree>,
    text: &[u8],
) -> Vec<(&'query str, Node<'tree>)> {
    let mut cursor = QueryCursor::new();
    let mut found = Vec::new();
    let mut matches = cursor.matches(query, root, text);
    while let Some(matched) = matches.next() {
        let names = query.capture_names();
        let inside = query
            .property_settings(matched.pattern_index)
            .iter()
            .find(|p| &*p.key == "inside")
            .and_then(|p| p.value.as_deref());
        let fits = |node: Node| {
            inside.is_none_or(|kinds| {
                node.parent()
                    .is_some_and(|p| kinds.split(' ').any(|kind| kind == p.kind()))
            })
        };
        found.extend(
            matched
                .captures
                .iter()
                .filter(|capture| fits(capture.node))
                .map(|capture| (names[capture.index as usize], capture.node)),
        );
    }
    found.sort_by_key(|(_, node)| (node.start_byte(), Reverse(node.end_byte())));
    found
}
