/* Attributes and vector type of hot kernels (files kernel_*.c: -O3, contraction allowed). */
#ifndef GOS_KERNEL_H
#define GOS_KERNEL_H

#include <stdbool.h>

/* One clone per x86-64 architecture level, selected at load time by processor features (names
 * would miss processors newer than the compiler). Sanitizers run before the selection, and clang
 * 14 lacks this form of the attribute. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GOS_KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GOS_KERNEL
#endif

/* for helpers that must be inlined into the calling clone */
#define GOS_INLINE static inline __attribute__((always_inline))

/* Vector of eight doubles; scalars are broadcast. Pass by pointer only (the ABI by value differs
 * between processors). */
typedef double gos_v8 __attribute__((vector_size(64), may_alias));
#define GOS_V8(array, i) (((gos_v8 *)(array))[i])
#define GOS_CV8(array, i) (((const gos_v8 *)(array))[i])

/* Half of it. GCC keeps variables of 64 bytes in memory where registers have 32: inner loops of
 * matrix products accumulate halves there. */
typedef double gos_v4 __attribute__((vector_size(32), may_alias));

/** True on processors with registers of 64 bytes. */
GOS_INLINE bool gos__wide_registers(void) {
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

GOS_INLINE void gos__v8_sqrt(const gos_v8 *x, gos_v8 *y) {
    for (int l = 0; l < 8; l++) {
        (*y)[l] = __builtin_sqrt((*x)[l]);
    }
}

#endif
