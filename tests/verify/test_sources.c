/* Reduced models with heat that comes in at a place: smooth functions along a body hold no peak, so
   each source brings its own. Against the full model, in time, and against the closed form at
   rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/reduce.h"
#include "rom/auto.h"
#include "support/suite.h"
#include "support/turned.h"
#include "support/verify.h"
#include "support/reduced.h"

/* a swinging rod with a heater; `two` hangs another one with a heater of its own below it */
static const char swing[] =
    "parameters: {" TURNED_PARAMETERS ", n: 16, cond: 1, w: 50}\n"
    "materials: {m: {density: 2000*rho, young: 1e8*Pa, conductivity: cond*Nm/mm,\n"
    "  specific_heat: 200*mm^2, expansion: 1e-5, damping: {normal: 4.5e-3}}}\n"
    "sections: {bar: {type: rectangle, height: 0.01*mm, width: 0.02*mm}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0],\n"
    "    to: " TURNED("1.2*mm", "0",
                      "0") ", elements: n}\n"
                           "%s"
                           "joints:\n"
                           "  pin: {type: spherical, between: [ground, rod.start]}\n"
                           "%s"
                           "gravity: " TURNED(
                               "0", "-9.81*mm",
                               "0") "\n"
                                    "heat: {h: {type: heat_flow, value: w*Nm, on: rod.node(7)}%s}\n"
                                    "probes:\n"
                                    "  T: {at: rod.node(7), quantity: temperature}\n"
                                    "  far: {at: rod.end, quantity: temperature}\n"
                                    "  N: {at: rod.node(7), quantity: section_force}\n"
                                    "analysis: {type: dynamic, end: 0.4, tolerance: 1e-4}\n"
                                    "output: {every: 0.02}\n";

static void open_swing(verify *v, int way, const char *more) {
    const turned t = way == 1 ? turned_by(0.4, 1.1, -0.7, true) : turned_by(0, 0, 0, false);
    static const char second[] = "  two: {type: ancf_cable, material: m, section: bar, "
                                 "from: [1.2, 0, 0], to: [1.8, 0, 0]}\n";
    static const char tie[] = "  tie: {type: tie, between: [rod.end, two.start]}\n";
    static const char *const other[] = {second, tie,
                                        ", k: {type: heat_flow, value: -w/2, on: two.node(3)}"};
    char settings[2000], text[8000];
    (void)snprintf(text, sizeof text, swing, way == 2 ? other[0] : "", way == 2 ? other[1] : "",
                   way == 2 ? other[2] : "");
    turned_settings(&t, more, settings, sizeof settings);
    verify_text(v, text, settings);
    reduce_as(v->sys, (gos_reduction_def){.statics = 1, .tolerance = 1e-3});
}

static gos_trial_runs run_of(verify *v, const gos_system *sys, double tolerance) {
    gos_trial_runs k;
    gos_options o;
    gos_options_get(sys, &o);
    o.tolerance = tolerance > 0 ? tolerance : o.tolerance;
    verify_good(v, gos__trial_runs_create(v->ctx, v->sys, &o, &k));
    verify_good(v, gos__trial_runs_run(v->ctx, sys, &o, &k, NULL, NULL));
    assert_false(k.failed);
    return k;
}

static bool says(const verify *v, const char *what) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        if (strstr(gos_ctx_diag(v->ctx, i)->text, what)) {
            return true;
        }
    }
    return false;
}

/* chosen for 1e-3: every temperature is within that of its range, for any material conducts */
static void heaters(void **state) {
    (void)state;
    static const char *const more[] = {"cond=1", "cond=400"};
    for (int i = 0; i < 6; i++) {
        verify v;
        gos_system *made;
        open_swing(&v, i / 2, more[i % 2]);
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
        gos_trial_runs full = run_of(&v, v.sys, 1e-5), less = run_of(&v, made, 0);
        const gos_distance d = gos__trial_runs_distance(v.sys, &less, &full);
        double most = 0;
        for (int k = 0; k < full.samples * full.n; k++) {
            most = fmax(most, fabs(full.T[k]));
        }
        print_message("  way %d %s: peak %.4g K, %d temperatures of %d, position %.2g, temperature "
                      "%.2g (predicted %.2g)\n",
                      i / 2, more[i % 2], most, made->nt, v.sys->nt, d.position, d.temperature,
                      made->rom->chosen.predicted_temperature);
        assert_false(says(&v, "does not cover 'N'"));
        assert_true(most > 1);
        assert_true(d.position < 1e-3);
        assert_true(d.temperature < 1e-3);
        assert_true(2 * made->nt < v.sys->nt);
        gos__trial_runs_free(v.ctx, &full);
        gos__trial_runs_free(v.ctx, &less);
        gos_system_destroy(made);
        verify_close(&v);
    }
}

/* both ends held at 0 K: the heater at the fraction x of the length warms itself by P L x (1 - x) /
 * (k A) */
static const char held[] =
    "parameters: {n: 16, L: 1.2}\n"
    "materials: {m: {density: 2000, young: 1e8, conductivity: 20, specific_heat: 200, expansion: "
    "1e-6}}\n"
    "sections: {bar: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], to: [L, 0, 0], "
    "elements: n}}\n"
    "joints: {wall: {type: clamp, between: [ground, rod.start]}}\n"
    "heat:\n"
    "  h: {type: heat_flow, value: 2, on: rod.node(12)}\n"
    "  a: {type: temperature, value: 0, on: rod.start}\n"
    "  b: {type: temperature, value: 0, on: rod.end}\n"
    "analysis: {type: static}\n";

static void at_rest(void **state) {
    (void)state;
    static const char *const length[] = {"L=1.2", "L=2.4"};
    for (int i = 0; i < 4; i++) {
        verify v;
        gos_system *made;
        verify_text(&v, held, length[i / 2]);
        reduce_as(v.sys,
                  (gos_reduction_def){.fields = i % 2 ? GOS_FIELDS_MODES : GOS_FIELDS_POLYNOMIALS,
                                      .on_mesh = 1,
                                      .number = 6,
                                      .thermal_fields = 3,
                                      .statics = 1});
        verify_good(&v, gos_reduce(v.ctx, v.sys, &made));
        gos_trial_runs k = run_of(&v, made, 0);
        const double L = i / 2 ? 2.4 : 1.2, right = 2 * L * 0.75 * 0.25 / (20 * 0.01 * 0.02);
        const double T = k.T[12];
        print_message("  %s: %.9g K, right %.9g K\n", length[i / 2], T, right);
        assert_true(fabs(T / right - 1) < 1e-6);
        gos__trial_runs_free(v.ctx, &k);
        gos_system_destroy(made);
        verify_close(&v);
    }
}

/* a thermal pendulum, chosen for a tolerance: mean temperatures and gradients within it, or it is
 * reported that they are not */
static void pendulum(const char *more, double tol, int fields) {
    verify v;
    gos_system *made;
    verify_example(&v, "thermal-pendulum", more);
    reduce_as(v.sys, (gos_reduction_def){.statics = 1, .tolerance = tol, .fields = fields});
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
    gos_trial_runs full = run_of(&v, v.sys, 1e-2 * tol), less = run_of(&v, made, 0);
    const gos_distance d = gos__trial_runs_distance(v.sys, &less, &full);
    const gos_reduction *r = &made->rom->chosen;
    const bool told = says(&v, "cannot be kept");
    print_message("  %s tol %g%s: position %.2g, temperature %.2g, gradient %.2g (predicted "
                  "%.2g); %d functions, %d fields, %d of %d points, %d runs %.2f s%s\n",
                  more, tol, fields ? ", modes" : "", d.position, d.temperature, d.gradient,
                  r->predicted_temperature, r->thermal_fields, r->number, r->points, r->all_points,
                  r->runs, r->time, told ? ", told" : "");
    assert_true(d.position < tol && d.temperature < tol && d.gradient < tol);
    assert_true(r->predicted_temperature < tol && !told);
    assert_true(d.gradient < 1.25 * r->predicted_temperature);
    gos__trial_runs_free(v.ctx, &full);
    gos__trial_runs_free(v.ctx, &less);
    gos_system_destroy(made);
    verify_close(&v);
}

/* over the ranges of the parameters */
static void pendulums(void **state) {
    (void)state;
    static const char *const more[] = {
        "t_end=0.3",       "t_end=0.3 flux=5e4",     "t_end=0.3 k=20", "t_end=0.3 c=800",
        "t_end=0.3 L=0.8", "t_end=0.3 height=0.005", "t_end=0.3 E=3e8"};
    static const double tols[] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 3 * GOS_COUNT(more); i++) {
        pendulum(more[i / 3], tols[i % 3], GOS_FIELDS_POLYNOMIALS);
    }
    for (int i = 0; i < GOS_COUNT(more); i++) {
        pendulum(more[i], tols[0], GOS_FIELDS_MODES);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(heaters), cmocka_unit_test(at_rest),
                                       cmocka_unit_test(pendulums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
