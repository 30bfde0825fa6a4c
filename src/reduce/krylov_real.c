/* The Arnoldi process of krylov.c for large symmetric models at a real point: all numbers are real, products
   and solves go through the memory once for a block of vectors, and so do the earlier vectors that a
   block is made orthogonal to. */
#include "reduce/krylov.h"

#include <cblas.h>
#include <math.h>

#define BLOCK GOS_PENCIL_BLOCK
#define DEFLATE 1e-10 // remaining over incoming length
#define FAINT 1e-4    // times DEFLATE, of the largest part of a field, it is above round-off
#define LOST 0.1      // of a column's length: what is left may point along earlier vectors again

typedef struct arnoldi {
    gos_reduce_pencil *p;
    double s0, scale; // of s - s0, so that both halves of a pair have like size
    bool pairs;       // vectors are pairs (x_i, x_(i-1)), else single ones
    int power;        // single ones: of the matrix that makes the next one
    int n, length;
    int count, cap;              // orthonormal vectors, room
    double *Q;                   // (length, count)
    double *W;                   // (length, BLOCK): new ones
    double *X, *Y, *panel;       // scratch: (n, 2 BLOCK) twice, (n, 8)
    double *H;                   // scratch: (cap, BLOCK)
    int hcap;                    // room in H
    double largest[GOS_NFIELDS]; // part of each field seen
} arnoldi;

static double *vector(const arnoldi *a, int k) {
    return a->Q + (size_t)k * (size_t)a->length;
}

/* columns of W := what follows Q[first, first + count) */
static gos_status advance(arnoldi *a, int first, int count) {
    const gos_reduce_pencil *p = a->p;
    const size_t n = (size_t)a->n, length = (size_t)a->length;
    double *B = a->X; // (n, count) becomes the right-hand side
    if (!a->pairs) {
        gos__sparse_apply_symmetric(&p->A[a->power], count, vector(a, first), B, a->panel);
        cblas_dscal(a->n * count, -1, B, 1);
    } else {
        const double f = a->scale;
        for (int k = 0; k < count; k++) { // (2 s0 M + D) u + f M v
            const double *u = vector(a, first + k), *v = u + n;
            double *z = a->X + (size_t)k * n;
            for (size_t i = 0; i < n; i++) {
                z[i] = -f * (2 * a->s0 * u[i] + f * v[i]);
            }
        }
        gos__sparse_apply_symmetric(&p->A[2], count, a->X, a->Y, a->panel);
        for (int k = 0; k < count; k++) {
            memcpy(a->X + (size_t)k * n, vector(a, first + k), n * sizeof *a->X);
        }
        gos__sparse_apply_symmetric(&p->A[1], count, a->X, a->Y + BLOCK * n, a->panel);
        for (size_t i = 0; i < n * (size_t)count; i++) {
            B[i] = a->Y[i] - f * a->Y[BLOCK * n + i];
        }
    }
    GOS_TRY(gos__reduce_pencil_solve_real(a->p, count, B));
    for (int k = 0; k < count; k++) {
        double *w = a->W + (size_t)k * length;
        memcpy(w, B + (size_t)k * n, n * sizeof *w);
        if (a->pairs) {
            memcpy(w + n, vector(a, first + k), n * sizeof *w);
        }
    }
    return GOS_OK;
}

/* columns (length, count) -= their parts along Q, twice */
static gos_status take_out(arnoldi *a, int count, double *w) {
    if (a->count == 0) {
        return GOS_OK;
    }
    void *H = a->H;
    GOS_TRY(gos__grow(a->p->ctx, &H, &a->hcap, a->count + 1, BLOCK * sizeof *a->H));
    a->H = H;
    for (int pass = 0; pass < 2; pass++) {
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, a->count, count, a->length, 1, a->Q,
                    a->length, w, a->length, 0, a->H, a->count);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, a->length, count, a->count, -1, a->Q,
                    a->length, a->H, a->count, 1, w, a->length);
    }
    return GOS_OK;
}

/* the upper half of w, whose length has shrunk from `before` to 1, into the space */
static gos_status spread(arnoldi *a, const double *w, double before, gos_space *space) {
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const int rows = gos__space_rows(space, f);
        const double *part = w + space->start[f];
        const double size = rows > 0 ? cblas_dnrm2(rows, part, 1) : 0;
        if (size == 0) {
            continue;
        }
        a->largest[f] = fmax(a->largest[f], size);
        memcpy(a->X, part, (size_t)rows * sizeof *part);
        // cancellation has blown round-off up
        GOS_TRY(gos__space_add(space, f, a->X, fmax(size, FAINT * a->largest[f] * before)));
    }
    return GOS_OK;
}

/* the columns of W into Q, and into the space until it has enough */
static gos_status append(arnoldi *a, int count, int target, gos_space *space) {
    const size_t length = (size_t)a->length;
    double before[BLOCK];
    for (int k = 0; k < count; k++) {
        before[k] = cblas_dnrm2(a->length, a->W + (size_t)k * length, 1);
        if (!isfinite(before[k])) {
            return gos__fail(a->p->ctx, GOS_E_NONFINITE, "a Krylov vector is not finite");
        }
    }
    const int first = a->count;
    GOS_TRY(take_out(a, count, a->W));
    void *Q = a->Q;
    GOS_TRY(gos__grow(a->p->ctx, &Q, &a->cap, first + count, length * sizeof *a->Q));
    a->Q = Q;
    for (int k = 0; k < count && gos__space_largest(space) < target; k++) {
        double *w = a->W + (size_t)k * length;
        const double own = cblas_dnrm2(a->length, w, 1);
        for (int pass = 0; pass < 2; pass++) { // those of this block
            for (int j = first; j < a->count; j++) {
                cblas_daxpy(a->length, -cblas_ddot(a->length, vector(a, j), 1, w, 1), vector(a, j),
                            1, w, 1);
            }
        }
        double after = cblas_dnrm2(a->length, w, 1);
        if (after > DEFLATE * before[k] && after < LOST * own) {
            GOS_TRY(take_out(a, 1, w));
            after = cblas_dnrm2(a->length, w, 1);
        }
        if (!(after > DEFLATE * before[k])) {
            space->dropped += before[k] > 0;
            continue;
        }
        cblas_dscal(a->length, 1 / after, w, 1);
        memcpy(vector(a, a->count), w, length * sizeof *w);
        a->count++;
        GOS_TRY(spread(a, w, before[k] / after, space));
    }
    return GOS_OK;
}

/* typical |s - s0| from a first vector: |x0| / |x1|, or the root of |x0| / |P^-1 M x0| */
static gos_status find_scale(arnoldi *a, const double *x0) {
    const size_t n = (size_t)a->n;
    double *M = a->Y, *D = a->Y + n;
    a->scale = 0;
    gos__sparse_apply(&a->p->A[2], 1, x0, M);
    gos__sparse_apply(&a->p->A[1], 1, x0, D);
    cblas_daxpy(a->n, 2 * a->s0, M, 1, D, 1);
    GOS_TRY(gos__reduce_pencil_solve_real(a->p, 2, M));
    const double own = cblas_dnrm2(a->n, x0, 1);
    const double values[2] = {sqrt(own / cblas_dnrm2(a->n, M, 1)), own / cblas_dnrm2(a->n, D, 1)};
    for (int k = 0; k < 2; k++) {
        if (isfinite(values[k]) && values[k] > 0 && (a->scale == 0 || values[k] < a->scale)) {
            a->scale = values[k];
        }
    }
    a->scale = a->scale > 0 ? a->scale : 1;
    return GOS_OK;
}

/* the first block, from right-hand sides B (n, nb); *complete: all of it was needed */
static gos_status first_block(arnoldi *a, int nb, const double *B, int target, gos_space *space,
                              bool *complete) {
    const size_t n = (size_t)a->n, length = (size_t)a->length;
    *complete = false;
    for (int from = 0; from < nb; from += BLOCK) {
        const int count = nb - from < BLOCK ? nb - from : BLOCK;
        if (gos__space_largest(space) >= target) {
            return GOS_OK;
        }
        memcpy(a->X, B + (size_t)from * n, n * (size_t)count * sizeof *B);
        GOS_TRY(gos__reduce_pencil_solve_real(a->p, count, a->X));
        for (int k = 0; k < count; k++) {
            double *w = a->W + (size_t)k * length;
            memset(w, 0, length * sizeof *w);
            memcpy(w, a->X + (size_t)k * n, n * sizeof *w);
        }
        if (from == 0 && a->pairs) {
            GOS_TRY(find_scale(a, a->W));
        }
        const int left = target - gos__space_largest(space);
        GOS_TRY(append(a, count, target, space));
        *complete = left >= count;
    }
    return GOS_OK;
}

static gos_status later_blocks(arnoldi *a, int target, gos_space *space, int *blocks) {
    for (int from = 0; from < a->count;) {
        const int to = a->count;
        for (int k = from; k < to;) {
            const int left = target - gos__space_largest(space);
            int count = to - k < BLOCK ? to - k : BLOCK;
            count = count < left ? count : left;
            if (left <= 0) {
                return GOS_OK;
            }
            GOS_TRY(advance(a, k, count));
            GOS_TRY(append(a, count, target, space));
            k += count;
        }
        ++*blocks;
        from = to;
    }
    return GOS_OK;
}

gos_status gos__krylov_real(gos_reduce_pencil *p, double s0, bool transposed, int count,
                            gos_space *space, int *blocks) {
    const int nb = transposed ? p->ny : p->nu, target = gos__space_largest(space) + count;
    const bool even = p->A[1].nnz == 0 && s0 == 0;
    arnoldi a = {.p = p, .s0 = s0, .scale = 1, .n = p->n, .power = even ? 2 : 1};
    a.pairs = !even && p->A[2].nnz > 0;
    a.length = a.pairs ? 2 * p->n : p->n;
    const size_t n = (size_t)p->n;
    a.W = gos__alloc(p->ctx, (size_t)a.length * BLOCK + 1, sizeof *a.W);
    a.X = gos__alloc(p->ctx, n * 2 * BLOCK + 1, sizeof *a.X);
    a.Y = gos__alloc(p->ctx, n * 2 * BLOCK + 1, sizeof *a.Y);
    a.panel = gos__alloc(p->ctx, n * 8 + 1, sizeof *a.panel);
    gos_status status = a.W && a.X && a.Y && a.panel ? GOS_OK : GOS_E_MEMORY;
    bool complete = false;
    *blocks = 0;
    status = status == GOS_OK
                 ? first_block(&a, nb, transposed ? p->Y[0] : p->B, target, space, &complete)
                 : status;
    if (status == GOS_OK && complete) {
        *blocks = 1;
        status = later_blocks(&a, target, space, blocks);
    }
    double *const list[] = {a.Q, a.W, a.X, a.Y, a.panel, a.H};
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos__free(p->ctx, list[i]);
    }
    return status;
}
