/* See stops.h. */
#include "events/stops.h"

#include <math.h>
#include <stdlib.h>

#include "signals/ports.h"
#include "model/timefn.h"

/* Functions are sampled over the run. A part is unusual if its second derivative is much larger
 * than the square of the mean of its root, to which narrow peaks contribute little. With height A
 * above its chord it gets the step h = sqrt(2 MAX_STEP_DEVIATION A / y''); for a Gaussian pulse
 * exp(-(t/w)^2) that is 0.2 w. Unresolved parts are sampled again more finely. A function that
 * varies fast everywhere has no unusual parts; error control resolves it. */

#define UNUSUAL 100             // times the usual value in the run
#define EDGE 1e-3               // end of a part, relative to its largest second derivative
#define MAX_STEP_DEVIATION 0.04 // deviation within a step relative to the height of a part, doubled
#define AROUND 8                // steps on both sides of a part
#define SMALLEST 1e-5           // smallest relevant height, relative to the range of the function
#define FULL 2e-4               // height from which parts are fully resolved, likewise
#define ROUNDING 1e-12          // relative to the function, in its second differences
#define FINE_SAMPLES 2048       // points of a refined sampling
#define UNRESOLVED 3            // sample spacings: shorter steps require refinement
#define SHORTEST 1e-8           // relative to the run
// largest step relative to the distance to a window, for the tails of pulses
#define APPROACH 0.75
#define MAX_WINDOW_STEPS 256   // steps in a window; error control takes over after them
#define MISSED_STEPS 5         // as a fixed step, this many steps miss a pulse
#define MIN_WARNED_HEIGHT 0.01 // smallest height for a warning, relative to the range
#define WINDOWS 10000
#define NO_TIME 1e-12 // relative to the run: offset for left and right limits

typedef struct look {
    gos_ctx *ctx;
    const gos_timefn *fn;
    gos_evaluator *e;
    gos_pulses *found;
    const double *breaks;
    int nbreaks;
    double t0, t1, most; // of the run; longest step
    double range;
    int index;
    int n;
    double *t, *y, *c; // times, values, second derivatives (n + 1)
    double least;      // smallest relevant second derivative
    bool closer;       // refined sampling
} look;

static gos_status add_window(look *l, int a, int b, double h, double height) {
    gos_pulses *f = l->found;
    const double begin = l->t[a] - AROUND * h, end = l->t[b] + AROUND * h;
    const gos_window w = {.begin = fmax(begin, l->t0),
                          .end = fmin(fmin(end, begin + MAX_WINDOW_STEPS * h), l->t1),
                          .h = h,
                          .height = height / l->range,
                          .fn = l->index};
    if (f->n >= WINDOWS) {
        return GOS_OK;
    }
    if (f->n >= f->cap) {
        const int cap = f->cap > 0 ? 2 * f->cap : 16;
        gos_window *more = gos__alloc(l->ctx, cap, sizeof *more);
        if (!more) {
            return GOS_E_MEMORY;
        }
        if (f->n > 0) {
            memcpy(more, f->window, f->n * sizeof *more);
        }
        gos__free(l->ctx, f->window);
        f->window = more;
        f->cap = cap;
    }
    f->window[f->n++] = w;
    return GOS_OK;
}

/* Sample values and second derivatives, except across switching times. */
static void sample(look *l) {
    const double *t = l->t;
    double *y = l->y;
    for (int i = 0; i <= l->n; i++) {
        // inside the run: a jump at one of its ends is no part of the function
        const double d = NO_TIME * (l->t1 - l->t0);
        const double at = fmin(fmax(t[i], l->t0 + d), l->t1 - d);
        y[i] = gos__timefn_eval_by(l->fn, l->e, at, NULL, NULL);
    }
    l->c[0] = l->c[l->n] = 0;
    for (int i = 1, b = 0; i < l->n; i++) {
        while (b < l->nbreaks && l->breaks[b] < t[i - 1]) {
            b++;
        }
        const bool across = b < l->nbreaks && l->breaks[b] <= t[i + 1];
        const double c =
            2 * ((y[i + 1] - y[i]) / (t[i + 1] - t[i]) - (y[i] - y[i - 1]) / (t[i] - t[i - 1])) /
            (t[i + 1] - t[i - 1]);
        l->c[i] = across || !isfinite(c) ? 0 : fabs(c);
    }
}

static double unusual(const look *l) {
    double size = 0, sum = 0;
    for (int i = 0; i <= l->n; i++) {
        size = fmax(size, fabs(l->y[i]));
        sum += i > 0 ? sqrt(l->c[i]) * (l->t[i] - l->t[i - 1]) : 0;
    }
    const double span = l->t[l->n] - l->t[0], d = span / l->n, usual = sum / span;
    return UNUSUAL * (usual * usual + ROUNDING * size / (d * d));
}

/* Largest deviation from the chord between two samples. */
static double bulge(const look *l, int i0, int i1) {
    const double slope = (l->y[i1] - l->y[i0]) / (l->t[i1] - l->t[i0]);
    double most = 0;
    for (int i = i0; i <= i1; i++) {
        most = fmax(most, fabs(l->y[i] - l->y[i0] - slope * (l->t[i] - l->t[i0])));
    }
    return most;
}

/* Last sample of the part of `peak` in direction `way`; the second derivative may pass through
 * zero. */
static int edge(const look *l, int peak, int way, int limit) {
    int last = peak;
    for (int i = peak; i != limit; i += way) {
        if (l->c[i] >= EDGE * l->c[peak]) {
            last = i;
        } else if (abs(i - last) > 2 + abs(last - peak) / 2) {
            break;
        }
    }
    return last;
}

static gos_status look_closer(const look *l, int i0, int i1);

/* Unusual parts between two samples: the largest, then those on both sides. */
static gos_status find_parts(look *l, int from, int to) {
    int peak = from;
    for (int i = from; i <= to; i++) {
        peak = l->c[i] > l->c[peak] ? i : peak;
    }
    if (to < from || !(l->c[peak] > l->least) || l->found->n >= WINDOWS) {
        return GOS_OK;
    }
    const int i0 = edge(l, peak, -1, from - 1), i1 = edge(l, peak, 1, to + 1);
    const int a = i0 - 1, b = i1 + 1; // the ends of a sampling have no second derivative
    const double height = bulge(l, a, b), span = l->t1 - l->t0;
    const double followed = fmax(height, FULL * l->range);
    const double h = fmax(SHORTEST * span, sqrt(2 * MAX_STEP_DEVIATION * followed / l->c[peak]));
    const double spacing = (l->t[b] - l->t[a]) / (b - a);
    const double *points;
    if (height <= SMALLEST * l->range || h >= l->most) {
        // no step can miss it
    } else if (h < UNRESOLVED * spacing && !l->closer && gos__timefn_points(l->fn, &points) == 0) {
        GOS_TRY(look_closer(l, a, b));
    } else {
        GOS_TRY(add_window(l, a, b, h, height));
    }
    GOS_TRY(find_parts(l, from, i0 - 1));
    return find_parts(l, i1 + 1, to);
}

static gos_status allocate(look *l) {
    const size_t n = l->n + 1L;
    l->t = gos__alloc(l->ctx, 3 * n, sizeof *l->t);
    l->y = l->t ? l->t + n : NULL;
    l->c = l->t ? l->y + n : NULL;
    return l->t ? GOS_OK : GOS_E_MEMORY;
}

static void spread(look *l, double t0, double t1) {
    for (int i = 0; i <= l->n; i++) {
        l->t[i] = i < l->n ? t0 + (t1 - t0) * i / l->n : t1;
    }
}

static gos_status look_closer(const look *l, int i0, int i1) {
    look near = *l;
    const int a = i0 > 1 ? i0 - 2 : 0, b = i1 < l->n - 1 ? i1 + 2 : l->n;
    near.n = FINE_SAMPLES;
    near.closer = true;
    GOS_TRY(allocate(&near));
    spread(&near, l->t[a], l->t[b]);
    sample(&near);
    double largest = 0;
    for (int i = 0; i <= near.n; i++) {
        largest = fmax(largest, near.c[i]);
    }
    near.least = EDGE * largest;
    const gos_status status = find_parts(&near, 1, near.n - 1);
    gos__free(l->ctx, near.t);
    return status;
}

/* Times of the first sampling; for linear tables their points, which contain all kinks. */
static gos_status choose_times(look *l) {
    const double *points;
    const int n = gos__timefn_points(l->fn, &points);
    int first = 0, last = n;
    while (first < n && points[first] <= l->t0) {
        first++;
    }
    while (last > first && points[last - 1] >= l->t1) {
        last--;
    }
    l->n = n > 0 ? last - first + 1 : GOS_NARROW_POINTS;
    GOS_TRY(allocate(l));
    if (n == 0) {
        spread(l, l->t0, l->t1);
        return GOS_OK;
    }
    l->t[0] = l->t0;
    for (int i = first; i < last; i++) {
        l->t[1 + i - first] = points[i];
    }
    l->t[l->n] = l->t1;
    return GOS_OK;
}

static gos_status look_at(look *l) {
    GOS_TRY(gos__timefn_evaluator(l->ctx, l->fn, &l->e));
    gos_status status = choose_times(l);
    if (status == GOS_OK) {
        sample(l);
        l->least = unusual(l);
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i <= l->n; i++) {
            low = fmin(low, l->y[i]);
            high = fmax(high, l->y[i]);
        }
        l->range = high - low;
        status = find_parts(l, 1, l->n - 1);
    }
    gos__free(l->ctx, l->t);
    gos__evaluator_destroy(l->e);
    return status;
}

static int compare_windows(const void *a, const void *b) {
    const gos_window *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                : (x->end > y->end) - (x->end < y->end);
}

/* Warns, because fixed steps are not shortened. */
static void warn(gos_ctx *ctx, const gos_system *sys, const gos_pulses *f, double step) {
    const gos_window *w = NULL;
    for (int i = 0; i < f->n; i++) {
        const gos_window *k = &f->window[i];
        w = k->height > MIN_WARNED_HEIGHT && (!w || k->h < w->h) ? k : w;
    }
    if (w && step > MISSED_STEPS * w->h) {
        const char *object;
        const gos_loc loc = gos__timefn_location(sys->fn[w->fn], &object);
        gos__warn(ctx, loc, object ? object : "analysis",
                  "changes within about %.2g s near t = %.6g s, which fixed steps of %.3g s would "
                  "miss; use steps of at most %.2g s, or remove `step` to use error control",
                  2 * MISSED_STEPS * w->h, 0.5 * (w->begin + w->end), step,
                  0.5 * MISSED_STEPS * w->h);
    }
}

static void pulses_free(gos_ctx *ctx, gos_pulses *narrow) {
    gos__free(ctx, narrow->window);
    *narrow = (gos_pulses){0};
}

/* Search all time functions of a system between t0 and t1. breaks (nbreaks, ascending): switching
 * times, where steps end anyway. most: longest step of the run [s]; longer pulses are ignored.
 * step: fixed step [s], or 0; missed pulses cause a warning. Free with pulses_free. */
static gos_status pulses_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1,
                              const double *breaks, int nbreaks, double most, double step,
                              gos_pulses *narrow) {
    *narrow = (gos_pulses){0};
    for (int i = 0; i < sys->nfn; i++) {
        const double *points;
        if (gos__timefn_points(sys->fn[i], &points) < 0 || most <= SHORTEST * (t1 - t0)) {
            continue;
        }
        look l = {.ctx = ctx,
                  .fn = sys->fn[i],
                  .found = narrow,
                  .breaks = breaks,
                  .nbreaks = nbreaks,
                  .t0 = t0,
                  .t1 = t1,
                  .most = step > 0 ? step : most,
                  .index = i};
        GOS_TRY(look_at(&l));
    }
    if (narrow->n > 0) {
        qsort(narrow->window, narrow->n, sizeof *narrow->window, compare_windows);
    }
    if (step > 0) {
        warn(ctx, sys, narrow, step);
        pulses_free(ctx, narrow);
    }
    return GOS_OK;
}

/* Windows start at least half a step ahead: tiny steps leave no digits in rates. */
static bool ahead(const gos_window *w, double t) {
    return w->begin - t > 0.5 * w->h;
}

/* Latest end of a step from t: `stop`, or the start of the next window [s]. */
static double pulses_stop(gos_pulses *f, double t, double stop) {
    while (f->first < f->n && f->window[f->first].end <= t) {
        f->first++;
    }
    for (int i = f->first; i < f->n; i++) {
        const gos_window *w = &f->window[i];
        if (ahead(w, t)) {
            return stop - w->begin > 0.5 * w->h ? w->begin : stop;
        }
    }
    return stop;
}

double gos__pulses_step(const gos_pulses *f, double t, double h) {
    int i = f->first;
    for (; i < f->n && !ahead(&f->window[i], t); i++) {
        if (t < f->window[i].end) {
            h = fmin(h, f->window[i].h);
        }
    }
    const double way = i < f->n ? f->window[i].begin - t : HUGE_VAL;
    return i < f->n && (1 - APPROACH) * way > AROUND * f->window[i].h ? fmin(h, APPROACH * way) : h;
}

#define SAME_TIME 1e-11 // relative to the run: closer switches are merged
#define NEAR_END 1e-9   // relative to the run: tolerance around its end
#define JUMP 1e-9       // relative to the function: smallest jump, after subtracting slopes

static int compare_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Switching times of all functions between t0 and t1, into to. */
static gos_status collect(gos_ctx *ctx, const gos_system *sys, double t0, double t1, double *to,
                          int *n) {
    *n = 0;
    for (int i = 0; i < sys->nfn; i++) {
        GOS_TRY(gos__timefn_breaks(ctx, sys->fn[i], t0, t1, to, n, GOS_LIMIT_SWITCHES));
    }
    return GOS_OK;
}

static double size_of(const gos_stops *stops, const gos_timefn *fn) {
    enum { SAMPLES = 16 };
    double size = 0;
    for (int k = 0; k <= SAMPLES; k++) {
        const double t = stops->begin + (stops->end - stops->begin) * k / SAMPLES;
        size = fmax(size, fabs(gos__timefn_eval(fn, t, NULL, NULL)));
    }
    return size;
}

static gos_stop_kind kind_of(const gos_stops *stops, const gos_timefn *fn, double t, double size) {
    const double d = NO_TIME * (stops->end - stops->begin);
    double before, after;
    const double y0 = gos__timefn_eval(fn, t - d, &before, NULL);
    const double y1 = gos__timefn_eval(fn, t + d, &after, NULL);
    const double jump = fabs(y1 - y0 - d * (before + after));
    return jump <= JUMP * fmax(size, fmax(fabs(y0), fabs(y1))) ? GOS_STOP_KINK : GOS_STOP_JUMP;
}

/* Is the right limit of a drive's rate at t another value than that at t? */
static bool rates_jump_at(const gos_system *sys, const gos_stops *stops, double t) {
    const double d = NO_TIME * (stops->end - stops->begin);
    const char *const *variable;
    for (int i = 0; i < sys->ninput; i++) {
        const gos_timefn *f = sys->fn[sys->input[i].fn];
        if (sys->input[i].kind == GOS_INPUT_MOTION && !gos__timefn_constant(f) &&
            gos__timefn_variables(f, &variable) == 0) {
            double before, after, change;
            (void)gos__timefn_eval(f, t, &before, &change);
            (void)gos__timefn_eval(f, t + d, &after, &change);
            if (fabs(after - before - d * change) > JUMP * fmax(fabs(before), fabs(after))) {
                return true;
            }
        }
    }
    return false;
}

/* Is a function's right limit at t another value than that at t? */
static bool jumps_at(const gos_system *sys, const gos_stops *stops, double t) {
    const double d = NO_TIME * (stops->end - stops->begin);
    for (int i = 0; i < sys->nfn; i++) {
        const gos_timefn *f = sys->fn[i];
        const char *const *variable;
        if (gos__timefn_constant(f) || gos__timefn_variables(f, &variable) > 0) {
            continue;
        }
        double rate;
        const double y0 = gos__timefn_eval(f, t, NULL, NULL);
        const double y1 = gos__timefn_eval(f, t + d, &rate, NULL);
        const double size = fmax(size_of(stops, f), fmax(fabs(y0), fabs(y1)));
        if (fabs(y1 - y0 - d * rate) > JUMP * size) {
            return true;
        }
    }
    return false;
}

/* Jump of a function of time at t: between its limits, at the start of the run from its value. */
static bool value_jumps(const gos_stops *stops, const gos_timefn *f, double t, double *jump) {
    const double d = NO_TIME * (stops->end - stops->begin), from = t > stops->begin ? t - d : t;
    double rate;
    const double y0 = gos__timefn_eval(f, from, NULL, NULL);
    const double y1 = gos__timefn_eval(f, t + d, &rate, NULL);
    const double size = fmax(size_of(stops, f), fmax(fabs(y0), fabs(y1)));
    *jump = y1 - y0;
    return fabs(y1 - y0 - (t + d - from) * rate) > JUMP * size;
}

static gos_status refuse_jump(gos_ctx *ctx, const gos_system *sys, const gos_input *in, double t,
                              double jump) {
    const gos_item *it = NULL;
    for (int i = 0; i < sys->nitem; i++) {
        const int k = in->fn - sys->item[i]->fn0;
        it = k >= 0 && k < sys->item[i]->nfn && sys->item[i]->nc > 0 ? sys->item[i] : it;
    }
    return gos__fail_at(ctx, GOS_E_INPUT, it ? it->loc : (gos_loc){0}, it ? it->name : in->name,
                        "its prescribed motion jumps by %.6g %s at t = %.9g s, which requires an "
                        "infinite velocity; let it change over a finite time, for example as "
                        "%.6g*min(1, max(0, t - %.6g)/T), or use `motion: quasi_static`",
                        jump, in->unit, t, jump, t);
}

gos_status gos__stops_check_drives(gos_ctx *ctx, const gos_system *sys, const gos_stops *stops) {
    const char *const *variable;
    for (int i = 0; i < sys->ninput; i++) {
        const gos_input *in = &sys->input[i];
        const gos_timefn *f = sys->fn[in->fn];
        if (in->kind != GOS_INPUT_MOTION || gos__timefn_constant(f) ||
            gos__timefn_variables(f, &variable) > 0) {
            continue;
        }
        for (int k = -1; k < stops->n; k++) {
            const double t = k < 0 ? stops->begin : stops->at[k];
            double jump;
            if (value_jumps(stops, f, t, &jump)) {
                return refuse_jump(ctx, sys, in, t, jump);
            }
        }
    }
    return GOS_OK;
}

static void note_kinds(const gos_system *sys, gos_stops *stops, int n, int fn, bool drives) {
    const gos_timefn *f = sys->fn[fn];
    const char *const *variable;
    if (n == 0 || gos__timefn_constant(f)) {
        return;
    }
    // depends on other variables than time
    const bool varies = gos__timefn_variables(f, &variable) > 0;
    const double size = size_of(stops, f);
    for (int i = 0; i < n; i++) {
        const gos_stop_kind kind = drives   ? GOS_STOP_DRIVE
                                   : varies ? GOS_STOP_JUMP
                                            : kind_of(stops, f, stops->at[i], size);
        stops->kind[i] = kind > stops->kind[i] ? (unsigned char)kind : stops->kind[i];
    }
}

static gos_status find_kinds(gos_ctx *ctx, const gos_system *sys, gos_stops *stops, int n) {
    stops->kind = gos__zalloc(ctx, (size_t)n + 1, sizeof *stops->kind);
    if (!stops->kind) {
        return GOS_E_MEMORY;
    }
    for (int fn = 0; fn < sys->nfn; fn++) {
        note_kinds(sys, stops, n, fn, false);
    }
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        for (int fn = it->fn0; fn < it->fn0 + it->nfn && (it->nc > 0 || it->nh > 0); fn++) {
            note_kinds(sys, stops, n, fn, true);
        }
    }
    return GOS_OK;
}

gos_status gos__stops_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1, double most,
                           double step, gos_stops *stops) {
    const double span = t1 - t0;
    *stops = (gos_stops){.begin = t0, .end = t1};
    stops->at = gos__zalloc(ctx, GOS_LIMIT_SWITCHES + 1, sizeof *stops->at);
    if (!stops->at) {
        return GOS_E_MEMORY;
    }
    int found, n = 0;
    GOS_TRY(collect(ctx, sys, t1 - NEAR_END * span, t1 + NEAR_END * span, stops->at, &found));
    const bool at_end = found > 0;
    const double end = stops->at[0];
    GOS_TRY(collect(ctx, sys, t0, t1, stops->at, &found));
    qsort(stops->at, found, sizeof *stops->at, compare_double);
    const double last = t1 - NO_TIME * span;
    for (int i = 0; i < found && stops->at[i] < last; i++) {
        if (n == 0 || stops->at[i] - stops->at[n - 1] > SAME_TIME * span) {
            stops->at[n++] = stops->at[i];
        }
    }
    stops->n = n;
    stops->at[n] = end; // after the others
    GOS_TRY(find_kinds(ctx, sys, stops, at_end ? n + 1 : n));
    stops->at_begin = jumps_at(sys, stops, t0) || rates_jump_at(sys, stops, t0);
    stops->at_end = at_end && stops->kind[n] > GOS_STOP_KINK;
    return pulses_find(ctx, sys, t0, t1, stops->at, n, most, step, &stops->narrow);
}

void gos__stops_free(gos_ctx *ctx, gos_stops *stops) {
    gos__free(ctx, stops->at);
    gos__free(ctx, stops->kind);
    pulses_free(ctx, &stops->narrow);
}

double gos__stops_before(gos_stops *s, const gos_state *x, double t_end) {
    const double t = x->t;
    s->asked = x->sets > 0 ? t_end : (double)NAN;
    while (s->next < s->n && s->at[s->next] <= t * (1 + 1e-14)) {
        s->next++;
    }
    const double stop = s->next < s->n ? fmin(t_end, s->at[s->next]) : t_end;
    return s->narrow.n > 0 ? pulses_stop(&s->narrow, t, stop) : stop;
}

gos_stop_kind gos__stops_kind(const gos_stops *s, double t) {
    return s->next < s->n && t == s->at[s->next] ? s->kind[s->next] : GOS_STOP_NONE;
}

gos_stop_kind gos__stops_set(const gos_state *x) {
    const gos_system *s = x->sys;
    gos_stop_kind kind = GOS_STOP_NONE;
    for (int i = 0; i < s->ninput; i++) {
        const gos_input *in = &s->input[i];
        double before;
        if (!gos__held_before(x, in->fn, &before)) {
            continue;
        }
        const bool drives = in->kind == GOS_INPUT_MOTION || in->kind == GOS_INPUT_TEMPERATURE;
        const gos_stop_kind now = drives                            ? GOS_STOP_DRIVE
                                  : gos_state_input(x, i) == before ? GOS_STOP_KINK
                                                                    : GOS_STOP_JUMP;
        kind = now > kind ? now : kind;
    }
    return kind;
}

double gos__stops_left(const gos_stops *s, double t) {
    const bool jumps = gos__stops_kind(s, t) > GOS_STOP_KINK || (t >= s->end && s->at_end);
    return jumps ? t - NO_TIME * (s->end - s->begin) : t;
}

double gos__stops_right(const gos_stops *s, double t) {
    return t + NO_TIME * (s->end - s->begin);
}

double gos__stops_first(const gos_stops *s, double t) {
    return s->at_begin ? gos__stops_right(s, t) : t;
}
