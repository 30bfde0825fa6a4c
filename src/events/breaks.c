/* See breaks.h. */
#include "events/breaks.h"

#include <math.h>

#include "base/note.h"
#include "solve/consistent.h"
#include "events/events.h"
#include "signals/loops.h"

#define LANDINGS 2 // attempts to end a step where the law of an item changes

gos_status gos__breaks_find(const gos_run_of *run, double most, double step, gos_work *w,
                            gos_breaks *b) {
    *b = (gos_breaks){.events = gos__events_any(run->sys),
                      .limits = gos__loops_limited(run->sys),
                      .sets = run->x->sets,
                      .end = run->options->end};
    gos__work_hold(w, run->x);
    GOS_TRY(gos__crossings_create(run->ctx, run->sys, &b->crossings));
    return gos__stops_find(run->ctx, run->sys, run->t_start, run->options->end, most, step,
                           &b->stops);
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

/* Noted once: a latch then engages up to a step late, a stop is hit inside a step. */
static void tell_passed(gos_breaks *b, gos_ctx *ctx, const gos_item *it, double t) {
    char text[200];
    if (!b->told) {
        (void)gos__format(text, sizeof text,
                          "its law switches inside a fixed step, at about t = %.6g s, and the "
                          "step is not shortened; use error control (analysis.step: 0), which "
                          "ends steps there",
                          t);
        gos__note(ctx, it->name, text);
        b->told = true;
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
    if (!(b->events || b->limits) || b->landings >= LANDINGS || (b->keeps && b->told)) {
        return x->t;
    }
    const gos_item *limited = NULL;
    const double corner = corner_inside(b, w, x0, x, &limited);
    const double event = b->events ? gos__events_first(w, x0, x, &which) : x->t;
    const double t = fmin(corner, event);
    which = corner < event ? limited : which;
    if (t < x->t && b->keeps) {
        tell_passed(b, ctx, which, t);
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

int gos__breaks_passed(const gos_breaks *b, const gos_event **event, bool *ends) {
    *event = b->crossings.event;
    *ends = b->crossings.ends;
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
    gos__walk_bool(past, &b->told);
    gos__crossings_walk(&b->crossings, past);
}
