//! Which LLVM the tool is built for: `build.rs` says so once, for what is linked, what is looked for and what is said.

/// The major version of LLVM and of the clang that is asked.
pub const LLVM_MAJOR: u32 = match u32::from_str_radix(env!("OMPMEMOPT_LLVM_MAJOR"), 10) {
    Ok(major) => major,
    Err(_) => panic!("build.rs gives a number"),
};

/// The versions that the tool can be built for, oldest first.
pub fn llvm_versions() -> impl DoubleEndedIterator<Item = u32> {
    env!("OMPMEMOPT_LLVM_VERSIONS")
        .split(' ')
        .filter_map(|version| version.parse().ok())
}

/// What a clang of a version may be called, best first; `clang` may be one of another version.
pub fn clang_names(version: u32) -> [String; 3] {
    [
        format!("clang-{version}"),
        "clang".to_owned(),
        format!("/usr/lib/llvm-{version}/bin/clang"),
    ]
}

/// The full version of LLVM and clang that are linked.
pub const LINKED_VERSION: &str = env!("CLANG_LIBRARY_VERSION");
