/* See stops.h. */
#include "events/stops.h"

#include <math.h>

#include "signals/ports.h"

#define NO_TIME 1e-12   // relative to the run: offset for left and right limits
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
    stops->at_end = at_end && stops->kind[n] > GOS_STOP_KINK;
    return gos__pulses_find(ctx, sys, t0, t1, stops->at, n, most, step, &stops->narrow);
}

void gos__stops_free(gos_ctx *ctx, gos_stops *stops) {
    gos__free(ctx, stops->at);
    gos__free(ctx, stops->kind);
    gos__pulses_free(ctx, &stops->narrow);
}

double gos__stops_before(gos_stops *s, const gos_state *x, double t_end) {
    const double t = x->t;
    s->asked = x->sets > 0 ? t_end : (double)NAN;
    while (s->next < s->n && s->at[s->next] <= t * (1 + 1e-14)) {
        s->next++;
    }
    const double stop = s->next < s->n ? fmin(t_end, s->at[s->next]) : t_end;
    return s->narrow.n > 0 ? gos__pulses_stop(&s->narrow, t, stop) : stop;
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
        const bool drives = in->kind == GOS_AMOUNT_MOTION || in->kind == GOS_AMOUNT_TEMPERATURE;
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
