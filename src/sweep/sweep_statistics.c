/* Quantiles of each probe component over time, and of its last, least and largest value. */
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "results/results_parts.h"
#include "sweep/sweep_part.h"

enum { TIMES = 201, MIN_TIMES = 11 };
#define MAX_NUMBERS 67108864.0 // half a gigabyte

/* ---- a population ---------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int n, double share) {
    const double at = share * (n - 1);
    const int k = (int)at < n - 1 ? (int)at : n - 1;
    const double part = at - k;
    return part > 0 ? sorted[k] * (1 - part) + sorted[k + 1] * part : sorted[k];
}

/* sorts x; all undefined if one is not finite */
static void describe(double *x, int n, double out[GOS_SPREAD_COLUMNS]) {
    static const double share[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    double mean = 0, square = 0;
    for (int i = 0; i < n; i++) {
        mean += x[i] / n;
    }
    for (int i = 0; i < n; i++) {
        square += (x[i] - mean) * (x[i] - mean);
    }
    out[GOS_SPREAD_MEAN] = n > 0 && isfinite(mean) ? mean : (double)NAN;
    out[GOS_SPREAD_DEVIATION] = n > 1 && isfinite(mean) ? sqrt(square / (n - 1)) : (double)NAN;
    if (n > 0 && isfinite(mean)) {
        qsort(x, (size_t)n, sizeof *x, compare);
    }
    for (int k = 0; k < GOS_COUNT(share); k++) {
        out[GOS_SPREAD_Q05 + k] = n > 0 && isfinite(mean) ? quantile(x, n, share[k]) : (double)NAN;
    }
}

/* ---- the runs of a grid point ---------------------------------------------------------------- */

typedef struct gathering {
    gos_ctx *ctx;
    gos_sweep *s;
    const gos_sweep_member *run; // (draws)
    int nall, nruns;
    int nvalues, ntimes;
    double from, to;
    double *time; // (ntimes)
    double *x;    // (nvalues, ntimes, nruns)
    gos_spread_curve *curve;
} gathering;

static bool counts(const gathering *g, const gos_sweep_member *r) {
    return !r->failure && r->has_results && r->nvalues == g->nvalues;
}

static bool find_runs(gathering *g) {
    for (int i = 0; i < g->nall; i++) {
        g->nvalues = g->nvalues == 0 ? g->run[i].nvalues : g->nvalues;
    }
    for (int i = 0; i < g->nall; i++) {
        g->nruns += counts(g, &g->run[i]);
    }
    return g->nruns > 0 && g->nvalues > 0;
}

/* common time range, and names of the common components */
static gos_status scan_file(gathering *g, gos_results *file, int scanned) {
    gos_results_info info;
    gos_results_info_get(file, &info);
    const double *t = gos_results_time(file);
    const double from = info.nrows > 0 ? t[0] : 0, to = info.nrows > 0 ? t[info.nrows - 1] : 0;
    g->from = scanned == 0 ? from : fmax(g->from, from);
    g->to = scanned == 0 ? to : fmin(g->to, to);
    for (int i = 0, k = 0; i < (scanned == 0 ? info.nprobes : 0); i++) {
        gos_probe_info p;
        gos_results_probe_info(file, i, &p);
        for (int c = 0; c < p.ncomp; c++, k++) {
            char unit[GOS_UNIT_MAX];
            const char *const text[] = {p.name, p.components[c], p.quantity,
                                        gos__unit_at(p.unit, c, unit)};
            const char *copy[4];
            for (int j = 0; j < 4; j++) {
                copy[j] = gos__arena_strdup(g->s->arena, text[j]);
                GOS_TRY(copy[j] ? GOS_OK : GOS_E_MEMORY);
            }
            g->curve[k] = (gos_spread_curve){copy[0], copy[1], copy[2], copy[3]};
        }
    }
    return GOS_OK;
}

/* values of run `seen` at all times */
static gos_status take(gathering *g, gos_results *file, int scanned) {
    gos_results_info info;
    gos_results_info_get(file, &info);
    int first = 0;
    for (int i = 0; i < info.nprobes; i++) {
        double y[GOS_PROBE_MAX];
        gos_time_history history;
        GOS_TRY(gos__results_history(file, i, &history));
        for (int k = 0; k < g->ntimes; k++) {
            gos_time_history_at(&history, g->time[k], y);
            for (int c = 0; c < history.width; c++) {
                g->x[((size_t)(first + c) * (size_t)g->ntimes + (size_t)k) * (size_t)g->nruns +
                     (size_t)scanned] = y[c];
            }
        }
        first += history.width;
    }
    return GOS_OK;
}

static gos_status visit(gathering *g,
                        gos_status (*what)(gathering *g, gos_results *file, int scanned)) {
    int scanned = 0;
    for (int i = 0; i < g->nall; i++) {
        gos_results *file;
        if (counts(g, &g->run[i])) {
            GOS_TRY(gos_results_open(g->ctx, g->run[i].path, &file));
            const gos_status status = what(g, file, scanned++);
            gos_results_close(file);
            GOS_TRY(status);
        }
    }
    return GOS_OK;
}

static gos_status choose_times(gathering *g) {
    const double room = MAX_NUMBERS / ((double)g->nvalues * g->nruns);
    const double requested = fmax(MIN_TIMES, fmin(TIMES, floor(room)));
    g->ntimes = g->to > g->from ? (int)requested : 1;
    g->time = GOS_NEW(g->s->arena, double, g->ntimes);
    GOS_TRY(g->time ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < g->ntimes; k++) {
        const double part = g->ntimes > 1 ? (double)k / (g->ntimes - 1) : 1;
        g->time[k] = g->from * (1 - part) + g->to * part;
    }
    return GOS_OK;
}

/* reuses g->x */
static gos_status describe_extremes(gathering *g, gos_spread *out) {
    double *extreme = GOS_NEW(g->s->arena, double, (size_t)(3 * g->nvalues) * GOS_SPREAD_COLUMNS);
    GOS_TRY(extreme ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < 3 * g->nvalues; k++) {
        int scanned = 0;
        for (int i = 0; i < g->nall; i++) {
            if (counts(g, &g->run[i])) {
                g->x[scanned++] = g->run[i].probe[k];
            }
        }
        describe(g->x, g->nruns, extreme + (size_t)k * GOS_SPREAD_COLUMNS);
    }
    out->extreme = extreme;
    return GOS_OK;
}

static gos_status describe_all(gathering *g, gos_spread *out) {
    const int n = g->nvalues * g->ntimes;
    double *v = GOS_NEW(g->s->arena, double, (size_t)n *GOS_SPREAD_COLUMNS);
    GOS_TRY(v ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < n; k++) {
        describe(g->x + (size_t)k * (size_t)g->nruns, g->nruns, v + (size_t)k * GOS_SPREAD_COLUMNS);
    }
    out->v = v;
    return describe_extremes(g, out);
}

static gos_status gather(gathering *g, gos_spread *out) {
    g->curve = GOS_NEW(g->s->arena, gos_spread_curve, g->nvalues);
    GOS_TRY(g->curve ? visit(g, scan_file) : GOS_E_MEMORY);
    GOS_TRY(choose_times(g));
    const double numbers = fmax(3, g->ntimes) * (double)g->nvalues * g->nruns;
    g->x = gos__alloc(g->ctx, (size_t)numbers, sizeof *g->x);
    gos_status status = g->x ? visit(g, take) : GOS_E_MEMORY;
    status = status == GOS_OK ? describe_all(g, out) : status;
    gos__free(g->ctx, g->x);
    out->ntimes = g->ntimes;
    out->time = g->time;
    out->ncurves = g->nvalues;
    out->curve = g->curve;
    return status;
}

/* ---- of results in one file ------------------------------------------------------------------ */

static gos_status name_curves(gathering *g) {
    const gos_members_layout *l = g->s->layout;
    g->curve = GOS_NEW(g->s->arena, gos_spread_curve, g->nvalues);
    GOS_TRY(g->curve ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0, k = 0; i < l->nprobes; i++) {
        const gos_probe_info *p = &l->probe[i];
        for (int c = 0; c < p->ncomp; c++, k++) {
            char one[GOS_UNIT_MAX];
            const char *unit = gos__arena_strdup(g->s->arena, gos__unit_at(p->unit, c, one));
            GOS_TRY(unit ? GOS_OK : GOS_E_MEMORY);
            g->curve[k] = (gos_spread_curve){p->name, p->components[c], p->quantity, unit};
        }
    }
    return GOS_OK;
}

/* x (nall, ntimes) as in the file, sorted into v */
static gos_status describe_component(gathering *g, int p, int c, double *x, double *v) {
    const int n = g->ntimes, first = (int)(g->run - g->s->run);
    GOS_TRY(gos__members_read(g->ctx, g->s, p, c, first, g->nall, x));
    for (int k = 0; k < n; k++) {
        int scanned = 0;
        for (int i = 0; i < g->nall; i++) {
            if (counts(g, &g->run[i])) {
                g->x[scanned++] = x[(size_t)i * (size_t)n + (size_t)k];
            }
        }
        describe(g->x, scanned, v + (size_t)k * GOS_SPREAD_COLUMNS);
    }
    return GOS_OK;
}

static gos_status gather_members(gathering *g, gos_spread *out) {
    const gos_members_layout *l = g->s->layout;
    g->ntimes = l->ntimes;
    g->time = l->time;
    GOS_TRY(name_curves(g));
    const size_t n = (size_t)g->ntimes, rows = n * (size_t)g->nvalues;
    double *v = GOS_NEW(g->s->arena, double, rows *GOS_SPREAD_COLUMNS);
    double *x = gos__alloc(g->ctx, n * (size_t)g->nall, sizeof *x);
    g->x = gos__alloc(g->ctx, (size_t)g->nall, sizeof *g->x);
    gos_status status = v && x && g->x ? describe_extremes(g, out) : GOS_E_MEMORY;
    for (int p = 0, k = 0; p < l->nprobes; p++) {
        for (int c = 0; c < l->probe[p].ncomp && status == GOS_OK; c++, k++) {
            status = describe_component(g, p, c, x, v + (size_t)k * n * GOS_SPREAD_COLUMNS);
        }
    }
    gos__free(g->ctx, g->x);
    gos__free(g->ctx, x);
    out->v = v;
    out->ntimes = g->ntimes;
    out->time = g->time;
    out->ncurves = g->nvalues;
    out->curve = g->curve;
    return status;
}

int gos_sweep_ndistributions(const gos_sweep *sweep) {
    return sweep->sampling.n > 0 ? sweep->nruns / sweep->sampling.n : 0;
}

gos_status gos_sweep_distribution(gos_ctx *ctx, gos_sweep *sweep, int i, gos_spread *spread) {
    const int draws = gos__sweep_draws(sweep);
    gathering g = {.ctx = ctx, .s = sweep, .run = sweep->run + (size_t)i * draws, .nall = draws};
    const char **value = GOS_NEW(sweep->arena, const char *, sweep->nparameters);
    GOS_TRY(value ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < sweep->nparameters; k++) {
        value[k] = sweep->parameter[k].law ? NULL : g.run[0].value[k];
    }
    *spread = (gos_spread){.value = value, .nall = draws};
    if (!find_runs(&g)) {
        return GOS_OK;
    }
    spread->nruns = g.nruns;
    return sweep->layout ? gather_members(&g, spread) : gather(&g, spread);
}
