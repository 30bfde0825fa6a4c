/* Controllers in running systems: Newton matrix against differences, poles of the closed loop
   against those of its equations, samples against the exact discrete solution, limits against the
   motion in pieces, energies, full and reduced models, going on from a copy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>

#include "gossamer/controller.h"
#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

/* ---- a mass on a guide ----------------------------------------------------------------------- */

#define CART(controller, load)                                                                     \
    "parameters: {x0: 0.3, v0: 0, T: 0.05, delay: 0, top: 1.0e9, steps: 0, wind: 0}\n"             \
    "bodies: {box: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [x0, 0, 0]}}\n"            \
    "joints: {guide: {type: prismatic, between: [ground, box], axis: [1, 0, 0]}}\n"                \
    "loads: {push: {type: force, on: box, value: [\"" load "\", 0, 0]}}\n"                         \
    "initial: {box: {velocity: [v0, 0, 0]}}\n"                                                     \
    "probes:\n"                                                                                    \
    "  x: {at: box, quantity: position, direction: [1, 0, 0]}\n"                                   \
    "  v: {at: box, quantity: velocity, direction: [1, 0, 0]}\n"                                   \
    "  E: {quantity: energy}\n"                                                                    \
    "controllers: {law: {" controller "}}\n"                                                       \
    "analysis: {end: 2, tolerance: 1.0e-8}\n"

static const char sampled_pd[] =
    CART("type: state_feedback, signals: [x, v], inputs: push.x, gain: [8, 4], limit: top, "
         "sample: {period: T, delay: delay, quantisation: {signals: steps}}",
         "0");
static const char continuous_pd[] =
    CART("type: state_feedback, signals: [x, v], inputs: push.x, gain: [8, 4], limit: top", "0");

/* 2 x'' = u with u held: exact over any time */
static void fly(double dt, double u, double x[2]) {
    x[0] += dt * x[1] + 0.25 * dt * dt * u;
    x[1] += 0.5 * dt * u;
}

static double converted(double step, double y) {
    return step > 0 ? step * rint(y / step) : y;
}

/* u_k of x(k T) held from k T + delay on, delay = whole + part periods */
static void discrete(double T, double delay, double top, double step, double end, double x[2]) {
    enum { MOST = 4 };
    const int whole = (int)floor(delay / T + 1e-9);
    const double part = delay - whole * T;
    double u[MOST + 2] = {0};
    for (int k = 0; k < (int)round(end / T); k++) {
        const double now = -8 * converted(step, x[0]) - 4 * converted(step, x[1]);
        memmove(u + 1, u, (MOST + 1) * sizeof *u);
        u[0] = fmin(fmax(now, -top), top);
        fly(part, u[whole + 1], x);
        fly(T - part, u[whole], x);
    }
}

static void check_sampled(const char *what, const char *settings, double delay, double top,
                          double step) {
    verify v;
    double want[2] = {0.3, 0.1};
    char text[300];
    (void)snprintf(text, sizeof text, "v0=0.1 delay=%.17g top=%.17g steps=%.17g %s", delay, top,
                   step, settings);
    verify_text(&v, sampled_pd, text);
    verify_run(&v);
    discrete(0.05, delay, top, step, 2, want);
    print_message("    %s\n", what);
    verify_near("position [m]", verify_value(&v, NULL, "x.value"), want[0], 1e-10);
    verify_near("velocity [m/s]", verify_value(&v, NULL, "v.value"), want[1], 1e-10);
    verify_below("balance of energies [J]", verify_value(&v, NULL, "E.balance"), 1e-10);
    verify_close(&v);
}

static void samples(void **state) {
    GOS_UNUSED(state);
    check_sampled("held at once", "", 0, 1e9, 0);
    check_sampled("with fixed steps that divide the period", "analysis.step=0.01", 0, 1e9, 0);
    check_sampled("with fixed steps longer than it", "analysis.step=0.07", 0, 1e9, 0);
    check_sampled("half a period late", "", 0.025, 1e9, 0);
    check_sampled("a period late", "", 0.05, 1e9, 0);
    check_sampled("more than two periods late", "", 0.115, 1e9, 0);
    check_sampled("limited", "", 0, 0.7, 0);
    check_sampled("with converters of 10 bits", "", 0, 1e9, 0.0019637);
    check_sampled("by BDF", "analysis.integrator=bdf analysis.tolerance=1e-11", 0, 1e9, 0);
    check_sampled("by Radau", "analysis.integrator=radau analysis.tolerance=1e-11", 0, 1e9, 0);
}

/* what is recorded: what is held, what was wanted */
static void recorded(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, sampled_pd, "top=0.7 v0=-0.2");
    verify_start(&v);
    const gos_state *at = verify_at(&v, 0.01);
    verify_near("held [N]", verify_value(&v, at, "law.push_x"), -0.7, 1e-15);
    verify_near("wanted [N]", verify_value(&v, at, "law_command.push_x"), -8 * 0.3 + 4 * 0.2,
                1e-14);
    verify_close(&v);
}

/* ---- continuous ------------------------------------------------------------------------------ */

/* 2 x'' = -8 x - 4 x' from rest */
static void feedback(void **state) {
    GOS_UNUSED(state);
    verify v;
    const double w = sqrt(3), t = 2;
    const double want = 0.3 * exp(-t) * (cos(w * t) + sin(w * t) / w);
    verify_text(&v, continuous_pd, NULL);
    verify_run(&v);
    verify_near("position [m]", verify_value(&v, NULL, "x.value"), want, 1e-8);
    verify_near("work of the law [J]", verify_value(&v, NULL, "E.work"),
                verify_value(&v, NULL, "E.kinetic"), 1e-8);
    verify_close(&v);
    verify_text(&v, continuous_pd, "analysis.integrator=bdf analysis.tolerance=1e-10");
    verify_run(&v);
    verify_near("position by BDF [m]", verify_value(&v, NULL, "x.value"), want, 1e-8);
    verify_close(&v);
    verify_text(&v, continuous_pd, "analysis.integrator=radau analysis.tolerance=1e-10");
    verify_run(&v);
    verify_near("position by Radau [m]", verify_value(&v, NULL, "x.value"), want, 1e-8);
    verify_close(&v);
}

/* Limited: 2 x'' = -top until -8 x - 4 x' = -top, at t1; then the linear motion from there, whose
 * amount stays within. */
static void limits(void **state) {
    GOS_UNUSED(state);
    verify v;
    const double top = 1.6, d = 1, w = sqrt(3);
    double x[2] = {0.3, 0}, low = 0, high = 1;
    for (int i = 0; i < 60; i++) { // where the law requires what there is
        const double mid = 0.5 * (low + high);
        double at[2] = {0.3, 0};
        fly(mid, -top, at);
        if (8 * at[0] + 4 * at[1] > top) {
            low = mid;
        } else {
            high = mid;
        }
    }
    fly(low, -top, x);
    const double t = 2 - low, a = x[0], b = (x[1] + d * x[0]) / w;
    const double want = exp(-d * t) * (a * cos(w * t) + b * sin(w * t));
    verify_text(&v, continuous_pd, "top=1.6");
    verify_run(&v);
    verify_near("position [m]", verify_value(&v, NULL, "x.value"), want, 2e-8);
    verify_below("balance of energies [J]", verify_value(&v, NULL, "E.balance"), 1e-7);
    verify_close(&v);
}

/* a declared amount stays: the mass rests where the spring that the law is holds it; so does the
   equilibrium, and integrators make the offset vanish */
static void equilibria(void **state) {
    GOS_UNUSED(state);
    static const char with_load[] =
        CART("type: state_feedback, signals: [x, v], inputs: push.x, gain: [8, 4]", "2");
    static const char integral[] =
        CART("type: state_space, signals: [\"x - 0.1\", v], inputs: push.x, A: 0, B: [1, 0], "
             "C: -6, D: [-8, -4]",
             "2");
    verify v;
    verify_text(&v, with_load, NULL);
    verify_static(&v);
    verify_near("held by the law [m]", verify_value(&v, NULL, "x.value"), 0.25, 1e-12);
    verify_close(&v);
    verify_text(&v, integral, NULL);
    verify_static(&v);
    verify_near("with an integrator [m]", verify_value(&v, NULL, "x.value"), 0.1, 1e-12);
    verify_near("which holds the load", verify_value(&v, NULL, "law_state.x1"), 2.0 / 6, 1e-12);
    verify_close(&v);
}

/* ---- poles ----------------------------------------------------------------------------------- */

/* re + i im: CMPLX is not everywhere, and I is a float */
static double complex number(double re, double im) {
    const double part[2] = {re, im};
    double complex z;
    memcpy(&z, part, sizeof z);
    return z;
}

/* 2 x'' = u, z' = -20 z + 20 x, u = -3 z - 8 x - 4 x': (2 s^2 + 4 s + 8)(s + 20) + 60 = 0 */
static double complex polynomial(double complex s, double complex *slope) {
    *slope = (6 * s + 88) * s + 88;
    return ((2 * s + 44) * s + 88) * s + 220;
}

/* 2 x'' = -10 x' - 4000 z1, z1' = -20 z1 + 30 z2 + x, z2' = -30 z1 - 20 z2: with q = (s + 20)^2 +
   900 2 s^2 q + 10 s q + 4000 (s + 20) = 0. Both pairs are reported, those that are no modes of the
   mass among the roots. */
static double complex swinging(double complex s) {
    const double complex q = (s + 20) * (s + 20) + 900;
    return (2 * s + 10) * s * q + 4000 * (s + 20);
}

static void states_that_swing(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        CART("type: state_space, signals: [x, v], inputs: push.x, A: [[-20, 30], [-30, -20]], "
             "B: [[1, 0], [0, 0]], C: [[-4000, 0]], D: [[0, -10]]",
             "0");
    verify v;
    gos_linear *linear;
    gos_mode mode[5];
    gos_root root[5];
    int found, nroots;
    verify_text(&v, text, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_coupled_modes(v.ctx, linear, 5, mode, &found, 5, root, &nroots));
    print_message("    %d modes, %d roots beside them\n", found, nroots);
    assert_int_equal(found + nroots, 2);
    double complex pole[2];
    for (int i = 0; i < 2; i++) {
        pole[i] = i < found ? number(mode[i].re, mode[i].im)
                            : number(root[i - found].re, root[i - found].im);
    }
    const double complex one = pole[0], two = pole[1];
    assert_true(cimag(one) > 1 && cimag(two) > 1 && cabs(one - two) > 1);
    verify_below("first pole", cabs(swinging(one)) / 8e4, 1e-8);
    verify_below("second pole", cabs(swinging(two)) / 8e4, 1e-8);
    verify_near("all of them [1/s]", 2 * (creal(one) + creal(two)), -45, 1e-8);
    gos_linear_destroy(linear);
    verify_close(&v);
}

static void poles(void **state) {
    GOS_UNUSED(state);
    static const char filtered[] =
        CART("type: state_space, signals: [x, v], inputs: push.x, A: -20, B: [20, 0], C: -3, "
             "D: [-8, -4]",
             "0");
    verify v;
    gos_linear *linear;
    gos_mode mode[3];
    int found;
    verify_text(&v, filtered, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, 2, true, mode, &found));
    assert_true(found >= 1);
    double complex s = number(mode[0].re, mode[0].im), at = s, slope;
    for (int i = 0; i < 8; i++) {
        at -= polynomial(at, &slope) / slope;
    }
    assert_true(cimag(at) > 1);
    verify_below("pole of the closed loop, relative", cabs(s - at) / cabs(at), 1e-8);
    gos_linear_destroy(linear);
    verify_close(&v);
    verify_text(&v, sampled_pd, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    assert_non_null(strstr(gos_ctx_diag(v.ctx, gos_ctx_ndiag(v.ctx) - 1)->text,
                           "sampled controllers are omitted"));
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- a flexible arm -------------------------------------------------------------------------- */

#define ARM(matrices, sample)                                                                      \
    "parameters: {top: 1.0e9}\n"                                                                   \
    "materials:\n"                                                                                 \
    "  steel: {density: 7800, young: 2.0e11, poisson: 0.3}\n"                                      \
    "  rubber: {density: 2000, young: 100, poisson: 0.3, conductivity: 1, specific_heat: 1,\n"     \
    "           expansion: 1.0e-4}\n"                                                              \
    "sections:\n"                                                                                  \
    "  bar: {type: rectangle, height: 0.01, width: 0.02, shear_factors: [0.8, 0.8]}\n"             \
    "bodies:\n"                                                                                    \
    "  hub: {type: rigid, mass: 2, inertia: [0.02, 0.03, 0.04]}\n"                                 \
    "  arm: {type: floating_beam, material: steel, section: bar, from: [0, 0, 0], to: [1, 0, "     \
    "0],\n"                                                                                        \
    "        elements: 3}\n"                                                                       \
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 1, 0], to: [1, 1, 0],\n"  \
    "        elements: 2}\n"                                                                       \
    "joints:\n"                                                                                    \
    "  pin: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"                           \
    "  root: {type: clamp, between: [hub, arm.start]}\n"                                           \
    "  foot: {type: clamp, between: [ground, rod.start]}\n"                                        \
    "loads:\n"                                                                                     \
    "  M: {type: moment, on: hub, moment: [0, 0, 0.1]}\n"                                          \
    "  F: {type: force, on: arm.end, value: [0, 0, 0], frame: hub}\n"                              \
    "heat: {warm: {type: heat_flow, on: rod.end, value: 0}}\n"                                     \
    "probes:\n"                                                                                    \
    "  angle: {at: hub, quantity: angle}\n"                                                        \
    "  rate: {at: hub, quantity: angular_velocity, direction: [0, 0, 1]}\n"                        \
    "  tip: {at: arm.end, quantity: position}\n"                                                   \
    "  tv: {at: arm.end, quantity: velocity}\n"                                                    \
    "  own: {at: arm.end, quantity: displacement, frame: hub}\n"                                   \
    "  bend: {at: \"rod.at(0.3)\", quantity: velocity}\n"                                          \
    "  T: {at: rod.end, quantity: temperature}\n"                                                  \
    "controllers:\n"                                                                               \
    "  law: {type: state_space, signals: [\"angle - 0.5*sin(2*t)\", rate, tip.y,\n"                \
    "      \"tv.y*own.y + 0.1*T.T\", bend.y], inputs: [M.z, F.y, warm],\n"                         \
    "      " matrices ",\n"                                                                        \
    "      C: [[-3, -1], [0.2, 0], [1, 2]],\n"                                                     \
    "      D: [[-20, -3, -1, -0.5, 0], [0.1, 0.2, 0, 0.3, 1], [0.2, 0.1, 2, 1, 3]],\n"             \
    "      E: [[3e-3, 1e-3, 2e-3], [1e-3, 0, 0.01]], limit: [top, 1.0e9, 1.0e9]" sample "}\n"      \
    "analysis: {end: 0.2, tolerance: 1.0e-5}\n"

static const char arm[] =
    ARM("A: [[-20, 3], [1, -30]], B: [[20, 0, 1, 0, 2], [0, 1, 0, 3, 1]]", "");
static const char arm_sampled[] =
    ARM("A: [[0.96, 6e-3], [2e-3, 0.94]], B: [[0.04, 0, 2e-3, 0, 4e-3], [0, 2e-3, 0, 6e-3, 2e-3]]",
        ", sample: {period: 2.0e-3, delay: 1.0e-3}");

static void derivatives(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_system *reduced;
    verify_text(&v, arm, NULL);
    check_newton_matrix(v.sys, "an arm and a rod in one loop", 20, true);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    check_newton_matrix(reduced, "the same, reduced", 20, true);
    gos_system_destroy(reduced);
    verify_close(&v);
    verify_text(&v, arm, "top=1e-9");
    check_newton_matrix(v.sys, "with an input at its limit", 20, true);
    verify_close(&v);
}

static void tip_of(const char *text, const char *settings, bool reduce, double y[3]) {
    verify v;
    gos_system *full;
    gos_state *unused;
    verify_text(&v, text, settings);
    full = v.sys;
    unused = v.state;
    if (reduce) {
        verify_good(&v, gos_reduce(v.ctx, full, &v.sys));
        verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
    }
    verify_run(&v);
    verify_probe(&v, NULL, "tip", y);
    if (reduce) {
        gos_integrator_destroy(v.run);
        v.run = NULL;
        gos_state_destroy(v.state);
        gos_system_destroy(v.sys);
        v.sys = full;
        v.state = unused;
    }
    verify_close(&v);
}

/* full and reduced, by two integrators */
static void flexible(void **state) {
    GOS_UNUSED(state);
    static const char *const texts[] = {arm, arm_sampled};
    const char *end = suite_long() ? "analysis.end=0.2" : "analysis.end=0.1";
    char bdf[60];
    double full[3], other[3];
    (void)snprintf(bdf, sizeof bdf, "%s analysis.integrator=bdf", end);
    for (int i = 0; i < 2; i++) {
        tip_of(texts[i], end, false, full);
        tip_of(texts[i], end, true, other);
        // the tolerance of `auto` for floating bodies is 1e-3 of the length
        verify_below("tip, reduced from full [m]", verify_distance(full, other), 1e-3);
        tip_of(texts[i], bdf, false, other);
        verify_below("tip, by BDF from generalised-alpha [m]", verify_distance(full, other), 2e-4);
    }
}

/* a run continues from a copy of its state to the last bit, whatever is waiting for the end of its
 * delay */
static void copies(void **state) {
    GOS_UNUSED(state);
    double y[2][3];
    for (int i = 0; i < 2; i++) {
        verify v;
        verify_text(&v, arm_sampled, NULL);
        verify_start(&v);
        while (gos_state_time(v.state) < 0.1011) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        if (i == 1) {
            gos_state *copy;
            verify_good(&v, gos_integrator_store_history(v.run));
            verify_good(&v, gos_state_create(v.ctx, v.sys, &copy));
            verify_good(&v, gos_state_copy(copy, v.state));
            gos_integrator_destroy(v.run);
            gos_state_destroy(v.state);
            v.state = copy;
            verify_start(&v);
        }
        while (gos_state_time(v.state) < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        }
        verify_probe(&v, NULL, "tip", y[i]);
        verify_close(&v);
    }
    assert_memory_equal(y[0], y[1], sizeof y[0]);
}

/* ---- types ----------------------------------------------------------------------------------- */

/* 2 x'' = 2 - kp x - kd x' - ki (integral): poles chosen, residues by the initial conditions; here
   x at 2 s of the real poles -1, -2, -3 with kp = 22, ki = 12, kd = 12 from rest at 0.3 */
static double real_poles(double t) {
    // x = sum c_i exp(p_i t): x(0) = 0.3, x'(0) = 0, x''(0) = (2 - 22 * 0.3) / 2
    const double x0 = 0.3, x1 = 0, x2 = (2 - 22 * x0) / 2;
    const double c1 = (6 * x0 + 5 * x1 + x2) / 2, c2 = -(3 * x0 + 4 * x1 + x2),
                 c3 = (2 * x0 + 3 * x1 + x2) / 2;
    return c1 * exp(-t) + c2 * exp(-2 * t) + c3 * exp(-3 * t);
}

static double end_of(const char *text, const char *settings) {
    verify v;
    verify_text(&v, text, settings);
    verify_run(&v);
    const double x = verify_value(&v, NULL, "x.value");
    verify_close(&v);
    return x;
}

/* the same law by a pid, by expressions and by matrices, with a constant load */
static void laws(void **state) {
    GOS_UNUSED(state);
    static const char pid[] = CART("type: pid, signal: x, rate: v, inputs: push.x, kp: 22, ki: 12, "
                                   "kd: 12",
                                   "2");
    static const char expression[] =
        CART("type: expression, inputs: push.x, amounts: \"-22*x - 12*v - 12*law_state.x1\", "
             "rates: x",
             "2");
    static const char matrices[] = CART("type: state_space, signals: [x, v], inputs: push.x, A: 0, "
                                        "B: [1, 0], C: -12, D: [-22, -12]",
                                        "2");
    const double want = real_poles(2);
    verify_near("pid [m]", end_of(pid, NULL), want, 1e-8);
    verify_near("expressions [m]", end_of(expression, NULL), want, 1e-8);
    verify_near("matrices [m]", end_of(matrices, NULL), want, 1e-8);
}

/* u = -(200 s + 400) / (s + 40) x, as a filtered pd law: kp = 10, kd s / (s / 40 + 1) with kd
 * = 4.75; and against states */
static void transfer(void **state) {
    GOS_UNUSED(state);
    static const char quotient[] = CART("type: transfer_function, signal: x, inputs: push.x, "
                                        "num: [-200, -400], den: [1, 40]",
                                        "0");
    static const char pd[] = CART("type: pid, signal: x, inputs: push.x, kp: 10, kd: 4.75, "
                                  "filter: 0.025",
                                  "0");
    static const char twice[] = CART("type: transfer_function, signal: x, inputs: push.x, "
                                     "num: [-400, -8800, -16000], den: [2, 120, 1600]",
                                     "0"); // the same times (s + 20) / (s + 20)
    // -(200 s + 400) / (s + 40) = -10 - 190 s / (s + 40), and 190 / 40 = 4.75
    const double want = end_of(quotient, NULL);
    // from x = 0, where the filter of a pid begins as that of a quotient does
    verify_near("a pd law with a filter [m]", end_of(pd, "x0=0 v0=0.3"),
                end_of(quotient, "x0=0 v0=0.3"), 1e-8);
    verify_near("with a pole and a zero that cancel [m]", end_of(twice, NULL), want, 1e-8);
    // sampled: -4 (1 + 0.5/z) x(k): num and den of z
    static const char sampled[] = CART("type: transfer_function, signal: x, inputs: push.x, "
                                       "num: [-4, -2], den: [1, 0], sample: {period: T}",
                                       "0");
    double x[2] = {0.3, 0}, before = 0;
    for (int k = 0; k < 40; k++) {
        const double now = x[0];
        fly(0.05, -4 * now - 2 * before, x);
        before = now;
    }
    verify_near("sampled [m]", end_of(sampled, NULL), x[0], 1e-10);
}

/* A pid with a limit follows a setpoint that it cannot follow at once. Sampled, against its own
   equations; without tracking it overshoots far more. */
static double largest_of(const char *settings) {
    static const char limited[] =
        CART("type: pid, signal: x, setpoint: 1, rate: v, inputs: push.x, kp: 6, ki: 4, kd: 6, "
             "limit: 0.8, tracking: wind",
             "0");
    verify v = {.ctx = gos_ctx_create()};
    double most = 0;
    char text[sizeof limited + 100];
    (void)snprintf(text, sizeof text, "%s", limited);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    verify_set(&v, settings);
    verify_compile(&v);
    verify_start(&v);
    for (double t = 0.05; t < 12; t += 0.05) {
        most = fmax(most, verify_value(&v, verify_at(&v, t), "x.value"));
    }
    verify_close(&v);
    return most;
}

static void wind_up(void **state) {
    GOS_UNUSED(state);
    const double with = largest_of("parameters.wind=0.7 x0=0 analysis.end=12"),
                 without = largest_of("parameters.wind=0 x0=0 analysis.end=12");
    verify_within("overshoot with tracking, of that without", (with - 1) / (without - 1), 0, 0.5);
}

/* e(k) = 1 - x(k), z(k+1) = z + T (ki e + w (v - u)), u = kp e + z - kd x' */
static void sampled_pid(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        CART("type: pid, signal: x, setpoint: 1, rate: v, inputs: push.x, kp: 6, ki: 4, kd: 6, "
             "limit: top, tracking: 0.7, sample: {period: T}",
             "0");
    double x[2] = {0.3, 0}, z = 0;
    for (int k = 0; k < 40; k++) {
        const double e = 1 - x[0], u = 6 * e + z - 6 * x[1], v = fmin(fmax(u, -0.8), 0.8);
        z += 0.05 * (4 * e + 0.7 * (v - u));
        fly(0.05, v, x);
    }
    verify_near("sampled pid with a limit [m]", end_of(text, "top=0.8"), x[0], 1e-10);
}

/* a law that the program gives */
static void given(void **state) {
    GOS_UNUSED(state);
    static const char text[] = CART("type: designed", "0");
    static const char *const signal[] = {"x", "v"}, *const input[] = {"push.x"};
    static const double D[] = {-8, -4}, u0[] = {0.5}, y0[] = {0.1, 0};
    const gos_control_law law = {
        .ny = 2, .nu = 1, .D = D, .u0 = u0, .y0 = y0, .signal = signal, .input = input};
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "gossamer design MODEL -o FILE"));
    verify_good(&v, gos_model_control_law(v.ctx, v.model, "law", &law));
    verify_compile(&v);
    verify_static(&v);
    verify_near("at rest where 0.5 = 8 (x - 0.1) [m]", verify_value(&v, NULL, "x.value"), 0.1625,
                1e-12);
    verify_close(&v);
}

/* ... with expressions in the place of its signals */
static void course(void **state) {
    GOS_UNUSED(state);
    static const char text[] = CART("type: designed, signals: ['x - 0.1 - 0*t', v]", "0"),
                      few[] = CART("type: designed, signals: x", "0");
    static const char *const signal[] = {"x", "v"}, *const input[] = {"push.x"};
    static const double D[] = {-8, -4}, u0[] = {0.5};
    const gos_control_law law = {
        .ny = 2, .nu = 1, .D = D, .u0 = u0, .signal = signal, .input = input};
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    verify_good(&v, gos_model_control_law(v.ctx, v.model, "law", &law));
    verify_compile(&v);
    verify_static(&v);
    verify_near("at rest where 0.5 = 8 (x - 0.1) [m]", verify_value(&v, NULL, "x.value"), 0.1625,
                1e-12);
    verify_close(&v);
    v = (verify){.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, few, strlen(few), "test", NULL, &v.model));
    verify_good(&v, gos_model_control_law(v.ctx, v.model, "law", &law));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "signals has 1 entries, but the law has 2"));
    verify_close(&v);
}

/* ---- what cannot be -------------------------------------------------------------------------- */

static void refused(const char *text, const char *word) {
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(v.ctx), word)) {
        print_error("'%s' without '%s'\n", gos_ctx_message(v.ctx), word);
        fail();
    }
    verify_close(&v);
}

static void refusals(void **state) {
    GOS_UNUSED(state);
    refused(CART("type: state_feedback, signals: [x, y], inputs: push.x, gain: [8, 4]", "0"),
            "there is no probe 'y'; add it");
    refused(CART("type: state_feedback, signals: [x, v], inputs: pull.x, gain: [8, 4]", "0"),
            "there is no input 'pull.x'; inputs of loads and heat are push.x");
    refused(CART("type: state_feedback, signals: [x, v], inputs: push.x, gain: [8, 4, 1]", "0"),
            "it must have 1 rows of 2 numbers");
    refused(CART("type: state_feedback, signals: [x, v], inputs: push.x, gain: [8, 4]", "0.1*x"),
            "already depends on probes in its entry");
    refused(CART("type: state_feedback, signals: [x, v], inputs: push.x, gain: [8, 4]}, "
                 "more: {type: state_feedback, signals: x, inputs: push.x, gain: 1",
                 "0"),
            "already driven by controller 'law'");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),     cmocka_unit_test(recorded),
        cmocka_unit_test(feedback),    cmocka_unit_test(limits),
        cmocka_unit_test(equilibria),  cmocka_unit_test(poles),
        cmocka_unit_test(derivatives), cmocka_unit_test(flexible),
        cmocka_unit_test(copies),      cmocka_unit_test(refusals),
        cmocka_unit_test(laws),        cmocka_unit_test(states_that_swing),
        cmocka_unit_test(transfer),    cmocka_unit_test(wind_up),
        cmocka_unit_test(sampled_pid), cmocka_unit_test(given),
        cmocka_unit_test(course),
    };
    return cmocka_run_group_tests_name("controllers", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
