#include <math.h>

#include "linear_reduction/reduce.h"

#define X(name, doc) #name,
static const char *const block_names[] = {GOS_BLOCK_LIST(X)};
#undef X

static gos_status check_finite(gos_ctx *ctx, const gos_linear *l) {
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        const gos_sparse *A = &l->block[b];
        for (int j = 0; j < A->n; j++) {
            for (int k = A->p[j]; k < A->p[j + 1]; k++) {
                if (!isfinite(A->x[k])) {
                    return gos__fail(ctx, GOS_E_NONFINITE,
                                     "entry (%d, %d) of matrix %s is not a finite number",
                                     A->i[k] + 1, j + 1, block_names[b]);
                }
            }
        }
    }
    return GOS_OK;
}

gos_status gos__reduce_check_model(gos_ctx *ctx, const gos_linear *l) {
    if (l->nq + l->nt + l->nphi == 0) {
        return gos__fail(ctx, GOS_E_INPUT, "a model without unknowns cannot be reduced");
    }
    return check_finite(ctx, l);
}

gos_status gos__reduce_check_options(gos_ctx *ctx, const gos_linear *l,
                                     const gos_linear_reduction_options *opt, bool first_order) {
    const int n = (first_order ? 2 : 1) * l->nq + l->nt + l->nphi;
    if (opt->order < 0 || opt->order > n) {
        return gos__fail(ctx, GOS_E_INPUT, "order %d: choose 1 to %d for this model", opt->order,
                         n);
    }
    if (!(opt->band[0] >= 0) || !(opt->band[1] >= opt->band[0]) || !isfinite(opt->band[1])) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "band from %g to %g rad/s: give two frequencies, the lower one first",
                         opt->band[0], opt->band[1]);
    }
    if (!(opt->tolerance >= 0) || !(opt->tolerance < 1)) {
        return gos__fail(ctx, GOS_E_INPUT, "tolerance %g: give a number between 0 and 1",
                         opt->tolerance);
    }
    for (int i = 0; i < opt->npoints; i++) {
        if (!isfinite(opt->points[i].re) || !isfinite(opt->points[i].im)) {
            return gos__fail(ctx, GOS_E_INPUT, "expansion point %d is not a finite number", i + 1);
        }
    }
    if (opt->npoints < 0 || opt->ninterface < 0 || opt->candidates < 0 || opt->snapshots < 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "a number of points, interface coordinates, candidates "
                         "or snapshots is negative");
    }
    return GOS_OK;
}
