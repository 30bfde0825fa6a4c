/* Switching times: user-supplied breaks, ends of ramps, corners of tables, and changes of branch
 * of a comparison, abs, floor ... of an expression, found by scanning the recorded branches and
 * bisecting to the last bit. */
#include "model/timefn.h"

#include <math.h>

#include "model/private.h"

/* times before `first` existed on entry */
typedef struct finder {
    gos_ctx *ctx;
    const gos_timefn *fn;
    gos_evaluator *e;
    double *before, *now; // branches at the last and current point (nstate)
    double t0, t1;
    double *times;
    int first, n, cap;
} finder;

static gos_status add_time(finder *f, double t) {
    // ignore switches at the ends of the interval
    const double margin = 1e-14 * fmax(fabs(f->t0), fmax(fabs(f->t1), f->t1 - f->t0));
    if (!(t > f->t0 + margin && t < f->t1 - margin)) {
        return GOS_OK;
    }
    if (f->n >= f->cap) {
        return gos__fail_at(f->ctx, GOS_E_LIMIT, f->fn->loc, f->fn->object,
                            "the function of time switches more than %d times between %g s and %g "
                            "s; use a smoother function, or a table",
                            f->cap - f->first, f->t0, f->t1);
    }
    f->times[f->n++] = t;
    return GOS_OK;
}

/* not equidistant, so that a periodic function cannot alias */
static double scan_time(const finder *f, int i, int n) {
    if (i == 0 || i == n) {
        return i == 0 ? f->t0 : f->t1;
    }
    double golden = 0.6180339887498949 * i;
    golden -= floor(golden);
    return f->t0 + (f->t1 - f->t0) * ((i + 0.5 * (golden - 0.5)) / n);
}

static bool differs(double a, double b) {
    return !(a == b) && !(isnan(a) && isnan(b));
}

static void branches_at(const finder *f, double t) {
    (void)gos__evaluator_value(f->e, t);
    memcpy(f->now, gos__evaluator_branches(f->e)->state,
           gos__expr_branches(f->fn->expr) * sizeof *f->now);
}

/* first time in (a, b] where switch k leaves its branch at a */
static double bisect(const finder *f, int k, double a, double b, double branch) {
    const double enough = 1e-18 * (f->t1 - f->t0);
    while (b - a > enough) {
        const double mid = a + 0.5 * (b - a);
        if (!(mid > a && mid < b)) {
            break;
        }
        branches_at(f, mid);
        if (differs(f->now[k], branch)) {
            b = mid;
        } else {
            a = mid;
        }
    }
    return b;
}

/* switches between points with the branches `before` and `now` */
static gos_status locate(finder *f, double a, double b) {
    for (int k = 0; k < gos__expr_branches(f->fn->expr); k++) {
        if (differs(f->now[k], f->before[k])) {
            GOS_TRY(add_time(f, bisect(f, k, a, b, f->before[k])));
            branches_at(f, b);
        }
    }
    return GOS_OK;
}

static gos_status scan(finder *f, int n, bool add, long *count) {
    const int nstate = gos__expr_branches(f->fn->expr);
    double before = f->t0;
    *count = 0;
    for (int i = 0; i <= n; i++) {
        const double t = scan_time(f, i, n);
        branches_at(f, t);
        for (int k = 0; k < nstate && i > 0; k++) {
            *count += differs(f->now[k], f->before[k]);
        }
        if (add && i > 0) {
            GOS_TRY(locate(f, before, t));
        }
        memcpy(f->before, f->now, nstate * sizeof(*f->now));
        before = t;
    }
    return GOS_OK;
}

static gos_status scan_finely(finder *f) {
    // bound points times text length
    const int max = (1 << 24) / (f->fn->length + 16);
    int n = GOS_TIMEFN_SCAN;
    long count, finer;
    GOS_TRY(scan(f, n, false, &count));
    while (2 * n <= max) {
        n *= 2;
        GOS_TRY(scan(f, n, false, &finer));
        if (finer == count) {
            break;
        }
        count = finer;
    }
    return count == 0 ? GOS_OK : scan(f, n, true, &count);
}

static gos_status find_switches(finder *f) {
    const size_t n = gos__expr_branches(f->fn->expr);
    if (n == 0) {
        return GOS_OK;
    }
    f->before = gos__alloc(f->ctx, 2 * n, sizeof(*f->before));
    if (f->before == NULL) {
        return GOS_E_MEMORY;
    }
    f->now = f->before + n;
    gos_status status = gos__evaluator_create(f->ctx, f->fn->expr, &f->e);
    if (status == GOS_OK) { // false for NaN, with which comparisons never switch
        const char *const *name;
        const int nvariable = gos__expr_variables(f->fn->expr, &name);
        for (int i = 0; i < nvariable; i++) {
            gos__evaluator_variables(f->e)[i] = (double)NAN;
        }
        status = scan_finely(f);
    }
    gos__evaluator_destroy(f->e);
    gos__free(f->ctx, f->before);
    return status;
}

/* slope changes above a tenth of the steepest: corners, not samples of a smooth curve */
static gos_status find_corners(finder *f) {
    const gos_table *t = f->fn->table;
    double steepest = 0.0;
    for (int i = 0; i + 1 < t->n; i++) {
        steepest = fmax(steepest, fabs((t->y[i + 1] - t->y[i]) / (t->x[i + 1] - t->x[i])));
    }
    for (int i = 0; i < t->n; i++) {
        double before, after;
        gos__table_eval(t, t->x[i], true, &before, NULL);
        gos__table_eval(t, t->x[i], false, &after, NULL);
        if (fabs(after - before) > 0.1 * steepest) {
            GOS_TRY(add_time(f, t->x[i]));
        }
    }
    return GOS_OK;
}

/* a time step across a smooth ramp would miss it */
static gos_status find_ramps(finder *f) {
    const gos_shade *s = &f->fn->shade;
    for (int i = 0; i < 2 * s->n; i++) {
        GOS_TRY(add_time(f, s->window[i] - 0.5 * s->ramp));
        GOS_TRY(add_time(f, s->window[i] + 0.5 * s->ramp));
    }
    return GOS_OK;
}

/* edges of the penumbra, and of day below */
static gos_status find_edges(finder *f) {
    const gos_orbit *o = f->fn->orbit;
    const bool light = f->fn->quantity == GOS_ORBIT_LIGHT;
    double t = f->t0;
    while (light || f->fn->quantity == GOS_ORBIT_DAY) {
        t = light ? gos__orbit_next_edge(o, t, f->t1) : gos__orbit_next_dusk(o, t, f->t1);
        if (!(t < f->t1)) {
            break;
        }
        GOS_TRY(add_time(f, t));
    }
    return GOS_OK;
}

static int compare_times(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sort, and merge times that differ by rounding into the last, where all have switched */
static void tidy(finder *f) {
    double *t = f->times;
    qsort(t + f->first, f->n - f->first, sizeof(*t), compare_times);
    int n = f->first;
    for (int i = f->first; i < f->n; i++) {
        const bool same =
            n > f->first && t[i] - t[n - 1] <= 1e-14 * fmax(fabs(t[i]), f->t1 - f->t0);
        n -= same;
        t[n++] = t[i];
    }
    f->n = n;
}

gos_status gos__timefn_breaks(gos_ctx *ctx, const gos_timefn *fn, double t0, double t1,
                              double *times, int *n, int cap) {
    if (!(t1 > t0) || !isfinite(t1 - t0)) {
        return GOS_OK;
    }
    finder f = {
        .ctx = ctx, .fn = fn, .t0 = t0, .t1 = t1, .times = times, .first = *n, .n = *n, .cap = cap};
    for (int i = 0; i < fn->breaks.n; i++) {
        GOS_TRY(add_time(&f, fn->breaks.v[i]));
    }
    if (fn->kind == GOS_TIMEFN_EXPRESSION && !gos__timefn_timeless(fn)) {
        GOS_TRY(find_switches(&f));
    } else if (fn->kind == GOS_TIMEFN_TABLE) {
        GOS_TRY(find_corners(&f));
    } else if (fn->kind == GOS_TIMEFN_SHADE) {
        GOS_TRY(find_ramps(&f));
    } else if (fn->kind == GOS_TIMEFN_ORBIT) {
        GOS_TRY(find_edges(&f));
    }
    tidy(&f);
    *n = f.n;
    return GOS_OK;
}
