/* Treatment of subnormal numbers by the processor, per thread. Amplitudes that decay below 1e-308
 * become subnormal, where an operation takes a hundred cycles; flushed to zero it takes one. */
#ifndef GOS_SUBNORMAL_H
#define GOS_SUBNORMAL_H

#if defined(__SSE2__)
#include <xmmintrin.h>

// results and arguments (MXCSR bits 15 and 6)
#define GOS_SUBNORMAL_FLUSHED 0x8040u

static inline unsigned gos__subnormal_mode(void) {
    return _mm_getcsr() & GOS_SUBNORMAL_FLUSHED;
}

static inline void gos__subnormal_set(unsigned mode) {
    _mm_setcsr((_mm_getcsr() & ~GOS_SUBNORMAL_FLUSHED) | mode);
}
#else
#define GOS_SUBNORMAL_FLUSHED 0u

static inline unsigned gos__subnormal_mode(void) {
    return 0;
}

static inline void gos__subnormal_set(unsigned mode) {
    (void)mode;
}
#endif
#define GOS_SUBNORMAL_KEPT 0u

#endif
