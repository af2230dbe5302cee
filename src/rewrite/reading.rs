//! The per-file part of a run: the facts, which need clang or the store, and the scope tree.

use super::services::Services;
use super::unit::{FileError, GivenUnit, Unit};
use crate::facts::{self, Dependency, ParsedText, UnitFacts};
use crate::plan::{FileText, PlanOptions};
use crate::program::header::Header;
use crate::program::included::IncludedBody;
use crate::program::ir::Module;
use crate::source::Span;
use crate::syntax::ScopeTree;
use blake3::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

/// What is known of one file by itself, but for its module.
#[derive(Debug)]
pub(super) struct ParsedFile {
    parsed: Arc<ParsedText>,
    /// What the compiler said that concerns the whole file.
    pub notes: Vec<String>,
    /// Equal for equal text, options, compiler and files read by clang.
    pub identity: Hash,
    /// Headers with functions that start kernels.
    pub headers: Vec<Header>,
    /// Functions with parts of their bodies from other files.
    pub bodies: Vec<IncludedBody>,
    /// The branches of `#if` that do not count.
    pub inactive: Vec<Span>,
    /// The other files that clang read.
    pub dependencies: Vec<Dependency>,
}

impl ParsedFile {
    /// The file's scope tree.
    pub fn tree(&self) -> &ScopeTree {
        &self.parsed.tree
    }

    /// The file as the planners read it: a text of it, where that lies, and what plans may do.
    pub fn file_text<'f>(&'f self, path: &'f Path, text: &'f [u8], options: &'f PlanOptions) -> FileText<'f> {
        FileText {
            path,
            text,
            tree: self.tree(),
            headers: &self.headers,
            bodies: &self.bodies,
            options,
            context: false,
        }
    }
}

/// Reads a file.
pub(super) fn read(given: GivenUnit<'_>, services: &Services<'_>) -> Result<(ParsedFile, Module), FileError> {
    let unit = given.unit;
    let file = unit.file();
    let source = unit.source(&file);
    let found = match given.facts {
        Some(facts) => facts,
        None => services.store.facts(&source)?,
    };
    let mut hasher = Hasher::new();
    // Facts made elsewhere may be another compiler's; what is asked now, this one answers.
    hasher.update(source.hash().as_bytes());
    hasher.update(found.identity().as_bytes());
    let UnitFacts {
        inactive,
        dependencies,
        mut module,
        ..
    } = found;
    if !unit.is_source() {
        is_seen_by_all(&mut module);
    }
    let parsed = services.store.parsed(unit.text, &inactive);
    let read = ParsedFile {
        bodies: facts::bodies(&module, unit.text, &parsed.tree, &inactive, &unit.options.compile),
        parsed,
        notes: notes(&unit, &mut module),
        identity: hasher.finalize(),
        headers: facts::headers(&module, &unit.options.compile),
        inactive,
        dependencies,
    };
    Ok((read, module))
}

/// Whatever includes a header may call what is in it.
fn is_seen_by_all(module: &mut Module) {
    module
        .functions
        .iter_mut()
        .for_each(|f| Arc::make_mut(f).internal = false);
    let own = module.globals.iter_mut().filter(|g| g.source_type.is_some());
    own.for_each(|g| g.internal = false);
}

/// Takes the module's notes. They are said of files that the tool has something to say about.
fn notes(unit: &Unit<'_>, module: &mut Module) -> Vec<String> {
    let notes = std::mem::take(&mut module.notes);
    match unit.mentions_target() || !unit.options.dumps.is_empty() {
        true => notes,
        false => Vec::new(),
    }
}
