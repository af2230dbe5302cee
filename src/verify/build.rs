//! Compiles a C program, once without OpenMP and once with kernels for the host's offload plugin.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use super::{Toolchain, VerifyError, flags};
use crate::cleanup::{self, Folder};

/// Which of its two forms a program is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BuildKind {
    /// Without OpenMP: directives are comments, and OpenMP's routines answer as for one thread and no device.
    Sequential,
    /// With OpenMP, kernels compiled for the host's offload plugin.
    Offload,
    /// As `Offload`, and each load and each store, on either side, tells the library that counts by object.
    Traced,
}

/// One program to build.
#[derive(Debug, Clone)]
pub struct BuildSpec {
    /// C files, all compiled and linked together.
    pub sources: Vec<PathBuf>,
    /// The user's flags (`-I`, `-D`, `-l`, `-std`...), passed after ours, so they win where both speak of the same; those about
    /// offloading and about other outputs are left out.
    pub flags: Vec<OsString>,
    pub kind: BuildKind,
    /// The version for `-fopenmp-version`: 45, 50, 51, 52, 60; `None` leaves it to the compiler.
    pub openmp_version: Option<u32>,
    /// The folder to compile in; relative sources and flags start there. `None` is the current folder.
    pub folder: Option<PathBuf>,
    /// The program to write, from the current folder (not `folder`).
    pub out: PathBuf,
}

/// Host and device code must round alike, or output cannot be compared byte for byte.
const COMMON: [&str; 3] = ["-O1", "-ffp-contract=off", "-w"];
/// Names of list items in directives, and a call for each load and each store, those of local variables included.
const TRACED: [&str; 17] = [
    "-gline-tables-only",
    "-Xclang",
    "-fsanitize=kernel-address",
    "-Xclang",
    "-fsanitize-recover=kernel-address",
    "-mllvm",
    "-asan-instrumentation-with-call-threshold=0",
    "-mllvm",
    "-asan-stack=0",
    "-mllvm",
    "-asan-globals=0",
    "-mllvm",
    "-asan-use-stack-safety=0",
    "-mllvm",
    "-asan-opt=0",
    "-mllvm",
    "-asan-kernel-mem-intrinsic-prefix=1",
];
const HOST_TARGET: &str = "x86_64-pc-linux-gnu";

impl Toolchain {
    /// Compiles and links a program.
    ///
    /// # Errors
    /// [`VerifyError::Compile`] with the compiler's messages, or [`VerifyError::Io`] where it cannot be started.
    pub fn build(&self, spec: &BuildSpec) -> Result<(), VerifyError> {
        let out = std::path::absolute(&spec.out).map_err(VerifyError::io("find the current folder"))?;
        let mut command = Command::new(&self.clang);
        command.args(COMMON);
        if self.gold {
            command.arg("-fuse-ld=gold");
        }
        if spec.kind != BuildKind::Sequential {
            command.arg("-fopenmp").arg(format!("-fopenmp-targets={HOST_TARGET}"));
            if let Some(version) = spec.openmp_version {
                command.arg(format!("-fopenmp-version={version}"));
            }
            let mut rpath = OsString::from("-Wl,-rpath,");
            rpath.push(&self.omp_folder);
            command.arg(rpath);
        }
        command.args(&spec.sources);
        match spec.kind {
            BuildKind::Sequential => {
                command.arg(&self.runtime.serial);
            }
            BuildKind::Offload => {}
            BuildKind::Traced => {
                let trace = &self.runtime.trace;
                command.args(TRACED).arg(trace).arg("-Xoffload-linker").arg(trace);
            }
        }
        command
            .args(flags::of_both_forms(&spec.flags))
            .arg("-lm")
            .arg("-o")
            .arg(out);
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        // The compiler, if killed, leaves its temporary files where they are.
        let scratch = Folder::new("ompmemopt-build-").map_err(VerifyError::io("make a temporary folder"))?;
        command.env("TMPDIR", scratch.path());
        let output = cleanup::output(&mut command).map_err(VerifyError::io(format!("run {}", self.clang.display())))?;
        if output.status.success() {
            return Ok(());
        }
        let form = match spec.kind {
            BuildKind::Sequential => "the sequential form of",
            BuildKind::Offload => "the offloading form of",
            BuildKind::Traced => "the traced form of",
        };
        let names: Vec<String> = spec.sources.iter().map(|source| source.display().to_string()).collect();
        Err(VerifyError::Compile {
            what: format!("{form} {}", names.join(", ")),
            output: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}
