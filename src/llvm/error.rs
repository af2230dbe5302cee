//! What can go wrong between a C file and its plain IR, as messages that say what to do about it.

use crate::llvm_version::LLVM_MAJOR;
use std::path::PathBuf;

/// Why clang or its bitcode gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum LlvmError {
    /// No clang was found under any of the names tried.
    #[error("clang {LLVM_MAJOR} was not found (tried {}); install it, for example with `apt-get install clang-{LLVM_MAJOR}`", tried.join(", "))]
    NoClang {
        /// Commands tried, in order.
        tried: Vec<String>,
    },
    /// The clang that was found or named is of another version.
    #[error("{} is clang {found}, but version {LLVM_MAJOR} is needed; `apt-get install clang-{LLVM_MAJOR}` provides it", clang.display())]
    WrongVersion {
        /// The compiler asked.
        clang: PathBuf,
        /// The compiler's version, as it reports it.
        found: String,
    },
    /// The program could not be started or talked to.
    #[error("cannot run {}: {error}", clang.display())]
    CannotRun {
        /// The compiler.
        clang: PathBuf,
        /// The system's reason.
        error: std::io::Error,
    },
    /// The source file could not be read, or a temporary copy of it not written.
    #[error("cannot read {}: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        error: std::io::Error,
    },
    /// clang does not accept the file.
    #[error("clang does not accept {}:\n{}{}", file.display(), stderr.trim_end(), hint(stderr))]
    Rejected {
        /// The file as the user knows it.
        file: PathBuf,
        /// clang's own messages.
        stderr: String,
    },
    /// clang's output is not bitcode that LLVM 19 reads.
    #[error("clang's bitcode for {} cannot be read: {message}", file.display())]
    BadBitcode {
        /// The file it was made from.
        file: PathBuf,
        /// LLVM's reason.
        message: String,
    },
}

/// What to do about the rejections that every newcomer meets.
fn hint(stderr: &str) -> String {
    let hint = if stderr.contains("'omp.h' file not found") {
        let package = format!("libomp-{LLVM_MAJOR}-dev");
        format!("omp.h belongs to the OpenMP runtime; install it, for example with `apt-get install {package}`")
    } else if stderr.contains("file not found") {
        "pass the compiler's own flags (-I, -D, -std) after `--`, or a compile_commands.json".to_owned()
    } else {
        return String::new();
    };
    format!("\nhint: {hint}")
}
