/* A double pendulum of stiff beams, let go from rest by error control: the motion, the energy and
   the force of the shoulder against a run with a tenth of the tolerance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "math/vec3.h"
#include "support/suite.h"
#include "support/turn_model.h"

enum { TIMES = 50 };

typedef struct answers {
    double tip[TIMES][3], force[TIMES][3];
    double energy; // largest open balance, of the energy of the fall
} answers;

/* turned by r and in mm, t, s if `turned`; answers in the axes and units of the model as it is */
static void fall(const char *settings, bool turned, const double r[3], answers *a, double *tol) {
    const double length = turned ? 1000 : 1, mass = turned ? 1e-3 : 1;
    double R[9], most = 0;
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v,
                gos_model_read(v.ctx, GOS_SOURCE_DIR "/tests/verify/models/double-pendulum.yaml",
                               &v.model));
    verify_set(&v, settings);
    if (turned) {
        turn_model(&v, r, length, mass);
    }
    verify_compile(&v);
    verify_start(&v);
    turn_rotation(r, R);
    a->energy = 0;
    for (int k = 0; k < TIMES; k++) {
        const gos_state *x = verify_at(&v, v.opt.end * (k + 1) / TIMES);
        double y[2][GOS_PROBE_MAX];
        gos_energy e;
        verify_probe(&v, x, "tip", y[0]);
        verify_probe(&v, x, "force", y[1]);
        for (int c = 0; c < 3; c++) { // back: by the columns
            a->tip[k][c] = a->force[k][c] = 0;
            for (int j = 0; j < 3; j++) {
                const double f = turned ? R[3 * j + c] : j == c;
                a->tip[k][c] += f * y[0][j] / length;
                a->force[k][c] += f * y[1][j] / (mass * length);
            }
        }
        gos_system_energy(v.sys, x, &e);
        most = fmax(most, e.kinetic);
        a->energy = fmax(a->energy, fabs(e.balance));
    }
    a->energy /= most;
    *tol = v.opt.tolerance;
    gos_integrator_statistics(v.run, &v.stats);
    print_message("    tolerance %g: %ld steps, %ld rejected\n", *tol, v.stats.steps,
                  v.stats.rejected);
    verify_close(&v);
}

static double away(const double *a, const double *b) {
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* places relative to the extent, the force to the largest */
static void compare(const answers *a, const answers *fine, double extent, double tol) {
    double tip = 0, force = 0, largest = 0;
    for (int k = 0; k < TIMES; k++) {
        tip = fmax(tip, away(a->tip[k], fine->tip[k]));
        force = fmax(force, away(a->force[k], fine->force[k]));
        largest = fmax(largest, gos__norm3(fine->force[k]));
    }
    verify_below("tip, tolerances", tip / extent / tol, 3);
    verify_below("force, of the largest", force / largest, 0.01);
    verify_below("energy, tolerances", a->energy / tol, 3);
}

static void as_it_is(void **state) {
    GOS_UNUSED(state);
    static const double none[3] = {0, 0, 0}, r[3] = {0.4, -0.9, 0.5};
    static answers fine, a;
    double tol;
    fall("analysis.tolerance=1e-5", false, none, &fine, &tol);
    fall(NULL, false, none, &a, &tol);
    compare(&a, &fine, 1, tol);
    fall(NULL, true, r, &a, &tol);
    compare(&a, &fine, 1, tol);
}

static void twice_as_long(void **state) {
    GOS_UNUSED(state);
    static const double none[3] = {0, 0, 0};
    static answers fine, a;
    double tol;
    fall("L=1 analysis.end=1 analysis.tolerance=1e-5", false, none, &fine, &tol);
    fall("L=1 analysis.end=1", false, none, &a, &tol);
    compare(&a, &fine, 2, tol);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_it_is), cmocka_unit_test(twice_as_long)};
    return cmocka_run_group_tests_name("double pendulum", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
