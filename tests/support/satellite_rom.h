/* The dumbbell satellite reduced by method auto, against a full run on the same mesh with small
   steps. Include after support/verify.h. */
#ifndef GOS_TEST_SATELLITE_ROM_H
#define GOS_TEST_SATELLITE_ROM_H

#include "gossamer/reduce.h"
#include "rom/auto.h"
#include "support/verify.h"
#include "reduced.h"

#define SATELLITE_FINE 0.01 // steps of the full run: analysis.tolerance over the reduction's
#define SATELLITE_FACTOR 5  // between predicted and true

static inline gos_trial_runs satellite_track(const verify *v, const gos_system *sys,
                                             const gos_options *o) {
    gos_trial_runs k;
    verify_good(v, gos__trial_runs_create(v->ctx, sys, o, &k));
    verify_good(v, gos__trial_runs_run(v->ctx, sys, o, &k, NULL, NULL));
    assert_false(k.failed);
    return k;
}

/* largest distance of any node at any time [m]; of temperatures [K] */
static inline void satellite_worst(const gos_trial_runs *a, const gos_trial_runs *b, double *r,
                                   double *T) {
    *r = *T = 0;
    for (int i = 0; i < a->samples * a->n; i++) {
        *r = fmax(*r, verify_distance(a->r + 3 * (size_t)i, b->r + 3 * (size_t)i));
        *T = fmax(*T, fabs(a->T[i] - b->T[i]));
    }
}

/* a run of the example with settings: error within the tolerance, prediction within the factor, the
   worst node below `node` [m], temperatures below `kelvin` [K], no more points than `points` */
static inline void satellite_check(const char *settings, double tol, double node, double kelvin,
                                   int points) {
    verify v;
    gos_system *few;
    gos_reduction r;
    double worst, temperature;
    verify_example(&v, "dumbbell-satellite", settings);
    reduce_as(v.sys, (gos_reduction_def){.statics = 1, .tolerance = tol});
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &few));
    gos_reduction_get(few, &r);
    gos_options o = v.opt;
    o.tolerance = SATELLITE_FINE * tol;
    gos_trial_runs full = satellite_track(&v, v.sys, &o);
    gos_options_get(few, &o);
    gos_trial_runs there = satellite_track(&v, few, &o);
    const gos_distance d = gos__trial_runs_distance(v.sys, &there, &full);
    satellite_worst(&there, &full, &worst, &temperature);
    print_message(
        "  %s, tolerance %.0e: %d coordinates (%d fields), %d temperatures (%d functions), "
        "%d of %d points, %ld steps; predicted %.3g, true %.3g; node %.2g m, %.2g K; "
        "%d runs in %.1f s\n",
        settings, tol, few->nq, r.number, few->nt, r.thermal_fields, r.points, r.all_points,
        there.steps, r.predicted, d.position, worst, temperature, r.runs, r.time);
    verify_below("true over tolerance", d.position / tol, 1);
    verify_below("true over predicted", d.position / r.predicted, SATELLITE_FACTOR);
    verify_below("predicted over true", r.predicted / d.position, SATELLITE_FACTOR);
    verify_below("worst node [m]", worst, node);
    verify_below("temperatures [K]", temperature, kelvin);
    assert_true(r.points <= points && few->nq < v.sys->nq);
    gos__trial_runs_free(v.ctx, &full);
    gos__trial_runs_free(v.ctx, &there);
    gos_system_destroy(few);
    verify_close(&v);
}

#endif
