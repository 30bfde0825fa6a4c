/* Step loop of Radau IIA: step size, stop times, completion of steps. */
#include <math.h>

#include "base/note.h"
#include "solve/consistent.h"
#include "solve/section_frames.h"
#include "steppers/radau/radau.h"
#include "solve/scales.h"
#include "solve/step_failure.h"

enum { LAST = GOS_RADAU_STAGES - 1 };

#define SAFETY 0.9
#define GROWS_MOST 8
#define SHRINKS_MOST 5
#define KEPT 1.4     // increase below which the step and its factors are kept
#define UNSOLVED 0.4 // reduction after a step without a solution
// contraction of Newton's iteration with least work; scales with the cube of the step
#define CONTRACTION 0.2
#define SLIVER 1e-6 // relative extension of a step to reach a stop

/* Avoids a tiny step before a stop. */
static double choose_step(gos_radau *g, double stop) {
    const double t = g->x0->t, left = stop - t;
    const double h = gos__breaks_step(&g->breaks, t, fmin(g->x0->h_next, g->opt.max_step));
    return h >= left * (1 - SLIVER) ? left : fmin(h, h > 0.5 * left ? 0.5 * left : h);
}

/* Next step from the errors of this step and the previous one (Gustafsson 1994). */
static void choose_next(gos_radau *g, double h, double wanted, double scale, bool rejected) {
    gos_radau_past *p = &g->past;
    const double most = 2 * g->opt.max_iterations + 1, done = fmax(scale, 1e-3);
    double grows = SAFETY * most / (most - 1 + g->iterations) / done;
    if (p->h > 0) {
        grows = fmin(grows, grows * h / p->h * p->scale / done);
    }
    if (g->contraction > 0) {
        const double limit = fmax(cbrt(CONTRACTION / g->contraction), g->refreshed ? 0.5 : 1);
        if (g->quasi && limit < grows) {
            g->quasi->apart = true;
        }
        grows = fmin(grows, limit);
    }
    grows = fmin(fmax(grows, 1.0 / SHRINKS_MOST), rejected ? 1 : GROWS_MOST);
    if (!p->stale && h == p->factor_h && grows >= 1 && grows <= KEPT) {
        grows = 1;
    }
    const double next = h < wanted && !rejected ? fmax(h * grows, wanted) : h * grows;
    g->x->h_next = fmin(next, g->opt.max_step);
    p->scale = done;
}

static void take_stage(gos_radau *g, double h, double t1) {
    const gos_system *s = g->sys;
    const gos_radau_stage *k = &g->stage[LAST];
    gos_state *x = g->x;
    memcpy(x->q, k->y, (size_t)s->nq * sizeof *x->q);
    memcpy(x->v, k->v, (size_t)s->nq * sizeof *x->q);
    if (!g->quasi) {
        memcpy(x->a, k->a, (size_t)s->nq * sizeof *x->q);
    }
    memcpy(x->th, k->y + s->at.th, (size_t)s->nt * sizeof *x->q);
    memcpy(x->thd, k->thd, (size_t)s->nt * sizeof *x->q);
    memcpy(x->lam, k->y + s->at.lam, (size_t)s->nc * sizeof *x->q);
    memcpy(x->lamT, k->y + s->at.lamT, (size_t)s->nh * sizeof *x->q);
    x->t = t1;
    x->h = h;
}

static void take_sums(gos_radau *g) {
    gos_state *x = g->x;
    const gos_state *x0 = g->x0;
    double sum[GOS_RADAU_NINTEGRAL], stored = 0;
    gos__radau_integrals_to(g, 1, sum);
    x->energy.dissipated = x0->energy.dissipated + sum[GOS_RADAU_DISSIPATED];
    x->energy.work = x0->energy.work + sum[GOS_RADAU_WORK];
    x->energy.thermal_work = x0->energy.thermal_work + sum[GOS_RADAU_THERMAL];
    x->heat_supplied = x0->heat_supplied + sum[GOS_RADAU_HEAT_IN];
    x->heat_constrained = x0->heat_constrained + sum[GOS_RADAU_HEAT_CON];
    for (int i = 0; i < g->sys->nt; i++) {
        stored += g->sys->hw[i] * (x->th[i] - x0->th[i]);
    }
    x->heat_stored = x0->heat_stored + stored;
    x->energy.strain = g->sums.strain;
    x->power_diss = g->sums.dissipated;
    x->power_work = g->sums.work;
    x->power_thermal = g->sums.thermal;
    x->heat_in = g->sums.heat_in;
    x->heat_con = g->sums.heat_con;
}

static void keep_past(gos_radau *g, double h) {
    const gos_system *s = g->sys;
    const size_t nq = (size_t)s->nq, rest = (size_t)(s->n - s->nq);
    for (int i = 0; i < GOS_RADAU_STAGES; i++) {
        for (size_t j = 0; j < nq; j++) {
            g->past.velocity[i * nq + j] =
                g->quasi ? g->z[i * (size_t)s->n + j] : g->stage[i].v[j] - g->x0->v[j];
        }
        memcpy(g->past.unknowns + i * rest, g->z + i * (size_t)s->n + nq, rest * sizeof *g->z);
    }
    g->past.h = h;
}

static void tell(gos_radau *g) {
    char text[400];
    (void)gos__format(
        text, sizeof text,
        "the estimated step errors add up to about %.2g of the extent, the largest speed "
        "and the temperature range; if the motion amplifies errors, the error of the run is larger",
        g->made);
    gos__note(g->ctx, "errors", text);
}

static gos_status finish(gos_radau *g, double h, double made) {
    gos_state *x = g->x;
    const double t = gos__breaks_left(&g->breaks, x->t);
    keep_past(g, h); // before the projection
    if (g->quasi) {
        GOS_TRY(gos__quasi_static_end(g, h, t));
    } else {
        GOS_TRY(gos__radau_project(g, h, t));
    }
    gos_radau_stage *end = &g->stage[LAST];
    memcpy(end->y, x->q, (size_t)g->sys->nq * sizeof *x->q);
    memcpy(end->v, x->v, (size_t)g->sys->nq * sizeof *x->v);
    GOS_TRY(gos__radau_powers(g, h, x->t));
    take_sums(g);
    g->T_range = gos__heat_range(x, g->T_range);
    x->speed = fmax(x->speed, gos__motion_rms(g->sys, x->v, g->mv));
    g->place = gos__motion_rms(g->sys, x->q, g->mv);
    g->made += made;
    (void)gos__breaks_end(&g->breaks, g->w, x, t);
    gos__section_frames_check(g->ctx, g->sys, x);
    g->stats.steps++;
    const bool last = gos__breaks_last(&g->breaks, x);
    if (last && g->tells) {
        tell(g);
    }
    if (last && g->quasi) {
        gos__quasi_static_report(g);
    }
    const gos_monitored watched = gos__radau_monitored(g);
    gos__step_monitor_step(&g->watch, &watched, &g->stats, last);
    return GOS_OK;
}

static gos_status give_up(gos_radau *g, double h, gos_status status, double t1) {
    const gos_system *s = g->sys;
    gos_radau_stage *k = &g->stage[LAST];
    if (status == GOS_OK) {
        return gos__fail(
            g->ctx, GOS_E_DIVERGED,
            "the error of the step at t = %.9g s exceeds its share of tolerance %g even with steps "
            "of %.3g s: the motion or its rates jump there, or the tolerance is near rounding; "
            "smooth the jump, use a larger tolerance, or use generalised_alpha",
            g->x0->t, g->opt.tolerance, h);
    }
    const gos_point_of tried = {.t = gos__radau_time(g, t1, t1),
                                .scale = 1,
                                .q = k->y,
                                .v = k->v,
                                .a = k->a,
                                .th = k->y + s->at.th,
                                .thd = k->thd,
                                .lam = k->y + s->at.lam,
                                .lamT = k->y + s->at.lamT,
                                .mem = g->x0->mem};
    const gos_attempt attempt = {g->t_start, g->x0->t, h, &tried, g->r};
    const gos_status failed = gos__step_failure(g->ctx, g->w, &attempt);
    return g->quasi ? gos__fail(g->ctx, failed,
                                "quasi-static motion: the path of equilibria ends or turns near t "
                                "= %.9g s (a limit point, as in snap-through), or a mechanism "
                                "becomes free; follow it with `motion: dynamic`",
                                g->x0->t)
                    : failed;
}

/* One step from g->x0, shortened for accuracy, convergence or events. */
static gos_status try_steps(gos_radau *g, double stop) {
    const double wanted = g->x0->h_next;
    double h = choose_step(g, stop), scale = 0, made = 0;
    bool rejected = false;
    g->anew = !(g->past.h > 0);
    for (;;) {
        const bool last = h >= (stop - g->x0->t) * (1 - SLIVER);
        const double t1 = last ? stop : g->x0->t + h;
        gos_status status = gos__radau_solve(g, h, t1);
        if (status == GOS_OK) {
            status = gos__radau_scale(g, h, &scale, &made);
        }
        if (status < 0) {
            return status;
        }
        if (status == GOS_OK && scale <= 1) {
            take_stage(g, h, t1);
            const double land = gos__breaks_inside(&g->breaks, g->ctx, g->w, g->x0, g->x);
            if (land == t1) {
                choose_next(g, h, wanted, scale, rejected);
                return finish(g, h, made);
            }
            g->stats.rejected++;
            h = land - g->x0->t;
            continue;
        }
        g->stats.rejected++;
        rejected = true;
        h *= status == GOS_OK ? fmax(1.0 / SHRINKS_MOST, SAFETY / scale) : UNSOLVED;
        if (!(h > g->opt.min_step)) {
            return give_up(g, h, status, t1);
        }
    }
}

gos_status gos__radau_step(gos_radau *g, double t_end) {
    if (!(t_end > g->x->t)) {
        return gos__fail(g->ctx, GOS_E_USE, "the end time %g s is not after the present %g s",
                         t_end, g->x->t);
    }
    const double began = gos__now();
    gos_stop_kind kind;
    GOS_TRY(gos__breaks_begin(&g->breaks, g->ctx, g->w, g->x, &kind));
    // quasi-static velocities jump at kinks
    if (kind > (g->quasi ? GOS_STOP_NONE : GOS_STOP_KINK)) {
        g->stats.restarts++;
        GOS_TRY(gos__radau_start(g));
    }
    GOS_TRY(gos_state_copy(g->x0, g->x));
    g->x0->npast = 0;
    const gos_status status = try_steps(g, gos__breaks_before(&g->breaks, g->x0, t_end));
    if (status != GOS_OK) {
        (void)gos_state_copy(g->x, g->x0);
        g->past.h = 0;
        g->past.stale = true;
    }
    g->stats.time_total += gos__now() - began;
    return status;
}
