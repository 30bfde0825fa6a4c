/* Complex modes of (s^2 + s D + K) psi = 0 in M-orthonormal free motions, projected on undamped
   modes; K is unsymmetric, with J_d and constraint forces (theory 4.4, 4.5). Each undamped mode
   owns the two roots it dominates, a pair or two real ones. Sorted by |s1 s2|^(1/2); Re psi and
   Im psi become orthonormal columns. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "rom/local.h"

#define RIGID 1e-9       // rigid motion: |lambda| relative to the median
#define DEPENDENT 1e-10  // relative norm of a dependent column
#define MAX_MOTIONS 2000 // largest number of free motions for dense matrices

/* ---- create and destroy ---------------------------------------------------------------------- */

/* a sixth more than requested by default */
static int search_size(const gos_local_def *def, int n, int r) {
    int p = def->modes != GOS_LOCAL_COMPLEX ? r : def->search > 0 ? def->search : r + r / 6 + 4;
    p = p < r ? r : p;
    return p < n ? p : n;
}

static gos_status query_work(gos_local_modes *k) {
    const int n = k->n, p2 = 2 * k->p;
    double a = 0, b = 0;
    int ia = 0, found = 0;
    LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'L', n, k->small, n, 0, 0, 1, k->p, 0, &found,
                        k->lambda, k->X, n, k->support, &a, -1, &ia, -1);
    LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', p2, k->A, p2, k->re, k->im, NULL, 1, k->vec, p2,
                       &b, -1);
    k->nwork = (int)fmax(a, b) + 1;
    k->niwork = ia + n + 1;
    k->work = gos__zalloc(k->ctx, k->nwork, sizeof *k->work);
    k->iwork = gos__zalloc(k->ctx, k->niwork, sizeof *k->iwork);
    return k->work && k->iwork ? GOS_OK : GOS_E_MEMORY;
}

static gos_status allocate(gos_local_modes *k) {
    const size_t n = k->n, p = k->p, cap = k->cap;
    struct {
        double **to;
        size_t n;
    } const arrays[] = {{&k->K, n * n},       {&k->D, n * n},          {&k->lambda, n},
                        {&k->X, n * p},       {&k->Kp, p * p},         {&k->Dp, p * p},
                        {&k->A, 4 * p * p},   {&k->re, 2 * p},         {&k->im, 2 * p},
                        {&k->vec, 4 * p * p}, {&k->weight, 2 * p * p}, {&k->product, p},
                        {&k->Y, cap * p},     {&k->V, cap * n},        {&k->small, n * n + 2 * n}};
    for (int i = 0; i < GOS_COUNT(arrays); i++) {
        *arrays[i].to = gos__zalloc(k->ctx, arrays[i].n + 1, sizeof(double));
        if (!*arrays[i].to) {
            return GOS_E_MEMORY;
        }
    }
    k->owner = gos__zalloc(k->ctx, 2 * p + 1, sizeof *k->owner);
    k->count = gos__zalloc(k->ctx, p + 1, sizeof *k->count);
    k->order = gos__zalloc(k->ctx, p + 1, sizeof *k->order);
    k->support = gos__zalloc(k->ctx, 2 * n + 1, sizeof *k->support);
    if (!k->owner || !k->count || !k->order || !k->support) {
        return GOS_E_MEMORY;
    }
    return query_work(k);
}

gos_status gos__local_size_check(gos_ctx *ctx, int n) {
    return n <= MAX_MOTIONS
               ? GOS_OK
               : gos__fail(ctx, GOS_E_LIMIT,
                           "local linearisation uses dense matrices and supports at most %d "
                           "degrees of freedom; the model has %d. Use rotation_closed",
                           MAX_MOTIONS, n);
}

/* for modes among p undamped ones, or for given columns */
static gos_status create(gos_ctx *ctx, int n, int r, int p, int max_columns,
                         gos_local_modes **modes) {
    GOS_TRY(gos__local_size_check(ctx, n));
    gos_local_modes *k = gos__zalloc(ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->ctx = ctx;
    k->n = n;
    k->r = r;
    k->p = p;
    k->cap = max_columns + 2;
    const gos_status status = allocate(k);
    if (status != GOS_OK) {
        gos__local_modes_destroy(k);
        return status;
    }
    *modes = k;
    return GOS_OK;
}

gos_status gos__local_modes_create(gos_ctx *ctx, int n, const gos_local_def *def,
                                   gos_local_modes **modes) {
    const int r =
        def->displacement_modes > 0 && def->displacement_modes < n ? def->displacement_modes : n;
    const int p = search_size(def, n, r), max_columns = def->modes == GOS_LOCAL_COMPLEX ? 2 * r : r;
    return create(ctx, n, r, p, max_columns < p ? max_columns : p, modes);
}

gos_status gos__local_columns_create(gos_ctx *ctx, int n, int max_columns,
                                     gos_local_modes **modes) {
    const int m = max_columns < n ? max_columns : n;
    return create(ctx, n, m, n > 0, m, modes);
}

void gos__local_modes_destroy(gos_local_modes *k) {
    if (k) {
        void *const blocks[] = {k->K,     k->D,     k->lambda, k->X,    k->Kp,     k->Dp,
                                k->A,     k->re,    k->im,     k->vec,  k->weight, k->product,
                                k->Y,     k->V,     k->small,  k->work, k->owner,  k->count,
                                k->order, k->iwork, k->support};
        for (int i = 0; i < GOS_COUNT(blocks); i++) {
            gos__free(k->ctx, blocks[i]);
        }
        gos__free(k->ctx, k);
    }
}

/* ---- undamped modes -------------------------------------------------------------------------- */

static gos_status undamped(gos_local_modes *k) {
    const int n = k->n;
    int found = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            k->small[i * n + j] = 0.5 * (k->K[i * n + j] + k->K[j * n + i]);
        }
    }
    const lapack_int info = LAPACKE_dsyevr_work(
        LAPACK_COL_MAJOR, 'V', k->p < n ? 'I' : 'A', 'L', n, k->small, n, 0, 0, 1, k->p, 0, &found,
        k->lambda, k->X, n, k->support, k->work, k->nwork, k->iwork, k->niwork);
    if (info != 0 || found < k->p) {
        return gos__fail(k->ctx, info < 0 ? GOS_E_NONFINITE : GOS_E_DIVERGED,
                         "the undamped modes of an interval did not converge");
    }
    return GOS_OK;
}

/* P (p, p) = X A X^T */
static void on_modes(const gos_local_modes *k, const double *A, double *P) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k->p, k->n, k->n, 1, k->X, k->n, A, k->n,
                0, k->small, k->n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, k->p, k->p, k->n, 1, k->small, k->n, k->X,
                k->n, 0, P, k->p);
}

/* ---- complex modes --------------------------------------------------------------------------- */

/* displacements scaled by a medium frequency for similar magnitudes */
static gos_status roots(gos_local_modes *k) {
    const int p = k->p, n = 2 * p;
    on_modes(k, k->K, k->Kp);
    on_modes(k, k->D, k->Dp);
    const double w = sqrt(fmax(fabs(k->lambda[p / 2]), 1e-30 + 1e-12 * fabs(k->lambda[p - 1])));
    memset(k->A, 0, (size_t)n * n * sizeof *k->A);
    for (long j = 0; j < p; j++) {
        double *left = k->A + j * n, *right = k->A + (p + j) * n;
        right[j] = w;
        for (int i = 0; i < p; i++) {
            left[p + i] = -k->Kp[i * p + j] / w;
            right[p + i] = -k->Dp[i * p + j];
        }
    }
    const lapack_int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, k->A, n, k->re, k->im,
                                               NULL, 1, k->vec, n, k->work, k->nwork);
    return info == 0 ? GOS_OK
                     : gos__fail(k->ctx, info < 0 ? GOS_E_NONFINITE : GOS_E_DIVERGED,
                                 "the complex modes of an interval did not converge");
}

static void weigh(gos_local_modes *k, long j) {
    const int p = k->p;
    const bool pair = k->im[j] != 0;
    const double *x = k->vec + j * (2 * p);
    double sum = 0, *w = k->weight + j * p;
    for (int i = 0; i < p; i++) {
        const double y = pair ? x[2 * p + i] : 0;
        w[i] = x[i] * x[i] + y * y;
        sum += w[i];
    }
    cblas_dscal(p, sum > 0 ? 1 / sum : 0, w, 1);
}

/* Assign root j and its conjugate to the dominant mode with a free root; ties: the lower mode. */
static void give(gos_local_modes *k, long j) {
    const int p = k->p, need = k->im[j] != 0 ? 2 : 1;
    const double *w = k->weight + j * p;
    int best = -1;
    for (int i = 0; i < p; i++) {
        if (k->count[i] + need <= 2 && (best < 0 || w[i] > w[best])) {
            best = i;
        }
    }
    k->owner[j] = best;
    if (best >= 0) {
        k->count[best] += need;
        k->product[best] *= need == 2 ? k->re[j] * k->re[j] + k->im[j] * k->im[j] : fabs(k->re[j]);
    }
}

/* Assign two roots to each mode: pairs, then dominant real roots. */
static void gather(gos_local_modes *k) {
    const int p = k->p, n = 2 * p;
    memset(k->count, 0, p * sizeof *k->count);
    for (int i = 0; i < p; i++) {
        k->product[i] = 1;
        k->order[i] = i;
    }
    for (int j = 0; j < n; j += k->im[j] != 0 ? 2 : 1) {
        weigh(k, j);
    }
    for (int j = 0; j < n; j += k->im[j] != 0 ? 2 : 1) {
        if (k->im[j] != 0) {
            give(k, j);
            k->owner[j + 1] = k->owner[j];
        }
    }
    for (int pass = 0; pass < 2; pass++) { // dominant roots first
        for (int j = 0; j < n; j++) {
            const double *w = k->weight + (size_t)j * p;
            const bool clear = k->im[j] == 0 && w[cblas_idamax(p, w, 1)] > 0.5;
            if (k->im[j] == 0 && clear == (pass == 0)) {
                give(k, j);
            }
        }
    }
}

/* nearly sorted: insertion */
static void sort_units(gos_local_modes *k) {
    for (int i = 1; i < k->p; i++) {
        const int u = k->order[i];
        int to = i;
        for (; to > 0 && k->product[k->order[to - 1]] > k->product[u]; to--) {
            k->order[to] = k->order[to - 1];
        }
        k->order[to] = u;
    }
}

/* orthonormalise y (p) against Y; drop it below `least` */
static void append_small(gos_local_modes *k, const double *y, double min_length) {
    const int p = k->p;
    const double before = cblas_dnrm2(p, y, 1);
    double *to = k->Y + (size_t)k->m * p;
    if (!(before > 0) || k->m >= k->cap - 2 || k->m >= p) {
        return;
    }
    for (int i = 0; i < p; i++) {
        to[i] = y[i] / before;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (long j = 0; j < k->m; j++) {
            const double *c = k->Y + j * p;
            cblas_daxpy(p, -cblas_ddot(p, c, 1, to, 1), c, 1, to, 1);
        }
    }
    const double left = cblas_dnrm2(p, to, 1);
    if (left > min_length) {
        cblas_dscal(p, 1 / left, to, 1);
        k->m++;
    }
}

/* first vectors (real parts) of kept modes, then second ones */
static void collect(gos_local_modes *k, const gos_local_def *def) {
    const long p = k->p, n = 2 * p;
    const double rigid = RIGID * fabs(k->lambda[p / 2]);
    double *unit = k->small;
    k->overdamped = k->pairs = 0;
    for (int second = 0; second < 2; second++) {
        for (int u = 0; u < k->r; u++) {
            const int owner = k->order[u];
            if (fabs(k->lambda[owner]) <= rigid) { // separate: rigid motions may be defective
                memset(unit, 0, p * sizeof *unit);
                unit[owner] = 1;
                append_small(k, unit, second ? 2 : DEPENDENT);
                continue;
            }
            int nowned = 0;
            for (int j = 0; j < n; j++) {
                if (k->owner[j] == owner && nowned++ == second) {
                    append_small(k, k->vec + j * n, second ? def->columns : DEPENDENT);
                    k->pairs += second && k->im[j] != 0;
                    k->overdamped += second && k->im[j] == 0;
                }
            }
        }
    }
}

gos_status gos__local_modes_solve(gos_local_modes *k, const gos_local_def *def) {
    k->m = 0;
    GOS_TRY(undamped(k));
    if (def->modes != GOS_LOCAL_COMPLEX) {
        k->m = k->nmodal = k->r;
        memcpy(k->V, k->X, (size_t)k->r * k->n * sizeof *k->V);
        return GOS_OK;
    }
    GOS_TRY(roots(k));
    gather(k);
    sort_units(k);
    collect(k, def);
    k->nmodal = k->m;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k->m, k->n, k->p, 1, k->Y, k->p, k->X,
                k->n, 0, k->V, k->n);
    return GOS_OK;
}

/* ---- additional columns ---------------------------------------------------------------------- */

bool gos__local_modes_append(gos_local_modes *k, const double *x) {
    const int n = k->n;
    const double before = cblas_dnrm2(n, x, 1);
    double *to = k->V + (size_t)k->m * n;
    if (!(before > 0) || k->m >= k->cap || k->m >= n) {
        return false;
    }
    memcpy(to, x, n * sizeof *to);
    for (int pass = 0; pass < 3; pass++) {
        const double size = cblas_dnrm2(n, to, 1);
        for (long j = 0; j < k->m; j++) {
            const double *c = k->V + j * n;
            cblas_daxpy(n, -cblas_ddot(n, c, 1, to, 1), c, 1, to, 1);
        }
        if (!(cblas_dnrm2(n, to, 1) > 1e-14 * size)) {
            return false;
        }
    }
    const double left = cblas_dnrm2(n, to, 1);
    if (!(left > DEPENDENT * before)) {
        return false;
    }
    cblas_dscal(n, 1 / left, to, 1);
    k->m++;
    return true;
}

gos_status gos__local_modes_respond(gos_local_modes *k, double T, double *x) {
    const int n = k->n;
    double *A = k->small;
    for (int i = 0; i < n * n; i++) {
        A[i] = k->K[i] + k->D[i] / T;
    }
    for (int i = 0; i < n; i++) {
        A[i * n + i] += 1 / (T * T);
    }
    // transposed
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, k->iwork) != 0) {
        return GOS_RETRY;
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, A, n, k->iwork, x, n);
    return GOS_OK;
}
