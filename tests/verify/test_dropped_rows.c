/* `redundant: drop`: joints that say in part the same move as those that say it once, and how they
   share their reactions is undetermined, component by component. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "gossamer/reduce.h"
#include "support/suite.h"
#include "support/verify.h"
#include "constraints/dropped_rows.h"
#include "probes/probe.h"

/* a probe as the solver has it, undetermined or not */
static void solved(const verify *v, const gos_state *x, const char *name, double *y) {
    gos__probe_evaluate(v->sys, x, v->sys->probe[gos_system_probe_find(v->sys, name)], y);
}

static unsigned open_of(const verify *v, const char *name) {
    gos_probe_info info;
    gos_system_probe_info(v->sys, gos_system_probe_find(v->sys, name), &info);
    return info.undetermined;
}

static bool says(const verify *v, const char *text) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        if (strstr(gos_ctx_diag(v->ctx, i)->text, text)) {
            return true;
        }
    }
    return false;
}

/* ---- a linkage in a plane -------------------------------------------------------------------- */

/* a four-bar linkage whose normal is (tilt, 0, 1), cut at nothing: last joint D */
static const char linkage[] =
    "redundant: drop\n"
    "bodies:\n"
    "  crank: {type: rigid, mass: 0.1, inertia: [1e-5, 1e-4, 1e-4],\n"
    "    points: {a: [0, 0, 0], b: [0, 0.1, 0]}}\n"
    "  coupler: {type: rigid, mass: 0.3, inertia: [1e-4, 1e-3, 1e-3], position: [0, 0.1, 0],\n"
    "    points: {start: [0, 0, 0], end: [0.4, 0.2, 0]}}\n"
    "  rocker: {type: rigid, mass: 0.2, inertia: [1e-4, 1e-3, 1e-3], position: [0.4, 0, 0],\n"
    "    points: {d: [0, 0, 0], c: [0, 0.3, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, crank.a], axis: [0, 0, 1]}\n"
    "  B: {type: revolute, between: [crank.b, coupler.start], axis: [0, 0, 1]}\n"
    "  C: {type: revolute, between: [rocker.c, coupler.end], axis: [0, 0, 1]}\n"
    "  D: {%s}\n"
    "loads: {drive: {type: moment, on: crank, moment: [0, 0, 0.05]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "probes:\n"
    "  rocker: {at: rocker, quantity: angle, axis: [0, 0, 1]}\n"
    "  FA: {joint: A, quantity: joint_force}\n"
    "  MA: {joint: A, quantity: joint_moment}\n"
    "  FD: {joint: D, quantity: joint_force}\n"
    "  MD: {joint: D, quantity: joint_moment}\n"
    "analysis: {end: 1, tolerance: 1e-7}\n";

static void four_bar(void **state) {
    (void)state;
    static const char *const last[] = {
        "type: revolute, between: [ground, rocker.d], axis: [0, 0, 1]",
        "type: point_on_line, between: [rocker.d, ground], direction: [0, 0, 1]"};
    static const char *const reaction[] = {"FA", "MA", "FD", "MD"};
    verify v[2];
    char text[3000];
    double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX], angle = 0, force = 0, moment = 0;
    for (int k = 0; k < 2; k++) {
        (void)snprintf(text, sizeof text, linkage, last[k]);
        verify_text(&v[k], text, NULL);
        verify_start(&v[k]);
    }
    // 4 joints of 5 rows for 3 bodies with one freedom: 20 - 17
    assert_int_equal(v[0].sys->dropped->ndropped, 3);
    assert_null(v[1].sys->dropped);
    assert_int_equal(v[0].sys->nc, v[1].sys->nc);
    assert_true(says(&v[0], "3 of its 5 constraints are redundant and dropped"));
    assert_true(says(&v[0], "joint 'A', joint 'B', joint 'C', joint 'D'"));
    // along the axis, and moments across it; of a hinge the moment about its axis is zero
    for (int i = 0; i < 4; i++) {
        assert_int_equal(open_of(&v[0], reaction[i]), i % 2 ? 3 : 4);
        assert_int_equal(open_of(&v[1], reaction[i]), 0);
    }
    for (int k = 1; k <= 20; k++) {
        const gos_state *x = verify_at(&v[0], k / 20.0), *y = verify_at(&v[1], k / 20.0);
        verify_probe(&v[0], x, "rocker", a);
        verify_probe(&v[1], y, "rocker", b);
        angle = fmax(angle, fabs(a[0] - b[0]));
        for (int i = 0; i < 4; i++) {
            verify_probe(&v[0], x, reaction[i], a);
            verify_probe(&v[1], y, reaction[i], b);
            if (i % 2) {
                assert_true(isnan(a[0]) && isnan(a[1]));
                moment = fmax(moment, fabs(a[2] - b[2]));
            } else {
                assert_true(isnan(a[2]));
                const double side = i == 2 ? -1 : 1; // point_on_line has the ground as its second
                force = fmax(force, hypot(a[0] - side * b[0], a[1] - side * b[1]));
            }
        }
    }
    verify_below("angle of the rocker [rad]", angle, 1e-5);
    verify_below("forces of hinges in the plane [N]", force, 1e-3);
    verify_below("moments about the axes [N m]", moment, 1e-9);
    assert_false(says(&v[0], "are no longer redundant") || says(&v[0], "independent"));
    verify_close(&v[0]);
    verify_close(&v[1]);
}

/* ---- a door ---------------------------------------------------------------------------------- */

/* a door of mass m, its centre r from the hinge line, on two points h apart: across the line each
   holds m g r / h, along it the sum is m g and no part of it is known */
static const char door[] =
    "redundant: drop\n"
    "bodies:\n"
    "  door: {type: rigid, mass: 3, inertia: [1, 0.1, 1], position: [0.4, 0, 1],\n"
    "    points: {low: [-0.4, 0, -0.7], high: [-0.4, 0, 0.7]}}\n"
    "joints:\n"
    "  low: {type: spherical, between: [ground, door.low]}\n"
    "  high: {type: spherical, between: [ground, door.high]}\n"
    "gravity: [0, 0, -9.81]\n"
    "probes:\n"
    "  low: {joint: low, quantity: joint_force}\n"
    "  high: {joint: high, quantity: joint_force}\n"
    "  down: {joint: high, quantity: joint_force, direction: [0, 0, 1]}\n"
    "  out: {joint: high, quantity: joint_force, direction: [1, 0, 0]}\n"
    "analysis: {end: 0.1}\n";

static void two_hinges(void **state) {
    (void)state;
    verify v;
    double low[GOS_PROBE_MAX], high[GOS_PROBE_MAX];
    const double weight = 3 * 9.81, across = weight * 0.4 / 1.4;
    verify_text(&v, door, NULL);
    assert_int_equal(v.sys->dropped->ndropped, 1);
    assert_int_equal(open_of(&v, "low"), 4);
    assert_int_equal(open_of(&v, "high"), 4);
    assert_int_equal(open_of(&v, "down"), 1);
    assert_int_equal(open_of(&v, "out"), 0);
    verify_start(&v);
    const gos_state *x = verify_at(&v, 0.05);
    verify_probe(&v, x, "low", low);
    verify_probe(&v, x, "high", high);
    assert_true(isnan(low[2]) && isnan(high[2]));
    // what acts on the first side, the ground: the door leans on the lower point and pulls at the
    // upper one
    verify_near("low, across [N]", low[0], -across, 1e-6);
    verify_near("high, across [N]", high[0], across, 1e-6);
    solved(&v, x, "low", low);
    solved(&v, x, "high", high);
    verify_near("sum along the line [N]", low[2] + high[2], -weight, 1e-6);
    verify_close(&v);
}

/* hinges in place of points hold tilting, too: then nothing of their forces is known, and of the
   moments only that about the axis, which is zero */
static void two_revolutes(void **state) {
    (void)state;
    verify v;
    double m[GOS_PROBE_MAX];
    verify_text(&v, door,
                "joints.low.type=revolute joints.low.axis=[0,0,1] joints.high.type=revolute "
                "joints.high.axis=[0,0,1] probes.M.joint=low probes.M.quantity=joint_moment");
    assert_int_equal(v.sys->dropped->ndropped, 5);
    assert_int_equal(open_of(&v, "low"), 7);
    assert_int_equal(open_of(&v, "M"), 3);
    verify_start(&v);
    verify_probe(&v, verify_at(&v, 0.05), "M", m);
    verify_near("moment about the axis [N m]", m[2], 0, 1e-9);
    verify_close(&v);
}

/* ---- a motion that leaves what was dropped --------------------------------------------------- */

/* a pendulum whose bob lies in a plane at t = 0, tangent to its sphere: dependent there, and
 * nowhere else */
static const char tangent[] =
    "redundant: drop\n"
    "bodies:\n"
    "  arm: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0],\n"
    "    points: {pin: [-0.5, 0, 0], bob: [0.5, 0, 0]}}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, arm.pin]}\n"
    "  wall: {type: point_on_plane, between: [arm.bob, ground], normal: [1, 0, 0]}\n"
    "gravity: [0, 0, -9.81]\n"
    "probes: {F: {joint: wall, quantity: joint_force}, P: {joint: pin, quantity: joint_force}}\n"
    "analysis: {end: 0.5, tolerance: 1e-5}\n";

static void left(void **state) {
    (void)state;
    verify v;
    verify_text(&v, tangent, NULL);
    assert_int_equal(open_of(&v, "F"), 1);
    assert_int_equal(open_of(&v, "P"), 1);
    verify_start(&v);
    (void)verify_at(&v, 0.5);
    // cos(angle) - 1 of the bob after a while
    assert_true(says(&v, "are no longer redundant"));
    verify_close(&v);
}

/* a parallelogram: at phi = 0 it lies flat, one more of its equations depends on the others, and it
   may continue as a parallelogram or fold */
static const char parallelogram[] =
    "redundant: drop\n"
    "parameters: {phi: 0.5}\n"
    "bodies:\n"
    "  left: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], rotation_vector: [0, 0, phi],\n"
    "    points: {a: [0, 0, 0], b: [1, 0, 0]}}\n"
    "  right: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], rotation_vector: [0, 0, phi],\n"
    "    position: [2, 0, 0], points: {a: [0, 0, 0], b: [1, 0, 0]}}\n"
    "  bar: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [cos(phi), sin(phi), 0],\n"
    "    points: {a: [0, 0, 0], b: [2, 0, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground, left.a], axis: [0, 0, 1]}\n"
    "  B: {type: revolute, between: [left.b, bar.a], axis: [0, 0, 1]}\n"
    "  C: {type: revolute, between: [ground, right.a], axis: [0, 0, 1]}\n"
    "  D: {type: revolute, between: [right.b, bar.b], axis: [0, 0, 1]}\n"
    "probes: {F: {joint: A, quantity: joint_force}}\n"
    "analysis: {end: 0.1}\n";

static void singular(void **state) {
    (void)state;
    static const char *const settings[] = {"phi=0.5", "phi=0"};
    static const char *const word[] = {
        "1 more constraints of joints are dependent",
        "1 constraints that were dropped at t = 0 are no longer redundant"};
    verify v[2];
    for (int i = 0; i < 2; i++) {
        verify_text(&v[i], parallelogram, settings[i]);
        assert_int_equal(v[i].sys->dropped->ndropped, 3 + i);
    }
    for (int i = 0; i < 2; i++) {
        gos_dropped_reported told = {0};
        verify_good(&v[i], gos__dropped_check(v[i].ctx, v[i].sys, v[i].state, &told));
        assert_false(told.rank || told.violated || told.shared);
        told = (gos_dropped_reported){0};
        memcpy(v[i].state->q, v[1 - i].sys->e0, (size_t)v[i].sys->nq * sizeof(double));
        verify_good(&v[i], gos__dropped_check(v[i].ctx, v[i].sys, v[i].state, &told));
        assert_true(told.rank && !told.violated);
        assert_true(says(&v[i], word[i]));
    }
    // flat, the forces along the bars share in the fourth way
    assert_int_equal(open_of(&v[0], "F"), 4);
    assert_int_equal(open_of(&v[1], "F"), 5);
    verify_close(&v[0]);
    verify_close(&v[1]);
}

/* a row that prescribes a motion cannot be left out */
static void drives_stay(void **state) {
    (void)state;
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, door, strlen(door), "test", NULL, &v.model));
    verify_set(&v, "joints.high.type=driven joints.high.displacement=[0,0,0.1*t]");
    assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "1 of its 3 constraints are redundant"));
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bar), cmocka_unit_test(two_hinges), cmocka_unit_test(two_revolutes),
        cmocka_unit_test(left),     cmocka_unit_test(singular),   cmocka_unit_test(drives_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
