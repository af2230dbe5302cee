/*
 * Stand-in for what nvcc declares by itself and for cuda_runtime.h, for analysis only: clang reads it in front of a `.cu` file, so that
 * kernels compile where no CUDA is installed. Nothing here is ever linked. What tells threads apart is a function under a name that
 * `src/multivalued/cuda.txt` has; what only computes is `const`, so that its result differs where its arguments do.
 */
#ifndef OMPMEMOPT_CUDA_H
#define OMPMEMOPT_CUDA_H

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 12000
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define CUDA_VERSION 12000

#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __forceinline__ __inline__
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __restrict __restrict__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")

#define OMM_PURE __device__ __attribute__((const))
#define OMM_BOTH __host__ __device__ __attribute__((const))

typedef __SIZE_TYPE__ omm_size;

/* Vectors */
#define OMM_VECTOR(T, name)                                                          \
    struct name##1 { T x; };                                                         \
    struct name##2 { T x, y; };                                                      \
    struct name##3 { T x, y, z; };                                                   \
    struct name##4 { T x, y, z, w; };                                                \
    static inline __host__ __device__ name##1 make_##name##1(T x) { return {x}; }    \
    static inline __host__ __device__ name##2 make_##name##2(T x, T y) { return {x, y}; } \
    static inline __host__ __device__ name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    static inline __host__ __device__ name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
OMM_VECTOR(signed char, char)
OMM_VECTOR(unsigned char, uchar)
OMM_VECTOR(short, short)
OMM_VECTOR(unsigned short, ushort)
OMM_VECTOR(int, int)
OMM_VECTOR(unsigned int, uint)
OMM_VECTOR(long, long)
OMM_VECTOR(unsigned long, ulong)
OMM_VECTOR(long long, longlong)
OMM_VECTOR(unsigned long long, ulonglong)
OMM_VECTOR(float, float)
OMM_VECTOR(double, double)

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

/* What a thread knows of itself: a member is a function under its own name. */
#define OMM_PART(type, variable, part, attributes)                                   \
    __declspec(property(get = omm_##part)) unsigned int part;                        \
    static __device__ attributes unsigned int omm_##part(void) __asm__(#variable "." #part);
#define OMM_INDEX(type, variable, attributes)                                        \
    struct omm_##variable {                                                          \
        OMM_PART(type, variable, x, attributes)                                      \
        OMM_PART(type, variable, y, attributes)                                      \
        OMM_PART(type, variable, z, attributes)                                      \
        __device__ operator type() const { return type{x, y, z}; }                   \
    };                                                                               \
    extern const __device__ omm_##variable variable;
OMM_INDEX(uint3, threadIdx, )
OMM_INDEX(uint3, blockIdx, __attribute__((const)))
OMM_INDEX(dim3, blockDim, __attribute__((const)))
OMM_INDEX(dim3, gridDim, __attribute__((const)))
extern const __device__ int warpSize;

/* Barriers: `__syncthreads` is clang's own */
extern "C" {
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned int mask = 0xffffffffu);
__device__ void __threadfence(void);
__device__ void __threadfence_block(void);
__device__ void __threadfence_system(void);
__device__ void __nanosleep(unsigned int);
__device__ long long clock64(void);
__device__ unsigned int __activemask(void);
__device__ int printf(const char *, ...);
__device__ void *malloc(omm_size);
__device__ void free(void *);
__device__ void *memcpy(void *, const void *, omm_size);
__device__ void *memset(void *, int, omm_size);
__device__ __attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept(true);
__device__ __attribute__((noreturn)) void __trap(void);
}
__device__ int clock(void) __asm__("clock");
__device__ void __brkpt(void);
template <class T> static inline __device__ T __ldg(const T *p) { return *p; }
template <class T> static inline __device__ T __ldcg(const T *p) { return *p; }
template <class T> static inline __device__ T __ldca(const T *p) { return *p; }
template <class T> static inline __device__ T __ldcs(const T *p) { return *p; }
template <class T> static inline __device__ void __stcs(T *p, T v) { *p = v; }
template <class T> static inline __device__ void __stcg(T *p, T v) { *p = v; }

/* What only computes, of numbers or of what other threads of the warp have */
#define OMM_WARP(T)                                                                  \
    OMM_PURE T __shfl_sync(unsigned int, T, int, int = 32) __asm__("__shfl_sync");           \
    OMM_PURE T __shfl_up_sync(unsigned int, T, unsigned int, int = 32) __asm__("__shfl_up_sync");     \
    OMM_PURE T __shfl_down_sync(unsigned int, T, unsigned int, int = 32) __asm__("__shfl_down_sync"); \
    OMM_PURE T __shfl_xor_sync(unsigned int, T, int, int = 32) __asm__("__shfl_xor_sync");   \
    OMM_PURE T __shfl(T, int, int = 32) __asm__("__shfl");                           \
    OMM_PURE T __shfl_up(T, unsigned int, int = 32) __asm__("__shfl_up");            \
    OMM_PURE T __shfl_down(T, unsigned int, int = 32) __asm__("__shfl_down");        \
    OMM_PURE T __shfl_xor(T, int, int = 32) __asm__("__shfl_xor");                   \
    OMM_PURE unsigned int __match_any_sync(unsigned int, T) __asm__("__match_any_sync"); \
    OMM_PURE unsigned int __match_all_sync(unsigned int, T, int *) __asm__("__match_all_sync");
OMM_WARP(int)
OMM_WARP(unsigned int)
OMM_WARP(long)
OMM_WARP(unsigned long)
OMM_WARP(long long)
OMM_WARP(unsigned long long)
OMM_WARP(float)
OMM_WARP(double)
#define OMM_REDUCE(T)                                                                \
    OMM_PURE T __reduce_add_sync(unsigned int, T) __asm__("__reduce_add_sync");      \
    OMM_PURE T __reduce_min_sync(unsigned int, T) __asm__("__reduce_min_sync");      \
    OMM_PURE T __reduce_max_sync(unsigned int, T) __asm__("__reduce_max_sync");      \
    OMM_PURE T __reduce_or_sync(unsigned int, T) __asm__("__reduce_or_sync");        \
    OMM_PURE T __reduce_and_sync(unsigned int, T) __asm__("__reduce_and_sync");
OMM_REDUCE(int)
OMM_REDUCE(unsigned int)
extern "C" {
OMM_PURE unsigned int __ballot_sync(unsigned int, int);
OMM_PURE int __any_sync(unsigned int, int);
OMM_PURE int __all_sync(unsigned int, int);
OMM_PURE unsigned int __ballot(int);
OMM_PURE int __any(int);
OMM_PURE int __all(int);
OMM_PURE int __popc(unsigned int);
OMM_PURE int __popcll(unsigned long long);
OMM_PURE int __clz(int);
OMM_PURE int __clzll(long long);
OMM_PURE int __ffs(int);
OMM_PURE int __ffsll(long long);
OMM_PURE unsigned int __brev(unsigned int);
OMM_PURE unsigned long long __brevll(unsigned long long);
OMM_PURE unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
OMM_PURE unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
OMM_PURE unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
OMM_PURE int __mul24(int, int);
OMM_PURE unsigned int __umul24(unsigned int, unsigned int);
OMM_PURE int __mulhi(int, int);
OMM_PURE unsigned int __umulhi(unsigned int, unsigned int);
OMM_PURE unsigned long long __umul64hi(unsigned long long, unsigned long long);
OMM_PURE long long __mul64hi(long long, long long);
OMM_PURE int __sad(int, int, unsigned int);
OMM_PURE unsigned int __usad(unsigned int, unsigned int, unsigned int);
OMM_PURE unsigned int __vabsdiffu4(unsigned int, unsigned int);
OMM_PURE int __dp4a(int, int, int);
OMM_PURE int __float_as_int(float);
OMM_PURE unsigned int __float_as_uint(float);
OMM_PURE float __int_as_float(int);
OMM_PURE float __uint_as_float(unsigned int);
OMM_PURE long long __double_as_longlong(double);
OMM_PURE double __longlong_as_double(long long);
OMM_PURE int __double2loint(double);
OMM_PURE int __double2hiint(double);
OMM_PURE double __hiloint2double(int, int);
OMM_PURE int __float2int_rn(float);
OMM_PURE int __float2int_rz(float);
OMM_PURE int __float2int_rd(float);
OMM_PURE int __float2int_ru(float);
OMM_PURE unsigned int __float2uint_rn(float);
OMM_PURE unsigned int __float2uint_rz(float);
OMM_PURE int __double2int_rn(double);
OMM_PURE int __double2int_rz(double);
OMM_PURE float __double2float_rn(double);
OMM_PURE float __int2float_rn(int);
OMM_PURE float __uint2float_rn(unsigned int);
OMM_PURE double __int2double_rn(int);
OMM_PURE float __expf(float);
OMM_PURE float __exp10f(float);
OMM_PURE float __logf(float);
OMM_PURE float __log2f(float);
OMM_PURE float __log10f(float);
OMM_PURE float __powf(float, float);
OMM_PURE float __sinf(float);
OMM_PURE float __cosf(float);
OMM_PURE float __tanf(float);
OMM_PURE float __saturatef(float);
OMM_PURE float __frcp_rn(float);
OMM_PURE float __fsqrt_rn(float);
OMM_PURE float __frsqrt_rn(float);
OMM_PURE float __fdividef(float, float);
OMM_PURE float __fdiv_rn(float, float);
OMM_PURE float __fadd_rn(float, float);
OMM_PURE float __fsub_rn(float, float);
OMM_PURE float __fmul_rn(float, float);
OMM_PURE float __fmul_rz(float, float);
OMM_PURE float __fmaf_rn(float, float, float);
OMM_PURE double __dadd_rn(double, double);
OMM_PURE double __dsub_rn(double, double);
OMM_PURE double __dmul_rn(double, double);
OMM_PURE double __ddiv_rn(double, double);
OMM_PURE double __dsqrt_rn(double);
OMM_PURE double __fma_rn(double, double, double);
__device__ void __sincosf(float, float *, float *);
}
__device__ void sincosf(float, float *, float *) __asm__("__sincosf");
__device__ void sincos(double, double *, double *) __asm__("__sincos");
__device__ float modff(float, float *) __asm__("__modff");
__device__ double modf(double, double *) __asm__("__modf");
__device__ double frexp(double, int *) __asm__("__frexp");
__device__ float frexpf(float, int *) __asm__("__frexpf");

#define OMM_MATH1(name)                                                              \
    OMM_PURE double name(double) __asm__("__cuda_" #name);                           \
    OMM_PURE float name##f(float) __asm__("__cuda_" #name);
#define OMM_MATH2(name)                                                              \
    OMM_PURE double name(double, double) __asm__("__cuda_" #name);                   \
    OMM_PURE float name##f(float, float) __asm__("__cuda_" #name);
OMM_MATH1(acos) OMM_MATH1(acosh) OMM_MATH1(asin) OMM_MATH1(asinh) OMM_MATH1(atan) OMM_MATH1(atanh) OMM_MATH1(cbrt)
OMM_MATH1(ceil) OMM_MATH1(cos) OMM_MATH1(cosh) OMM_MATH1(cospi) OMM_MATH1(erf) OMM_MATH1(erfc) OMM_MATH1(erfinv)
OMM_MATH1(exp) OMM_MATH1(exp2) OMM_MATH1(exp10) OMM_MATH1(expm1) OMM_MATH1(fabs) OMM_MATH1(floor) OMM_MATH1(j0)
OMM_MATH1(j1) OMM_MATH1(lgamma) OMM_MATH1(log) OMM_MATH1(log10) OMM_MATH1(log1p) OMM_MATH1(log2) OMM_MATH1(logb)
OMM_MATH1(nearbyint) OMM_MATH1(normcdf) OMM_MATH1(normcdfinv) OMM_MATH1(rcbrt) OMM_MATH1(rint) OMM_MATH1(round)
OMM_MATH1(rsqrt) OMM_MATH1(sin) OMM_MATH1(sinh) OMM_MATH1(sinpi) OMM_MATH1(sqrt) OMM_MATH1(tan) OMM_MATH1(tanh)
OMM_MATH1(tgamma) OMM_MATH1(trunc)
OMM_MATH2(atan2) OMM_MATH2(copysign) OMM_MATH2(fdim) OMM_MATH2(fdivide) OMM_MATH2(fmax) OMM_MATH2(fmin) OMM_MATH2(fmod)
OMM_MATH2(hypot) OMM_MATH2(nextafter) OMM_MATH2(pow) OMM_MATH2(remainder) OMM_MATH2(rhypot)
OMM_PURE double fma(double, double, double) __asm__("__cuda_fma");
OMM_PURE float fmaf(float, float, float) __asm__("__cuda_fma");
OMM_PURE double ldexp(double, int) __asm__("__cuda_ldexp");
OMM_PURE float ldexpf(float, int) __asm__("__cuda_ldexp");
OMM_PURE long lrint(double) __asm__("__cuda_lrint");
OMM_PURE long lrintf(float) __asm__("__cuda_lrint");
OMM_PURE long lround(double) __asm__("__cuda_lround");
OMM_PURE long lroundf(float) __asm__("__cuda_lround");
OMM_PURE long long llrint(double) __asm__("__cuda_lrint");
OMM_PURE int abs(int) __asm__("__cuda_abs");
OMM_PURE long labs(long) __asm__("__cuda_abs");
OMM_PURE long long llabs(long long) __asm__("__cuda_abs");
#define OMM_EXTREME(T)                                                               \
    OMM_BOTH T min(T, T) __asm__("min");                                             \
    OMM_BOTH T max(T, T) __asm__("max");
OMM_EXTREME(int) OMM_EXTREME(unsigned int) OMM_EXTREME(long) OMM_EXTREME(unsigned long) OMM_EXTREME(long long)
OMM_EXTREME(unsigned long long) OMM_EXTREME(float) OMM_EXTREME(double)
OMM_BOTH unsigned int min(unsigned int, int) __asm__("min");
OMM_BOTH unsigned int min(int, unsigned int) __asm__("min");
OMM_BOTH unsigned int max(unsigned int, int) __asm__("max");
OMM_BOTH unsigned int max(int, unsigned int) __asm__("max");
OMM_BOTH double min(double, float) __asm__("min");
OMM_BOTH double min(float, double) __asm__("min");
OMM_BOTH double max(double, float) __asm__("max");
OMM_BOTH double max(float, double) __asm__("max");
OMM_BOTH float umin(unsigned int, unsigned int) __asm__("min");
OMM_BOTH float umax(unsigned int, unsigned int) __asm__("max");

/* What threads do one after the other: each gets what the one before has left */
#define OMM_ATOMIC(name, T) __device__ T name(T *, T) __asm__(#name); \
    __device__ T name##_block(T *, T) __asm__(#name); __device__ T name##_system(T *, T) __asm__(#name);
#define OMM_ATOMICS(T) OMM_ATOMIC(atomicMin, T) OMM_ATOMIC(atomicMax, T) OMM_ATOMIC(atomicAnd, T) \
    OMM_ATOMIC(atomicOr, T) OMM_ATOMIC(atomicXor, T)                                 \
    __device__ T atomicCAS(T *, T, T) __asm__("atomicCAS");                          \
    __device__ T atomicCAS_block(T *, T, T) __asm__("atomicCAS");                    \
    __device__ T atomicCAS_system(T *, T, T) __asm__("atomicCAS");
OMM_ATOMIC(atomicAdd, int) OMM_ATOMIC(atomicAdd, unsigned int) OMM_ATOMIC(atomicAdd, unsigned long long)
OMM_ATOMIC(atomicAdd, float) OMM_ATOMIC(atomicAdd, double) OMM_ATOMIC(atomicSub, int) OMM_ATOMIC(atomicSub, unsigned int)
OMM_ATOMIC(atomicExch, int) OMM_ATOMIC(atomicExch, unsigned int) OMM_ATOMIC(atomicExch, unsigned long long)
OMM_ATOMIC(atomicExch, float) OMM_ATOMIC(atomicInc, unsigned int) OMM_ATOMIC(atomicDec, unsigned int)
OMM_ATOMICS(int) OMM_ATOMICS(unsigned int) OMM_ATOMICS(long long) OMM_ATOMICS(unsigned long long)

/* The runtime, which the host calls */
#define OMM_CHOICE(name, ...) enum name { __VA_ARGS__ };
enum cudaError {
    cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInitializationError, cudaErrorNotReady = 600,
    cudaErrorInvalidDevice, cudaErrorNoDevice, cudaErrorInsufficientDriver, cudaErrorUnknown = 999,
    cudaErrorPeerAccessAlreadyEnabled, cudaErrorNotSupported, cudaErrorInvalidConfiguration, cudaErrorLaunchFailure
};
typedef cudaError cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout };
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrWarpSize = 10, cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97, cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputeMode = 20, cudaDevAttrIntegrated = 18, cudaDevAttrManagedMemory = 83, cudaDevAttrMaxThreadsPerMultiProcessor = 39
};
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseSetPreferredLocation = 3, cudaMemAdviseSetAccessedBy = 5 };
struct cudaDeviceProp {
    char name[256];
    omm_size totalGlobalMem, sharedMemPerBlock, totalConstMem, sharedMemPerMultiprocessor, sharedMemPerBlockOptin, memPitch;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor;
    int multiProcessorCount, integrated, canMapHostMemory, concurrentKernels, ECCEnabled, memoryClockRate, memoryBusWidth;
    int l2CacheSize, maxThreadsPerMultiProcessor, unifiedAddressing, managedMemory, cooperativeLaunch, computeMode;
    int deviceOverlap, asyncEngineCount, kernelExecTimeoutEnabled, concurrentManagedAccess, pageableMemoryAccess, pciBusID;
    int regsPerMultiprocessor, pciDeviceID, pciDomainID, tccDriver, maxBlocksPerMultiProcessor;
};
struct cudaFuncAttributes { omm_size sharedSizeBytes, constSizeBytes, localSizeBytes; int maxThreadsPerBlock, numRegs; };
typedef struct omm_stream *cudaStream_t;
typedef struct omm_event *cudaEvent_t;
typedef struct omm_graph *cudaGraph_t;
typedef struct omm_graph_exec *cudaGraphExec_t;
typedef struct omm_array *cudaArray_t;
typedef struct omm_array cudaArray;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
struct cudaExtent { omm_size width, height, depth; };
struct cudaPos { omm_size x, y, z; };
struct cudaPitchedPtr { void *ptr; omm_size pitch, xsize, ysize; };
struct cudaChannelFormatDesc { int x, y, z, w; cudaChannelFormatKind f; };
struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int normalizedCoords;
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct { cudaArray_t array; } array;
        struct { void *devPtr; cudaChannelFormatDesc desc; omm_size sizeInBytes; } linear;
        struct { void *devPtr; cudaChannelFormatDesc desc; omm_size width, height, pitchInBytes; } pitch2D;
    } res;
};
template <class T, int Dimensions = 1, int Mode = 0> struct __attribute__((device_builtin_texture_type)) texture : textureReference { T omm_element; };
template <class T, int M> __device__ __attribute__((const)) T tex1Dfetch(texture<T, 1, M>, int);
template <class T, int D, int M> __device__ __attribute__((const)) T tex1D(texture<T, D, M>, float);
template <class T, int D, int M> __device__ __attribute__((const)) T tex2D(texture<T, D, M>, float, float);
template <class T, int D, int M> __device__ __attribute__((const)) T tex3D(texture<T, D, M>, float, float, float);
template <class T> __device__ __attribute__((const)) T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ __attribute__((const)) T tex1D(cudaTextureObject_t, float);
template <class T> __device__ __attribute__((const)) T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ __attribute__((const)) T tex3D(cudaTextureObject_t, float, float, float);
template <class T> __device__ __attribute__((const)) T tex2DLayered(cudaTextureObject_t, float, float, int);
template <class T> __device__ __attribute__((const)) T surf2Dread(cudaSurfaceObject_t, int, int, int = 0);
template <class T> __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int, int = 0);
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterMapped 2
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaCpuDeviceId (-1)

extern "C" {
unsigned int __cudaPushCallConfiguration(dim3, dim3, omm_size = 0, void * = 0);
cudaError_t cudaConfigureCall(dim3, dim3, omm_size = 0, cudaStream_t = 0);
#define OMM_CALL(name, ...) cudaError_t name(__VA_ARGS__);
OMM_CALL(cudaFree, void *) OMM_CALL(cudaFreeHost, void *) OMM_CALL(cudaMemset, void *, int, omm_size)
OMM_CALL(cudaMemsetAsync, void *, int, omm_size, cudaStream_t = 0)
OMM_CALL(cudaMemset2D, void *, omm_size, int, omm_size, omm_size)
OMM_CALL(cudaMemcpy, void *, const void *, omm_size, cudaMemcpyKind)
OMM_CALL(cudaMemcpyAsync, void *, const void *, omm_size, cudaMemcpyKind, cudaStream_t = 0)
OMM_CALL(cudaMemcpy2D, void *, omm_size, const void *, omm_size, omm_size, omm_size, cudaMemcpyKind)
OMM_CALL(cudaMemcpy2DAsync, void *, omm_size, const void *, omm_size, omm_size, omm_size, cudaMemcpyKind, cudaStream_t = 0)
OMM_CALL(cudaMemcpyPeer, void *, int, const void *, int, omm_size)
OMM_CALL(cudaMemcpyPeerAsync, void *, int, const void *, int, omm_size, cudaStream_t = 0)
OMM_CALL(cudaMemPrefetchAsync, const void *, omm_size, int, cudaStream_t = 0)
OMM_CALL(cudaMemAdvise, const void *, omm_size, cudaMemoryAdvise, int)
OMM_CALL(cudaMemGetInfo, omm_size *, omm_size *)
OMM_CALL(cudaHostRegister, void *, omm_size, unsigned int) OMM_CALL(cudaHostUnregister, void *)
OMM_CALL(cudaDeviceSynchronize) OMM_CALL(cudaDeviceReset) OMM_CALL(cudaThreadSynchronize) OMM_CALL(cudaThreadExit)
OMM_CALL(cudaGetLastError) OMM_CALL(cudaPeekAtLastError) OMM_CALL(cudaProfilerStart) OMM_CALL(cudaProfilerStop)
OMM_CALL(cudaGetDevice, int *) OMM_CALL(cudaGetDeviceCount, int *) OMM_CALL(cudaSetDevice, int)
OMM_CALL(cudaSetDeviceFlags, unsigned int) OMM_CALL(cudaGetDeviceProperties, cudaDeviceProp *, int)
OMM_CALL(cudaChooseDevice, int *, const cudaDeviceProp *)
OMM_CALL(cudaDeviceGetAttribute, int *, cudaDeviceAttr, int) OMM_CALL(cudaDeviceSetLimit, cudaLimit, omm_size)
OMM_CALL(cudaDeviceGetLimit, omm_size *, cudaLimit)
OMM_CALL(cudaDeviceSetCacheConfig, cudaFuncCache) OMM_CALL(cudaDeviceSetSharedMemConfig, cudaSharedMemConfig)
OMM_CALL(cudaDeviceCanAccessPeer, int *, int, int) OMM_CALL(cudaDeviceEnablePeerAccess, int, unsigned int)
OMM_CALL(cudaDeviceDisablePeerAccess, int)
OMM_CALL(cudaDriverGetVersion, int *) OMM_CALL(cudaRuntimeGetVersion, int *)
OMM_CALL(cudaStreamCreate, cudaStream_t *) OMM_CALL(cudaStreamCreateWithFlags, cudaStream_t *, unsigned int)
OMM_CALL(cudaStreamDestroy, cudaStream_t) OMM_CALL(cudaStreamSynchronize, cudaStream_t) OMM_CALL(cudaStreamQuery, cudaStream_t)
OMM_CALL(cudaStreamCreateWithPriority, cudaStream_t *, unsigned int, int)
OMM_CALL(cudaDeviceGetStreamPriorityRange, int *, int *)
OMM_CALL(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned int = 0)
OMM_CALL(cudaEventCreate, cudaEvent_t *) OMM_CALL(cudaEventCreateWithFlags, cudaEvent_t *, unsigned int)
OMM_CALL(cudaEventDestroy, cudaEvent_t) OMM_CALL(cudaEventRecord, cudaEvent_t, cudaStream_t = 0)
OMM_CALL(cudaEventSynchronize, cudaEvent_t) OMM_CALL(cudaEventQuery, cudaEvent_t)
OMM_CALL(cudaEventElapsedTime, float *, cudaEvent_t, cudaEvent_t)
OMM_CALL(cudaGraphLaunch, cudaGraphExec_t, cudaStream_t) OMM_CALL(cudaGraphDestroy, cudaGraph_t)
OMM_CALL(cudaGraphExecDestroy, cudaGraphExec_t) OMM_CALL(cudaStreamEndCapture, cudaStream_t, cudaGraph_t *)
OMM_CALL(cudaFreeArray, cudaArray_t) OMM_CALL(cudaDestroyTextureObject, cudaTextureObject_t)
OMM_CALL(cudaMallocArray, cudaArray_t *, const cudaChannelFormatDesc *, omm_size, omm_size = 0, unsigned int = 0)
OMM_CALL(cudaMemcpyToArray, cudaArray_t, omm_size, omm_size, const void *, omm_size, cudaMemcpyKind)
OMM_CALL(cudaMemcpy2DToArray, cudaArray_t, omm_size, omm_size, const void *, omm_size, omm_size, omm_size, cudaMemcpyKind)
OMM_CALL(cudaCreateTextureObject, cudaTextureObject_t *, const cudaResourceDesc *, const cudaTextureDesc *, const void *)
OMM_CALL(cudaUnbindTexture, const textureReference &)
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
}
#define OMM_ANY(name, ...) template <class T> cudaError_t name(__VA_ARGS__);
OMM_ANY(cudaMalloc, T **, omm_size) OMM_ANY(cudaMallocHost, T **, omm_size, unsigned int = 0)
OMM_ANY(cudaMallocManaged, T **, omm_size, unsigned int = 1) OMM_ANY(cudaHostAlloc, T **, omm_size, unsigned int)
OMM_ANY(cudaMallocPitch, T **, omm_size *, omm_size, omm_size) OMM_ANY(cudaMallocAsync, T **, omm_size, cudaStream_t = 0)
OMM_ANY(cudaFreeAsync, T *, cudaStream_t = 0) OMM_ANY(cudaHostGetDevicePointer, T **, void *, unsigned int = 0)
OMM_ANY(cudaMemcpyToSymbol, const T &, const void *, omm_size, omm_size = 0, cudaMemcpyKind = cudaMemcpyHostToDevice)
OMM_ANY(cudaMemcpyToSymbolAsync, const T &, const void *, omm_size, omm_size = 0, cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0)
OMM_ANY(cudaMemcpyFromSymbol, void *, const T &, omm_size, omm_size = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost)
OMM_ANY(cudaGetSymbolAddress, void **, const T &) OMM_ANY(cudaGetSymbolSize, omm_size *, const T &)
OMM_ANY(cudaBindTexture, omm_size *, const T &, const void *, omm_size = 0)
OMM_ANY(cudaBindTexture, omm_size *, const T &, const void *, const cudaChannelFormatDesc &, omm_size = 0)
OMM_ANY(cudaBindTextureToArray, const T &, cudaArray_t) OMM_ANY(cudaBindTextureToArray, const T &, cudaArray_t, const cudaChannelFormatDesc &)
OMM_ANY(cudaFuncSetCacheConfig, T *, cudaFuncCache) OMM_ANY(cudaFuncSetAttribute, T *, cudaFuncAttribute, int)
OMM_ANY(cudaFuncSetSharedMemConfig, T *, cudaSharedMemConfig) OMM_ANY(cudaFuncGetAttributes, cudaFuncAttributes *, T *)
OMM_ANY(cudaLaunchKernel, T *, dim3, dim3, void **, omm_size = 0, cudaStream_t = 0)
OMM_ANY(cudaLaunchCooperativeKernel, T *, dim3, dim3, void **, omm_size = 0, cudaStream_t = 0)
OMM_ANY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *, T, int, omm_size)
OMM_ANY(cudaOccupancyMaxPotentialBlockSize, int *, int *, T, omm_size = 0, int = 0)

/* What cuda_runtime.h includes */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#endif
