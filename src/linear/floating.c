#include "linear/floating.h"

#include <cblas.h>
#include <math.h>

#define FIRST 8 // modes computed first
#define MAX_FREE_MOTIONS 128
#define LARGE 3000         // coordinates from which only rigid-body motions are considered
#define NO_RESISTANCE 1e-8 // restoring force relative to the sum of its terms
#define SAME 1e-12         // relative kinetic energy of a dependent motion

void gos__floating_free(gos_floating *f) {
    if (f->ctx) {
        gos_linear_destroy(f->held);
        gos__free(f->ctx, f->R);
        gos__free(f->ctx, f->MR);
    }
    *f = (gos_floating){0};
}

/* ---- detection ------------------------------------------------------------------------------- */

/* blocks that must vanish on free motions by columns, and by rows */
static const gos_block in_columns[] = {GOS_BLOCK_K,   GOS_BLOCK_D,   GOS_BLOCK_C,
                                       GOS_BLOCK_H_q, GOS_BLOCK_H_v, GOS_BLOCK_H_phi};
static const gos_block in_rows[] = {GOS_BLOCK_K, GOS_BLOCK_D, GOS_BLOCK_G, GOS_BLOCK_G_phi};

static bool vanishes(const gos_sparse *A, bool transposed, const double *x, double *y,
                     double *size) {
    const int m = transposed ? A->n : A->m;
    double largest = 0, could = 0;
    memset(y, 0, m * sizeof *y);
    memset(size, 0, m * sizeof *size);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            const double a = A->x[k] * x[transposed ? A->i[k] : j];
            y[transposed ? j : A->i[k]] += a;
            size[transposed ? j : A->i[k]] += fabs(a);
        }
    }
    for (int i = 0; i < m; i++) {
        largest = fmax(largest, fabs(y[i]));
        could = fmax(could, size[i]);
    }
    return largest <= NO_RESISTANCE * could;
}

static bool is_zero(const gos_sparse *A, bool transposed, const double *x) {
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            if (A->x[k] != 0 && x[transposed ? A->i[k] : j] != 0) {
                return false;
            }
        }
    }
    return true;
}

bool gos__floating_exact(const gos_linear *l, const gos_floating *f) {
    bool exact = true;
    for (long k = 0; k < f->n && exact; k++) {
        const double *x = f->R + k * l->nq;
        for (int b = 0; b < GOS_COUNT(in_columns) && exact; b++) {
            exact = is_zero(&l->block[in_columns[b]], false, x);
        }
        for (int b = 0; b < GOS_COUNT(in_rows) && exact; b++) {
            exact = is_zero(&l->block[in_rows[b]], true, x);
        }
    }
    return exact;
}

static bool meets_nothing(const gos_linear *l, const double *x, double *work) {
    double *size = work + l->nq + l->nt + l->nphi + l->nc;
    bool nothing = true;
    for (int b = 0; b < GOS_COUNT(in_columns) && nothing; b++) {
        nothing = vanishes(&l->block[in_columns[b]], false, x, work, size);
    }
    for (int b = 0; b < GOS_COUNT(in_rows) && nothing; b++) {
        nothing = vanishes(&l->block[in_rows[b]], true, x, work, size);
    }
    return nothing;
}

/* Large models: only rigid-body motions without resistance, M-orthonormal; zero-frequency modes
   would be too expensive. */
static gos_status take_rigid_body(gos_floating *f, const gos_linear *l, double *work) {
    const size_t nq = l->nq;
    double *Mx = gos__alloc(f->ctx, nq, sizeof *Mx);
    f->R = gos__alloc(f->ctx, 6 * nq, sizeof *f->R);
    const gos_status status = Mx && f->R ? GOS_OK : GOS_E_MEMORY;
    for (int c = 0; c < 6 && status == GOS_OK; c++) {
        double *x = f->R + f->n * nq;
        memcpy(x, l->rigid + c * nq, nq * sizeof *x);
        if (!(cblas_dasum(l->nq, x, 1) > 0) || !meets_nothing(l, x, work)) {
            continue;
        }
        gos__sparse_apply(&l->M, 1, x, Mx);
        const double own = cblas_ddot(l->nq, x, 1, Mx, 1);
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < f->n; k++) {
                const double *r = f->R + k * nq;
                cblas_daxpy(l->nq, -cblas_ddot(l->nq, r, 1, Mx, 1), r, 1, x, 1);
                gos__sparse_apply(&l->M, 1, x, Mx);
            }
        }
        const double left = cblas_ddot(l->nq, x, 1, Mx, 1);
        if (left > SAME * own) { // a straight line has no rotation about its axis
            cblas_dscal(l->nq, 1 / sqrt(left), x, 1);
            f->n++;
        }
    }
    gos__free(f->ctx, Mx);
    return status;
}

/* *n modes of frequency 0 and their shapes; the caller frees */
static gos_status find_zeros(gos_ctx *ctx, const gos_linear *l, double **shapes, int *n) {
    int found = 0;
    *n = 0;
    *shapes = NULL;
    for (int want = FIRST; *n == found && want <= MAX_FREE_MOTIONS; want *= 2) {
        gos__free(ctx, *shapes);
        *n = 0;
        gos_mode *modes = gos__zalloc(ctx, want, sizeof *modes);
        *shapes = gos__alloc(ctx, (size_t)want * l->nq, sizeof **shapes);
        gos_status status = modes && *shapes ? GOS_OK : GOS_E_MEMORY;
        status =
            status == GOS_OK ? gos_linear_shapes(ctx, l, want, modes, *shapes, &found) : status;
        const size_t bytes = l->nq * sizeof **shapes;
        for (long k = 0; k < found && status == GOS_OK; k++) { // unstable modes come first
            if (modes[k].rigid && (*n)++ < k) {
                memcpy(*shapes + (size_t)(*n - 1) * l->nq, *shapes + k * l->nq, bytes);
            }
        }
        gos__free(ctx, modes);
        if (status != GOS_OK || found < want) {
            return status;
        }
    }
    *n = *n == found ? 0 : *n; // unlimited: treated as none
    return GOS_OK;
}

/* ---- model without free motions -------------------------------------------------------------- */

/* append rows (M R)^T to C, with largest entry 1 as in joints */
static gos_status add_rows(const gos_linear *l, const gos_floating *f, gos_sparse *C) {
    const gos_sparse *from = &l->block[GOS_BLOCK_C];
    const size_t nq = l->nq;
    int at = 0;
    double largest[MAX_FREE_MOTIONS];
    for (int k = 0; k < f->n; k++) {
        const double *row = f->MR + k * nq;
        largest[k] = fabs(row[cblas_idamax(l->nq, row, 1)]);
    }
    gos__sparse_free(f->ctx, C);
    GOS_TRY(gos__sparse_alloc(f->ctx, l->nc + f->n, l->nq, from->nnz + f->n * nq, C));
    for (int j = 0; j < l->nq; j++) {
        for (int k = from->p[j]; k < from->p[j + 1]; k++) {
            C->i[at] = from->i[k];
            C->x[at++] = from->x[k];
        }
        for (int k = 0; k < f->n; k++) {
            const double x = f->MR[k * nq + j];
            if (x != 0) {
                C->i[at] = l->nc + k;
                C->x[at++] = x / largest[k];
            }
        }
        C->p[j + 1] = at;
    }
    C->nnz = at;
    return GOS_OK;
}

/* dense (nq, count) := A - MR (R^T A), by columns of inputs or rows of outputs */
static void project(const gos_floating *f, int nq, int count, double *A, double *share) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, f->n, count, nq, 1, f->R, nq, A, nq, 0,
                share, f->n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, nq, count, f->n, -1, f->MR, nq, share,
                f->n, 1, A, nq);
}

/* entry (i, j) of A to [j m + i], transposed: [i n + j] */
static void make_dense(const gos_sparse *A, bool transposed, double *to) {
    memset(to, 0, (size_t)A->m * A->n * sizeof *to);
    for (long j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            to[transposed ? (size_t)A->i[k] * A->n + j : j * A->m + (size_t)A->i[k]] = A->x[k];
        }
    }
}

static gos_status put_ports(const gos_floating *f, const gos_sparse *A, bool outputs,
                            gos_sparse *to) {
    const int nq = outputs ? A->n : A->m, count = outputs ? A->m : A->n;
    const size_t size = (size_t)nq * count;
    double *dense = gos__alloc(f->ctx, size + (size_t)f->n * count + 1, sizeof *dense);
    if (!dense) {
        return GOS_E_MEMORY;
    }
    gos_sparse S = {0};
    make_dense(A, outputs, dense);
    project(f, nq, count, dense, dense + size);
    gos_status status = gos__sparse_from_dense(f->ctx, nq, count, dense, &S);
    gos__free(f->ctx, dense);
    if (status == GOS_OK) {
        gos__sparse_free(f->ctx, to);
        if (outputs) {
            status = gos__sparse_transpose(f->ctx, &S, to);
            gos__sparse_free(f->ctx, &S);
        } else {
            *to = S;
        }
    } else {
        gos__sparse_free(f->ctx, &S);
    }
    return status;
}

static gos_status fill_held(const gos_linear *l, const gos_floating *f, gos_linear *held) {
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        const bool outputs = b == GOS_BLOCK_Y_q || b == GOS_BLOCK_Y_v;
        if (b == GOS_BLOCK_C) {
            GOS_TRY(add_rows(l, f, &held->block[b]));
        } else if (outputs || b == GOS_BLOCK_B) {
            GOS_TRY(put_ports(f, &l->block[b], outputs, &held->block[b]));
        } else {
            GOS_TRY(gos__linear_put(held, (gos_block)b, &l->block[b]));
        }
    }
    held->ncomp = l->ncomp;
    memcpy(held->rigid, l->rigid, 6L * l->nq * sizeof *held->rigid);
    GOS_TRY(gos__linear_name_ports(l, held));
    return gos__linear_close(held);
}

gos_status gos__floating_split(gos_ctx *ctx, const gos_linear *l, gos_floating *f) {
    *f = (gos_floating){.ctx = ctx};
    if (l->nq == 0 || !l->symmetric_K) {
        return GOS_OK;
    }
    const size_t room = (size_t)l->nq + l->nt + l->nphi + l->nc;
    double *work = gos__alloc(ctx, 2 * room + 1, sizeof *work);
    gos_status status = work ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = l->nq > LARGE ? take_rigid_body(f, l, work) : find_zeros(ctx, l, &f->R, &f->n);
    }
    bool all = status == GOS_OK;
    for (long k = 0; k < f->n && all; k++) {
        all = meets_nothing(l, f->R + k * l->nq, work);
    }
    gos__free(ctx, work);
    if (status != GOS_OK || !all || f->n == 0) {
        gos__floating_free(f);
        return status;
    }
    f->MR = gos__alloc(ctx, (size_t)l->nq * f->n, sizeof *f->MR);
    status = f->MR ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_apply(&l->M, f->n, f->R, f->MR);
        const gos_linear_size size = {.nq = l->nq,
                                      .nt = l->nt,
                                      .nphi = l->nphi,
                                      .nc = l->nc + f->n,
                                      .nh = l->nh,
                                      .nu = l->nu,
                                      .ny = l->ny};
        status = gos__linear_create(ctx, &size, &f->held);
    }
    status = status == GOS_OK ? fill_held(l, f, f->held) : status;
    if (status != GOS_OK) {
        gos__floating_free(f);
    }
    return status;
}

gos_status gos__floating_ports(const gos_floating *f, const gos_sparse *A, bool outputs,
                               gos_sparse *S) {
    const int nq = outputs ? A->n : A->m, count = outputs ? A->m : A->n;
    const size_t size = (size_t)nq * count;
    double *dense = gos__alloc(f->ctx, size + (size_t)f->n * count + 1, sizeof *dense);
    if (!dense) {
        return GOS_E_MEMORY;
    }
    double *small = dense + size;
    make_dense(A, outputs, dense);
    if (outputs) { // (nq, ny)^T R
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count, f->n, nq, 1, dense, nq, f->R,
                    nq, 0, small, count);
    } else {
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, f->n, count, nq, 1, f->R, nq, dense,
                    nq, 0, small, f->n);
    }
    const gos_status status =
        gos__sparse_from_dense(f->ctx, outputs ? count : f->n, outputs ? f->n : count, small, S);
    gos__free(f->ctx, dense);
    return status;
}
