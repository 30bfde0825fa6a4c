/* The example satellite-attitude: a design on the reduced craft slews the whole one through a
 * sunrise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/controller.h"
#include "gossamer/io.h"
#include "support/suite.h"
#include "support/verify.h"

#define SLEW (30 * M_PI / 180)
#define COARSE "parameters.n_x=2 parameters.n_y=5 "

/* the model with the controller of its own design, or with that of another model */
static void open_craft(verify *v, const char *settings, const gos_model *designed) {
    *v = (verify){.ctx = gos_ctx_create()};
    assert_non_null(v->ctx);
    verify_good(v, gos_model_read(v->ctx, GOS_SOURCE_DIR "/examples/satellite-attitude/model.yaml",
                                  &v->model));
    verify_set(v, settings);
    if (designed) {
        const gos_control_law *law = gos_model_control_law_get(designed, "attitude");
        assert_non_null(law);
        verify_good(v, gos_model_control_law(v->ctx, v->model, "attitude", law));
    } else {
        verify_good(v, gos_model_read_controllers(v->ctx, v->model));
    }
    verify_compile(v);
}

/* It arrives, at rest, though the panels are bent by the sun on the way. Nothing acts from outside:
   what the craft turns by, its wheel has in reverse; 515.2 kg m^2 is its moment of inertia
   (`gossamer modes`), and panels move against it. */
static void test_slew(void **state) {
    GOS_UNUSED(state);
    verify v;
    double y[GOS_PROBE_MAX], shade;
    open_craft(&v, "floating_bodies=reduced", NULL);
    verify_start(&v);
    const gos_state *x = verify_at(&v, 38);
    shade = verify_value(&v, x, "tip_right.z");
    verify_near("rate in the middle [rad/s]", verify_value(&v, x, "rate.x"),
                SLEW / 60 * (1 - cos(2 * M_PI * 28 / 60)), 2e-4);
    x = verify_at(&v, 44);
    verify_within("sunlight bends the panel down [m]", shade - verify_value(&v, x, "tip_right.z"),
                  0.05, 0.3);
    verify_below("off the course while it does [rad]",
                 fabs(verify_value(&v, x, "angle.x") -
                      SLEW * (34.0 / 60 - sin(2 * M_PI * 34 / 60) / (2 * M_PI))),
                 5e-3);
    x = verify_at(&v, 119);
    verify_near("angle [rad]", verify_value(&v, x, "angle.x"), SLEW, 1e-5);
    verify_below("rate [rad/s]", fabs(verify_value(&v, x, "rate.x")), 1e-5);
    verify_probe(&v, x, "wheel_x", y);
    verify_below("momentum of the wheel [N m s]", fabs(y[1]), 1e-2);
    verify_probe(&v, x, "energy", y);
    verify_below("balance of energy [J]", fabs(y[6]), 1e-3);
    verify_close(&v);
}

/* Until 60 s: the law of the reduced craft on the whole one, whose amplitudes and temperatures are
   those of the mesh, is what it is on the reduced one. */
static void test_carried_over(void **state) {
    GOS_UNUSED(state);
    verify reduced, whole;
    open_craft(&reduced, COARSE "floating_bodies=reduced", NULL);
    open_craft(&whole, COARSE "floating_bodies=whole", reduced.model);
    assert_true(whole.sys->n > 3 * reduced.sys->n);
    verify_start(&reduced);
    verify_start(&whole);
    double angle = 0, tip = 0;
    for (double t = 15; t < 60; t += 5) {
        const gos_state *a = verify_at(&whole, t), *b = verify_at(&reduced, t);
        angle = fmax(
            angle, fabs(verify_value(&whole, a, "angle.x") - verify_value(&reduced, b, "angle.x")));
        tip = fmax(tip, fabs(verify_value(&whole, a, "tip_right.z") -
                             verify_value(&reduced, b, "tip_right.z")));
    }
    verify_below("angle, reduced from whole [rad]", angle, 1e-6);
    verify_below("tip, reduced from whole [m]", tip, 1e-6);
    verify_close(&reduced);
    verify_close(&whole);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slew),
        cmocka_unit_test(test_carried_over),
    };
    return cmocka_run_group_tests_name("satellite attitude", tests, NULL, NULL);
}
SUITE(suite)
