/* Method auto on a craft of rods, plates and rigid bodies: fields from modes, errors as predicted,
   other loads than those it was made for. Bounds are the tolerance, 3 mm for the worst node of S0
   and 1e-3 K; points and coordinates are those of /docs/reduction.md with some room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/io.h"
#include "rom/auto_choice.h"
#include "support/satellite_rom.h"
#include "support/reduced.h"
#include "support/suite.h"

static void chosen(void **state) {
    (void)state;
    satellite_check("t_end=3", 1e-4, 4.5e-3, 1e-3, 300);
}

/* Warnings of errors so far; notes count 0. Whether reducing pays depends on measured times. */
static int warnings(const gos_ctx *ctx) {
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        n += d->count > 0 && !strstr(d->text, "not worth reducing");
    }
    return n;
}

/* made for the first second of S0, run with other torques: warned of, body by body, or within twice
   the tolerance; run with what it was made for: no warning. The small torques leave an error within
   the tolerance and bend a panel by a third more than it was bent in training, which is reported */
static void elsewhere(void **state) {
    (void)state;
    static const char *const settings[] = {
        "t_end=1", "t_end=1 spin=0.1 torque_a=500 torque_b=500",
        "t_end=1 torque_a=-5000 torque_b=-5000 spin=0 torque_tilt=500"};
    const double tol = 1e-4;
    verify trained;
    gos_system *few;
    verify_example(&trained, "dumbbell-satellite", settings[0]);
    reduce_as(trained.sys, (gos_reduction_def){.statics = 1, .tolerance = tol});
    verify_good(&trained, gos_reduce_auto(trained.ctx, trained.sys, &few));
    for (int k = 0; k < 3; k++) {
        verify v;
        gos_system *moved;
        verify_example(&v, "dumbbell-satellite", settings[k]);
        verify_good(&v, gos__rom_make(v.ctx, v.sys, &few->rom->def, few->rom, NULL, &moved));
        gos_options o = v.opt;
        o.tolerance = SATELLITE_FINE * tol;
        gos_trial_runs full = satellite_track(&v, v.sys, &o);
        gos_options_get(moved, &o);
        gos_trial_runs there = satellite_track(&v, moved, &o);
        const double d = gos__trial_runs_distance(v.sys, &there, &full).position;
        verify_good(&v, gos_run(v.ctx, moved, &o, NULL, NULL));
        const int told = warnings(v.ctx);
        print_message("  %s: %.3g, %d warnings\n", settings[k], d, told);
        assert_true(told > 0 || d <= 2 * tol);
        assert_true(k == 1 || (k == 2) == (told > 0));
        gos__trial_runs_free(v.ctx, &full);
        gos__trial_runs_free(v.ctx, &there);
        gos_system_destroy(moved);
        verify_close(&v);
    }
    gos_system_destroy(few);
    verify_close(&trained);
}

/* one rod by itself keeps polynomials; a plate, or a truss, does not */
static void fields(void **state) {
    (void)state;
    static const char *const example[] = {"thermal-pendulum", "boley-beam", "dumbbell-satellite"};
    for (int k = 0; k < 3; k++) {
        verify v;
        bool modes;
        verify_example(&v, example[k], NULL);
        reduce_as(v.sys, (gos_reduction_def){.fields = GOS_FIELDS_POLYNOMIALS, .tolerance = 1e-3});
        verify_good(&v, gos__auto_requires_modes(v.ctx, v.sys, &modes));
        assert_int_equal(modes, k == 2);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen),
        cmocka_unit_test(elsewhere),
        cmocka_unit_test(fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
