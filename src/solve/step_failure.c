/* Messages for steps without a solution. */
#include "solve/step_failure.h"

#include <math.h>

#include "solve/consistent.h"
#include "system/derived.h"
#include "constraints/row_rank.h"
#include "system/assemble.h"

/* Finds the cause of nonfinite values, most specific first: a time function, a diverged
 * coordinate, a heat entry, an element, a joint or load. */

#define REPORTED_GROWTH 1e4 // growth of a time function that is reported
#define SAMPLES 200
#define LARGE 1e6 // coordinates relative to the extent that count as diverged

static int first_nonfinite(const double *x, int n) {
    for (int i = 0; x && i < n; i++) {
        if (!isfinite(x[i])) {
            return i;
        }
    }
    return -1;
}

static gos_status check_function(gos_ctx *ctx, const gos_timefn *fn, double v, const char *what,
                                 double t) {
    if (isfinite(v)) {
        return GOS_OK;
    }
    const char *object;
    const gos_loc loc = gos__timefn_location(fn, &object);
    return gos__fail_at(
        ctx, GOS_E_NONFINITE, loc, object,
        "the %s of this function of time is %s at t = %.9g s; it must be finite over the whole run",
        what, isnan(v) ? "not a number" : "infinite", t);
}

/* values of all; rates only for constraints */
static gos_status check_functions(gos_ctx *ctx, const gos_work *w, double t) {
    const gos_system *s = w->sys;
    for (int i = 0; i < s->nfn; i++) {
        GOS_TRY(check_function(ctx, s->fn[i], w->fn[i], "value", t));
    }
    for (int k = 0; k < s->nitem; k++) {
        const gos_item *it = s->item[k];
        for (int i = it->fn0; i < it->fn0 + it->nfn && it->nc + it->nh > 0; i++) {
            GOS_TRY(check_function(ctx, s->fn[i], w->fnd[i], "rate", t));
            GOS_TRY(check_function(ctx, s->fn[i], w->fndd[i], "second derivative", t));
        }
    }
    return GOS_OK;
}

/* Growth of a function, or of its second derivative, at t relative to t_start .. t. */
static double growth_of(const gos_timefn *fn, bool second, double t_start, double t, double *now) {
    double before = 0;
    for (int k = 0; k <= SAMPLES + 1; k++) {
        const double at = k > SAMPLES ? t : t_start + 0.9 * (t - t_start) * k / SAMPLES;
        double d2, v = gos__timefn_eval(fn, at, NULL, second ? &d2 : NULL);
        *now = second ? d2 : v;
        before = k > SAMPLES ? before : fmax(before, fabs(*now));
    }
    return before > 0 ? fabs(*now) / before : 0;
}

typedef struct growing {
    int fn; // -1: none
    bool second;
    double factor, value;
} growing;

static void consider(const gos_system *s, int fn, bool second, double t_start, double t,
                     growing *most) {
    double now;
    const double factor = growth_of(s->fn[fn], second, t_start, t, &now);
    if (factor > most->factor) {
        *most = (growing){fn, second, factor, now};
    }
}

gos_status gos__growing(gos_ctx *ctx, const gos_system *s, double t_start, double t,
                        const char *what) {
    growing most = {.fn = -1, .factor = REPORTED_GROWTH};
    for (int i = 0; i < s->nfn; i++) {
        consider(s, i, false, t_start, t, &most);
    }
    for (int k = 0; k < s->nitem; k++) { // only constraints need accelerations
        const gos_item *it = s->item[k];
        for (int i = it->fn0; i < it->fn0 + it->nfn && it->nc > 0; i++) {
            consider(s, i, true, t_start, t, &most);
        }
    }
    if (most.fn < 0) {
        return GOS_OK;
    }
    const char *object;
    const gos_loc loc = gos__timefn_location(s->fn[most.fn], &object);
    return gos__fail_at(ctx, GOS_E_DIVERGED, loc, object,
                        "%s, where %s of this function of time reaches %.3g; it must be finite "
                        "over the whole run",
                        what, most.second ? "the second derivative" : "the value", most.value);
}

static gos_status check_coordinates(gos_ctx *ctx, const gos_system *s, const gos_point_of *x) {
    const double *const motion[] = {x->q, x->v, x->a};
    int i = -1;
    for (int k = 0; k < GOS_COUNT(motion) && i < 0; k++) {
        i = first_nonfinite(motion[k], s->nq);
    }
    if (i < 0) {
        i = first_nonfinite(x->th, s->nt);
        i = i < 0 ? first_nonfinite(x->thd, s->nt) : i;
        i = i < 0 ? -1 : s->at.th + i;
    }
    if (i < 0) {
        return GOS_OK;
    }
    char name[128];
    gos__name_unknown(s, i, name, sizeof name);
    return gos__fail(
        ctx, GOS_E_NONFINITE,
        "the coordinates are not finite at t = %.9g s, first at %s; take smaller steps or a "
        "smaller tolerance",
        x->t, name);
}

bool gos__exploded(const gos_system *s, const double *q, char *buf, size_t size) {
    double most = 0;
    for (int i = 0; i < s->nq; i++) {
        most = fmax(most, fabs(q[i]));
    }
    buf[0] = '\0';
    if (most > LARGE * s->extent) {
        (void)gos__format(buf, size, "; the solution has diverged, with coordinates up to %.3g",
                          most);
    }
    return buf[0] != '\0';
}

/* Are point forces finite with a subset of their heat sources? */
static bool finite_points(gos_work *w, const gos_points *p, const gos_point_of *x, int first,
                          int nsurf) {
    const gos_system *s = w->sys;
    double *heat = w->wv + s->at.th;
    gos_points some = *p;
    some.surf = p->surf ? p->surf + first : NULL;
    some.nsurf = nsurf;
    memset(w->wv, 0, s->nstate * sizeof(double));
    const gos_points_sum sum = {.e = x->q,
                                .v = x->v,
                                .th = x->th,
                                .mem = gos__memory_of(s, x),
                                .t = x->t,
                                .fn = w->fn,
                                .scale = x->scale,
                                .Q = w->wv,
                                .R = s->nt ? heat : NULL};
    gos__points_residual(&some, &sum, w->points);
    return first_nonfinite(w->wv, s->at.lam) < 0;
}

static int worst_element(const gos_work *w, const gos_points *p) {
    int worst = 0, most = 0;
    for (int e = 0; e < p->ne; e++) {
        const int ib = e / GOS_LANES, l = e % GOS_LANES;
        int bad = 0;
        for (int i = 0; i < p->nv; i++) {
            bad += first_nonfinite(w->wv + 3 * p->v[(ib * p->nv + i) * GOS_LANES + l], 3) >= 0;
        }
        for (int i = 0; i < p->nt * p->nfam; i++) {
            const int th = p->th[(ib * p->nt * p->nfam + i) * GOS_LANES + l];
            bad += !isfinite(w->wv[w->sys->at.th + th]);
        }
        if (bad > most) {
            most = bad;
            worst = e;
        }
    }
    return worst;
}

static gos_status blame_body(gos_ctx *ctx, const gos_work *w, const gos_points *p,
                             const gos_point_of *x) {
    const gos_body *body = w->sys->body[p->body];
    const bool heat_only = first_nonfinite(w->wv, w->sys->nq) < 0;
    char object[GOS_LIMIT_NAME + 16], more[128], element[64] = "its";
    (void)snprintf(object, sizeof object, "body '%s'", body->name);
    if (!p->dense) {
        (void)snprintf(element, sizeof element, "element %d (of 0..%d): the", worst_element(w, p),
                       p->ne - 1);
    }
    (void)gos__exploded(w->sys, x->q, more, sizeof more);
    return gos__fail_at(ctx, GOS_E_NONFINITE, body->loc, object,
                        "%s %s is not finite at t = %.9g s%s; take smaller steps or a smaller "
                        "tolerance, and check material and loads",
                        element, heat_only ? "heat" : "internal force", x->t, more);
}

static gos_status check_bodies(gos_ctx *ctx, gos_work *w, const gos_point_of *x) {
    for (int i = 0; i < w->sys->npoints; i++) {
        const gos_points *p = w->sys->points[i];
        if (finite_points(w, p, x, 0, p->nsurf)) {
            continue;
        }
        if (!finite_points(w, p, x, 0, 0)) {
            return blame_body(ctx, w, p, x);
        }
        for (int k = 0; k < p->nsurf; k++) {
            char object[GOS_LIMIT_NAME + 16];
            (void)snprintf(object, sizeof object, "heat '%s'", p->surf[k].name);
            if (!finite_points(w, p, x, k, 1)) {
                return gos__fail_at(
                    ctx, GOS_E_NONFINITE, (gos_loc){0}, object,
                    "its heat is not finite at t = %.9g s, on element %d (of 0..%d) of "
                    "body '%s'; take smaller steps or a smaller tolerance",
                    x->t, worst_element(w, p), p->ne - 1, w->sys->body[p->body]->name);
            }
        }
    }
    return GOS_OK;
}

static gos_status check_items(gos_ctx *ctx, gos_work *w, const gos_point_of *x) {
    for (int i = 0; i < w->sys->nitem; i++) {
        const gos_item *it = w->sys->item[i];
        const char *what = gos__item_nonfinite(w, it, x);
        if (what) {
            char more[128];
            (void)gos__exploded(w->sys, x->q, more, sizeof more);
            return gos__fail_at(
                ctx, GOS_E_NONFINITE, it->loc, it->name,
                "its %s is not finite at t = %.9g s%s; take smaller steps or a smaller tolerance, "
                "and check its values",
                what, x->t, more);
        }
    }
    return GOS_OK;
}

gos_status gos__nonfinite(gos_ctx *ctx, gos_work *w, const gos_point_of *x) {
    gos__work_time(w, x->t);
    GOS_TRY(check_functions(ctx, w, x->t));
    GOS_TRY(check_coordinates(ctx, w->sys, x));
    GOS_TRY(check_bodies(ctx, w, x));
    return check_items(ctx, w, x);
}

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
    const gos_floating *b = gos__derived_indefinite(ctx, w, q);
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

/* Diverging time functions are reported first, even without nonfinite values: near a pole these
 * depend on rounding, and rates fail first because differences reach beyond it. */
gos_status gos__step_failure(gos_ctx *ctx, gos_work *w, const gos_attempt *a) {
    char what[64], name[128] = "", mass[400], more[128];
    name_worst(w->sys, a->correction, name, sizeof name);
    (void)gos__format(what, sizeof what, "no solution of the step at t = %.9g s", a->t);
    GOS_TRY(gos__growing(ctx, w->sys, a->t_start, a->t, what));
    GOS_TRY(gos__nonfinite(ctx, w, a->tried));
    if (a->fixed) {
        (void)gos__exploded(w->sys, a->tried->q, more, sizeof more);
        return gos__fail(
            ctx, GOS_E_DIVERGED,
            "no solution of the fixed step of %.6g s at t = %.9g s: Newton's iteration "
            "does not converge, its largest correction is at %s%s. Use a smaller "
            "`step`, or remove it to use error control",
            a->h, a->t, name, more);
    }
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
