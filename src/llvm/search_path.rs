//! Which file a command is.

use std::path::{Path, PathBuf};

/// The file that the system would run for a command.
pub fn on_search_path(command: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let runnable =
        |file: &PathBuf| std::fs::metadata(file).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    if command.components().count() > 1 {
        return Some(command.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(command))
        .find(runnable)
}
