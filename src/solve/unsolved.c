/* Steps that have no solution: what to say of them. */
#include <math.h>

#include "solve/consistent.h"
#include "solve/generalised_alpha.h"
#include "solve/nonfinite.h"

/* coordinate with the largest correction of the last iteration */
static void name_worst(const gos_alpha *g, char *name, size_t size) {
    double worst = 0;
    int at = 0;
    for (int i = 0; i < g->sys->nq; i++) {
        if (!(fabs(g->r[i]) <= worst)) {
            worst = fabs(g->r[i]);
            at = i;
        }
    }
    gos__name_unknown(g->sys, at, name, size);
}

gos_status gos__alpha_not_kept(gos_alpha *g, double h, double t_eval) {
    gos_point_of start = gos__state_point(g->x0, t_eval);
    char name[128] = "", what[64], more[128];
    name_worst(g, name, sizeof name);
    gos_state_copy(g->x, g->x0);
    (void)gos__format(what, sizeof what, "no solution of the step at t = %.9g s", g->x0->t);
    GOS_TRY(gos__growing(g->ctx, g->sys, g->t_start, g->x0->t, what));
    GOS_TRY(gos__nonfinite(g->ctx, g->w, &start));
    (void)gos__exploded(g->sys, g->x0->q, more, sizeof more);
    return gos__fail(
        g->ctx, GOS_E_DIVERGED,
        "no solution of the fixed step of %.6g s at t = %.9g s: Newton's iteration does "
        "not converge, its largest correction is at %s%s. Take a smaller `step`, or "
        "leave it out for error control",
        h, g->x0->t, name, more);
}

/* t_eval: time of the functions of time in the last attempt. A function that has grown is the cause whether
   or not the last attempt met numbers that are not finite: near a pole that is a matter of rounding, and
   rates are lost before values, as differences reach beyond it. */
gos_status gos__alpha_give_up(gos_alpha *g, double h, double t_eval) {
    const gos_point_of tried = gos__state_point(g->x, t_eval);
    char what[64];
    (void)gos__format(what, sizeof what, "no solution of the step at t = %.9g s", g->x0->t);
    gos_status cause = gos__growing(g->ctx, g->sys, g->t_start, g->x0->t, what);
    cause = cause == GOS_OK ? gos__nonfinite(g->ctx, g->w, &tried) : cause;
    gos_state_copy(g->x, g->x0);
    GOS_TRY(cause);
    char name[128] = "";
    name_worst(g, name, sizeof name);
    return gos__fail(
        g->ctx, GOS_E_DIVERGED,
        "no solution of the step at t = %.9g s even with %.3g s; the largest correction is "
        "at %s. Refine the mesh there, or soften loads that jump",
        g->x->t, h, name);
}
