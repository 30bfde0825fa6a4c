/* Orthogonalisation in the strain energy: responses to temperatures and modes differ by orders
   of magnitude and may be dependent. */
#include "linear_reduction/energy.h"

#include <math.h>

#include "base/base.h"
#include "linalg/dense.h"

#define MIN_NORM 1e-8      // smallest relative norm of an independent column
#define RIGID_ENERGY 1e-15 // relative strain energy below which a column is rigid

typedef struct columns {
    gos_ctx *ctx;
    const gos_linear *l;
    double *X, *AX; // columns; K or M times them
    double stiffest;
    bool *rigid; // normed by mass instead of stiffness
} columns;

/* AX_j := A x_j; returns the norm of x_j */
static double weigh(const columns *c, int j) {
    const gos_linear *l = c->l;
    const double *x = c->X + (size_t)j * (size_t)l->nq;
    double *ax = c->AX + (size_t)j * (size_t)l->nq;
    gos__sparse_apply(c->rigid[j] ? &l->M : &l->K, 1, x, ax);
    return sqrt(fmax(0, gos__dense_dot(l->nq, x, ax)));
}

static void scale(const columns *c, int j, double factor) {
    for (int i = 0; i < c->l->nq; i++) {
        c->X[(size_t)j * (size_t)c->l->nq + (size_t)i] *= factor;
        c->AX[(size_t)j * (size_t)c->l->nq + (size_t)i] *= factor;
    }
}

static void take(const columns *c, int k, int j) {
    const int n = c->l->nq;
    double *x = c->X + (size_t)j * (size_t)n;
    const double share = gos__dense_dot(n, c->AX + (size_t)k * (size_t)n, x);
    for (int i = 0; i < n; i++) {
        x[i] -= share * c->X[(size_t)k * (size_t)n + (size_t)i];
    }
}

static double reduce_column(const columns *c, int j, const double *left) {
    const int n = c->l->nq;
    const double *x = c->X + (size_t)j * (size_t)n;
    const double square = gos__dense_dot(n, x, x);
    double norm = weigh(c, j);
    if (norm * norm <= RIGID_ENERGY * c->stiffest * square) {
        c->rigid[j] = true;
        norm = weigh(c, j);
    }
    if (!(norm > 0)) {
        return 0;
    }
    scale(c, j, 1 / norm);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < j; k++) {
            if (left[k] > 0 && c->rigid[k] == c->rigid[j]) {
                take(c, k, j);
            }
        }
    }
    norm = weigh(c, j);
    if (norm > MIN_NORM) {
        scale(c, j, 1 / norm);
    }
    return norm;
}

gos_status gos__energy_independent(gos_ctx *ctx, const gos_linear *l, int n, int n_first,
                                   const char *const what[2], double *X, double *left) {
    columns c = {.ctx = ctx, .l = l, .X = X, .stiffest = gos__sparse_largest(&l->K)};
    c.AX = gos__alloc(ctx, (size_t)n * (size_t)l->nq + 1, sizeof *c.AX);
    c.rigid = gos__zalloc(ctx, (size_t)n + 1, sizeof *c.rigid);
    const gos_status status = c.AX && c.rigid ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < n && status == GOS_OK; j++) {
        left[j] = reduce_column(&c, j, left);
        if (!(left[j] > MIN_NORM)) {
            char text[200];
            gos__format(
                text, sizeof text,
                "%s %d is dropped as linearly dependent: only %.2g of its norm is independent of "
                "previous vectors",
                what[j >= n_first], 1 + (j < n_first ? j : j - n_first), left[j]);
            gos__note(ctx, NULL, text);
            left[j] = 0;
        }
    }
    gos__free(ctx, c.AX);
    gos__free(ctx, c.rigid);
    return status;
}
