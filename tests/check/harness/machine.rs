//! The compiler and the device, and runs of one program on both sides.

use ompmemopt::inside::llvm::find_clang;
use ompmemopt::inside::verify::{BuildKind, BuildSpec, Mode, RunSpec, Toolchain, compare};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// What is looked for once, by the first trial that needs it.
#[derive(Default)]
pub struct Shared(OnceLock<Result<Machine, String>>);

impl Shared {
    /// The machine.
    ///
    /// # Errors
    /// What is missing.
    pub fn machine(&self) -> Result<&Machine, String> {
        self.0.get_or_init(Machine::find).as_ref().map_err(Clone::clone)
    }
}

/// A compiler, and the device that it compiles for.
pub struct Machine {
    /// The compiler.
    pub clang: PathBuf,
    toolchain: Toolchain,
}

/// A program to be run.
pub struct Program<'a> {
    /// The C file.
    pub source: &'a Path,
    /// Flags for the compiler.
    pub flags: &'a [String],
    /// Lists of arguments; never empty.
    pub runs: &'a [Vec<String>],
}

impl Machine {
    fn find() -> Result<Machine, String> {
        let named = std::env::var_os("OMPMEMOPT_CLANG").filter(|name| !name.is_empty());
        let clang = find_clang(named.as_deref().map(Path::new)).map_err(|e| e.to_string())?;
        let toolchain = Toolchain::find(named.as_deref().map(Path::new)).map_err(|e| e.to_string())?;
        Ok(Machine { clang, toolchain })
    }

    /// In what a program on the device differs from the sequential `reference`: one line for each run in which it does.
    ///
    /// # Errors
    /// Why the reference says nothing: it does not build, does not end in time, or prints nothing.
    pub fn differences(&self, reference: &Program<'_>, device: &Path, modes: &[Mode]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let sequential = folder.path().join("sequential");
        let offload = folder.path().join("offload");
        self.build(reference.source, reference.flags, BuildKind::Sequential, &sequential)?;
        if let Err(message) = self.build(device, reference.flags, BuildKind::Offload, &offload) {
            return Err(format!("does not build: {message}"));
        }
        let mut found = Vec::new();
        for arguments in reference.runs {
            let spec = |mode: Mode| RunSpec {
                mode,
                args: arguments.iter().map(Into::into).collect(),
                timeout: Duration::from_secs(20),
                ..RunSpec::default()
            };
            let run = |exe: &Path, mode: Mode| self.toolchain.run(exe, &spec(mode)).map_err(|e| e.to_string());
            let expected = run(&sequential, Mode::Plain)?;
            if expected.stdout.is_empty() {
                return Err("the sequential program prints nothing".to_owned());
            }
            for mode in modes {
                let differences = compare(&expected, &run(&offload, *mode)?);
                found.extend(differences.first().map(|d| format!("{arguments:?} {mode:?}: {d:?}")));
            }
        }
        Ok(found)
    }

    fn build(&self, source: &Path, flags: &[String], kind: BuildKind, out: &Path) -> Result<(), String> {
        let spec = BuildSpec {
            sources: vec![source.to_owned()],
            flags: flags.iter().map(Into::into).collect(),
            kind,
            openmp_version: None,
            folder: None,
            out: out.to_owned(),
        };
        self.toolchain.build(&spec).map_err(|e| e.to_string())
    }
}
