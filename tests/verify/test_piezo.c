/* Piezoelectric patches on shells of floating bodies, through the model file: deflections, charges
   and frequencies against closed forms and published values; whole, reduced and linearised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

static double entry(const gos_matrix_view *A, int i, int j) {
    for (int k = A->start[j]; k < A->start[j + 1]; k++) {
        if (A->row[k] == i) {
            return A->value[k];
        }
    }
    return 0;
}

/* ---- a strip that is clamped at one end ------------------------------------------------------ */

#define L 0.2
#define WIDTH 0.02
#define H 1e-3
#define H_P 2e-4
#define E31 (-6.5)
#define EPS 1.3e-8
#define YOUNG 70e9

#define STRIP                                                                                      \
    "parameters: {V: 100, nx: 10, g: 0, M: 0, Q: 0, C: 1}\n"                                       \
    "materials: {alloy: {density: 2700, young: 70e9, poisson: 0}}\n"                               \
    "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [nx, 1],\n"                       \
    "  sets: {root: {of: cells, box: {from: [-1, -1, -1], to: [0.1, 1, 1]}}}}}\n"                  \
    "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"              \
    "  thickness: 1e-3, reference: clamped, at: left, interfaces: {tip: {of: right}},\n"           \
    "  rayleigh: [0, 1e-5], reduce: {method: modes, order: 3}}}\n"                                 \
    "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
#define PATCHES                                                                                    \
    "type: patch, on: beam, thickness: 2e-4, e31: -6.5, e32: 0, along: [1, 0, 0],\n"               \
    "  permittivity: 1.3e-8"
#define TIP "  tip: {at: beam.tip, quantity: displacement}"

static const double bending = YOUNG * H * H * H / 12; // per width

static void statics(const char *text, const char *settings, verify *v) {
    char model[4000];
    snprintf(model, sizeof model, "%sanalysis: {type: static}\n", text);
    verify_text(v, model, settings);
    verify_static(v);
}

/* Voltages against each other make the curvature e31 V (h + h_p) / D: w = e31 V (h + h_p) L^2 / (2
   D), down for an upper patch that expands (e31 < 0). Equal ones stretch by -2 e31 V / (E h). */
static void bending_and_stretch(void **state) {
    GOS_UNUSED(state);
    static const char *const wired[] = {
        STRIP "piezo: {p: {" PATCHES ", channels: {bend: [upper, -lower]}, voltage: V}}\n"
              "probes: {" TIP "}\n",
        STRIP "piezo: {p: {" PATCHES ", channels: bimorph, voltage: V}}\nprobes: {" TIP "}\n",
        STRIP "piezo: {u: {" PATCHES ", faces: upper, channels: joined, voltage: V},\n"
              "  l: {" PATCHES ", faces: lower, voltage: -V}}\nprobes: {" TIP "}\n"};
    const double w = E31 * 100 * (H + H_P) * L * L / (2 * bending),
                 u = -2 * E31 * 100 * L / (YOUNG * H);
    verify v;
    assert_true(w < 0 && u > 0);
    for (int i = 0; i < GOS_COUNT(wired); i++) {
        statics(wired[i], NULL, &v);
        verify_near("tip", verify_value(&v, NULL, "tip.z"), w, 1e-8 * fabs(w));
        verify_near("stretch", verify_value(&v, NULL, "tip.x"), 0, 1e-9 * u);
        verify_close(&v);
        statics(wired[i], "floating_bodies=reduced", &v); // its static deflection is in the basis
        verify_near("tip, reduced", verify_value(&v, NULL, "tip.z"), w, 1e-8 * fabs(w));
        verify_close(&v);
    }
    statics(STRIP "piezo: {p: {" PATCHES ", channels: joined, voltage: V}}\nprobes: {" TIP "}\n",
            NULL, &v);
    verify_near("stretch", verify_value(&v, NULL, "tip.x"), u, 1e-9 * u);
    verify_near("no bending", verify_value(&v, NULL, "tip.z"), 0, 1e-9 * fabs(w));
    verify_close(&v);
}

/* one half of the strip, and single electrodes by their own voltages */
static void parts_of_it(void **state) {
    GOS_UNUSED(state);
    const double w = E31 * 100 * (H + H_P) * L * L / (2 * bending);
    verify v;
    statics(STRIP "piezo: {p: {" PATCHES ", channels: {bend: [root.upper, -root.lower]},\n"
                  "  voltages: {bend: V}}}\nprobes: {" TIP "}\n",
            NULL, &v); // curved on half of its length, straight behind
    verify_near("half", verify_value(&v, NULL, "tip.z"), 0.75 * w, 1e-8 * fabs(w));
    verify_close(&v);
    statics(STRIP "piezo: {p: {" PATCHES ", voltages: {1: V, 11: -V}}}\nprobes: {" TIP "}\n", NULL,
            &v); // the first cell
    verify_near("first cell", verify_value(&v, NULL, "tip.z"), 0.19 * w, 1e-8 * fabs(w));
    verify_close(&v);
}

/* Q = C V + (e31 (h + h_p))^2 b L V / D: above the clamped capacitance; the other electrode's
 * charge is that by its strain alone */
static void charge(void **state) {
    GOS_UNUSED(state);
    const double C = EPS * L * WIDTH / H_P,
                 bend = E31 * E31 * WIDTH * L / bending * (H + H_P) * (H + H_P) / 4,
                 stretch = E31 * E31 * WIDTH * L / (YOUNG * H);
    for (int reduced = 0; reduced < 2; reduced++) {
        verify v;
        statics(STRIP "piezo: {p: {" PATCHES ", channels: {up: [upper], low: [lower]},\n"
                      "  voltages: {up: V}}}\nprobes: {\n"
                      "  up: {at: p.up, quantity: charge}, low: {at: p.low, quantity: charge},\n"
                      "  v: {at: p.up, quantity: voltage}, none: {at: p.low, quantity: voltage}}\n",
                reduced ? "floating_bodies=reduced" : NULL, &v);
        verify_near("voltage", verify_value(&v, NULL, "v.value"), 100, 1e-12);
        verify_near("voltage", verify_value(&v, NULL, "none.value"), 0, 1e-12);
        const double up = verify_value(&v, NULL, "up.value") / 100;
        assert_true(up > 1.001 * C);
        verify_near("charge", up, C + bend + stretch, 1e-8 * C);
        verify_near("charge", verify_value(&v, NULL, "low.value") / 100, stretch - bend, 1e-8 * C);
        verify_close(&v);
    }
}

/* The work of voltages is the energy that the strip and its damping get, and an input that is set
   from outside is followed as its own function. */
static void in_time(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STRIP "piezo: {p: {" PATCHES ", channels: bimorph, voltage: \"V*(1-cos(200*t))\"}}\n"
              "probes: {" TIP ", E: {quantity: energy}}\nanalysis: {end: 0.05, step: 2.0e-4}\n";
    verify v, w;
    verify_text(&v, model, NULL);
    verify_run(&v);
    const double work = verify_value(&v, NULL, "E.work");
    print_message("    work %g J\n", work);
    assert_true(fabs(work) > 1e-6);
    verify_near("balance", verify_value(&v, NULL, "E.balance"), 0, 1e-3 * fabs(work));
    verify_text(&w, model, "V=0");
    const int first = gos_system_input_find(w.sys, "p(1)");
    assert_true(first >= 0 && gos_system_input_find(w.sys, "p(10)") == first + 9);
    gos_input_info info;
    gos_system_input_info(w.sys, first, &info);
    assert_string_equal(info.unit, "V");
    verify_start(&w);
    for (int k = 1; k <= 250; k++) {
        const double t = k * 2e-4;
        for (int e = 0; e < 10; e++) {
            verify_good(
                &w, gos_state_set_input(w.ctx, w.state, first + e, 100 * (1 - cos(200 * t)), t));
        }
        verify_good(&w, gos_integrator_step(w.run, t));
    }
    const double tip = verify_value(&v, NULL, "tip.z");
    verify_near("set from outside", verify_value(&w, NULL, "tip.z"), tip, 2e-3 * fabs(tip));
    verify_close(&v);
    verify_close(&w);
}

/* A voltage against the current, V = -g K_uphi^T z', damps what the patches see: of a mode with k =
   K_uphi^T phi, zeta = g k^2 / (2 omega), to first order. */
static void rate_feedback(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STRIP "piezo: {p: {" PATCHES ", channels: {bend: [upper, -lower]}, voltage: \"-g*i\"}}\n"
              "probes: {q: {at: p.bend, quantity: motional_charge},\n"
              "  i: {at: p.bend, quantity: motional_current}}\n";
    gos_mode mode[2];
    gos_linear *linear;
    gos_linear_info info;
    gos_matrix_view Y;
    int found;
    verify v;
    verify_text(&v, model, "floating_bodies=reduced");
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_info_get(linear, &info);
    double *X = calloc((size_t)info.coordinates * 2, sizeof *X), k = 0;
    assert_non_null(X);
    verify_good(&v, gos_linear_shapes(v.ctx, linear, 2, mode, X, &found));
    gos_linear_block(linear, GOS_BLOCK_Y_q, &Y);
    for (int i = 0; i < info.coordinates; i++) {
        k += entry(&Y, 0, i) * X[i];
    }
    gos_linear_destroy(linear);
    verify_close(&v);
    free(X);
    char set[200];
    snprintf(set, sizeof set, "floating_bodies=reduced g=%.17g", 0.02 * mode[0].omega / (k * k));
    verify_text(&v, model, set);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    const double material = 1e-5 * mode[0].omega / 2;
    verify_good(&v, gos_linear_modes(v.ctx, linear, 1, true, mode, &found));
    verify_near("damping ratio", mode[0].damping - material, 0.01, 1e-4);
    gos_linear_destroy(linear);
    verify_close(&v);
}

#define BEND ", channels: {bend: [upper, -lower]}"
#define SEEN "  v: {at: p.bend, quantity: voltage}, q: {at: p.bend, quantity: charge}"
static const double clamped = 2 * EPS * L * WIDTH / H_P; // capacitance of both faces

/* The voltage -g q of the motional charge q = a w' adds the bending stiffness g a^2, a = e31 (h +
 * h_p) b, in a body without temperatures, too. */
static void charge_feedback(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STRIP "loads: {f: {type: moment, on: beam.tip, moment: [0, -M, 0]}}\n"
              "piezo: {p: {" PATCHES BEND ", voltage: \"-q/C\"}}\n"
              "probes: {" TIP ",\n  q: {at: p.bend, quantity: motional_charge}}\n";
    const double a = E31 * (H + H_P) * WIDTH,
                 slope = 1e-3 * L / (bending * WIDTH + a * a * L / clamped);
    for (int k = 0; k < 2; k++) {
        char set[200];
        snprintf(set, sizeof set, "M=0.001 C=%.17g%s", clamped,
                 k ? " floating_bodies=reduced" : "");
        verify v;
        statics(model, set, &v);
        verify_near("tip", verify_value(&v, NULL, "tip.z"), slope * L / 2, 1e-8 * slope);
        verify_close(&v);
    }
}

/* An open electrode holds the turning of the tip with a^2 / C, a = e31 (h + h_p) b: under a moment
   M w' = M L / (E I + a^2 L / C), and the voltage is -a w' / C. A charge of its own makes the
   moment a Q / C. */
static void open_electrode(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STRIP "loads: {f: {type: moment, on: beam.tip, moment: [0, -M, 0]}}\n"
              "piezo: {p: {" PATCHES BEND ", drive: charge, charge: Q}}\n"
              "probes: {" TIP ",\n" SEEN "}\n";
    const double a = E31 * (H + H_P) * WIDTH, soft = L / (bending * WIDTH + a * a * L / clamped);
    for (int reduced = 0; reduced < 2; reduced++) {
        const char *how = reduced ? "M=0.001 Q=0 floating_bodies=reduced" : "M=0.001 Q=0";
        const double slope = 1e-3 * soft;
        verify v;
        statics(model, how, &v);
        verify_near("tip", verify_value(&v, NULL, "tip.z"), slope * L / 2, 1e-8 * slope);
        verify_near("voltage", verify_value(&v, NULL, "v.value"), -a * slope / clamped,
                    1e-7 * fabs(a) * slope / clamped);
        verify_near("charge", verify_value(&v, NULL, "q.value"), 0, 1e-18);
        verify_close(&v);
    }
    const double slope = a * 1e-5 / clamped * soft;
    verify v;
    statics(model, "M=0 Q=1e-5", &v);
    verify_near("tip", verify_value(&v, NULL, "tip.z"), slope * L / 2, 1e-8 * fabs(slope));
    verify_near("charge", verify_value(&v, NULL, "q.value"), 1e-5, 1e-18);
    verify_near("voltage", verify_value(&v, NULL, "v.value"), (1e-5 - a * slope) / clamped,
                1e-7 * 1e-5 / clamped);
    verify_close(&v);
}

/* Warmth alone makes the charge -p A T on either face, T that of the patch's middle: on an upper
   face (h + h_p) / h times half the difference between faces above the mean. A minus turns a
   patch's charge round. */
static void pyroelectric(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {alloy: {density: 2700, young: 70e9, poisson: 0, conductivity: 100,\n"
        "  specific_heat: 900}}\n"
        "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [10, 1]}}\n"
        "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"
        "  thickness: 1e-3, reference: clamped, at: left}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
        "heat: {up: {type: convection, coefficient: 1e9, ambient: 13, on: beam.upper},\n"
        "  low: {type: convection, coefficient: 1e9, ambient: 7, on: beam.lower}}\n"
        "piezo: {p: {" PATCHES ", pyroelectric: 2e-4, channels: {up: upper, low: -lower}}}\n"
        "probes: {up: {at: p.up, quantity: charge}, low: {at: p.low, quantity: charge}}\n";
    const double each = 2e-4 * L * WIDTH, above = 3 * (H + H_P) / H;
    verify v;
    statics(model, NULL, &v);
    verify_near("upper", verify_value(&v, NULL, "up.value"), -each * (10 + above), 1e-3 * each);
    verify_near("lower", verify_value(&v, NULL, "low.value"), each * (10 - above), 1e-3 * each);
    verify_close(&v);
}

/* v = -Z dQ/dt of every shunt, in the linear model: R, i omega L, their sum, or 1 / (1/R + 1/(i
 * omega L)) */
static void impedance(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *shunt;
        double re, im; // of 1/Z or Z at 100 rad/s
        bool inverse;
    } shunts[] = {
        {"resistance: 2.0e4", 2e4, 0, false},
        {"inductance: 300", 0, 3e4, false},
        {"resistance: 2.0e4, inductance: 300", 2e4, 3e4, false},
        {"resistance: 2.0e4, inductance: 300, connection: parallel", 1 / 2e4, -1 / 3e4, true}};
    for (int i = 0; i < GOS_COUNT(shunts); i++) {
        char text[4000];
        gos_linear *linear;
        double y[2][2]; // voltage, charge
        const double omega = 100;
        verify v;
        snprintf(text, sizeof text,
                 STRIP "loads: {f: {type: force, on: beam.tip, value: [0, 0, 1]}}\n"
                       "piezo: {p: {" PATCHES BEND ", drive: shunt, %s}}\nprobes: {" SEEN "}\n",
                 shunts[i].shunt);
        verify_text(&v, text, "floating_bodies=reduced");
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
        verify_good(&v, gos_linear_response(v.ctx, linear, 1, &omega, y[0]));
        const double re = shunts[i].re, im = shunts[i].im, r2 = re * re + im * im,
                     Z[2] = {shunts[i].inverse ? re / r2 : re, shunts[i].inverse ? -im / r2 : im},
                     rate[2] = {-omega * y[1][1], omega * y[1][0]},
                     want[2] = {-(Z[0] * rate[0] - Z[1] * rate[1]),
                                -(Z[0] * rate[1] + Z[1] * rate[0])},
                     size = hypot(want[0], want[1]);
        assert_true(size > 1e-3);
        verify_near("voltage, real", y[0][0], want[0], 1e-9 * size);
        verify_near("voltage, imaginary", y[0][1], want[1], 1e-9 * size);
        gos_linear_destroy(linear);
        verify_close(&v);
    }
}

/* each electrode of an entry has a shunt */
static void shunts_of_cells(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                STRIP "loads: {f: {type: force, on: beam.tip, value: [0, 0, 1]}}\n"
                      "piezo: {p: {" PATCHES ", drive: shunt, resistance: 2.0e4}}\n"
                      "probes: {u: {at: p(1), quantity: voltage}}\n"
                      "analysis: {end: 0.01, step: 1.0e-4}\n",
                NULL);
    verify_run(&v);
    assert_true(fabs(verify_value(&v, NULL, "u.value")) > 0);
    verify_close(&v);
}

/* What a resistor takes of a strip that rings is what the strip loses, but for what is left in the
 * patch. */
static void shunted_energy(void **state) {
    GOS_UNUSED(state);
    static const char model[] = STRIP
        "loads: {f: {type: force, on: beam.tip, value: [0, 0, \"(1-cos(200*t))*(t<0.01*pi)\"]}}\n"
        "piezo: {p: {" PATCHES BEND ", drive: shunt, resistance: 2.0e4}}\n"
        "probes: {v: {at: p.bend, quantity: voltage}, E: {quantity: energy}}\n"
        "analysis: {end: 0.3, step: 1.0e-4}\n";
    verify v;
    double heat = 0, last = 0, work = 0, stored = 0;
    verify_text(&v, model, "floating_bodies=reduced");
    verify_start(&v);
    while (gos_state_time(v.state) < 0.3 - 1e-9) {
        const double before = gos_state_time(v.state);
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        const double now = verify_value(&v, NULL, "v.value");
        heat += (gos_state_time(v.state) - before) * (last * last + now * now) / 2 / 2e4;
        last = now;
        if (before < 0.04) { // the force acts until 0.0314 s
            heat = 0;
            work = verify_value(&v, NULL, "E.work");
            stored = clamped * now * now / 2;
        }
    }
    const double taken = heat + clamped * last * last / 2 - stored;
    assert_true(taken > 0.05 * work);
    verify_near("taken", work - verify_value(&v, NULL, "E.work"), taken, 1e-3 * taken);
    verify_near("balance", verify_value(&v, NULL, "E.balance"), 0, 1e-3 * work);
    verify_close(&v);
}

/* ---- the sheet of Heckmann, Arnold and Vaculin (2005) ---------------------------------------- */

enum { NX = 10, NY = 14, ALL = 2 * NX * NY };

static void sheet(char *text, size_t size, int nx, int ny) {
    int n = snprintf(
        text, size,
        "materials: {steel: {density: 7850, young: 210.0e9, poisson: 0.3}}\n"
        "meshes: {plate: {type: rectangle, size: [1, 1.3], cells: [%d, %d], sets: {\n"
        "  supports: {cylinder: {point: [0.5, 0.65, 0], radius: \"sqrt(0.25+0.65^2)\"}},\n"
        "  centre: {near: [0.5, 0.65, 0]}}}}\n"
        "bodies: {sheet: {type: floating, mesh: plate, material: steel, element: shell,\n"
        "  thickness: 9.0e-4, reference: clamped, at: supports, at_rotations: free,\n"
        "  reduce: {method: modes, order: 20, static: []}}}\n"
        "floating_bodies: reduced\n"
        "joints: {hold: {type: clamp, between: [ground, sheet.frame]}}\n"
        "piezo: {patches: {type: patch, on: sheet, thickness: 4.0e-4, e31: -6.5,\n"
        "  permittivity: 1.3e-8}}\n"
        "probes:\n  centre: {at: sheet.centre, quantity: displacement, direction: [0, 0, 1]}\n",
        nx, ny);
    for (int p = 1; p <= ALL && nx == NX; p++) {
        n += snprintf(text + n, size - (size_t)n, "  q%d: {at: patches(%d), quantity: charge}\n", p,
                      p);
    }
    assert_true((size_t)n < size);
}

/* the smallest number of the patches that mirrors of a cell and its other face are */
static int orbit(int patch) {
    const int cell = patch % (NX * NY), i = cell % NX, j = cell / NX;
    return (i < NX - 1 - i ? i : NX - 1 - i) + NX * (j < NY - 1 - j ? j : NY - 1 - j);
}

/* Frequencies as published for this mesh; charges by amplitudes are the forces by voltages, and the
   capacitance is eps A / h_p; modes 1, 4, 7, 11, 14 move the centre, and what they do with patches
   of one orbit is equal in size. */
static void smart_sheet(void **state) {
    GOS_UNUSED(state);
    static char text[40000];
    gos_linear *linear;
    gos_mode mode[14];
    gos_matrix_view B, Y, D;
    int found;
    verify v;
    sheet(text, sizeof text, NX, NY);
    verify_text(&v, text, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_info info;
    gos_linear_info_get(linear, &info);
    assert_int_equal(info.inputs, ALL);
    assert_int_equal(info.outputs, ALL + 1);
    assert_string_equal(gos_linear_input(linear, 16).name, "patches(17)");
    double *X = calloc((size_t)info.coordinates * 14, sizeof *X);
    assert_non_null(X);
    verify_good(&v, gos_linear_shapes(v.ctx, linear, 14, mode, X, &found));
    assert_int_equal(found, 14);
    verify_near("lowest [Hz]", mode[0].frequency, 1.140, 5e-4);
    verify_near("14th [Hz]", mode[13].frequency, 21.24, 5e-3);
    gos_linear_block(linear, GOS_BLOCK_B, &B);
    gos_linear_block(linear, GOS_BLOCK_Y_q, &Y);
    gos_linear_block(linear, GOS_BLOCK_Y_u, &D);
    double most = 0, size[14][ALL] = {{0}}, centre[14] = {0};
    for (int p = 0; p < ALL; p++) {
        for (int i = 0; i < info.coordinates; i++) {
            most = fmax(most, fabs(entry(&B, i, p)));
        }
    }
    for (int p = 0; p < ALL; p++) {
        for (int i = 0; i < info.coordinates; i++) {
            const double b = entry(&B, i, p);
            assert_true(fabs(entry(&Y, 1 + p, i) - b) <= 1e-14 * most);
            for (int m = 0; m < 14; m++) {
                size[m][p] += b * X[m * info.coordinates + i];
            }
        }
        assert_true(fabs(entry(&D, 1 + p, p) - EPS * 0.1 * (1.3 / 14) / 4e-4) < 1e-20);
    }
    double largest = 0, off = 0;
    for (int m = 0; m < 14 * ALL; m++) {
        largest = fmax(largest, fabs(size[m / ALL][m % ALL]));
    }
    for (int m = 0; m < 14; m++) {
        for (int i = 0; i < info.coordinates; i++) {
            centre[m] += entry(&Y, 0, i) * X[m * info.coordinates + i];
        }
        const bool moves = m == 0 || m == 3 || m == 6 || m == 10 || m == 13;
        assert_true(moves ? fabs(centre[m]) > 1e-3 : fabs(centre[m]) < 1e-6);
        for (int p = 0; p < ALL; p++) {
            const double one = fabs(size[m][orbit(p)]), other = size[m][(p + NX * NY) % ALL];
            off = fmax(off, fabs(fabs(size[m][p]) - one) / largest);
            off = fmax(off, fabs(size[m][p] + other) / largest);
        }
    }
    print_message("    patches of an orbit differ by %.1e\n", off);
    assert_true(off < 1e-8);
    free(X);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* a mesh eight times finer in both directions, 80 x 112: 1.1306 to 19.865 Hz. The short form has
   meshes twice and four times finer than the example's, and what they tend to with the square of
   the length of cells. */
static void sheet_modes(int nx, int ny, gos_mode mode[14]) {
    static char text[4000];
    gos_linear *linear;
    int found;
    verify v;
    sheet(text, sizeof text, nx, ny);
    verify_text(&v, text, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, 14, false, mode, &found));
    assert_int_equal(found, 14);
    assert_int_equal(gos_system_ninputs(v.sys), 2 * nx * ny);
    gos_linear_destroy(linear);
    verify_close(&v);
}

static void fine_sheet(void **state) {
    GOS_UNUSED(state);
    gos_mode fine[14], coarse[14];
    if (suite_long()) {
        sheet_modes(80, 112, fine);
        verify_near("lowest [Hz]", fine[0].frequency, 1.1306, 5e-5);
        verify_near("14th [Hz]", fine[13].frequency, 19.865, 5e-4);
        return;
    }
    sheet_modes(20, 28, coarse);
    sheet_modes(40, 56, fine);
    const double lowest = (4 * fine[0].frequency - coarse[0].frequency) / 3,
                 last = (4 * fine[13].frequency - coarse[13].frequency) / 3;
    // 80 x 112 has the 16th part of the difference of these meshes left
    verify_near("lowest [Hz]", lowest + (fine[0].frequency - lowest) / 4, 1.1306, 2e-4);
    verify_near("14th [Hz]", last + (fine[13].frequency - last) / 4, 19.865, 2e-3);
}

/* 33 electrodes and more are in no basis unless they are named, which is reported where no one has
 * chosen */
static void test_many(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "floating_bodies: reduced\n"
        "materials: {m: {density: 2700, young: 7.0e10, poisson: 0.3}}\n"
        "meshes: {s: {type: rectangle, size: [0.02, 0.3], cells: [2, 10],\n"
        "             sets: {tip: {of: nodes, near: [0.01, 0.3, 0]}}}}\n"
        "bodies: {s: {type: floating, mesh: s, material: m, element: shell, thickness: 0.001,\n"
        "             reference: clamped, at: bottom, temperature: off, reduce: {order: 4}}}\n"
        "joints: {c: {type: clamp, between: [ground, s.frame]}}\n"
        "piezo: {p: {type: patch, on: s, thickness: 4.0e-4, e31: -6.5, permittivity: 1.3e-8}}\n"
        "probes: {tip: {at: s.tip, quantity: displacement}}\n"
        "analysis: {type: static}\n";
    for (int k = 0; k < 3; k++) {
        verify v;
        bool told = false;
        verify_text(&v, text,
                    k == 1   ? "bodies.s.reduce.static=[joints,p]"
                    : k == 2 ? "bodies.s.reduce.static=[]"
                             : NULL);
        for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
            told = told || strstr(gos_ctx_diag(v.ctx, i)->text, "by its 40 electrodes");
        }
        assert_int_equal(told, k == 0);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bending_and_stretch),
        cmocka_unit_test(parts_of_it),
        cmocka_unit_test(charge),
        cmocka_unit_test(in_time),
        cmocka_unit_test(rate_feedback),
        cmocka_unit_test(charge_feedback),
        cmocka_unit_test(open_electrode),
        cmocka_unit_test(pyroelectric),
        cmocka_unit_test(impedance),
        cmocka_unit_test(shunts_of_cells),
        cmocka_unit_test(shunted_energy),
        cmocka_unit_test(smart_sheet),
        cmocka_unit_test(fine_sheet),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
