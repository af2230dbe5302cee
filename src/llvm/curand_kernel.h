/* Stand-in for curand_kernel.h, as cuda.h: each thread draws numbers of its own. */
#ifndef OMPMEMOPT_CURAND_KERNEL_H
#define OMPMEMOPT_CURAND_KERNEL_H

struct curandStateXORWOW { unsigned int omm_state[12]; };
typedef curandStateXORWOW curandState, curandState_t, curandStateXORWOW_t, curandStateMRG32k3a, curandStateMRG32k3a_t,
    curandStatePhilox4_32_10, curandStatePhilox4_32_10_t;
__device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, curandState *) __asm__("curand_init");
__device__ unsigned int curand(curandState *) __asm__("curand");
__device__ float curand_uniform(curandState *) __asm__("curand_uniform");
__device__ double curand_uniform_double(curandState *) __asm__("curand_uniform");
__device__ float curand_normal(curandState *) __asm__("curand_normal");
__device__ double curand_normal_double(curandState *) __asm__("curand_normal");
__device__ float2 curand_normal2(curandState *) __asm__("curand_normal2");
__device__ unsigned int curand_poisson(curandState *, double) __asm__("curand_poisson");

#endif
