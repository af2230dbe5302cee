//! The binary: hands the arguments to [`ompmemopt::cli`] and exits with its code.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Plans are made of many small sets and expressions: a tenth of the processor time would go to the system's allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    ompmemopt::cli::main()
}
