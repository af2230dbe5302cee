//! Loops that are there twice: as a kernel, and as they are written.
//!
//! ```c
//! const int a_n_disjoint = *n > 0 && (a + *n <= n || n + 1 <= a);
//! if (a_n_disjoint) {
//!     #pragma omp target teams distribute parallel for map(to: n[0:1]) map(from: a[0:*n])
//!     for (int i = 0; i < *n; i++) a[i] = 0;
//! } else {
//!     for (int i = 0; i < *n; i++) a[i] = 0;          /* its twin: it may write `*n`, and then sees that */
//! }
//! ```
//!
//! OpenMP computes the bound of a loop once, also where an `if` clause sends it to the host; C reads it before each
//! iteration. So where a loop may write its bound no clause makes it run as it is written, and only another loop, without
//! directive, does.
//!
//! **Only what is short** is written twice ([`repeatable`]), and only what means the same the second time: no label, no
//! variable that lives on between two visits, no line of the preprocessor.
//!
//! **A second run** has to know a twin when it sees one ([`twins`]): it is a loop in one branch of an `if` with the very
//! tokens of a kernel in the other. Who has written both by hand has thought of the host, and is left alone as well.

use crate::analysis::function::FunctionModel;
use crate::plan::file::FileFacts;
use crate::reasons::Serial;
use crate::source::Span;
use crate::syntax::{Define, ScopeTree, StmtId, StmtKind, identifiers, same_tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of the longest loop that is written twice.
const MOST_LINES: usize = 8;
/// Bytes of it.
const MOST_BYTES: usize = 640;
/// Words that mean something else where they are written again.
const ONCE: [&str; 3] = ["static", "__label__", "__COUNTER__"];

/// Whether a loop may stand in the text a second time, or why it may not.
pub(super) fn repeatable(file: &FileFacts<'_>, stmt: StmtId) -> Result<(), Serial> {
    let tree = file.tree;
    let span = tree.stmt(stmt).span;
    let text = &file.text[span.start..span.end];
    let lines = || text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    if lines().count() > MOST_LINES || text.len() > MOST_BYTES {
        return Err(Serial::TooLong { lines: MOST_LINES });
    }
    if lines().any(|line| line.starts_with(b"#") || line.ends_with(b"\\")) {
        return Err(Serial::PreprocessorInside);
    }
    let labels = |s: &StmtKind| matches!(s, StmtKind::Label { .. } | StmtKind::Macro { .. } | StmtKind::Error);
    let macros = once_macros(file.defines());
    let once = |(word, _): &(String, Span)| {
        ONCE.contains(&word.as_str()) || macros.contains(word) || tree.pragma_macros.contains(word)
    };
    if within(tree, stmt).any(|s| labels(&tree.stmt(s).kind)) || identifiers(file.text, span).iter().any(once) {
        return Err(Serial::NotTwice);
    }
    Ok(())
}

/// The macros among these that expand to words which mean something else the second time.
fn once_macros(defined: &[Define]) -> BTreeSet<String> {
    let words = |body: &str| identifiers(body.as_bytes(), Span::new(0, body.len()));
    let mut found: BTreeSet<String> = BTreeSet::new();
    loop {
        let tells = |d: &&Define| {
            let mut words = words(&d.body).into_iter();
            !found.contains(&d.name) && words.any(|(w, _)| ONCE.contains(&w.as_str()) || found.contains(&w))
        };
        let more: Vec<String> = defined.iter().filter(tells).map(|d| d.name.clone()).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// A statement with all those in it.
fn within(tree: &ScopeTree, stmt: StmtId) -> impl Iterator<Item = StmtId> + '_ {
    let all = (0..tree.stmts.len() as u32).map(StmtId);
    all.filter(move |s| tree.encloses(stmt, *s))
}

/// The twins in a function, each with the kernel that runs in its place.
pub(super) fn twins(text: &[u8], model: &FunctionModel<'_>) -> BTreeMap<StmtId, StmtId> {
    let tree = model.tree;
    let mut found = BTreeMap::new();
    for launch in &model.constructs.launches {
        let kernel = launch.stmt;
        let Some(around) = tree.ancestors(kernel).find(|s| is_choice(tree, *s)) else {
            continue;
        };
        let StmtKind::If {
            then,
            other: Some(other),
            ..
        } = tree.stmt(around).kind
        else {
            continue;
        };
        let opposite = if tree.encloses(then, kernel) { other } else { then };
        let alike = |s: &StmtId| same_tokens(text, tree.stmt(*s).span, tree.stmt(kernel).span);
        let branch = within(tree, opposite).filter(|s| tree.stmt(*s).kind.is_loop());
        found.extend(branch.filter(alike).map(|twin| (twin, kernel)));
    }
    for launch in &model.constructs.launches {
        found.remove(&launch.stmt);
    }
    found
}

fn is_choice(tree: &ScopeTree, stmt: StmtId) -> bool {
    matches!(tree.stmt(stmt).kind, StmtKind::If { .. })
}
