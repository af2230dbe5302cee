//! Arrays that may be reached by several names.

use super::reasons;
use std::fmt;

/// The line in `ompmemopt.toml` that would say that arrays never overlap, where one would settle the question.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Promise {
    /// The function whose parameters would be promised to be apart.
    pub function: Option<String>,
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            None => Ok(()),
            Some(function) => write!(
                f,
                "; if it never does, `noalias = [\"{function}\"]` under `[assume]` in ompmemopt.toml says so"
            ),
        }
    }
}

reasons! {
    /// Why it is not known that two names lead to different arrays.
    Aliases {
        OtherName { promise: Promise } "other-name"
            "a kernel here may reach the same array under another name{promise}"
            => "Use one pointer for it, or map both on the kernel.";
        OtherMap { name: String, promise: Promise } "other-map"
            "a kernel here maps `{name}`, which may be the same array{promise}"
            => "Use one pointer for it; `noalias` says that they are different arrays.";
        OtherNameInCall { callee: String } "other-name-in-call"
            "`{callee}`, called here, may reach the same array under another name"
            => "`noalias` says that the parameters are different arrays.";
        OtherCondition "other-name-under-condition"
            "a kernel with an `if` clause may use it here under another name"
            => "";
        MayOverlap { promise: Promise } "may-overlap"
            "it may overlap another array of the kernel{promise}"
            => "If it never does, say so with `noalias`.";
        NotChecked { label: String, promise: Promise } "overlap-not-checked"
            "{label} may overlap another array here, and that cannot be checked at run time{promise}"
            => "If it never does, say so with `noalias`.";
        Either "either-copy"
            "a pointer in this kernel may lead to the copy that the kernel has of it"
            => "";
        OtherArrayThere "other-array-there"
            "a kernel there may use another array in its place"
            => "";
        OnlyMapsApart "only-maps-keep-apart"
            "only its kernels' maps keep it apart from other arrays"
            => "`noalias` says that the parameters are different arrays.";
    }
}
