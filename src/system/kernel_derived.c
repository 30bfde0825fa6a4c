/* Sums over dense forms of floating bodies, the main cost of bodies on reduced bases. */
#include "system/kernel_derived.h"

#include <stdbool.h>

#include "base/kernel.h"

GOS_INLINE void gradients(int order, const double *S, const double *z, const double *zd, int n,
                          double *restrict g, double *restrict gd) {
    for (int i = 0; i < GOS_FORM_BLOCK; i++) {
        g[i] = gd[i] = 0;
    }
    for (int j = 0; j < order; j++) {
        for (int i = 0; i < n; i++) { // columns equal rows
            g[i] += S[(long)j * order + i] * z[j];
            gd[i] += S[(long)j * order + i] * zd[j];
        }
    }
}

GOS_KERNEL void gos__form_gradients(int order, const double *S, int from, const double *z,
                                    const double *zd, double *g, double *gd) {
    double a[GOS_FORM_BLOCK], ad[GOS_FORM_BLOCK];
    if (order - from >= GOS_FORM_BLOCK) {
        gradients(order, S + from, z, zd, GOS_FORM_BLOCK, a, ad);
    } else {
        gradients(order, S + from, z, zd, order - from, a, ad);
    }
    for (int i = 0; i < GOS_FORM_BLOCK; i++) {
        g[i] = a[i];
        gd[i] = ad[i];
    }
}

/* a vector and the next number */
typedef double padded __attribute__((vector_size(32), aligned(8), may_alias));

#define PADDED(x) (*(const padded *)(x))
#define ROWS_TOGETHER 4 // number of rows with equal columns processed together

/* rows i .. i + ROWS_TOGETHER - 1 have the same columns */
GOS_INLINE bool are_alike(const int *p, const int *at, int i) {
    const int n = p[i + 1] - p[i];
    int other = 0;
    for (int r = 1; r < ROWS_TOGETHER; r++) {
        if (p[i + r + 1] - p[i + r] != n) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            other |= at[p[i + r] + k] ^ at[p[i] + k];
        }
    }
    return other == 0;
}

/* `rows` rows of n numbers m with columns at */
GOS_INLINE void rows_of(const int rows, int n, const double *m, const int *at, const double *x,
                        double *y) {
    padded a[ROWS_TOGETHER] = {{0}}, b[ROWS_TOGETHER] = {{0}};
    int k = 0;
    for (; k + 1 < n; k += 2) {
        const padded one = PADDED(x + at[k]), two = PADDED(x + at[k + 1]);
        for (int r = 0; r < rows; r++) {
            a[r] += m[r * n + k] * one;
            b[r] += m[r * n + k + 1] * two;
        }
    }
    for (int r = 0; r < rows; r++) {
        if (k < n) {
            a[r] += m[r * n + k] * PADDED(x + at[k]);
        }
        a[r] += b[r];
        for (int c = 0; c < 3; c++) {
            y[3 * r + c] = a[r][c];
        }
    }
}

GOS_KERNEL void gos__derived_rows(int first, int n, const int *p, const double *m, const int *at,
                                  const double *x, double *y) {
    for (int i = first, rows = 1; i < first + n; i += rows, y += 3 * rows) {
        rows = i + ROWS_TOGETHER <= first + n && are_alike(p, at, i) ? ROWS_TOGETHER : 1;
        if (rows == ROWS_TOGETHER) {
            rows_of(ROWS_TOGETHER, p[i + 1] - p[i], m + p[i], at + p[i], x, y);
        } else {
            rows_of(1, p[i + 1] - p[i], m + p[i], at + p[i], x, y);
        }
    }
}
