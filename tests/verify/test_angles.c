/* Angles in the records of runs continue beyond half turns, also when a run is resumed, and angular
   velocities come in the axes of bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "gossamer/io.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/turn_model.h"

/* 7 rad/s about an axis; so far the whole way is known */
static const char spinning[] =
    "parameters: {w: 7}\n"
    "bodies:\n"
    "  top: {type: rigid, mass: 2, inertia: [0.3, 0.3, 0.5], angular_velocity: [0, 0, w]}\n"
    "probes:\n"
    "  angle: {at: top, quantity: angle}\n"
    "  rotation: {at: top, quantity: rotation_vector}\n"
    "analysis: {type: dynamic, end: 4, step: 5.0e-3}\n";

/* all rows of a file against angle = w t, and rates against w */
static long check_rows(const char *path, double w, double tol) {
    gos_ctx *ctx = gos_ctx_create();
    gos_results *run;
    gos_results_info info;
    assert_int_equal(gos_results_open(ctx, path, &run), GOS_OK);
    gos_results_info_get(run, &info);
    const double *t = gos_results_time(run), *y[2], *rate[2];
    double worst = 0, worst_rate = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gos_results_probe(run, i, &y[i], &rate[i]), GOS_OK);
    }
    for (long k = 0; k < info.nrows; k++) {
        const double turned = w * t[k], scale = 1 + fabs(turned);
        worst = fmax(worst, fabs(y[0][k] - turned) / scale);
        worst = fmax(worst, fabs(y[1][3 * k + 2] - turned) / scale);
        worst = fmax(worst, (fabs(y[1][3 * k]) + fabs(y[1][3 * k + 1])) / scale);
        worst_rate = fmax(worst_rate, fabs(rate[0][k] - w));
        worst_rate = fmax(worst_rate, fabs(rate[1][3 * k + 2] - w));
    }
    print_message("    %ld rows up to %.4g turns\n", info.nrows,
                  w * t[info.nrows - 1] / (2 * M_PI));
    verify_below("angle and rotation vector", worst, tol);
    verify_below("their rates", worst_rate, 100 * tol);
    const long rows = info.nrows;
    gos_results_close(run);
    gos_ctx_destroy(ctx);
    return rows;
}

static void test_unwrapped(void **state) {
    GOS_UNUSED(state);
    static const char turned[] =
        "bodies.top.rotation_vector=[0.4,0.2,2] bodies.top.inertia=[0.3,0.3,0.3]";
    static const char *const settings[] = {"w=7", "w=-7", turned};
    for (int i = 0; i < 3; i++) {
        verify v;
        verify_text(&v, spinning, settings[i]);
        verify_good(&v, gos_run(v.ctx, v.sys, &v.opt, folder_path("spin.h5"), NULL));
        verify_close(&v);
        (void)check_rows(folder_path("spin.h5"), i == 1 ? -7 : 7, 1e-3);
    }
}

static int stop(void *user, double fraction, double seconds, const char *text) {
    GOS_UNUSED(user);
    GOS_UNUSED(fraction);
    GOS_UNUSED(seconds);
    GOS_UNUSED(text);
    return 1; // the first time it is asked
}

/* Interrupted far beyond a turn and resumed: angles continue where they were. */
static void test_resumed(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, spinning, "analysis.end=1e4");
    gos_ctx_set_progress(v.ctx, stop, NULL);
    assert_int_equal(gos_run(v.ctx, v.sys, &v.opt, folder_path("part.h5"), NULL),
                     GOS_E_INTERRUPTED);
    const long before = check_rows(folder_path("part.h5"), 7, 1e-2);
    gos_ctx_clear(v.ctx);
    assert_int_equal(gos_resume(v.ctx, v.sys, folder_path("part.h5"), NULL), GOS_E_INTERRUPTED);
    assert_true(check_rows(folder_path("part.h5"), 7, 1e-2) > before);
    verify_close(&v);
}

/* Euler's equations of a symmetric body without moments: in its own axes the angular velocity goes
   round the axis of symmetry at (I3 - I1)/I1 w3, whatever its attitude at the start. */
static void test_body_axes(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "bodies:\n"
        "  top: {type: rigid, mass: 2, inertia: [0.3, 0.3, 0.5]}\n"
        "  still: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
        "probes:\n"
        "  own: {at: top, quantity: angular_velocity, frame: top}\n"
        "  third: {at: top, quantity: angular_velocity, frame: top, direction: [0, 0, 1]}\n"
        "  space: {at: top, quantity: angular_velocity}\n"
        "  seen: {at: top, quantity: angular_velocity, frame: still}\n"
        "analysis: {type: dynamic, end: 2, tolerance: 1.0e-7}\n";
    static const double attitude[3] = {0.4, -0.3, 1.2}, own[3] = {0.8, 0, 3};
    double R[9], w[3], y[3], z[3];
    char setting[200];
    verify v = {.ctx = gos_ctx_create()};
    turn_rotation(attitude, R);
    turn_times(R, own, w);
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
    verify_set(&v,
               "bodies.top.rotation_vector=[0.4,-0.3,1.2] bodies.still.rotation_vector=[0,0,0.5]");
    (void)snprintf(setting, sizeof setting, "[%.17g, %.17g, %.17g]", w[0], w[1], w[2]);
    verify_good(&v, gos_model_set(v.ctx, v.model, "bodies.top.angular_velocity", setting));
    verify_compile(&v);
    verify_start(&v);
    const double rate = (0.5 - 0.3) / 0.3 * own[2];
    for (int k = 1; k <= 4; k++) {
        const double t = 0.5 * k;
        const gos_state *x = verify_at(&v, t);
        verify_probe(&v, x, "own", y);
        verify_near("first", y[0], own[0] * cos(rate * t), 1e-4);
        verify_near("second", y[1], own[0] * sin(rate * t), 1e-4);
        verify_near("third", y[2], own[2], 1e-4);
        verify_near("third alone", verify_value(&v, x, "third.value"), y[2], 1e-12);
        verify_probe(&v, x, "space", z);
        verify_near("size", z[0] * z[0] + z[1] * z[1] + z[2] * z[2],
                    y[0] * y[0] + y[1] * y[1] + y[2] * y[2], 1e-9);
        verify_probe(&v, x, "seen", y);
        verify_near("seen from a body turned about z", y[0], cos(0.5) * z[0] + sin(0.5) * z[1],
                    1e-6);
        verify_near("seen from a body turned about z", y[1], cos(0.5) * z[1] - sin(0.5) * z[0],
                    1e-6);
    }
    verify_close(&v);
}

/* A place on a beam: the axes of its section. */
static void test_section_axes(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "materials: {steel: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {bar: {type: rectangle, height: 0.02, width: 0.04}}\n"
        "bodies:\n"
        "  rod: {type: ancf_beam, material: steel, section: bar, from: [-1, 0, 0], to: [1, 0, 0],\n"
        "        normal: [0, 0, 1], elements: 4}\n"
        "initial: {all: {angular_velocity: [0, 0, 2]}}\n"
        "probes:\n"
        "  own: {at: rod.start, quantity: angular_velocity, frame: rod}\n"
        "  space: {at: rod.start, quantity: angular_velocity}\n"
        "analysis: {type: dynamic, end: 1, tolerance: 1.0e-5}\n";
    verify v;
    double y[3], z[3];
    verify_text(&v, text, NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "own", y);
    verify_probe(&v, NULL, "space", z);
    verify_near("about z", z[2], 2, 2e-3);
    verify_near("about the normal of the section", y[0], 0, 2e-3);
    verify_near("about local y", y[1], 0, 2e-3);
    verify_near("about local z", y[2], z[2], 1e-9);
    verify_close(&v);
}

/* Other frames than rigid bodies are refused as before. */
static void test_refused(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "materials: {steel: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
        "sections: {bar: {type: rectangle, height: 0.02, width: 0.04}}\n"
        "bodies:\n"
        "  rod: {type: ancf_beam, material: steel, section: bar, from: [-1, 0, 0], to: [1, 0, 0]}\n"
        "  top: {type: rigid, mass: 2, inertia: [1, 1, 1]}\n"
        "probes: {own: {at: top, quantity: angular_velocity, frame: rod}}\n"
        "analysis: {type: dynamic, end: 1}\n";
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model;
    gos_system *sys = NULL;
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &model), GOS_OK);
    assert_true(gos_system_create(ctx, model, &sys) < 0);
    assert_non_null(strstr(gos_ctx_message(ctx), "frame must be a body with axes"));
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unwrapped), cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_body_axes), cmocka_unit_test(test_section_axes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("angles", tests, folder_make, folder_remove);
}
SUITE(suite)
