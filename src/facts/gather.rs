//! The per-file part: what clang says of a file, and which `#if` branches count.

use super::declared::{bodies, declared, headers, includes_own};
use super::disk::Disk;
use super::header_texts::header_texts;
use super::parsed_texts::ParsedTexts;
use super::source::{UnitSource, absolute};
use super::unit::{Dependency, UnitFacts};
use super::unseen;
use super::written_down::WrittenDown;
use crate::llvm::{self, Analysed, BuildScope, ClangOptions, Input, LlvmError};
use crate::program::ir::{Declarations, Unseen};
use crate::source::Span;
use crate::syntax;
use std::sync::Arc;
use std::time::SystemTime;

/// Asks clang for the facts of a file.
///
/// # Errors
/// The errors of [`llvm::analyse_file`].
pub fn gather(source: &UnitSource<'_>, disk: &Disk, texts: &ParsedTexts) -> Result<UnitFacts, LlvmError> {
    let started = SystemTime::now();
    let input = Input::text(source.name, source.text);
    let declare = || declared(source.clang, &input, source.options);
    let plain = || llvm::analyse(source.clang, &input, source.options);
    // Which words are macros the preprocessor says.
    let first = may_hide(source.text).then(declare);
    let inactive = inactive(source, first.as_ref().and_then(|declared| declared.as_ref().ok()));
    let (analysed, declared, more) = match &inactive {
        Ok(spans) if first.is_some() || !spans.is_empty() => match first.unwrap_or_else(declare) {
            Ok(declared) => {
                let (analysed, more) = analyse(source, spans, &declared, texts)?;
                (Ok(analysed), Ok(declared), more)
            }
            error => (plain(), error, More::default()),
        },
        _ => std::thread::scope(|scope| {
            let analysed = scope.spawn(plain);
            let declared = first.unwrap_or_else(declare);
            let analysed = analysed.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (analysed, declared, More::default())
        }),
    };
    // clang's reasons for not compiling a file are better than those for not preprocessing it.
    let mut analysed = analysed?;
    let (inactive, mut declared) = (inactive?, declared?);
    declared.unseen.extend(more.unseen);
    declared.elsewhere = more.elsewhere;
    declared.definitions = Arc::default();
    declared.unseen.extend(unseen::of_linker(&source.options.flags));
    analysed.module.declare(declared);
    analysed
        .module
        .mistrust_globals(&unseen::symbols_of_linker(&source.options.flags));
    let module = &analysed.module;
    if module
        .functions
        .iter()
        .any(|f| f.header.is_some() || !f.included.is_empty())
    {
        let parsed = texts.parsed(source.text, &inactive);
        let bodies = bodies(module, source.text, &parsed.tree, &inactive, source.options);
        let elsewhere = unseen::elsewhere(&headers(module, source.options), &bodies, &module.declared.macros);
        analysed.module.mark_unseen(&elsewhere);
    }
    let dependencies = analysed.dependencies.into_iter().map(|path| Dependency {
        hash: disk.hash_before(&path, started),
        path,
    });
    Ok(UnitFacts {
        file: absolute(source.file),
        name: source.name.to_owned(),
        options: ClangOptions {
            working_dir: absolute(&source.options.working_dir),
            unsaved: Arc::default(),
            ..source.options.clone()
        },
        inputs: source.hash(),
        text: blake3::hash(source.text),
        dependencies: dependencies.collect(),
        inactive,
        module: analysed.module,
    })
}

/// What a file does that is not in its IR.
#[derive(Default)]
struct More {
    /// Functions that do more, and why.
    unseen: Vec<(String, Unseen)>,
    /// [`Declarations::elsewhere`].
    elsewhere: Vec<String>,
}

/// The plain IR of a file with what the compiler would not see in its text, and what is not in there.
fn analyse(
    source: &UnitSource<'_>,
    inactive: &[Span],
    declared: &Declarations,
    texts: &ParsedTexts,
) -> Result<(Analysed, More), LlvmError> {
    let parsed = texts.parsed(source.text, inactive);
    let tree = &parsed.tree;
    let headers = match source.options.builds {
        BuildScope::All => header_texts(source, tree, declared, texts),
        BuildScope::This => Ok(Vec::new()),
    };
    let unread = headers.is_err().then(|| {
        let why = "which branches of `#if` count in the headers of its file is not known";
        (Declarations::ALL.to_owned(), Unseen::because(why))
    });
    let headers = headers.unwrap_or_default();
    let told = WrittenDown::of(source, tree, &headers, declared);
    let (analysed, unwritten) = told.analyse(source, &headers)?;
    let mut unseen = told.unseen(declared, unwritten);
    unseen.extend(unread);
    if source.options.builds == BuildScope::All && told.has_unread(&analysed.module, unwritten) {
        let why = "a macro defines it, and another build may compile something else in it";
        let defined = analysed.module.functions.iter().filter(|f| !f.declaration);
        let others = defined.filter(|f| !told.has_function(&f.name));
        unseen.extend(others.map(|f| (f.name.clone(), Unseen::because(why))));
    }
    let elsewhere = told.defined_elsewhere(&analysed.module);
    Ok((analysed, More { unseen, elsewhere }))
}

/// Whether a text, or what it includes, may do what the compiler would not see in it. Cheap, and never wrongly false.
fn may_hide(text: &[u8]) -> bool {
    let mentions = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
    mentions(b"omp") || mentions(b"#define") || includes_own(text)
}

/// The branches of `#if` that this build leaves out.
fn inactive(source: &UnitSource<'_>, declared: Option<&Declarations>) -> Result<Vec<Span>, LlvmError> {
    let (marked, branches) = syntax::marked_text(source.text);
    if branches.is_empty() {
        return Ok(Vec::new());
    }
    let name = source.name.to_string_lossy();
    if let Some(active) = declared.and_then(|d| d.definitions.active(&name, source.text, &branches)) {
        return Ok(syntax::inactive_spans(&branches, &active));
    }
    let input = Input::text(source.name, &marked);
    let surviving = llvm::surviving_markers(source.clang, &input, source.options)?;
    Ok(syntax::inactive_spans(&branches, &surviving))
}
