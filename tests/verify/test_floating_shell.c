/* Temperatures of shells in floating frames: the mean and the gradient through the thickness, heat
   on either face, thermal bending, against closed forms and against ANCF plates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

#define ALLOY                                                                                      \
    "parameters: {h: 0.02, nu: 0.3, k: 2, M: 0}\nreference_temperature: 300\n"                     \
    "materials: {alloy: {density: 2700, young: 7e10, poisson: nu, expansion: 2.3e-5,\n"            \
    "  conductivity: k, specific_heat: 900, emissivity: 0.8, absorptivity: 0.6}}\n"
#define SHEET                                                                                      \
    "meshes: {sheet: {type: rectangle, size: [1, 0.6], cells: [5, 3], sets: {\n"                   \
    "  half: {of: cells, box: {from: [-1, -1, -1], to: [0.6, 1, 1]}}}}}\n"
#define PANEL                                                                                      \
    "bodies: {p: {type: floating, mesh: sheet, material: alloy, element: shell, thickness: h,\n"
#define HOLD "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
#define K 2.0
#define ALPHA 2.3e-5
#define H 0.02
#define CAPACITY (2700 * 900.0)
#define SIGMA 5.670374419e-8

/* films on both faces: what flows from one ambient to the other meets three resistances, 1/h1 + h/k
 * + 1/h2 */
static void two_films(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        ALLOY SHEET PANEL "  reference: mean_axis}}\n" HOLD "heat:\n"
                          "  warm: {type: convection, coefficient: 40, ambient: 80, on: p.upper}\n"
                          "  cold: {type: convection, coefficient: 25, ambient: -30, on: p.lower}\n"
                          "probes: {mid: {at: p.corner_1, quantity: temperature},\n"
                          "  upper: {at: p.corner_3.upper, quantity: temperature},\n"
                          "  lower: {at: p.right.lower, quantity: temperature}}\n"
                          "analysis: {type: static}\n";
    const double q = 110 / (1 / 40.0 + H / K + 1 / 25.0);
    verify v = {0};
    verify_text(&v, model, "");
    verify_static(&v);
    verify_near("upper face", verify_value(&v, v.state, "upper.T"), 80 - q / 40, 1e-10);
    verify_near("lower face", verify_value(&v, v.state, "lower.T"), -30 + q / 25, 1e-10);
    verify_near("mean", verify_value(&v, v.state, "mid.T"), (50 - q / 40 + q / 25) / 2, 1e-10);
    verify_near("gradient", verify_value(&v, v.state, "mid.T_z"), q / K, 1e-8);
    verify_close(&v);
}

/* as much into one face as out of the other: the gradient alone changes, g = q/k (1 - exp(-12 k
 * t/(rho c h^2))) */
static void gradient_in_time(void **state) {
    GOS_UNUSED(state);
    static const char model[] = ALLOY SHEET PANEL
        "  reference: mean_axis}}\n" HOLD "heat: {in: {type: flux, value: 1000, on: p.upper},\n"
        "  out: {type: flux, value: -1000, on: p.lower}}\n"
        "probes: {T: {at: p.corner_2, quantity: temperature}}\n"
        "analysis: {end: 60, step: 0.25}\n";
    const double rate = 12 * K / (CAPACITY * H * H);
    verify v = {0};
    verify_text(&v, model, "");
    verify_start(&v);
    for (int i = 1; i <= 3; i++) {
        const gos_state *x = verify_at(&v, 20 * i);
        const double g = 1000 / K * (1 - exp(-rate * 20 * i));
        verify_near("gradient", verify_value(&v, x, "T.T_z"), g, 1e-5 * g);
        verify_near("mean", verify_value(&v, x, "T.T"), 0, 1e-9);
    }
    verify_close(&v);
}

/* A gradient that is held at one edge spreads along the plate while it flows off through it: k
   h^3/12 g'' = k h g, so that g(L)/g(0) = 1/cosh(sqrt(12) L/h). Linear functions are as good as
   their second order. */
static void gradient_along(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        ALLOY "meshes: {sheet: {type: rectangle, size: [1, 0.1], cells: [40, 1]}}\n" PANEL
              "  reference: mean_axis}}\n" HOLD
              "heat: {a: {type: temperature, value: 1, on: [p.corner_1.upper, p.corner_4.upper]},\n"
              "  b: {type: temperature, value: -1, on: [p.corner_1.lower, p.corner_4.lower]}}\n"
              "probes: {near: {at: p.corner_1, quantity: temperature},\n"
              "  far: {at: p.corner_2, quantity: temperature}}\n"
              "analysis: {type: static}\n";
    verify v = {0};
    verify_text(&v, model, "h=1.5");
    verify_static(&v);
    verify_near("held", verify_value(&v, v.state, "near.T_z"), 2 / 1.5, 1e-12);
    verify_near("mean", verify_value(&v, v.state, "far.T"), 0, 1e-12);
    const double want = 2 / 1.5 / cosh(sqrt(12.0) / 1.5);
    verify_near("far", verify_value(&v, v.state, "far.T_z"), want, 4e-4 * want);
    verify_close(&v);
}

/* a node, and a face of it, under prescribed temperatures: with the gradient at 0, free, and that
 * of the face alone */
static void prescribed(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        ALLOY "meshes: {sheet: {type: rectangle, size: [0.1, 0.1], cells: [1, 1]}}\n" PANEL
              "  reference: mean_axis}}\n" HOLD
              "heat: {q: {type: flux, value: 1000, on: p.upper},\n  hold: {type: temperature, "
              "value: 5, ";
    static const struct {
        const char *how;
        double mean, gradient;
    } cases[] = {
        {"on: [p.corner_1, p.corner_2, p.corner_3, p.corner_4]", 5, 0},
        {"gradients: free, on: [p.corner_1, p.corner_2, p.corner_3, p.corner_4]", 5, 250},
        {"on: [p.corner_1.lower, p.corner_2.lower, p.corner_3.lower, p.corner_4.lower]", 10, 500}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[2000];
        (void)snprintf(text, sizeof text,
                       "%s%s}}\nprobes: {T: {at: p.node(1), quantity: temperature}}\n"
                       "analysis: {type: static}\n",
                       model, cases[i].how);
        verify v = {0};
        verify_text(&v, text, "");
        verify_static(&v);
        verify_near(cases[i].how, verify_value(&v, v.state, "T.T"), cases[i].mean, 1e-10);
        verify_near("gradient", verify_value(&v, v.state, "T.T_z"), cases[i].gradient, 1e-8);
        verify_close(&v);
    }
}

/* A free plate with a gradient is a part of a sphere, w = -alpha g r^2/2, hotter face outside: seen
   from its mean axes, and from a node that is held. */
static void bending(void **state) {
    GOS_UNUSED(state);
    static const char model[] = ALLOY SHEET PANEL
        "  reference: %s}}\n" HOLD "heat: {q: {type: flux, value: 1000, on: p.upper},\n"
        "  film: {type: convection, coefficient: 20, on: p.lower}}\n"
        "probes: {a: {at: p.corner_1, quantity: displacement}, b: {at: p.corner_2, quantity: "
        "displacement},\n  c: {at: p.corner_3, quantity: displacement},\n"
        "  i: {at: \"p.node(2)\", quantity: displacement}}\n"
        "analysis: {type: static}\n";
    const double g = 1000 / K, mean = 50 + g * H / 2;
    for (int i = 0; i < 2; i++) {
        char text[2000];
        (void)snprintf(text, sizeof text, model, i == 0 ? "mean_axis" : "clamped, at: corner_1");
        verify v = {0};
        verify_text(&v, text, "");
        verify_static(&v);
        // from the middle of the long edge, where the frame is at the plate's centre, and from the
        // corner
        const double from = i == 0 ? 0.3 * 0.3 + 0.5 * 0.5 : 0, to = i == 0 ? 0.34 : 1.36;
        const double edge = i == 0 ? 0.34 : 1;
        const double w = verify_value(&v, v.state, "a.z");
        verify_near("far corner", verify_value(&v, v.state, "c.z") - w,
                    -ALPHA * g / 2 * (to - from), 1e-12);
        verify_near("next corner", verify_value(&v, v.state, "b.z") - w,
                    -ALPHA * g / 2 * (edge - from), 1e-12);
        const double x = i == 0 ? -0.5 : 0, y = i == 0 ? -0.3 : 0; // of corner 1
        verify_near("node 2", verify_value(&v, v.state, "i.z") - w,
                    -ALPHA * g / 2 * ((x + 0.2) * (x + 0.2) + y * y - from), 1e-12);
        verify_near("stretch", verify_value(&v, v.state, "b.x") - verify_value(&v, v.state, "a.x"),
                    ALPHA * mean, 1e-12);
        verify_close(&v);
    }
}

/* Bending without exchange of heat: the stretched face cools by T_ref alpha sigma/(rho c + 2 T_ref
   E alpha^2/(1 - nu)), stress and gradient linear through the plate. Moments at corners bend a
   single row of cells evenly. Slow, over 60 periods. */
static void strains_make_gradients(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        ALLOY "meshes: {sheet: {type: rectangle, size: [0.4, 0.1], cells: [4, 1]}}\n" PANEL
              "  reference: mean_axis, zeta: 0.5}}\n" HOLD "loads:\n"
              "  a: {type: moment, on: p.corner_1, moment: [0, \"-M*(1-cos(pi*t/0.5))/4\", 0]}\n"
              "  b: {type: moment, on: p.corner_4, moment: [0, \"-M*(1-cos(pi*t/0.5))/4\", 0]}\n"
              "  c: {type: moment, on: p.corner_2, moment: [0, \"M*(1-cos(pi*t/0.5))/4\", 0]}\n"
              "  d: {type: moment, on: p.corner_3, moment: [0, \"M*(1-cos(pi*t/0.5))/4\", 0]}\n"
              "probes: {T: {at: p.corner_1, quantity: temperature}}\n"
              "analysis: {end: 0.5, step: 2.5e-4, thermoelastic_heat: true}\n";
    verify v = {0};
    verify_text(&v, model, "k=1e-9 M=100");
    verify_run(&v);
    const double slope = 100 / (0.1 * H * H * H / 12); // of the stress through the plate [Pa/m]
    const double capacity = CAPACITY + 2 * 300 * 7e10 * ALPHA * ALPHA / 0.7;
    const double fall = 300 * ALPHA * slope / capacity;
    verify_near("gradient", verify_value(&v, v.state, "T.T_z"), -fall, 1e-4 * fall);
    verify_near("mean", verify_value(&v, v.state, "T.T"), 0, 1e-5 * fall * H);
    verify_close(&v);
}

/* upper and lower faces radiate by their own temperatures */
static void radiation_balance(double into_upper, double into_lower, double T[2]) {
    T[0] = T[1] = 300;
    for (int it = 0; it < 50; it++) {
        const double e = 0.8 * SIGMA, c = K / H;
        const double r[2] = {into_upper - e * pow(T[0], 4) - c * (T[0] - T[1]),
                             into_lower - e * pow(T[1], 4) + c * (T[0] - T[1])};
        const double a = 4 * e * pow(T[0], 3) + c, d = 4 * e * pow(T[1], 3) + c;
        const double det = a * d - c * c;
        T[0] += (d * r[0] + c * r[1]) / det;
        T[1] += (c * r[0] + a * r[1]) / det;
    }
}

/* A ring of a plate, clamped outside: with w' = A r + B/r, no slope at b and no moment at a, where
   w'' + nu w'/r + (1 + nu) alpha g = 0. Second order in the cells, whose corners lie on the
   circles. */
static double ring(int n) {
    static const char model[] =
        ALLOY "meshes: {sheet: {type: annulus, inner: 0.1, outer: 0.3, cells: [%d, %d]}}\n" PANEL
              "  reference: clamped, at: outer}}\n" HOLD
              "heat: {q: {type: flux, value: 1000, on: p.upper},\n"
              "  film: {type: convection, coefficient: 20, on: p.lower}}\n"
              "probes: {u: {at: p.inner, quantity: displacement}}\n"
              "analysis: {type: static}\n";
    char text[1500];
    verify v = {0};
    (void)snprintf(text, sizeof text, model, n, 8 * n);
    verify_text(&v, text, "");
    verify_static(&v);
    const double w = verify_value(&v, v.state, "u.z");
    verify_close(&v);
    return w;
}

static void clamped_ring(void **state) {
    GOS_UNUSED(state);
    const double a = 0.1, b = 0.3, nu = 0.3, free = -ALPHA * 1000 / K;
    const double A = (1 + nu) * free / (1 + nu + (1 - nu) * b * b / (a * a));
    const double want = A * (a * a - b * b) / 2 - A * b * b * log(a / b);
    const double coarse = ring(3) - want, fine = ring(6) - want;
    verify_below("6 x 48 cells", fabs(fine / want), 0.02);
    verify_within("order", verify_order(fabs(coarse), fabs(fine), 2), 1.8, 2.2);
}

/* sunlight from above, aslant, from below, on a turned panel with both faces radiating: steady
 * temperatures */
static void sunlit(void **state) {
    GOS_UNUSED(state);
    static const char model[] = ALLOY SHEET PANEL
        "  reference: mean_axis, rotation_vector: [0, 0.7, 0]}}\n" HOLD
        "heat: {sun: {type: flux, value: 1361, direction: [%.17g, 0, %.17g], on: p},\n"
        "  space: {type: radiation, sink: 0, on: p}}\n"
        "probes: {upper: {at: p.corner_1.upper, quantity: temperature},\n"
        "  lower: {at: p.corner_3.lower, quantity: temperature}}\n"
        "analysis: {type: static}\n";
    static const double angle[] = {0, 1.1, 2.9};
    for (int i = 0; i < GOS_COUNT(angle); i++) {
        char text[2000];
        // light travels down along the turned normal where the angle is 0
        const double a = 0.7 + angle[i], c = cos(angle[i]), q = 0.6 * 1361;
        double T[2];
        (void)snprintf(text, sizeof text, model, -sin(a), -cos(a));
        verify v = {0};
        verify_text(&v, text, "");
        verify_static(&v);
        radiation_balance(q * fmax(0, c), q * fmax(0, -c), T);
        verify_near("upper face", verify_value(&v, v.state, "upper.T"), T[0] - 300, 1e-8);
        verify_near("lower face", verify_value(&v, v.state, "lower.T"), T[1] - 300, 1e-8);
        verify_close(&v);
    }
}

/* powers of all kinds of heat on shells of two thicknesses: faces by their areas, edges by the
   thickness of their part, insides by volume; and films on an edge, which cool the gradient too */
static void powers(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {faces: 0, face: 0, rim: 0, edge: 0, inside: 0, point: 0}\n"
        "materials: {alloy: {density: 2700, young: 7e10, poisson: 0.3, conductivity: 2,\n"
        "  specific_heat: 900}}\n"
        "meshes: {sheet: {type: rectangle, size: [1, 0.6], cells: [5, 3], sets: {\n"
        "  a: {of: cells, box: {from: [-1, -1, -1], to: [0.6, 1, 1]}},\n"
        "  b: {of: cells, box: {from: [0.6, -1, -1], to: [2, 1, 1]}}}}}\n"
        "bodies: {p: {type: floating, mesh: sheet, material: alloy, element: shell, parts: [\n"
        "  {cells: a, thickness: 0.02}, {cells: b, thickness: 0.03}]}}\n" HOLD "heat:\n"
        "  faces: {type: flux, value: faces, on: p}\n"
        "  face: {type: flux, value: face, on: [p.a.upper, p.b.lower]}\n"
        "  rim: {type: flux, value: rim, on: p.skin}\n"
        "  edge: {type: flux, value: edge, on: p.right}\n"
        "  inside: {type: source, value: inside, on: p}\n"
        "  point: {type: heat_flow, value: point, on: p.corner_1.upper}\n"
        "probes: {T: {at: p.corner_1, quantity: temperature}}\n"
        "analysis: {end: 10, step: 1}\n";
    static const struct {
        const char *settings;
        double power;
    } cases[] = {{"faces=1000", 1000 * 2 * 0.6},
                 {"face=1000", 1000 * 0.6},
                 {"rim=1000", 1000 * (0.02 * 1.8 + 0.03 * 1.4)},
                 {"edge=1000", 1000 * 0.6 * 0.03},
                 {"inside=1e4", 1e4 * 0.6 * (0.6 * 0.02 + 0.4 * 0.03)},
                 {"point=10", 10}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v = {0};
        gos_heat heat;
        verify_text(&v, model, cases[i].settings);
        verify_run(&v);
        gos_system_heat(v.sys, v.state, &heat);
        verify_near(cases[i].settings, heat.stored, 10 * cases[i].power, 1e-10 * heat.stored);
        verify_near("supplied", heat.supplied, heat.stored, 1e-10 * heat.stored);
        if (i != 5) { // no other heat is more on one face than on the other
            const double g = fabs(verify_value(&v, v.state, "T.T_z"));
            verify_near("gradient", g > 1e-9 * heat.stored, i == 1, 0);
        }
        verify_close(&v);
    }
}

/* a strip whose edge is cooled by a film: as long as g is even through it the film takes h_f h^3/12
   g per length from the gradient, and with the upper face held at 0 all is given by the two
   equations of one cell */
static void film_on_edge(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        ALLOY "meshes: {sheet: {type: rectangle, size: [0.1, 0.1], cells: [1, 1]}}\n" PANEL
              "  reference: mean_axis}}\n" HOLD
              "heat: {q: {type: flux, value: 1000, on: p.upper}, r: {type: flux, value: -1000, on: "
              "p.lower},\n"
              "  film: {type: convection, coefficient: 300, on: [p.left, p.right, p.top, "
              "p.bottom]}}\n"
              "probes: {T: {at: p.corner_1, quantity: temperature}}\n"
              "analysis: {type: static}\n";
    verify v = {0};
    verify_text(&v, model, "h=0.08");
    verify_static(&v);
    // 1000 h A = (k h A + 300 P h^3/12) g, with all nodes alike
    const double h = 0.08, A = 0.01, P = 0.4;
    const double g = 1000 * h * A / (K * h * A + 300 * P * h * h * h / 12);
    verify_near("gradient", verify_value(&v, v.state, "T.T_z"), g, 1e-9 * g);
    verify_near("mean", verify_value(&v, v.state, "T.T"), 0, 1e-9);
    verify_close(&v);
}

/* The steady state is in the space of Krylov vectors of the loads about 0, each by its own face,
   films among them; it bends as the whole body does. Even heat leaves an even mean and gradient, so
   that radiation from both faces, at their own temperatures, is exact too. */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char model[] = ALLOY SHEET PANEL
        "  reference: mean_axis, reduce: {method: krylov, order: %d}}}\n" HOLD
        "heat: {q: {type: flux, value: 1000, on: p.upper},\n"
        "  film: {type: convection, coefficient: 20, on: p.lower},\n"
        "  part: {type: flux, value: %d, on: p.half.lower}%s}\n"
        "probes: {upper: {at: p.corner_1.upper, quantity: temperature},\n"
        "  lower: {at: p.right.lower, quantity: temperature},\n"
        "  a: {at: p.corner_1, quantity: displacement}, b: {at: p.corner_2, quantity: "
        "displacement}}\n"
        "analysis: {type: static}\n";
    static const char *const what[] = {"upper.T", "lower.T", "lower.T_z", "a.z", "b.x", "b.z"};
    for (int i = 0; i < 2; i++) {
        double value[2][GOS_COUNT(what)];
        for (int k = 0; k < 2; k++) {
            char text[2500];
            verify v = {0};
            (void)snprintf(text, sizeof text, model, 4, i == 0 ? 700 : 0,
                           i == 0 ? "" : ",\n  space: {type: radiation, sink: 3, on: p}");
            verify_text(&v, text, k == 0 ? "" : "floating_bodies=reduced");
            verify_static(&v);
            for (int j = 0; j < GOS_COUNT(what); j++) {
                value[k][j] = verify_value(&v, v.state, what[j]);
            }
            verify_close(&v);
        }
        for (int j = 0; j < GOS_COUNT(what); j++) {
            verify_near(what[j], value[1][j], value[0][j], 1e-9 * fabs(value[0][j]));
        }
    }
}

static void refused_as(const char *more, const char *message) {
    static const char model[] = ALLOY SHEET PANEL "  reference: mean_axis}}\n" HOLD "%s\n";
    char text[2000];
    (void)snprintf(text, sizeof text, model, more);
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    print_message("    %s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), message));
    verify_close(&v);
}

static void refusals(void **state) {
    GOS_UNUSED(state);
    refused_as("heat: {q: {type: flux, value: 1, on: p.half}}", "give 'p.half.upper'");
    refused_as("heat: {q: {type: flux, value: 1, on: p.none.upper}}", "no location 'none");
    refused_as("loads: {f: {type: force, on: p.corner_1.upper, value: [1, 0, 0]}}",
               "no separate motion");
    refused_as("probes: {u: {at: p.corner_1.lower, quantity: displacement}}", "no separate motion");
    refused_as("probes: {T: {at: p.frame, quantity: temperature}}", "its frame has no temperature");
    refused_as("probes: {T: {at: p.frame.upper, quantity: temperature}}", "no location "
                                                                          "'frame.upper'");
}

/* A panel with a clamped edge comes out of the shadow: ANCF plates, whose shear is rigid, against
   shells on a mesh of the same nodes. Temperatures are the same functions on the same mesh, and
   light that falls straight on it is to second order what it is on a panel that does not bend. */
#define SUNNY                                                                                      \
    "reference_temperature: 200\n"                                                                 \
    "materials: {alloy: {density: 2700, young: 7e10, poisson: 0.3, expansion: 2.3e-5,\n"           \
    "  conductivity: 5, specific_heat: 900, emissivity: 0.8, absorptivity: 0.6}}\n"                \
    "heat: {sun: {type: sun, direction: [0, 0, -1], eclipse: [[-1, 20]], penumbra: 10, on: "       \
    "p},\n"                                                                                        \
    "  space: {type: radiation, sink: 3, on: p}}\n"                                                \
    "analysis: {end: 120, step: 0.5}\n"
static void against_plate(void **state) {
    GOS_UNUSED(state);
    static const char *const model[2] = {
        SUNNY "meshes: {sheet: {type: rectangle, size: [0.8, 0.4], cells: [16, 8]}}\n"
              "bodies: {p: {type: floating, mesh: sheet, material: alloy, element: shell,\n"
              "  thickness: 0.01, reference: clamped, at: left, zeta: 0.5}}\n"
              "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
              "probes: {T: {at: p.corner_3, quantity: temperature}, u: {at: p.corner_3, quantity: "
              "displacement}}\n",
        SUNNY "bodies: {p: {type: ancf_plate, material: alloy, thickness: 0.01, x: [0.8, 0, 0],\n"
              "  corner: [0, 0, 0], y: [0, 0.4, 0], elements: [16, 8]}}\n"
              "joints: {hold: {type: clamp, between: [ground, p.edge.x0]}}\n"
              "probes: {T: {at: p.corner(3), quantity: temperature}, u: {at: p.corner(3), "
              "quantity: displacement}}\n"};
    double T[2][3], g[2][3], w[2][3];
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        verify_text(&v, model[i], "");
        verify_start(&v);
        for (int k = 0; k < 3; k++) {
            const gos_state *x = verify_at(&v, 40.0 * (k + 1));
            T[i][k] = verify_value(&v, x, "T.T");
            g[i][k] = verify_value(&v, x, "T.T_z");
            w[i][k] = verify_value(&v, x, "u.z");
        }
        verify_close(&v);
    }
    for (int k = 0; k < 3; k++) {
        verify_near("temperature", T[0][k], T[1][k], 1e-5 * fabs(T[1][k]));
        verify_near("gradient", g[0][k], g[1][k], 1e-5 * fabs(g[1][k]));
        verify_near("deflection", w[0][k], w[1][k], 2e-3 * fabs(w[1][k]));
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_films),
        cmocka_unit_test(gradient_in_time),
        cmocka_unit_test(gradient_along),
        cmocka_unit_test(prescribed),
        cmocka_unit_test(bending),
        cmocka_unit_test(clamped_ring),
        cmocka_unit_test(strains_make_gradients),
        cmocka_unit_test(sunlit),
        cmocka_unit_test(powers),
        cmocka_unit_test(film_on_edge),
        cmocka_unit_test(refusals),
        cmocka_unit_test(against_plate),
        cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
