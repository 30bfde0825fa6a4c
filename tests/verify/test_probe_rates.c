/* Rates of probes in closed form, in axes that turn, too: against values of states that are moved a
   little along their motion. And all probes read at once, as runs do, against each alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"
#include "probes/probe.h"

static const char model[] =
    "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3, conductivity: 1, specific_heat: "
    "100, expansion: 1.0e-4}}\n"
    "meshes: {sheet: {type: rectangle, size: [1, 0.4], cells: [4, 2],\n"
    "                 sets: {tip: {of: nodes, near: [1, 0, 0]}}}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 10, inertia: [3, 4, 5], angular_velocity: [0.5, -0.8, 1.1],\n"
    "        velocity: [0.2, -0.1, 0.3]}\n"
    "  sheet: {type: floating, mesh: sheet, material: m, element: shell, thickness: 0.02,\n"
    "          reference: clamped, at: left, position: [0.3, 0, 0], zeta: 0.01}\n"
    "joints: {root: {type: clamp, between: [hub, sheet.frame]}}\n"
    "loads:\n"
    "  push: {type: force, on: sheet.tip, value: [0, 0, \"2*sin(9*t)\"]}\n"
    "  wheel: {type: wheel, on: hub, axis: [0.6, 0, 0.8], inertia: 0.3, moment: \"2*cos(3*t)\"}\n"
    "probes:\n"
    "  place: {at: sheet.tip, quantity: position}\n"
    "  bent: {at: sheet.tip, quantity: displacement, frame: sheet}\n"
    "  seen: {at: sheet.tip, quantity: position, frame: hub}\n"
    "  along: {at: sheet.tip, quantity: displacement, direction: [0.6, 0, 0.8]}\n"
    "  v: {at: sheet.tip, quantity: velocity}\n"
    "  v_seen: {at: sheet.tip, quantity: velocity, frame: hub}\n"
    "  turning: {at: hub, quantity: angular_velocity}\n"
    "  turning_seen: {at: hub, quantity: angular_velocity, frame: hub}\n"
    "  attitude: {at: hub, quantity: rotation_vector}\n"
    "  angle: {at: hub, quantity: angle, axis: [0.6, 0, 0.8]}\n"
    "  wheel: {quantity: wheel, load: wheel}\n"
    "  tip: {at: sheet.tip, quantity: temperature}\n"
    "  E: {quantity: energy}\n"
    "heat: {warm: {type: flux, on: sheet, value: 500}}\n"
    "analysis: {end: 0.3, step: 0.002}\n";

/* q + dt v + dt^2 a / 2, and so on */
static void move(const verify *v, const gos_state *x, double dt, gos_state *to) {
    verify_good(v, gos_state_copy(to, x));
    to->t += dt;
    for (int i = 0; i < v->sys->nq; i++) {
        to->q[i] += dt * (x->v[i] + 0.5 * dt * x->a[i]);
        to->v[i] += dt * x->a[i];
    }
    for (int i = 0; i < v->sys->nt; i++) {
        to->th[i] += dt * x->thd[i];
    }
}

static void check(verify *v, const gos_state *x, const char *name) {
    const double dt = 2e-6;
    const int i = gos_system_probe_find(v->sys, name);
    double y[GOS_PROBE_MAX], rate[GOS_PROBE_MAX], side[2][GOS_PROBE_MAX], size = 0, worst = 0;
    gos_probe_info info;
    gos_state *moved;
    gos_system_probe_info(v->sys, i, &info);
    verify_good(v, gos_state_create(v->ctx, v->sys, &moved));
    verify_good(v, gos_system_probe(v->ctx, v->sys, x, i, y, rate));
    for (int k = 0; k < 2; k++) {
        move(v, x, k ? dt : -dt, moved);
        verify_good(v, gos_system_probe(v->ctx, v->sys, moved, i, side[k], NULL));
    }
    for (int c = 0; c < info.ncomp; c++) {
        const double want = (side[1][c] - side[0][c]) / (2 * dt);
        size = fmax(size, fabs(want));
        worst = fmax(worst, fabs(rate[c] - want));
    }
    gos_state_destroy(moved);
    print_message("    %s\n", name);
    assert_true(size > 1e-4); // it moves
    verify_below("error of the rate, relative", worst / size, 1e-7);
}

static void test_rates(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, model, NULL);
    verify_start(&v);
    const gos_state *x = verify_at(&v, 0.2);
    static const char *const names[] = {"place",    "bent",   "seen",    "along",
                                        "v",        "v_seen", "turning", "turning_seen",
                                        "attitude", "angle",  "wheel",   "tip"};
    for (int i = 0; i < GOS_COUNT(names); i++) {
        check(&v, x, names[i]);
    }
    verify_close(&v);
}

/* Rotation vectors and angles of a body that has turned by little, by nearly half a turn about each
   axis, and by nearly a whole one: they come from other quotients each time. */
static void test_turned(void **state) {
    GOS_UNUSED(state);
    static const double turn[][3] = {{1e-9, 0, 0},    {1e-3, -2e-3, 1e-3}, {3.1, 0.1, -0.2},
                                     {0.1, 3.1, 0.3}, {0.1, 0, -3.1},      {2, -2, 1},
                                     {0, 0, 5.9}};
    for (int i = 0; i < GOS_COUNT(turn); i++) {
        verify v;
        char text[700];
        (void)gos__format(text, sizeof text,
                          "bodies: {hub: {type: rigid, mass: 1, inertia: [1, 2, 3],\n"
                          "               angular_velocity: [%g, %g, %g]}}\n"
                          "loads: {push: {type: moment, on: hub, moment: [0.3, 1, -0.2]}}\n"
                          "probes:\n"
                          "  attitude: {at: hub, quantity: rotation_vector}\n"
                          "  angle: {at: hub, quantity: angle, axis: [0.6, 0, 0.8]}\n"
                          "analysis: {end: 0.3, step: 0.002}\n",
                          turn[i][0] / 0.2, turn[i][1] / 0.2, turn[i][2] / 0.2);
        verify_text(&v, text, NULL);
        verify_start(&v);
        const gos_state *x = verify_at(&v, 0.2);
        check(&v, x, "attitude");
        check(&v, x, "angle");
        verify_close(&v);
    }
}

/* the same digits, though made vectors are found once for all of them */
static void test_at_once(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_probe_sampler *sampler = NULL;
    double value[200], rate[200], y[GOS_PROBE_MAX], yd[GOS_PROBE_MAX];
    verify_text(&v, model, NULL);
    verify_start(&v);
    const gos_state *x = verify_at(&v, 0.1);
    verify_good(&v, gos__sampler_create(v.ctx, v.sys, &sampler));
    gos__sampler_read(sampler, x, value, rate);
    for (int i = 0, at = 0; i < v.sys->nprobe; at += v.sys->probe[i]->ncomp, i++) {
        const size_t size = (size_t)v.sys->probe[i]->ncomp * sizeof *y;
        verify_good(&v, gos_system_probe(v.ctx, v.sys, x, i, y, yd));
        assert_memory_equal(y, value + at, size);
        assert_memory_equal(yd, rate + at, size);
    }
    gos__sampler_destroy(sampler);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_at_once),
    };
    return cmocka_run_group_tests_name("rates of probes", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
