//! What clauses of kernels say.

use super::reasons;

reasons! {
    /// Why a kernel as the user wrote it is in the way.
    Clauses {
        Anywhere "condition-unknown"
            "with an `if` clause the kernel may run on the host instead, and what its condition says is not known"
            => "Compute the condition in a variable first.";
        Lost "written-but-to"
            "this kernel writes it but maps it `to`: what it writes is meant to be lost"
            => "Map it `tofrom` if the result is wanted; `private` or another array if not.";
        Scratch "scratch"
            "this kernel maps it without copies, as scratch memory"
            => "";
        PointerItself "pointer-itself"
            "a map clause of this kernel maps the pointer itself, not what it points to"
            => "Map a section, `map(tofrom: a[0:n])`.";
        Modifier "map-modifier"
            "a map modifier (`always`, `present`, a mapper) is kept as written"
            => "";
        ItemForm "map-item-form"
            "a map item of a form this tool does not follow"
            => "";
        ReductionSections "reduction-sections"
            "a reduction over array sections is kept as written"
            => "";
        InReduction "in-reduction"
            "`in_reduction` is kept as written"
            => "";
        TwoConditions "two-conditions"
            "two `if` clauses say where the kernel runs"
            => "Leave one of them out.";
        Device "device-clause"
            "with a `device` clause it may run on another device"
            => "";
        Nowait "nowait-clause"
            "`nowait`: it may still run when the host goes on"
            => "";
        Depend "depend-clause"
            "`depend`: the order of its copies is the user's"
            => "";
        Addresses "device-addresses"
            "device addresses are managed by hand here"
            => "";
        Defaultmap "defaultmap-clause"
            "`defaultmap` changes what is mapped implicitly"
            => "Say the map of each array.";
        Allocate "allocate-clause"
            "`allocate` changes where private data lives"
            => "";
        ConditionThere "condition-there"
            "with an `if` clause a kernel there may run on the host instead"
            => "";
        ConditionNotOnDevice "condition-not-on-device"
            "with an `if` clause a kernel there may not run on the device"
            => "";
        IdleNotInParameters "idle-not-in-parameters"
            "whether its kernels run at all is not in terms of parameters"
            => "Hand what decides to the function as a parameter.";
        StillRunning { line: u32 } "still-running"
            "the kernel in line {line} does not make the host wait (`nowait`) and may still use it"
            => "Leave out `nowait`.";
        StillRunningIn { function: String } "still-running-in"
            "kernels in `{function}` do not make the host wait (`nowait`) and may still use it"
            => "Leave out `nowait`.";
        OtherConditions "members-under-conditions"
            "the kernels on members of its struct run under different conditions"
            => "";
    }
}
