//! What the user manages by hand.

use super::reasons;

reasons! {
    /// Why a directive that the user wrote is in the way.
    HandWritten {
        DeclareTarget "declare-target"
            "`declare target` keeps it on the device"
            => "";
        Managed { directive: String } "managed-by-hand"
            "the directive `{directive}` already manages it by hand"
            => "Leave the directive out where the tool is to decide.";
        NoLess { directive: String } "hand-copies-least"
            "the directive `{directive}` manages it by hand, and no other plan is expected to copy less"
            => "";
        MayMatter { directive: String } "hand-may-matter"
            "the directive `{directive}` manages it by hand, and it is not sure that the program does the same without it"
            => "`ompmemopt check` and `explain` say what is known of it.";
        MayOverlap { name: String, directive: String } "may-be-managed"
            "it may overlap `{name}`, which `{directive}` manages by hand"
            => "`noalias` says that they are different arrays.";
        MayOverlapThere "may-be-managed-there"
            "it may overlap what data directives manage there"
            => "";
        InCallee { callee: String } "managed-in-callee"
            "directives in `{callee}`, called here, manage it by hand"
            => "";
        UsedUnmapped { line: u32 } "mapped-elsewhere"
            "the kernel in line {line} uses it without mapping it, and directives elsewhere say how much of it is on the device"
            => "Give that kernel a map clause: it does nothing where the array is present.";
        Lost "region-loses"
            "a region by hand holds it here, and what is written to it there is meant to be lost"
            => "Map it `tofrom` if the result is wanted.";
        HostInRegion "host-in-region"
            "the host uses it in a region by hand"
            => "";
        Closed "region-holds"
            "a region by hand holds it here"
            => "Leave the region out where the tool is to decide.";
        ClosedThere "region-holds-there"
            "a region by hand holds it there"
            => "Leave the region out where the tool is to decide.";
        Scratch "region-scratch"
            "a region by hand holds it here as scratch memory"
            => "";
        OpenAcc "openacc"
            "data movement of this program was not changed: what OpenACC directives do with the device's data is not followed"
            => "";
    }
}
