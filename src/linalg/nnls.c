/* Non-negative least squares by active sets (Lawson and Hanson 1974, Solving least squares
 * problems, ch. 23). An entering column is orthogonalised twice against the QR factors (Daniel et
 * al. 1976), which avoids normal equations and their loss of digits; after a removal, which is
 * rare, later columns are orthogonalised again. */
#include "linalg/nnls.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#define DEPENDENT 1e-10 // relative part of a column that must be independent
#define PANEL 32        // block size of the QR factorisation
#define MAX_VISITS 3    // largest number of entering columns, times n

typedef struct nnls {
    int m, n, k, cap;   // number of columns with weights, its limit
    const double *A;    // (m, n)
    const double *b;    // (m)
    double *Q, *R;      // (m, cap), (cap, cap) column-major, upper triangle
    double *qb;         // Q^T b (cap)
    double *x;          // weights of the columns in Q order (cap)
    double *y;          // least squares solution (cap)
    double *r, *g;      // residual (m), A^T r (n)
    int *set;           // column indices in Q order (cap)
    signed char *state; // of each column: 0 out, 1 in, -1 rejected until another has entered
    double *size;
} nnls;

static gos_status allocate(gos_ctx *ctx, gos_arena *a, nnls *s) {
    const size_t m = s->m, n = s->n, cap = s->cap;
    GOS_UNUSED(ctx);
    s->Q = GOS_NEW(a, double, m *cap + 1);
    s->R = GOS_NEW(a, double, cap *cap + 1);
    s->qb = GOS_NEW(a, double, cap + 1);
    s->x = GOS_NEW(a, double, cap + 1);
    s->y = GOS_NEW(a, double, cap + 1);
    s->r = GOS_NEW(a, double, m + 1);
    s->g = GOS_NEW(a, double, n + 1);
    s->set = GOS_NEW(a, int, cap + 1);
    s->state = GOS_NEW(a, signed char, n + 1);
    s->size = GOS_NEW(a, double, n + 1);
    return s->Q && s->R && s->qb && s->x && s->y && s->r && s->g && s->set && s->state && s->size
               ? GOS_OK
               : GOS_E_MEMORY;
}

/* Adds column j as number k of Q; false if it is dependent. */
static bool orthogonalise(nnls *s, int j) {
    const int m = s->m, k = s->k;
    double *q = s->Q + (size_t)k * m, *row = s->R + (size_t)k * s->cap;
    cblas_dcopy(m, s->A + (size_t)j * m, 1, q, 1);
    memset(row, 0, s->cap * sizeof *row);
    for (int pass = 0; pass < 2 && k > 0; pass++) {
        cblas_dgemv(CblasColMajor, CblasTrans, m, k, 1, s->Q, m, q, 1, 0, s->y, 1);
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, k, -1, s->Q, m, s->y, 1, 1, q, 1);
        cblas_daxpy(k, 1, s->y, 1, row, 1);
    }
    const double length = cblas_dnrm2(m, q, 1);
    if (!(length > DEPENDENT * s->size[j])) {
        return false;
    }
    row[k] = length;
    cblas_dscal(m, 1 / length, q, 1);
    s->qb[k] = cblas_ddot(m, q, 1, s->b, 1);
    s->set[k] = j;
    s->k++;
    return true;
}

/* Removes the columns with weight 0; orthogonalises those after the first again. */
static void remove_zeros(nnls *s) {
    const int before = s->k;
    int first = 0;
    while (first < before && s->x[first] > 0) {
        first++;
    }
    s->k = first;
    for (int i = first; i < before; i++) {
        const int j = s->set[i];
        const double x = s->x[i];
        if (x > 0 && orthogonalise(s, j)) {
            s->x[s->k - 1] = x;
        } else {
            s->state[j] = 0;
        }
    }
}

static void solve(nnls *s) {
    cblas_dcopy(s->k, s->qb, 1, s->y, 1);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, s->k, s->R, s->cap, s->y, 1);
}

/* Moves weights towards y until the first reaches 0; true if all arrived. */
static bool advance(nnls *s) {
    double alpha = 1;
    for (int i = 0; i < s->k; i++) {
        if (!(s->y[i] > 0)) {
            const double a = s->x[i] > 0 ? s->x[i] / (s->x[i] - s->y[i]) : 0;
            alpha = fmin(alpha, a);
        }
    }
    const bool done = alpha == 1;
    for (int i = 0; i < s->k; i++) {
        const bool stops = !(s->y[i] > 0) && s->x[i] <= alpha * (s->x[i] - s->y[i]) * (1 + 1e-12);
        s->x[i] = stops ? 0 : s->x[i] + alpha * (s->y[i] - s->x[i]);
    }
    return done;
}

/* r = b - Q Q^T b, orthogonal to the columns up to rounding. */
static double residual_of(nnls *s) {
    cblas_dcopy(s->m, s->b, 1, s->r, 1);
    if (s->k > 0) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, s->m, s->k, -1, s->Q, s->m, s->qb, 1, 1, s->r, 1);
    }
    return cblas_dnrm2(s->m, s->r, 1);
}

/* Column with the smallest angle to the residual, or -1. */
static int best_column(nnls *s, double residual) {
    int best = -1;
    double max = 1e-12 * residual;
    cblas_dgemv(CblasColMajor, CblasTrans, s->m, s->n, 1, s->A, s->m, s->r, 1, 0, s->g, 1);
    for (int j = 0; j < s->n; j++) {
        if (s->state[j] == 0 && s->size[j] > 0 && s->g[j] / s->size[j] > max) {
            max = s->g[j] / s->size[j];
            best = j;
        }
    }
    return best;
}

/* Adds column j and removes others until all weights are positive; false: rejected. */
static bool enter(nnls *s, int j) {
    if (s->k == s->cap || !orthogonalise(s, j)) {
        return false;
    }
    s->state[j] = 1;
    s->x[s->k - 1] = 0;
    solve(s);
    if (!(s->y[s->k - 1] > 0)) { // due to rounding; it would leave at once
        s->k--;
        s->state[j] = 0;
        return false;
    }
    while (!advance(s)) {
        remove_zeros(s);
        solve(s);
    }
    return true;
}

static double iterate(nnls *s, double goal) {
    double residual = residual_of(s);
    for (int visit = 0; visit < MAX_VISITS * s->n && residual > goal; visit++) {
        const int j = best_column(s, residual);
        if (j < 0) {
            break;
        }
        if (!enter(s, j)) {
            s->state[j] = -1;
            continue;
        }
        for (int i = 0; i < s->n; i++) {
            s->state[i] = s->state[i] < 0 ? 0 : s->state[i];
        }
        residual = residual_of(s);
    }
    return residual;
}

gos_status gos__nnls(gos_ctx *ctx, int m, int n, const double *A, const double *b, double tau,
                     double *w, int *count, double *residual) {
    gos_arena *a = gos__arena_create(ctx);
    nnls s = {.m = m, .n = n, .cap = m < n ? m : n, .A = A, .b = b};
    const gos_status status = a ? allocate(ctx, a, &s) : GOS_E_MEMORY;
    if (status != GOS_OK) {
        gos__arena_destroy(a);
        return status;
    }
    for (long j = 0; j < n; j++) {
        s.size[j] = cblas_dnrm2(m, A + j * m, 1);
    }
    const double scale = cblas_dnrm2(m, b, 1), left = iterate(&s, tau * scale);
    memset(w, 0, n * sizeof *w);
    *count = s.k;
    for (int i = 0; i < s.k; i++) {
        w[s.set[i]] = s.x[i];
    }
    if (residual) {
        *residual = scale > 0 ? left / scale : 0;
    }
    gos__arena_destroy(a);
    return GOS_OK;
}

gos_status gos__nnls_compress(gos_ctx *ctx, int m, int n, double *Ab, int cap, int *rows) {
    const int min = m < n + 1 ? m : n + 1;
    const int nb = min < PANEL ? min : PANEL;
    double *t = gos__alloc(ctx, 2L * nb * (n + 2L), sizeof *t);
    if (!t) {
        return GOS_E_MEMORY;
    }
    double *work = t + (size_t)nb * (n + 1);
    const int info =
        m > n + 1 ? LAPACKE_dgeqrt_work(LAPACK_COL_MAJOR, m, n + 1, nb, Ab, cap, t, nb, work) : 0;
    gos__free(ctx, t);
    if (info != 0) {
        return gos__fail(ctx, GOS_E_INTERNAL, "nnls: the equations cannot be factorised");
    }
    for (long j = 0; j <= n && m > n + 1; j++) { // clear the reflectors below the triangle
        memset(Ab + j * cap + j + 1, 0, (m - j - 1) * sizeof *Ab);
    }
    *rows = min;
    return GOS_OK;
}
