/* See events.h. Items compute distances to changes of their laws (gos_item_type.events). After a
 * sign change the step is repeated up to just after the zero of its interpolation: after, so that
 * decisions made at ends of steps, such as those of latches, are made there. */
#include "events/events.h"

#include <math.h>

#include "solve/consistent.h"
#include "system/assemble.h"

#define BEHIND 1e-3 // end of the step after the zero, relative to the change of distance
#define AT_END 4e-3 // ... events this close to the end count as there
#define HALVES 50

bool gos__events_any(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->type->events) {
            return true;
        }
    }
    return false;
}

/* inputs of an item at both ends of a step */
typedef struct ends {
    const gos_item *item;
    gos_item_io io;
    double h;
    double x[2][3 * GOS_ITEM_MARKERS], xd[2][3 * GOS_ITEM_MARKERS];
} ends;

static void take(ends *e, gos_work *w, const gos_state *state, int side) {
    const gos_point_of at = gos__state_point(state, state->t);
    const size_t size = 3L * e->item->nm * sizeof(double);
    e->io = gos__item_inputs(w, e->item, &at);
    memcpy(e->x[side], e->io.x, size);
    memcpy(e->xd[side], e->io.xd, size);
}

static void distances(const ends *e, double f, double y[GOS_ITEM_EVENTS]) {
    const double f2 = f * f, f3 = f2 * f, h = e->h;
    const double a = 1 - 3 * f2 + 2 * f3, b = h * (f - 2 * f2 + f3), d = h * (f3 - f2);
    double x[3 * GOS_ITEM_MARKERS], xd[3 * GOS_ITEM_MARKERS];
    gos_item_io io = e->io;
    for (int i = 0; i < 3 * e->item->nm; i++) {
        x[i] = a * e->x[0][i] + b * e->xd[0][i] + (1 - a) * e->x[1][i] + d * e->xd[1][i];
        xd[i] = (1 - f) * e->xd[0][i] + f * e->xd[1][i];
    }
    io.x = x;
    io.xd = xd;
    e->item->type->events(e->item, &io, y);
}

/* Fraction of the step just after the zero of distance k; 1: none inside. */
static double behind_zero(const ends *e, int k, double y0, double y1) {
    const double change = fabs(y1 - y0), side = y0 > 0 ? 1 : -1;
    if (!(y0 * y1 < 0) || fabs(y1) <= AT_END * change) {
        return 1;
    }
    double before = 0, after = 1, y[GOS_ITEM_EVENTS];
    for (int i = 0; i < HALVES && after > before; i++) {
        const double mid = 0.5 * (before + after);
        distances(e, mid, y);
        if (side * y[k] + BEHIND * change > 0) {
            before = mid;
        } else {
            after = mid;
        }
    }
    return after;
}

double gos__events_first(gos_work *w, const gos_state *x0, const gos_state *x,
                         const gos_item **which) {
    const gos_system *s = x->sys;
    const double h = x->t - x0->t;
    double first = 1;
    for (int i = 0; i < s->nitem; i++) {
        ends e = {.item = s->item[i], .h = h};
        double y0[GOS_ITEM_EVENTS] = {0}, y1[GOS_ITEM_EVENTS] = {0};
        if (!e.item->type->events) {
            continue;
        }
        take(&e, w, x, 1);
        take(&e, w, x0, 0);
        distances(&e, 0, y0);
        distances(&e, 1, y1);
        for (int k = 0; k < e.item->type->nevent; k++) {
            const double behind = behind_zero(&e, k, y0[k], y1[k]);
            if (behind < first) {
                first = behind;
                *which = e.item;
            }
        }
    }
    return first < 1 ? x0->t + first * h : x->t;
}
