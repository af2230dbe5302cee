//! Where a residency would begin and end.

use super::{Reason, reasons};

reasons! {
    /// Why a residency cannot begin, end or hold over these statements.
    Ends {
        NoPlace "no-place"
            "there is no place for a directive here"
            => "Put braces around the statement.";
        InConditional "in-conditional"
            "the region would begin or end inside `#if`"
            => "Let the branches of `#if` hold whole statements.";
        LeavesByLongjmp "leaves-by-longjmp"
            "the function called here may leave it by `longjmp`"
            => "";
        LeavesInStatement "leaves-in-statement"
            "control leaves the residency in the middle of a statement"
            => "";
        JumpWithoutPlace "jump-without-place"
            "a jump leaves the residency where no directive can stand before it"
            => "Put braces around the jump.";
        JumpShares "jump-shares-place"
            "a jump out of the residency shares its place with other code"
            => "Put braces around the jump.";
        LeftOutBefore "left-out-before"
            "another build may leave out by `#if` what stands before it"
            => "";
        SwitchedOff { line: usize } "switched-off"
            "the comment in line {line} switches `rewrite` off for it"
            => "Leave the comment out, or end what it begins with `/* ompmemopt: on */`.";
        JumpsIn "jumps-in"
            "a jump enters the residency in the middle"
            => "";
        NoStatements "no-statements"
            "it has no statements"
            => "";
        FreedHere "freed-here"
            "it is freed here"
            => "Free it behind the loop, or allocate it once.";
        FreedThere "freed-there"
            "it is freed there"
            => "";
        Changes "changes-at-end"
            "a residency here depends on what is not the same where it ends"
            => "Do not assign to the pointer and to its size between kernels.";
        NotTheSame "not-the-same-at-end"
            "its name, its bounds or a condition that it depends on are not the same where it ends"
            => "Do not assign to the pointer and to its size between kernels.";
        Overlap "residencies-overlap"
            "residencies here overlap without one being inside the other, and `--style structured` rules out `enter data` and `exit data`"
            => "Leave out `--style structured`.";
        NeedsUnstructured "needs-unstructured"
            "it needs `enter data` and `exit data`, which `--style structured` rules out"
            => "Leave out `--style structured`.";
        NoName "no-name-at-start"
            "its name or the bounds of its section are not available where the residency would start"
            => "Declare pointer and size before the loop, or do not assign to them in it.";
        ConditionNoName "condition-without-name"
            "what the `if` clauses of its kernels say has no name where the residency would start"
            => "Compute the condition before the loop, in a variable.";
        OnlyPointerBehind "only-behind-parameter"
            "only a pointer behind a parameter names it where the residency would start"
            => "Copy the pointer to a local variable first.";
        TradesElsewhere "trades-elsewhere"
            "it trades places with other buffers in there"
            => "";
        DoNotTrade "no-trading-here"
            "they do not trade places here"
            => "";
        TradedSizes "traded-sizes-differ"
            "the buffers that trade places differ in size"
            => "Allocate all of them with one size.";
        TradedNoName "traded-without-name"
            "the buffers that trade places have no name where the residency would end"
            => "";
        TradeNoStart "trade-without-start"
            "the residency would start at no place of the text"
            => "";
        TradeStart "trade-starts-within"
            "the pointers that trade places do not start as different whole arrays"
            => "Let each pointer begin at the start of an array of its own.";
        TradeOnePath "trade-on-one-path"
            "the pointers trade places on one path and not on another"
            => "Exchange them in every iteration.";
        TradeNoHeader "trade-without-loop"
            "a loop without a header"
            => "";
        TradeUnclear "trade-unclear"
            "the pointers do not simply trade places from one iteration to the next"
            => "Exchange the pointers themselves: `t = a; a = b; b = t;`.";
        TradeThere "trades-there"
            "its buffers trade places there"
            => "";
        OnlyTogether { other: String, why: Box<Reason> } "only-together"
            "it can only stay there together with {other}, of which: {why}"
            => "";
    }
}
