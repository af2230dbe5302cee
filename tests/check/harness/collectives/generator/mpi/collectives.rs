//! Collective operations of MPI as text.

use crate::collectives::generator::builder::Builder;
use crate::collectives::generator::features::Feature;
use crate::collectives::generator::tree::{Stmt, line};

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    Scan,
    Exscan,
    ReduceScatter,
    Ibarrier,
    Dup,
}

/// Every operation, with weights.
pub const OPERATIONS: [(u32, Operation); 13] = [
    (8, Operation::Barrier),
    (3, Operation::Bcast),
    (2, Operation::Reduce),
    (6, Operation::Allreduce),
    (1, Operation::Gather),
    (1, Operation::Scatter),
    (3, Operation::Allgather),
    (2, Operation::Alltoall),
    (1, Operation::Scan),
    (1, Operation::Exscan),
    (1, Operation::ReduceScatter),
    (1, Operation::Ibarrier),
    (1, Operation::Dup),
];

/// What is sent, as C and MPI call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementType {
    c: &'static str,
    mpi: &'static str,
}

const TYPES: [(u32, ElementType); 3] = [
    (
        2,
        ElementType {
            c: "int",
            mpi: "MPI_INT",
        },
    ),
    (
        1,
        ElementType {
            c: "double",
            mpi: "MPI_DOUBLE",
        },
    ),
    (
        1,
        ElementType {
            c: "long",
            mpi: "MPI_LONG",
        },
    ),
];

/// An operation with what has to agree between ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    pub operation: Operation,
    pub of: ElementType,
    /// How values are combined.
    pub by: &'static str,
    /// Whether the root is the last rank, and not the first.
    pub last: bool,
}

/// How a rank's own number, the number of ranks, and the communicator are called.
#[derive(Clone, Debug)]
pub struct Names {
    pub rank: String,
    pub size: String,
    pub comm: String,
}

impl Collective {
    /// A collective of any sort; roots are the first rank unless `last` allows the last one.
    pub fn any(b: &mut Builder, last: bool) -> Collective {
        let operation = b.rng.weighted(&OPERATIONS);
        Collective {
            operation,
            of: b.rng.weighted(&TYPES),
            by: b.pick(&["MPI_SUM", "MPI_MAX", "MPI_MIN"]),
            last: last && b.rng.chance(25),
        }
    }

    /// A collective of another operation than this one.
    pub fn another(&self, b: &mut Builder) -> Collective {
        loop {
            let other = Collective::any(b, false);
            if other.operation != self.operation {
                return other;
            }
        }
    }

    /// Whether no rank gets past it, with Open MPI, before all ranks have come.
    pub fn waits(&self) -> bool {
        matches!(
            self.operation,
            Operation::Barrier
                | Operation::Allreduce
                | Operation::Allgather
                | Operation::Alltoall
                | Operation::Ibarrier
                | Operation::Dup
        )
    }

    /// The operation as statements, on buffers of its own.
    pub fn stmts(&self, b: &mut Builder, names: &Names) -> Vec<Stmt> {
        let root = if self.last {
            format!("{} - 1", names.size)
        } else {
            "0".to_string()
        };
        self.rooted(b, names, &root)
    }

    /// The operation as statements, with `root` as the root.
    pub fn rooted(&self, b: &mut Builder, names: &Names, root: &str) -> Vec<Stmt> {
        b.note(Feature::Operation(self.operation));
        let (comm, rank, by) = (&names.comm, &names.rank, self.by);
        let ElementType { c, mpi } = self.of;
        let (one, many) = (b.name("x"), b.name("all"));
        let k = b.rng.range(1, 9);
        let payload = if b.rng.chance(60) {
            format!("{rank} + {k}")
        } else {
            k.to_string()
        };
        let own = line(format!("{c} {one} = {payload};"));
        let result = line(format!("{c} {many}[64] = {{ 0 }};"));
        let start = line(format!("{c} {many}[64] = {{ {k} }};"));
        let sent = format!("&{one}, 1, {mpi}");
        let (combined, received) = (format!("&{one}, {many}, 1, {mpi}, {by}"), format!("{many}, 1, {mpi}"));
        match self.operation {
            Operation::Barrier => vec![line(format!("MPI_Barrier({comm});"))],
            Operation::Bcast => vec![own, line(format!("MPI_Bcast({sent}, {root}, {comm});"))],
            Operation::Reduce => vec![own, result, line(format!("MPI_Reduce({combined}, {root}, {comm});"))],
            Operation::Allreduce => vec![own, result, line(format!("MPI_Allreduce({combined}, {comm});"))],
            Operation::Gather => {
                let call = format!("MPI_Gather({sent}, {received}, {root}, {comm});");
                vec![own, result, line(call)]
            }
            Operation::Scatter => {
                let call = format!("MPI_Scatter({received}, {sent}, {root}, {comm});");
                vec![own, start, line(call)]
            }
            Operation::Allgather => {
                let call = format!("MPI_Allgather({sent}, {received}, {comm});");
                vec![own, result, line(call)]
            }
            Operation::Alltoall => {
                let from = b.name("from");
                let begin = line(format!("{c} {from}[64] = {{ {payload} }};"));
                let call = format!("MPI_Alltoall({from}, 1, {mpi}, {received}, {comm});");
                vec![begin, result, line(call)]
            }
            Operation::Scan => vec![own, result, line(format!("MPI_Scan({combined}, {comm});"))],
            Operation::Exscan => vec![own, result, line(format!("MPI_Exscan({combined}, {comm});"))],
            Operation::ReduceScatter => {
                let call = format!("MPI_Reduce_scatter_block({many}, &{one}, 1, {mpi}, {by}, {comm});");
                vec![own, start, line(call)]
            }
            Operation::Ibarrier => {
                let request = b.name("request");
                vec![
                    line(format!("MPI_Request {request};")),
                    line(format!("MPI_Ibarrier({comm}, &{request});")),
                    line(format!("MPI_Wait(&{request}, MPI_STATUS_IGNORE);")),
                ]
            }
            Operation::Dup => {
                let copy = b.name("copy");
                vec![
                    line(format!("MPI_Comm {copy};")),
                    line(format!("MPI_Comm_dup({comm}, &{copy});")),
                    line(format!("MPI_Comm_free(&{copy});")),
                ]
            }
        }
    }
}
