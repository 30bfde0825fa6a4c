/* Mechanisms of light floating beams on hinges, whose frames have no inertia but that of the beams:
   their mass stays positive with all products of the shortening (`shortening_inertia`), with any
   reference condition; against ancf_beam. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/integrator.h"
#include "support/suite.h"
#include "support/turn_model.h"
#include "support/verify.h"
#include "system/derived.h"

#define LINKS(a, b)                                                                                \
    "materials: {s: {density: 2700, young: 7e10, poisson: 0.3, damping: {normal: 2e-5, shear: "    \
    "2e-5}}}\n"                                                                                    \
    "sections: {bar: {type: rectangle, height: 0.012, width: 0.03}}\n"                             \
    "bodies:\n"                                                                                    \
    "  a: {type: %s, material: s, section: bar, from: [0, 0, 0], to: " a ", elements: 6, normal: " \
    "[0, 0, 1]%s}\n"                                                                               \
    "  b: {type: %s, material: s, section: bar, from: " a ", to: " b ", elements: 6, normal: [0, " \
    "0, 1]%s}\n"

/* two links with motors that turn them against each other, and a mass */
static const char arm[] =
    LINKS("[0.8, 0, 0]", "[1.5, 0, 0]") "  p: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], "
                                        "position: [1.5, 0, 0]}\n"
                                        "joints:\n"
                                        "  i: {type: revolute, between: [ground, a.start], axis: "
                                        "[0, 0, 1]}\n"
                                        "  j: {type: revolute, between: [a.end, b.start], axis: "
                                        "[0, 0, 1]}\n"
                                        "  c: {type: clamp, between: [b.end, p]}\n"
                                        "  m: {type: motor, between: [ground, a.start], axis: [0, "
                                        "0, 1], moment: 20*sin(3*t)}\n"
                                        "  n: {type: motor, between: [a.end, b.start], axis: [0, "
                                        "0, 1], moment: -10*sin(5*t)}\n"
                                        "probes: {tip: {at: p, quantity: position}}\n"
                                        "analysis: {end: 0.42, tolerance: 1e-5}\n";

/* a crank and a rod that drive a slider */
static const char crank[] =
    LINKS("[0.12, 0.16, 0]", "[0.7, 0, 0]") "  p: {type: rigid, mass: 0.3, inertia: [1e-3, 1e-3, "
                                            "1e-3], position: [0.7, 0, 0]}\n"
                                            "joints:\n"
                                            "  i: {type: revolute, between: [ground, a.start], "
                                            "axis: [0, 0, 1]}\n"
                                            "  j: {type: revolute, between: [a.end, b.start], "
                                            "axis: [0, 0, 1]}\n"
                                            "  k: {type: revolute, between: [b.end, p], axis: [0, "
                                            "0, 1]}\n"
                                            "  l: {type: prismatic, between: [ground, p], axis: "
                                            "[1, 0, 0]}\n"
                                            "  m: {type: motor, between: [ground, a.start], axis: "
                                            "[0, 0, 1], moment: 3}\n"
                                            "probes: {tip: {at: p, quantity: position}}\n"
                                            "analysis: {end: 0.3, tolerance: 1e-5}\n";

/* where the mass is at the end, in axes of the model [m] */
static void end_of(const char *text, const char *type, const char *how, bool moved, double x[3]) {
    static const double none[3] = {0, 0, 0}, by[3] = {0.7, -1.1, 0.4};
    const char *const part[] = {"tip.x", "tip.y", "tip.z"};
    char model[3000];
    double R[9], y[3];
    verify v = {.ctx = gos_ctx_create()};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(model, sizeof model, text, type, how, type, how);
#pragma GCC diagnostic pop
    verify_good(&v, gos_model_parse(v.ctx, model, strlen(model), "test.yaml", NULL, &v.model));
    turn_model(&v, moved ? by : none, moved ? 1e3 : 1, moved ? 1e-3 : 1);
    verify_compile(&v);
    verify_run(&v);
    for (int c = 0; c < 3; c++) {
        y[c] = verify_value(&v, NULL, part[c]) / (moved ? 1e3 : 1);
    }
    turn_rotation(moved ? by : none, R);
    for (int c = 0; c < 3; c++) {
        x[c] = 0;
        for (int d = 0; d < 3; d++) {
            double e[3] = {d == 0, d == 1, d == 2}, turned[3];
            turn_times(R, e, turned);
            x[d] = turned[0] * y[0] + turned[1] * y[1] + turned[2] * y[2];
        }
    }
    verify_close(&v);
}

static void check(const char *text, double bound) {
    static const char *const how[] = {", reference: chord", ", reference: clamped",
                                      ", reference: mean_axis", ", reference: chord"};
    double want[3], got[3];
    end_of(text, "ancf_beam", "", false, want);
    for (int i = 0; i < GOS_COUNT(how); i++) {
        print_message("%s%s\n", how[i], i == 3 ? ", turned, in mm" : "");
        end_of(text, "floating_beam", how[i], i == 3, got);
        verify_below("from ancf_beam [m]", verify_distance(got, want), bound);
    }
}

/* With the inertia of first order alone the frame clamped to the start of a link stops at 0.39
   s. */
static void test_arm(void **state) {
    (void)state;
    check(arm, 2e-5);
}

static void test_crank(void **state) {
    (void)state;
    check(crank, 1e-5);
}

/* a link on a ball joint or a hinge, of which nothing but its own mass resists a turn of the frame
 */
static const char link_text[] =
    "materials: {s: {density: 2700, young: 7e10, poisson: 0.3}}\n"
    "sections: {bar: {type: rectangle, height: 0.012, width: 0.03}}\n"
    "bodies: {a: {type: floating_beam, material: s, section: bar, from: [0, 0, 0],\n"
    "  to: [0.6, 0, 0], elements: 8, normal: [0, 0, 1], shortening_inertia: whole}}\n"
    "joints: {i: {type: spherical, between: [ground, a.start]}}\n"
    "analysis: {end: 1}\n";

/* Bends the link to v = c (x - x^2/(2 L)) + d L sin(3 pi x / L) / (3 pi) along y and a third of it
 * along z; amplitudes of a node are displacements, then rotations. */
static void bend(verify *v, double c, double d, double x0, double scale) {
    const gos_floating *f = &v->sys->derived->body[0];
    const double L = 0.6 * scale;
    assert_int_equal(f->n, 6 * 8);
    for (int k = 0; k < f->n; k++) {
        const double x = L * (k / 6 + 1) / 8, w = 3 * M_PI / L;
        const double slope = c * (1 - x / L) + d * cos(w * x) - x0;
        const double place = c * (x - x * x / (2 * L)) + d * sin(w * x) / w - x0 * x;
        const double z[6] = {0, place, place / 3, 0, -slope / 3, slope};
        v->state->q[f->z[k]] = z[k % 6];
    }
}

/* The mass of a light link whose frame is clamped to its start stays positive up to rotations of
 * 0.2 rad. Without the products of the shortening with the displacements across the link it is
 * negative where these oppose a turn of the frame. */
static void test_positive(void **state) {
    (void)state;
    static const double shape[][2] = {{0.05, 0}, {0.2, 0}, {-0.2, 0}, {0.1, 0.05}, {-0.1, 0.1}};
    static const double axes[] = {0.7, -1.1, 0.4}, none[] = {0, 0, 0};
    for (int i = 0; i < 2 * GOS_COUNT(shape); i++) {
        const bool moved = i % 2;
        verify v = {.ctx = gos_ctx_create()};
        gos_work *w;
        verify_good(&v,
                    gos_model_parse(v.ctx, link_text, strlen(link_text), "test", NULL, &v.model));
        turn_model(&v, moved ? axes : none, moved ? 1e3 : 1, moved ? 1e-3 : 1);
        verify_compile(&v);
        bend(&v, shape[i / 2][0], shape[i / 2][1], shape[i / 2][0] + shape[i / 2][1],
             moved ? 1e3 : 1);
        verify_good(&v, gos__work_create(v.ctx, v.sys, &w));
        assert_null(gos__derived_indefinite(v.ctx, w, v.state->q));
        gos__work_destroy(v.ctx, w);
        verify_close(&v);
    }
}

/* The first step of radau is so short that pivots of the constraints are 1e-15 of those of the
 * mass: four elements in links of a fifth of the stiffness. */
static void test_start(void **state) {
    (void)state;
    char model[3000];
    verify v;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(model, sizeof model, crank, "floating_beam", ", reference: clamped",
                   "floating_beam", ", reference: clamped");
#pragma GCC diagnostic pop
    verify_text(&v, model,
                "bodies.a.elements=4 bodies.b.elements=4 materials.s.young=2e10 "
                "analysis.integrator=radau analysis.end=0.4 analysis.error_check=never");
    verify_start(&v);
    for (int i = 0; i < 20; i++) {
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
    }
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arm), cmocka_unit_test(test_crank),
                                       cmocka_unit_test(test_positive),
                                       cmocka_unit_test(test_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
