/* Method krylov: moment matching at given points, one- or two-sided. */
#include <complex.h>
#include <math.h>

#include "linear_reduction/reduce.h"

static gos_status side(gos_reduce_task *t, bool transposed, const gos_point *points, int npoints,
                       gos_space *space, int *blocks) {
    gos__space_init(t->ctx, t->pencil->start, t->pencil->max, space);
    *blocks = INT32_MAX;
    for (int i = 0, before = 0; i < npoints; i++) {
        int k;
        const int upto = (int)((long)t->order * (i + 1) / npoints);
        if (upto == before) {
            return gos__fail(t->ctx, GOS_E_INPUT, "order %d is too low for %d expansion points",
                             t->order, npoints);
        }
        GOS_TRY(gos__krylov_vectors(t->pencil, gos__complex(points[i].re, points[i].im), transposed,
                                    upto - before, space, &k));
        *blocks = k < *blocks ? k : *blocks;
        before = upto;
    }
    return GOS_OK;
}

/* equal numbers of vectors on both sides; true if none was removed */
static bool trim(gos_space *V, gos_space *W) {
    bool complete = true;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const int n = V->count[f] < W->count[f] ? V->count[f] : W->count[f];
        complete = complete && V->count[f] == W->count[f];
        V->count[f] = W->count[f] = n;
    }
    return complete;
}

gos_status gos__reduce_own_point(gos_reduce_task *t, gos_point *point) {
    const double *band = t->opt->band;
    *point = (gos_point){0, 0};
    if (gos__reduce_pencil_try(t->pencil, 0) == GOS_E_SINGULAR && band[1] > 0) {
        point->re = band[0] > 0 ? sqrt(band[0] * band[1]) : band[1] / 10;
        gos__warn(t->ctx, (gos_loc){0}, NULL,
                  "s = 0 is a pole (a rigid-body mode or an insulated body), so the expansion is "
                  "about s = %.4g 1/s inside the band; set `shifts` for other points",
                  point->re);
    }
    return gos__reduce_pencil_factor(t->pencil, point->re);
}

static gos_status krylov(gos_reduce_task *t) {
    gos_point own;
    gos_linear_reduction *out = t->out;
    gos_reduce_pencil *p = t->pencil;
    const int npoints = t->opt->npoints > 0 ? t->opt->npoints : 1;
    const gos_point *points = t->opt->npoints > 0 ? t->opt->points : &own;
    if (p->nu == 0 || (t->opt->two_sided && p->ny == 0)) {
        return gos__fail(t->ctx, GOS_E_INPUT, "Krylov vectors start from %s; the model has none",
                         p->nu == 0 ? "inputs" : "outputs");
    }
    if (t->opt->npoints == 0) {
        GOS_TRY(gos__reduce_own_point(t, &own));
    }
    int k, l = 0;
    GOS_TRY(side(t, false, points, npoints, &out->V, &k));
    const bool same = p->symmetric && gos__reduce_collocated(p); // W equals V
    if (t->opt->two_sided && !same) {
        GOS_TRY(side(t, true, points, npoints, &out->W, &l));
        if (!trim(&out->V, &out->W)) {
            k = l = 0; // moments are guaranteed for complete spaces only
        }
    } else if (same) {
        l = k;
    }
    bool even = p->A[1].nnz == 0;
    for (int i = 0; i < npoints; i++) {
        even = even && points[i].re == 0 && points[i].im == 0;
    }
    return gos__reduce_points(out, npoints, points, (even ? 2 : 1) * (k + l));
}

static const gos_param krylov_params[] = {
    GOS_ROW_ORDER(0, 0),      GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0),     GOS_ROW_FREQUENCIES("0"),
    GOS_ROW_SHIFTS,           GOS_ROW_FLAG(0, 0, two_sided, "vectors of the outputs as left basis"),
    GOS_ROW_CORRECTION(0, 0), {0}};

static const gos_reduce_method krylov_method = {
    .potentials = true,
    .reduce = krylov,
};

const gos_type gos__reduction_krylov = GOS_LINEAR_METHOD(
    "krylov", "moment matching at one or several points by second-order Krylov vectors",
    ", order: 8, frequencies: [0, 10]", krylov_params, &krylov_method);
