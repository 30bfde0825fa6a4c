/* Attributes and vector type of hot kernels (files named kernel_*.c: -O3, contraction allowed). */
#ifndef GOS_KERNEL_H
#define GOS_KERNEL_H

/* One clone for each level of the x86-64 architecture, chosen by the processor's features when the
   program loads (names of processors would miss those newer than the compiler). Sanitizers run
   before the choice is possible, and clang 14 does not know the attribute in this form. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GOS_KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GOS_KERNEL
#endif

/* for helpers that must become part of the clone that calls them */
#define GOS_INLINE static inline __attribute__((always_inline))

/* Eight doubles computed side by side, a lane each; arithmetic with a scalar applies it to all
   lanes. Passed by pointer only (the way by value differs between processors). */
typedef double gos_v8 __attribute__((vector_size(64), may_alias));
#define GOS_V8(array, i) (((gos_v8 *)(array))[i])
#define GOS_CV8(array, i) (((const gos_v8 *)(array))[i])

GOS_INLINE void gos__v8_sqrt(const gos_v8 *x, gos_v8 *y) {
    for (int l = 0; l < 8; l++) {
        (*y)[l] = __builtin_sqrt((*x)[l]);
    }
}

#endif
