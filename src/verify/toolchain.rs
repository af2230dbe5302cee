//! Finds the compiler, and what of the machine's set-up the builds need to know.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::VerifyError;
use super::runtime::{self, Runtime};
use crate::cleanup;
use crate::llvm_version::{LLVM_MAJOR, clang_names, llvm_versions};

/// The compiler and the runtime libraries of our own; cheap to share, costly to find: keep one per process.
#[derive(Debug)]
pub struct Toolchain {
    pub(super) clang: PathBuf,
    /// Where `libomptarget` lives: programs are linked to look there, as Debian's compiler does not do by itself.
    pub(super) omp_folder: PathBuf,
    /// Whether the gold linker is there. Linking takes a quarter of the time with it.
    pub(super) gold: bool,
    pub(super) runtime: Runtime,
}

impl Toolchain {
    /// The first of the [compilers](building_compilers) that can offload to the host; builds the runtime libraries unless they are in
    /// the user's cache folder (`$XDG_CACHE_HOME/ompmemopt`, else `~/.cache/ompmemopt`).
    ///
    /// # Errors
    /// [`VerifyError::Toolchain`] where the compiler or a part of it is missing, [`VerifyError::Io`] and
    /// [`VerifyError::Compile`] where the runtime libraries cannot be made.
    pub fn find(named: Option<&Path>) -> Result<Toolchain, VerifyError> {
        let mut first = None;
        for clang in building_compilers(named) {
            match Toolchain::with_clang(&clang) {
                Err(error @ VerifyError::Toolchain { .. }) => first = first.or(Some(error)),
                found => return found,
            }
        }
        Err(first.unwrap_or_else(|| VerifyError::Toolchain {
            reason: format!("no clang {LLVM_MAJOR} on the path"),
        }))
    }

    /// The toolchain of one compiler, given by name or path.
    ///
    /// # Errors
    /// As [`Toolchain::find`].
    pub fn with_clang(clang: &Path) -> Result<Toolchain, VerifyError> {
        // A path would be looked up anew from each folder that the compiler is started in.
        let clang = &if clang.components().count() > 1 {
            std::path::absolute(clang).map_err(VerifyError::io("find the current folder"))?
        } else {
            clang.to_owned()
        };
        let missing = |what: &str| VerifyError::Toolchain {
            reason: format!("{} has no {what}", clang.display()),
        };
        let version = answer(clang, &["--version"]).ok_or_else(|| VerifyError::Toolchain {
            reason: format!("{} does not run", clang.display()),
        })?;
        // The compiler answers with a bare name where it has no such file or program.
        let library = answer(clang, &["-print-file-name=libomptarget.so"]).unwrap_or_default();
        let library = Path::new(library.trim());
        if !library.is_absolute() {
            return Err(missing("OpenMP offload runtime (libomptarget)"));
        }
        let real = library.canonicalize().unwrap_or_else(|_| library.to_owned());
        let omp_folder = real.parent().unwrap_or(Path::new("/")).to_owned();
        let packager = answer(clang, &["-print-prog-name=clang-offload-packager"]).unwrap_or_default();
        if !Path::new(packager.trim()).is_absolute() {
            return Err(missing("offload packager (clang-offload-packager)"));
        }
        let gold = answer(clang, &["-print-prog-name=ld.gold"]).unwrap_or_default();
        let gold = Path::new(gold.trim()).is_absolute();
        let runtime = runtime::provide(clang, &version)?;
        Ok(Toolchain {
            clang: clang.to_owned(),
            omp_folder,
            gold,
            runtime,
        })
    }
}

/// The compilers that programs may be built with, best first: the one that the user has `named`, else those that are installed, first of the
/// version that analyses, then of the others that the tool can be built for. What a program does is not a matter of the version, and a
/// system may have an OpenMP runtime that offloads with one of them only, as Debian has for 19 and not for 22.
pub fn building_compilers(named: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let others = llvm_versions().rev().filter(|&version| version != LLVM_MAJOR);
    let found = std::iter::once(LLVM_MAJOR).chain(others).flat_map(|version| {
        clang_names(version)
            .map(PathBuf::from)
            .into_iter()
            .filter(move |name| major_version(name) == Some(version))
    });
    let named = named.map(Path::to_owned);
    let is_named = named.is_some();
    named.into_iter().chain(found.take_while(move |_| !is_named))
}

/// What `clang` prints on standard output when asked, or `None` where it does not run or fails.
pub(super) fn answer(clang: &Path, arguments: &[&str]) -> Option<String> {
    let output = cleanup::output(Command::new(clang).args(arguments)).ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn major_version(clang: &Path) -> Option<u32> {
    answer(clang, &["-dumpversion"])?.trim().split('.').next()?.parse().ok()
}
