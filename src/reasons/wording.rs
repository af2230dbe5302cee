//! Texts that cannot be written.

use super::reasons;

reasons! {
    /// Why what is decided cannot be written into the text.
    Wording {
        CaseInside "case-inside"
            "a `case` of an enclosing `switch` would be inside the region"
            => "";
        DeclaredInside { name: String } "declared-inside"
            "`{name}` is declared inside the region and used after it"
            => "Declare it before the first kernel.";
        BracesInConditional "braces-in-conditional"
            "braces are needed around this body, and `#if` is in the way"
            => "Put braces around the body.";
        NoPlace "no-directive-here"
            "no directive can stand here"
            => "Put braces around the statement.";
        NotOneBlock "not-one-block"
            "the region does not begin and end in one block"
            => "";
        Crosses "regions-cross"
            "the region would cross another one"
            => "";
        NoRegion "update-without-region"
            "its region is not part of it"
            => "";
        Contradicts "maps-contradict"
            "another decision maps this kernel's data differently"
            => "";
        Continued "line-continued"
            "the line before ends in a backslash, so no directive can follow it"
            => "End the line before without a backslash.";
        Overlaps { overlap: String } "edits-overlap"
            "{overlap}"
            => "";
        Operator "pragma-operator"
            "the `map` clauses of a `_Pragma` operator are left alone; write it as `#pragma`"
            => "Write it as `#pragma`.";
        NotUtf8 "pragma-not-utf8"
            "the pragma is not UTF-8"
            => "";
        NotTakenApart { problem: String } "pragma-not-understood"
            "{problem}"
            => "";
        NoDeclaration { name: String } "no-declaration"
            "kernels here call `{name}`, which OpenACC wants marked before its first use, and no declaration of its own comes first"
            => "Declare the function before.";
        SeveralWays { ways: String } "several-ways"
            "the compilation database compiles it in several ways ({ways}), and not all of them ask for the same changes"
            => "";
        NotJoined { why: String } "copies-not-joined"
            "copies were not joined over the new kernels: {why}"
            => "";
    }
}
