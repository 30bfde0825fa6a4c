/* Five bending vectors for the arm on a hub whose forces grow in 0.5 s, 1 % damping: better than
 * published. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/history.h"
#include "support/suite.h"
#include "support/verify.h"

#define TIMES 1000

static const char *const tip[] = {"tip.y"};

/* deflection of the tip every 0.01 s */
static void follow(int coupling, int omega0, const char *more, double u2[TIMES]) {
    char set[300];
    verify v;
    snprintf(set, sizeof set, "ramp=0.5 zeta=0.01 analysis.step=1e-3 coupling=%d omega0=%d %s",
             coupling, omega0, more);
    verify_example(&v, "hub-beam", set);
    history_record(&v, 0.01, TIMES, 1, tip, u2);
    verify_close(&v);
}

/* The published claim asks 25 modes for 1e-5. Values of tests/reference/hub-beam-better.csv,
   `loaded` 5; without the loads of `state` 4.8e-6 at 2 rad/s (hub-beam-bases.csv), and without the
   acceleration of the origin, which is 0.1 m from the axle, 7.3e-6. Steps are the same in both
   runs, and what they miss cancels in the difference but for 3 % (with 2, 1 and 0.5 ms, Newton's
   iteration to 1e-3 of its tolerance: 0.93, 0.977, 1.024 of the reference at 2 rad/s). Two vectors
   more tell the error. */
static void few_vectors(void **state) {
    GOS_UNUSED(state);
    static const double want[2][2] = {{2.62e-7, 1.40e-7}, {7.37e-7, 8.74e-7}};
    static double full[TIMES], five[TIMES], seven[TIMES], at_rest[TIMES];
    for (int c = 0; c < 2; c++) {
        for (int w = 1; w <= 2; w++) {
            if (!suite_long() && w != c + 1) {
                continue; // each order once: 1 rad/s of zeroth, 2 rad/s of first
            }
            print_message("    order of the coupling %d, %d rad/s\n", c, w);
            follow(c, w, "", full);
            follow(c, w, "floating_bodies=reduced", five);
            const double missed = history_rms(TIMES, five, full);
            verify_below("five vectors miss", missed, 1e-6);
            verify_near("of the reference", missed / want[c][w - 1], 1, 0.03);
            follow(c, w, "floating_bodies=reduced bodies.arm.reduce.order=7", seven);
            verify_near("told by seven", history_rms(TIMES, five, seven) / missed, 1, 0.2);
            if (c == 1 && w == 2) {
                follow(c, w, "floating_bodies=reduced bodies.arm.reduce.state=[0*end.x]", at_rest);
                verify_near("vectors of the beam at rest",
                            history_rms(TIMES, at_rest, full) / 4.82e-6, 1, 0.1);
            }
        }
    }
}

#define EARLY 50 // times of the first half second

/* deflection in it; the forces set in at once */
static void follow_early(const char *more, bool corrected, double u2[EARLY]) {
    verify v = {.ctx = gos_ctx_create()};
    assert_non_null(v.ctx);
    verify_good(&v,
                gos_model_read(v.ctx, GOS_SOURCE_DIR "/examples/hub-beam/model.yaml", &v.model));
    verify_set(&v, "zeta=0.01 t_end=0.5");
    verify_set(&v, more);
    if (corrected) {
        verify_good(&v, gos_model_set(v.ctx, v.model, "bodies.arm.reduce.frame_motions",
                                      "[\"euler.z + r0*acceleration.y\"]"));
    }
    verify_compile(&v);
    history_record(&v, 0.01, EARLY, 1, tip, u2);
    verify_close(&v);
}

/* A sudden force rings in modes that six vectors do not have: corrected by twelve modes, and the
   deflection by what is left of the loads, they miss 260 times less. Modes that the vectors contain
   are no part of that deflection (with them it is 2.5e-4). */
static void sudden(void **state) {
    GOS_UNUSED(state);
    static double full[EARLY], six[EARLY];
    follow_early("analysis.step=2e-5", false, full);
    follow_early("analysis.step=1e-4 floating_bodies=reduced bodies.arm.reduce.order=6 "
                 "bodies.arm.reduce.correction=12 bodies.arm.reduce.frame_inertia=[J_H]",
                 true, six);
    verify_below("six vectors and twelve modes that follow miss", history_rms(EARLY, six, full),
                 4e-6);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_vectors), cmocka_unit_test(sudden)};
    return cmocka_run_group_tests_name("few vectors", tests, NULL, NULL);
}
SUITE(suite)
