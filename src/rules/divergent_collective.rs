//! OMM302 `divergent-collective`: not every process of a communicator comes to a collective.

use super::RuleText;

/// What there is to know about the rule.
pub const TEXT: RuleText = RuleText {
    code: "OMM302",
    name: "divergent-collective",
    says: "Not every process of a communicator comes to a collective, or the processes come to collectives in different orders.",
    why: "All processes of a communicator have to call its collectives, in one order. Where a condition that differs between processes (by the rank, by what was received, by what only some have read) decides whether one is called, the others wait for ever, or what is sent for one collective is taken for another. Of communicators whose members the program text does not say (`MPI_Comm_create`, `MPI_Cart_sub`, `MPI_Comm_split_type`) nothing is said. Conditions on numbers of processes are tried with small numbers of them; what messages and broadcasts bring may be what makes up for a condition, and elements of arrays that no number names may be the same for all: these are warnings. Where the result of an allocation is tested itself, there is memory. Other values that only come out alike (a loop from `rank` to `rank + 4`, an array that each process has filled alike) are taken to differ, so that there a right program is blamed; a comment with `ignore[OMM302]` says that it is right.",
    fix: "Call the collective outside of the condition, or make the condition the same for all, as with `MPI_Bcast` or `MPI_Allreduce` of what it depends on.",
    wrong: r#"int rank;
MPI_Init(NULL, NULL);
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
if (rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
MPI_Finalize();
"#,
    right: r#"int rank;
MPI_Init(NULL, NULL);
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
if (rank == 0)
    printf("all are here\n");
MPI_Barrier(MPI_COMM_WORLD);
MPI_Finalize();
"#,
};
