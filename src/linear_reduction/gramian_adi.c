/* Low-rank ADI for Gramians of large models, with conjugate shift pairs in real arithmetic
   (Benner, Kuerschner, Saak, 2013). Shifts are Ritz values of the latest columns. */
#include <cblas.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "base/duration.h"
#include "linalg/dense.h"
#include "linear_reduction/gramian.h"
#include "linear_reduction/krylov.h"

#define RESIDUAL 1e-11   // relative residual |W| / |B|
#define NEGLIGIBLE 1e-15 // squared share of the last cycle's columns at convergence
#define MAX_COLUMNS 3000 // largest number of columns of a factor
#define TYPICAL_STEPS 60 // typical number of steps per side
#define MAX_SHIFTS 16    // largest number of shifts from one set of columns

typedef struct adi {
    gos_reduce_pencil *p;
    bool transposed;
    int m;          // columns of W
    double *W;      // (n, m)
    gos_complex *X; // (n, m)
    double *y, *z;  // (n) each
    double *Z;      // (n, count)
    int count, cap;
    int nshifts;
    double re[MAX_SHIFTS], im[MAX_SHIFTS]; // im >= 0
} adi;

static void apply_E(const adi *a, const double *x, double *y) {
    if (a->transposed) {
        gos__sparse_apply_transposed(&a->p->A[1], x, y);
    } else {
        gos__sparse_apply(&a->p->A[1], 1, x, y);
    }
}

/* T (r, r) = Q^T A Q */
static gos_status project(gos_ctx *ctx, const gos_sparse *A, const gos_space *s, double *T) {
    const int n = A->n, r = s->count[GOS_FIELD_T];
    double *AQ = gos__alloc(ctx, (size_t)n * r + 1, sizeof *AQ);
    if (!AQ) {
        return GOS_E_MEMORY;
    }
    gos__sparse_apply(A, r, s->v[GOS_FIELD_T], AQ);
    gos__dense_product(r, r, n, s->v[GOS_FIELD_T], AQ, T);
    gos__free(ctx, AQ);
    return GOS_OK;
}

/* stable Ritz values of the space, at most MAX_SHIFTS */
static gos_status ritz(adi *a, const gos_space *s) {
    const int r = s->count[GOS_FIELD_T];
    const size_t rr = (size_t)r * r;
    double *E = gos__zalloc(a->p->ctx, 3 * rr + 2L * r + 1, sizeof *E);
    lapack_int *pivot = gos__alloc(a->p->ctx, r + 1L, sizeof *pivot);
    gos_status status = E && pivot ? GOS_OK : GOS_E_MEMORY;
    a->nshifts = 0;
    if (status == GOS_OK) {
        double *A = E + rr, *V = A + rr, *re = V + rr, *im = re + r;
        status = project(a->p->ctx, &a->p->A[1], s, E);
        status = status == GOS_OK ? project(a->p->ctx, &a->p->A[0], s, A) : status;
        if (status == GOS_OK && LAPACKE_dgesv(LAPACK_COL_MAJOR, r, r, E, r, pivot, A, r) == 0) {
            status = gos__dense_general(a->p->ctx, r, A, re, im, V);
            for (int i = 0; i < r && status == GOS_OK && a->nshifts < MAX_SHIFTS; i++) {
                // poles of x' = -E^-1 A0 x; unstable ones are mirrored
                if (im[i] <= 0 && hypot(re[i], im[i]) > 0) {
                    const double floor = 1e-6 * hypot(re[i], im[i]);
                    a->re[a->nshifts] = -fmax(fabs(re[i]), floor);
                    a->im[a->nshifts++] = im[i] == 0 ? 0 : -im[i];
                }
            }
        }
    }
    gos__free(a->p->ctx, E);
    gos__free(a->p->ctx, pivot);
    return status;
}

/* shifts from the latest columns; initially from W and P(s)^-1 W */
static gos_status new_shifts(adi *a) {
    gos_reduce_pencil *p = a->p;
    const size_t n = p->n;
    gos_space s;
    gos__space_init(p->ctx, p->start, p->max, &s);
    gos_status status = GOS_OK;
    int take = a->count < 3 * a->m ? a->count : 3 * a->m;
    take = take > MAX_SHIFTS ? take : a->count < MAX_SHIFTS ? a->count : MAX_SHIFTS;
    for (int j = a->count - take; j < a->count && status == GOS_OK; j++) {
        memcpy(a->y, a->Z + j * n, n * sizeof *a->y);
        status = gos__space_add(&s, GOS_FIELD_T, a->y, 0);
    }
    if (a->count == 0) {
        int blocks;
        const double size = gos__sparse_largest(&p->A[0]) / gos__sparse_largest(&p->A[1]);
        status = gos__krylov_vectors(p, size > 0 ? size * 1e-3 : 1, a->transposed, MAX_SHIFTS, &s,
                                     &blocks);
    }
    status = status == GOS_OK ? ritz(a, &s) : status;
    gos__space_free(&s);
    if (status == GOS_OK && a->nshifts == 0) {
        return gos__fail(p->ctx, GOS_E_DIVERGED, "no shifts were found for the Gramians");
    }
    return status;
}

static gos_status put(adi *a, double factor, const double *x) {
    const size_t n = a->p->n;
    void *Z = a->Z;
    GOS_TRY(gos__grow(a->p->ctx, &Z, &a->cap, a->count + 1, n * sizeof(double)));
    a->Z = Z;
    for (size_t i = 0; i < n; i++) {
        a->Z[a->count * n + i] = factor * x[i];
    }
    a->count++;
    return GOS_OK;
}

static gos_status step(adi *a, double re, double im) {
    gos_reduce_pencil *p = a->p;
    const size_t n = p->n;
    GOS_TRY(gos__reduce_pencil_factor(p, gos__complex(-re, -im)));
    for (size_t k = 0; k < n * a->m; k++) {
        a->X[k] = -a->W[k];
    }
    GOS_TRY(gos__reduce_pencil_solve(p, a->transposed, a->m, a->X));
    const double root = sqrt(-re), delta = im > 0 ? re / im : 0;
    for (int c = 0; c < a->m; c++) {
        const gos_complex *x = a->X + c * n;
        for (size_t i = 0; i < n; i++) {
            a->y[i] = creal(x[i]) + delta * cimag(x[i]);
        }
        apply_E(a, a->y, a->z);
        cblas_daxpy(p->n, im > 0 ? -4 * re : -2 * re, a->z, 1, a->W + c * n, 1);
        GOS_TRY(put(a, im > 0 ? 2 * root : M_SQRT2 * root, a->y));
        if (im > 0) {
            for (size_t i = 0; i < n; i++) {
                a->y[i] = cimag(x[i]);
            }
            GOS_TRY(put(a, 2 * root * sqrt(delta * delta + 1), a->y));
        }
    }
    return GOS_OK;
}

static gos_status iterate(adi *a, int *steps) {
    const int size = a->p->n * a->m;
    const double first = cblas_dnrm2(size, a->W, 1);
    const size_t n = a->p->n;
    double total = 0;
    char text[64];
    gos__format(text, sizeof text, "balancing %d states by low-rank factors", a->p->n);
    const double start = gos__now();
    while (first > 0) {
        GOS_TRY(new_shifts(a));
        const int before = a->count;
        for (int k = 0; k < a->nshifts; k++, ++*steps) {
            GOS_TRY(step(a, a->re[k], a->im[k]));
            const double left = cblas_dnrm2(size, a->W, 1) / first;
            if (left <= RESIDUAL) {
                return GOS_OK;
            }
            if (*steps == 0) { // from the first step, for both sides
                GOS_TRY(gos__announce_duration(a->p->ctx, 2 * TYPICAL_STEPS * (gos__now() - start),
                                               text));
            }
            const double part = fmax(0, fmin(1, log(left) / log(RESIDUAL)));
            GOS_TRY(gos__progress(a->p->ctx, 0.5 * part + (a->transposed ? 0.5 : 0), text));
        }
        const double *added = a->Z + before * n;
        const double cycle = cblas_dnrm2((int)n * (a->count - before), added, 1);
        total = hypot(total, cycle);
        if (cycle * cycle <= NEGLIGIBLE * total * total) {
            return GOS_OK;
        }
        if (a->count > MAX_COLUMNS || !isfinite(total)) {
            return gos__fail(a->p->ctx, GOS_E_DIVERGED,
                             "the Gramians did not converge within %d columns, because the "
                             "damping is too low; start from modes (`candidates`), or use method "
                             "krylov or modes",
                             a->count);
        }
    }
    return GOS_OK;
}

static gos_status one_side(gos_reduce_pencil *p, bool transposed, double **Z, int *count,
                           int *steps) {
    adi a = {.p = p, .transposed = transposed, .m = transposed ? p->ny : p->nu};
    const size_t n = p->n, size = n * a.m;
    a.W = gos__alloc(p->ctx, size + 2 * n + 1, sizeof *a.W);
    a.X = gos__alloc(p->ctx, size + 1, sizeof *a.X);
    gos_status status = a.W && a.X ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        a.y = a.W + size;
        a.z = a.y + n;
        memcpy(a.W, transposed ? p->Y[0] : p->B, size * sizeof *a.W);
        status = iterate(&a, steps);
    }
    gos__free(p->ctx, a.W);
    gos__free(p->ctx, a.X);
    if (status != GOS_OK) {
        gos__free(p->ctx, a.Z);
        return status;
    }
    *Z = a.Z;
    *count = a.count;
    return GOS_OK;
}

gos_status gos__gramians_adi(gos_reduce_pencil *p, gos_gramians *g) {
    *g = (gos_gramians){.n = p->n};
    gos_status status = one_side(p, false, &g->R, &g->nr, &g->iterations);
    status = status == GOS_OK ? one_side(p, true, &g->L, &g->nl, &g->iterations) : status;
    if (status != GOS_OK) {
        gos__gramians_free(p->ctx, g);
    }
    return status;
}
