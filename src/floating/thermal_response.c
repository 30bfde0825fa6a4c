/* Basis V, response modes X, V^T K X = 0, X^T K X diagonal:
   V^T M V z'' + V^T M X y'' + ... + V^T K V z = V^T f,
   X^T M V z'' + X^T M X y'' + ... + X^T K X y = X^T f.
   The inertia of y, of order (rate of temperatures / frequency)^2, is neglected. V contains
   deflections s, K s = g, under joint, applied and inertia loads, so g^T X = s^T K X = 0: X does
   not move attachment points and has no momentum to first order. Its amplitudes are locked at 0;
   outputs use y = - (X^T K X)^-1 X^T G theta. */
#include "floating/thermal_response.h"

#include <math.h>

#include "floating/floating.h"
#include "bodies/body.h"
#include "linalg/dense.h"
#include "linear/response_modes.h"
#include "linear_reduction/energy.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

/* remaining ones first, scaled by root mean square over the mass */
static void keep(const gos_linear *l, double total, int s, const double *left, double *X, int *n) {
    const size_t rows = (size_t)l->nq;
    double *Mx = X + (size_t)s * rows;
    *n = 0;
    for (int j = 0; j < s; j++) {
        double *to = X + (size_t)*n * rows;
        if (!(left[j] > 0)) {
            continue;
        }
        memmove(to, X + (size_t)j * rows, rows * sizeof *X);
        gos__sparse_apply(&l->M, 1, to, Mx);
        const double size = sqrt(total / gos__dense_dot(l->nq, to, Mx));
        for (size_t i = 0; i < rows; i++) {
            to[i] *= size;
        }
        ++*n;
    }
}

gos_status gos__floating_dependent_shapes(gos_ctx *ctx, const gos_flex *f, int count,
                                          const double *V, int s, const double *W, double *T,
                                          int *n) {
    static const char *const what[] = {"moving shape", "response mode"};
    const size_t rows = (size_t)f->n, columns = (size_t)count + (size_t)s;
    gos_linear *l = NULL;
    double *X = gos__alloc(ctx, rows * (columns + 1), sizeof *X);
    double *left = gos__zalloc(ctx, columns + 1, sizeof *left);
    gos_status status = X && left ? gos__flex_linear(f, 0, NULL, 0, NULL, &l) : GOS_E_MEMORY;
    const size_t moving = rows * (size_t)count;
    if (status == GOS_OK && moving > 0) { // V may be NULL
        memcpy(X, V, moving * sizeof *X);
        memcpy(T, V, moving * sizeof *T);
    }
    if (status == GOS_OK) {
        status = gos__linear_response_modes(ctx, l, s, W, X + moving);
    }
    status = status == GOS_OK ? gos__energy_independent(ctx, l, count + s, count, what, X, left)
                              : status;
    if (status == GOS_OK) {
        keep(l, f->gram.x[0], s, left + count, X + moving, n);
        memcpy(T + moving, X + moving, rows * (size_t)*n * sizeof *T);
    }
    gos_linear_destroy(l);
    gos__free(ctx, X);
    gos__free(ctx, left);
    return status;
}

/* ---- in the body ----------------------------------------------------------------------------- */

static double entry(const gos_sparse *A, int i, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

/* amplitude k per 1 K of coordinate t */
static double slope(const gos_flex *f, int k, int t) {
    return -entry(&f->heat.G, k, t) / entry(&f->K, k, k);
}

/* -T_ref G^T y': C theta' + ... = T_ref G^T y' */
static gos_status add_capacity(gos_flex *f) {
    gos_flex_heat *h = &f->heat;
    const size_t n = (size_t)h->n;
    gos_sparse more = {0}, sum = {0};
    double *C = gos__zalloc(f->ctx, n * n + 1, sizeof *C);
    GOS_TRY(C ? GOS_OK : GOS_E_MEMORY);
    for (int k = f->n - f->dependent; k < f->n; k++) {
        for (int t = 0; t < h->n; t++) {
            for (int s = 0; s < h->n; s++) {
                C[(size_t)s + (size_t)t * n] -= h->T_ref * entry(&h->G, k, s) * slope(f, k, t);
            }
        }
    }
    gos_status status = gos__sparse_from_dense(f->ctx, h->n, h->n, C, &more);
    status = status == GOS_OK ? gos__sparse_sum(f->ctx, 1, &h->C, 1, &more, &sum) : status;
    if (status == GOS_OK) {
        gos__sparse_free(f->ctx, &h->C);
        h->C = sum;
    }
    gos__sparse_free(f->ctx, &more);
    gos__free(f->ctx, C);
    return status;
}

gos_status gos__floating_make_dependent(gos_flex *f, int n) {
    f->dependent = n;
    return n > 0 && f->heat.T_ref > 0 ? add_capacity(f) : GOS_OK;
}

/* ---- in the system --------------------------------------------------------------------------- */

static void eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it); // no force
    GOS_UNUSED(io);
}

static const gos_item_type dependent_type = {.name = "quasi-static responses", .eval = eval};

gos_status gos__floating_add_dependent(gos_builder *b, const gos_floating_body *f, int t0,
                                       const char *object, gos_loc loc) {
    const gos_flex *flex = f->flex;
    const int n = flex->dependent, nt = flex->heat.n, first = flex->n - n;
    int *at = GOS_NEW(b->arena, int, nt + 1);
    double *w = GOS_NEW(b->arena, double, nt + 1);
    const double *memory = GOS_NEW(b->arena, double, 3 * n + 1);
    gos_tmarker *to = GOS_NEW(b->arena, gos_tmarker, n + 1);
    GOS_TRY(at && w && memory && to ? GOS_OK : GOS_E_MEMORY);
    for (int t = 0; t < nt; t++) {
        at[t] = t0 + t;
    }
    for (int k = 0; k < n; k++) {
        for (int t = 0; t < nt; t++) {
            w[t] = slope(flex, first + k, t);
        }
        GOS_TRY(gos__tmarker_make(b->arena, nt, at, w, &to[k]));
        GOS_TRY(gos__hold_component(b, loc, object, f->derived->z[first + k]));
    }
    const gos_item item = {.type = &dependent_type,
                           .name = object,
                           .loc = loc,
                           .watches = true,
                           .ndependent = n,
                           .dependent = f->derived->z + first,
                           .dependent_on = to,
                           .nmem = 3 * n,
                           .memory = memory};
    return n > 0 ? gos__add_item(b, &item, NULL) : GOS_OK;
}
