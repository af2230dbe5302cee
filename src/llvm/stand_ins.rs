//! Headers of ours that clang reads: in the place of `omp.h`, and for `mpi.h` where no MPI is installed.
//!
//! The stand-in for `omp.h` is needed because `omp.h` of LLVM defines functions inside `#pragma omp begin declare variant`, which
//! clang without `-fopenmp` takes for plain, doubled definitions as soon as `_OPENMP` says 5.0 or later. It includes the
//! real header with an older `_OPENMP`, which hides just those definitions, and puts the user's value back.

/// The text of the stand-in for `omp.h`.
pub(super) const OMP_H: &str = "#pragma push_macro(\"_OPENMP\")
#undef _OPENMP
#define _OPENMP 201611
#include_next <omp.h>
#pragma pop_macro(\"_OPENMP\")
";
/// The text of the stand-in for `mpi.h`, which is read where there is no other one.
pub(super) const MPI_H: &str = include_str!("mpi.h");
/// Folder of headers that are read where there are no others, inside of the folder of stand-ins.
pub(super) const OTHERWISE: &str = "otherwise";
