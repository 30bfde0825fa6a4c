/* Another eigensolver to compare with: ARPACK's Lanczos, one vector at a time, on the shifted and
   inverted saddle-point matrix. */
#ifndef GOS_TEST_ARPACK_H
#define GOS_TEST_ARPACK_H

#include <arpack/arpack.h>

#include "linalg/saddle.h"
#include "support/random.h"

/* a start vector, the same in every run */
static inline void arpack_start(int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = (double)(random_mix((uint64_t)i + 1) >> 11) * 0x1p-53 - 0.5;
    }
}

/* The eigenvalues nearest a shift, at which the saddle is factorised, ascending, and their vectors
   X (n, nev) with X^T M X = 1. Returns how many converged. */
static inline int arpack_lowest(const gos_pencil *p, gos_saddle *saddle, double shift, int nev,
                                double tolerance, double *lambda, double *X) {
    const int n = p->K->n, ncv = 2 * nev, lwork = ncv * (ncv + 8);
    const size_t size = (size_t)n;
    double *resid = malloc(sizeof(double) * (size * ((size_t)ncv + 5) + (size_t)lwork));
    a_int *select = malloc(sizeof(a_int) * (size_t)ncv), ido = 0, info = 1;
    a_int param[11] = {1, 0, 300, 1, 0, 0, 3}, at[14] = {0};
    if (!resid || !select) {
        abort();
    }
    double *V = resid + n, *workd = V + size * (size_t)ncv, *workl = workd + 3 * size;
    double *work = workl + lwork;
    arpack_start(n, resid);
    do {
        dsaupd_c(&ido, "G", n, "LM", nev, tolerance, resid, ncv, V, n, param, at, workd, workl,
                 lwork, &info);
        double *from = workd + at[0] - 1, *to = workd + at[1] - 1, *mass = workd + at[2] - 1;
        if (ido == 2) {
            gos__sparse_apply(p->M, 1, from, to);
        } else if (ido == -1 || ido == 1) {
            if (ido == -1) {
                gos__sparse_apply(p->M, 1, from, work);
            }
            if (gos__saddle_solve(saddle, 1, ido == -1 ? work : mass, to) != GOS_OK) {
                abort();
            }
        }
    } while (ido != 99);
    int got = info >= 0 ? param[4] : 0;
    if (got > 0) {
        dseupd_c(1, "A", select, lambda, X, n, shift, "G", n, "LM", nev, tolerance, resid, ncv, V,
                 n, param, at, workd, workl, lwork, &info);
        got = info == 0 ? nev : 0;
    }
    for (int i = 1; i < got; i++) { // the vectors' order is the callers' business
        const double value = lambda[i];
        int to = i;
        for (; to > 0 && lambda[to - 1] > value; to--) {
            lambda[to] = lambda[to - 1];
        }
        lambda[to] = value;
    }
    free(resid);
    free(select);
    return got;
}

#endif
