//! The headers of the program's own in which another build may compile something else.
//!
//! ```c
//! /* trace.h */
//! #ifdef TRACE                                   left out in this build; what uses `LOOK` reads its argument in another one
//! #define LOOK(x) printf("%g\n", x)
//! #else
//! #define LOOK(x)
//! #endif
//! ```
//!
//! Which branches count, the preprocessor says, of all headers at once: markers as for the file itself. A header that is
//! included more than once has the branches that count in any of its inclusions. What depends on macros alone that the file
//! itself defines, before them and outside of all conditionals, is decided in all builds: these are a header's parameters.

use super::declared::reads_first;
use super::gather::UnitSource;
use crate::llvm::{self, ClangOptions, Input, Instead, LlvmError};
use crate::program::ir::Declarations;
use crate::source::Span;
use crate::syntax::{self, LeftOutDefinitions, ScopeTree, identifiers};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// A header in which another build may compile something else.
pub(super) struct HeaderText {
    /// The file, as clang's answers name it.
    pub path: PathBuf,
    /// What it holds.
    pub text: Vec<u8>,
    /// Its scope tree, without the branches that this build leaves out.
    pub tree: ScopeTree,
}

/// The headers of a file in which another build may compile something else.
///
/// # Errors
/// Those of [`llvm::surviving_markers`].
pub(super) fn header_texts(
    source: &UnitSource<'_>,
    own: &ScopeTree,
    declared: &Declarations,
) -> Result<Vec<HeaderText>, LlvmError> {
    let mut first = 0;
    let (mut marked, mut found, mut others) = (Vec::new(), Vec::new(), Vec::new());
    // A name with an escape in it is not the file's.
    for name in declared.own_headers.iter().filter(|name| !name.contains('\\')) {
        let path = llvm::file_named(source.options, name);
        let Some(text) = source.options.header(&path) else {
            continue;
        };
        if !may_differ(&text) {
            others.push((path, text));
            continue;
        }
        let (with_markers, branches) = syntax::marked_text_from(&text, first);
        first += branches.len() as u32;
        marked.push((path.clone(), with_markers));
        found.push((path, text, branches));
    }
    let surviving = if found.is_empty() {
        BTreeSet::new()
    } else {
        let options = with_headers(source.options, marked);
        llvm::surviving_markers(source.clang, &Input::text(source.name, source.text), &options)?
    };
    let fixed = match reads_first(source.options) {
        true => BTreeSet::new(),
        false => syntax::fixed_macros(source.text, &declared.own_headers),
    };
    let texts = found.into_iter().map(|(path, text, branches)| {
        let mut tree = syntax::parse(&text, &syntax::inactive_spans(&branches, &surviving));
        tree.decide(&text, &fixed);
        HeaderText { path, text, tree }
    });
    let mut texts: Vec<HeaderText> = texts.collect();
    // What another build includes in the place of a header may define what the header does.
    let includes = |text: &[u8], tree: &ScopeTree| !LeftOutDefinitions::of(text, tree).includes.is_empty();
    if includes(source.text, own) || texts.iter().any(|h| includes(&h.text, &h.tree)) {
        texts.extend(others.into_iter().map(|(path, text)| {
            let tree = syntax::parse(&text, &[]);
            HeaderText { path, text, tree }
        }));
    }
    Ok(texts)
}

/// Options with which clang sees these texts in the place of headers.
pub(super) fn with_headers(options: &ClangOptions, texts: Vec<Instead>) -> ClangOptions {
    let known = options.instead.iter().flat_map(|known| known.iter());
    let others = known.filter(|(path, _)| !texts.iter().any(|(header, _)| header == path));
    let all: Vec<Instead> = others.cloned().chain(texts.iter().cloned()).collect();
    ClangOptions {
        instead: Some(Arc::new(all)),
        ..options.clone()
    }
}

/// Whether another build may compile something else in a header. Cheap, and never wrongly false.
fn may_differ(text: &[u8]) -> bool {
    let has = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
    let conditionals = text.windows(3).filter(|w| w == b"#if" || w == b"# i").count();
    let decides: [&[u8]; 6] = [b"if", b"?", b"&&", b"||", b"switch", b"while"];
    let does_something = has(b"{") || has(b"define");
    conditionals > 1 || has(b"else") || has(b"elif") || does_something && decides.iter().any(|word| has(word))
}

impl HeaderText {
    /// The line from which on the header's text can name each of these variables of the file: after their first mention outside
    /// of functions, where there is one.
    pub(super) fn first_lines<'n>(&self, variables: impl Iterator<Item = &'n str>) -> Vec<(&'n str, u32)> {
        let words = identifiers(&self.text, Span::new(0, self.text.len()));
        let outside = |at: usize| !self.tree.functions.iter().any(|f| f.span.contains(at));
        let mut first: FxHashMap<&str, usize> = FxHashMap::default();
        for (word, span) in words.iter().filter(|(_, span)| outside(span.start)) {
            first.entry(word).or_insert(span.start);
        }
        let line = |at: usize| 1 + self.text[..at].iter().filter(|b| **b == b'\n').count() as u32;
        variables
            .map(|name| (name, first.get(name).map_or(1, |at| line(*at))))
            .collect()
    }
}
