/* Errors of reduced models in the first moments after a load sets in, which the response on a band of frequencies averages
   over. The full model is run once, however many are compared with it. */
#include <math.h>

#include "linear/linear.h"
#include "linear_reduction/reduce.h"

#define POINTS 7   // of time, of each length of step
#define GROWTH 4.0 // of lengths: less than there are steps of each, so that they overlap
#define LENGTHS 60 // at most

struct gos_step_check {
    gos_ctx *ctx;
    int nu, ny, n;
    double h[LENGTHS]; // lengths of steps (n)
    bool *warm;        // outputs that show temperatures (ny)
    double *y;         // of the full model (ny, POINTS, n, nu)
};

void gos__step_check_destroy(gos_step_check *c) {
    if (c) {
        gos__free(c->ctx, c->warm);
        gos__free(c->ctx, c->y);
        gos__free(c->ctx, c);
    }
}

/* y (ny, POINTS, n, nu) of a model */
static gos_status follow(const gos_step_check *c, const gos_linear *l, double *y) {
    const size_t size = (size_t)POINTS * (size_t)c->ny;
    double *u = gos__alloc(c->ctx, POINTS * (size_t)c->nu + 1, sizeof *u);
    gos_status status = u ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < c->nu && status == GOS_OK; j++) {
        for (int k = 0; k < POINTS * c->nu; k++) {
            u[k] = k % c->nu == j;
        }
        for (int i = 0; i < c->n && status == GOS_OK; i++) {
            status = gos_linear_transient(c->ctx, l, GOS_TRANSIENT_IMPLICIT, c->h[i], POINTS, u,
                                          y + size * (size_t)(j * c->n + i));
        }
    }
    gos__free(c->ctx, u);
    return status;
}

gos_status gos__step_check_create(gos_ctx *ctx, const gos_linear *full, double first, double end,
                                  gos_step_check **check) {
    const double last = end / (POINTS - 1);
    gos_step_check *c = gos__zalloc(ctx, 1, sizeof *c);
    GOS_TRY(c ? GOS_OK : GOS_E_MEMORY);
    *c = (gos_step_check){.ctx = ctx, .nu = full->nu, .ny = full->ny};
    for (double h = first; h < last && c->n < LENGTHS - 1; h *= GROWTH) {
        c->h[c->n++] = h;
    }
    c->h[c->n++] = last;
    const size_t size = (size_t)POINTS * (size_t)c->ny * (size_t)c->n * (size_t)c->nu;
    c->warm = gos__zalloc(ctx, (size_t)c->ny + 1, sizeof *c->warm);
    c->y = gos__alloc(ctx, size + 1, sizeof *c->y);
    gos_status status = c->warm && c->y ? GOS_OK : GOS_E_MEMORY;
    const gos_sparse *T = &full->block[GOS_BLOCK_Y_T];
    for (int k = 0; k < (T->p ? T->nnz : 0) && status == GOS_OK; k++) {
        c->warm[T->i[k]] = true;
    }
    status = status == GOS_OK ? follow(c, full, c->y) : status;
    if (status != GOS_OK) {
        gos__step_check_destroy(c);
        return status;
    }
    *check = c;
    return GOS_OK;
}

gos_status gos__step_check_error(const gos_step_check *c, const gos_linear *reduced,
                                 double *error) {
    const size_t size = (size_t)POINTS * (size_t)c->ny * (size_t)c->n;
    double *y = gos__alloc(c->ctx, size * (size_t)c->nu + 1, sizeof *y);
    gos_status status = y ? follow(c, reduced, y) : GOS_E_MEMORY;
    *error = 0;
    for (int j = 0; j < c->nu && status == GOS_OK; j++) {
        double worst = 0, largest = 0;
        for (size_t k = 0; k < size; k++) {
            const size_t at = (size_t)j * size + k;
            if (!c->warm[k % (size_t)c->ny]) {
                largest = fmax(largest, fabs(c->y[at]));
                worst = fmax(worst, fabs(y[at] - c->y[at]));
            }
        }
        *error += largest > 0 ? worst / largest : 0;
    }
    gos__free(c->ctx, y);
    return status == GOS_OK && !isfinite(*error)
               ? gos__fail(c->ctx, GOS_E_NONFINITE, "the response of a reduced model overflows")
               : status;
}
