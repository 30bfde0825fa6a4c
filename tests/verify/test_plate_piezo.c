/* Piezoelectric patches on ANCF plates: small deflections as those of floating shells, arcs of
   constant curvature, charges that rigid motion does not make, circuits, powers, linear and reduced
   models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"

/* ---- a strip that is clamped at one end ------------------------------------------------------ */

#define L 0.2
#define WIDTH 0.02
#define H 1e-3
#define H_P 2e-4
#define E31 (-6.5)
#define EPS 1.3e-8
#define YOUNG 70e9

#define HEAD                                                                                       \
    "parameters: {V: 100, nx: 10, ny: 1, g: 0, M: 0, Q: 0, nu: 0}\n"                               \
    "materials: {alloy: {density: 2700, young: 70e9, poisson: nu}}\n"
#define BODY "bodies: {" PLATE "}\n"
#define PLATE                                                                                      \
    "beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"              \
    "  x: [0.2, 0, 0], y: [0, 0.02, 0], elements: [nx, ny]}"
#define STRIP HEAD BODY "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
#define PATCHES                                                                                    \
    "type: patch, on: beam, thickness: 2e-4, e31: -6.5, e32: 0, along: [1, 0, 0],\n"               \
    "  permittivity: 1.3e-8"
#define BEND ", channels: {bend: [upper, -lower]}"
#define TIP "  tip: {at: \"beam.at(0.2,0.01)\", quantity: displacement}"
#define SEEN "  v: {at: p.bend, quantity: voltage}, q: {at: p.bend, quantity: charge}"

static const double bending = YOUNG * H * H * H / 12, // per width
    clamped = 2 * EPS * L * WIDTH / H_P;              // capacitance of both faces

static void statics(const char *text, const char *settings, verify *v) {
    char model[4000];
    const int n =
        snprintf(model, sizeof model, "%sanalysis: {type: static, newton_tolerance: 1e-6}\n", text);
    assert_true(n < (int)sizeof model);
    verify_text(v, model, settings);
    verify_static(v);
}

/* the end of a strip that is bent into an arc */
static void arc(double curvature, double tip[3]) {
    tip[0] = sin(curvature * L) / curvature - L;
    tip[1] = 0;
    tip[2] = (1 - cos(curvature * L)) / curvature;
}

/* Voltages against each other make the curvature e31 V (h + h_p) / D wherever the strip is, so that
   it becomes an arc; without transverse contraction equal ones make Green's strain -2 e31 V / (E h)
   and nothing else. */
static void bending_and_stretch(void **state) {
    GOS_UNUSED(state);
    static const char *const wired[] = {
        STRIP "piezo: {p: {" PATCHES BEND ", voltage: V}}\nprobes: {" TIP "}\n",
        STRIP "piezo: {p: {" PATCHES ", channels: bimorph, voltage: V}}\nprobes: {" TIP "}\n",
        STRIP "piezo: {u: {" PATCHES ", faces: upper, channels: joined, voltage: V},\n"
              "  l: {" PATCHES ", faces: lower, voltage: -V}}\nprobes: {" TIP "}\n"};
    const double curvature = E31 * 100 * (H + H_P) / bending, w = curvature * L * L / 2;
    const double green = -2 * E31 * 100 / (YOUNG * H);
    double want[3], y[3];
    verify v;
    arc(curvature, want);
    for (int i = 0; i < GOS_COUNT(wired); i++) {
        statics(wired[i], NULL, &v);
        verify_probe(&v, NULL, "tip", y);
        verify_near("x", y[0], want[0], 1e-8 * fabs(w));
        verify_near("z", y[2], want[2], 1e-8 * fabs(w));
        verify_close(&v);
    }
    statics(STRIP "piezo: {p: {" PATCHES ", channels: joined, voltage: V}}\nprobes: {" TIP "}\n",
            NULL, &v);
    verify_probe(&v, NULL, "tip", y);
    verify_near("stretch", y[0], (sqrt(1 + 2 * green) - 1) * L, 1e-9 * green * L);
    verify_near("no bending", y[2], 0, 1e-9 * green * L);
    verify_close(&v);
}

/* V of the curvature that makes an arc of this angle */
static double voltage_of(double angle) {
    return angle / L * bending / (E31 * (H + H_P));
}

/* Half a turn: the end comes back over the clamp, 2 L / pi away. */
static void half_a_turn(void **state) {
    GOS_UNUSED(state);
    double error[3];
    for (int i = 0; i < 3; i++) {
        char set[100];
        double want[3], y[3];
        verify v;
        snprintf(set, sizeof set, "nx=%d V=%.17g", 8 << i, voltage_of(M_PI));
        statics(STRIP "piezo: {p: {" PATCHES BEND ", voltage: V}}\nprobes: {" TIP "}\n", set, &v);
        verify_probe(&v, NULL, "tip", y);
        arc(M_PI / L, want);
        error[i] = verify_distance(y, want) / L;
        print_message("    %d elements: end at %g, %g, %g, off by %.2e L\n", 8 << i, y[0], y[1],
                      y[2], error[i]);
        verify_close(&v);
    }
    verify_below("32 elements", error[2], 1e-4);
}

/* ---- charges --------------------------------------------------------------------------------- */

/* Q = C V + (e31 (h + h_p))^2 b L V / D of both faces against each other, however far the strip
   bends: the energy is exactly quadratic in the curvature. */
static void charge(void **state) {
    GOS_UNUSED(state);
    const double by_bending = E31 * E31 * (H + H_P) * (H + H_P) * WIDTH * L / bending;
    const double volts[] = {10, voltage_of(M_PI / 2)};
    for (int i = 0; i < 2; i++) {
        char set[100];
        verify v;
        snprintf(set, sizeof set, "nx=32 V=%.17g", volts[i]);
        statics(STRIP "piezo: {p: {" PATCHES BEND ", voltage: V}}\nprobes: {\n" SEEN
                      ",  m: {at: p.bend, quantity: motional_charge}}\n",
                set, &v);
        const double C = clamped * volts[i], m = by_bending * volts[i];
        verify_near("voltage", verify_value(&v, NULL, "v.value"), volts[i], 1e-12 * fabs(volts[i]));
        verify_near("motional", verify_value(&v, NULL, "m.value"), m, (i ? 1e-6 : 1e-8) * fabs(m));
        verify_near("charge", verify_value(&v, NULL, "q.value"), C + m,
                    (i ? 1e-6 : 1e-8) * fabs(m));
        verify_close(&v);
    }
}

/* Turned and moved as a piece the strip has no charge, which the rows of its charges show: their
   violation is the apparent strain of a patch, times the square root of the area of an
   element. */
static void rigid_motion(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                HEAD BODY "piezo: {p: {" PATCHES ", e36: 1, channels: {up: upper, low: lower}}}\n"
                          "probes: {" TIP "}\n",
                NULL);
    const gos_body *beam = v.sys->body[0];
    assert_true(beam->nv == 3 * 22);
    const double axis[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)}, move[3] = {3, -2, 1};
    double worst = 0;
    for (int k = 1; k <= 12; k++) {
        const double c = cos(0.5 * k), s = sin(0.5 * k);
        for (int i = 0; i < beam->nv; i++) { // positions, then both slopes of each node
            const double *e = v.sys->e0 + 3L * (beam->v0 + i);
            const double along = axis[0] * e[0] + axis[1] * e[1] + axis[2] * e[2];
            for (int j = 0; j < 3; j++) {
                const int p = (j + 1) % 3, q = (j + 2) % 3;
                v.state->q[3L * (beam->v0 + i) + j] =
                    c * e[j] + s * (axis[p] * e[q] - axis[q] * e[p]) + (1 - c) * along * axis[j] +
                    (i % 3 == 0 ? k * move[j] : 0);
            }
        }
        worst = fmax(worst, gos__state_violation(v.sys, v.state));
    }
    verify_below("strain that patches see", worst / sqrt(L * WIDTH / 10), 1e-12);
    v.state->q[3L * (beam->v0 + 3)] += 1e-3; // and this they do see
    assert_true(gos__state_violation(v.sys, v.state) > 1e-6);
    verify_close(&v);
}

/* ---- circuits -------------------------------------------------------------------------------- */

/* An open electrode holds the turning of the tip with a^2 / C, a = e31 (h + h_p) b: under a moment
   M the curvature is M / (E I + a^2 L / C) everywhere, and the voltage -a kappa L / C, to any size.
   A charge of its own makes the moment a Q / C. (A moment on an edge of one element bends a plate
   by 1e-3 of its deflection otherwise than an even one.) */
static void open_electrode(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STRIP "loads: {f: {type: edge_moment, on: beam.edge.x1, moment: M}}\n"
              "piezo: {p: {" PATCHES BEND ", drive: charge, charge: Q}}\n"
              "probes: {" TIP ",\n" SEEN "}\n";
    const double a = E31 * (H + H_P) * WIDTH, stiff = bending * WIDTH + a * a * L / clamped;
    for (int i = 0; i < 4; i++) {
        const double angle = i % 2 ? 1.5 : 1e-3, curvature = angle / L;
        const double Q = i < 2 ? 0 : stiff * curvature * clamped / a, M = stiff * curvature / WIDTH;
        const double volts = ((i < 2 ? 1 : -1) * a * angle + Q) / clamped;
        char set[200];
        double want[3], y[3];
        verify v;
        snprintf(set, sizeof set, "nx=32 M=%.17g Q=%.17g", i < 2 ? M : 0, Q);
        statics(model, set, &v);
        verify_probe(&v, NULL, "tip", y);
        arc(i < 2 ? -curvature : curvature, want);
        verify_near("x", y[0], want[0], i < 2 ? 4e-3 * fabs(want[0]) : 1e-6 * fabs(want[2]));
        verify_near("z", y[2], want[2], (i < 2 ? 2e-3 : 1e-6) * fabs(want[2]));
        verify_near("charge", verify_value(&v, NULL, "q.value"), Q, 1e-15);
        verify_near("voltage", verify_value(&v, NULL, "v.value"), volts,
                    (i < 2 ? 1e-3 : 1e-6) * fabs(volts));
        verify_close(&v);
    }
}

/* the lowest frequencies in Hz */
static void frequencies(const char *text, const char *settings, int n, gos_mode *mode) {
    verify v;
    gos_linear *linear;
    int found;
    verify_text(&v, text, settings);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, n, false, mode, &found));
    assert_int_equal(found, n);
    gos_linear_destroy(linear);
    verify_close(&v);
}

#define SHELL                                                                                      \
    HEAD "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [nx, ny]}}\n"                \
         "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"         \
         "  thickness: 1e-3, reference: clamped, at: left, interfaces: {tip: {of: right}}}}\n"     \
         "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
#define SHELL_TIP "  tip: {at: beam.tip, quantity: displacement}"
#define BOTH(body, tip)                                                                            \
    body "piezo: {p: {type: patch, on: beam, thickness: 2e-4, e31: -6.5, permittivity: 1.3e-8,\n"  \
         "  channels: {bend: [upper, -lower]}, drive: charge, charge: Q}}\nprobes: {" tip "}\n"

/* The floating shell with the same patches, Poisson's ratio 0.3 and fields in both directions:
   frequencies with open electrodes over those with short ones, and the deflection by a charge. */
static void as_floating_shells(void **state) {
    GOS_UNUSED(state);
    static const char *const open[] = {BOTH(STRIP, TIP), BOTH(SHELL, SHELL_TIP)};
    const char *fine = suite_long() ? "nx=40 ny=4 nu=0.3" : "nx=20 ny=2 nu=0.3";
    const double near = suite_long() ? 6e-3 : 2.4e-2; // of second order
    double stiffer[2], z[2];
    for (int k = 0; k < 2; k++) {
        char text[4000];
        gos_mode free_[1], held[1];
        frequencies(open[k], fine, 1, held);
        snprintf(text, sizeof text, "%s", open[k]);
        char *drive = strstr(text, ", drive: charge, charge: Q");
        assert_non_null(drive);
        memset(drive, ' ', strlen(", drive: charge, charge: Q"));
        frequencies(text, fine, 1, free_);
        stiffer[k] = held[0].frequency / free_[0].frequency - 1;
        verify v;
        statics(open[k], suite_long() ? "nx=40 ny=4 nu=0.3 Q=1e-8" : "nx=20 ny=2 nu=0.3 Q=1e-8",
                &v);
        z[k] = verify_value(&v, NULL, "tip.z");
        verify_close(&v);
        print_message("    %g Hz, %g Hz open, %g m\n", free_[0].frequency, held[0].frequency, z[k]);
    }
    assert_true(stiffer[1] > 0.01);
    verify_near("stiffer when open", stiffer[0], stiffer[1], near * stiffer[1]);
    verify_near("deflection by a charge", z[0], z[1], near * fabs(z[1]));
}

/* v = -Z dQ/dt of shunts, in the linear model */
static void impedance(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *shunt;
        double re, im; // Z at 100 rad/s
    } shunts[] = {
        {"resistance: 2.0e4", 2e4, 0},
        {"resistance: 2.0e4, inductance: 300", 2e4, 3e4},
        {"resistance: 2.0e4, inductance: 300, connection: parallel", 1.8e8 / 13e3, 1.2e8 / 13e3}};
    for (int i = 0; i < GOS_COUNT(shunts); i++) {
        char text[4000];
        gos_linear *linear;
        double y[2][2]; // voltage, charge
        const double omega = 100, re = shunts[i].re, im = shunts[i].im;
        verify v;
        snprintf(text, sizeof text,
                 STRIP "loads: {f: {type: force, on: \"beam.at(0.2,0.01)\", value: [0, 0, 1]}}\n"
                       "piezo: {p: {" PATCHES BEND ", drive: shunt, %s}}\nprobes: {" SEEN "}\n",
                 shunts[i].shunt);
        verify_text(&v, text, NULL);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_response(v.ctx, linear, 1, &omega, y[0]));
        const double rate[2] = {-omega * y[1][1], omega * y[1][0]},
                     want[2] = {-(re * rate[0] - im * rate[1]), -(re * rate[1] + im * rate[0])},
                     size = hypot(want[0], want[1]);
        assert_true(size > 1e-3);
        verify_near("voltage, real", y[0][0], want[0], 1e-9 * size);
        verify_near("voltage, imaginary", y[0][1], want[1], 1e-9 * size);
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* ---- in time --------------------------------------------------------------------------------- */

#define LOOSE ", damping: {normal: 1.0e-4, shear: 1.0e-4}}}\n"
#define SOFT                                                                                       \
    "parameters: {V: 400, nx: 8, ny: 1, R: 2.0e+4}\n"                                              \
    "materials: {alloy: {density: 2700, young: 7e9, poisson: 0" LOOSE BODY                         \
    "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"

/* The work of voltages that bend the strip by a fifth of a turn and back is the energy that it and
   its damping get, by two integrators. */
static void work_of_voltages(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        SOFT "piezo: {p: {" PATCHES BEND ", voltage: \"V*(1-cos(60*t))\"}}\n"
             "probes: {" TIP ", E: {quantity: energy}}\nanalysis: {end: 0.12, step: 1.0e-4}\n";
    static const char *const by[] = {NULL, "analysis.integrator=bdf analysis.step=0 "
                                           "analysis.tolerance=1e-6"};
    double tip[2][3];
    for (int i = 0; i < 2; i++) {
        verify v;
        double most = 0;
        verify_text(&v, model, by[i]);
        verify_start(&v);
        while (gos_state_time(v.state) < v.opt.end) {
            verify_good(&v, gos_integrator_step(v.run, v.opt.end));
            most = fmax(most, fabs(verify_value(&v, NULL, "tip.z")));
        }
        verify_probe(&v, NULL, "tip", tip[i]);
        const double work = verify_value(&v, NULL, "E.work");
        print_message("    work %g J, largest deflection %g m, %g steps\n", work, most,
                      (double)v.stats.steps);
        assert_true(most > 0.05 && fabs(work) > 1e-4);
        verify_near("balance", verify_value(&v, NULL, "E.balance"), 0, 2e-3 * fabs(work));
        verify_close(&v);
    }
    verify_below("two integrators", verify_distance(tip[0], tip[1]) / L, 2e-3);
}

/* What the resistor of a shunt takes of a strip that rings with large deflections is what the strip
   loses, but for what is left in the patch. */
static void shunted_energy(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        SOFT "loads: {f: {type: force, on: \"beam.at(0.2,0.01)\",\n"
             "  value: [0, 0, \"0.2*(1-cos(200*t))*(t<0.01*pi)\"]}}\n"
             "piezo: {p: {" PATCHES BEND ", drive: shunt, resistance: R}}\n"
             "probes: {" TIP ", v: {at: p.bend, quantity: voltage}, E: {quantity: energy}}\n"
             "analysis: {end: 0.2, step: 1.0e-4}\n";
    verify v;
    double heat = 0, last = 0, work = 0, stored = 0, most = 0;
    verify_text(&v, model, NULL);
    verify_start(&v);
    while (gos_state_time(v.state) < 0.2 - 1e-9) {
        const double before = gos_state_time(v.state);
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        const double now = verify_value(&v, NULL, "v.value");
        heat += (gos_state_time(v.state) - before) * (last * last + now * now) / 2 / 2e4;
        last = now;
        most = fmax(most, fabs(verify_value(&v, NULL, "tip.z")));
        if (before < 0.04) { // the force acts until 0.0314 s
            heat = 0;
            work = verify_value(&v, NULL, "E.work");
            stored = clamped * now * now / 2;
        }
    }
    const double taken = heat + clamped * last * last / 2 - stored;
    print_message("    work %g J, largest deflection %g m\n", work, most);
    assert_true(taken > 0.05 * work && most > 0.04);
    verify_near("taken", work - verify_value(&v, NULL, "E.work"), taken, 2e-3 * taken);
    verify_near("balance", verify_value(&v, NULL, "E.balance"), 0, 1e-3 * work);
    verify_close(&v);
}

/* A voltage against the current damps, as a function of probes and by a controller. */
static void rate_feedback(void **state) {
    GOS_UNUSED(state);
    static const char *const models[] = {
        STRIP "piezo: {p: {" PATCHES BEND ", voltage: \"-g*i\"}}\n"
              "probes: {q: {at: p.bend, quantity: motional_charge},\n"
              "  i: {at: p.bend, quantity: motional_current}}\n",
        STRIP "piezo: {p: {" PATCHES BEND "}}\n"
              "probes: {q: {at: p.bend, quantity: motional_charge},\n"
              "  i: {at: p.bend, quantity: motional_current}}\n"
              "controllers: {damp: {type: expression, inputs: p.bend, amounts: \"-g*i\"}}\n"};
    gos_mode mode[1];
    gos_linear *linear;
    gos_linear_info info;
    gos_matrix_view Y;
    int found;
    double k = 0;
    verify v;
    verify_text(&v, models[0], NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_info_get(linear, &info);
    double *X = calloc((size_t)info.coordinates, sizeof *X);
    assert_non_null(X);
    verify_good(&v, gos_linear_shapes(v.ctx, linear, 1, mode, X, &found));
    gos_linear_block(linear, GOS_BLOCK_Y_q, &Y);
    for (int j = 0; j < info.coordinates; j++) {
        for (int i = Y.start[j]; i < Y.start[j + 1]; i++) {
            k += Y.row[i] == 0 ? Y.value[i] * X[j] : 0;
        }
    }
    gos_linear_destroy(linear);
    verify_close(&v);
    free(X);
    for (int m = 0; m < 2; m++) {
        char set[200];
        snprintf(set, sizeof set, "g=%.17g", 0.02 * mode[0].omega / (k * k));
        verify_text(&v, models[m], set);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 1, true, mode, &found));
        verify_near("damping ratio", mode[0].damping, 0.01, 1e-4); // zeta = g k^2 / (2 omega)
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* ---- reduced --------------------------------------------------------------------------------- */

/* Fields that span the mesh give the full run back, driven, shunted and open electrodes alike. */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {V: 100}\n"
        "materials: {alloy: {density: 2700, young: 7e9, poisson: 0.3" LOOSE
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [0, 0, 0],\n"
        "  x: [0.2, 0, 0], y: [0, 0.02, 0], elements: [4, 1]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "piezo:\n"
        "  p: {type: patch, on: \"beam.range(0,0.1,0,0.02)\", thickness: 2e-4, e31: -6.5,\n"
        "    permittivity: 1.3e-8, channels: {bend: [upper, -lower]},\n"
        "    voltage: \"V*(1-cos(60*t))\"}\n"
        "  s: {type: patch, on: \"beam.cell(2,0)\", thickness: 2e-4, e31: -6.5,\n"
        "    permittivity: 1.3e-8, channels: bimorph, drive: shunt, resistance: 2e4}\n"
        "  o: {type: patch, on: beam.cell(3), thickness: 2e-4, e31: -6.5, faces: upper,\n"
        "    permittivity: 1.3e-8, drive: charge}\n"
        "probes: {" TIP ", q: {at: p.bend, quantity: charge}, v: {at: s(1), quantity: voltage},\n"
        "  o: {at: o(1), quantity: voltage}}\n"
        "analysis: {end: 0.06, step: 2e-4}\n"
        "reduction: {method: rotation_closed, fields: modes, number: 60}\n";
    static const char *const seen[] = {"tip.z", "q.value", "v.value", "o.value"};
    verify v;
    double full[4];
    verify_text(&v, model, NULL);
    verify_run(&v);
    for (int i = 0; i < 4; i++) {
        full[i] = verify_value(&v, NULL, seen[i]);
    }
    verify_close(&v);
    verify_text(&v, model, NULL);
    gos_system *sys;
    gos_state *x;
    verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
    gos_state_destroy(v.state);
    verify_good(&v, gos_state_create(v.ctx, sys, &x));
    gos_system *whole = v.sys;
    v.sys = sys;
    v.state = x;
    verify_run(&v);
    for (int i = 0; i < 4; i++) {
        verify_near(seen[i], verify_value(&v, NULL, seen[i]), full[i], 1e-7 * fabs(full[i]));
    }
    gos_integrator_destroy(v.run);
    gos_state_destroy(v.state);
    gos_system_destroy(v.sys);
    v.run = NULL;
    v.state = NULL;
    v.sys = whole;
    verify_close(&v);
}

/* ---- other meshes, units and fields ---------------------------------------------------------- */

/* the same strip turned in space, with axis 1 given by a direction that sticks out of it, and of
   skew quadrilaterals, whose membrane strains cannot vanish everywhere */
static void other_meshes(void **state) {
    GOS_UNUSED(state);
    static const char turned[] = HEAD
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3, corner: [1, 2, 3],\n"
        "  x: [0, 0.12, 0.16], y: [-0.02, 0, 0], elements: [nx, ny]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "piezo: {p: {type: patch, on: beam, thickness: 2e-4, e31: -6.5, e32: 0, along: [0, -4.2, "
        "9.4],\n"
        "  permittivity: 1.3e-8" BEND ", voltage: V}}\nprobes: {" TIP "}\n";
    static const char skew[] =
        HEAD "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1e-3,\n"
             "  nodes: [[0,0,0],[0.045,0,0],[0.11,0,0],[0.14,0,0],[0.2,0,0],\n"
             "    [0,0.02,0],[0.06,0.02,0],[0.095,0.02,0],[0.155,0.02,0],[0.2,0.02,0]],\n"
             "  quads: [[0,1,6,5],[1,2,7,6],[2,3,8,7],[3,4,9,8]], edges: {root: [0, 5]}}}\n"
             "joints: {hold: {type: clamp, between: [ground, beam.edge.root]}}\n"
             "piezo: {p: {" PATCHES BEND ", voltage: V}}\nprobes: {" TIP "}\n";
    const double curvature = E31 * 100 * (H + H_P) / bending;
    double want[3], y[3];
    arc(curvature, want);
    verify v;
    statics(turned, NULL, &v);
    verify_probe(&v, NULL, "tip", y);
    verify_near("along", 0.6 * y[1] + 0.8 * y[2], want[0], 1e-7 * fabs(want[2]));
    verify_near("normal", 0.6 * y[2] - 0.8 * y[1], want[2], 1e-7 * fabs(want[2]));
    verify_near("aside", y[0], 0, 1e-9 * fabs(want[2]));
    verify_close(&v);
    statics(skew, NULL, &v);
    verify_probe(&v, NULL, "tip", y);
    verify_near("skew", y[2], want[2], 1e-3 * fabs(want[2]));
    verify_close(&v);
}

/* Units of mm, t and s have N, MPa and mJ, and so mV: the strip of 200 mm bends by as many mm, its
 * charge is the same number of C. */
static void millimetres(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {alloy: {density: 2.7e-9, young: 70e3, poisson: 0}}\n"
        "bodies: {beam: {type: ancf_plate, material: alloy, thickness: 1, corner: [0, 0, 0],\n"
        "  x: [200, 0, 0], y: [0, 20, 0], elements: [10, 1]}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "piezo: {p: {type: patch, on: beam, thickness: 0.2, e31: -6.5e-6, e32: 0,\n"
        "  along: [1, 0, 0], permittivity: 1.3e-14" BEND ", voltage: 1e5}}\n"
        "probes: {tip: {at: \"beam.at(200,10)\", quantity: displacement},\n" SEEN "}\n";
    const double curvature = E31 * 100 * (H + H_P) / bending,
                 Q = (clamped + E31 * E31 * (H + H_P) * (H + H_P) * WIDTH * L / bending) * 100;
    double want[3], y[3];
    verify v;
    arc(curvature, want);
    statics(model, NULL, &v);
    verify_probe(&v, NULL, "tip", y);
    verify_near("z [mm]", y[2], 1e3 * want[2], 1e-5 * fabs(want[2]));
    verify_near("x [mm]", y[0], 1e3 * want[0], 1e-5 * fabs(want[2]));
    verify_near("charge", verify_value(&v, NULL, "q.value"), Q, 1e-8 * Q);
    verify_close(&v);
}

/* Warmth alone makes the charge -p A T on either face, T that of the patch's middle: on an upper
   face (h + h_p) / h times half the difference between faces above the mean. A minus turns a
   patch's charge round. */
static void pyroelectric(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {alloy: {density: 2700, young: 70e9, poisson: 0, conductivity: 100,\n"
        "  specific_heat: 900}}\n" BODY
        "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
        "heat: {up: {type: convection, coefficient: 1e9, ambient: 13, on: beam.top},\n"
        "  low: {type: convection, coefficient: 1e9, ambient: 7, on: beam.bottom}}\n"
        "piezo: {p: {" PATCHES ", pyroelectric: 2e-4, channels: {up: upper, low: -lower}}}\n"
        "probes: {up: {at: p.up, quantity: charge}, low: {at: p.low, quantity: charge}}\n";
    const double each = 2e-4 * L * WIDTH, above = 3 * (H + H_P) / H;
    char text[4000];
    verify v;
    snprintf(text, sizeof text, "parameters: {nx: 10, ny: 1}\n%s", model);
    statics(text, NULL, &v);
    verify_near("upper", verify_value(&v, NULL, "up.value"), -each * (10 + above), 1e-3 * each);
    verify_near("lower", verify_value(&v, NULL, "low.value"), each * (10 - above), 1e-3 * each);
    verify_close(&v);
}

/* A warm plate that expands is seen by its patches as one that is strained: both faces of a free
   strip, whose Green strain is alpha T, have the charge -(e31 + e32) alpha T A. */
static void warmth_strains_patches(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {alloy: {density: 2700, young: 70e9, poisson: 0.3, conductivity: 100,\n"
        "  specific_heat: 900, expansion: 2.3e-5}}\n" BODY
        "joints: {hold: {type: spherical, between: [ground, beam.corner(1)]},\n"
        "  b: {type: point_on_line, between: [beam.corner(2), ground], direction: [1, 0, 0]},\n"
        "  c: {type: point_on_plane, between: [beam.corner(4), ground], normal: [0, 0, 1]}}\n"
        "heat: {up: {type: temperature, on: beam, value: 100}}\n"
        "piezo: {p: {type: patch, on: beam, thickness: 2e-4, e31: -6.5, e32: -3,\n"
        "  along: [1, 0, 0], permittivity: 1.3e-8, channels: {up: upper, low: lower}}}\n"
        "probes: {up: {at: p.up, quantity: charge}, low: {at: p.low, quantity: charge}}\n";
    const double T = 2.3e-5 * 100, Q = 9.5 * T * L * WIDTH;
    char text[4000];
    verify v;
    snprintf(text, sizeof text, "parameters: {nx: 10, ny: 1}\n%s", model);
    statics(text, NULL, &v);
    verify_near("upper", verify_value(&v, NULL, "up.value"), Q, 1e-8 * Q);
    verify_near("lower", verify_value(&v, NULL, "low.value"), Q, 1e-8 * Q);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bending_and_stretch),
        cmocka_unit_test(half_a_turn),
        cmocka_unit_test(charge),
        cmocka_unit_test(rigid_motion),
        cmocka_unit_test(open_electrode),
        cmocka_unit_test(as_floating_shells),
        cmocka_unit_test(impedance),
        cmocka_unit_test(work_of_voltages),
        cmocka_unit_test(shunted_energy),
        cmocka_unit_test(rate_feedback),
        cmocka_unit_test(reduced),
        cmocka_unit_test(other_meshes),
        cmocka_unit_test(millimetres),
        cmocka_unit_test(pyroelectric),
        cmocka_unit_test(warmth_strains_patches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
