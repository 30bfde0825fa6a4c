/* LAPACK with our error reports. Its error is relative to the largest eigenvalue, and those of a
 * stiff structure span ten decades. So a first pass finds the scale of the lowest ones, and a
 * second solves M x = nu (K + s M) x, whose largest eigenvalues are our lowest. */
#include "linalg/dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#define RANK_TOLERANCE 1e-10 // same as for redundant joints (theory 3.2)
// padding of work arrays: dsymv_L of OpenBLAS for Prescott reads beyond the end of y
#define BLOCK_COLUMNS 16

static gos_status check(gos_ctx *ctx, lapack_int info, const char *what) {
    if (info == 0) {
        return GOS_OK;
    }
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory in %s", what);
    }
    return info < 0 ? gos__fail(ctx, GOS_E_NONFINITE, "%s: a matrix entry is not finite", what)
                    : gos__fail(ctx, GOS_E_DIVERGED, "%s did not converge", what);
}

void gos__dense_product(int m, int n, int k, const double *A, const double *B, double *C) {
    if (m > 0 && n > 0) {
        const int ld = k > 0 ? k : 1;
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, n, k, 1, A, ld, B, ld, 0, C, m);
    }
}

void gos__dense_combine(int m, int n, int k, const double *A, const double *B, double *C) {
    if (m > 0 && n > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, A, m, B, k > 0 ? k : 1,
                    0, C, m);
    }
}

/* T (n, nc) = C^T */
static void transpose_to_dense(const gos_sparse *C, double *T) {
    for (int j = 0; j < C->n; j++) {
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            T[(size_t)C->i[k] * C->n + j] = C->x[k];
        }
    }
}

static int rank_of(const double *R, int n, int nc) {
    int rank = 0;
    for (long i = 0; i < nc && i < n; i++) {
        rank += fabs(R[i * n + i]) > RANK_TOLERANCE * fabs(R[0]);
    }
    return rank;
}

gos_status gos__null_space(gos_ctx *ctx, const gos_sparse *C, double **Z, int *nz) {
    const int n = C->n, nc = C->m, min = nc < n ? nc : n;
    double *T = gos__zalloc(ctx, (size_t)n * nc + 1, sizeof *T);
    double *tau = gos__alloc(ctx, min + 1L, sizeof *tau);
    int *pivot = gos__zalloc(ctx, nc + 1L, sizeof *pivot);
    gos_status status = T && tau && pivot ? GOS_OK : GOS_E_MEMORY;
    int rank = 0;
    *Z = NULL;
    if (status == GOS_OK && min > 0) {
        transpose_to_dense(C, T);
        const lapack_int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, nc, T, n, pivot, tau);
        status = check(ctx, info, "the null space of the constraints");
        rank = rank_of(T, n, nc);
    }
    *nz = n - rank;
    if (status == GOS_OK) {
        *Z = gos__zalloc(ctx, (size_t)n * *nz + 1, sizeof **Z);
        status = *Z ? GOS_OK : GOS_E_MEMORY;
    }
    // last columns of Q
    for (long j = 0; status == GOS_OK && j < *nz; j++) {
        (*Z)[j * n + (rank + j)] = 1;
    }
    if (status == GOS_OK && rank > 0 && *nz > 0) {
        status =
            check(ctx, LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', n, *nz, min, T, n, tau, *Z, n),
                  "the null space of the constraints");
    }
    if (status != GOS_OK) {
        gos__free(ctx, *Z);
        *Z = NULL;
    }
    gos__free(ctx, T);
    gos__free(ctx, tau);
    gos__free(ctx, pivot);
    return status;
}

typedef struct workspace {
    double size, *x;
    lapack_int isize, *i;
} workspace;

static gos_status make_workspace(gos_ctx *ctx, workspace *k) {
    k->x = gos__alloc(ctx, (size_t)k->size + BLOCK_COLUMNS, sizeof *k->x);
    k->i = gos__alloc(ctx, (size_t)k->isize + BLOCK_COLUMNS, sizeof *k->i);
    return k->x && k->i ? GOS_OK : GOS_E_MEMORY;
}

static void free_workspace(gos_ctx *ctx, workspace *k) {
    gos__free(ctx, k->x);
    gos__free(ctx, k->i);
}

static bool all_finite(int n, const double *A) {
    bool finite = true;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) {
        finite = finite && isfinite(A[k]);
    }
    return finite;
}

/* Eigenvalues w of (A, B) by LAPACK, vectors in A if requested; *definite: B is positive
 * definite. */
static gos_status solve_pencil(gos_ctx *ctx, char job, int n, double *A, double *B, double *w,
                               bool *definite) {
    workspace k = {0};
    lapack_int info = all_finite(n, A) && all_finite(n, B) ? 0 : -1;
    if (info == 0) {
        info = LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, job, 'L', n, A, n, B, n, w, &k.size, -1,
                                   &k.isize, -1);
    }
    const gos_status status = info == 0 ? make_workspace(ctx, &k) : GOS_OK;
    if (info == 0 && status == GOS_OK) {
        info = LAPACKE_dsygvd_work(LAPACK_COL_MAJOR, 1, job, 'L', n, A, n, B, n, w, k.x,
                                   (lapack_int)k.size, k.i, k.isize);
    }
    free_workspace(ctx, &k);
    *definite = info <= n;
    GOS_TRY(status);
    return info > n ? GOS_OK : check(ctx, info, "the symmetric eigenproblem");
}

/* Geometric mean of the first eigenvalue above rounding and the last wanted one, which preserves
 * digits at both ends. */
static double choose_shift(int n, int count, const double *w) {
    const double top = fmax(fabs(w[0]), fabs(w[n - 1])), floor = 1e-13 * top;
    double first = w[n - 1];
    for (int i = n - 1; i >= 0 && w[i] > floor; i--) {
        first = w[i];
    }
    if (!(top > 0)) {
        return 1; // zero stiffness
    }
    const double shift = first > floor ? sqrt(first * fmax(first, w[count - 1])) : top;
    return w[0] < -floor ? fmax(shift, -4 * w[0]) : shift;
}

gos_status gos__dense_pencil(gos_ctx *ctx, int n, double *K, double *M, int count, double *lambda,
                             double *X) {
    const size_t nn = (size_t)n * n;
    double *A = gos__alloc(ctx, 2 * nn + n + 1, sizeof *A);
    if (!A) {
        return GOS_E_MEMORY;
    }
    double *B = A + nn, *w = B + nn, shift = 0;
    bool definite = true;
    memcpy(A, K, nn * sizeof *A);
    memcpy(B, M, nn * sizeof *B);
    gos_status status = solve_pencil(ctx, 'N', n, A, B, w, &definite);
    if (status == GOS_OK && !definite) {
        status = gos__fail(ctx, GOS_E_SINGULAR,
                           "the mass matrix is singular on the constraints; give every body mass");
    }
    if (status == GOS_OK) {
        shift = choose_shift(n, count, w);
        definite = false;
    }
    // an indefinite K may require a larger shift because of rounding
    for (int i = 0; status == GOS_OK && !definite && i < 6; i++, shift *= definite ? 1 : 10) {
        memcpy(A, M, nn * sizeof *A);
        for (size_t k = 0; k < nn; k++) {
            B[k] = K[k] + shift * M[k];
        }
        status = solve_pencil(ctx, 'V', n, A, B, w, &definite);
    }
    if (status == GOS_OK && !definite) {
        status = gos__fail(ctx, GOS_E_INTERNAL, "no shift makes the stiffness positive definite");
    }
    for (long k = 0; status == GOS_OK && k < count; k++) {
        const long from = n - 1 - k;
        lambda[k] = 1 / w[from] - shift;
        for (int i = 0; i < n; i++) {
            X[k * n + i] = A[from * n + i] / sqrt(w[from]);
        }
    }
    gos__free(ctx, A);
    return status;
}

gos_status gos__dense_general_both(gos_ctx *ctx, int n, double *A, double *re, double *im,
                                   double *L, double *V) {
    const lapack_int info = n > 0 ? LAPACKE_dgeev(LAPACK_COL_MAJOR, L ? 'V' : 'N', 'V', n, A, n, re,
                                                  im, L, L ? n : 1, V, n)
                                  : 0;
    return check(ctx, info, "the damped eigenproblem");
}

gos_status gos__dense_general(gos_ctx *ctx, int n, double *A, double *re, double *im, double *V) {
    return gos__dense_general_both(ctx, n, A, re, im, NULL, V);
}

gos_status gos__dense_symmetric(gos_ctx *ctx, int n, double *A, double *w) {
    workspace k = {0};
    lapack_int info = all_finite(n, A) ? 0 : -1;
    if (info == 0 && n > 0) {
        info =
            LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, A, n, w, &k.size, -1, &k.isize, -1);
    }
    const gos_status status = info == 0 && n > 0 ? make_workspace(ctx, &k) : GOS_OK;
    if (info == 0 && n > 0 && status == GOS_OK) {
        info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, A, n, w, k.x, (lapack_int)k.size,
                                   k.i, k.isize);
    }
    free_workspace(ctx, &k);
    GOS_TRY(status);
    return check(ctx, info, "the symmetric eigenproblem");
}
