/* Hessenberg form of a dense descriptor model: balancing, QR of E, rotations (LAPACK). Each
   frequency costs n^2 instead of n^3; E may be singular. */
#include "linear/hessenberg.h"

#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"

#define SINGULAR 1e-15 // smallest pivot ratio

struct gos_hessenberg {
    gos_ctx *ctx;
    int n, nu, ny, row;
    double *E, *A; // by rows (n, row)
    double *B, *C; // columns of B (nu, row), rows of C (ny, row)
    double *U, *X; // scratch: (2, n, row), (2, nu, row)
};

/* to := A^T B or A B, via C */
static gos_status multiply(gos_ctx *ctx, bool transposed, int m, int n, int k, const double *A,
                           const double *B, double *C, double *to) {
    GOS_UNUSED(ctx);
    if (transposed) {
        gos__dense_product(m, n, k, A, B, C);
    } else {
        gos__dense_combine(m, n, k, A, B, C);
    }
    memcpy(to, C, (size_t)m * n * sizeof *C);
    return GOS_OK;
}

/* E := upper triangle, A := Q^T A, B := Q^T B */
static gos_status triangle(int n, int nu, double *E, double *A, double *B, double *tau) {
    int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, n, E, n, tau);
    info = info ? info : LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', n, n, n, E, n, tau, A, n);
    info = info || nu == 0 ? info
                           : LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', n, nu, n, E, n, tau, B, n);
    for (int j = 0; j < n; j++) {
        memset(gos__dense_column(E, n, j) + j + 1, 0, (n - 1 - j) * sizeof *E);
    }
    return info == 0 ? GOS_OK : GOS_E_SINGULAR;
}

static gos_status balance(int n, int nu, int ny, double *E, double *A, double *B, double *C,
                          double *scale) {
    lapack_int lo, hi;
    double *left = scale, *right = scale + n;
    if (LAPACKE_dggbal(LAPACK_COL_MAJOR, 'S', n, A, n, E, n, &lo, &hi, left, right) != 0) {
        return GOS_E_SINGULAR;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < nu; j++) {
            gos__dense_column(B, n, j)[i] *= left[i];
        }
        for (int j = 0; j < ny; j++) {
            gos__dense_column(C, ny, i)[j] *= right[i];
        }
    }
    return GOS_OK;
}

static void by_rows(int m, int n, int row, const double *A, double *to) {
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            to[i * row + j] = A[j * m + i];
        }
    }
}

/* work: 3 n n + 3 n + n nu + ny */
static gos_status reduce(gos_hessenberg *h, bool balanced, double *E, double *A, double *B,
                         double *C, double *work) {
    const int n = h->n, nu = h->nu, ny = h->ny;
    const size_t nn = (size_t)n * n;
    double *Q = work, *Z = Q + nn, *t = Z + nn;
    if (balanced) {
        GOS_TRY(balance(n, nu, ny, E, A, B, C, t));
    }
    GOS_TRY(triangle(n, nu, E, A, B, t));
    if (LAPACKE_dgghrd(LAPACK_COL_MAJOR, 'I', 'I', n, 1, n, A, n, E, n, Q, n, Z, n) != 0) {
        return GOS_E_SINGULAR;
    }
    GOS_TRY(multiply(h->ctx, true, n, nu, n, Q, B, t, B));
    GOS_TRY(multiply(h->ctx, false, ny, n, n, C, Z, t, C));
    by_rows(n, n, h->row, E, h->E);
    by_rows(n, n, h->row, A, h->A);
    by_rows(ny, n, h->row, C, h->C);
    for (int c = 0; c < nu; c++) {
        memcpy(h->B + (size_t)c * h->row, gos__dense_column(B, n, c), n * sizeof *B);
    }
    return GOS_OK;
}

gos_status gos__hessenberg_create(gos_ctx *ctx, int n, int nu, int ny, bool balanced, double *E,
                                  double *A, double *B, double *C, gos_hessenberg **form) {
    gos_hessenberg *h = gos__zalloc(ctx, 1, sizeof *h);
    if (!h) {
        return GOS_E_MEMORY;
    }
    const int row = GOS_HESSENBERG_ROW(n);
    const size_t square = (size_t)n * row, ports = (size_t)(nu + ny) * row;
    *h = (gos_hessenberg){.ctx = ctx, .n = n, .nu = nu, .ny = ny, .row = row};
    h->E = gos__zalloc(ctx, 2 * square + ports + 1, sizeof(double));
    h->U = gos__zalloc(ctx, 2 * square + 2L * nu * row + 1, sizeof(double));
    // LAPACKE checks output arrays for NaN, too
    double *work = gos__zalloc(ctx, 2L * n * n + 3L * n + ports + 1, sizeof(double));
    gos_status status = h->E && h->U && work ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        h->A = h->E + square;
        h->B = h->A + square;
        h->C = h->B + (size_t)nu * row;
        h->X = h->U + 2 * square;
        status = reduce(h, balanced, E, A, B, C, work);
    }
    gos__free(ctx, work);
    if (status != GOS_OK) {
        gos__hessenberg_destroy(h);
        return status;
    }
    *form = h;
    return GOS_OK;
}

void gos__hessenberg_destroy(gos_hessenberg *h) {
    if (h) {
        gos__free(h->ctx, h->E);
        gos__free(h->ctx, h->U);
        gos__free(h->ctx, h);
    }
}

gos_status gos__hessenberg_response(gos_hessenberg *h, double omega, double *H) {
    const size_t square = (size_t)h->n * h->row, part = (size_t)h->nu * h->row;
    double *Xr = h->X, *Xi = h->X + part;
    memcpy(Xr, h->B, part * sizeof *Xr);
    memset(Xi, 0, part * sizeof *Xi);
    const double rcond =
        gos__hessenberg_solve(h->n, h->row, h->nu, omega, h->E, h->A, h->U, h->U + square, Xr, Xi);
    if (!(rcond > SINGULAR)) {
        return GOS_E_SINGULAR;
    }
    for (long i = 0; i < h->ny; i++) {
        const double *c = h->C + i * h->row;
        for (long j = 0; j < h->nu; j++) {
            const size_t at = j * h->row;
            *H++ = gos__dense_dot(h->n, c, Xr + at);
            *H++ = gos__dense_dot(h->n, c, Xi + at);
        }
    }
    return GOS_OK;
}
