//! The door to tree-sitter: one parse with a bounded effort, and the compiled queries.

use super::lex::{self, TokenKind};
use super::tree::SyntaxProblem;
use crate::source::Span;
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::LazyLock;
use streaming_iterator::StreamingIterator;
use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Query, QueryCursor, Tree};

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| tree_sitter_c::LANGUAGE.into());

/// The queries of `grammar-queries/`, as one: compiling a query costs the same for one pattern as for thirty, in every run,
/// and one walk over the tree answers all.
struct Queries {
    all: Query,
    /// Number of the first pattern that is not of `functions.scm`, and not of `statements.scm`.
    after_functions: usize,
    after_statements: usize,
}

const FUNCTIONS: &str = include_str!("../../grammar-queries/functions.scm");
const STATEMENTS: &str = include_str!("../../grammar-queries/statements.scm");
const TROUBLE: &str = include_str!("../../grammar-queries/trouble.scm");

/// The queries are part of the program, so one that does not compile is a bug that every test run finds.
static QUERIES: LazyLock<Queries> = LazyLock::new(|| {
    let sources = [FUNCTIONS, STATEMENTS, TROUBLE].join("\n");
    let all = Query::new(&LANGUAGE, &sources).expect("the queries fit the grammar they are shipped with");
    let starts: Vec<usize> = (0..all.pattern_count())
        .map(|i| all.start_byte_for_pattern(i))
        .collect();
    let patterns_before = |byte: usize| starts.partition_point(|start| *start < byte);
    Queries {
        after_functions: patterns_before(FUNCTIONS.len() + 1),
        after_statements: patterns_before(FUNCTIONS.len() + STATEMENTS.len() + 2),
        all,
    }
});

/// A node with the name under which a query captured it.
pub(super) type Capture<'tree> = (&'static str, Node<'tree>);

/// What the queries found, each in text order, outer nodes first.
#[derive(Default)]
pub(super) struct Captures<'tree> {
    /// By `functions.scm`.
    pub functions: Vec<Capture<'tree>>,
    /// By `statements.scm`.
    pub statements: Vec<Capture<'tree>>,
    /// By `trouble.scm`.
    pub trouble: Vec<Capture<'tree>>,
}

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
pub(super) fn too_deep(text: &[u8]) -> Option<SyntaxProblem> {
    let mut depth = 0usize;
    for token in lex::tokens(text, Span::new(0, text.len())) {
        match token.kind {
            TokenKind::Punct(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_BRACKETS {
            let message = format!("brackets nest deeper than {MAX_BRACKETS} levels: the file is not parsed");
            return Some(SyntaxProblem {
                span: token.span,
                message,
            });
        }
    }
    None
}

/// All captures of all queries under `root`.
pub(super) fn captures<'tree>(root: Node<'tree>, text: &[u8]) -> Captures<'tree> {
    let queries = &*QUERIES;
    let query = &queries.all;
    let names = query.capture_names();
    let mut cursor = QueryCursor::new();
    let mut found = Captures::default();
    let mut matches = cursor.matches(query, root, text);
    while let Some(matched) = matches.next() {
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
        let list = if matched.pattern_index < queries.after_functions {
            &mut found.functions
        } else if matched.pattern_index < queries.after_statements {
            &mut found.statements
        } else {
            &mut found.trouble
        };
        list.extend(
            matched
                .captures
                .iter()
                .filter(|capture| fits(capture.node))
                .map(|capture| (names[capture.index as usize], capture.node)),
        );
    }
    for list in [&mut found.functions, &mut found.statements, &mut found.trouble] {
        list.sort_by_key(|(_, node)| (node.start_byte(), Reverse(node.end_byte())));
    }
    found
}
