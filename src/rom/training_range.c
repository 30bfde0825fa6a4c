/* Training range: largest strains and temperatures at the points of each body; the error beyond
   it is unknown. Rotations and translations do not matter. */
#include "rom/training_range.h"
#include "base/units.h"

#include <math.h>

#include "rom/rom.h"

#define L GOS_LANES
#define RANGE_MARGIN 1.25      // factor by which the range may be exceeded
#define TEMPERATURE_MARGIN 2.0 // additional margin [K]
#define MAX_BATCHES 64         // batches sampled of a large block
#define NEGLIGIBLE_STRAIN 1e-6

typedef struct lanes {
    double *z, *T, *strain, *force; // of one batch
} lanes;

/* doubles for one batch */
static size_t room(const gos_points *p) {
    return (3L * p->law->nz + p->nfam + 2L * p->law->nstrain) * L;
}

static lanes carve(const gos_points *p, double *work) {
    const size_t nz = 3L * p->law->nz * L, nf = (size_t)p->nfam * L;
    const size_t ns = (size_t)p->law->nstrain * L;
    return (lanes){work, work + nz, work + nz + nf, work + nz + nf + ns};
}

static void widen(const gos_points *p, const lanes *k, gos_range *r) {
    for (int l = 0; l < L; l++) {
        double stretch = 0, bending = 0;
        for (int i = 0; i < p->law->nstrain; i++) {
            *(i < p->law->nforce ? &stretch : &bending) +=
                k->strain[i * L + l] * k->strain[i * L + l];
        }
        r->strain = fmax(r->strain, sqrt(stretch));
        r->curvature = fmax(r->curvature, sqrt(bending));
        r->temperature = fmax(r->temperature, p->nt ? fabs(k->T[l]) : 0);
    }
}

static void block_range(const gos_points *p, const gos_state *x, double *work, gos_range *r) {
    const lanes k = carve(p, work);
    if (!p->law->strains) {
        return; // a block for heat only
    }
    // sampled: the cost does not grow with the mesh
    const int every = p->gram ? (p->nb + MAX_BATCHES - 1) / MAX_BATCHES : 1;
    for (int ib = 0; ib < p->nb; ib += every) {
        gos__batch_gradients(p, ib, x->q, x->th, true, k.z, p->nt ? k.T : NULL);
        const double *mem = x->mem + p->m0 + (size_t)(ib * p->law->nmem) * L;
        const gos_batch b = {.z = k.z,
                             .th = p->nt ? k.T : NULL,
                             .ref = p->ref + (size_t)p->tab[ib] * p->law->nref * L,
                             .mem = p->law->nmem ? mem : NULL};
        p->law->strains(p->par, p->nfam, &b, k.strain, k.force);
        widen(p, &k, r);
    }
}

gos_status gos__step_monitor_create(gos_arena *arena, const gos_system *sys,
                                    gos_step_monitor *monitor) {
    size_t n = 0;
    for (int i = 0; i < sys->npoints; i++) {
        const size_t size = room(sys->points[i]);
        n = size > n ? size : n;
    }
    *monitor = (gos_step_monitor){.sys = sys,
                                  .now = GOS_NEW(arena, gos_range, sys->npoints + 1),
                                  .work = GOS_NEW(arena, double, n + 1)};
    return monitor->now && monitor->work ? GOS_OK : GOS_E_MEMORY;
}

void gos__step_monitor_range(const gos_step_monitor *monitor, const gos_state *state,
                             gos_range *range) {
    const gos_system *sys = monitor->sys;
    for (int i = 0; i < sys->npoints; i++) {
        if (sys->points[i]->law->strains) {
            block_range(sys->points[i], state, monitor->work, &range[i]);
        }
    }
}

static void compare(gos_ctx *ctx, const gos_system *sys, int i, double t, const gos_range *now) {
    const gos_range *trained = &sys->rom->range[i];
    const char *name = sys->body[sys->points[i]->body]->name;
    if (now->strain > RANGE_MARGIN * trained->strain + NEGLIGIBLE_STRAIN ||
        now->curvature > RANGE_MARGIN * trained->curvature + NEGLIGIBLE_STRAIN / sys->extent) {
        const char *per = gos__unit_label(sys->units, "1/m", GOS_UNIT_BUFFER);
        gos__warn(ctx, (gos_loc){0}, gos__intern(ctx, name),
                  "strained beyond the training range of the reduction: strain up to %.3g, "
                  "curvature up to %.3g %s (training: %.3g, %.3g %s), first at t = %.4g s; "
                  "repeat the reduction with these loads, or compare with a full run",
                  now->strain, now->curvature, per, trained->strain, trained->curvature, per, t);
    }
    if (now->temperature > RANGE_MARGIN * trained->temperature + TEMPERATURE_MARGIN) {
        gos__warn(ctx, (gos_loc){0}, gos__intern(ctx, name),
                  "hotter or colder than the training range of its reduction: %.4g K (training: "
                  "%.4g K), first at t = %.4g s; repeat the reduction with these loads, or compare "
                  "with a full run",
                  now->temperature, trained->temperature, t);
    }
}

void gos__step_monitor(gos_ctx *ctx, const gos_step_monitor *monitor, const gos_state *state) {
    const gos_system *sys = monitor->sys;
    if (!sys->rom || !sys->rom->range) {
        return;
    }
    memset(monitor->now, 0, sys->npoints * sizeof *monitor->now);
    gos__step_monitor_range(monitor, state, monitor->now);
    for (int i = 0; i < sys->npoints; i++) {
        compare(ctx, sys, i, state->t, &monitor->now[i]);
    }
}
