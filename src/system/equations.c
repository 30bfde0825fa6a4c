/* System equations for external solvers. */
#include "system/assemble.h"

struct gos_equations {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_work *w;
};

gos_status gos_equations_create(gos_ctx *ctx, const gos_system *sys, gos_equations **eq) {
    gos_equations *e = gos__zalloc(ctx, 1, sizeof *e);
    if (!e) {
        return GOS_E_MEMORY;
    }
    *e = (gos_equations){.ctx = ctx, .sys = sys};
    const gos_status status = gos__work_create(ctx, sys, &e->w);
    if (status != GOS_OK) {
        gos_equations_destroy(e);
        return status;
    }
    *eq = e;
    return GOS_OK;
}

void gos_equations_destroy(gos_equations *eq) {
    if (eq) {
        gos__work_destroy(eq->ctx, eq->w);
        gos__free(eq->ctx, eq);
    }
}

gos_equations_point gos_equations_at(const gos_state *x) {
    return (gos_equations_point){.state = x,
                                 .t = x->t,
                                 .q = x->q,
                                 .v = x->v,
                                 .a = x->a,
                                 .T = x->th,
                                 .Td = x->thd,
                                 .lam = x->lam,
                                 .lam_T = x->lamT};
}

/* uses the state's input settings; sets = -1 forces an update */
static gos_point_of begin(gos_equations *eq, const gos_equations_point *at) {
    eq->w->sets = -1;
    gos__work_hold(eq->w, at->state);
    return (gos_point_of){.t = at->t,
                          .scale = at->state->load,
                          .q = at->q,
                          .v = at->v,
                          .a = at->a,
                          .th = at->T,
                          .thd = at->Td,
                          .lam = at->lam,
                          .lamT = at->lam_T,
                          .mem = at->state->mem};
}

static gos_status check(const gos_equations *eq, const gos_equations_point *at) {
    return at->state->sys == eq->sys
               ? GOS_OK
               : gos__fail(eq->ctx, GOS_E_USE, "the state belongs to another system");
}

gos_status gos_equations_residual(gos_equations *eq, const gos_equations_point *at, double *r) {
    const gos_system *s = eq->sys;
    GOS_TRY(check(eq, at));
    const gos_point_of x = begin(eq, at);
    const gos_residual out = gos__residual_of(s, r);
    if (gos__residual(eq->w, &x, &out, NULL) != GOS_OK) {
        return gos__fail(eq->ctx, GOS_E_NONFINITE,
                         "forces, heat or constraints are not finite at t = %g s", at->t);
    }
    return GOS_OK;
}

gos_status gos_equations_jacobian(gos_equations *eq, const gos_equations_point *at, double by_rate,
                                  double by_acceleration, gos_equations_matrix *J) {
    const gos_pattern *pattern = &eq->sys->pattern;
    GOS_TRY(check(eq, at));
    const gos_point_of x = begin(eq, at);
    const gos_newton_factors f = {.m = by_acceleration,
                                  .k = 1,
                                  .d = by_rate,
                                  .cm = by_rate,
                                  .ck = 1,
                                  .cd = by_rate,
                                  .lam = 1,
                                  .lamT = 1};
    gos__jacobian(eq->w, &x, &f);
    *J = (gos_equations_matrix){pattern->n, pattern->p, pattern->i, eq->w->values};
    return GOS_OK;
}
