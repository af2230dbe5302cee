//! Which LLVM the tool is built for: `build.rs` says so once, for what is linked, what is looked for and what is said.

/// The major version of LLVM, of the clang that is asked and of the OpenMP runtime that programs run with.
pub const LLVM_MAJOR: u32 = match u32::from_str_radix(env!("OMPMEMOPT_LLVM_MAJOR"), 10) {
    Ok(major) => major,
    Err(_) => panic!("build.rs gives a number"),
};

/// The full version of LLVM and clang that are linked.
pub const LINKED_VERSION: &str = env!("CLANG_LIBRARY_VERSION");
