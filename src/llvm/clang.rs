//! Finds clang and asks it: one function per question.
//!
//! **Two ways.** Starting clang takes longer than compiling most files. So each question first goes to clang's library in
//! this process ([`InProcess`]). What the library says no to, and what it cannot be asked, goes to the compiler itself
//! ([`Scratch`] holds the mechanics of a run), which also says why. Both get the same flags, from [`flags`](super::flags).
//!
//! **One snapshot.** A file may change while it is analysed, and a rewritten text must be checked before it is written.
//! So clang never reads the analysed file: it sees the bytes under the real path, whether a file is there or not. That
//! keeps `#include "x.h"`, `__FILE__`, messages and debug locations as they are for the user, which neither standard
//! input nor a copy elsewhere does.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::in_process::InProcess;
use super::input::{ClangOptions, Input, ReadAs};
use super::line_directives;
use super::raw::Bitcode;
use super::scratch::Scratch;
use super::search_path::on_search_path;
use super::stand_ins::{CUDA_PRELUDE, UPC_PRELUDE};
use super::{LlvmError, carried};
use crate::cleanup;
use crate::llvm_version::{LLVM_MAJOR, clang_names};

/// The compiler `named` by the user, else the one that this program carries, else the one that is [installed](installed_clang).
///
/// Errors: as [`installed_clang`].
pub fn find_clang(named: Option<&Path>) -> Result<PathBuf, LlvmError> {
    match (named, carried::compiler()) {
        (None, Some(own)) => Ok(own.to_owned()),
        _ => installed_clang(named),
    }
}

/// Finds an installed clang of the version that is linked: the compiler `named` by the user, else `clang-19` (of version 19), else `clang`
/// if that is its version.
///
/// A command that carries the version in its name is not asked for it: starting clang just for that takes a third as
/// long as compiling a file.
///
/// Errors: [`LlvmError::NoClang`], [`LlvmError::WrongVersion`], and [`LlvmError::CannotRun`] for a named compiler.
fn installed_clang(named: Option<&Path>) -> Result<PathBuf, LlvmError> {
    if let Some(clang) = named {
        let version = version_of(clang).map_err(|error| LlvmError::CannotRun {
            clang: clang.to_owned(),
            error,
        })?;
        return accept(clang, version);
    }
    let tried = clang_names(LLVM_MAJOR);
    if on_search_path(Path::new(&tried[0])).is_some() {
        return Ok(PathBuf::from(&tried[0]));
    }
    let mut wrong = None;
    for name in &tried {
        let clang = Path::new(name);
        let Ok(version) = version_of(clang) else { continue };
        match accept(clang, version) {
            Ok(found) => return Ok(found),
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    Err(wrong.unwrap_or(LlvmError::NoClang { tried: tried.to_vec() }))
}

fn accept(clang: &Path, version: String) -> Result<PathBuf, LlvmError> {
    if version.split('.').next().and_then(|major| major.parse().ok()) == Some(LLVM_MAJOR) {
        Ok(clang.to_owned())
    } else {
        Err(LlvmError::WrongVersion {
            clang: clang.to_owned(),
            found: version,
        })
    }
}

/// What follows `clang version ` in the first line that has it.
fn version_of(clang: &Path) -> std::io::Result<String> {
    let output = cleanup::output(Command::new(clang).arg("--version"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text
        .split("clang version ")
        .nth(1)
        .and_then(|rest| rest.split_whitespace().next());
    Ok(version.unwrap_or("of unknown version").to_owned())
}

/// The text after preprocessing, line markers included. With `openmp`, as `-fopenmp` sees it; otherwise with `_OPENMP`
/// defined by hand, which is what the analysis compiles. Equal inputs give equal outputs.
pub fn preprocess(clang: &Path, input: &Input, options: &ClangOptions, openmp: bool) -> Result<Vec<u8>, LlvmError> {
    let mut last = vec!["-w".to_owned(), "-E".to_owned()];
    last.extend(openmp_flags(options, openmp));
    preprocess_with(clang, input, options, &last)
}

fn preprocess_with(clang: &Path, input: &Input, options: &ClangOptions, last: &[String]) -> Result<Vec<u8>, LlvmError> {
    let text = input.bytes(options)?;
    if let Some(here) = InProcess::new(clang, input, &text, options) {
        match here.preprocess(last) {
            Some(output) => return Ok(output),
            None => may_ask_compiler(input, options)?,
        }
    }
    let scratch = Scratch::new(input, &text, options)?;
    let output = scratch.run(clang, input, options, last)?;
    let mut named = Vec::with_capacity(output.len());
    for line in output.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"# ") {
            named.extend_from_slice(scratch.rename(line, input).as_bytes());
        } else {
            named.extend_from_slice(line);
        }
    }
    Ok(named)
}

/// As [`preprocess`] with OpenMP, for what a file declares: the markers count the lines of the file as it is, whatever its
/// `#line` directives say, and macros' definitions stay where they are.
pub fn preprocess_in_place(clang: &Path, input: &Input, options: &ClangOptions) -> Result<Vec<u8>, LlvmError> {
    let text = input.bytes(options)?;
    let (text, _) = line_directives::blank(&text);
    let mut last = ["-w", "-E", "-dD"].map(str::to_owned).to_vec();
    last.extend(openmp_flags(options, true));
    preprocess_with(clang, &Input::text(input.path, &text), options, &last)
}

/// Whether clang accepts the text; with `openmp`, its directives too. Errors: [`LlvmError::Rejected`] with the reasons.
pub fn syntax_only(clang: &Path, input: &Input, options: &ClangOptions, openmp: bool) -> Result<(), LlvmError> {
    let mut last = vec!["-w".to_owned(), "-fsyntax-only".to_owned()];
    last.extend(openmp_flags(options, openmp));
    let text = input.bytes(options)?;
    if InProcess::new(clang, input, &text, options).is_some_and(|here| here.accepts(&last)) {
        return Ok(());
    }
    Scratch::new(input, &text, options)?
        .run(clang, input, options, &last)
        .map(drop)
}

/// What the compiler made of a text, as `T`.
pub(super) struct Compiled<T> {
    /// The module.
    pub module: T,
    /// Unused functions are not in it.
    pub unused_missing: bool,
    /// The other files that were read.
    pub dependencies: Vec<PathBuf>,
}

/// Compiles `text` in the form that the analyses read.
///
/// `-femit-all-decls` keeps unused `static` functions, which are rewritten too; where a header does not survive that (the
/// vector intrinsics have bodies for other processors) it is left out.
pub(super) fn compile(
    clang: &Path,
    input: &Input,
    text: &[u8],
    options: &ClangOptions,
    read: ReadAs,
) -> Result<Compiled<Bitcode>, LlvmError> {
    if let Some(here) = InProcess::new(clang, input, text, options) {
        for &all_functions in ways(read) {
            if let Some((module, dependencies)) = here.compile(&compile_flags(options, all_functions, read)) {
                return Ok(Compiled {
                    module,
                    unused_missing: !all_functions,
                    dependencies,
                });
            }
        }
        may_ask_compiler(input, options)?;
    }
    let compiled = bitcode(clang, input, text, options, read)?;
    let module = Bitcode::read(&compiled.module).map_err(|message| LlvmError::BadBitcode {
        file: input.path.to_owned(),
        message,
    })?;
    Ok(Compiled {
        module,
        unused_missing: compiled.unused_missing,
        dependencies: compiled.dependencies,
    })
}

/// Where headers are not what they are, nobody is told why the library says no.
fn may_ask_compiler(input: &Input, options: &ClangOptions) -> Result<(), LlvmError> {
    match options.instead {
        None => Ok(()),
        Some(_) => Err(LlvmError::Rejected {
            file: input.path.to_owned(),
            stderr: String::new(),
        }),
    }
}

/// As [`compile`], by the compiler itself.
pub(super) fn bitcode(
    clang: &Path,
    input: &Input,
    text: &[u8],
    options: &ClangOptions,
    read: ReadAs,
) -> Result<Compiled<Vec<u8>>, LlvmError> {
    let scratch = Scratch::new(input, text, options)?;
    let run = |all_functions: bool| {
        let flags = compile_flags(options, all_functions, read);
        let (module, dependencies) = scratch.run_noting_files(clang, input, options, &flags)?;
        Ok(Compiled {
            module,
            unused_missing: !all_functions,
            dependencies,
        })
    };
    let (first, others) = (run(ways(read)[0]), &ways(read)[1..]);
    match first {
        Err(LlvmError::Rejected { file, stderr }) if !others.is_empty() => match run(false) {
            Err(LlvmError::Rejected { .. }) => Err(LlvmError::Rejected { file, stderr }),
            other => other,
        },
        other => other,
    }
}

/// What a macro makes is where the macro is used, all of it. Since clang 22 an argument is where the argument is.
const PLACES_OF_MACROS: &[&str] = match LLVM_MAJOR {
    ..22 => &[],
    _ => &["-Xclang", "-debug-info-macro-expansion-loc"],
};

/// Contraction and `errno` are off: they would hide `a*b+c` in an intrinsic and let `sqrt` write memory, and neither
/// matters to where data must be.
pub(super) fn compile_flags(options: &ClangOptions, all_functions: bool, read: ReadAs) -> Vec<String> {
    let mut flags: Vec<String> = [
        "-w",
        "-g",
        "-O0",
        "-Xclang",
        "-disable-O0-optnone",
        "-fno-discard-value-names",
    ]
    .into_iter()
    .chain(["-fno-math-errno", "-ffp-contract=off", "-emit-llvm", "-c", "-o", "-"])
    .chain(PLACES_OF_MACROS.iter().copied())
    .map(str::to_owned)
    .collect();
    match read {
        ReadAs::Sequential | ReadAs::Threads => flags.extend(openmp_flags(options, read == ReadAs::Threads)),
        ReadAs::Cuda => flags.extend(CUDA_FLAGS.map(str::to_owned)),
        ReadAs::Upc => flags.extend(UPC_FLAGS.map(str::to_owned)),
    }
    if all_functions {
        flags.push("-femit-all-decls".to_owned());
    }
    flags
}

/// Whether unused functions are compiled as well, in the order in which that is tried. Libraries of C++ have too many of them.
fn ways(read: ReadAs) -> &'static [bool] {
    match read {
        ReadAs::Cuda => &[false],
        _ => &[true, false],
    }
}

/// What runs on the device is compiled, without an installation of CUDA: what that would declare is in a header of ours.
const CUDA_FLAGS: [&str; 10] = [
    "-x",
    "cuda",
    "--cuda-device-only",
    "--cuda-gpu-arch=sm_70",
    // Where no CUDA is installed clang takes the oldest version of its assembly, which does not go with this processor.
    "--cuda-feature=+ptx60",
    "-nocudainc",
    "-nocudalib",
    "-fdeclspec",
    "-include",
    CUDA_PRELUDE,
];
/// What a compiler of UPC would declare is in a header of ours. Old programs call what they have not declared.
const UPC_FLAGS: [&str; 3] = ["-Wno-implicit-function-declaration", "-include", UPC_PRELUDE];

/// `-fopenmp` of the wanted version, or the macro it defines alone.
fn openmp_flags(options: &ClangOptions, openmp: bool) -> Vec<String> {
    if !openmp {
        return vec![format!("-D_OPENMP={}", options.openmp_version)];
    }
    let version = match options.openmp_version {
        ..=201_510 => 40,
        201_511..=201_810 => 45,
        201_811..=202_010 => 50,
        202_011..=202_110 => 51,
        202_111..=202_410 => 52,
        _ => 60,
    };
    vec!["-fopenmp".to_owned(), format!("-fopenmp-version={version}")]
}
