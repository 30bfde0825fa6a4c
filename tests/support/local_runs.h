/* Runs by local linearisation beside full ones, for tests of what their columns are. Include after
 * verify.h. */
#ifndef GOS_TEST_LOCAL_RUNS_H
#define GOS_TEST_LOCAL_RUNS_H

#include "gossamer/reduce.h"
#include "support/verify.h"

#define LOCAL_SAMPLES 31

/* Positions and temperatures of all nodes at times evenly spread over the run, and what was
 * counted. */
typedef struct local_track {
    int n;
    double r[LOCAL_SAMPLES * 3 * 200], T[LOCAL_SAMPLES * 200];
    gos_local_report report;
    long allocations;
} local_track;

static inline void local_see(const verify *v, const gos_state *x, int i, local_track *k) {
    gos_mesh_info mesh;
    gos_system_mesh(v->sys, &mesh);
    k->n = mesh.nnodes;
    assert_true(k->n <= 200);
    gos_system_nodes(v->sys, x, k->r + (size_t)i * 3 * (size_t)k->n, NULL,
                     v->sys->nt > 0 ? k->T + (size_t)i * (size_t)k->n : NULL, NULL);
}

/* by Newton, at the model's step */
static inline void local_full(verify *v, local_track *k) {
    gos_state *x;
    gos_integrator *run;
    verify_good(v, gos_state_create(v->ctx, v->sys, &x));
    verify_good(v, gos_integrator_create(v->ctx, v->sys, &v->opt, x, &run));
    for (int i = 0; i < LOCAL_SAMPLES; i++) {
        const double t = v->opt.end * i / (LOCAL_SAMPLES - 1);
        while (gos_state_time(x) < t * (1 - 1e-12)) {
            verify_good(v, gos_integrator_step(run, v->opt.end));
        }
        local_see(v, gos_integrator_at(run, t), i, k);
    }
    gos_integrator_destroy(run);
    gos_state_destroy(x);
}

/* a system made by gos_reduce */
static inline void local_small(verify *v, const gos_system *sys, local_track *k) {
    gos_state *x;
    gos_local *run;
    verify_good(v, gos_state_create(v->ctx, sys, &x));
    verify_good(v, gos_local_create(v->ctx, sys, &v->opt, x, &run));
    verify_good(v, gos_local_step(run, v->opt.end)); // scratch of a library at its first call
    const long before = gos_ctx_allocations(v->ctx);
    for (int i = 0; i < LOCAL_SAMPLES; i++) {
        const double t = v->opt.end * i / (LOCAL_SAMPLES - 1);
        while (gos_state_time(x) < t * (1 - 1e-12)) {
            verify_good(v, gos_local_step(run, v->opt.end));
        }
        local_see(v, gos_local_at(run, t), i, k);
    }
    k->allocations = gos_ctx_allocations(v->ctx) - before;
    gos_local_get_report(run, &k->report);
    gos_local_destroy(run);
    gos_state_destroy(x);
}

/* reduced as the model says */
static inline void local_reduced(verify *v, local_track *k) {
    gos_system *sys;
    verify_good(v, gos_reduce(v->ctx, v->sys, &sys));
    local_small(v, sys, k);
    gos_system_destroy(sys);
}

/* largest over time of the RMS over nodes */
static inline double local_away(const local_track *a, const local_track *b) {
    double most = 0;
    for (int i = 0; i < LOCAL_SAMPLES; i++) {
        double sum = 0;
        for (int j = 0; j < 3 * a->n; j++) {
            const size_t at = (size_t)i * 3 * (size_t)a->n + (size_t)j;
            sum += (a->r[at] - b->r[at]) * (a->r[at] - b->r[at]);
        }
        most = fmax(most, sqrt(sum / a->n));
    }
    return most;
}

static inline double local_away_heat(const local_track *a, const local_track *b) {
    double most = 0;
    for (int i = 0; i < LOCAL_SAMPLES * a->n; i++) {
        most = fmax(most, fabs(a->T[i] - b->T[i]));
    }
    return most;
}

#endif
