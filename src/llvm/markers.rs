//! Which branches of `#if` are active, asked of clang itself.
//!
//! Evaluating conditions here would mean a second preprocessor that is subtly wrong. Instead the caller puts a line
//! `#pragma ompmemopt_marker N` into every branch, clang preprocesses the marked text, and the branches whose markers
//! come out again are the active ones: the preprocessor passes pragmas through.

use std::collections::BTreeSet;
use std::path::Path;

use super::LlvmError;
use super::clang;
use super::input::{ClangOptions, Input};

/// What a marker line starts with; a decimal number below 2³² follows.
pub const MARKER: &str = "#pragma ompmemopt_marker ";

/// The numbers of the markers in `input` that survive preprocessing. Markers inside headers count as well.
///
/// Errors: [`LlvmError::Rejected`] when preprocessing fails (a missing header, an active `#error`).
pub fn surviving_markers(clang: &Path, input: &Input, options: &ClangOptions) -> Result<BTreeSet<u32>, LlvmError> {
    let output = clang::preprocess(clang, input, options, false)?;
    Ok(output.split(|&byte| byte == b'\n').filter_map(marker).collect())
}

fn marker(line: &[u8]) -> Option<u32> {
    let number = line.strip_prefix(MARKER.as_bytes())?;
    std::str::from_utf8(number).ok()?.trim().parse().ok()
}
