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
//! Which branches count, the definitions say that the preprocessor has met; where they do not, the preprocessor is asked, about all such
//! headers at once: markers as for the file itself. A header that is included more than once has the branches that count in any of its inclusions. What depends on macros alone that the file
//! itself defines, before them and outside of all conditionals, is decided in all builds: these are a header's parameters.

use super::declared::reads_first;
use super::parsed_texts::{ParsedText, ParsedTexts};
use super::source::UnitSource;
use crate::llvm::{self, ClangOptions, Input, Instead, LlvmError};
use crate::program::ir::Declarations;
use crate::syntax::{self, LeftOutDefinitions, ScopeTree};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// A header in which another build may compile something else.
pub(super) struct HeaderText {
    /// The file, as clang's answers name it.
    pub path: PathBuf,
    /// What it holds.
    pub text: Vec<u8>,
    /// The header's scope tree, without the branches that this build leaves out.
    pub tree: ScopeTree,
    parsed: Arc<ParsedText>,
}

/// The headers of a file in which another build may compile something else.
///
/// # Errors
/// The errors of [`llvm::surviving_markers`].
pub(super) fn header_texts(
    source: &UnitSource<'_>,
    own: &ScopeTree,
    declared: &Declarations,
    parsed: &ParsedTexts,
) -> Result<Vec<HeaderText>, LlvmError> {
    let mut first = 0;
    let (mut marked, mut found, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut surviving = BTreeSet::new();
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
        match declared.definitions.active(name, &text, &branches) {
            Some(active) => surviving.extend(active),
            None => marked.push((path.clone(), with_markers)),
        }
        found.push((path, text, branches));
    }
    if !marked.is_empty() {
        let options = with_headers(source.options, marked);
        let input = Input::text(source.name, source.text);
        surviving.extend(llvm::surviving_markers(source.clang, &input, &options)?);
    }
    let fixed = match reads_first(source.options) {
        true => BTreeSet::new(),
        false => syntax::fixed_macros(source.text, &declared.own_headers),
    };
    let texts = found.into_iter().map(|(path, text, branches)| {
        let parsed = parsed.parsed(&text, &syntax::inactive_spans(&branches, &surviving));
        let mut header = HeaderText::of(path, text, parsed);
        header.tree.decide(&header.text, &fixed);
        header
    });
    let mut texts: Vec<HeaderText> = texts.collect();
    // What another build includes in the place of a header may define what the header does.
    let includes = |text: &[u8], tree: &ScopeTree| !LeftOutDefinitions::of(text, tree).includes.is_empty();
    if includes(source.text, own) || texts.iter().any(|h| includes(&h.text, &h.tree)) {
        texts.extend(others.into_iter().map(|(path, text)| {
            let parsed = parsed.parsed(&text, &[]);
            HeaderText::of(path, text, parsed)
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
    fn of(path: PathBuf, text: Vec<u8>, parsed: Arc<ParsedText>) -> HeaderText {
        HeaderText {
            path,
            text,
            tree: parsed.tree.clone(),
            parsed,
        }
    }

    /// The line from which on the header's text can name each of these variables of the file: that of their first mention outside
    /// of functions, where there is one.
    pub(super) fn first_lines<'n>(&self, variables: impl Iterator<Item = &'n str>) -> Vec<(&'n str, u32)> {
        let line = |name: &str| self.parsed.first_mention(&self.text, name).unwrap_or(1);
        variables.map(|name| (name, line(name))).collect()
    }
}
