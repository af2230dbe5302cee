//! The per-file part: what clang says of a file, and which `#if` branches count.

use super::choices::{Choices, choices};
use super::declared::{bodies, declared, headers};
use super::disk::Disk;
use super::evaluations::{Evaluations, evaluations, written};
use super::idle_macros::IdleMacros;
use super::left_out::{FileName, LeftOutBranches, Page};
use super::unit::{Dependency, UnitFacts};
use super::unseen;
use crate::llvm::{self, Analysed, ClangOptions, Input, LlvmError};
use crate::program::ir::{Declarations, Unseen};
use crate::source::Span;
use crate::syntax;
use blake3::{Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What the facts of a file are made of.
#[derive(Clone, Copy, Debug)]
pub struct UnitSource<'a> {
    /// The compiler, as [`llvm::find_clang`] returned it.
    pub clang: &'a Path,
    /// The file on disk.
    pub file: &'a Path,
    /// Its name for the compiler.
    pub name: &'a Path,
    /// Its text.
    pub text: &'a [u8],
    /// How it is compiled.
    pub options: &'a ClangOptions,
}

impl UnitSource<'_> {
    /// A hash of all of this, and of which file the compiler is. What the text includes is not in it.
    pub fn hash(&self) -> Hash {
        let mut hasher = Hasher::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        let compiler = llvm::compiler_file(self.clang);
        if let Some((file, metadata)) = compiler.and_then(|file| Some((file.clone(), file.metadata().ok()?))) {
            part(file.as_os_str().as_bytes());
            part(&metadata.len().to_le_bytes());
            part(&metadata.mtime().to_le_bytes());
            part(&metadata.mtime_nsec().to_le_bytes());
        } else {
            part(self.clang.as_os_str().as_bytes());
        }
        part(absolute(self.file).as_os_str().as_bytes());
        part(self.name.as_os_str().as_bytes());
        part(absolute(&self.options.working_dir).as_os_str().as_bytes());
        part(&self.options.openmp_version.to_le_bytes());
        part(&(self.options.flags.len() as u64).to_le_bytes());
        for flag in &self.options.flags {
            part(flag.as_bytes());
        }
        part(self.text);
        hasher.finalize()
    }
}

/// Asks clang for the facts of a file.
///
/// # Errors
/// Those of [`llvm::analyse_file`].
pub fn gather(source: &UnitSource<'_>, disk: &Disk) -> Result<UnitFacts, LlvmError> {
    let started = SystemTime::now();
    let input = Input::text(source.name, source.text);
    let inactive = inactive(source);
    let declare = || declared(source.clang, &input, source.options);
    let (analysed, declared, told) = match &inactive {
        Ok(spans) if mentions(source.text, b"omp") || mentions(source.text, b"#define") || !spans.is_empty() => {
            let declared = declare();
            // Which words are macros the preprocessor says.
            let told = { declared.as_ref().ok() }.map(|declared| WrittenDown::of(source, spans, declared));
            (analyse(source, told.as_ref()), declared, told)
        }
        _ => std::thread::scope(|scope| {
            let analysed = scope.spawn(|| analyse(source, None));
            let declared = declare();
            let analysed = analysed.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (analysed, declared, None)
        }),
    };
    // clang's reasons for not compiling a file are better than those for not preprocessing it.
    let (mut analysed, unwritten) = analysed?;
    let (inactive, mut declared) = (inactive?, declared?);
    if let Some(told) = &told {
        let unseen = unseen::of_directives(&told.evaluated, &declared, unwritten.evaluated);
        declared.unseen.extend(unseen);
        declared.unseen.extend(told.left_out.unseen.iter().cloned());
        let why = "a branch of `#if` that this build leaves out names what is not declared where it stands";
        let branches = told.left_out.written.iter().filter(|_| unwritten.left_out);
        declared
            .unseen
            .extend(branches.map(|name| (name.clone(), Unseen::because(why))));
        let why = "a macro in it does something in another build that cannot be written down where it stands";
        let functions = told.idle_macros.functions.iter().filter(|_| unwritten.idle_macros);
        declared
            .unseen
            .extend(functions.map(|name| (name.clone(), Unseen::because(why))));
        let why = "a condition in it, which macros decide, cannot be left open where it stands";
        let functions = told.choices.functions.iter().filter(|_| unwritten.choices);
        declared
            .unseen
            .extend(functions.map(|name| (name.clone(), Unseen::because(why))));
    }
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
        let tree = syntax::parse(source.text, &inactive);
        let bodies = bodies(module, (source.text, &tree, &inactive), source.options);
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
            ..source.options.clone()
        },
        inputs: source.hash(),
        text: blake3::hash(source.text),
        dependencies: dependencies.collect(),
        inactive,
        module: analysed.module,
    })
}

/// What a text does that the compiler would not see in it.
struct WrittenDown {
    evaluated: Evaluations,
    left_out: LeftOutBranches,
    idle_macros: IdleMacros,
    choices: Choices,
}

/// Which parts of that do not compile where they stand, and are not in the IR.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Unwritten {
    evaluated: bool,
    left_out: bool,
    idle_macros: bool,
    choices: bool,
}

impl WrittenDown {
    fn of(source: &UnitSource<'_>, inactive: &[Span], declared: &Declarations) -> WrittenDown {
        let text = source.text;
        let tree = syntax::parse(text, inactive);
        let evaluated = evaluations(text, &tree, &declared.macros);
        let variables = declared.names.iter().filter_map(|d| {
            Some(FileName {
                name: &d.name,
                from_line: d.from?.line,
            })
        });
        let variables: Vec<FileName<'_>> = variables.collect();
        let page = Page {
            text,
            tree: &tree,
            defined: &declared.macros,
            variables: &variables,
        };
        let (left_out, idle_macros) = (page.left_out(), page.idle_macros());
        let choices = choices(text, &tree, &declared.own_macros, &source.name.to_string_lossy());
        WrittenDown {
            evaluated,
            left_out,
            idle_macros,
            choices,
        }
    }

    /// What texts for the compiler may leave unsaid, those that say more first; the last one is the text as it is.
    fn attempts(&self) -> Vec<Unwritten> {
        let mut left = Unwritten::default();
        let mut attempts = vec![left];
        left.idle_macros = !self.idle_macros.edits.is_empty();
        attempts.push(left);
        left.choices = !self.choices.edits.is_empty();
        attempts.push(left);
        left.left_out = !self.left_out.edits.is_empty();
        attempts.push(left);
        left.evaluated = !self.evaluated.edits.is_empty();
        attempts.push(left);
        attempts.dedup();
        attempts
    }

    /// The text for the compiler that leaves this unsaid.
    fn text(&self, text: &[u8], unwritten: Unwritten) -> Vec<u8> {
        let parts = [
            (&self.evaluated.edits, unwritten.evaluated),
            (&self.left_out.edits, unwritten.left_out),
            (&self.idle_macros.edits, unwritten.idle_macros),
            (&self.choices.edits, unwritten.choices),
        ];
        let edits = parts
            .into_iter()
            .filter(|(_, unwritten)| !unwritten)
            .flat_map(|(edits, _)| edits.clone());
        written(text, &edits.collect::<Vec<_>>())
    }
}

/// The plain IR of a file, with what its directives evaluate and what branches that are left out use; what of that could not be
/// compiled, and is not in there.
fn analyse(source: &UnitSource<'_>, told: Option<&WrittenDown>) -> Result<(Analysed, Unwritten), LlvmError> {
    let attempts = told.map_or_else(Vec::new, WrittenDown::attempts);
    if let (Some(told), Some((last, others))) = (told, attempts.split_last()) {
        for unwritten in others {
            let text = told.text(source.text, *unwritten);
            let mut options = source.options.clone();
            if !unwritten.choices {
                options.flags.extend(told.choices.flags.iter().cloned());
            }
            if let Ok(analysed) = llvm::analyse(source.clang, &Input::text(source.name, &text), &options) {
                return Ok((analysed, *unwritten));
            }
        }
        let input = Input::text(source.name, source.text);
        return Ok((llvm::analyse(source.clang, &input, source.options)?, *last));
    }
    let input = Input::text(source.name, source.text);
    Ok((
        llvm::analyse(source.clang, &input, source.options)?,
        Unwritten::default(),
    ))
}

fn mentions(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|w| w == word)
}

fn inactive(source: &UnitSource<'_>) -> Result<Vec<Span>, LlvmError> {
    let (marked, branches) = syntax::marked_text(source.text);
    if branches.is_empty() {
        return Ok(Vec::new());
    }
    let input = Input::text(source.name, &marked);
    let surviving = llvm::surviving_markers(source.clang, &input, source.options)?;
    Ok(syntax::inactive_spans(&branches, &surviving))
}

/// The path from the root; an empty one is the current folder.
fn absolute(path: &Path) -> PathBuf {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
