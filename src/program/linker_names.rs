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

/// What C++ calls a function that the linker knows as `_ZN4tree3sumILi4EEEvPf`: `tree::sum`. Nothing where the name is no such name.
pub fn unmangled(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix("_Z")?;
    let mut parts: Vec<&str> = Vec::new();
    let is_nested = rest.starts_with('N');
    rest = rest.trim_start_matches(['N', 'L', 'K', 'V', 'r']);
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(length) = rest[..digits].parse::<usize>() else {
            break;
        };
        parts.push(rest.get(digits..digits + length)?);
        rest = rest[digits + length..].trim_start_matches('L');
        if !is_nested {
            break;
        }
    }
    let is_read = |part: &&str| !part.starts_with("_GLOBAL__N");
    let parts: Vec<&str> = parts.into_iter().filter(is_read).collect();
    (!parts.is_empty()).then(|| parts.join("::"))
}

/// Whether other files may mean a function or variable of this name.
pub(super) fn is_shared(name: &str, internal: bool) -> bool {
    !internal && !name.starts_with("llvm.")
}

/// Whether texts call a function or variable of this name so.
pub(super) fn has_name_in_text(name: &str) -> bool {
    !name.ends_with(BY_ASSEMBLER_NAME)
}

#[cfg(test)]
mod tests {
    use super::unmangled;

    #[test]
    fn names_of_cpp_are_read() {
        let read = |name: &str| unmangled(name).unwrap_or_default();
        assert_eq!(read("_Z6reducePiS_"), "reduce");
        assert_eq!(read("_Z1kILi32EEvPfi"), "k");
        assert_eq!(read("_ZN4tree3sumILi4EEEvPf"), "tree::sum");
        assert_eq!(read("_ZN12_GLOBAL__N_14workEv"), "work");
        assert_eq!(read("_ZL4stepi"), "step");
        assert_eq!(read("main"), "");
    }
}
