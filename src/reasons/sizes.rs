//! How much of an array is mapped.

use super::reasons;

reasons! {
    /// Why it is not known how much of an array a residency would map.
    Sizes {
        Unknown "size-unknown"
            "how many elements it has is not known here (give a map clause with a section)"
            => "Give one kernel a map clause with a section, `map(tofrom: a[0:n])`.";
        NotComparable "sections-not-comparable"
            "kernels map sections of it that cannot be compared"
            => "Map the same section at all kernels.";
        PresentInPart "present-in-part"
            "a part of it may be on the device already, and no kernel that maps as much surely runs"
            => "";
        NotComparableThere "sections-not-comparable-there"
            "the sections of it cannot be compared there"
            => "Map the same section at all kernels.";
        NotEvaluated "section-not-evaluated"
            "the section in its map clause could not be evaluated"
            => "Write the bounds with variables and numbers.";
        NotEvaluatedInCall { callee: String } "section-not-evaluated-in-call"
            "the section that kernels of `{callee}`, called here, map could not be evaluated here"
            => "Hand the size to the function as a parameter.";
        FewerElements "fewer-elements"
            "of the arrays that may be used here it may be the one that has fewer elements"
            => "";
        MoreElementsThere "more-elements-there"
            "kernels there may use an array with more elements in its place"
            => "";
        UpdatesMore { callee: String } "host-uses-more"
            "`{callee}`, called here, uses it on the host too, and perhaps more of it than would be mapped"
            => "Map all of it at the kernels.";
        UpdatesOthers { callee: String } "host-uses-other-parts"
            "`{callee}`, called here, uses parts of it on the host that not all kernels copy"
            => "Map all of it at the kernels.";
        CopiedNotInParameters "copied-not-in-parameters"
            "what would be copied there is not in terms of parameters"
            => "Say the part by parameters of the function.";
        MappedNotInParameters "mapped-not-in-parameters"
            "the sections that its kernels map are not in terms of parameters"
            => "Say the part by parameters of the function.";
    }
}
