//! Names as linkers know them, and names that no text has.

/// Behind the name of a declared function of which there are several definitions, or one that gives way.
pub const ONE_OF_SEVERAL: &str = " (one of several)";

/// Behind the name of a function or variable that the linker knows by another one than the text:
/// `double x[8] __asm__("y");` is `y`. No text can name it so.
pub const BY_ASSEMBLER_NAME: &str = " (assembler name)";

/// The name that the linker knows a function or variable of a file by.
pub(crate) fn linker_name(name: &str) -> &str {
    name.strip_suffix(BY_ASSEMBLER_NAME).unwrap_or(name)
}

/// Whether other files may mean a function or variable of this name.
pub(super) fn is_shared(name: &str, internal: bool) -> bool {
    !internal && !name.starts_with("llvm.")
}

/// Whether texts call a function or variable of this name so.
pub(super) fn has_name_in_text(name: &str) -> bool {
    !name.ends_with(BY_ASSEMBLER_NAME)
}
