//! Other builds of the same text.

use super::reasons;

reasons! {
    /// Why what would be right in this build is not written.
    Builds {
        NotRight "not-in-all-builds"
            "what would be written is not right for all values of macros, or in all branches of `#if`"
            => "Let what sections depend on be said by the same macros.";
        NotEverywhere "kernel-not-in-all-builds"
            "what it would say as a kernel is not right for all values of macros, or in all branches of `#if`"
            => "Let what the loop depends on be said by the same macros.";
        MayUse { line: usize } "left-out-may-use"
            "the branch of `#if` from line {line} on is left out here, and may use it"
            => "Build with the branch and without it: each is a file of its own to the tool.";
        MayJump { line: usize } "left-out-may-jump"
            "the branch of `#if` from line {line} on is left out here, and may jump out of what is around it"
            => "";
    }
}
