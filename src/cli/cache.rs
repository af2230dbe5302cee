//! Where results are kept between runs, as arguments and environment say.

use super::args::CacheArgs;
use crate::facts::Store;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Variables that clang itself reads, and that bear on what it sees.
const CLANGS: [&str; 4] = ["CPATH", "C_INCLUDE_PATH", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS"];

/// The store to use; one that keeps nothing where there is no place for it.
pub fn store(args: &CacheArgs) -> Store {
    let folder = args.cache_dir.clone().or_else(usual_folder);
    match folder.filter(|_| !args.no_cache) {
        Some(folder) => Store::open(&folder, &maker()),
        None => Store::none(),
    }
}

/// As the XDG base directory specification has it: names that are not absolute do not count.
fn usual_folder() -> Option<PathBuf> {
    let absolute = |name: OsString| Some(PathBuf::from(name)).filter(|path| path.is_absolute());
    let cache = std::env::var_os("XDG_CACHE_HOME").and_then(absolute);
    let home = || std::env::var_os("HOME").and_then(absolute);
    Some(cache.or_else(|| Some(home()?.join(".cache")))?.join("ompmemopt"))
}

/// Who makes the entries: this very program, and clang's environment. Two builds of one version may find different
/// things.
fn maker() -> Vec<u8> {
    let mut maker = Vec::new();
    if let Ok(metadata) = std::env::current_exe().and_then(|file| file.metadata()) {
        maker.extend(metadata.len().to_le_bytes());
        maker.extend(metadata.mtime().to_le_bytes());
        maker.extend(metadata.mtime_nsec().to_le_bytes());
    }
    for name in CLANGS {
        let value = std::env::var_os(name).unwrap_or_default();
        maker.extend((value.len() as u64).to_le_bytes());
        maker.extend(value.as_bytes());
    }
    maker
}
