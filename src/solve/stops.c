/* See stops.h. */
#include "solve/stops.h"

#include <math.h>

#define NO_TIME 1e-12   // of the run, from a switch to where what it leads to holds
#define SAME_TIME 1e-11 // of the run: switches closer together are one
#define NEAR_END 1e-9   // of the run, around its end

static int compare_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* switching times of all functions between t0 and t1, into to */
static gos_status collect(gos_ctx *ctx, const gos_system *sys, double t0, double t1, double *to,
                          int *n) {
    *n = 0;
    for (int i = 0; i < sys->nfn; i++) {
        GOS_TRY(gos__timefn_breaks(ctx, sys->fn[i], t0, t1, to, n, GOS_LIMIT_SWITCHES));
    }
    return GOS_OK;
}

gos_status gos__stops_find(gos_ctx *ctx, const gos_system *sys, double t0, double t1, double most,
                           double step, gos_stops *stops) {
    const double span = t1 - t0;
    *stops = (gos_stops){.begin = t0, .end = t1};
    stops->at = gos__alloc(ctx, GOS_LIMIT_SWITCHES, sizeof *stops->at);
    if (!stops->at) {
        return GOS_E_MEMORY;
    }
    int found, n = 0;
    GOS_TRY(collect(ctx, sys, t1 - NEAR_END * span, t1 + NEAR_END * span, stops->at, &found));
    stops->at_end = found > 0;
    GOS_TRY(collect(ctx, sys, t0, t1, stops->at, &found));
    qsort(stops->at, (size_t)found, sizeof *stops->at, compare_double);
    const double last = t1 - NO_TIME * span;
    for (int i = 0; i < found && stops->at[i] < last; i++) { // one of those that coincide
        if (n == 0 || stops->at[i] - stops->at[n - 1] > SAME_TIME * span) {
            stops->at[n++] = stops->at[i];
        }
    }
    stops->n = n;
    return gos__narrow_find(ctx, sys, t0, t1, stops->at, n, most, step, &stops->narrow);
}

void gos__stops_free(gos_ctx *ctx, gos_stops *stops) {
    gos__free(ctx, stops->at);
    gos__narrow_free(ctx, &stops->narrow);
}

double gos__stops_before(gos_stops *s, const gos_state *x, double t_end) {
    const double t = x->t;
    s->asked = x->sets > 0 ? t_end : (double)NAN;
    while (s->next < s->n && s->at[s->next] <= t * (1 + 1e-14)) {
        s->next++;
    }
    const double stop = s->next < s->n ? fmin(t_end, s->at[s->next]) : t_end;
    return s->narrow.n > 0 ? gos__narrow_stop(&s->narrow, t, stop) : stop;
}

bool gos__stops_switch(const gos_stops *s, double t) {
    return s->next < s->n && t == s->at[s->next];
}

double gos__stops_left(const gos_stops *s, double t) {
    const bool switches = gos__stops_switch(s, t) || t == s->asked || (t >= s->end && s->at_end);
    return switches ? t - NO_TIME * (s->end - s->begin) : t;
}

double gos__stops_right(const gos_stops *s, double t) {
    return t + NO_TIME * (s->end - s->begin);
}
