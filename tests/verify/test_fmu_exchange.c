/* Units for model exchange: a master's own integration against a closed form and against
   co-simulation, derivatives against differences, events, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "support/fmu.h"
#include "support/suite.h"

enum { MOST = 400 };

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void make_unit(const char *name, const char *text, gos_fmu_options o, fmu *u) {
    gos_ctx *ctx = gos_ctx_create();
    char file[60];
    (void)snprintf(file, sizeof file, "%s.yaml", name);
    write_file(file, text);
    gos_model *m = fmu_model(ctx, folder_path(file));
    o.version = 2;
    fmu_of(ctx, m, o, name, u);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

/* ---- a master that integrates ---------------------------------------------------------------- */

typedef struct master {
    const fmu *u;
    fmi2Component c;
    size_t n;
    double t, y[MOST];
    fmi2EventInfo info;
} master;

static void new_states(master *m) {
    do {
        fmu_is_ok(m->u->fmi2NewDiscreteStates(m->c, &m->info));
    } while (m->info.newDiscreteStatesNeeded);
}

static void start(master *m, const fmu *u, size_t n) {
    *m = (master){.u = u, .n = n, .c = fmu_make(u, fmi2ModelExchange)};
    assert_true(n <= MOST);
    fmu_begin(u, m->c, 0);
    new_states(m);
    fmu_is_ok(u->fmi2EnterContinuousTimeMode(m->c));
    fmu_is_ok(u->fmi2GetContinuousStates(m->c, m->y, n));
}

static void rate(const master *m, double t, const double *y, double *dy) {
    fmu_is_ok(m->u->fmi2SetTime(m->c, t));
    fmu_is_ok(m->u->fmi2SetContinuousStates(m->c, y, m->n));
    fmu_is_ok(m->u->fmi2GetDerivatives(m->c, dy, m->n));
}

/* one step by the classical method of Runge and Kutta */
static void step(master *m, double h, fmi2Boolean *event, fmi2Boolean *end) {
    static double k[4][MOST], y[MOST];
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < m->n; i++) {
            y[i] = m->y[i] + (s > 0 ? part[s] * h * k[s - 1][i] : 0);
        }
        // inside the piece of the step, where functions of time switch at its end
        rate(m, m->t + part[s] * h * (1 - 1e-12), y, k[s]);
    }
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < m->n; i++) {
            m->y[i] += h * weight[s] * k[s][i];
        }
    }
    m->t += h;
    fmu_is_ok(m->u->fmi2SetTime(m->c, m->t));
    fmu_is_ok(m->u->fmi2SetContinuousStates(m->c, m->y, m->n));
    fmu_is_ok(m->u->fmi2CompletedIntegratorStep(m->c, fmi2True, event, end));
}

/* to a time, with steps of h at most that end at events in time */
static void go(master *m, double until, double h) {
    while (m->t < until - 1e-12) {
        fmi2Boolean event, end;
        const bool timed = m->info.nextEventTimeDefined && m->info.nextEventTime < until;
        const double to = timed ? m->info.nextEventTime : until, left = to - m->t;
        step(m, left / ceil(left / h - 1e-9), &event, &end);
        if (event || (timed && m->t >= to - 1e-12)) {
            fmu_is_ok(m->u->fmi2EnterEventMode(m->c));
            new_states(m);
            fmu_is_ok(m->u->fmi2EnterContinuousTimeMode(m->c));
        }
        if (end || m->info.terminateSimulation) {
            return;
        }
    }
}

/* ---- one oscillator -------------------------------------------------------------------------- */

static const char oscillator[] =
    "bodies:\n"
    "  mass: {type: matrices, M: one.mtx, K: four.mtx, B: one.mtx, C: one.mtx, q0: [0.1]}\n"
    "loads: {push: {type: input, on: mass.u1, value: 't < 0.7 ? 1 : 0'}}\n"
    "probes: {x: {quantity: output, at: mass.y1}}\n"
    "events: {low: {signal: x.value, limit: -0.05, direction: falling, action: %s}}\n"
    "analysis: {end: 3}\n";

static void make_oscillator(const char *name, const char *action, gos_fmu_kind kind, fmu *u) {
    static const char head[] = "%%MatrixMarket matrix array real general\n1 1\n";
    char text[1000], one[100], four[100];
    (void)snprintf(one, sizeof one, "%s1\n", head);
    (void)snprintf(four, sizeof four, "%s4\n", head);
    (void)snprintf(text, sizeof text, oscillator, action);
    write_file("one.mtx", one);
    write_file("four.mtx", four);
    make_unit(name, text, (gos_fmu_options){.kind = kind}, u);
}

/* q'' + 4 q = 1 to t = 0.7, then 0; from q = 0.1 */
static double closed(double t) {
    const double a = 0.25 - 0.15 * cos(2 * t);
    const double q = 0.25 - 0.15 * cos(1.4), v = 0.3 * sin(1.4), s = t - 0.7;
    return t < 0.7 ? a : q * cos(2 * s) + 0.5 * v * sin(2 * s);
}

static void test_oscillator(void **state) {
    (void)state;
    fmu u;
    master m;
    make_oscillator("oscillator", "record", GOS_FMU_MODEL_EXCHANGE, &u);
    double error[2];
    for (int k = 0; k < 2; k++) {
        start(&m, &u, 6); // the coordinate is one of three, of which two are held
        assert_true(m.info.nextEventTimeDefined && fabs(m.info.nextEventTime - 0.7) < 1e-9);
        go(&m, 1.5, 0.05 / (1 + k));
        error[k] = fabs(fmu_get(&u, m.c, "x.value") - closed(1.5));
        assert_true(fmu_get(&u, m.c, "x.value") == m.y[0]);
        double z;
        fmu_is_ok(u.fmi2GetEventIndicators(m.c, &z, 1));
        assert_true(fabs(z - (m.y[0] + 0.05)) < 1e-15 && z == fmu_get(&u, m.c, "event(low)"));
        fmu_is_ok(u.fmi2Terminate(m.c));
        u.fmi2FreeInstance(m.c);
    }
    assert_true(error[1] < 1e-7);
    assert_true(log2(error[0] / error[1]) > 3.5); // fourth order, through the switch
    fmu_close(&u);
}

static void test_event(void **state) {
    (void)state;
    fmu u;
    master m;
    double t = 1, last = 2.2; // where the closed form passes -0.05
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (t + last);
        *(closed(middle) > -0.05 ? &t : &last) = middle;
    }
    make_oscillator("event", "end", GOS_FMU_MODEL_EXCHANGE, &u);
    start(&m, &u, 6); // the coordinate is one of three, of which two are held
    go(&m, 3, 0.01);
    assert_true(m.info.terminateSimulation && m.t >= t && m.t < t + 0.011);
    u.fmi2FreeInstance(m.c);
    fmu_close(&u);
    // the co-simulation of the same model ends there by itself
    fmi2Boolean ended = fmi2False;
    double reached = 0;
    make_oscillator("event-cs", "end", GOS_FMU_CO_SIMULATION, &u);
    const fmi2Component c = fmu_make(&u, fmi2CoSimulation);
    fmu_begin(&u, c, 0);
    fmu_is_ok(u.fmi2DoStep(c, 0, 1, fmi2False));
    assert_int_equal(u.fmi2DoStep(c, 1, 2, fmi2False), fmi2Discard);
    fmu_is_ok(u.fmi2GetRealStatus(c, fmi2LastSuccessfulTime, &reached));
    fmu_is_ok(u.fmi2GetBooleanStatus(c, fmi2Terminated, &ended));
    assert_true(ended && fabs(reached - t) < 2e-3);
    assert_int_equal(u.fmi2DoStep(c, reached, 0.1, fmi2False), fmi2Error);
    u.fmi2FreeInstance(c);
    fmu_close(&u);
}

/* ---- a reduced pendulum ---------------------------------------------------------------------- */

static const char pendulum[] =
    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-3, damping: {normal: 2.0e-3}, absorptivity: 1}}\n"
    "sections: {s: {type: rectangle, height: 0.05, width: 0.05}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "  elements: 4, frame: reference}}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 1, 0]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "heat: {sun: {type: flux, value: 1.0e3, direction: [0, -1, 0], on: rod}}\n"
    "probes: {tip: {at: rod.end, quantity: position}, warm: {at: rod.end, quantity: temperature},\n"
    "  a: {at: rod.end, quantity: acceleration}}\n"
    "analysis: {end: 0.3, tolerance: 1.0e-8}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4}\n";

static int states_of(const fmu *u) {
    int n = 0;
    for (const char *s = u->xml; (s = strstr(s, "<Real derivative=")) != NULL; s++) {
        n++;
    }
    return n;
}

/* the master's integration comes to where the unit's own comes */
static void test_pendulum(void **state) {
    (void)state;
    fmu u, v;
    master m;
    make_unit("me", pendulum, (gos_fmu_options){.kind = GOS_FMU_MODEL_EXCHANGE, .reduced = true},
              &u);
    make_unit("cs", pendulum, (gos_fmu_options){.reduced = true}, &v);
    start(&m, &u, (size_t)states_of(&u));
    go(&m, 0.2, 2e-4);
    const fmi2Component c = fmu_make(&v, fmi2CoSimulation);
    fmu_begin(&v, c, 0);
    fmu_is_ok(v.fmi2DoStep(c, 0, 0.2, fmi2False));
    static const char *const name[] = {"tip.x", "tip.y", "warm.T"};
    for (int i = 0; i < 3; i++) {
        const double a = fmu_get(&u, m.c, name[i]), b = fmu_get(&v, c, name[i]);
        if (!(fabs(a - b) < 1e-6 * fmax(1, fabs(b)))) {
            fail_msg("%s: %.12g in model exchange, %.12g in co-simulation", name[i], a, b);
        }
    }
    assert_true(fmu_get(&u, m.c, "tip.y") < -0.1);
    u.fmi2FreeInstance(m.c);
    v.fmi2FreeInstance(c);
    fmu_close(&u);
    fmu_close(&v);
}

/* all outputs and rates of states along a direction of states and inputs, against central
 * differences */
static void test_directional(void **state) {
    (void)state;
    fmu u;
    master m;
    make_unit("me-directional", pendulum,
              (gos_fmu_options){.kind = GOS_FMU_MODEL_EXCHANGE, .reduced = true}, &u);
    start(&m, &u, (size_t)states_of(&u));
    go(&m, 0.1, 1e-3);
    const unsigned first = fmu_reference(&u, "amplitude(1).x"), output = fmu_reference(&u, "tip.x");
    const int n = (int)m.n, nout = (int)(first - output);
    unsigned unknown[2 * MOST], known[MOST + 2];
    double seed[MOST + 2], change[2 * MOST], value[2][2 * MOST], y[MOST], in[2];
    for (int i = 0; i < n + nout; i++) {
        unknown[i] = i < nout ? output + (unsigned)i : first + (unsigned)(n + i - nout);
    }
    for (int i = 0; i < n; i++) {
        known[i] = first + (unsigned)i;
        seed[i] = 0.01 * sin(1.7 * i) * fmax(fabs(m.y[i]), 0.01);
    }
    known[n] = fmu_reference(&u, "push.y");
    known[n + 1] = fmu_reference(&u, "sun");
    seed[n] = 0.2;
    seed[n + 1] = 50;
    fmu_is_ok(u.fmi2GetReal(m.c, known + n, 2, in));
    fmu_is_ok(u.fmi2GetDirectionalDerivative(m.c, unknown, (size_t)(n + nout), known, (size_t)n + 2,
                                             seed, change));
    for (int side = 0; side < 2; side++) {
        const double h = side == 0 ? 1e-3 : -1e-3;
        for (int i = 0; i < n; i++) {
            y[i] = m.y[i] + h * seed[i];
        }
        const double moved[2] = {in[0] + h * seed[n], in[1] + h * seed[n + 1]};
        fmu_is_ok(u.fmi2SetReal(m.c, known + n, 2, moved));
        fmu_is_ok(u.fmi2SetContinuousStates(m.c, y, m.n));
        fmu_is_ok(u.fmi2GetReal(m.c, unknown, (size_t)(n + nout), value[side]));
    }
    for (int part = 0; part < 2; part++) { // outputs, rates, relative to the largest of them
        const int from = part == 0 ? 0 : nout, to = part == 0 ? nout : nout + n;
        double scale = 0;
        for (int i = from; i < to; i++) {
            scale = fmax(scale, fabs(change[i]));
        }
        for (int i = from; i < to; i++) {
            const double want = (value[0][i] - value[1][i]) / 2e-3;
            if (!(fabs(change[i] - want) <= 1e-6 * scale)) {
                fail_msg("variable %u: derivative %.12g, by differences %.12g", unknown[i],
                         change[i], want);
            }
        }
        assert_true(scale > 1e-3);
    }
    u.fmi2FreeInstance(m.c);
    fmu_close(&u);
}

/* a state of model exchange comes back */
static void test_state(void **state) {
    (void)state;
    fmu u;
    master m;
    double dy[2][MOST], y[MOST];
    fmi2FMUstate kept = NULL;
    make_unit("me-state", pendulum,
              (gos_fmu_options){.kind = GOS_FMU_MODEL_EXCHANGE, .reduced = true}, &u);
    start(&m, &u, (size_t)states_of(&u));
    go(&m, 0.05, 1e-3);
    fmu_set(&u, m.c, "push.y", 3);
    fmu_is_ok(u.fmi2GetDerivatives(m.c, dy[0], m.n));
    fmu_is_ok(u.fmi2GetFMUstate(m.c, &kept));
    go(&m, 0.06, 1e-3);
    fmu_set(&u, m.c, "push.y", -3);
    fmu_is_ok(u.fmi2SetFMUstate(m.c, kept));
    fmu_is_ok(u.fmi2GetDerivatives(m.c, dy[1], m.n));
    fmu_is_ok(u.fmi2GetContinuousStates(m.c, y, m.n));
    assert_memory_equal(dy[0], dy[1], m.n * sizeof(double));
    assert_true(fabs(fmu_get(&u, m.c, "time") - 0.05) < 1e-12 && fmu_get(&u, m.c, "push.y") == 3);
    fmu_is_ok(u.fmi2FreeFMUstate(m.c, &kept));
    assert_int_equal(u.fmi2GetDerivatives(m.c, dy[0], 1), fmi2Error);
    assert_int_equal(u.fmi2SetContinuousStates(m.c, (const double[]){(double)NAN}, 1), fmi2Error);
    u.fmi2FreeInstance(m.c);
    fmu_close(&u);
}

/* ---- refusals
 * --------------------------------------------------------------------------------------------------
 */

static void expect_refused(const char *text, gos_fmu_options o, const char *why) {
    gos_ctx *ctx = gos_ctx_create();
    write_file("refused.yaml", text);
    gos_model *m = fmu_model(ctx, folder_path("refused.yaml"));
    char path[200];
    (void)snprintf(path, sizeof path, "%s", folder_path("refused.fmu"));
    o.library = fmu_library();
    assert_true(gos_export_fmu(ctx, m, &o, path) < 0);
    if (!strstr(gos_ctx_message(ctx), why) || access(path, F_OK) == 0) {
        fail_msg("expected '%s': %s", why, gos_ctx_message(ctx));
    }
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static double call_value(void *user, double t, const double *y) {
    (void)user, (void)t;
    return -y[0];
}

static void test_refused(void **state) {
    (void)state;
    const gos_fmu_options me = {.version = 2, .kind = GOS_FMU_MODEL_EXCHANGE}, cs = {.version = 2};
    expect_refused("bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\nanalysis: {end: 1}\n",
                   me, "body 'b' has constraints that are nonlinear");
    char energy[1200];
    (void)snprintf(energy, sizeof energy,
                   "%.*sprobes: {e: {quantity: energy}}\nanalysis: {end: 1}\n",
                   (int)(strstr(pendulum, "probes:") - pendulum), pendulum);
    expect_refused(energy, me, "probe 'e' shows energies");
    expect_refused(pendulum, (gos_fmu_options){.version = 4}, "version must be 2 or 3");
    expect_refused(
        "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\nanalysis: {type: static}\n", cs,
        "static");
    expect_refused("bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                   "loads: {b: {type: force, on: b, value: [1, 2, 3]}}\n"
                   "probes: {b: {at: b, quantity: position}}\nanalysis: {end: 1}\n",
                   cs, "the name 'b.x'");
    // functions of the program that exports
    gos_ctx *ctx = gos_ctx_create();
    write_file("call.yaml", "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                            "probes: {p: {at: b, quantity: position}}\n"
                            "loads: {f: {type: force, on: b, value: [{call: mine, of: [p.x]}, 0, "
                            "0]}}\nanalysis: {end: 1}\n");
    gos_model *m = fmu_model(ctx, folder_path("call.yaml"));
    assert_int_equal(gos_model_callback(ctx, m, "mine", &(gos_callback){.value = call_value}),
                     GOS_OK);
    gos_fmu_options o = cs;
    o.library = fmu_library();
    assert_int_equal(gos_export_fmu(ctx, m, &o, folder_path("call.fmu")), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "functions"));
    // and no library to pack
    gos_ctx_clear(ctx);
    o.library = "/nowhere";
    gos_model *plain = fmu_model(ctx, folder_path("refused.yaml"));
    assert_int_equal(gos_export_fmu(ctx, plain, &o, folder_path("call.fmu")), GOS_E_FILE);
    assert_non_null(strstr(gos_ctx_message(ctx), "libgossamer_fmu.so is missing"));
    gos_model_destroy(plain);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillator), cmocka_unit_test(test_event),
        cmocka_unit_test(test_pendulum),   cmocka_unit_test(test_directional),
        cmocka_unit_test(test_state),      cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
