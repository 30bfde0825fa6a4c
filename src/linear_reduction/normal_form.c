/* Normal form of a symmetric pair, M = I and K diagonal. LAPACK's eigenvalues have errors
   relative to the largest, insufficient for rigid motions beside stretching. A second projection
   with sums of 24 digits and Jacobi rotations gives high relative accuracy (Demmel, Veselic,
   SIAM J. Matrix Anal. Appl. 13 (1992) 1204). */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear_reduction/reduce.h"

#define MAX_SWEEPS 12    // sweeps over all pairs
#define ZERO_RATIO 1e-16 // zero threshold relative to the geometric mean of two diagonal entries

/* one sweep over symmetric A (n, n), vectors J; true if anything was rotated */
static bool sweep(int n, double *A, double *J) {
    double largest = 0;
    bool busy = false;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(gos__dense_column(A, n, i)[i]));
    }
    for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++) {
            double *ap = gos__dense_column(A, n, p), *aq = gos__dense_column(A, n, q);
            const double g = aq[p], min = fmax(sqrt(fabs(ap[p] * aq[q])), ZERO_RATIO * largest);
            if (!(fabs(g) > ZERO_RATIO * min)) {
                continue;
            }
            busy = true;
            const double theta = (aq[q] - ap[p]) / (2 * g);
            const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + hypot(1, theta));
            const double c = 1 / hypot(1, t), s = t * c;
            const double app = ap[p] - t * g, aqq = aq[q] + t * g;
            cblas_drot(n, ap, 1, aq, 1, c, -s);
            cblas_drot(n, A + p, n, A + q, n, c, -s);
            cblas_drot(n, gos__dense_column(J, n, p), 1, gos__dense_column(J, n, q), 1, c, -s);
            ap[p] = app;
            aq[q] = aqq;
            ap[q] = aq[p] = 0;
        }
    }
    return busy;
}

/* X^T m X = I and X^T k X = diag(lambda) for nearly normal k, m, which are overwritten */
static bool polish(int n, double *k, double *m, double *X, double *lambda) {
    memset(X, 0, (size_t)n * n * sizeof *X);
    for (int i = 0; i < n; i++) {
        gos__dense_column(X, n, i)[i] = 1;
    }
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, m, n) != 0) {
        return false;
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, n, 1, m, n, k,
                n);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n, n, 1, m, n, k,
                n);
    for (int i = 0; i < MAX_SWEEPS && sweep(n, k, X); i++) {
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, n, 1, m, n, X,
                n);
    for (int i = 0; i < n; i++) {
        lambda[i] = gos__dense_column(k, n, i)[i];
    }
    return true;
}

/* V := V X, with workspace VX */
static void turn(int n, int r, const double *X, double *VX, double *V) {
    gos__dense_combine(n, r, r, V, X, VX);
    memcpy(V, VX, (size_t)n * r * sizeof *V);
}

/* k, m (r, r) := V^T K V, V^T M V; the mass needs no extra digits */
static gos_status project(gos_ctx *ctx, const gos_sparse *K, const gos_sparse *M, bool exact, int r,
                          const double *V, double *k, double *m) {
    GOS_TRY(gos__reduce_congruence(ctx, K, exact, r, V, k));
    return gos__reduce_congruence(ctx, M, false, r, V, m);
}

gos_status gos__reduce_normal_form(gos_ctx *ctx, const gos_sparse *K, const gos_sparse *M,
                                   int field, gos_space *s, double **lambda) {
    const int r = s->count[field], n = gos__space_rows(s, field);
    const size_t rr = (size_t)r * r;
    double *const V = s->v[field], *k = gos__zalloc(ctx, 4 * rr + 1, sizeof *k);
    double *m = k + rr, *X = m + rr, *copy = X + rr;
    double *VX = gos__alloc(ctx, 2 * (size_t)n * r + 1, sizeof *VX);
    double *values = gos__alloc(ctx, r + 1L, sizeof *values);
    gos_status status = k && VX && values ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? project(ctx, K, M, false, r, V, k, m) : status;
    bool definite = false;
    if (status == GOS_OK) {
        memcpy(copy, m, rr * sizeof *m);
        definite = LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', r, copy, r) == 0;
    }
    if (definite) {
        status = gos__dense_pencil(ctx, r, k, m, r, values, X);
    }
    if (definite && status == GOS_OK) {
        double *const before = VX + (size_t)n * r;
        memcpy(before, V, (size_t)n * r * sizeof *V);
        turn(n, r, X, VX, V);
        status = project(ctx, K, M, true, r, V, k, m);
        definite = status == GOS_OK && polish(r, k, m, X, values);
        if (!definite) {
            memcpy(V, before, (size_t)n * r * sizeof *V);
        }
    }
    if (definite && status == GOS_OK) {
        turn(n, r, X, VX, V);
        *lambda = values;
        values = NULL;
    }
    gos__free(ctx, k);
    gos__free(ctx, VX);
    gos__free(ctx, values);
    return status;
}
