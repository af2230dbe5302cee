//! The one door to clang and LLVM: a C file goes in, [plain IR](crate::program::ir) comes out.
//!
//! [`analyse_file`] compiles one translation unit **without** `-fopenmp` (so that kernels stay in line, where one flow
//! analysis sees host and device code) but with `_OPENMP` defined, at `-O0`, with debug information and value names. It
//! walks the module and copies out what the analyses want. Nothing is promoted to registers: each use of a scalar stays
//! a load at its place in the text, which [`ir`] explains.
//!
//! ```text
//! text ─► clang.rs ─┬► in_process (clang's library) ─► module ──┬► raw/ (safe handles) ─► symbols ─► globals ─► functions ─► insts
//!                   └► scratch (clang -emit-llvm) ─► bitcode ───┘       debug (places, source types) ─┴─ types ─┴─ records (field names)
//! ```
//!
//! The other questions for clang are here too: [`syntax_only`] (does it accept this text, with its directives?),
//! [`preprocess`], and [`surviving_markers`] (which `#if` branches are active).
//!
//! **Invariants.** No LLVM type leaves this folder, and `unsafe` stays in `raw/`. Every call has an LLVM context of its
//! own, so calls may run on any number of threads. Of the environment only `PATH` is read. The order of everything handed out
//! is the order of the module, which follows the text.

mod as_clang;
mod carried;
mod clang;
mod debug;
mod dependencies;
mod error;
mod flags;
mod functions;
mod globals;
mod in_process;
mod input;
mod insts;
mod intrinsics;
mod line_directives;
mod markers;
mod raw;
mod records;
mod scratch;
mod search_path;
mod stand_ins;
mod symbols;
#[cfg(test)]
mod tests;
mod types;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use as_clang::run_as_clang;
pub use carried::{compiler as carried_compiler, is_c_library_carried};
pub use clang::{find_clang, preprocess, preprocess_in_place, syntax_only};
pub use dependencies::file_named;
pub use error::LlvmError;
pub use input::{BuildScope, ClangOptions, Input, Instead, ReadAs};
pub use markers::surviving_markers;
pub use search_path::on_search_path;

use crate::program::ir;
use crate::program::linker_names::BY_ASSEMBLER_NAME;
use debug::Debug;
use functions::AttributeKinds;
use raw::{Bitcode, Layout, Metadata};
use symbols::ModuleSymbols;
use types::Types;

/// Prepares the process for clang's and LLVM's use of memory. Once, at its start; leaving it out costs time only.
pub fn prepare() {
    raw::grow_in_large_steps();
}

/// The plain IR of a file. `clang` is what [`find_clang`] returned.
///
/// Errors: [`LlvmError::Rejected`] when clang does not compile it, [`LlvmError::Unreadable`],
/// [`LlvmError::CannotRun`], [`LlvmError::BadBitcode`].
pub fn analyse_file(clang: &Path, input: &Input, options: &ClangOptions) -> Result<ir::Module, LlvmError> {
    analyse(clang, input, options).map(|analysed| analysed.module)
}

/// What [`analyse`] found.
#[derive(Clone, Debug)]
pub struct Analysed {
    /// The file's plain IR.
    pub module: ir::Module,
    /// The other files that clang read, its own headers included: absolute, sorted, each once. Links are not resolved.
    pub dependencies: Vec<PathBuf>,
}

/// As [`analyse_file`], and which other files the answer depends on.
pub fn analyse(clang: &Path, input: &Input, options: &ClangOptions) -> Result<Analysed, LlvmError> {
    let text = input.bytes(options)?;
    let (text, line_directives) = line_directives::blank(&text);
    let clang::Compiled {
        module: bitcode,
        unused_missing,
        dependencies,
    } = clang::compile(clang, input, &text, options, ReadAs::Sequential)?;
    let mut module = ModuleReader::new(&bitcode, &text, options).module();
    if line_directives > 0 {
        module.notes.push(format!(
            "{line_directives} #line directives were ignored: positions are those of the file"
        ));
    }
    if unused_missing {
        module
            .notes
            .push("unused static functions were not analysed: a header does not compile with them".to_owned());
    }
    if bitcode.has_module_asm() {
        // Assembly may use the module's variables by the names that they have ([`ir::Global::in_section`]).
        module.notes.push("assembly at file scope was not analysed".to_owned());
    }
    Ok(Analysed { module, dependencies })
}

/// The plain IR of a file for who asks what threads do: of C as it is compiled **with** `-fopenmp`, where bodies of parallel regions are
/// functions and what directives do are calls of the runtime; of CUDA what runs on the device.
///
/// # Errors
/// As [`analyse_file`]; clang may say no to directives.
pub fn analyse_as(read: ReadAs, clang: &Path, input: &Input, options: &ClangOptions) -> Result<ir::Module, LlvmError> {
    let text = input.bytes(options)?;
    let (text, _) = line_directives::blank(&text);
    let compiled = clang::compile(clang, input, &text, options, read)?;
    Ok(ModuleReader::new(&compiled.module, &text, options).module())
}

/// Whether a text has a `#pragma clang section`, which the IR tells of no variable by name.
fn names_sections(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    { text.lines() }.any(|line| line.contains("pragma") && line.contains("clang") && line.contains("section"))
}

/// The file that the system runs for a compiler that [`find_clang`] returned, links resolved.
pub fn compiler_file(clang: &Path) -> Option<PathBuf> {
    on_search_path(clang)?.canonicalize().ok()
}

/// What the conversion of one module shares.
struct ModuleReader<'m> {
    layout: Layout<'m>,
    symbols: ModuleSymbols<'m>,
    types: Types<'m>,
    debug: Debug<'m>,
    attribute_kinds: AttributeKinds,
    /// There is assembly at file scope.
    assembly: bool,
    /// Id of `llvm.loop`.
    loop_kind: u32,
    /// Types of variables and functions met so far, where records are looked for.
    type_roots: Vec<Metadata<'m>>,
    /// What the text calls functions and variables that it defines under another name for the assembler.
    renamed: Vec<String>,
}

impl<'m> ModuleReader<'m> {
    fn new(bitcode: &'m Bitcode, text: &'m [u8], options: &'m ClangOptions) -> ModuleReader<'m> {
        let layout = bitcode.layout();
        ModuleReader {
            layout,
            symbols: ModuleSymbols::new(bitcode),
            types: Types::new(layout),
            debug: Debug::new(bitcode, text, options),
            attribute_kinds: AttributeKinds::new(),
            assembly: bitcode.has_module_asm() || names_sections(text),
            loop_kind: layout.metadata_kind("llvm.loop"),
            type_roots: Vec::new(),
            renamed: Vec::new(),
        }
    }

    fn module(mut self) -> ir::Module {
        let globals = std::mem::take(&mut self.symbols.global_order);
        let mut globals: Vec<ir::Global> = globals.into_iter().map(|global| self.global(global)).collect();
        let functions = std::mem::take(&mut self.symbols.function_order);
        let mut functions: Vec<ir::Function> = functions
            .into_iter()
            .map(|(function, name)| self.function(function, name))
            .collect();
        // What the assembler calls so the text calls otherwise: there that name means something else.
        let renamed = |name: &String| self.renamed.contains(name);
        let names = globals.iter_mut().filter(|g| g.external).map(|g| &mut g.name);
        let names = names.chain(functions.iter_mut().filter(|f| f.declaration).map(|f| &mut f.name));
        names
            .filter(|name| renamed(name))
            .for_each(|name| name.push_str(BY_ASSEMBLER_NAME));
        self.type_roots
            .extend(self.debug.unit.into_iter().flat_map(Metadata::retained_types));
        records::name_fields(&mut self.types.structs, self.type_roots, &mut self.debug);
        ir::Module {
            functions: functions.into_iter().map(Arc::new).collect(),
            globals,
            structs: self.types.structs,
            notes: Vec::new(),
            declared: ir::Declarations::default(),
            units: Vec::new(),
        }
    }
}
