//! Headers of ours that clang reads: in the place of `omp.h`, and for `mpi.h` where no MPI is installed.

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
