//! The binary: hands the arguments to [`ompmemopt::cli`] and exits with its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ompmemopt::cli::main()
}
