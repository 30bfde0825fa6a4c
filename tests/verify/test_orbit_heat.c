/* Sun, Earth and eclipses of an orbit as heat: what a plate that loses none of it takes up,
   temperatures in balance, the Newton matrix; a reduced plate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "linear/linear.h"
#include "math/orbit.h"
#include "math/sphere.h"
#include "math/vec3.h"
#include "support/newton_matrix.h"
#include "support/reduced.h"
#include "support/suite.h"

/* a plate of 1 m that lies in the plane of global x and y, does not bend, and keeps its place by a
 * clamp at its edge */
#define PLATE                                                                                      \
    "parameters: {rho: 2700, c: 900, h: 0.002, alpha: 0.7, eps: 0.8}\n"                            \
    "reference_temperature: 300\n"                                                                 \
    "materials: {m: {density: rho, young: 1.0e9, conductivity: 150, specific_heat: c, "            \
    "absorptivity: alpha, emissivity: eps}}\n"                                                     \
    "bodies: {p: {type: ancf_plate, material: m, thickness: h, corner: [0, 0, 0], x: [1, 0, 0],\n" \
    "             y: [0, 1, 0], elements: [1, 1]}}\n"                                              \
    "joints: {root: {type: clamp, between: [ground, p.edge.x0], rigid: true}}\n"                   \
    "probes: {T: {at: 'p.at(0.5, 0.5)', quantity: temperature}, s: {quantity: sunlight}}\n"

static const double stored = 2700 * 900 * 0.002; // [J/(m^2 K)]

/* T at the end of a run */
static double reached(const char *orbit, const char *heat, const char *settings, gos_orbit *o) {
    verify v;
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, PLATE "orbit: {%s, gravity_gradient: false}\nheat:\n%s", orbit,
             heat);
    verify_text(&v, text, settings);
    verify_run(&v);
    *o = *v.sys->orbit;
    const double T = verify_value(&v, NULL, "T.T");
    verify_close(&v);
    return T;
}

/* The Sun in the plane of the orbit (beta 0) along x of a cylinder's shadow; the plate stands
   across the light: z along the normal of the orbit would see none, so the Sun is 30 degrees over
   the plane. One revolution takes up a S sin(30) times the period less the time in the shadow, to
   rounding: steps end at its edges. */
static void test_shadow(void **unused) {
    GOS_UNUSED(unused);
    gos_orbit o;
    const double T = reached("semi_major_axis: 7e6, beta: deg(30), noon: 1, shadow: cylindrical",
                             "  s: {type: sun, flux: 1361, on: p.top}\n",
                             "analysis.end=5828.5166 analysis.step=58.285166", &o);
    const double a = 7e6, R = 6378137, period = 2 * M_PI / o.rate;
    const double dark = 2 * acos(sqrt(a * a - R * R) / (a * cos(M_PI / 6))) / o.rate;
    verify_near("period [s]", 5828.5166, period, 1e-3);
    verify_near("T after a revolution [K]", T, 0.7 * 1361 * 0.5 * (5828.5166 - dark) / stored,
                1e-7 * T);
}

/* with a penumbra: the same integral of the light by a fine sum; and no other shadow than that of
 * the orbit */
static void test_penumbra(void **unused) {
    GOS_UNUSED(unused);
    gos_orbit o;
    const double T = reached("semi_major_axis: 2e7, beta: deg(10), noon: -0.5, eccentricity: 0.1",
                             "  s: {type: sun, flux: 1361, on: p.top}\n",
                             "analysis.end=15000 analysis.step=10", &o);
    double light = 0;
    const int n = 200000;
    for (int k = 0; k < n; k++) {
        gos_orbit_position p;
        gos__orbit_at(&o, 15000 * (k + 0.5) / n, &p);
        light += p.light * 15000 / n;
    }
    assert_true(light < 14000); // it has been in the shadow
    verify_below("light taken up, off [s of 15000]",
                 T * stored / (0.7 * 1361 * sin(M_PI / 18)) - light, 0.1);
}

/* Infrared and albedo of the Earth on both sides of a plate that keeps its direction in space: the
   Earth goes round it in its plane and at an angle. Against fine sums of the view factor. */
static void test_earth(void **unused) {
    GOS_UNUSED(unused);
    const char *const heat[] = {
        "  s: {type: sun, flux: 0, earth_infrared: 240, on: p}\n",
        "  s: {type: sun, flux: 0, earth_infrared: 240, on: p.top}\n",
        ("  s: {type: sun, flux: 1361, albedo: 0.3, on: p.top, absorptivity: alpha}\n"
         "  less: {type: sun, flux: -1361, on: p.top}\n")};
    for (int i = 0; i < 3; i++) {
        gos_orbit o;
        double sum = 0;
        // axes inertial: z of the plate 1 rad from the normal of the orbit
        const double T =
            reached("semi_major_axis: 7.5e6, axes: inertial, inclination: 1, sun: [0.4, 0.3], "
                    "shadow: none",
                    heat[i], "analysis.end=6000 analysis.step=20", &o);
        const int n = 40000;
        for (int k = 0; k < n; k++) {
            gos_orbit_position p;
            gos__orbit_at(&o, 6000 * (k + 0.5) / n, &p);
            const double u = 6378137 / gos__norm3(p.r), c = -p.axes[2];
            const double up = gos__sphere_factor(c, u, NULL),
                         down = gos__sphere_factor(-c, u, NULL);
            const double day = fmax(0, gos__dot3(p.axes, p.sun));
            sum += (i == 0   ? 0.8 * 240 * (up + down)
                    : i == 1 ? 0.8 * 240 * up
                             : 0.7 * 1361 * 0.3 * day * up) *
                   6000 / n;
        }
        char what[50];
        snprintf(what, sizeof what, "T of case %d [K]", i);
        verify_near(what, T, sum / stored, 1e-4 * sum / stored);
    }
}

/* Balance at t = 0, the plate above the Earth and level: a S sin + e q u^2 + a S A u^2 cos = 2 e
 * sigma T^4 */
static void test_balance(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v,
                PLATE
                "orbit: {altitude: 6e5, axes: inertial, inclination: deg(90), anomaly: deg(90),\n"
                "        sun: [0, deg(50)]}\n"
                "heat:\n"
                "  s: {type: sun, earth_infrared: 237, albedo: 0.3, on: p}\n"
                "  space: {type: radiation, sink: 0, on: p, emissivity: eps}\n"
                "analysis: {type: static}\n",
                NULL);
    verify_static(&v);
    const double u = 6378137 / 6978137.0, s = sin(50 * M_PI / 180);
    // the craft is over the pole, z away from the Earth: the Sun on top, the Earth on the other
    // side
    const double q = 0.7 * 1361 * s + 0.8 * 237 * u * u + 0.7 * 1361 * 0.3 * u * u * s;
    verify_near("temperature [K]", verify_value(&v, NULL, "T.T") + 300,
                pow(q / (2 * 0.8 * 5.670374419e-8), 0.25), 1e-6);
    verify_close(&v);
}

/* rectangles, circles, ends and plates; the Earth below, the Sun beside */
static const char lit[] =
    "parameters: {f: 100, i: 240}\n"
    "materials: {m: {density: 1000, young: 1.0e4, conductivity: 100, specific_heat: 10,\n"
    "                absorptivity: 0.6, emissivity: 0.8, expansion: 1.0e-4}}\n"
    "sections: {r: {type: rectangle, height: 0.1, width: 0.2},\n"
    "           o: {type: circle, diameter: 0.1}}\n"
    "orbit: {altitude: 1e6, beta: 0.4, noon: 0.3, gravity_gradient: false}\n"
    "bodies:\n"
    "  a: {type: ancf_cable, material: m, section: r, from: [0, 0, 0], to: [1, 0.3, 0.2],\n"
    "      elements: 1}\n"
    "  b: {type: ancf_cable, material: m, section: o, from: [0, 0, 0], to: [0.4, 1, 0.1],\n"
    "      elements: 1}\n"
    "  p: {type: ancf_plate, material: m, thickness: 0.02, corner: [0, 0, 0], x: [1, 0.2, "
    "0.3],\n"
    "      y: [-0.19, 0.95, 0], elements: [1, 1]}\n"
    "heat: {s: {type: sun, flux: f, earth_infrared: i, albedo: 3, on: [a, b, p, a.end]}}\n";

/* at random states */
static void test_newton_matrix(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, lit, NULL);
    check_newton_matrix(v.sys, "sun and Earth", 0, true);
    verify_close(&v);
}

/* heat of the residual at the start (nt) */
static void heat_of(const verify *v, double *r) {
    gos_work *w = NULL;
    double *all = calloc((size_t)v->sys->n + 1, sizeof *all);
    assert_non_null(all);
    verify_good(v, gos__work_create(v->ctx, v->sys, &w));
    const gos_point_of at = {.scale = 1, .q = v->state->q, .th = v->state->th};
    const gos_residual out = gos__residual_of(v->sys, all);
    verify_good(v, gos__residual(w, &at, &out, NULL));
    memcpy(r, out.th, (size_t)v->sys->nt * sizeof *r);
    gos__work_destroy(v->ctx, w);
    free(all);
}

/* inputs of the linear model: what 1 W/m^2 more of sunlight (with its albedo), or of infrared, does
 * to the heat */
static void test_inputs(void **unused) {
    GOS_UNUSED(unused);
    enum { MOST = 100 };
    for (int k = 0; k < 2; k++) {
        verify v, more;
        gos_linear *l = NULL;
        double r[MOST], next[MOST], column[MOST] = {0}, worst = 0;
        verify_text(&v, lit, NULL);
        verify_text(&more, lit, k ? "i=241" : "f=101");
        assert_true(v.sys->nt <= MOST);
        heat_of(&v, r);
        heat_of(&more, next);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
        assert_string_equal(gos_linear_input(l, k).name, k ? "s.2" : "s");
        const gos_sparse *B = &l->block[GOS_BLOCK_B_T];
        for (int e = B->p[k]; e < B->p[k + 1]; e++) {
            column[B->i[e]] = B->x[e];
        }
        for (int i = 0; i < v.sys->nt; i++) {
            worst = fmax(worst, fabs(column[i] - (r[i] - next[i])));
        }
        verify_below(k ? "infrared, off [m^2]" : "sunlight, off [m^2]", worst, 1e-12);
        gos_linear_destroy(l);
        verify_close(&more);
        verify_close(&v);
    }
}

/* a boom along an orbit: its reduced model sees the same Sun and Earth */
static void test_reduced(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_system *reduced = NULL;
    double y[2][3], T[2];
    verify_text(&v,
                "parameters: {n: sqrt(3.986004418e14/7e6)/7e6}\n"
                "materials: {m: {density: 2700, young: 1.0e7, conductivity: 150, expansion: "
                "2.3e-5,\n"
                "                specific_heat: 900, absorptivity: 0.6, emissivity: 0.1}}\n"
                "sections: {o: {type: rectangle, height: 0.02, width: 0.02}}\n"
                "orbit: {semi_major_axis: 7e6, beta: 0.4, noon: -1.82}\n"
                "bodies: {b: {type: ancf_cable, material: m, section: o, from: [-5, 0, 0],\n"
                "             to: [5, 0, 0], elements: 6}}\n"
                "initial: {all: {angular_velocity: [0, 0, n]}}\n"
                "heat: {s: {type: sun, earth_infrared: 240, albedo: 0.3, on: b},\n"
                "       r: {type: radiation, sink: 3, on: b}}\n"
                "probes: {th: {at: b.end, quantity: orbit_coordinates},\n"
                "         T: {at: 'b.at(5)', quantity: temperature}}\n"
                "analysis: {end: 400, tolerance: 1.0e-4, temperature_range: 10}\n",
                NULL);
    reduce_as(v.sys,
              (gos_reduction_def){
                  .fields = GOS_FIELDS_MODES, .number = 12, .statics = 1, .tolerance = 1e-5});
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    gos_system *whole = v.sys;
    for (int i = 0; i < 2; i++) {
        verify_run(&v);
        verify_probe(&v, NULL, "th", y[i]);
        T[i] = verify_value(&v, NULL, "T.T");
        gos_integrator_destroy(v.run);
        gos_state_destroy(v.state);
        v.run = NULL;
        v.state = NULL;
        v.sys = reduced;
        if (i == 0) {
            verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
        }
    }
    v.sys = whole;
    gos_system_destroy(reduced);
    verify_within("temperature of the full model [K]", fabs(T[0]), 2, 200);
    verify_near("temperature, reduced against full [K]", T[1], T[0], 0.02 * fabs(T[0]));
    verify_below("tip, of 5 m [m]", verify_distance(y[1], y[0]), 5e-3);
    verify_close(&v);
}

static void refused(const char *orbit, const char *heat, const char *message) {
    char text[VERIFY_TEXT];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    snprintf(text, sizeof text, "%s%sheat: {s: {%s}}\n", PLATE, orbit, heat);
    char *probe = strstr(text, ", s: {quantity: sunlight}");
    memset(probe, ' ', strlen(", s: {quantity: sunlight}"));
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
    const char *const orbit = "orbit: {altitude: 4e5, beta: 0}\n";
    refused("", "type: sun, on: p", "or give the model an `orbit`");
    refused("orbit: {altitude: 4e5}\n", "type: sun, on: p", "does not define the Sun's direction");
    refused(orbit, "type: sun, on: p, eclipse: [[1, 2]]", "eclipses follow from the orbit");
    refused(orbit, "type: sun, on: p, penumbra: 8", "eclipses follow from the orbit");
    refused(orbit, "type: sun, on: p, direction: [1, 0, 0], albedo: 0.3", "remove direction");
    refused(orbit, "type: sun, on: p, earth_direction: [1, 0, 0]", "earth_direction has no effect");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shadow),        cmocka_unit_test(test_penumbra),
        cmocka_unit_test(test_earth),         cmocka_unit_test(test_balance),
        cmocka_unit_test(test_newton_matrix), cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_reduced),       cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
