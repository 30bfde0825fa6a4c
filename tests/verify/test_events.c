/* Limits of signals (`events:` of a model): the times at which they are passed, against closed
   forms, by every way to step; what ends a run; what continues with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "gossamer/io.h"
#include "gossamer/reduce.h"
#include "results/record.h"
#include "support/suite.h"
#include "support/verify.h"

#define MOST 40

/* ---- a sink that keeps events ---------------------------------------------------------------- */

typedef struct kept {
    gos_event event[MOST];
    int n, steps, width; // width: values of a row to keep, at most 3
    double end;          // last time of a row
    double last[3];      // first values of it
    gos_state *copy;     // of the run after `at` steps, NULL: none is wanted
    int at, n_then;
    gos_run_point point;
    double value[3];
} kept;

static int event(void *user, const gos_event *e) {
    kept *k = user;
    assert_true(k->n < MOST);
    k->event[k->n++] = *e;
    return 0;
}

static int row(void *user, double time, const double *value, const double *rate) {
    kept *k = user;
    GOS_UNUSED(rate);
    k->end = time;
    memcpy(k->last, value, (size_t)k->width * sizeof *value);
    return 0;
}

static int step(void *user, const gos_statistics *stats) {
    GOS_UNUSED(stats);
    kept *k = user;
    k->steps++;
    return k->copy && k->steps > k->at ? GOS_E_INTERRUPTED : 0; // the copy is all that is wanted
}

static bool due(void *user) {
    const kept *k = user;
    return k->copy && k->steps == k->at;
}

static int checkpoint(void *user, const gos_run_point *point, const gos_statistics *stats) {
    kept *k = user;
    GOS_UNUSED(stats);
    assert_int_equal(gos_state_copy(k->copy, point->state), GOS_OK);
    k->point = *point;
    k->point.state = k->copy;
    memcpy(k->value, point->value, sizeof(double)); // of the only probe
    k->point.value = k->value;
    k->n_then = k->n;
    return 0;
}

static const gos_sink sink = {
    .row = row, .event = event, .step = step, .due = due, .checkpoint = checkpoint};

/* No test here reads the error estimate, which would repeat each run. */
static gos_statistics run_from(const verify *v, const gos_system *sys, const gos_run_point *from,
                               kept *k) {
    gos_options o = v->opt;
    gos_statistics stats;
    o.error_check = GOS_ERROR_CHECK_NEVER;
    const gos_status status = gos_run_into(v->ctx, sys, &o, from, &sink, k, &stats);
    if (!k->copy || status != GOS_E_INTERRUPTED) {
        verify_good(v, status);
    }
    return stats;
}

static void run_into(const verify *v, const gos_system *sys, kept *k) {
    (void)run_from(v, sys, NULL, k);
}

/* events are those of the list, in order: number (negative: falling) counted from 1, and time */
typedef struct wanted {
    int event;
    double time;
} wanted;

static void compare(const char *what, const kept *k, const wanted *list, int n, double bound) {
    char text[200];
    assert_int_equal(k->n, n);
    for (int i = 0; i < n; i++) {
        const gos_event *e = &k->event[i];
        (void)snprintf(text, sizeof text, "%s, event %d at %.6g [s]", what, list[i].event,
                       list[i].time);
        assert_int_equal(e->event, abs(list[i].event) - 1);
        assert_int_equal(e->rising, list[i].event > 0);
        verify_near(text, e->time, list[i].time, bound);
    }
}

/* ---- a body that is thrown ------------------------------------------------------------------- */

/* y = 2 + 3 t - g t^2/2. The limit of `top` is passed twice within a step: it lies 1e-4 below the
 * top. */
static const char thrown[] =
    "gravity: [0, -9.81, 0]\n"
    "bodies: {ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]}}\n"
    "initial: {ball: {velocity: [1, 3, 0]}}\n"
    "probes: {at: {at: ball, quantity: position}, v: {at: ball, quantity: velocity}}\n"
    "events:\n"
    "  half: {signal: at.y, limit: 2.2}\n"
    "  up: {signal: at.y, limit: 2.2, direction: rising}\n"
    "  top: {signal: at.y, limit: 2 + 4.5/9.81 - 1e-4}\n"
    "  down: {signal: at.y, limit: 2.2, direction: falling}\n"
    "  moving: {signal: \"at.y - 2*t\", limit: 1}\n"
    "  squared: {signal: \"at.x^2 + at.y*v.y\", limit: -3}\n"
    "  ground: {signal: at.y, limit: 0, direction: falling, action: end}\n"
    "analysis: {end: 2}\n";

static double height_at(double y, int root) {
    return (3 + root * sqrt(9 - 2 * 9.81 * (y - 2))) / 9.81;
}

/* t^2 + y v = -3 between two times */
static double squared_at(double a, double b) {
    const double side = a < 0.5 ? 1 : -1;
    for (int i = 0; i < 100; i++) {
        const double t = 0.5 * (a + b), y = 2 + 3 * t - 4.905 * t * t, v = 3 - 9.81 * t;
        *(side * (t * t + y * v + 3) > 0 ? &a : &b) = t;
    }
    return a;
}

static const char *const ways[] = {"analysis.tolerance=1e-4",
                                   "analysis.tolerance=1e-6",
                                   "analysis.step=0.05",
                                   "analysis.integrator=bdf",
                                   "analysis.integrator=bdf analysis.tolerance=1e-7",
                                   "analysis.integrator=radau",
                                   "analysis.integrator=radau analysis.tolerance=1e-7"};

/* generalised-alpha has parabolas exactly; `squared` is a cubic in time, which the cubic through
 * the ends of a step is, too */
static void thrown_body(void **state) {
    GOS_UNUSED(state);
    const double top = 2 + 4.5 / 9.81 - 1e-4;
    const wanted list[] = {{1, height_at(2.2, -1)},    {2, height_at(2.2, -1)},
                           {3, height_at(top, -1)},    {-3, height_at(top, 1)},
                           {-6, squared_at(0.4, 0.5)}, {-1, height_at(2.2, 1)},
                           {-4, height_at(2.2, 1)},    {-5, (1 + sqrt(1 + 2 * 9.81)) / 9.81},
                           {6, squared_at(0.8, 1)},    {-7, height_at(0, 1)}};
    for (int i = 0; i < GOS_COUNT(ways); i++) {
        verify v;
        kept k = {.n = 0};
        verify_text(&v, thrown, ways[i]);
        // BDF: the top is flat, dt = error / (g dt)
        const double bound = i < 3 ? 1e-9 : v.opt.tolerance;
        run_into(&v, v.sys, &k);
        compare(ways[i], &k, list, GOS_COUNT(list), bound);
        assert_true(k.end == k.event[k.n - 1].time); // the run ends there
        bool told = false;
        for (int j = 0; j < gos_ctx_ndiag(v.ctx); j++) {
            const gos_diag *d = gos_ctx_diag(v.ctx, j);
            told = told || (strcmp(d->object, "event 'ground'") == 0 && d->count == 0 &&
                            strstr(d->text, "ends the run at t = 1.0138"));
        }
        assert_true(told);
        verify_close(&v);
    }
}

/* ---- an oscillator --------------------------------------------------------------------------- */

/* x = cos(2 pi t), by a law of a probe; the run ends at x = -0.5, t = 4/3, after all others */
static const char oscillator[] =
    "bodies: {mass: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n"
    "joints: {slide: {type: prismatic, between: [ground, mass], axis: [1, 0, 0]}}\n"
    "loads: {spring: {type: force, on: mass, value: [\"-(2*pi)^2*at.x\", 0, 0]}}\n"
    "probes: {at: {at: mass, quantity: position}, v: {at: mass, quantity: velocity}}\n"
    "events:\n"
    "  middle: {signal: at.x, limit: 0}\n"
    "  turn: {signal: v.x, limit: 0, direction: rising}\n"
    "  stop: {signal: \"at.x + (t < 1)\", limit: -0.5, direction: falling, action: end}\n"
    "analysis: {end: 2}\n";

static double oscillate(const char *way, bool error_control, double *h) {
    verify v;
    kept k = {.n = 0};
    verify_text(&v, oscillator, way);
    run_into(&v, v.sys, &k);
    assert_int_equal(k.n, 5);
    const wanted list[] = {{-1, 0.25}, {2, 0.5}, {1, 0.75}, {-1, 1.25}, {-3, 4.0 / 3}};
    // the fastest motion is 2 pi m/s, of an extent of 1 m
    compare(way, &k, list, 5, error_control ? v.opt.tolerance : 5e-2);
    *h = v.opt.step;
    const double error = k.event[3].time - 1.25;
    verify_close(&v);
    return error;
}

static void oscillating(void **state) {
    GOS_UNUSED(state);
    double h[2], error[2];
    (void)oscillate("analysis.tolerance=1e-3", true, h);
    (void)oscillate("analysis.tolerance=1e-5", true, h);
    (void)oscillate("analysis.integrator=bdf analysis.tolerance=1e-3", true, h);
    (void)oscillate("analysis.integrator=bdf analysis.tolerance=1e-7", true, h);
    (void)oscillate("analysis.integrator=radau analysis.tolerance=1e-3", true, h);
    (void)oscillate("analysis.integrator=radau analysis.tolerance=1e-7", true, h);
    error[0] = oscillate("analysis.step=0.02", false, &h[0]);
    error[1] = oscillate("analysis.step=0.01", false, &h[1]);
    verify_within("order of an event's time", verify_order(error[0], error[1], 2), 1.9, 2.1);
}

/* The state in which a run ends is on the limit, however long the steps; a program that continues
 * passes it, once. */
static void ends_on_the_limit(void **state) {
    GOS_UNUSED(state);
    static const char *const step[] = {"analysis.step=0.05", "analysis.tolerance=1e-2",
                                       "analysis.integrator=bdf analysis.tolerance=1e-3",
                                       "analysis.integrator=radau analysis.tolerance=1e-3"};
    for (int i = 0; i < GOS_COUNT(step); i++) {
        verify v;
        const gos_event *e;
        bool ends = false;
        int n = 0, before = 0;
        verify_text(&v, oscillator, step[i]);
        verify_start(&v);
        while (!ends) {
            verify_good(&v, gos_integrator_step(v.run, 2));
            before += n;
            n = gos_integrator_events(v.run, &e, &ends);
        }
        assert_int_equal(before + n, 5);
        assert_true(e[n - 1].time == gos_state_time(v.state));
        verify_near("x at the end of the run [m]", verify_value(&v, NULL, "at.x"), -0.5, 1e-9);
        verify_good(&v, gos_integrator_step(v.run, 2));
        assert_int_equal(gos_integrator_events(v.run, &e, &ends), 0);
        assert_false(ends);
        verify_close(&v);
    }
}

/* Recording changes nothing: the run has the digits of one without events. */
static void recording_is_silent(void **state) {
    GOS_UNUSED(state);
    static const char *const text[] = {
        "events:\n  middle: {signal: at.x, limit: 0}\n  turn: {signal: v.x*at.x, limit: 0.1}\n",
        ""};
    char model[2000];
    for (int i = 0; i < GOS_COUNT(ways); i++) {
        double x[2][3];
        long iterations[2];
        for (int k = 0; k < 2; k++) {
            const char *events = strstr(oscillator, "events:");
            verify v;
            kept got = {.width = 3};
            (void)snprintf(model, sizeof model, "%.*s%sanalysis: {end: 2}\n",
                           (int)(events - oscillator), oscillator, text[k]);
            verify_text(&v, model, ways[i]);
            const gos_statistics stats = run_from(&v, v.sys, NULL, &got);
            assert_true(k == 1 || got.n > 8);
            memcpy(x[k], got.last, sizeof x[k]);
            iterations[k] = stats.iterations;
            verify_close(&v);
        }
        assert_int_equal(iterations[0], iterations[1]);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
    }
}

/* ---- signals without rates, jumps, turns, temperatures --------------------------------------- */

/* The ground pulls at a body that is welded to it with what acts on it, 10 t N, and 100 N more from
   0.7 s on. Reactions are lines inside a step. An angle continues beyond a turn. */
static void reactions_and_turns(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "bodies: {ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]},\n"
        "  top: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [5, 0, 0]}}\n"
        "joints: {hold: {type: prismatic, between: [ground, ball], axis: [0, 1, 0]}}\n"
        "loads: {pull: {type: force, on: ball, value: [\"10*t + 100*(t>0.7)\", 0, 0]}}\n"
        "initial: {top: {angular_velocity: [0, 0, 10]}}\n"
        "probes: {hold: {quantity: joint_force, joint: hold},\n"
        "  turn: {at: top, quantity: angle, axis: [0, 0, 1]}}\n"
        "events:\n"
        "  pulled: {signal: abs(hold.x), limit: 3}\n"
        "  jumps: {signal: \"abs(hold.x) - 100*(1 - end)\", limit: 8, action: record}\n"
        "  turned: {signal: turn, limit: 2*pi}\n"
        "  twice: {signal: turn, limit: 4*pi}\n"
        "  clock: {signal: \"(t <= 1) + 0*turn\", limit: 0.5}\n"
        "parameters: {end: 1}\n"
        "analysis: {end: 1.5}\n";
    const wanted list[] = {{1, 0.3}, {3, 0.2 * M_PI}, {2, 0.7}, {-5, 1}, {4, 0.4 * M_PI}};
    for (int i = 0; i < GOS_COUNT(ways); i++) {
        verify v;
        kept k = {.n = 0};
        verify_text(&v, model, ways[i]);
        run_into(&v, v.sys, &k);
        compare(ways[i], &k, list, GOS_COUNT(list), i == 2 ? 0.1 : v.opt.tolerance);
        verify_near("a line [s]", k.event[0].time, 0.3, 1e-9);
        verify_near("a jump [s]", k.event[2].time, 0.7, 1e-12);
        verify_near("a jump of the signal itself [s]", k.event[3].time, 1, 1e-12);
        verify_close(&v);
    }
}

/* A run that a jump ends has made the step that begins there; one that a reaction ends, which has
 * no rate, ends on the limit. */
static void ended_by_reactions(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "bodies: {ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]}}\n"
        "joints: {hold: {type: prismatic, between: [ground, ball], axis: [0, 1, 0]}}\n"
        "loads: {pull: {type: force, on: ball, value: [\"10*sin(t) + 100*(t>0.7)\", 0, 0]}}\n"
        "probes: {hold: {quantity: joint_force, joint: hold}}\n"
        "parameters: {limit: 50}\n"
        "events: {enough: {signal: abs(hold.x), limit: limit, action: end}}\n"
        "analysis: {end: 1.5}\n";
    verify v;
    kept k = {.n = 0};
    verify_text(&v, model, NULL);
    run_into(&v, v.sys, &k);
    assert_int_equal(k.n, 1);
    verify_near("jump [s]", k.event[0].time, 0.7, 1e-12);
    assert_true(k.end > 0.7 && k.end < 1.1);
    verify_close(&v);
    verify_text(&v, model, "limit=4 analysis.step=0.1");
    k = (kept){.n = 0};
    run_into(&v, v.sys, &k);
    assert_int_equal(k.n, 1);
    verify_near("end of the run [s]", k.end, asin(0.4), 1e-9);
    verify_close(&v);
}

/* A lump of 100 J/K warms by 50 W through 2 W/K: T = 25 (1 - exp(-t/50)), 10 K at 50 ln(25/15), and
 * the run ends at 20 K, 50 ln 5. */
static void warming(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "bodies: {lump: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0],\n"
        "  heat_capacity: 100, area: 2}}\n"
        "joints: {hold: {type: spherical, between: [ground, lump]}}\n"
        "heat: {on: {type: heat_flow, on: lump, value: 50},\n"
        "  air: {type: convection, on: lump, coefficient: 1, ambient: 0}}\n"
        "probes: {T: {at: lump, quantity: temperature}}\n"
        "events: {warm: {signal: T.T, limit: 10}, hot: {signal: T.T, limit: 20, action: end}}\n"
        "analysis: {end: 200}\n";
    const wanted list[] = {{1, 50 * log(25.0 / 15)}, {2, 50 * log(5)}};
    for (int i = 0; i < 2; i++) {
        verify v;
        kept k = {.n = 0};
        verify_text(&v, model, i ? "analysis.integrator=bdf" : "analysis.tolerance=1e-5");
        run_into(&v, v.sys, &k);
        // dT/dt is 0.1 K/s at the end, the range 20 K
        compare("warming", &k, list, 2, 20 * v.opt.tolerance / 0.1);
        verify_close(&v);
    }
}

/* A limit that is met where a fixed step ends, to rounding: the run ends there, not a step
   later. */
static void on_the_grid(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "gravity: [0, -1, 0]\n"
        "bodies: {ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
        "probes: {mid: {at: ball, quantity: position}}\n"
        "events: {down: {signal: mid.y, limit: -0.5, direction: falling, action: end}}\n"
        "analysis: {end: 2, step: 0.05}\n";
    const wanted list[] = {{-1, 1}};
    verify v;
    kept k = {.width = 3};
    verify_text(&v, model, NULL);
    run_into(&v, v.sys, &k);
    compare("on the grid", &k, list, 1, 1e-9);
    verify_near("end [s]", k.end, 1, 1e-9);
    verify_near("height there [m]", k.last[1], -0.5, 1e-9);
    verify_close(&v);
}

/* ---- other ways to step ---------------------------------------------------------------------- */

/* A free bar falls and turns at w = 2: by local linearisation, both ways, and by modes of the bar.
   Its middle falls by the parabola; its end crosses y = 0 when g t^2/2 = sin(2 t)/2. */
static void reduced_models(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "gravity: [0, -1, 0]\n"
        "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.05, width: 0.05}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [-0.5, 0, 0],\n"
        "  to: [0.5, 0, 0], elements: 2}}\n"
        "initial: {rod: {angular_velocity: [0, 0, 2]}}\n"
        "probes: {mid: {at: rod.node(1), quantity: position}}\n"
        "events:\n"
        "  fallen: {signal: mid.y, limit: -0.1, direction: falling}\n"
        "  down: {signal: mid.y, limit: -0.5, direction: falling, action: end}\n"
        "analysis: {end: 2, tolerance: 1.0e-5}\n";
    static const char *const method[] = {
        "reduction.method=rotation_closed reduction.number=2",
        "reduction.method=complex_modes analysis.step=5e-3",
        "reduction.method=complex_modes reduction.intervals=error reduction.tolerance=1e-4"};
    const wanted list[] = {{-1, sqrt(0.2)}, {-2, 1}};
    for (int i = 0; i < GOS_COUNT(method); i++) {
        verify v;
        kept k = {.width = 3};
        gos_system *reduced = NULL;
        verify_text(&v, model, method[i]);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
        run_into(&v, reduced, &k);
        compare(method[i], &k, list, 2, i > 0 ? 2e-4 : 1e-9); // linearised forces make the rest
        assert_true(k.end == k.event[1].time);
        verify_near("height there [m]", k.last[1], -0.5, 1e-9);
        gos_system_destroy(reduced);
        verify_close(&v);
    }
}

/* ---- going on -------------------------------------------------------------------------------- */

/* The run from each of its points, `apart` steps from each other, has the rest of the events. */
static void goes_on_from_all(const char *model, const char *way, int apart) {
    verify v;
    kept whole = {.n = 0};
    verify_text(&v, model, way);
    run_into(&v, v.sys, &whole);
    assert_true(whole.n >= 4);
    for (int at = 1; at<whole.steps; at += apart> 0 ? apart : 1 + whole.steps / 4) {
        kept part = {.at = at}, rest = {.n = 0};
        verify_good(&v, gos_state_create(v.ctx, v.sys, &part.copy));
        run_into(&v, v.sys, &part);
        const gos_run_point from = part.point;
        (void)run_from(&v, v.sys, &from, &rest);
        assert_int_equal(part.n_then + rest.n, whole.n);
        for (int k = 0; k < rest.n; k++) {
            const gos_event *a = &whole.event[part.n_then + k], *b = &rest.event[k];
            assert_int_equal(a->event, b->event);
            assert_true(v.opt.integrator == GOS_BDF || a->time == b->time);
            verify_near("event of a run that goes on [s]", b->time, a->time, v.opt.tolerance);
        }
        gos_state_destroy(part.copy);
    }
    verify_close(&v);
}

/* To the last bit: an angle beyond a turn is known, and on which side of a limit a signal was, also
   where it jumps past it just there. By BDF, which starts again, to the tolerance. */
static void goes_on(void **state) {
    GOS_UNUSED(state);
    static const char turning[] =
        "bodies: {top: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
        "loads: {push: {type: moment, on: top, moment: [0, 0, \"sin(turn)\"]}}\n"
        "initial: {top: {angular_velocity: [0, 0, 4]}}\n"
        "probes: {turn: {at: top, quantity: angle, axis: [0, 0, 1]}}\n"
        "events: {first: {signal: turn, limit: 2}, turned: {signal: turn, limit: 2*pi},\n"
        "  twice: {signal: turn, limit: 12.9}, four: {signal: turn, limit: 14, action: end}}\n"
        "analysis: {end: 5}\n";
    static const char jumping[] =
        "bodies: {ball: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 2, 0]}}\n"
        "joints: {hold: {type: prismatic, between: [ground, ball], axis: [0, 1, 0]}}\n"
        "loads: {pull: {type: force, on: ball, value: [\"10*(t>0.3) + 10*(t>0.7)\", 0, 0]}}\n"
        "probes: {hold: {quantity: joint_force, joint: hold}}\n"
        "events: {one: {signal: abs(hold.x), limit: 5}, two: {signal: abs(hold.x), limit: 15},\n"
        "  three: {signal: hold.x^2, limit: 50}, four: {signal: hold.x^2, limit: 150}}\n"
        "analysis: {end: 1}\n";
    for (int i = 0; i < GOS_COUNT(ways); i++) {
        goes_on_from_all(turning, ways[i], 0);
    }
    goes_on_from_all(jumping, "analysis.step=0.1", 1);
    goes_on_from_all(jumping, "analysis.integrator=bdf", 1);
    goes_on_from_all(jumping, "analysis.integrator=radau", 1);
}

/* ---- in files -------------------------------------------------------------------------------- */

static void in_results(void **state) {
    GOS_UNUSED(state);
    char path[] = "/tmp/gos_events_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    (void)unlink(path);
    verify v;
    kept k = {.n = 0};
    gos_results *file;
    gos_results_info info;
    verify_text(&v, thrown, NULL);
    run_into(&v, v.sys, &k);
    verify_good(&v, gos_run(v.ctx, v.sys, &v.opt, path, NULL));
    verify_good(&v, gos_results_open(v.ctx, path, &file));
    gos_results_info_get(file, &info);
    assert_true(info.complete);
    assert_int_equal(info.nevents, k.n);
    for (int i = 0; i < k.n; i++) {
        gos_event e;
        gos_event_info of;
        const char *name = gos_results_event(file, i, &e);
        gos_system_event_info(v.sys, e.event, &of);
        assert_string_equal(name, of.name);
        assert_true(e.time == k.event[i].time && e.rising == k.event[i].rising &&
                    e.event == k.event[i].event);
    }
    assert_true(gos_results_time(file)[info.nrows - 1] == k.event[k.n - 1].time);
    assert_true(gos_results_frame_times(file)[info.nframes - 1] == k.event[k.n - 1].time);
    gos_results_close(file);
    (void)unlink(path);
    verify_close(&v);
}

static int steps_made, steps_kept; // the checkpoint is made after these

static bool due_once(void *user) {
    GOS_UNUSED(user);
    return steps_made == steps_kept;
}

static int interrupt(void *user, const gos_statistics *stats) {
    steps_made = (int)stats->steps;
    return steps_made == steps_kept + 30 ? GOS_E_INTERRUPTED : gos__results_sink.step(user, stats);
}

/* A run that is interrupted, 30 steps after its last checkpoint, and resumed from there has the
   events of one that was left alone, each once. */
static void resumed(void **state) {
    GOS_UNUSED(state);
    for (steps_kept = 5; steps_kept < 70; steps_kept += 20) {
        char path[] = "/tmp/gos_events_XXXXXX";
        const int fd = mkstemp(path);
        assert_true(fd >= 0);
        (void)close(fd);
        (void)unlink(path);
        verify v;
        kept k = {.n = 0};
        gos_results *file;
        gos_results_info info;
        verify_text(&v, thrown, "analysis.step=0.01");
        run_into(&v, v.sys, &k);
        gos_recorder r = {.ctx = v.ctx, .path = path};
        gos_sink stopped = gos__results_sink;
        stopped.step = interrupt;
        stopped.due = due_once;
        steps_made = 0;
        assert_int_equal(gos_run_into(v.ctx, v.sys, &v.opt, NULL, &stopped, &r, NULL),
                         GOS_E_INTERRUPTED);
        verify_good(&v, gos_results_open(v.ctx, path, &file));
        gos_results_info_get(file, &info);
        assert_in_range(info.nevents, 1, k.n - 1);
        gos_results_close(file);
        verify_good(&v, gos_resume(v.ctx, v.sys, path, NULL));
        verify_good(&v, gos_results_open(v.ctx, path, &file));
        gos_results_info_get(file, &info);
        assert_int_equal(info.nevents, k.n);
        for (int i = 0; i < k.n; i++) {
            gos_event e;
            (void)gos_results_event(file, i, &e);
            assert_true(e.time == k.event[i].time && e.event == k.event[i].event);
        }
        gos_results_close(file);
        (void)unlink(path);
        verify_close(&v);
    }
}

/* The edges of a cylindrical shadow under an orbit's Sun, of a body that the Sun does not act on.
 */
static void eclipse(void **state) {
    GOS_UNUSED(state);
    static const char *const way[] = {"tolerance: 1e-4", "step: 10", "integrator: radau"};
    const double R = 6378137, a = R + 500e3, n = sqrt(3.986004418e14 / (a * a * a));
    const double half = acos(sqrt(1 - R * R / (a * a)) / cos(0.3));
    const wanted list[] = {{-1, (M_PI - half + 0.5) / n}, {1, (M_PI + half + 0.5) / n}};
    for (int i = 0; i < GOS_COUNT(way); i++) {
        verify v;
        kept k = {0};
        char text[600];
        (void)snprintf(text, sizeof text,
                       "orbit: {altitude: 500e3, beta: 0.3, noon: 0.5, shadow: cylindrical}\n"
                       "bodies: {b: {type: rigid, mass: 10, inertia: [5, 20, 22]}}\n"
                       "probes: {sl: {quantity: sunlight}}\n"
                       "events: {dark: {signal: sl, limit: 0.5}}\n"
                       "analysis: {end: 5000, %s}\n",
                       way[i]);
        verify_text(&v, text, NULL);
        run_into(&v, v.sys, &k);
        compare("shadow", &k, list, GOS_COUNT(list), 0.01);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thrown_body),
                                       cmocka_unit_test(oscillating),
                                       cmocka_unit_test(ends_on_the_limit),
                                       cmocka_unit_test(recording_is_silent),
                                       cmocka_unit_test(reactions_and_turns),
                                       cmocka_unit_test(ended_by_reactions),
                                       cmocka_unit_test(warming),
                                       cmocka_unit_test(on_the_grid),
                                       cmocka_unit_test(reduced_models),
                                       cmocka_unit_test(goes_on),
                                       cmocka_unit_test(in_results),
                                       cmocka_unit_test(eclipse),
                                       cmocka_unit_test(resumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
