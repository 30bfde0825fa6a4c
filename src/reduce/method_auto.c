/* Method auto: Krylov vectors at points that are put, one after the other, where the model still changes
   most (theory 3.4). The difference of two models that follow each other predicts the error of the
   earlier one; once within the tolerance, that is confirmed at points in the widest gaps. */
#include <complex.h>
#include <math.h>

#include "reduce/reduce.h"

#define ROUNDS 60
#define CONFIRMED 3   // rounds within the tolerance in a row
#define BLOCKS 2      // of Krylov vectors at a point
#define DISTANCE 1e-3 // of a point from the imaginary axis, relative: never on a pole

static gos_status add_point(gos_reduce_task *t, gos_complex s) {
    gos_reduce_pencil *p = t->pencil;
    gos_linear_reduction *out = t->out;
    int blocks;
    GOS_TRY(gos__krylov_vectors(p, s, false, BLOCKS * p->nu, &out->V, &blocks));
    if (!p->symmetric) {
        return gos__krylov_vectors(p, s, true, BLOCKS * p->ny, &out->W, &blocks);
    }
    return gos__reduce_collocated(p)
               ? GOS_OK
               : gos__krylov_vectors(p, s, true, BLOCKS * p->ny, &out->V, &blocks);
}

/* both sides as many vectors */
static void trim(gos_linear_reduction *out) {
    for (int f = 0; f < GOS_NFIELDS && out->W.ctx; f++) {
        const int n = out->V.count[f] < out->W.count[f] ? out->V.count[f] : out->W.count[f];
        out->V.count[f] = out->W.count[f] = n;
    }
}

/* a model of the bases as they are; they themselves stay orthonormal and go on growing */
static gos_status model_now(gos_reduce_task *t, gos_linear **model) {
    gos_linear_reduction r = *t->out; // shares the vectors, not their numbers
    r.model = NULL;
    r.physical = true; // normal form would change the basis
    trim(&r);
    const gos_status status = gos__reduce_project(t->ctx, t->full, &r);
    *model = r.model;
    return status;
}

/* the middle of the widest gap, in the logarithm, between frequencies used and the ends of the band */
static double widest_gap(int n, const double *used, double lo, double hi) {
    double at = sqrt(lo * hi), widest = 0;
    for (int i = -1; i < n; i++) {
        const double from = i < 0 ? lo : used[i];
        double to = hi;
        for (int j = 0; j < n; j++) {
            to = used[j] > from && used[j] < to ? used[j] : to;
        }
        if (from > 0 && from < hi && to / from > widest) {
            widest = to / from;
            at = sqrt(from * to);
        }
    }
    return at;
}

static gos_status grow(gos_reduce_task *t, double tolerance, gos_linear **last) {
    const double *band = t->opt->band;
    gos_linear_reduction *out = t->out;
    const double floor = 1e-4 * band[1];
    double used[ROUNDS], at = band[1];
    int good = 0, round = 0;
    for (; round < ROUNDS && good < CONFIRMED; round++) {
        gos_linear *now = NULL;
        gos_band_error e;
        used[round] = fmax(at, floor);
        GOS_TRY(add_point(t, gos__complex(DISTANCE, 1) * used[round]));
        GOS_TRY(model_now(t, &now));
        const gos_status status = gos_linear_band_error(t->ctx, now, *last, band[0], band[1], &e);
        gos_linear_destroy(*last);
        *last = now;
        GOS_TRY(status);
        out->report.predicted = e.relative;
        good = e.relative <= tolerance ? good + 1 : 0;
        // to confirm, look where nothing has been looked at
        at = good ? widest_gap(round + 1, used, fmax(band[0], floor), band[1]) : e.worst;
    }
    out->report.iterations = round;
    if (good < CONFIRMED) {
        return gos__fail(t->ctx, GOS_E_DIVERGED,
                         "tolerance %g was not met with %d points; the model still changes by %g",
                         tolerance, round, out->report.predicted);
    }
    return GOS_OK;
}

static gos_status automatic(gos_reduce_task *t) {
    gos_reduce_pencil *p = t->pencil;
    const double *band = t->opt->band;
    const double tolerance = t->opt->tolerance > 0 ? t->opt->tolerance : 1e-3;
    if (!(band[1] > 0)) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "auto needs a band of frequencies on which the tolerance is to be kept");
    }
    if (p->nu == 0 || p->ny == 0) {
        return gos__fail(t->ctx, GOS_E_INPUT, "auto needs inputs and outputs");
    }
    if (!p->symmetric) {
        gos__space_begin(t->ctx, p->start, p->most, &t->out->W);
    }
    gos_linear *last = NULL;
    // the low end: a little off, so that rigid motions do no harm
    gos_status status = add_point(t, fmax(band[0], DISTANCE * band[1]));
    status = status == GOS_OK ? model_now(t, &last) : status;
    status = status == GOS_OK ? grow(t, tolerance, &last) : status;
    gos_linear_destroy(last);
    trim(t->out);
    return status;
}

const gos_reduce_method gos__method_auto = {
    .name = "auto",
    .doc = "points and order chosen for a tolerance on a band",
    .own_order = true,
    .reduce = automatic,
};
