/* Second-order Krylov spaces (theory 3.2) by an Arnoldi process on pairs (x_i, x_(i-1)), since
   x_i alone does not determine the next vector with damping or a shift. Upper halves span the
   x_i. Single vectors suffice without D at s0 = 0 (two moments each) and for first order (one).
   A constant third part represents velocity outputs. */
#include <cblas.h>
#include <complex.h>
#include <math.h>

#include "linear_reduction/reduce.h"

#define DEFLATE 1e-10 // relative norm of a dependent vector
#define BLOCK GOS_PENCIL_BLOCK
#define ROUNDING_FACTOR 1e-4 // times DEFLATE: round-off relative to the largest part of a field

typedef struct arnoldi {
    gos_reduce_pencil *p;
    gos_complex s0;
    bool transposed, pairs;
    int nb;                      // columns of the right-hand side
    int n, length;               // number of unknowns; vector length (pair and constant)
    int power;                   // single vectors: power of s of the recursion matrix
    double scale;                // scale of s - s0, which equilibrates the halves of a pair
    gos_complex *R;              // P^-1 times the second right-hand side (n, nb); NULL: zero
    int count, cap;              // orthonormal vectors, capacity
    gos_complex *Q;              // (length, count)
    gos_complex *w, *next;       // (length), block (n, BLOCK)
    double largest[GOS_NFIELDS]; // largest part of each field so far
} arnoldi;

/* b := -(D + 2 s0 M) u a - M v b */
static void source(const arnoldi *a, const gos_complex *u, const gos_complex *v, gos_complex *b) {
    memset(b, 0, a->n * sizeof *b);
    gos__reduce_pencil_add(a->p, 1, a->transposed, -a->scale, u, b);
    gos__reduce_pencil_add(a->p, 2, a->transposed, -2 * a->s0 * a->scale, u, b);
    gos__reduce_pencil_add(a->p, 2, a->transposed, -a->scale * a->scale, v, b);
}

/* next := upper halves of the successors of Q[first, first + count), without velocity outputs */
static gos_status solve_next(const arnoldi *a, int first, int count) {
    const size_t n = a->n;
    for (long k = 0; k < count; k++) {
        const gos_complex *q = a->Q + (first + k) * a->length;
        gos_complex *w = a->next + k * n;
        if (a->pairs) {
            source(a, q, q + n, w);
        } else {
            memset(w, 0, n * sizeof *w);
            gos__reduce_pencil_add(a->p, a->power, a->transposed, -1, q, w);
        }
    }
    return gos__reduce_pencil_solve(a->p, a->transposed, count, a->next);
}

/* w := successor of q, with upper half x apart from the constant part */
static void advance(const arnoldi *a, const gos_complex *q, const gos_complex *x, gos_complex *w) {
    const size_t n = a->n;
    memcpy(w, x, n * sizeof *w);
    if (!a->pairs) {
        return;
    }
    memcpy(w + n, q, n * sizeof *w);
    for (int c = 0; c < a->nb && a->R; c++) {
        const gos_complex share = a->scale * q[2 * n + c];
        cblas_zaxpy(a->n, &share, a->R + c * n, 1, w, 1);
        w[2 * n + c] = 0;
    }
}

static gos_status constrain(gos_reduce_pencil *p, gos_complex *x) {
    const size_t n = p->n;
    if (p->nc == 0) {
        return GOS_OK;
    }
    double *parts = gos__alloc(p->ctx, 2 * n + 1, sizeof *parts);
    if (!parts) {
        return GOS_E_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        parts[i] = creal(x[i]);
        parts[n + i] = cimag(x[i]);
    }
    const gos_status status = gos__reduce_pencil_constrain(p, 2, parts);
    for (size_t i = 0; i < n && status == GOS_OK; i++) {
        x[i] = gos__complex(parts[i], parts[n + i]);
    }
    gos__free(p->ctx, parts);
    return status;
}

/* constrain the vectors after the first `before` per field */
static gos_status constrain_space(gos_reduce_pencil *p, gos_space *s, const int *before) {
    if (p->nc == 0) {
        return GOS_OK;
    }
    double *full = gos__alloc(p->ctx, p->n + 1L, sizeof *full);
    gos_status status = full ? GOS_OK : GOS_E_MEMORY;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const size_t rows = gos__space_rows(s, f);
        for (int k = before[f]; k < s->count[f] && status == GOS_OK; k++) {
            double *v = s->v[f] + k * rows;
            memset(full, 0, p->n * sizeof *full);
            memcpy(full + s->start[f], v, rows * sizeof *v);
            status = gos__reduce_pencil_constrain(p, 1, full);
            memcpy(v, full + s->start[f], rows * sizeof *v);
        }
    }
    gos__free(p->ctx, full);
    return status;
}

/* h (count): scratch */
static void take_out(const arnoldi *a, gos_complex *h) {
    const gos_complex one = 1, minus = -1, zero = 0;
    if (a->count > 0) {
        cblas_zgemv(CblasColMajor, CblasConjTrans, a->length, a->count, &one, a->Q, a->length, a->w,
                    1, &zero, h, 1);
        cblas_zgemv(CblasColMajor, CblasNoTrans, a->length, a->count, &minus, a->Q, a->length, h, 1,
                    &one, a->w, 1);
    }
}

/* Orthonormalise w, append it (*kept) and its upper half to the space. */
static gos_status append(arnoldi *a, gos_space *space, bool *kept) {
    const double before = cblas_dznrm2(a->length, a->w, 1);
    *kept = false;
    if (!isfinite(before)) {
        return gos__fail(a->p->ctx, GOS_E_NONFINITE, "a Krylov vector is not finite");
    }
    void *Q = a->Q;
    GOS_TRY(gos__grow(a->p->ctx, &Q, &a->cap, a->count + 2, a->length * sizeof *a->Q));
    a->Q = Q;
    gos_complex *h = gos__alloc(a->p->ctx, a->count + 1L, sizeof *h);
    if (!h) {
        return GOS_E_MEMORY;
    }
    take_out(a, h);
    gos_status status = constrain(a->p, a->w);
    status = status == GOS_OK && a->pairs ? constrain(a->p, a->w + a->n) : status;
    take_out(a, h);
    gos__free(a->p->ctx, h);
    GOS_TRY(status);
    const double after = cblas_dznrm2(a->length, a->w, 1);
    if (!(after > DEFLATE * before)) {
        space->dropped += before > 0;
        return GOS_OK;
    }
    cblas_zdscal(a->length, 1 / after, a->w, 1);
    memcpy(a->Q + (size_t)a->count * a->length, a->w, a->length * sizeof *a->w);
    a->count++;
    *kept = true;
    // cancellation amplifies round-off
    double min_norm[GOS_NFIELDS];
    int old[GOS_NFIELDS];
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const int n = gos__space_rows(space, f);
        old[f] = space->count[f];
        a->largest[f] = fmax(a->largest[f], cblas_dznrm2(n, a->w + space->start[f], 1));
        min_norm[f] = ROUNDING_FACTOR * a->largest[f] * before / after;
    }
    GOS_TRY(gos__space_split(space, a->w, min_norm));
    return constrain_space(a->p, space, old);
}

static double length_of(const gos_complex *x, size_t n) {
    return cblas_dznrm2((int)n, x, 1);
}

/* scale := typical |s - s0|: |x0| / |x1|, or sqrt(|x0| / |P^-1 M x0|) */
static gos_status typical(arnoldi *a, const gos_complex *x0) {
    const size_t n = a->n;
    double scale = 0;
    a->scale = 1;
    for (int part = 0; part < 2; part++) {
        memset(a->w, 0, n * sizeof *a->w);
        gos__reduce_pencil_add(a->p, 2, a->transposed, part ? 2 * a->s0 : 1, x0, a->w);
        if (part) {
            gos__reduce_pencil_add(a->p, 1, a->transposed, 1, x0, a->w);
        }
        GOS_TRY(gos__reduce_pencil_solve(a->p, a->transposed, 1, a->w));
        const double ratio = length_of(x0, n) / length_of(a->w, n);
        const double value = part ? ratio : sqrt(ratio);
        scale = isfinite(value) && (scale == 0 || value < scale) ? value : scale;
    }
    a->scale = scale > 0 ? scale : 1;
    return GOS_OK;
}

static gos_status begin(arnoldi *a, gos_complex *X0) {
    gos_reduce_pencil *p = a->p;
    const size_t n = a->n, size = n * a->nb;
    a->R = gos__alloc(p->ctx, size + 1, sizeof *a->R);
    a->w = gos__zalloc(p->ctx, 2 * n + a->nb + 1, sizeof *a->w);
    a->next = gos__alloc(p->ctx, BLOCK * n + 1, sizeof *a->next);
    if (!a->R || !a->w || !a->next) {
        return GOS_E_MEMORY;
    }
    gos__reduce_pencil_rhs(p, a->transposed, a->s0, 0, X0);
    gos__reduce_pencil_rhs(p, a->transposed, a->s0, 1, a->R);
    const bool second = length_of(a->R, size) > 0;
    GOS_TRY(gos__reduce_pencil_solve(p, a->transposed, a->nb, X0));
    const bool even = p->A[1].nnz == 0 && a->s0 == 0;
    a->pairs = !even && (p->A[2].nnz > 0 || second);
    a->power = even ? 2 : 1;
    a->length = a->pairs ? 2 * a->n + a->nb : a->n;
    if (second) {
        GOS_TRY(gos__reduce_pencil_solve(p, a->transposed, a->nb, a->R));
    } else {
        gos__free(p->ctx, a->R);
        a->R = NULL;
    }
    for (int c = 0; c < a->nb && a->pairs; c++) {
        if (length_of(X0 + c * n, n) > 0) {
            GOS_TRY(typical(a, X0 + c * n));
            break;
        }
    }
    return GOS_OK;
}

/* First block. Without damping both terms of an output start a separate sequence. */
static gos_status first_block(arnoldi *a, const gos_complex *X0, int target, gos_space *space,
                              bool *complete) {
    const size_t n = a->n;
    double size = 0;
    for (int c = 0; c < a->nb; c++) {
        size = fmax(size, length_of(X0 + c * n, n));
    }
    const int starts = a->R && !a->pairs ? 2 : 1;
    for (int c = 0; c < starts * a->nb; c++) {
        if (gos__space_largest(space) >= target) {
            *complete = false;
            return GOS_OK;
        }
        memset(a->w, 0, a->length * sizeof *a->w);
        memcpy(a->w, (c < a->nb ? X0 + c * n : a->R + (c - a->nb) * n), n * sizeof *a->w);
        if (a->pairs && a->R) {
            a->w[2 * n + c] = size > 0 ? size : 1;
        }
        bool kept;
        GOS_TRY(append(a, space, &kept));
    }
    *complete = true;
    if (a->pairs && a->R) {
        cblas_zdscal(a->n * a->nb, 1 / (size > 0 ? size : 1), a->R, 1);
    }
    return GOS_OK;
}

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static gos_status later_blocks(arnoldi *a, int target, gos_space *space, int *blocks) {
    int from = 0;
    while (from < a->count) {
        const int to = a->count;
        int first = from, ready = from; // `next` holds the successors of [first, ready)
        for (int k = from; k < to; k++) {
            const int left = target - gos__space_largest(space);
            if (left <= 0) {
                return GOS_OK;
            }
            if (k == ready) { // block size limited by the need; complex vectors count twice
                const int requested = min_int(BLOCK, cimag(a->s0) != 0 ? (left + 1) / 2 : left);
                first = k;
                ready = k + min_int(requested, to - k);
                GOS_TRY(solve_next(a, first, ready - first));
            }
            bool kept;
            advance(a, a->Q + (size_t)k * a->length, a->next + (size_t)(k - first) * a->n, a->w);
            GOS_TRY(append(a, space, &kept));
        }
        ++*blocks;
        from = to;
    }
    return GOS_OK;
}

static bool one_term(const gos_reduce_pencil *p) {
    for (size_t i = 0; i < (size_t)p->n * p->ny; i++) {
        if (p->Y[1][i] != 0) {
            return false;
        }
    }
    return true;
}

gos_status gos__krylov_vectors(gos_reduce_pencil *p, gos_complex s0, bool transposed, int count,
                               gos_space *space, int *blocks) {
    const int target = gos__space_largest(space) + count;
    GOS_TRY(gos__reduce_pencil_factor(p, s0));
    if (p->real && cimag(s0) == 0 && (!transposed || one_term(p))) {
        return gos__krylov_real(p, creal(s0), transposed, count, space, blocks);
    }
    arnoldi a = {.p = p, .s0 = s0, .transposed = transposed, .n = p->n, .scale = 1};
    a.nb = transposed ? p->ny : p->nu;
    *blocks = 0;
    gos_complex *X0 = gos__alloc(p->ctx, (size_t)a.n * a.nb + 1, sizeof *X0);
    gos_status status = X0 ? begin(&a, X0) : GOS_E_MEMORY;
    bool complete = false;
    status = status == GOS_OK ? first_block(&a, X0, target, space, &complete) : status;
    if (status == GOS_OK && complete) {
        *blocks = 1;
        status = later_blocks(&a, target, space, blocks);
    }
    gos__free(p->ctx, X0);
    gos__free(p->ctx, a.R);
    gos__free(p->ctx, a.Q);
    gos__free(p->ctx, a.w);
    gos__free(p->ctx, a.next);
    return status;
}
