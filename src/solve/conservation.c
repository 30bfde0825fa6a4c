/* See conservation.h. Violations, caused by loose iteration tolerances, long steps and
 * discontinuous motion, are reported at the end of the run. */
#include <float.h>
#include <math.h>

#include "math/vec3.h"
#include "base/units.h"
#include "solve/consistent.h"
#include "solve/scales.h"
#include "solve/integrator.h"
#include "system/derived.h"
#include "system/gravity_gradient.h"

#define PARTS 10          // attempts with divided fixed steps without a warning
#define AT_REST 1e-7      // relative to the extent: motion below the Newton tolerance
#define UNRESOLVED 0.1    // relative to the tolerance: motion regarded as zero
#define OPEN 0.01         // relative to the largest energy or momentum
#define CHECK_INTERVAL 8  // steps between checks: energies cost part of an iteration
#define ROUNDING 1e-10    // relative to the gravity energy
#define ROUNDING_STEPS 10 // sum of the rounding of many steps, over that of one state

/* rigid translation along c, or rotation about axis c - 3, of the whole model */
static void rigid_motion(const gos_system *s, const double *q, int c, double *u) {
    memset(u, 0, s->nq * sizeof *u);
    double axis[3] = {0, 0, 0};
    axis[c % 3] = 1;
    for (int i = 0; i < s->nv; i++) {
        if (c < 3) {
            u[3 * i + c] = s->trans[i];
        } else {
            gos__cross3(axis, q + 3 * i, u + 3 * i);
        }
    }
}

/* loads and constraints are invariant to rigid-body motion */
static bool is_free(const gos_integrator *g) {
    const gos_state *x = g->x;
    const gos_system *s = x->sys;
    double *u = g->mv + s->nstate, *c = u + s->nq;
    if (s->reduced || s->constants || s->nloads > 0 || s->nheat > 0 || !(s->mass_total > 0) ||
        gos__norm3(s->gravity) > 0 || gos__gravity_gradient_acts(s)) {
        return false;
    }
    const gos_point_of at = gos__state_point(x, x->t);
    for (int k = 0; k < 6; k++) {
        rigid_motion(s, x->q, k, u);
        gos__constraint_apply(g->w, &at, u, c);
        for (int i = 0; i < s->nc; i++) {
            if (fabs(c[i]) > 1e-9 * fmax(1, s->extent)) {
                return false;
            }
        }
    }
    return true;
}

void gos__conservation_begin(gos_integrator *g) {
    double p[3], l[3];
    gos_system_momentum(g->sys, g->x, p, l);
    g->watch = (gos_conservation){.free = is_free(g),
                                  .begun = g->x->t,
                                  .p_x = p[0],
                                  .p_y = p[1],
                                  .p_z = p[2],
                                  .l_x = l[0],
                                  .l_y = l[1],
                                  .l_z = l[2]};
}

static void look(gos_integrator *g) {
    gos_conservation *w = &g->watch;
    const gos_state *x = g->x;
    const gos_system *s = x->sys;
    double *u = g->mv + s->nstate;
    gos_energy e;
    gos_system_energy(s, x, &e);
    w->energy = fmax(w->energy, fmax(e.kinetic, fmax(fabs(e.strain), fabs(e.work))));
    w->kinetic = fmax(w->kinetic, e.kinetic);
    w->height = fmax(w->height, fabs(e.gravity));
    if (fabs(e.balance) > fabs(w->open)) {
        w->open = e.balance;
        w->open_at = x->t;
    }
    for (int i = 0; i < s->nq; i++) {
        u[i] = x->q[i] - s->e0[i];
    }
    w->moved = fmax(w->moved, gos__motion_rms(s, u, g->mv));
    w->speed = fmax(w->speed, gos__motion_rms(s, x->v, g->mv));
    if (w->free > 0) {
        double p[3], l[3];
        gos_system_momentum(s, x, p, l);
        w->dp = fmax(w->dp, gos__norm3((double[3]){p[0] - w->p_x, p[1] - w->p_y, p[2] - w->p_z}));
        w->dl = fmax(w->dl, gos__norm3((double[3]){l[0] - w->l_x, l[1] - w->l_y, l[2] - w->l_z}));
    }
}

/* Work over the displacements of forces due to rounding of the coordinates [J]; 0: unknown. */
static double rounding_work(gos_integrator *g) {
    gos_state *x = g->x;
    const gos_system *s = x->sys;
    const gos_point_of at = gos__state_point(x, x->t);
    double *q = g->mv, *r = q + s->nq, *near = r + s->n;
    const gos_residual exact = gos__residual_of(s, r), rounded = gos__residual_of(s, near);
    memcpy(q, x->q, s->nq * sizeof *q);
    gos_status status = gos__residual(g->w, &at, &exact, NULL);
    for (int i = 0; i < s->nq; i++) {
        // opposite signs for neighbours
        x->q[i] *= 1 + (i % 3 == 1 ? -DBL_EPSILON : DBL_EPSILON);
    }
    gos__derived_refresh(x);
    status = status == GOS_OK ? gos__residual(g->w, &at, &rounded, NULL) : status;
    memcpy(x->q, q, s->nq * sizeof *q);
    gos__derived_refresh(x);
    double work = 0;
    for (int i = 0; i < s->nq && status == GOS_OK; i++) {
        work += fabs((near[i] - r[i]) * (x->q[i] - s->e0[i]));
    }
    return work;
}

static void warn(gos_integrator *g) {
    const gos_conservation *w = &g->watch;
    const gos_statistics *stats = &g->stats;
    const gos_system *s = g->x->sys;
    const char *remedy = g->opt.step > 0 ? "use smaller steps" : "use a smaller tolerance";
    // at rest under load, velocities are rounding only
    const double moved = fmin(w->moved, w->speed * (g->x->t - w->begun));
    const double at_rest = g->opt.step > 0 ? AT_REST : fmax(AT_REST, UNRESOLVED * g->opt.tolerance);
    if (fabs(w->open) > OPEN * w->energy && fabs(w->open) > ROUNDING * w->height &&
        moved > at_rest && fabs(w->open) > ROUNDING_STEPS * rounding_work(g)) {
        const char *J = gos__unit_label(s->units, "J", GOS_UNIT_BUFFER);
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "the energy balance has an error of %.3g %s at t = %.6g s, with a largest energy "
                  "of %.3g %s: the motion is not accurate to 1 %%; %s",
                  w->open, J, w->open_at, w->energy, J, remedy);
    }
    if (g->opt.step > 0 && stats->rejected > PARTS + stats->steps / 10) {
        gos__warn(
            g->ctx, (gos_loc){0}, "analysis",
            "the fixed step of %.6g s was subdivided after restarts of the motion (%ld failed "
            "attempts, %ld steps); use a smaller `step`, or remove it to use error control",
            g->opt.step, stats->rejected, stats->steps);
    }
    const double all = sqrt(2 * s->mass_total * w->kinetic);
    const double l = gos__norm3((double[3]){w->l_x, w->l_y, w->l_z});
    const double turn = fmax(l, 1e-3 * s->extent * all);
    if (w->free > 0 && (w->dp > OPEN * all || w->dl > OPEN * turn)) {
        gos__warn(g->ctx, (gos_loc){0}, "analysis",
                  "there are no external loads, but momentum drifts by %.3g %s and angular "
                  "momentum by %.3g %s (magnitude %.3g); %s",
                  w->dp, gos__unit_label(s->units, "kg m/s", GOS_UNIT_BUFFER), w->dl,
                  gos__unit_label(s->units, "kg m^2/s", GOS_UNIT_BUFFER), l, remedy);
    }
}

void gos__conservation_step(gos_integrator *g, bool last) {
    if (last || g->stats.steps % CHECK_INTERVAL == 0) {
        look(g);
    }
    if (last) {
        warn(g);
    }
}

void gos__conservation_walk(gos_conservation *w, gos_walk *past) {
#define X(name, doc) gos__walk(past, &w->name, 1);
    GOS_WATCH_NUMBERS(X)
#undef X
}
