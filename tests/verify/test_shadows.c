/* Shadows of bodies in sunlight: plates under plates and beside a box as the light or the craft
   turns, the inside of a tube, and what a shadow leaves alone: Newton's matrix, inputs, numbers on
   any number of threads and after a stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "linear/linear.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

/* a plate of 1 m that does not move */
#define PLATE(name, corner, n)                                                                     \
    "  " name ": {type: ancf_plate, material: m, thickness: h, corner: " corner                    \
    ", x: [L, 0, 0], y: [0, L, 0],\n"                                                              \
    "      elements: [" n ", " n "]}\n"
#define HOLD(name) "  j" name ": {type: clamp, between: [ground, " name ".edge.x0], rigid: true}\n"
#define HEAD                                                                                       \
    "parameters: {a: 0, L: 1, h: 0.002, w: 0.01, rays: 16, tol: 0.001, f: 1361, x: 0}\n"           \
    "reference_temperature: 300\n"                                                                 \
    "materials: {m: {density: 2700, young: 1.0e9, conductivity: 150, specific_heat: 900, "         \
    "absorptivity: 0.5, emissivity: 0.8, expansion: x}}\n"
#define BY(by) "shaded_by: " by ", shadow_rays: rays, shadow_tolerance: tol}\n"
#define TURNED "direction: ['sin(a + w*t)', 0, '-cos(a + w*t)'], flux: f, "

static const double absorbed = 0.5 * 1361; // [W/m^2]

/* p lies below q by L */
#define TWO                                                                                        \
    HEAD "bodies:\n" PLATE("p", "[0, 0, 0]", "4")                                                  \
        PLATE("q", "[0, 0, L]", "3") "joints:\n" HOLD("p") HOLD("q")

/* heat that comes in at the state [W] */
static double power(const verify *v) {
    gos_work *w = NULL;
    gos_sums sums;
    double *all = calloc((size_t)v->sys->n + 1, sizeof *all);
    assert_non_null(all);
    verify_good(v, gos__work_create(v->ctx, v->sys, &w));
    const gos_point_of at = {
        .scale = 1, .t = v->state->t, .q = v->state->q, .th = v->state->th, .mem = v->state->mem};
    const gos_residual out = gos__residual_of(v->sys, all);
    verify_good(v, gos__residual(w, &at, &out, &sums));
    gos__work_destroy(v->ctx, w);
    free(all);
    return sums.heat_in;
}

static double power_of(const char *text, const char *settings) {
    verify v;
    verify_text(&v, text, settings);
    const double q = power(&v);
    verify_close(&v);
    return q;
}

/* The shadow of q moves over p by L tan a. Edges of it lie across the elements; each has 144
   rays. */
static void test_angles(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] = TWO "heat: {s: {type: sun, on: p, " TURNED BY("q") "}\n";
    double worst = 0;
    for (int i = 0; i <= 17; i++) {
        const double a = 5.0 * i * M_PI / 180;
        char settings[80];
        snprintf(settings, sizeof settings, "a=%.17g", a);
        const double q = power_of(text, settings) / absorbed;
        worst = fmax(worst, fabs(q - fmin(sin(a), cos(a))));
    }
    verify_below("part of the power, off", worst, 0.004);
    // diagonally: tan a along both sides
    const double q = power_of(
        TWO "heat: {s: {type: sun, on: p.top, direction: [0.3, -0.4, -1], " BY("q") "}\n", NULL);
    verify_near("diagonally", q / absorbed, (1 - 0.7 * 0.6) / sqrt(1.25), 0.004);
    // from below, nothing is in the way
    verify_near("from below", power_of(text, "a=2.5") / absorbed, -cos(2.5), 1e-12);
    verify_near("edge-on", power_of(text, "a=pi/2"), 0, 1e-9);
}

/* of two shadows that overlap, what is in either; and a thousandth of the size with the same
   parts */
static void test_three(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] = HEAD "bodies:\n" PLATE("p", "[0, 0, 0]", "4")
        PLATE("q", "[0, 0, L]", "2") PLATE("r", "[L/4, 0, 1.5*L]", "2") "joints:\n" HOLD("p")
            HOLD("q") HOLD("r") "heat: {s: {type: sun, on: p, " TURNED BY("[q, r]") "}\n";
    // q: from L tan a on, r: from L (1/4 + 1.5 tan a) on: light up to tan a alone
    const double a = 0.4, want = sin(a);
    const double q = power_of(text, "a=0.4"), small = power_of(text, "a=0.4 L=0.001 h=2e-6");
    verify_near("part in the light of three plates", q / absorbed, want, 0.004);
    verify_near("of 1 mm", small / absorbed * 1e6, q / absorbed, 1e-12);
    // the light comes from the other side: q leaves 1 - tan, r all but 1/4 - 1.5 tan .. 5/4 - 1.5
    // tan
    const double b = -0.3, t = tan(-b);
    const double left = (1 - t > 1.25 - 1.5 * t ? 1 - t : 1.25 - 1.5 * t);
    verify_near("from the other side", power_of(text, "a=-0.3") / absorbed, (1 - left) * cos(b),
                0.004);
}

/* The heat of a run while the shadow leaves the plate, from a = 0 to 1.5 rad: the integral of
   min(sin, cos). In steps of three lengths, with rays so many that they do not matter: second
   order. */
static void test_run(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] = HEAD "bodies:\n" PLATE("p", "[0, 0, 0]", "1")
        PLATE("q", "[0, 0, L]", "1") "joints:\n" HOLD("p")
            HOLD("q") "heat: {s: {type: sun, on: p, " TURNED BY(
                "q") "}\n"
                     "probes: {T: {at: 'p.at(0.5, 0.5)', quantity: temperature}}\n"
                     "analysis: {end: 60}\n";
    double off[3];
    for (int i = 0; i < 3; i++) {
        char settings[100];
        verify v;
        snprintf(settings, sizeof settings, "rays=500 tol=0 analysis.step=%g", 3.0 / (1 << i));
        verify_text(&v, text, settings);
        verify_run(&v);
        off[i] = v.state->heat_supplied / absorbed - 100 * (1 - cos(0.6));
        verify_close(&v);
    }
    // what is left at any step, the points of one element, cancels
    verify_within("order", verify_order(off[0] - off[1], off[1] - off[2], 2), 1.6, 2.3);
    verify_below("heat of 60 s in steps of 0.75 s, off", off[2] / (100 * (1 - cos(0.6))), 0.01);
}

/* ---- a craft that turns ---------------------------------------------------------------------- */

/* A box of 1 m and beside it a panel in the plane of its middle. The craft turns freely at w about
   y; the light comes along x over the box, so that its shadow on the panel is (1/2) / tan(w t)
   long. */
#define CRAFT                                                                                      \
    HEAD "bodies:\n"                                                                               \
         "  box: {type: rigid, shape: {box: [1, 1, 1]}, mass: 1e4, inertia: [1e4, 1e4, 1e4]}\n"    \
         "  p: {type: ancf_plate, material: m, thickness: h, corner: [0.5, -0.5, 0], x: [1, 0, "   \
         "0],\n"                                                                                   \
         "      y: [0, 1, 0], elements: [4, 4]}\n"                                                 \
         "joints: {j: {type: clamp, between: [box, p.edge.x0], rigid: true}}\n"                    \
         "initial: {all: {angular_velocity: [0, w, 0]}}\n"                                         \
         "heat: {s: {type: sun, on: p, direction: [1, 0, 0], flux: f, " BY(                        \
             "box") "}\n"                                                                          \
                    "analysis: {end: 60, step: 0.5}\n"

static void test_craft(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    double worst = 0;
    verify_text(&v, CRAFT, "w=0.02 analysis.step=0.1");
    verify_start(&v);
    while (v.state->t < 60) {
        verify_good(&v, gos_integrator_step(v.run, 60));
        const double a = 0.02 * v.state->t; // from edge-on
        const double want = sin(a) * fmax(0, 1 - 0.5 / tan(a));
        worst = fmax(worst, fabs(power(&v) / absorbed - want));
    }
    verify_below("power as the craft turns, off", worst, 0.004);
    verify_close(&v);
}

/* While nothing has turned by more than the tolerance, the light stays to the last bit; then it is
 * looked for again. */
static void test_tolerance(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, TWO "heat: {s: {type: sun, on: p, " TURNED BY("q") "}\nanalysis: {end: 30}\n",
                "tol=0.1 a=0.3 analysis.step=1");
    verify_start(&v);
    double first = 0;
    for (int i = 1; i <= 16; i++) {
        verify_good(&v, gos_integrator_step(v.run, 30));
        // the flux goes with the cosine at all times
        const double part = power(&v) / (absorbed * cos(0.3 + 0.01 * v.state->t));
        first = i == 1 ? part : first;
        if (i <= 9) {
            verify_near("part of the light, kept", part, first,
                        1e-7); // the plate bends by its heat
        } else if (i > 11) {
            verify_within("part of the light, seen again", part, tan(0.4) - 0.02, tan(0.45));
        }
    }
    verify_close(&v);
}

/* ---- meshes that float ----------------------------------------------------------------------- */

/* What comes into a tube through its open end falls on the inside, all of it when it is long
   enough; the outside has the rest. A polygon of 16 sides, on which light falls at 45 degrees. */
static void test_tube(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "materials: {m: {density: 1600, young: 7e10, conductivity: 5, specific_heat: 900, "
        "absorptivity: 1, emissivity: 0.8}}\n"
        "meshes: {b: {type: tube_shell, radius: 0.5, length: 1.5, cells: [16, 12]}}\n"
        "bodies: {b: {type: floating, mesh: b, material: m, element: shell, thickness: 0.002, "
        "reference: clamped, at: bottom}}\n"
        "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
        "heat: {s: {type: sun, direction: [0.7071067811865476, 0, -0.7071067811865476], flux: 1,\n"
        "  on: b.%s, shaded_by: all}}\n";
    char model[VERIFY_TEXT];
    const double polygon = 8 * 0.25 * sin(M_PI / 8); // area of the opening
    for (int inside = 0; inside < 2; inside++) {
        snprintf(model, sizeof model, text, inside ? "lower" : "upper");
        const double q = power_of(model, NULL);
        // outside: a strip as wide as the polygon seen from there
        const double want = inside ? polygon * sqrt(0.5) : 1.0 * 1.5 * sqrt(0.5);
        verify_near(inside ? "inside of a tube" : "outside", q, want, 0.01 * want);
    }
}

/* ---- what a shadow leaves alone -------------------------------------------------------------- */

static const char shaded[] = HEAD "bodies:\n" PLATE("p", "[0, 0, 0]", "1") PLATE(
    "q", "[0, 0, L]",
    "1") "  c: {type: ancf_cable, material: m, section: o, from: [0, 0.5, 0.1], to: [1, 0.4, 0.3], "
         "elements: 2}\n"
         "sections: {o: {type: annulus, outer: 0.05, inner: 0.049, modes: 3}}\n"
         "heat: {s: {type: sun, on: [p, c], direction: [0.3, 0.2, -1], smoothing: 1e-3, flux: f,\n"
         "  absorptivity: 0.5, earth_infrared: 240, albedo: 0.3, earth_direction: [0, 0, 1],\n"
         "  infrared_absorptivity: 0.8, " BY("q") "}\n";

static void test_newton(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, shaded, "x=1e-5");
    check_newton_matrix(v.sys, "in a shadow", 20, true);
    verify_close(&v);
}

/* the input of the linear model has the shadow, too; albedo, which comes from elsewhere, has
   none */
static void test_input(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_linear *l = NULL;
    verify_text(&v, shaded, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    double more = 0;
    assert_string_equal(gos_linear_input(l, 0).name, "s");
    const gos_sparse *B = &l->block[GOS_BLOCK_B_T];
    for (int e = B->p[0]; e < B->p[1]; e++) {
        more += v.sys->tmean[B->i[e]] * B->x[e];
    }
    gos_linear_destroy(l);
    const double by = power_of(shaded, "f=1362") - power(&v);
    verify_near("heat by the flux [m^2]", more, by, 1e-10);
    verify_close(&v);
    // of the plate alone: sunlight where tan is over 0.3 and 0.2, albedo of f 0.3 everywhere from
    // below
    static const char plate[] =
        TWO "heat: {s: {type: sun, on: p, direction: [0.3, 0.2, -1], flux: f, absorptivity: 0.5,\n"
            "  albedo: 0.3, earth_direction: [0, 0, 1], " BY("q") "}\n";
    verify_near("sunlight in the shadow, albedo in none", power_of(plate, NULL) / absorbed,
                (1 - 0.7 * 0.8) / sqrt(1.13) + 0.3, 0.004);
}

static void states_equal(const gos_state *a, const gos_state *b) {
    assert_memory_equal(a->th, b->th, (size_t)a->sys->nt * sizeof *a->th);
    assert_memory_equal(a->mem, b->mem, a->sys->nmem * sizeof *a->mem);
}

/* the same digits on two threads, and when a copy of the state continues elsewhere */
static void test_same(void **unused) {
    GOS_UNUSED(unused);
    verify v, other;
    verify_text(&v, CRAFT, "w=0.05");
    verify_text(&other, CRAFT, "w=0.05");
    verify_good(&other, gos_ctx_set_threads(other.ctx, 2));
    verify_start(&v);
    verify_start(&other);
    for (int i = 0; i < 30; i++) {
        verify_good(&v, gos_integrator_step(v.run, 60));
        verify_good(&other, gos_integrator_step(other.run, 60));
    }
    states_equal(v.state, other.state);
    gos_state *copy = NULL;
    gos_integrator *run = NULL;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &copy));
    gos_integrator_store_history(v.run);
    verify_good(&v, gos_state_copy(copy, v.state));
    verify_good(&v, gos_integrator_create(v.ctx, v.sys, &v.opt, copy, &run));
    for (int i = 0; i < 10; i++) {
        verify_good(&v, gos_integrator_step(v.run, 60));
        verify_good(&v, gos_integrator_step(run, 60));
    }
    states_equal(v.state, copy);
    gos_integrator_destroy(run);
    gos_state_destroy(copy);
    verify_close(&other);
    verify_close(&v);
}

/* ---- refusals
 * -----------------------------------------------------------------------------------------------
 */

static void refused(const char *heat, const char *more, const char *message) {
    char text[VERIFY_TEXT];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    snprintf(
        text, sizeof text,
        HEAD
        "sections: {o: {type: rectangle, height: 0.1, width: 0.1}}\n"
        "bodies:\n" PLATE("p", "[0, 0, 0]", "1") PLATE(
            "q", "[0, 0, L]",
            "1") "  c: {type: ancf_cable, material: m, section: o, from: [0, 0, 0], to: [1, 0, "
                 "0]}\n%s"
                 "joints:\n" HOLD("p")
                     HOLD("q") "heat: {s: {type: sun, direction: [0, 0, -1], %s}}\n",
        more, heat);
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &model), GOS_OK);
    assert_int_equal(gos_system_create(ctx, model, &sys), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(ctx), message)) {
        print_error("'%s' has no '%s'\n", gos_ctx_message(ctx), message);
        fail();
    }
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    refused("on: p, shaded_by: r", "", "there is no body 'r'");
    refused("on: p, shaded_by: [q, q]", "", "listed twice");
    refused("on: p, shaded_by: c", "", "no drawn surface");
    refused("on: c.end, shaded_by: q", "", "does not support shadows");
    refused("on: p, shadow_rays: 4", "", "has no effect without shadows");
    refused("on: p, shadow_tolerance: 0.1", "", "has no effect without shadows");
    refused("on: p, shaded_by: q, shadow_rays: 0", "", "shadow_rays");
    refused("on: b, shaded_by: q",
            "  b: {type: solid, mesh: b, material: m}\nmeshes: {b: {type: box, size: [1, 1, 1], "
            "cells: [1, 1, 1]}}\n",
            "but not on 'b'");
    verify v;
    gos_system *reduced = NULL;
    verify_text(&v, TWO "heat: {s: {type: sun, on: p, " TURNED BY("q") "}\n", NULL);
    assert_int_equal(gos_reduce(v.ctx, v.sys, &reduced), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "run the full model"));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angles),    cmocka_unit_test(test_three),
        cmocka_unit_test(test_run),       cmocka_unit_test(test_craft),
        cmocka_unit_test(test_tolerance), cmocka_unit_test(test_tube),
        cmocka_unit_test(test_newton),    cmocka_unit_test(test_input),
        cmocka_unit_test(test_same),      cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
