//! Finds the machine's MPI and compiles programs with it.
//!
//! The compiler wrapper knows where MPI's headers and libraries are. The compiler under it is the one that everything else is
//! compiled with, as far as the wrapper lets itself be told:
//!
//! ```text
//! OMPI_CC=clang-19 MPICH_CC=clang-19 I_MPI_CC=clang-19  mpicc -O1 -w -fopenmp … sim.c -Iinclude -lm -o program
//! ```
//!
//! Kernels run on the host: what becomes of messages does not depend on where.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::toolchain::answer;
use super::super::{VerifyError, flags};
use crate::cleanup::{self, Folder};
use crate::llvm::on_search_path;

/// What the user says of the machine's MPI.
#[derive(Debug, Clone, Default)]
pub struct MpiNames {
    /// The compiler wrapper, with arguments if need be; default: `mpicc`.
    pub compiler: Option<OsString>,
    /// The launcher, with arguments if need be; default: `mpiexec` or `mpirun`, beside the wrapper or on the path.
    pub launcher: Option<OsString>,
}

/// A compiler wrapper and a launcher of one MPI.
#[derive(Debug, Clone)]
pub struct Mpi {
    compiler: CommandLine,
    pub(super) launcher: CommandLine,
}

/// A program and the arguments that come before all others.
#[derive(Debug, Clone)]
pub(super) struct CommandLine {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl CommandLine {
    pub(super) fn started(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }

    pub(super) fn name(&self) -> String {
        self.program.display().to_string()
    }
}

/// A program to compile and link.
pub(super) struct MpiBuild<'a> {
    pub clang: &'a Path,
    pub sources: &'a [PathBuf],
    pub flags: &'a [OsString],
    /// The version for `-fopenmp-version`.
    pub openmp_version: Option<u32>,
    /// The folder to compile in. `None` is the current folder.
    pub folder: Option<&'a Path>,
    /// The program to write.
    pub out: &'a Path,
    /// What is compiled, for messages.
    pub what: &'a str,
}

impl Mpi {
    /// Finds the wrapper and the launcher.
    ///
    /// # Errors
    /// [`VerifyError::NoMpi`] where one of them is not there.
    pub fn find(names: &MpiNames) -> Result<Mpi, VerifyError> {
        let no_mpi = |reason: &str| VerifyError::NoMpi {
            reason: reason.to_owned(),
        };
        let compiler = match named(names.compiler.as_deref(), "MPICC")? {
            Some(compiler) => compiler,
            None => of_names(&["mpicc".into()]).ok_or_else(|| no_mpi("there is no `mpicc` on the path"))?,
        };
        let launcher = match named(names.launcher.as_deref(), "MPIEXEC")? {
            Some(launcher) => launcher,
            None => {
                // Programs of one installation of MPI cannot be started by another one's launcher.
                let beside = compiler.program.parent().unwrap_or(Path::new("/"));
                let names = ["mpiexec", "mpirun"].map(PathBuf::from);
                let here = names.iter().map(|name| beside.join(name));
                let here: Vec<PathBuf> = here.filter(|file| file.is_file()).collect();
                of_names(&[here.as_slice(), names.as_slice()].concat())
                    .ok_or_else(|| no_mpi("there is neither `mpiexec` nor `mpirun` on the path"))?
            }
        };
        Ok(Mpi { compiler, launcher })
    }

    /// Compiles and links a program.
    ///
    /// # Errors
    /// [`VerifyError::Compile`] with the compiler's messages, or [`VerifyError::Io`] where it cannot be started.
    pub(super) fn make(&self, build: &MpiBuild<'_>) -> Result<(), VerifyError> {
        let mut command = self.compiler.started();
        for variable in ["OMPI_CC", "MPICH_CC", "I_MPI_CC"] {
            command.env(variable, build.clang);
        }
        command.args(["-O1", "-w"]).args(openmp(build)).args(build.sources);
        command.args(flags::of_both_forms(build.flags));
        command.arg("-lm").arg("-o").arg(build.out);
        if let Some(folder) = build.folder {
            command.current_dir(folder);
        }
        // The compiler, if killed, leaves its temporary files where they are.
        let scratch = Folder::new("ompmemopt-build-").map_err(VerifyError::io("make a temporary folder"))?;
        command.env("TMPDIR", scratch.path());
        let output = cleanup::output(&mut command);
        let output = output.map_err(VerifyError::io(format!("run {}", self.compiler.name())))?;
        if output.status.success() {
            return Ok(());
        }
        Err(VerifyError::Compile {
            what: build.what.to_owned(),
            output: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

/// Flags for OpenMP on the host, where there is a runtime for it: Debian's programs do not look in its folder by themselves.
fn openmp(build: &MpiBuild<'_>) -> Vec<OsString> {
    let library = answer(build.clang, &["-print-file-name=libomp.so"]).unwrap_or_default();
    let library = Path::new(library.trim());
    let (true, Ok(real)) = (library.is_absolute(), library.canonicalize()) else {
        return Vec::new();
    };
    let mut rpath = OsString::from("-Wl,-rpath,");
    rpath.push(real.parent().unwrap_or(Path::new("/")));
    let version = build
        .openmp_version
        .map(|version| format!("-fopenmp-version={version}"));
    let version = version.map(OsString::from);
    ["-fopenmp".into(), rpath].into_iter().chain(version).collect()
}

/// The first of these that is a program.
fn of_names(names: &[PathBuf]) -> Option<CommandLine> {
    let program = names.iter().find_map(|name| on_search_path(name))?;
    Some(CommandLine {
        // A path would be looked up anew from each folder that it is started in.
        program: std::path::absolute(&program).unwrap_or(program),
        arguments: Vec::new(),
    })
}

/// The command line that a variable has, if it has any.
fn named(value: Option<&OsStr>, variable: &str) -> Result<Option<CommandLine>, VerifyError> {
    let Some(value) = value else { return Ok(None) };
    let mut words = match value.to_str().and_then(shlex::split) {
        Some(words) => words.into_iter().map(OsString::from).collect(),
        None => vec![value.to_owned()],
    }
    .into_iter();
    let Some(first) = words.next() else { return Ok(None) };
    let found = of_names(&[PathBuf::from(&first)]).filter(|line| line.program.is_file());
    let line = found.ok_or_else(|| VerifyError::NoMpi {
        reason: format!("{variable} names `{}`, which is no program", first.display()),
    })?;
    Ok(Some(CommandLine {
        arguments: words.collect(),
        ..line
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_may_have_arguments() {
        let line = named(Some("sh -c 'a b'".as_ref()), "MPICC").unwrap().unwrap();
        assert!(line.program.is_absolute() && line.program.ends_with("sh"));
        assert_eq!(line.arguments, ["-c", "a b"]);
        assert!(named(Some("  ".as_ref()), "MPICC").unwrap().is_none());
        let error = named(Some("/nowhere/mpicc".as_ref()), "MPICC").unwrap_err().to_string();
        assert!(
            error.starts_with("MPICC names `/nowhere/mpicc`, which is no program; "),
            "{error}"
        );
    }
}
