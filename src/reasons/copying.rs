//! Copying that cannot be placed, or are not worth it.

use super::reasons;

reasons! {
    /// Why copies cannot be placed where they would be needed, or move no less than before.
    Copying {
        MovesNoLess "moves-no-less"
            "a residency from here on would move no less than its kernels' own maps do"
            => "";
        TooDeep "loops-too-deep"
            "so many loops lie around this one that no residency was tried over it alone, or within it"
            => "Let the inner loops be a function of their own.";
        PointerToo { member: String } "pointer-copied-too"
            "mapping `{member}` copies the pointer too, which kernels here do not, or do only if they run"
            => "Map the array by a local pointer, `double *x = s->x;`.";
        HostReadsStale "host-reads-stale"
            "the host reads here what may be newer on the device, and no copy can be shown to be right"
            => "Let what the host reads be said by variables that do not change in the loop.";
        HostWritesPart "host-writes-part"
            "the host may write part of what is newer on the device here"
            => "Write the elements in each iteration, or in a kernel.";
        KernelNeedsStale "kernel-needs-stale"
            "the kernel needs here what may be newer on the host, and no copy can be shown to be right"
            => "Let what the host writes be said by variables that do not change in the loop.";
        Unsettled "unsettled"
            "the analysis did not settle on this loop nest"
            => "Move inner loops into functions of their own.";
        BackOnSomePaths "back-on-some-paths"
            "a copy out at the end would also run where no kernel has written it"
            => "Let every way through the statements come by a kernel, or leave out `--no-speculation`.";
        ResultsLost "results-lost"
            "at the end of the residency results would be lost, and no copy back can be shown to be right"
            => "Let the host not write parts of the array after the last kernel.";
        Overwrites "copy-overwrites"
            "a copy here may overwrite something newer"
            => "";
        Nameless "copy-nameless"
            "what a copy here is of has no name"
            => "";
        EndOverwrites "end-overwrites"
            "the copy out at the end may overwrite something newer"
            => "";
        EndLoses "end-loses"
            "results that the host may read are lost at the end"
            => "";
        InRegion "copies-in-region"
            "copies would be needed within a region that holds it by hand"
            => "Leave the region out where the tool is to decide.";
        PresentAlready { who: String } "present-already"
            "copies inside would be needed, and it may be on the device already when the function is called{who}"
            => "Make the function `static`, or let the tool see all callers.";
        MayNotExist "may-not-exist"
            "no kernel may run from here on, and nothing else says that so much of it exists"
            => "Use the array on the host before, or put the condition around the loop.";
        Unnamed "copies-unnamed"
            "a residency here would need copies that have no name where they would stand"
            => "Declare the variables of the bounds before the loop.";
        TooOften "copied-too-often"
            "it would be copied more often than its kernels copy it"
            => "Use it on the host less often, or outside of the loop.";
        MayNotExistInCalls "may-not-exist-in-calls"
            "a part of it would be copied that may not exist in every call"
            => "";
        NoMeaningForCallers "no-meaning-for-callers"
            "a part of it that is copied has no meaning for callers"
            => "Say the part by parameters of the function.";
        UpdatesUnknown "updates-unknown"
            "what updates in functions called there copy could not be evaluated"
            => "Say the part by parameters of the function.";
        NotTold "host-use-unknown"
            "which part of it the function uses is not known"
            => "";
        NotUsed "not-used"
            "nothing of it is used there"
            => "";
    }
}
