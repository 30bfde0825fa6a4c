/* See step_budget.h. */
#include "solve/step_budget.h"

#include <math.h>

#include "solve/consistent.h"
#include "solve/nonfinite.h"

void gos__step_budget_note(gos_step_budget *p, double t) {
    if (++p->steps % GOS_PACE_STEPS == 0) {
        p->passed = t - p->mark;
        p->mark = t;
    }
}

static void reason(const gos_options *o, const gos_state *x, char *buf, size_t size) {
    const gos_system *s = x->sys;
    char name[128];
    if (gos__exploded(s, x->q, buf, size)) {
        return;
    }
    if (o->step > 0) {
        (void)gos__format(buf, size, "; use a larger step");
        return;
    }
    int fastest = -1;
    for (int i = 0; i < s->nq; i++) {
        fastest = fastest < 0 || fabs(x->a[i]) > fabs(x->a[fastest]) ? i : fastest;
    }
    if (fastest >= 0) {
        gos__name_unknown(s, fastest, name, sizeof name);
        (void)gos__format(buf, size,
                          "; the largest acceleration is at %s. Check for unstable motion, or "
                          "increase the tolerance",
                          name);
    } else {
        (void)gos__format(buf, size, "; increase the tolerance");
    }
}

gos_status gos__step_budget_check(const gos_step_budget *p, gos_ctx *ctx, const gos_options *o,
                                  double t_start, const gos_state *x) {
    const double most = o->max_steps > 0 ? o->max_steps : GOS_LIMIT_STEPS;
    const double left = o->end - x->t;
    const bool known = p->steps >= GOS_PACE_FIRST && p->steps % GOS_PACE_STEPS == 0;
    const double needed =
        (double)p->steps + (known ? fmax(GOS_PACE_STEPS * left / p->passed, 0) : 0);
    // margin for rounding of the rate with fixed steps
    if ((double)p->steps < most && needed <= most * (1 + 1e-6)) {
        return GOS_OK;
    }
    char at[160], why[256] = "";
    (void)gos__format(at, sizeof at,
                      "stopped at t = %.9g s after %ld steps: about %.4g steps are needed to "
                      "reach %.6g s, but at most %.6g are allowed (max_steps)",
                      x->t, p->steps, fmax(needed, (double)p->steps + 1), o->end, most);
    GOS_TRY(gos__growing(ctx, x->sys, t_start, x->t, at));
    reason(o, x, why, sizeof why);
    return gos__fail(ctx, GOS_E_LIMIT, "%s%s", at, why);
}
