//! What a program has, and what is wrong with it, by name.
//!
//! Parts note what they are while a program is made; a run over many seeds counts by these names what was found
//! (`MpiPart(SplitByColour)`), and a test sees to it that each of them is made at all ([`of_kind`]).

use super::containers::CONTAINERS;
use super::flows::{FLOWS, Flow};
use super::mpi::calls::Pass;
use super::mpi::collectives::Operation;
use super::shapes::SHAPES;
use super::{Kind, mpi, omp};

/// Something that a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// A way of a value from where it is made to where it is used.
    Flow(Flow),
    /// A way of rank and size into a function.
    Pass(Pass),
    /// A way of the thread's number into a function.
    OmpPass(omp::calls::Pass),
    /// A collective operation of MPI.
    Operation(Operation),
    /// An origin of a value that all ranks share.
    MpiUniform(mpi::uniform::Origin),
    /// An origin of a value that the ranks of one part of the ranks share, used for collectives of that part.
    MpiUniformInPart(mpi::uniform::Origin),
    /// An origin of a value that differs between ranks.
    MpiDivergent(mpi::divergent::Origin),
    /// A right part of an MPI program.
    MpiPart(mpi::parts::Part),
    /// An origin of a value that all threads share.
    OmpUniform(omp::uniform::Origin),
    /// An origin of a value that differs between threads.
    OmpDivergent(omp::divergent::Origin),
    /// A right part of an OpenMP program.
    OmpPart(omp::parts::Part),
    /// A barrier, or a construct that shares work.
    OmpSync(omp::sync::Sync),
}

/// What is wrong with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Defect {
    /// Collectives that do not match between ranks.
    Mpi(mpi::defects::Defect),
    /// Barriers or worksharing constructs that not all threads reach.
    Omp(omp::defects::Defect),
}

/// Every feature that programs of a kind can have.
pub fn of_kind(kind: Kind) -> Vec<Feature> {
    let mut all: Vec<Feature> = FLOWS.map(Feature::Flow).to_vec();
    all.push(Feature::Flow(Flow::WeakElement));
    match kind {
        Kind::Mpi => {
            use mpi::parts::{COMMUNICATORS, LEAVES, Part};
            let parts = LEAVES.iter().chain(&COMMUNICATORS).map(|(_, part)| *part);
            let containers = CONTAINERS.iter().map(|(_, of)| Part::Uniform(*of));
            let others = [Part::Call, Part::UniformReturn, Part::LateReturn];
            all.extend(parts.chain(containers).chain(others).map(Feature::MpiPart));
            all.extend(mpi::calls::PASSES.map(Feature::Pass));
            all.extend(mpi::collectives::OPERATIONS.map(|(_, operation)| Feature::Operation(operation)));
            all.extend(mpi::uniform::ORIGINS.map(Feature::MpiUniform));
            all.extend(mpi::divergent::ORIGINS.map(Feature::MpiDivergent));
        }
        Kind::OpenMp => {
            use omp::parts::{APART, LEAVES, Part};
            let parts = LEAVES.iter().map(|(_, part)| *part);
            let apart = APART.iter().map(|apart| Part::NestedApart(*apart));
            let containers = CONTAINERS.iter().map(|(_, of)| Part::Uniform(*of));
            let others = [Part::Call, Part::UniformReturn, Part::LateReturn];
            all.extend(parts.chain(apart).chain(containers).chain(others).map(Feature::OmpPart));
            all.extend(omp::calls::PASSES.map(Feature::OmpPass));
            all.extend(omp::sync::ALL.map(|(_, sync)| Feature::OmpSync(sync)));
            all.extend(omp::uniform::ORIGINS.map(Feature::OmpUniform));
            all.extend(omp::divergent::ORIGINS.map(Feature::OmpDivergent));
        }
    }
    all
}

/// Every defect on a value of any origin that programs of a kind can have, and each of those that need more than that once.
pub fn defects_of_kind(kind: Kind) -> Vec<Defect> {
    match kind {
        Kind::Mpi => {
            use mpi::defects::Defect as Mpi;
            let others = [
                Mpi::OtherRoot,
                Mpi::OtherCommunicator,
                Mpi::AcrossColours,
                Mpi::LocalConvergence,
            ];
            let shapes = SHAPES.map(Mpi::Shape);
            shapes.into_iter().chain(others).map(Defect::Mpi).collect()
        }
        Kind::OpenMp => {
            use omp::defects::{CONSTRUCTS, Defect as Omp, SIDES};
            let constructs = CONSTRUCTS.map(Omp::Inside);
            let sides = SIDES.map(Omp::Unaligned);
            let shapes = SHAPES.map(Omp::Shape);
            shapes
                .into_iter()
                .chain(constructs)
                .chain(sides)
                .map(Defect::Omp)
                .collect()
        }
    }
}
