//! Which bytes this version of the tool reads: those of its own format that it wrote itself.

/// The format of what is written here. It rises with every change of the bytes' meaning.
pub const FORMAT: u32 = 11;
/// The version of the tool: what an analysis gathers may differ between two that write the same format.
pub const TOOL: &str = env!("CARGO_PKG_VERSION");
