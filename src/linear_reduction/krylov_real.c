/* Arnoldi process of krylov.c for large symmetric models at a real point, in real arithmetic and
   blocks. Pairs are stored as coordinates in the space, so long vectors are orthogonalised only
   once (Lu, Su, Bai, SIAM J. Matrix Anal. Appl. 37 (2016) 195). */
#include "linear_reduction/krylov.h"

#include <cblas.h>
#include <math.h>

#define BLOCK GOS_PENCIL_BLOCK
#define DEFLATE 1e-10        // relative norm of a dependent vector
#define ROUNDING_FACTOR 1e-4 // times DEFLATE: round-off relative to the largest part of a field
#define REORTHOGONALISE 0.1  // ratio of norms below which reorthogonalisation is required

typedef struct arnoldi {
    gos_reduce_pencil *p;
    gos_space *space;
    double s0, scale; // scale of s - s0, which equilibrates the halves of a pair
    bool pairs;
    int power;                   // single vectors: power of s of the recursion matrix
    int n;                       // unknowns
    int max;                     // largest number of vectors of a field
    int half, length;            // number of coordinates of x (most per field), of a vector
    int count, room;             // orthonormal vectors
    double *Q;                   // coordinates (length, room)
    double *W;                   // new vectors (n, BLOCK)
    double *T;                   // their coordinates (length, BLOCK)
    double *X, *Y;               // scratch (n, BLOCK)
    double *panel;               // scratch (n, 8)
    double *H;                   // scratch (most, BLOCK)
    double largest[GOS_NFIELDS]; // largest part of each field so far
} arnoldi;

/* Z (n, count) := vectors with coordinates T from row `from` */
static void expand(const arnoldi *a, int from, int count, const double *T, double *Z) {
    const gos_space *s = a->space;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const int rows = gos__space_rows(s, f);
        double *to = Z + s->start[f];
        for (long k = 0; k < count && s->count[f] == 0; k++) {
            memset(to + k * a->n, 0, rows * sizeof *to);
        }
        if (rows > 0 && s->count[f] > 0) {
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, count, s->count[f], 1,
                        s->v[f], rows, T + from + f * a->max, a->length, 0, to, a->n);
        }
    }
}

static gos_status advance(arnoldi *a, long first, int count) {
    const gos_reduce_pencil *p = a->p;
    const size_t n = a->n, size = n * count;
    const double *Q = a->Q + first * a->length;
    expand(a, 0, count, Q, a->X);
    if (!a->pairs) {
        gos__sparse_apply_symmetric(&p->A[a->power], count, a->X, a->W, a->panel);
        cblas_dscal((int)size, -1, a->W, 1);
    } else { // -f (D u + M (2 s0 u + f v))
        const double f = a->scale;
        expand(a, a->half, count, Q, a->Y);
        cblas_dscal((int)size, f, a->Y, 1);
        cblas_daxpy((int)size, 2 * a->s0, a->X, 1, a->Y, 1);
        gos__sparse_apply_symmetric(&p->A[2], count, a->Y, a->W, a->panel);
        if (p->A[1].nnz > 0) {
            gos__sparse_apply_symmetric(&p->A[1], count, a->X, a->Y, a->panel);
            cblas_daxpy((int)size, 1, a->Y, 1, a->W, 1);
        }
        cblas_dscal((int)size, -f, a->W, 1);
    }
    memset(a->T, 0, (size_t)a->length * BLOCK * sizeof *a->T);
    for (long k = 0; k < count && a->pairs; k++) {
        memcpy(a->T + k * a->length + a->half, Q + k * a->length, a->half * sizeof *Q);
    }
    return gos__reduce_pencil_solve_real(a->p, count, a->W);
}

/* coefficients of columns W (n, count) into T */
static void take_out(arnoldi *a, int count, double *W, double *T) {
    const gos_space *s = a->space;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const int rows = gos__space_rows(s, f), r = s->count[f];
        if (rows == 0 || r == 0) {
            continue;
        }
        double *part = W + s->start[f];
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, r, count, rows, 1, s->v[f], rows, part,
                    a->n, 0, a->H, r);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, count, r, -1, s->v[f], rows,
                    a->H, r, 1, part, a->n);
        for (long k = 0; k < count; k++) {
            cblas_daxpy(r, 1, a->H + k * r, 1, T + k * a->length + f * a->max, 1);
        }
    }
}

/* twice, against vectors of a field from `first` on */
static void take_out_new(arnoldi *a, int f, int first, double *w, double *t) {
    const gos_space *s = a->space;
    const int rows = gos__space_rows(s, f);
    for (int pass = 0; pass < 2; pass++) {
        for (long j = first; j < s->count[f]; j++) {
            const double *v = s->v[f] + j * rows;
            const double h = cblas_ddot(rows, v, 1, w, 1);
            cblas_daxpy(rows, -h, v, 1, w, 1);
            t[f * a->max + j] += h;
        }
    }
}

/* Normalise the part of w in a field and append it unless it is round-off; size: norm before
   orthogonalisation. */
static gos_status extend(arnoldi *a, int f, double size, const double *w, double *t, bool *grown) {
    gos_space *s = a->space;
    const int rows = gos__space_rows(s, f), count = s->count[f];
    a->largest[f] = fmax(a->largest[f], size);
    const double left = cblas_dnrm2(rows, w, 1);
    if (!(left > DEFLATE * fmax(size, ROUNDING_FACTOR * a->largest[f])) || count >= s->max[f]) {
        return GOS_OK;
    }
    GOS_TRY(gos__space_put(s, f, w));
    cblas_dscal(rows, 1 / left, s->v[f] + (size_t)count * rows, 1);
    t[f * a->max + count] = left;
    *grown = true;
    return GOS_OK;
}

static gos_status keep(arnoldi *a, double *t, bool *kept) {
    const double before = cblas_dnrm2(a->length, t, 1);
    void *Q = a->Q;
    GOS_TRY(gos__grow(a->p->ctx, &Q, &a->room, a->count + 1, a->length * sizeof *a->Q));
    a->Q = Q;
    for (int pass = 0; pass < 2; pass++) {
        for (long j = 0; j < a->count; j++) {
            const double *q = a->Q + j * a->length;
            cblas_daxpy(a->length, -cblas_ddot(a->length, q, 1, t, 1), q, 1, t, 1);
        }
    }
    const double after = cblas_dnrm2(a->length, t, 1);
    *kept = after > DEFLATE * before;
    if (*kept) {
        cblas_dscal(a->length, 1 / after, t, 1);
        memcpy(a->Q + (size_t)a->count * a->length, t, a->length * sizeof *t);
        a->count++;
    }
    return GOS_OK;
}

/* Columns are orthogonal to the first `old` vectors. */
static gos_status append_one(arnoldi *a, long k, const double *size, const int *old) {
    double *w = a->W + k * a->n, *t = a->T + k * a->length;
    gos_space *s = a->space;
    bool lost = false, grown = false, kept, any = false;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const int rows = gos__space_rows(s, f);
        if (rows > 0) {
            double *part = w + s->start[f];
            const double own = cblas_dnrm2(rows, part, 1);
            take_out_new(a, f, old[f], part, t);
            const double left = cblas_dnrm2(rows, part, 1);
            lost = lost || (left < REORTHOGONALISE * own && left > DEFLATE * size[f]);
            any = any || size[f] > 0;
        }
    }
    if (lost) {
        take_out(a, 1, w, t);
        GOS_TRY(gos__reduce_pencil_constrain(a->p, 1, w));
        take_out(a, 1, w, t);
    }
    for (int f = 0; f < GOS_NFIELDS; f++) {
        if (gos__space_rows(s, f) > 0 && size[f] > 0) {
            GOS_TRY(extend(a, f, size[f], w + s->start[f], t, &grown));
        }
    }
    GOS_TRY(keep(a, t, &kept));
    s->dropped += any && !(kept && grown);
    return GOS_OK;
}

static gos_status append(arnoldi *a, int count, int target) {
    double size[BLOCK][GOS_NFIELDS];
    int old[GOS_NFIELDS];
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const int rows = gos__space_rows(a->space, f);
        old[f] = a->space->count[f];
        for (long k = 0; k < count; k++) {
            const double *part = a->W + k * a->n + a->space->start[f];
            size[k][f] = rows > 0 ? cblas_dnrm2(rows, part, 1) : 0;
            if (!isfinite(size[k][f])) {
                return gos__fail(a->p->ctx, GOS_E_NONFINITE, "a Krylov vector is not finite");
            }
        }
    }
    take_out(a, count, a->W, a->T);
    GOS_TRY(gos__reduce_pencil_constrain(a->p, count, a->W));
    take_out(a, count, a->W, a->T);
    for (int k = 0; k < count && gos__space_largest(a->space) < target; k++) {
        GOS_TRY(append_one(a, k, size[k], old));
    }
    return GOS_OK;
}

/* typical |s - s0|: |x0| / |x1|, or sqrt(|x0| / |P^-1 M x0|) */
static gos_status find_scale(arnoldi *a, const double *x0) {
    const size_t n = a->n;
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

/* R (n, *count): orthonormal basis of B (n, nb). Solutions of dependent columns would differ by
   solver errors above the threshold. */
static void independent(arnoldi *a, int nb, const double *B, double *R, int *count) {
    const size_t n = a->n;
    *count = 0;
    for (int c = 0; c < nb; c++) {
        double *r = R + *count * n;
        memcpy(r, B + c * n, n * sizeof *r);
        const double before = cblas_dnrm2(a->n, r, 1);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < *count; j++) {
                const double *q = R + j * n;
                cblas_daxpy(a->n, -cblas_ddot(a->n, q, 1, r, 1), q, 1, r, 1);
            }
        }
        const double after = cblas_dnrm2(a->n, r, 1);
        if (after > DEFLATE * before) {
            cblas_dscal(a->n, 1 / after, r, 1);
            ++*count;
        } else {
            a->space->dropped += before > 0;
        }
    }
}

/* first block from right-hand sides R (n, nb); *complete: all of it was needed */
static gos_status first_block(arnoldi *a, int nb, const double *R, int target, bool *complete) {
    const size_t n = a->n;
    *complete = false;
    for (int from = 0; from < nb; from += BLOCK) {
        const int count = nb - from < BLOCK ? nb - from : BLOCK;
        const int left = target - gos__space_largest(a->space);
        if (left <= 0) {
            *complete = false;
            return GOS_OK;
        }
        memcpy(a->W, R + from * n, n * count * sizeof *R);
        GOS_TRY(gos__reduce_pencil_solve_real(a->p, count, a->W));
        if (from == 0 && a->pairs) {
            GOS_TRY(find_scale(a, a->W));
        }
        memset(a->T, 0, (size_t)a->length * BLOCK * sizeof *a->T);
        GOS_TRY(append(a, count, target));
        *complete = left >= count;
    }
    return GOS_OK;
}

static gos_status later_blocks(arnoldi *a, int target, int *blocks) {
    for (int from = 0; from < a->count;) {
        const int to = a->count;
        for (int k = from; k < to;) {
            const int left = target - gos__space_largest(a->space);
            int count = to - k < BLOCK ? to - k : BLOCK;
            count = count < left ? count : left;
            if (left <= 0) {
                return GOS_OK;
            }
            GOS_TRY(advance(a, k, count));
            GOS_TRY(append(a, count, target));
            k += count;
        }
        ++*blocks;
        from = to;
    }
    return GOS_OK;
}

static gos_status run(arnoldi *a, int nb, const double *B, int target, int *blocks) {
    gos_reduce_pencil *p = a->p;
    const size_t n = p->n;
    double *R = gos__alloc(p->ctx, n * nb + 1, sizeof *R);
    a->W = gos__alloc(p->ctx, n * BLOCK + 1, sizeof *a->W);
    a->X = gos__alloc(p->ctx, n * BLOCK + 1, sizeof *a->X);
    a->Y = gos__alloc(p->ctx, n * BLOCK + 1, sizeof *a->Y);
    a->panel = gos__alloc(p->ctx, n * 8 + 1, sizeof *a->panel);
    a->T = gos__zalloc(p->ctx, (size_t)a->length * BLOCK + 1, sizeof *a->T);
    a->H = gos__alloc(p->ctx, (size_t)a->max * BLOCK + 1, sizeof *a->H);
    gos_status status =
        R && a->W && a->X && a->Y && a->panel && a->T && a->H ? GOS_OK : GOS_E_MEMORY;
    bool complete = false;
    if (status == GOS_OK) {
        independent(a, nb, B, R, &nb);
        status = first_block(a, nb, R, target, &complete);
    }
    if (status == GOS_OK && complete) {
        *blocks = 1;
        status = later_blocks(a, target, blocks);
    }
    double *const list[] = {R, a->Q, a->W, a->X, a->Y, a->panel, a->T, a->H};
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos__free(p->ctx, list[i]);
    }
    return status;
}

gos_status gos__krylov_real(gos_reduce_pencil *p, double s0, bool transposed, int count,
                            gos_space *space, int *blocks) {
    const int target = gos__space_largest(space) + count;
    const bool even = p->A[1].nnz == 0 && s0 == 0;
    arnoldi a = {.p = p, .space = space, .s0 = s0, .scale = 1, .n = p->n, .power = even ? 2 : 1};
    a.pairs = !even && p->A[2].nnz > 0;
    a.max = target; // the last accepted column fills the largest field
    a.half = GOS_NFIELDS * a.max;
    a.length = a.pairs ? 2 * a.half : a.half;
    *blocks = 0;
    return run(&a, transposed ? p->ny : p->nu, transposed ? p->Y[0] : p->B, target, blocks);
}
