//! The verifier's own runtime libraries: carried as C sources in the tool, compiled at first use, kept in a cache folder.
//!
//! A library's file name holds a hash of its sources, the way it is compiled and the compiler's version, so a cache is never
//! stale and may be shared between versions of the tool. It is written under a temporary name and renamed into place, so
//! several processes may do this at once.

use std::env;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::VerifyError;
use crate::cleanup::{self, Folder};

/// Where the compiled libraries are.
#[derive(Debug)]
pub(super) struct Runtime {
    /// OMPT tool that counts transfers.
    pub count: PathBuf,
    /// Preload library that closes host memory while kernels run.
    pub strict: PathBuf,
    /// Library for programs that are built to be traced: counts by object, and what had to move.
    pub trace: PathBuf,
    /// Object file with the OpenMP routines for sequential builds.
    pub serial: PathBuf,
    /// Keeps the folder alive where there was no cache folder to use.
    _own_folder: Option<Folder>,
}

/// One library: its files, of which those ending in `.c` are compiled, together.
struct LibrarySource {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    flags: &'static [&'static str],
    suffix: &'static str,
}

const COUNT: LibrarySource = LibrarySource {
    name: "ompt_count",
    files: &[("ompt_count.c", include_str!("runtime/ompt_count.c"))],
    flags: &["-O2", "-fPIC", "-shared", "-pthread"],
    suffix: "so",
};
const STRICT: LibrarySource = LibrarySource {
    name: "strict",
    files: &[
        ("strict.h", include_str!("runtime/strict/strict.h")),
        ("allocators.c", include_str!("runtime/strict/allocators.c")),
        ("fault.c", include_str!("runtime/strict/fault.c")),
        ("heap.c", include_str!("runtime/strict/heap.c")),
        ("launch.c", include_str!("runtime/strict/launch.c")),
        ("memory.c", include_str!("runtime/strict/memory.c")),
        ("objects.c", include_str!("runtime/strict/objects.c")),
        ("start.c", include_str!("runtime/strict/start.c")),
    ],
    // Without builtins the compiler may not turn one of the functions that the library replaces into another.
    flags: &[
        "-O2",
        "-fPIC",
        "-shared",
        "-pthread",
        "-fvisibility=hidden",
        "-fno-builtin",
    ],
    suffix: "so",
};
const TRACE: LibrarySource = LibrarySource {
    name: "trace",
    files: &[
        ("trace.h", include_str!("runtime/trace/trace.h")),
        ("allocators.c", include_str!("runtime/trace/allocators.c")),
        ("devices.c", include_str!("runtime/trace/devices.c")),
        ("directives.c", include_str!("runtime/trace/directives.c")),
        ("events.c", include_str!("runtime/trace/events.c")),
        ("files.c", include_str!("runtime/trace/files.c")),
        ("newest.c", include_str!("runtime/trace/newest.c")),
        ("objects.c", include_str!("runtime/trace/objects.c")),
        ("symbols.c", include_str!("runtime/trace/symbols.c")),
    ],
    flags: STRICT.flags,
    suffix: "so",
};
const SERIAL: LibrarySource = LibrarySource {
    name: "omp_serial",
    files: &[("omp_serial.c", include_str!("runtime/omp_serial.c"))],
    flags: &["-O1", "-fPIC", "-c"],
    suffix: "o",
};

/// Compiles what the cache does not hold yet. `version` is what the compiler says of itself.
pub(super) fn provide(clang: &Path, version: &str) -> Result<Runtime, VerifyError> {
    let (folder, own_folder) = match cache_folder() {
        Some(folder) => (folder, None),
        None => {
            let own = Folder::new("ompmemopt-").map_err(VerifyError::io("make a temporary folder"))?;
            (own.path().to_owned(), Some(own))
        }
    };
    Ok(Runtime {
        count: compiled(clang, version, &folder, &COUNT)?,
        strict: compiled(clang, version, &folder, &STRICT)?,
        trace: compiled(clang, version, &folder, &TRACE)?,
        serial: compiled(clang, version, &folder, &SERIAL)?,
        _own_folder: own_folder,
    })
}

/// The user's cache folder, made where it is missing. `None` where there is none or where another user could write to
/// it: what lies there is loaded into programs.
fn cache_folder() -> Option<PathBuf> {
    let base = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| {
            env::home_dir()
                .filter(|home| home.is_absolute())
                .map(|home| home.join(".cache"))
        })?;
    let folder = base.join("ompmemopt");
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    let metadata = fs::metadata(&folder).ok()?;
    let ours = metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0;
    let _section = cleanup::section();
    (ours && tempfile::tempfile_in(&folder).is_ok()).then_some(folder)
}

fn compiled(clang: &Path, version: &str, folder: &Path, source: &LibrarySource) -> Result<PathBuf, VerifyError> {
    let mut hasher = blake3::Hasher::new();
    let texts = source.files.iter().flat_map(|&(name, text)| [name, text]);
    for part in [version].into_iter().chain(texts).chain(source.flags.iter().copied()) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let hash = hasher.finalize().to_hex();
    let target = folder.join(format!("{}-{}.{}", source.name, &hash[..16], source.suffix));
    if target.is_file() {
        return Ok(target);
    }
    let scratch = Folder::new_in(folder, ".making-").map_err(VerifyError::io("make a folder in the cache"))?;
    let fresh = scratch.path().join("compiled");
    for (name, text) in source.files {
        fs::write(scratch.path().join(name), text).map_err(VerifyError::io("write to the cache folder"))?;
    }
    let mut command = Command::new(clang);
    command
        .args(source.flags)
        .arg("-o")
        .arg("compiled")
        .args(
            source
                .files
                .iter()
                .map(|(name, _)| name)
                .filter(|name| name.ends_with(".c")),
        )
        .env("TMPDIR", scratch.path())
        .current_dir(scratch.path());
    let output = cleanup::output(&mut command).map_err(VerifyError::io(format!("run {}", clang.display())))?;
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(VerifyError::Compile {
            what: format!("the verifier's own {}", source.name),
            output,
        });
    }
    fs::rename(&fresh, &target).map_err(VerifyError::io("put a library into the cache folder"))?;
    Ok(target)
}
