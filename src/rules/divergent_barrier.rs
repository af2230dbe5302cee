//! OMM301 `divergent-barrier`: not every thread of a team comes to a barrier.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM301",
    name: "divergent-barrier",
    says: "Not every thread of a team comes to a barrier, a shared loop, sections or `single`, or the threads come to different ones.",
    why: "All threads of a team have to come to its barriers and to what they share, in one order; barriers are also at the end of loops, sections and `single` without `nowait`. Where a condition that differs between threads (by the thread's number, by a private variable, by what others are about to write) decides whether one is called, the others wait for ever, or iterations are left out. Within `critical`, `ordered`, tasks, and what the threads have shared among them, not all are there at once. Where the threads come to as many barriers of a kind, but not to the same ones, most runtimes let them meet, and OpenMP forbids it: that is a warning. Nothing is said of regions with `cancel`.",
    fix: "Put the barrier, or what the team shares, outside of the condition, or make the condition the same for all threads: of shared variables behind a barrier.",
    wrong: r#"#pragma omp parallel
{
    if (omp_get_thread_num() == 0) {
        printf("one is here\n");
        #pragma omp barrier
    }
}
"#,
    right: r#"#pragma omp parallel
{
    if (omp_get_thread_num() == 0)
        printf("one is here\n");
    #pragma omp barrier
}
"#,
};
