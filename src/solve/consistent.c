/* Consistent initial values, also for restarts at switching times. */
#include "solve/consistent.h"

#include <math.h>

#include "solve/constrained.h"
#include "solve/nonfinite.h"
#include "system/assemble.h"
#include "system/constants.h"

void gos__name_unknown(const gos_system *s, int i, char *buf, size_t size) {
    if (i < 0 || i >= s->nstate) {
        snprintf(buf, size, "a constraint");
        return;
    }
    for (int k = 0; k < s->nbody && !s->reduced; k++) {
        const gos_body *b = s->body[k];
        const bool mech = i < s->nq;
        const int c = mech ? i / 3 : i - s->nq;
        const int from = mech ? b->v0 : b->t0, n = mech ? b->nv : b->nt;
        if (c >= from && c < from + n) {
            const int *of = mech ? b->node_v : b->node_t;
            if (b->nnode == 0 || !of) {
                snprintf(buf, size, "body '%s', coordinate %d", b->name,
                         mech ? i - 3 * from + 1 : c - from + 1);
                return;
            }
            int node = 0;
            for (int j = 0; j < b->nnode; j++) {
                node = of[j] <= c ? j : node;
            }
            snprintf(buf, size, "body '%s', node %d (%s)", b->name, node,
                     mech ? "motion" : "temperature");
            return;
        }
    }
    snprintf(buf, size, "coordinate %d", i);
}

bool gos__constraints_curved(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0 && !s->item[i]->linear) {
            return true;
        }
    }
    return false;
}

bool gos__elastic(const gos_system *s) {
    return s->npoints > 0 || (s->constants && s->constants->A[GOS_CONSTANT_K].nnz > 0);
}

gos_point_of gos__state_point(const gos_state *x, double t) {
    return (gos_point_of){.t = t,
                          .scale = 1,
                          .q = x->q,
                          .v = x->v,
                          .a = x->a,
                          .th = x->th,
                          .thd = x->thd,
                          .lam = x->lam,
                          .lamT = x->lamT,
                          .mem = x->mem};
}

static gos_point_of point(const gos_state *x, double t) {
    return (gos_point_of){.t = t, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .mem = x->mem};
}

/* no smaller step can be tried here */
static gos_status refuse_nonfinite(gos_ctx *ctx, gos_status status, gos_work *w,
                                   const gos_point_of *x) {
    if (status != GOS_RETRY) {
        return status;
    }
    GOS_TRY(gos__nonfinite(ctx, w, x));
    return gos__fail(ctx, GOS_E_NONFINITE,
                     "forces are not finite at t = %g s; check loads and time functions", x->t);
}

gos_status gos__consistent_solve(gos_ctx *ctx, gos_work *w, const gos_point_of *x, int many,
                                 double *rhs) {
    gos_constrained k = {0};
    gos_status status = gos__constrained_make(ctx, w, x, &k);
    status = status == GOS_OK ? gos__constrained_solve(ctx, &k, many, rhs) : status;
    gos__constrained_free(ctx, &k);
    return status;
}

gos_status gos__consistent_position(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    enum { PASSES = 4 }; // Newton iterations from a nearby point
    const gos_system *s = w->sys;
    double *r = gos__zalloc(ctx, (size_t)s->n + 1, sizeof *r);
    gos_status status = r ? GOS_OK : GOS_E_MEMORY;
    for (int pass = 0; pass < PASSES && status == GOS_OK && s->nc > 0; pass++) {
        gos_constrained k = {0};
        const gos_point_of at = point(x, t);
        const gos_residual out = gos__residual_of(s, r);
        status = refuse_nonfinite(ctx, gos__residual(w, &at, &out, NULL), w, &at);
        double open = 0;
        for (int i = 0; i < s->nc; i++) {
            open = fmax(open, fabs(out.c[i]));
            out.c[i] *= -1;
        }
        if (status != GOS_OK || open <= 1e-15 * s->extent) {
            break;
        }
        memset(r, 0, s->nstate * sizeof *r);
        memset(out.h, 0, s->nh * sizeof *r);
        status = gos__constrained_make(ctx, w, &at, &k);
        status = status == GOS_OK ? gos__constrained_solve(ctx, &k, 1, r) : status;
        for (int i = 0; i < s->nq && status == GOS_OK; i++) {
            x->q[i] += r[i];
        }
        gos__constrained_free(ctx, &k);
    }
    gos__free(ctx, r);
    return status;
}

gos_status gos__consistent_velocity(gos_ctx *ctx, gos_work *w, gos_state *x, double t,
                                    double *change) {
    const gos_system *s = w->sys;
    *change = 0;
    if (s->nc == 0) {
        return GOS_OK;
    }
    gos_constrained k = {0};
    const gos_point_of at = point(x, t);
    double *rhs = gos__zalloc(ctx, (size_t)s->n + 3L * s->nc + 1, sizeof *rhs);
    gos_status status = rhs ? gos__constrained_make(ctx, w, &at, &k) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        double *cv = rhs + s->n, *ct = cv + s->nc, *unused = ct + s->nc;
        gos__constraint_apply(w, &at, x->v, cv);
        gos__constraint_rates(w, &at, ct, unused);
        for (int i = 0; i < s->nc; i++) {
            rhs[s->at.lam + i] = -cv[i] - ct[i];
        }
        status = gos__constrained_solve(ctx, &k, 1, rhs);
    }
    if (status == GOS_OK) {
        double dv = 0, v = 0;
        for (int i = 0; i < s->nq; i++) {
            dv += rhs[i] * rhs[i];
            v += x->v[i] * x->v[i];
            x->v[i] += rhs[i];
        }
        *change = v > 0 ? sqrt(dv / v) : sqrt(dv);
    }
    gos__constrained_free(ctx, &k);
    gos__free(ctx, rhs);
    return status;
}

gos_status gos__consistent_heat(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    enum { PASSES = 50 };
    const gos_system *s = w->sys;
    double *r = gos__zalloc(ctx, (size_t)s->n + 1, sizeof *r);
    gos_status status = r ? GOS_OK : GOS_E_MEMORY;
    double last = HUGE_VAL;
    for (int pass = 0; pass < PASSES && status == GOS_OK; pass++) {
        gos_constrained k = {0};
        gos_point_of at = point(x, t);
        at.lamT = x->lamT;
        const gos_residual out = gos__residual_of(s, r);
        status = refuse_nonfinite(ctx, gos__residual(w, &at, &out, NULL), w, &at);
        memset(r, 0, s->nq * sizeof *r);
        memset(out.c, 0, s->nc * sizeof *r);
        status = status == GOS_OK ? gos__constrained_make(ctx, w, &at, &k) : status;
        status = status == GOS_OK ? gos__constrained_solve(ctx, &k, 1, r) : status;
        double change = 0, size = 1;
        if (status == GOS_OK) {
            for (int i = 0; i < s->nt; i++) {
                x->th[i] -= out.th[i];
                change = fmax(change, fabs(out.th[i]));
                size = fmax(size, fabs(x->th[i]));
            }
            for (int i = 0; i < s->nh; i++) {
                x->lamT[i] -= out.h[i];
            }
        }
        gos__constrained_free(ctx, &k);
        if (change <= 1e-15 * size || (change <= 1e-9 * size && change >= 0.5 * last)) {
            break;
        }
        last = change;
        if (status == GOS_OK && pass + 1 == PASSES) {
            status = gos__fail(ctx, GOS_E_DIVERGED,
                               "steady temperatures at t = %g s were not found: the last change is "
                               "%.3g K; apply the loads more gradually",
                               t, change);
        }
    }
    gos__free(ctx, r);
    return status;
}

gos_status gos__consistent(gos_ctx *ctx, gos_work *w, gos_state *x, double t) {
    const gos_system *s = w->sys;
    const bool steady = s->steady_heat && s->nt > 0;
    GOS_TRY(steady ? gos__consistent_heat(ctx, w, x, t) : GOS_OK);
    gos_constrained k = {0};
    const gos_point_of at = point(x, t);
    double *rhs = gos__zalloc(ctx, (size_t)s->n + (s->nc + s->nh) + 1, sizeof *rhs);
    if (!rhs) {
        return GOS_E_MEMORY;
    }
    double *c = rhs + s->n, *h = c + s->nc;
    const gos_residual r = {.q = rhs, .th = rhs + s->at.th, .c = c, .h = h};
    gos_sums sums;
    gos_status status = gos__residual(w, &at, &r, &sums);
    status = refuse_nonfinite(ctx, status, w, &at);
    status = status == GOS_OK ? gos__constrained_make(ctx, w, &at, &k) : status;
    if (status == GOS_OK) {
        for (int i = 0; i < s->nstate; i++) {
            rhs[i] = -rhs[i];
        }
        gos__constraint_rates(w, &at, NULL, rhs + s->at.lam);
        gos__temperature_rates(w, &at, rhs + s->at.lamT);
        for (int i = 0; i < s->nh; i++) {
            rhs[s->at.lamT + i] *= -1;
        }
        status = gos__constrained_solve(ctx, &k, 1, rhs);
    }
    if (status == GOS_OK) {
        memcpy(x->a, rhs, s->nq * sizeof(double));
        memcpy(x->lam, rhs + s->at.lam, s->nc * sizeof(double));
        if (!steady) { // steady rates follow from the change of temperatures
            memcpy(x->thd, rhs + s->at.th, s->nt * sizeof(double));
            memcpy(x->lamT, rhs + s->at.lamT, s->nh * sizeof(double));
        }
        /* again with multipliers and rates, on which the powers depend */
        const gos_point_of full = gos__state_point(x, t);
        const gos_residual again = {.q = rhs, .th = rhs + s->at.th, .c = c, .h = h};
        status = refuse_nonfinite(ctx, gos__residual(w, &full, &again, &sums), w, &full);
        x->energy.strain = sums.strain;
        x->power_diss = sums.dissipated;
        x->power_work = sums.work;
        x->power_thermal = sums.thermal;
        x->heat_in = sums.heat_in;
        x->heat_con = sums.heat_con;
    }
    gos__constrained_free(ctx, &k);
    gos__free(ctx, rhs);
    return status;
}
