/* Solution with LAPACK's dense LU factors for one right-hand side, updated with four columns at a
 * time; LAPACK's routine is slow for a few hundred rows. */
#include "base/kernel.h"
#include "linalg/solver.h"

#define STEP 4

/* x (n) -= A y for STEP columns, n0 apart. */
GOS_INLINE void subtract(int n, const double *restrict A, size_t n0, const double *y,
                         double *restrict x) {
    const double *a = A, *b = A + n0, *c = A + 2 * n0, *d = A + 3 * n0;
    const double y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3];
    for (int i = 0; i < n; i++) {
        x[i] -= (a[i] * y0 + b[i] * y1) + (c[i] * y2 + d[i] * y3);
    }
}

/* Solves with the unit lower and the upper triangle of n columns. */
GOS_INLINE void lower(int n, const double *L, size_t n0, double *x) {
    for (int j = 0; j < n; j++) {
        for (int i = j + 1; i < n; i++) {
            x[i] -= L[j * n0 + i] * x[j];
        }
    }
}

GOS_INLINE void upper(int n, const double *U, size_t n0, double *x) {
    for (int j = n - 1; j >= 0; j--) {
        x[j] /= U[j * n0 + j];
        for (int i = 0; i < j; i++) {
            x[i] -= U[j * n0 + i] * x[j];
        }
    }
}

GOS_KERNEL void gos__kernel_lu_solve(int n, const double *lu, int lead, const int *pivot,
                                     double *x) {
    const size_t n0 = lead;
    int j = 0;
    for (int i = 0; i < n; i++) {
        const int k = pivot[i] - 1;
        const double swapped = x[i];
        x[i] = x[k];
        x[k] = swapped;
    }
    for (; j + STEP <= n; j += STEP) {
        lower(STEP, lu + j * n0 + j, n0, x + j);
        subtract(n - j - STEP, lu + j * n0 + j + STEP, n0, x + j, x + j + STEP);
    }
    lower(n - j, lu + j * n0 + j, n0, x + j);
    for (j = n - STEP; j >= 0; j -= STEP) {
        upper(STEP, lu + j * n0 + j, n0, x + j);
        subtract(j, lu + j * n0, n0, x + j, x);
    }
    upper(j + STEP, lu, n0, x);
}
