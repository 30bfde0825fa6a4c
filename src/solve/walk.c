/* See walk.h. */
#include "solve/walk.h"

#include <math.h>

#define MOST_COUNT 1e15 // counts that doubles represent exactly

const double *gos__walk(gos_walk *w, double *x, size_t n) {
    const size_t first = w->n;
    w->n += n;
    if (w->takes && (w->bad || n > w->most - first)) {
        w->bad = true;
        w->n = first;
        return NULL;
    }
    if (!w->at) {
        return NULL;
    }
    double *place = w->at + first;
    if (x && n > 0) {
        memcpy(w->takes ? x : place, w->takes ? place : x, n * sizeof *x);
    }
    return place;
}

static double walk_count(gos_walk *w, double v, double most) {
    gos__walk(w, &v, 1);
    const bool good = v >= 0 && v <= most && floor(v) == v;
    w->bad = w->bad || !good;
    return good ? v : 0;
}

void gos__walk_int(gos_walk *w, int *x, int most) {
    *x = (int)walk_count(w, *x, most);
}

void gos__walk_bool(gos_walk *w, bool *x) {
    *x = walk_count(w, *x, 1) != 0;
}

void gos__walk_long(gos_walk *w, long *x) {
    *x = (long)walk_count(w, (double)*x, MOST_COUNT);
}

void gos__walk_state(gos_walk *w, gos_state *x) {
#define X(name, doc) gos__walk(w, &x->name, 1);
    GOS_STATE_NUMBERS(X)
#undef X
#define X(name, doc) gos__walk(w, &x->energy.name, 1);
    GOS_ENERGY_FIELDS(X)
#undef X
    gos__walk(w, x->block, x->nblock);
    x->npast = 0;
}

#define WALK_long(x) gos__walk_long(w, x)
#define WALK_double(x) gos__walk(w, x, 1)

void gos__walk_statistics(gos_walk *w, gos_statistics *stats) {
#define X(type, name, doc) WALK_##type(&stats->name);
    GOS_STATISTICS_FIELDS(X)
#undef X
}
