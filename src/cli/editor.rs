//! The user's editor, on a patch.

use crate::cleanup::{Folder, in_front};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::{Command, Stdio};

/// What stands in front of a patch that is to be edited.
const HOW_TO: &str = "\
# Edit what this decision writes. To leave out a line that begins with `+`, delete it; to keep one that begins with `-`,
# make its `-` a blank. Lines that begin with `#` do not count, and nobody counts the lines of a hunk.
# What comes of it is your own text: this tool no longer vouches for it. Delete all lines to go back.
";

/// What becomes of a patch in the user's editor: that of VISUAL, else of EDITOR, else `vi`.
///
/// # Errors
/// Why there is nothing, as a sentence.
pub fn edited(patch: &[u8]) -> Result<Vec<u8>, String> {
    let folder = Folder::new("ompmemopt-edit").map_err(|error| format!("no temporary folder ({error})"))?;
    let file = folder.path().join("decision.diff");
    let cannot = |what: &str, error: &io::Error| format!("{}: cannot be {what} ({error})", file.display());
    let text = [HOW_TO.as_bytes(), patch].concat();
    std::fs::write(&file, text).map_err(|error| cannot("written", &error))?;
    run(&editor(), &file)?;
    std::fs::read(&file).map_err(|error| cannot("read", &error))
}

fn editor() -> String {
    let said = |name: &str| std::env::var(name).ok().filter(|said| !said.trim().is_empty());
    said("VISUAL")
        .or_else(|| said("EDITOR"))
        .unwrap_or_else(|| "vi".to_owned())
}

/// Runs an editor, which may have arguments, as git does: by the shell.
fn run(editor: &str, file: &Path) -> Result<(), String> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).arg(file);
    if !io::stdin().is_terminal() {
        // What stands there are answers, and not for the editor.
        command.stdin(Stdio::null());
    }
    let wrong = |why: String| format!("the editor `{editor}` {why}; set VISUAL or EDITOR to another one");
    match in_front(&mut command) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(wrong(format!("ended with {status}"))),
        Err(error) => Err(wrong(format!("cannot be started ({error})"))),
    }
}
