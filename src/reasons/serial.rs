//! Loops that stay as they are: which are no kernels, or not worth one.

use super::{Reason, reasons};

reasons! {
    /// Why a loop does not become a kernel.
    Serial {
        NotCounted { form: &'static str } "not-counted"
            "not a loop that OpenMP can count: {form}"
            => "Write it as `for (i = first; i < end; i += step)`.";
        Leaves "leaves-early"
            "control may leave it early"
            => "Leave out `break`, `return` and `goto`, or split the loop.";
        SwitchedOff "loop-switched-off"
            "a comment switches `annotate` off here"
            => "Leave the comment out, or end what it begins with `/* ompmemopt: on */`.";
        Annotated "has-pragma"
            "it has a pragma already"
            => "`omp parallel for` and hints for compilers keep none from becoming a kernel; others do.";
        HiddenLoop "hidden-loop"
            "the compiler's loops here are not those of the text (a macro?)"
            => "Write the loop out, not as a macro.";
        Special "volatile-or-assembly"
            "a volatile or atomic access, or assembly"
            => "";
        VariableLength "variable-length-inside"
            "an array of variable length is declared in it"
            => "Give the array a constant length.";
        HostType "host-type"
            "a type that devices lack"
            => "Use `double` in the place of `long double`.";
        Call { callee: String, trouble: &'static str } "call-in-loop"
            "the call of {callee} {trouble}"
            => "Move the call out of the loop, or say in `ompmemopt.toml` what it does.";
        Carried { variable: String } "carried-scalar"
            "an iteration reads what an earlier one left in {variable}"
            => "";
        SometimesSet { variable: String } "sometimes-set"
            "{variable} is read after the loop, and not every iteration sets it"
            => "Set it in every iteration.";
        Dependence { array: String } "dependence"
            "different iterations may touch the same element of `{array}`"
            => "If they never do, `noalias` or `restrict` on the pointers may say so.";
        NotFollowed "access-unknown"
            "what it accesses is not understood"
            => "";
        PointerValue "pointer-value"
            "it makes or compares pointers, which are others on the device"
            => "Use indices in the place of pointers.";
        MovingPointer "moving-pointer"
            "it follows a pointer that changes in the loop"
            => "Use an index in the place of the pointer.";
        TooLarge "too-many-accesses"
            "it has too many accesses"
            => "Split the loop.";
        Possible { verdict: String } "possible"
            "{verdict}"
            => "";
        PrivateBehind { variable: String } "private-behind"
            "by its pragma `{variable}` is behind it what it was before, and not what the loop leaves there"
            => "Declare the variable inside of the loop, or say `lastprivate`.";
        Rounded { variable: String } "rounded"
            "in another order `{variable}` may be rounded differently; --reassociate allows that"
            => "`--reassociate` allows that.";
        BoundWritten { why: Box<Reason> } "bound-written"
            "its bound may be a part of what it writes, and {why}"
            => "Copy the bound to a local variable before the loop.";
        NoPlace "no-place-before-loop"
            "no directive can stand here"
            => "Put braces around the loop.";
        TooMuch "maps-too-much"
            "in no run of it all exists that it would map: its branches use one array or another"
            => "";
        NeverRuns "never-runs"
            "it does not run"
            => "";
        ReachUnchecked "reach-unchecked"
            "how far it reaches cannot be checked before it runs"
            => "";
        ConditionUnreadable "condition-unreadable"
            "what its conditions read through pointers may not be there"
            => "Copy the bounds to local variables before the loop.";
        ConditionUnwritable { conditions: String } "condition-unwritable"
            "it is parallel only if {conditions}, which cannot be written here"
            => "If that always holds, say so with `noalias`.";
        Unnameable { name: String } "unnameable"
            "`{name}` cannot be named here"
            => "";
        RunUnwritable "run-unwritable"
            "whether it runs at all, and uses what it maps, cannot be written here"
            => "";
        PointerInto "pointer-into-array"
            "it uses an array through a pointer into it"
            => "Use the array's own pointer and an index.";
        PointersInTurn { name: String } "pointers-in-turn"
            "it uses `{name}`, behind a pointer that is itself a member or behind another one"
            => "Copy what it uses of the inner struct to local variables before the loop.";
        MembersWithin { name: String } "members-within"
            "it uses several members of `{name}`, a struct within another one, which clang 19 maps wrongly"
            => "Copy the members to local variables before the loop.";
        ConstantPointer { pointer: String, target: String } "constant-pointer"
            "the compiler puts `{target}` in the place of the constant pointer `{pointer}`, and the device has none of that name"
            => "Use the name of what the pointer leads to, or leave out the pointer's `const`.";
        TwoNames "two-names"
            "it uses an array under two names"
            => "Use one pointer for each array.";
        InnerHidden "inner-loop-hidden"
            "its inner loop is not seen in the text"
            => "";
        OpenAccCondition "openacc-condition"
            "OpenACC takes only loops whose condition is written with `<`, `<=`, `>` or `>=`"
            => "Write the condition with `<`.";
        OpenAccUnsigned "openacc-unsigned"
            "compilers count its iterations in `int`, and its `unsigned` index may go further; with `size_t` they would not"
            => "Declare the index as `size_t`.";
        OpenAccUntold { why: String } "openacc-untold"
            "{why}"
            => "";
        InnerIndex "inner-index-nameless"
            "the index of an inner loop has no name here"
            => "Declare the index in the loop's head.";
        VariableNameless "variable-nameless"
            "a variable that it reads has no name here"
            => "";
        PartOfWritten { name: String } "part-of-written"
            "`{name}` may be a part of what it writes"
            => "Copy it to a local variable before the loop.";
        StructNameless "struct-nameless"
            "a struct that it uses has no name here"
            => "";
        PartNameless { name: String } "part-nameless"
            "it reads a part of `{name}` that has no name"
            => "";
        OnlyConditions { name: String } "only-conditions"
            "conditions keep it from reaching beyond `{name}`"
            => "";
        Constant { name: String } "constant-written"
            "`{name}` is constant"
            => "";
        ArrayNameless "array-nameless"
            "an array that it uses has no name here"
            => "Copy its pointer to a local variable before the loop.";
        NoArray { name: String } "no-array"
            "`{name}` is no array"
            => "";
        OnDevice { name: String } "on-device-already"
            "`{name}` is on the device already"
            => "";
        Literal "literal"
            "it uses a string literal or the like, which has no name"
            => "Put the values into an array with a name.";
        OtherType { name: String } "other-element-type"
            "`{name}` is used as elements of another type"
            => "Use a pointer of the element's own type.";
        SizeUnknown { name: String } "loop-size-unknown"
            "it is not known how much of `{name}` there is"
            => "";
        PartUnwritable { name: String } "part-unwritable"
            "the part of `{name}` that it uses cannot be written here"
            => "Copy the bounds to local variables before the loop.";
        TooLong { lines: usize } "too-long-for-twice"
            "it is too long to be written twice (more than {lines} lines)"
            => "Copy the bound to a local variable before the loop.";
        PreprocessorInside "preprocessor-inside"
            "lines of the preprocessor keep it from being written twice"
            => "";
        NotTwice "not-twice"
            "it would not mean the same if it were written twice"
            => "";
        NotWorthIt { figures: String } "not-worth-it"
            "{figures}: not worth it; --all offloads it nonetheless"
            => "`--all` offloads it nonetheless.";
        Twin "twin"
            "it is what runs where another branch has it as a kernel"
            => "";
        OwnSignals "own-signals"
            "the program blocks signals, which the threads that kernels start would take"
            => "";
        AfterRuntime "after-runtime"
            "the function may run when the program has ended, as a destructor does: the OpenMP runtime is gone by then"
            => "";
        CalledElsewhere "called-by-kernels"
            "kernels or host threads call the function that it is in"
            => "";
        OwnOpenAcc "own-openacc"
            "the program has OpenACC directives of its own"
            => "";
        OwnTarget "own-target"
            "the program has OpenMP `target` directives, and OpenACC has memory of the device of its own"
            => "";
        OwnMemory "own-device-memory"
            "the program manages memory of the device by hand"
            => "";
        OwnThreads "own-threads"
            "the program starts threads of its own"
            => "";
        NotAccepted { error: String } "not-accepted"
            "what would be written for it is refused: {error}"
            => "";
        NotChosen "not-chosen"
            "another loop was chosen"
            => "";
        NotWanted "not-wanted"
            "other decisions were chosen"
            => "Name the decision with `--only`, or leave it out of `--skip`.";
        OpenAccInHeader { header: String } "openacc-in-header"
            "{header} has OpenACC directives"
            => "";
    }
}
