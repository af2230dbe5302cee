//! Functions that are left alone as a whole.

use super::reasons;

reasons! {
    /// Why a function is left as it is.
    Functions {
        NotUnderstood { why: String } "not-understood"
            "{why}"
            => "Write the statement out, or move it into a function of its own.";
        MacroInDirective { name: String } "macro-in-directive"
            "`{name}` in this directive is a macro: write the variable that it stands for"
            => "Write the variable that the macro stands for.";
        HiddenDirectives "function-hides-directives"
            "it has device directives that are not in this text (a macro or an included file)"
            => "Write the pragma in the text, not in a macro.";
        HiddenThreads "function-hides-threads"
            "it has directives to threads of the host that are not in this text (a macro or an included file)"
            => "Write the pragma in the text, not in a macro.";
        ManagesByHand { callee: String } "manages-device-memory"
            "the call of `{callee}` manages device memory by hand"
            => "";
        ReturnsTwice { callee: String } "returns-twice"
            "the call of `{callee}` may return twice"
            => "";
        ReturnsTwiceInside "returns-twice-inside"
            "`setjmp` returns again within a statement that is looked at as a whole"
            => "";
        BackwardGoto "backward-goto"
            "a backward `goto` makes a loop that this tool does not follow"
            => "Write the loop as `while` or `for`.";
        KernelsInRegion "kernels-in-host-region"
            "functions called in a host parallel or task region here start kernels"
            => "";
        NotCalled "not-called"
            "nothing in the program calls it"
            => "Give the tool all files of the program.";
        AfterDevice "after-device"
            "it may run when the program ends, where directives find no device any more"
            => "";
        SeveralThreads "several-threads"
            "several threads of the host may run it at a time"
            => "";
        AtAnyTime "at-any-time"
            "it may run at any time: a thread or a handler of signals runs it"
            => "";
        TasksRun "tasks-run"
            "tasks that it creates may still run when it goes on"
            => "End the tasks with `taskwait`.";
        PartElsewhere "part-elsewhere"
            "a part of it is in an included file"
            => "";
        NotEmitted "not-emitted"
            "the compiler did not emit it"
            => "";
    }
}
