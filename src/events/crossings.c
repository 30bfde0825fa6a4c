/* See crossings.h. */
#include "events/crossings.h"

#include <math.h>

#include "signals/zero_crossing.h"

#define PASSES 4             // a cubic has three roots, and a jump at the start may add one
#define ROUNDING 1e-12       // relative to the signal: too close to its limit to have a side
#define DERIVATIVE_STEP 1e-4 // step for derivatives of expressions of t, relative to the step
#define MAX_LANDINGS 8
#define LANDING_TOLERANCE 1e-9 // relative to the step: accepted distance from the limit
#define HALVES 60

struct gos_crossing_segment {
    double side; // last side of the limit, -1 or 1; 0: unknown
    double size;
    double now_side; // side at the end of the attempt
    double y[2], rate[2];
    bool smooth;
};

static double *probes_of(const gos_crossings *c, double *all, int i) {
    size_t at = 0;
    for (int k = 0; k < i; k++) {
        at += (size_t)c->sys->crossing[k].n * GOS_PROBE_MAX;
    }
    return all + at;
}

static size_t nprobes(const gos_crossings *c) {
    return (size_t)(probes_of(c, c->near, c->sys->ncrossing) - c->near);
}

static gos_status check(gos_ctx *ctx, const gos_system *s) {
    for (int i = 0; i < s->ncrossing; i++) {
        const gos_crossing *k = &s->crossing[i];
        for (int j = 0; j < k->n; j++) {
            const gos_probe *p = s->probe[k->probe[j]];
            if (p->undetermined >> k->component[j] & 1u) {
                char object[GOS_LIMIT_NAME + 16];
                (void)gos__format(object, sizeof object, "event '%s'", k->name);
                return gos__fail_at(ctx, GOS_E_INPUT, k->loc, object,
                                    "probe '%s' is undetermined (`redundant: drop`), so no "
                                    "crossing can be detected; remove the event",
                                    p->name);
            }
        }
    }
    return GOS_OK;
}

gos_status gos__crossings_create(gos_ctx *ctx, const gos_system *sys, gos_crossings *c) {
    *c = (gos_crossings){.sys = sys, .landing = -1};
    const size_t n = (size_t)sys->ncrossing;
    if (n == 0) {
        return GOS_OK;
    }
    GOS_TRY(check(ctx, sys));
    size_t values = 0;
    for (size_t i = 0; i < n; i++) {
        values += (size_t)sys->crossing[i].n * GOS_PROBE_MAX;
    }
    c->of = gos__zalloc(ctx, n, sizeof *c->of);
    c->near = gos__zalloc(ctx, values, sizeof *c->near);
    c->now = gos__zalloc(ctx, values, sizeof *c->now);
    c->event = gos__zalloc(ctx, PASSES * n, sizeof *c->event);
    return c->of && c->near && c->now && c->event ? gos_state_create(ctx, sys, &c->moved)
                                                  : GOS_E_MEMORY;
}

void gos__crossings_free(gos_ctx *ctx, gos_crossings *c) {
    gos__free(ctx, c->of);
    gos__free(ctx, c->near);
    gos__free(ctx, c->now);
    gos__free(ctx, c->event);
    gos_state_destroy(c->moved);
}

void gos__crossings_walk(gos_crossings *c, gos_walk *past) {
    for (int i = 0; i < c->sys->ncrossing; i++) {
        gos__walk(past, &c->of[i].side, 1);
        gos__walk(past, &c->of[i].size, 1);
    }
    if (c->sys->ncrossing > 0) {
        gos__walk(past, c->near, nprobes(c));
    }
}

/* Interpolated value at the fraction f of a step h. */
static double signal_at(const gos_crossing_segment *k, double h, double f) {
    const double f2 = f * f, f3 = f2 * f, a = 1 - 3 * f2 + 2 * f3;
    return k->smooth ? a * k->y[0] + (1 - a) * k->y[1] + h * (f - 2 * f2 + f3) * k->rate[0] +
                           h * (f3 - f2) * k->rate[1]
                     : (1 - f) * k->y[0] + f * k->y[1];
}

/* Fractions of the step bounding monotone intervals, ends included. @return their number */
static int monotone(const gos_crossing_segment *k, double h, double f[4]) {
    int n = 0;
    f[n++] = 0;
    if (k->smooth) { // roots of a f^2 + b f + c = 0
        const double d = k->y[1] - k->y[0], r0 = h * k->rate[0], r1 = h * k->rate[1];
        const double a = 3 * (r0 + r1 - 2 * d), b = 2 * (3 * d - 2 * r0 - r1), c = r0;
        const double root = sqrt(fmax(0, b * b - 4 * a * c)),
                     q = -0.5 * (b + (b < 0 ? -root : root));
        const double one = q / a, two = c / q; // not finite if there are none
        const double low = fmin(one, two), high = fmax(one, two);
        if (low > 0 && low < 1) {
            f[n++] = low;
        }
        if (high > 0 && high < 1 && high > low) {
            f[n++] = high;
        }
    }
    f[n++] = 1;
    return n;
}

static double side_of(double y, double size) {
    return y > ROUNDING * size ? 1 : y < -ROUNDING * size ? -1 : 0;
}

/* Side to which it continues from exactly the limit at the end of a step, coming from `side`; 0:
 * uncertain. */
static double arriving(const gos_crossing_segment *k, double h, double side) {
    return k->smooth && -side * h * k->rate[1] > ROUNDING * k->size ? -side : 0;
}

/* Fraction between a and b at which it reaches the side that it has at b. */
static double passes(const gos_crossing_segment *k, double h, double a, double b, double side) {
    for (int i = 0; i < HALVES && b > a; i++) {
        const double mid = 0.5 * (a + b);
        if (side * signal_at(k, h, mid) > 0) {
            b = mid;
        } else {
            a = mid;
        }
    }
    return b;
}

static void add(gos_crossings *c, int i, double time, bool rising) {
    int at = c->nevent++;
    for (; at > 0 && c->event[at - 1].time > time; at--) {
        c->event[at] = c->event[at - 1];
    }
    c->event[at] = (gos_event){.event = i, .time = time, .rising = rising};
}

static void look(gos_crossings *c, int i, const gos_crossing_point end[2]) {
    const gos_crossing *of = &c->sys->crossing[i];
    gos_crossing_segment *k = &c->of[i];
    const gos_state *x0 = end[0].x, *x = end[1].x;
    const double h = x->t - x0->t;
    gos_crossing_point at = end[0];
    double *near = probes_of(c, c->near, i), *now = probes_of(c, c->now, i), f[4];
    at.near = k->size > 0 ? near : NULL;
    gos__crossing_sample(of, &at, now, &k->y[0], &k->rate[0]);
    memcpy(near, now, (size_t)of->n * GOS_PROBE_MAX * sizeof *near);
    at = end[1];
    at.near = near;
    gos__crossing_sample(of, &at, now, &k->y[1], &k->rate[1]);
    k->smooth = of->smooth && isfinite(k->rate[0]) && isfinite(k->rate[1]);
    for (int e = 0; e < 2; e++) {
        k->size = fmax(k->size, fmax(fabs(of->limit), fabs(k->y[e] + of->limit)));
    }
    double side = k->side;
    const int n = monotone(k, h, f);
    for (int j = 0; j < n; j++) {
        double next = side_of(signal_at(k, h, f[j]), k->size);
        if (next == 0 && j == n - 1) {
            next = arriving(k, h, side);
        }
        if (next != 0 && side != 0 && next != side && (next > 0 ? of->rising : of->falling)) {
            add(c, i, x0->t + (j > 0 ? passes(k, h, f[j - 1], f[j], next) : 0) * h, next > 0);
        }
        side = next != 0 ? next : side;
    }
    k->now_side = side;
}

/* First event that ends the run, or -1; removes later ones. */
static int first_end(gos_crossings *c) {
    for (int k = 0; k < c->nevent; k++) {
        if (c->sys->crossing[c->event[k].event].ends) {
            c->nevent = k + 1;
            return k;
        }
    }
    return -1;
}

/* Corrected time of the limit, from the end of the step. */
static double corrected(const gos_crossings *c, const gos_state *x) {
    const gos_crossing_segment *k = &c->of[c->landing];
    const double slope = k->smooth ? k->rate[1] : (k->y[1] - c->value) / (x->t - c->before);
    return x->t - k->y[1] / slope;
}

/* The end of the step, at t, is the event. */
static void end_there(gos_crossings *c, double t) {
    int n = 0;
    while (n < c->nevent && c->event[n].event != c->landing) {
        n++;
    }
    c->event[n] = (gos_event){.event = c->landing, .time = t, .rising = c->rising};
    c->nevent = n + 1;
    c->of[c->landing].now_side = c->rising ? 1 : -1;
    c->ends = true;
}

/* The first attempt estimates the time of the limit; later ones correct it by the signal at their
 * ends. */
static double land(gos_crossings *c, const gos_state *x0, const gos_state *x) {
    const int first = first_end(c);
    double t = first >= 0 ? c->event[first].time : x->t;
    if (c->landing < 0 && first < 0) {
        return x->t;
    }
    if (c->landing < 0) {
        c->landing = c->event[first].event;
        c->rising = c->event[first].rising;
        c->longest = x->t;
    } else {
        t = corrected(c, x);
    }
    c->before = x->t;
    c->value = c->of[c->landing].y[1];
    const double near = LANDING_TOLERANCE * (c->longest - x0->t);
    if (fabs(t - x->t) <= near) {
        end_there(c, x->t);
    } else if (t > x0->t + near && t <= c->longest && c->landings < MAX_LANDINGS) {
        c->landings++;
        return t;
    } else { // it jumped across the limit, at the start or inside
        c->ends = first >= 0;
    }
    return x->t;
}

void gos__crossings_begin(gos_crossings *c) {
    c->landings = 0;
    c->landing = -1;
}

double gos__crossings_inside(gos_crossings *c, const gos_state *x0, double t0, const gos_state *x,
                             double t1) {
    const double dt = DERIVATIVE_STEP * (x->t - x0->t);
    const gos_crossing_point end[] = {{.x = x0, .t = t0, .dt = dt, .moved = c->moved},
                                      {.x = x, .t = t1, .dt = -dt, .moved = c->moved}};
    c->nevent = 0;
    c->ends = false;
    for (int i = 0; i < c->sys->ncrossing; i++) {
        look(c, i, end);
    }
    return c->sys->ncrossing > 0 ? land(c, x0, x) : x->t;
}

void gos__crossings_end(gos_crossings *c) {
    double *near = c->near;
    for (int i = 0; i < c->sys->ncrossing; i++) {
        c->of[i].side = c->of[i].now_side;
    }
    c->near = c->now;
    c->now = near;
}
