//! One text, asked about in this process: the same command line as for a [`Scratch`](super::scratch::Scratch) folder,
//! but nothing is written to the disk.

use std::path::{Path, PathBuf};

use super::input::{ClangOptions, Input};
use super::raw::{Bitcode, ClangLibrary, Request};
use super::search_path::on_search_path;
use super::stand_ins::texts;
use super::{carried, dependencies, flags};

/// Folder of the stand-ins. It is only in clang's eyes.
const HEADERS: &str = "/ompmemopt/headers";

/// clang's library with the text that it is asked about.
pub(super) struct InProcess<'a> {
    library: ClangLibrary,
    path: &'a Path,
    text: &'a [u8],
    options: &'a ClangOptions,
    folder: Option<PathBuf>,
}

impl<'a> InProcess<'a> {
    /// `None` if the compiler has no library here: it is of another installation.
    pub fn new(clang: &Path, input: &Input<'a>, text: &'a [u8], options: &'a ClangOptions) -> Option<InProcess<'a>> {
        let library = match carried::compiler() {
            Some(own) if own == clang => ClangLibrary::carried(own),
            _ => ClangLibrary::of(&on_search_path(clang)?.canonicalize().ok()?)?,
        };
        let folder = match options.working_dir.as_os_str().is_empty() {
            true => None,
            // A process that runs there would name it so, too.
            false => Some(options.working_dir.canonicalize().ok()?),
        };
        Some(InProcess {
            library,
            path: input.path,
            text,
            options,
            folder,
        })
    }

    /// The text as a module, with the other files that were read, or `None` if clang says no.
    pub fn compile(&self, last: &[String]) -> Option<(Bitcode, Vec<PathBuf>)> {
        let (bitcode, read) = self.ask(last, ClangLibrary::compile)?;
        let base = dependencies::base(self.options);
        let others = dependencies::others(read, &base, self.path, Path::new(HEADERS));
        Some((bitcode, others))
    }

    /// Whether clang says yes.
    pub fn accepts(&self, last: &[String]) -> bool {
        self.ask(last, ClangLibrary::accepts)
    }

    /// The preprocessed text, or `None` if clang says no.
    pub fn preprocess(&self, last: &[String]) -> Option<Vec<u8>> {
        self.ask(last, ClangLibrary::preprocess)
    }

    fn ask<T>(&self, last: &[String], question: impl FnOnce(&ClangLibrary, &Request) -> T) -> T {
        let own: Vec<(PathBuf, &str)> = { texts().into_iter() }
            .map(|(name, text)| (Path::new(HEADERS).join(name), text))
            .collect();
        let mut headers: Vec<(&Path, &[u8])> = { own.iter() }
            .map(|(path, text)| (path.as_path(), text.as_bytes()))
            .collect();
        let instead = self.options.stand_ins(self.path);
        headers.extend(instead.map(|(path, text)| (path.as_path(), text.as_slice())));
        let request = Request {
            flags: &flags::command_line(&self.options.flags, last, Path::new(HEADERS)),
            path: self.path,
            text: self.text,
            headers: &headers,
            folder: self.folder.as_deref(),
        };
        question(&self.library, &request)
    }
}
