//! One file per subcommand; the only room that prints, reads the environment, or exits.

use std::process::ExitCode;

/// Runs the command line and returns the process's exit code.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
