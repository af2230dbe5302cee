//! Standard output and standard error, for a tool in a pipeline: a reader that has gone away is no error.

use super::args::{Cli, Color};
use crate::cleanup;
use crate::report::{Verbosity, coloured_diff};
use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};

/// Where output goes.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    color: ColorChoice,
    /// How much to say.
    pub verbosity: Verbosity,
}

impl Output {
    /// As the arguments say.
    pub fn new(cli: &Cli) -> Output {
        let color = match cli.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let verbosity = match (cli.quiet, cli.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        Output { color, verbosity }
    }

    /// A patch with colours, where standard output shows any.
    pub fn coloured(&self, patch: Vec<u8>) -> Vec<u8> {
        match AutoStream::new(io::stdout(), self.color).current_choice() {
            ColorChoice::Never => patch,
            ColorChoice::Auto | ColorChoice::Always | ColorChoice::AlwaysAnsi => coloured_diff(&patch),
        }
    }

    /// Writes results. Returns whether anyone still reads them.
    ///
    /// # Errors
    /// Anything but a closed pipe.
    pub fn results(&self, bytes: &[u8]) -> io::Result<bool> {
        written(io::stdout().lock(), bytes)
    }

    /// Writes results with colours, which are taken out where they are not wanted. Returns whether anyone still reads them.
    ///
    /// # Errors
    /// Anything but a closed pipe.
    pub fn findings(&self, text: &str) -> io::Result<bool> {
        written(AutoStream::new(io::stdout(), self.color), text.as_bytes())
    }

    /// Writes messages; there is nobody to tell when that fails.
    pub fn messages(&self, text: &str) {
        cleanup::pass();
        let _ = AutoStream::new(io::stderr(), self.color).write_all(text.as_bytes());
    }

    /// Writes an error that concerns no file.
    pub fn error(&self, text: &str) {
        self.messages(&format!("\x1b[1;31merror:\x1b[0m {}\n", text.trim_end()));
    }
}

/// Writes results. Returns whether anyone still reads them.
fn written(mut stdout: impl Write, bytes: &[u8]) -> io::Result<bool> {
    cleanup::pass();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}
