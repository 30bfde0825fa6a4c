/* See breaks.h. */
#include "events/breaks.h"

#include <math.h>

#include "base/base.h"
#include "solve/consistent.h"
#include "solve/integrator.h"
#include "signals/loops.h"
#include "system/assemble.h"
#include "system/system.h"

/* Times inside a step at which the law of an item changes: contact, engagement of a latch.
 * Items compute distances to changes of their laws (gos_item_type.events). After a sign change the
 * step is repeated up to just after the zero of its interpolation: after, so that decisions made at
 * ends of steps, such as those of latches, are made there. */

#define OVERRUN 1e-3 // end of the step after the zero, relative to the change of distance
#define AT_END 4e-3  // ... events this close to the end count as there
#define HALVES 50

static bool events_any(const gos_system *s) {
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
        if (side * y[k] + OVERRUN * change > 0) {
            before = mid;
        } else {
            after = mid;
        }
    }
    return after;
}

/* Required end of a step from x0 to x [s]: just after the first event; x->t if there is none or it
 * is too close to the ends. Positions are interpolated by cubics. *which: the item. */
static double events_first(gos_work *w, const gos_state *x0, const gos_state *x,
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

#define MAX_LANDINGS 2 // attempts to end a step where the law of an item changes

gos_status gos__breaks_find(const gos_integrator *g, gos_breaks *b) {
    *b = (gos_breaks){.events = events_any(g->sys),
                      .limits = gos__loops_limited(g->sys),
                      .sets = g->x->sets,
                      .end = g->opt.end};
    gos__work_hold(g->w, g->x);
    GOS_TRY(gos__crossings_create(g->ctx, g->sys, &b->crossings));
    GOS_TRY(gos__stops_find(g->ctx, g->sys, g->t_start, g->opt.end, g->opt.max_step, g->opt.step,
                            &b->stops));
    return g->opt.motion == GOS_MOTION_QUASI_STATIC
               ? GOS_OK
               : gos__stops_check_drives(g->ctx, g->sys, &b->stops);
}

void gos__breaks_free(gos_ctx *ctx, gos_breaks *b) {
    gos__stops_free(ctx, &b->stops);
    gos__crossings_free(ctx, &b->crossings);
}

/* Handles inputs that were set, or coordinates that were written, since the last step. */
static gos_status look_for_news(gos_breaks *b, gos_ctx *ctx, gos_work *w, gos_state *x) {
    const bool written = !(x->h > 0); // coordinates were written, or the run has not started
    const gos_stop_kind kind = written ? GOS_STOP_EVENT : gos__stops_set(x);
    if (written) {
        GOS_TRY(gos_state_satisfy_constraints(ctx, x, NULL));
    }
    gos__work_hold(w, x);
    b->sets = x->sets;
    b->kind = kind > b->kind ? kind : b->kind;
    return GOS_OK;
}

gos_status gos__breaks_begin(gos_breaks *b, gos_ctx *ctx, gos_work *w, gos_state *x,
                             gos_stop_kind *kind) {
    if (x->sets != b->sets) {
        GOS_TRY(look_for_news(b, ctx, w, x));
    }
    if (gos__loops_sample(w, x) && b->kind < GOS_STOP_JUMP) {
        b->kind = GOS_STOP_JUMP;
    }
    *kind = b->began = b->kind;
    b->kind = GOS_STOP_NONE;
    b->landings = 0;
    gos__crossings_begin(&b->crossings);
    return GOS_OK;
}

double gos__breaks_before(gos_breaks *b, const gos_state *x, double t_end) {
    return fmin(gos__stops_before(&b->stops, x, t_end), gos__loops_next(x->sys, x->t));
}

double gos__breaks_step(const gos_breaks *b, double t, double h) {
    return gos__pulses_step(&b->stops.narrow, t, h);
}

double gos__breaks_next(const gos_breaks *b) {
    const gos_stops *s = &b->stops;
    return fmin(s->next < s->n ? s->at[s->next] : HUGE_VAL, s->asked); // `asked` may be NaN
}

double gos__breaks_left(const gos_breaks *b, double t) {
    return gos__stops_left(&b->stops, t);
}

double gos__breaks_right(const gos_breaks *b, double t) {
    return gos__stops_right(&b->stops, t);
}

double gos__breaks_first(const gos_breaks *b, double t) {
    return gos__stops_first(&b->stops, t);
}

/* Noted once: a latch then engages up to a step late, a stop is hit inside a step. */
static void note_passed(gos_breaks *b, gos_ctx *ctx, const gos_item *it, double t) {
    char text[200];
    if (!b->reported) {
        (void)gos__format(text, sizeof text,
                          "its law switches inside a fixed step, at about t = %.6g s, and the "
                          "step is not shortened; use error control (analysis.step: 0), which "
                          "ends steps there",
                          t);
        gos__note(ctx, it->name, text);
        b->reported = true;
    }
}

/* Time at which a controller reaches a limit in a step, by the limits of time functions inside
 * it. */
static double corner_inside(const gos_breaks *b, gos_work *w, const gos_state *x0,
                            const gos_state *x, const gos_item **which) {
    gos_state begin = *x0, end = *x;
    begin.t = gos__breaks_right(b, x0->t);
    end.t = gos__breaks_left(b, x->t);
    const double part = b->limits ? gos__loops_corner(w, &begin, &end, which) : 1;
    return part < 1 ? x0->t + part * (x->t - x0->t) : x->t;
}

/* Change of the law of an item, or limit of a controller. */
static double change_inside(gos_breaks *b, gos_ctx *ctx, gos_work *w, const gos_state *x0,
                            const gos_state *x) {
    const gos_item *which = NULL;
    if (!(b->events || b->limits) || b->landings >= MAX_LANDINGS || (b->keeps && b->reported)) {
        return x->t;
    }
    const gos_item *limited = NULL;
    const double corner = corner_inside(b, w, x0, x, &limited);
    const double event = b->events ? events_first(w, x0, x, &which) : x->t;
    const double t = fmin(corner, event);
    which = corner < event ? limited : which;
    if (t < x->t && b->keeps) {
        note_passed(b, ctx, which, t);
        return x->t;
    }
    return t;
}

double gos__breaks_inside(gos_breaks *b, gos_ctx *ctx, gos_work *w, const gos_state *x0,
                          const gos_state *x) {
    const double change = change_inside(b, ctx, w, x0, x);
    if (change < x->t && b->crossings.landing < 0) {
        b->landings++;
        return change;
    }
    return gos__crossings_inside(&b->crossings, x0, gos__breaks_right(b, x0->t), x,
                                 gos__breaks_left(b, x->t));
}

bool gos__breaks_landed(const gos_breaks *b) {
    return b->landings > 0 || b->crossings.landings > 0;
}

bool gos__breaks_last(const gos_breaks *b, const gos_state *x) {
    return x->t >= b->end || b->crossings.ends;
}

int gos__breaks_passed(const gos_breaks *b, const gos_event **event, bool *ended) {
    *event = b->crossings.event;
    *ended = b->crossings.ends;
    return b->crossings.nevent;
}

gos_stop_kind gos__breaks_end(gos_breaks *b, gos_work *w, gos_state *x, double t_eval) {
    const gos_point_of end = gos__state_point(x, t_eval);
    gos__crossings_end(&b->crossings);
    b->kind = gos__accept(w, &end, x->mem) ? GOS_STOP_EVENT : gos__stops_kind(&b->stops, x->t);
    return b->kind;
}

void gos__breaks_walk(gos_breaks *b, gos_walk *past) {
    int kind = (int)b->kind;
    gos__walk(past, &b->sets, 1);
    gos__walk_int(past, &kind, GOS_STOP_EVENT);
    b->kind = (gos_stop_kind)kind;
    gos__walk_bool(past, &b->reported);
    gos__crossings_walk(&b->crossings, past);
}
