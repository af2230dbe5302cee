//! The folder that one run of the compiler works in: the snapshot of the analysed text, and the headers that are [ours](super::stand_ins).
//!
//! `-remap-file` makes clang see the snapshot under the real path. For a path that does not exist (an unsaved buffer, a
//! test) the copy is compiled itself, with the path's folder searched for quoted includes.

use std::path::{Path, PathBuf};
use std::process::Output;

use super::input::{ClangOptions, Input};
use super::stand_ins::texts;
use super::{LlvmError, carried, dependencies, flags};
use crate::cleanup::{self, Folder};

/// A temporary folder, gone when dropped.
pub(super) struct Scratch {
    folder: Folder,
    copy: PathBuf,
    /// Headers, and the files with the texts that clang is to see in their place.
    instead: Vec<(PathBuf, PathBuf)>,
}

impl Scratch {
    /// Puts `text`, the stand-in and what [`ClangOptions::instead`] says in a new folder. Errors: [`LlvmError::Unreadable`].
    pub fn new(input: &Input, text: &[u8], options: &ClangOptions) -> Result<Scratch, LlvmError> {
        let unreadable = |error| LlvmError::Unreadable {
            file: input.path.to_owned(),
            error,
        };
        let folder = Folder::new("ompmemopt-").map_err(unreadable)?;
        let copy = folder.path().join("source.c");
        std::fs::write(&copy, text).map_err(unreadable)?;
        let headers = folder.path().join("headers");
        for (name, text) in texts() {
            let file = headers.join(name);
            std::fs::create_dir_all(file.parent().unwrap_or(&headers)).map_err(unreadable)?;
            std::fs::write(file, text).map_err(unreadable)?;
        }
        let mut instead = Vec::new();
        for (number, (header, text)) in options.stand_ins(input.path).enumerate() {
            let file = folder.path().join(format!("instead-{number}.h"));
            std::fs::write(&file, text).map_err(unreadable)?;
            instead.push((header.clone(), file));
        }
        Ok(Scratch { folder, copy, instead })
    }

    /// Runs clang with the user's flags and `last`, and returns what it wrote to standard output.
    pub fn run(
        &self,
        clang: &Path,
        input: &Input,
        options: &ClangOptions,
        last: &[String],
    ) -> Result<Vec<u8>, LlvmError> {
        let mut command = carried::command(clang);
        if !options.working_dir.as_os_str().is_empty() {
            command.current_dir(&options.working_dir);
        }
        let headers = self.folder.path().join("headers");
        command.args(flags::command_line(&options.flags, last, &headers));
        for (header, file) in &self.instead {
            if let Some(remapping) = remapping(header, file) {
                command.args(["-Xclang", "-remap-file", "-Xclang", &remapping]);
            }
        }
        match self.remapping(input.path, options) {
            Some(remapping) => {
                command
                    .args(["-Xclang", "-remap-file", "-Xclang", &remapping, "--"])
                    .arg(input.path);
            }
            None => {
                let folder = input
                    .path
                    .parent()
                    .filter(|p| !p.as_os_str().is_empty())
                    .unwrap_or(Path::new("."));
                command.arg("-iquote").arg(folder).arg("--").arg(&self.copy);
            }
        }
        command.env("TMPDIR", self.folder.path());
        let Output { status, stdout, stderr } =
            cleanup::output(&mut command).map_err(|error| LlvmError::CannotRun {
                clang: clang.to_owned(),
                error,
            })?;
        if status.success() {
            return Ok(stdout);
        }
        let mut stderr = self.rename(&stderr, input);
        if stderr.trim().is_empty() {
            stderr = format!("clang ended with {status}");
        }
        Err(LlvmError::Rejected {
            file: input.path.to_owned(),
            stderr,
        })
    }

    /// As [`run`](Scratch::run), with the other files that clang read.
    pub fn run_noting_files(
        &self,
        clang: &Path,
        input: &Input,
        options: &ClangOptions,
        last: &[String],
    ) -> Result<(Vec<u8>, Vec<PathBuf>), LlvmError> {
        let rule = self.folder.path().join("read.d");
        let mut last = last.to_vec();
        last.extend(["-MD", "-MT", "x", "-MF"].map(str::to_owned));
        last.push(rule.to_string_lossy().into_owned());
        let output = self.run(clang, input, options, &last)?;
        let rule = std::fs::read(&rule).map_err(|error| LlvmError::Unreadable { file: rule, error })?;
        let base = dependencies::base(options);
        let read = dependencies::of_rule(&rule);
        Ok((
            output,
            dependencies::others(read, &base, input.path, self.folder.path()),
        ))
    }

    /// clang's text with the names of this folder replaced by what the user knows.
    pub fn rename(&self, text: &[u8], input: &Input) -> String {
        String::from_utf8_lossy(text)
            .replace(&*self.copy.to_string_lossy(), &input.path.to_string_lossy())
            .replace(&*self.folder.path().to_string_lossy(), "ompmemopt")
    }

    /// The argument of `-remap-file` that puts the copy in the place of `path`, if the path exists and can be said in it.
    fn remapping(&self, path: &Path, options: &ClangOptions) -> Option<String> {
        let remapping = remapping(path, &self.copy)?;
        options.working_dir.join(path).is_file().then_some(remapping)
    }
}

/// What `-remap-file` is told to put one file in the place of another, if that can be said.
fn remapping(path: &Path, by: &Path) -> Option<String> {
    let name = path.to_str().filter(|name| !name.contains(';'))?;
    Some(format!("{name};{}", by.to_str()?))
}
