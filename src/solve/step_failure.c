/* Messages for steps without a solution. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "solve/nonfinite.h"
#include "solve/step_failure.h"
#include "system/made.h"
#include "constraints/singular_rows.h"

static void name_worst(const gos_system *s, const double *d, char *name, size_t size) {
    double worst = 0;
    int at = 0;
    for (int i = 0; i < s->nq; i++) {
        if (!(fabs(d[i]) <= worst)) {
            worst = fabs(d[i]);
            at = i;
        }
    }
    gos__name_unknown(s, at, name, size);
}

/* A sentence on a floating body with an indefinite mass matrix, or nothing. */
static void name_floating(gos_ctx *ctx, gos_work *w, const double *q, char *text, size_t size) {
    const gos_floating *b = gos__made_indefinite(ctx, w, q);
    text[0] = '\0';
    if (b) {
        (void)gos__format(
            text, size,
            ". The mass matrix of %s is not positive definite there: with `coupling: first` its "
            "frame must follow points that have inertia or are constrained (`reference: chord` "
            "for a beam on hinges). Otherwise use `shortening_inertia: whole` for beams, or "
            "`coupling: zeroth`",
            b->name);
    }
}

gos_status gos__alpha_not_kept(gos_alpha *g, double h, double t_eval) {
    gos_point_of start = gos__state_point(g->x0, t_eval);
    char name[128] = "", what[64], more[128];
    name_worst(g->sys, g->r, name, sizeof name);
    gos_state_copy(g->x, g->x0);
    (void)gos__format(what, sizeof what, "no solution of the step at t = %.9g s", g->x0->t);
    GOS_TRY(gos__growing(g->ctx, g->sys, g->t_start, g->x0->t, what));
    GOS_TRY(gos__nonfinite(g->ctx, g->w, &start));
    (void)gos__exploded(g->sys, g->x0->q, more, sizeof more);
    return gos__fail(g->ctx, GOS_E_DIVERGED,
                     "no solution of the fixed step of %.6g s at t = %.9g s: Newton's iteration "
                     "does not converge, its largest correction is at %s%s. Use a smaller `step`, "
                     "or remove it to use error control",
                     h, g->x0->t, name, more);
}

/* Diverging time functions are reported first, even without nonfinite values: near a pole these
 * depend on rounding, and rates fail first because differences reach beyond it. */
gos_status gos__step_failure(gos_ctx *ctx, gos_work *w, const gos_attempt *a) {
    char what[64], name[128] = "", mass[400];
    (void)gos__format(what, sizeof what, "no solution of the step at t = %.9g s", a->t);
    GOS_TRY(gos__growing(ctx, w->sys, a->t_start, a->t, what));
    GOS_TRY(gos__nonfinite(ctx, w, a->tried));
    name_worst(w->sys, a->correction, name, sizeof name);
    name_floating(ctx, w, a->tried->q, mass, sizeof mass);
    const gos_item *joint = gos__singular_joint(ctx, w->sys, a->tried);
    if (joint && !mass[0]) {
        return gos__fail(
            ctx, GOS_E_DIVERGED,
            "no solution of the step at t = %.9g s even with %.3g s: the mechanism is in a "
            "singular position, where the constraints of %s depend on those of other joints and "
            "the motion can branch. Use another tolerance or integrator (radau) to step over it, "
            "or change a joint to select the branch",
            a->t, a->h, joint->name);
    }
    return gos__fail(
        ctx, GOS_E_DIVERGED,
        "no solution of the step at t = %.9g s even with %.3g s; the largest correction is "
        "at %s%s",
        a->t, a->h, name, mass[0] ? mass : ". Refine the mesh there, or smooth loads that jump");
}

gos_status gos__alpha_give_up(gos_alpha *g, double h, double t_eval) {
    const gos_point_of tried = gos__state_point(g->x, t_eval);
    const gos_status status =
        gos__step_failure(g->ctx, g->w, &(gos_attempt){g->t_start, g->x0->t, h, &tried, g->r});
    gos_state_copy(g->x, g->x0);
    return status;
}
