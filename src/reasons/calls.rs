//! What called functions do.

use super::{Reason, reasons};

reasons! {
    /// Why the call of a function is in the way.
    Calls {
        StartsKernels { callee: String } "starts-kernels"
            "`{callee}`, called here, starts kernels on it"
            => "Move the kernel into the calling function.";
        StartsKernelsWhy { callee: String, why: Box<Reason> } "starts-kernels-because"
            "`{callee}`, called here, starts kernels on it: {why}"
            => "";
        Unknown { nothing_known: String, line: String } "unknown-function"
            "{nothing_known}: it may start kernels on it; {line}"
            => "Say what it does, in `ompmemopt.toml`.";
        UnknownCode "unknown-code"
            "unknown code called here may start kernels on it"
            => "Keep the array's address from what pointers to functions of other files lead to.";
        TouchedInKernel "touched-in-kernel"
            "a function called in this kernel touches it"
            => "";
        Unordered "unordered"
            "calls in this statement use it in kernels and on the host, in an order that C does not say"
            => "Put each call into a statement of its own.";
        AlsoOnHost { callee: String } "also-on-host"
            "the statement that calls `{callee}` also uses it on the host"
            => "Put the call into a statement of its own.";
        MayBeIt { callee: String } "may-be-it"
            "`{callee}`, called here, starts kernels on what may be it"
            => "";
        HostOtherName { callee: String } "host-other-name"
            "`{callee}`, called here, may use it on the host under another name"
            => "";
        Hidden { callee: String, why: String } "hidden-in-callee"
            "what `{callee}`, called here, does is not all in its text: {why}"
            => "";
        HiddenDirectives { callee: String } "hidden-directives"
            "`{callee}`, called here, has directives that are not in its text"
            => "Write the pragma in the text, not in a macro.";
        UnknownName { callee: String } "unknown-name-there"
            "`{callee}`, called there, uses it under a name that is not known"
            => "";
        IdleUnknown "idle-unknown"
            "whether kernels called here run at all is not known here"
            => "Hand what decides to the function as a parameter.";
        AsMember { callee: String, path: String } "member-of-longer-path"
            "kernels of `{callee}`, called here, map it as a member of a struct that only `{path}` leads to here, and members at the end of a longer path are not mapped together"
            => "Copy the pointer to the struct to a local variable first.";
        HostThere "host-there"
            "it is also used on the host there"
            => "";
        HostThereWhy { why: Box<Reason> } "host-there-because"
            "it is also used on the host there: {why}"
            => "";
        Grows "grows-with-calls"
            "it is also used on the host there, and what would be copied grows with each call"
            => "";
        Recursive "calls-itself"
            "it calls itself with another part of it"
            => "";
        NoRoot "no-parameter"
            "it is no parameter or global there"
            => "Hand the array to the function as a parameter.";
        UsedLater { name: String } "used-later"
            "`{name}` may use it at any time: a thread or a handler of signals runs it"
            => "";
        LaunchedAtExit { name: String } "launched-at-exit"
            "`{name}` starts kernels with it when the program ends, perhaps while it is still on the device"
            => "";
        UsedLaterByUnknown "used-later-by-unknown"
            "unknown functions may use it at any time: threads or handlers of signals run them"
            => "";
        Shared "shared-memory"
            "others may use it at any time: it is memory that the program shares, or has given to a stream"
            => "";
    }
}
