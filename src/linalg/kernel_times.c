/* Dense matrix times a vector at the bandwidth of the second-level cache: each column is read once
 * and sums stay in registers. OpenBLAS's dgemv adds to y in memory, three times slower for a few
 * hundred rows. */
#include "base/kernel.h"
#include "linalg/solver.h"

// column distances that are multiples of this share few cache lines
#define CACHE_CONFLICT_DISTANCE 64

int gos__kernel_lead(int n) {
    const int lead = (n + 7) / 8 * 8;
    return lead > CACHE_CONFLICT_DISTANCE && lead % CACHE_CONFLICT_DISTANCE == 0 ? lead + 8 : lead;
}

/* A panel of 8 w rows. */
GOS_INLINE void rows(const int w, int ncol, const double *A, size_t lead, const double *x,
                     double *y) {
    gos_v8 sum[4] = {{0}};
    for (int j = 0; j < ncol; j++) {
        for (int i = 0; i < w; i++) {
            sum[i] += x[j] * GOS_CV8(A + j * lead, i);
        }
    }
    for (int i = 0; i < w; i++) {
        GOS_V8(y, i) = sum[i];
    }
}

GOS_KERNEL void gos__kernel_times(int n, int ncol, const double *A, int lead, const double *x,
                                  double *y) {
    const size_t apart = lead;
    int i = 0;
    for (; n - i > 24; i += 32) {
        rows(4, ncol, A + i, apart, x, y + i);
    }
    if (n - i > 16) {
        rows(3, ncol, A + i, apart, x, y + i);
    } else if (n - i > 8) {
        rows(2, ncol, A + i, apart, x, y + i);
    } else if (n - i > 0) {
        rows(1, ncol, A + i, apart, x, y + i);
    }
}
