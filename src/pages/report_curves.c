/* Time histories in a report. Curves keep minimum and maximum per time interval, so that peaks are
 * preserved. Differences use all stored values at the reference's times. */
#include <math.h>

#include "results/results_parts.h"
#include "pages/report.h"

/* ---- thinning -------------------------------------------------------------------------------- */

/* extremes of a time interval */
typedef struct span {
    long least, most; // -1: no finite value yet
    long odd;         // a non-finite value, for a gap in the curve
} span;

static void span_add(span *s, const double *v, long stride, long k) {
    const double x = v[k * stride];
    if (!isfinite(x)) {
        s->odd = k;
        return;
    }
    s->least = s->least < 0 || x < v[s->least * stride] ? k : s->least;
    s->most = s->most < 0 || x > v[s->most * stride] ? k : s->most;
}

static long span_end(span *s, long *keep, long n) {
    const long first = s->least < s->most ? s->least : s->most;
    const long second = s->least < s->most ? s->most : s->least;
    if (first >= 0) {
        keep[n++] = first;
    } else if (s->odd >= 0) {
        keep[n++] = s->odd;
    }
    if (second > first) {
        keep[n++] = second;
    }
    *s = (span){-1, -1, -1};
    return n;
}

long gos__thin_curve(const double *time, const double *v, long n, long stride, long limit,
                     long *keep) {
    long kept = 0;
    if (n <= limit) {
        for (long k = 0; k < n; k++) {
            keep[kept++] = k;
        }
        return kept;
    }
    const long spans = (limit - 2) / 2;
    const double first = time[0], length = time[n - 1] - first;
    long now = 0;
    span s = {-1, -1, -1};
    keep[kept++] = 0;
    for (long k = 1; k < n - 1; k++) {
        const double part = length > 0 ? (time[k] - first) / length : 0;
        const long here = (long)fmin((double)(spans - 1), part * (double)spans);
        if (here > now) {
            kept = span_end(&s, keep, kept);
            now = here;
        }
        span_add(&s, v, stride, k);
    }
    kept = span_end(&s, keep, kept);
    keep[kept++] = n - 1;
    return kept;
}

/* {"t": .., "v": ..}; without "t" if it uses the group's times */
static void put_curve(gos_page *p, const double *time, const double *v, long n, long stride,
                      long limit, long *keep) {
    const long kept = gos__thin_curve(time, v, n, stride, limit, keep);
    gos__page_open(p, NULL, '{');
    if (kept < n) {
        gos__page_floats(p, "t", time, 1, keep, kept);
    }
    gos__page_floats(p, "v", v, stride, keep, kept);
    gos__page_close(p, '}');
}

/* common times of a group, unless curves are thinned */
static void put_time(gos_page *p, const char *key, const double *time, long n, long limit) {
    if (n > 0 && n <= limit) {
        gos__page_floats(p, key, time, 1, NULL, n);
    }
}

/* ---- probes ---------------------------------------------------------------------------------- */

/* reference of a run, at times within the run */
typedef struct reference {
    gos_results *results; // NULL: none
    const double *time;   // (n), borrowed
    long from, n;         // rows
} reference;

static reference overlap(gos_results *run, gos_results *results) {
    gos_results_info info, info_r;
    reference r = {.results = results};
    if (!results) {
        return r;
    }
    gos_results_info_get(run, &info);
    gos_results_info_get(results, &info_r);
    const double *t = gos_results_time(run), *tr = gos_results_time(results);
    long from = 0, to = info.nrows > 0 ? info_r.nrows : 0;
    // two static runs have one state each
    const bool single = info.nrows == 1 && to == 1;
    const double end = info.nrows > 0 ? t[info.nrows - 1] : 0;
    while (!single && from < to && tr[from] < t[0]) {
        from++;
    }
    while (!single && to > from && tr[to - 1] > end + 1e-9 * fabs(end)) {
        to--;
    }
    r.time = tr + from;
    r.from = from;
    r.n = to - from;
    return r;
}

/* reference probe of the same quantity, or -1 */
static int counterpart(const gos_probe_info *probe, const reference *r) {
    gos_probe_info other;
    const int k = r->n > 0 ? gos_results_probe_find(r->results, probe->name) : -1;
    if (k < 0) {
        return -1;
    }
    gos_results_probe_info(r->results, k, &other);
    return other.ncomp == probe->ncomp && strcmp(other.quantity, probe->quantity) == 0 ? k : -1;
}

/* at the reference's times (n, ncomp) */
static gos_status measure(gos_arena *arena, gos_results *run, int i, const reference *r, int k,
                          double **difference) {
    gos_probe_info probe;
    gos_time_history history;
    gos_results_probe_info(run, i, &probe);
    const double *vr;
    GOS_TRY(gos__results_history(run, i, &history));
    GOS_TRY(gos_results_probe(r->results, k, &vr, NULL));
    double *d = GOS_NEW(arena, double, r->n *probe.ncomp);
    if (!d) {
        return GOS_E_MEMORY;
    }
    for (long row = 0; row < r->n; row++) {
        double y[GOS_PROBE_MAX];
        gos_time_history_at(&history, r->time[row], y);
        for (int c = 0; c < probe.ncomp; c++) {
            d[row * probe.ncomp + c] = y[c] - vr[(r->from + row) * probe.ncomp + c];
        }
    }
    *difference = d;
    return GOS_OK;
}

static void put_curves(gos_page *p, const char *key, const double *time, const double *v,
                       int ncurves, int width, long n, long limit, long *keep) {
    gos__page_open(p, key, '[');
    for (int c = 0; c < ncurves; c++) {
        put_curve(p, time, v + c, n, width, limit, keep);
    }
    gos__page_close(p, ']');
}

static gos_status put_probe(gos_page *p, gos_arena *arena, gos_results *run, int i,
                            const reference *r, long limit, long *keep) {
    gos_probe_info probe;
    gos_results_info info;
    const double *v;
    double *difference = NULL;
    gos_results_probe_info(run, i, &probe);
    gos_results_info_get(run, &info);
    GOS_TRY(gos_results_probe(run, i, &v, NULL));
    const int k = counterpart(&probe, r);
    if (k >= 0) {
        GOS_TRY(measure(arena, run, i, r, k, &difference));
    }
    gos__page_open(p, NULL, '{');
    gos__page_text(p, "name", probe.name);
    gos__page_text(p, "quantity", probe.quantity);
    gos__page_text(p, "unit", probe.unit);
    gos__page_open(p, "components", '[');
    for (int c = 0; c < probe.ncomp; c++) {
        char name[64];
        const bool open = info.nrows > 0 && isnan(v[c]); // undetermined reaction (NaN)
        gos__format(name, sizeof name, "%s%s", probe.components[c], open ? " (undetermined)" : "");
        gos__page_text(p, NULL, name);
    }
    gos__page_close(p, ']');
    put_curves(p, "curves", gos_results_time(run), v, probe.ncomp, probe.ncomp, info.nrows, limit,
               keep);
    if (difference) {
        put_curves(p, "differences", r->time, difference, probe.ncomp, probe.ncomp, r->n, limit,
                   keep);
    }
    gos__page_close(p, '}');
    return GOS_OK;
}

gos_status gos__report_probes(gos_page *p, gos_arena *arena, gos_results *run, gos_results *first,
                              const gos_report_limits *limits) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    const reference r = overlap(run, first);
    long *keep = GOS_NEW(arena, long, limits->points);
    if (!keep) {
        return GOS_E_MEMORY;
    }
    put_time(p, "time", gos_results_time(run), info.nrows, limits->points);
    put_time(p, "difference_time", r.time, r.n, limits->points);
    gos__page_open(p, "probes", '[');
    for (int i = 0; i < info.nprobes; i++) {
        GOS_TRY(put_probe(p, arena, run, i, &r, limits->points, keep));
    }
    gos__page_close(p, ']');
    return GOS_OK;
}

/* ---- balances -------------------------------------------------------------------------------- */

enum {
    NENERGY = (int)(sizeof(gos_energy) / sizeof(double)),
    NHEAT = (int)(sizeof(gos_heat) / sizeof(double))
};

gos_status gos__report_balance(gos_page *p, gos_arena *arena, gos_results *run,
                               const gos_report_limits *limits) {
    enum { WIDTH = NENERGY + NHEAT };
    gos_results_info info;
    gos_results_info_get(run, &info);
    const long n = info.nframes;
    const double *time = gos_results_frame_times(run);
    double *v = GOS_NEW(arena, double, n *WIDTH + 1);
    long *keep = GOS_NEW(arena, long, limits->points);
    if (!v || !keep) {
        return GOS_E_MEMORY;
    }
    for (long k = 0; k < n; k++) {
        gos_energy energy;
        gos_heat heat;
        GOS_TRY(gos_results_balance(run, k, &energy, &heat));
        memcpy(v + k * WIDTH, &energy, sizeof energy);
        memcpy(v + k * WIDTH + NENERGY, &heat, sizeof heat);
    }
    gos__page_open(p, "balance", '{');
    put_time(p, "time", time, n, limits->points);
    put_curves(p, "energy", time, v, NENERGY, WIDTH, n, limits->points, keep);
    if (info.thermal) {
        put_curves(p, "heat", time, v + NENERGY, NHEAT, WIDTH, n, limits->points, keep);
    }
    gos__page_close(p, '}');
    return GOS_OK;
}
