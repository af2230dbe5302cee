//! Headers of ours that clang reads: in the place of `omp.h`, for `mpi.h` where no MPI is installed, and for CUDA and UPC.
//!
//! The stand-in for `omp.h` is needed because `omp.h` of LLVM defines functions inside `#pragma omp begin declare variant`, which
//! clang without `-fopenmp` takes for plain, doubled definitions as soon as `_OPENMP` says 5.0 or later. It includes the
//! real header with an older `_OPENMP`, which hides just those definitions, and puts the user's value back.

/// The text of the stand-in for `omp.h`.
const OMP_H: &str = "#pragma push_macro(\"_OPENMP\")
#undef _OPENMP
#define _OPENMP 201611
#include_next <omp.h>
#pragma pop_macro(\"_OPENMP\")
";
/// The text of the stand-in for `mpi.h`, which is read where there is no other one.
const MPI_H: &str = include_str!("mpi.h");
/// Folder of headers that are read where there are no others, inside of the folder of stand-ins.
pub(super) const OTHERWISE: &str = "otherwise";
/// Folder of headers that are read before others in texts of CUDA, inside of the folder of stand-ins.
pub(super) const CUDA: &str = "cuda";
/// What is read in front of a text of CUDA, and of UPC.
pub(super) const CUDA_PRELUDE: &str = "ompmemopt_cuda.h";
pub(super) const UPC_PRELUDE: &str = "ompmemopt_upc.h";

/// Headers of CUDA that have something to say besides what is read in front.
const OF_CUDA: [(&str, &str); 4] = [
    ("cooperative_groups.h", include_str!("cooperative_groups.h")),
    ("curand_kernel.h", include_str!("curand_kernel.h")),
    ("curand.h", "#include <curand_kernel.h>\n"),
    ("curand_mtgp32_kernel.h", "#include <curand_kernel.h>\n"),
];

/// Headers of CUDA of which all is said in front.
const EMPTY_OF_CUDA: [&str; 24] = [
    "builtin_types.h",
    "channel_descriptor.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cuda.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_surface_types.h",
    "cuda_texture_types.h",
    "device_atomic_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "driver_types.h",
    "host_defines.h",
    "math_constants.h",
    "math_functions.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "texture_fetch_functions.h",
    "vector_functions.h",
    "vector_types.h",
];
/// Headers of UPC, of which all is said in front.
const EMPTY_OF_UPC: [&str; 8] = [
    "bupc_extensions.h",
    "upc.h",
    "upc_collective.h",
    "upc_io.h",
    "upc_relaxed.h",
    "upc_strict.h",
    "upc_tick.h",
    "upc_castable.h",
];

/// All of these headers, by their names in the folder of stand-ins.
pub(super) fn texts() -> Vec<(String, &'static str)> {
    let otherwise = |name: &str| format!("{OTHERWISE}/{name}");
    let of_cuda = |name: &str| format!("{CUDA}/{name}");
    let mut texts = vec![("omp.h".to_owned(), OMP_H), (otherwise("mpi.h"), MPI_H)];
    texts.push((otherwise(CUDA_PRELUDE), include_str!("cuda.h")));
    texts.push((otherwise(UPC_PRELUDE), include_str!("upc.h")));
    texts.extend(OF_CUDA.map(|(name, text)| (of_cuda(name), text)));
    texts.extend(EMPTY_OF_CUDA.map(|name| (of_cuda(name), "")));
    texts.extend(EMPTY_OF_UPC.map(|name| (otherwise(name), "")));
    texts
}
