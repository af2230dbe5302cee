//! Small MPI and OpenMP programs of which it is known whether all ranks, or all threads, meet the same collectives.
//!
//! [`generate`] is a pure function of a kind and a seed. A program is put together from *parts* that keep the sequences of
//! collectives equal by the way they are made; a wrong program has one *defect* besides, at a place that every run reaches.
//! Values are known while programs are made: what is the same everywhere, and what differs between 3 ranks or 4 threads.
//!
//! A wrong program of MPI, put together from the outside to the inside:
//!
//! ```c
//! int n1 = rank + 2;                              /* an origin of a value that all share: `Bcast`      */
//! MPI_Bcast(&n1, 1, MPI_INT, 0, MPI_COMM_WORLD);  /* each = [2, 2, 2]                                  */
//! for (int i2 = 0; i2 < n1; i2++) {               /* a container: all ranks go round equally often     */
//!     MPI_Barrier(MPI_COMM_WORLD);                /* a part: a collective                              */
//! }
//! int v3 = 0;                                     /* `rank`, each = [0, 1, 2], by a flow: `Assigned`   */
//! if (rank >= 2)                                  /* each = [0, 0, 3] behind it                        */
//!     v3 = 3;
//! if (v3 > 0)                                     /* the defect: a condition that splits the ranks,    */
//!     MPI_Barrier(MPI_COMM_WORLD);                /* in the shape `OneSide`                            */
//! ```
//!
//! - `tree`: statements as C. `builder`: names, functions, values, conditions.
//! - `flows`: ways of a value to where it is used. `shapes`: ways to miss a collective. `containers`: parts that hold others.
//! - `mpi`, `omp`: origins of values, right parts, and defects of each.
//! - `features`: what a program has, by name.
//! - `rng`: the stream of random numbers, which is that of the differential tests.

pub mod builder;
pub mod containers;
pub mod features;
pub mod flows;
pub mod mpi;
pub mod omp;
#[path = "../../../../differential/generator/rng.rs"]
pub mod rng;
pub mod shapes;
pub mod tree;

use std::collections::BTreeSet;

use features::{Defect, Feature};
use rng::Rng;

/// A program and what is known of it.
#[derive(Clone, Debug)]
pub struct GeneratedProgram {
    /// The text of its one file.
    pub text: String,
    pub verdict: Verdict,
    /// What is wrong, where something is.
    pub defect: Option<Defect>,
    /// What the program is made of.
    pub features: BTreeSet<Feature>,
    /// Whether a run with 3 ranks or 4 threads surely hangs or fails.
    pub shows: bool,
}

/// Whether the sequences of a program match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Right,
    /// Each side of a branch on the thread has barriers of its own, in equal number: the standard forbids it, and it works.
    Unaligned,
    /// Sequences differ between 3 ranks or 4 threads.
    Mismatch,
}

/// What a program is parallel by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Mpi,
    OpenMp,
}

/// The least and the greatest number of lines.
const LINES: (usize, usize) = (40, 150);

/// The program of `seed`: about half of them are wrong.
pub fn generate(kind: Kind, seed: u64) -> GeneratedProgram {
    let mut rng = Rng::new(seed);
    let unaligned = match kind {
        Kind::Mpi => 0,
        Kind::OpenMp => 10,
    };
    let verdict = rng.weighted(&[
        (45, Verdict::Right),
        (45, Verdict::Mismatch),
        (unaligned, Verdict::Unaligned),
    ]);
    loop {
        let seed = rng.next();
        let program = match kind {
            Kind::Mpi => mpi::program(seed, verdict == Verdict::Mismatch),
            Kind::OpenMp => omp::program(seed, verdict),
        };
        if (LINES.0..=LINES.1).contains(&program.text.lines().count()) {
            return program;
        }
    }
}
