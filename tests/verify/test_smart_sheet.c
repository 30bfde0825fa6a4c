/* The smart sheet of Heckmann, Arnold and Vaculin (2005), from mesh to closed loop: modes, patches,
   regulator, choice of patches, observer, limited voltages, the same controller on a plant with
   more modes, and designs that hold there. Definitions and figures: theory of multifield elements,
   sections 4 and 5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/near.h"
#include "support/smart_sheet.h"
#include "support/suite.h"

enum { MOST = 100, ORBITS = 35, COARSE = 60 };

static gos_ctx *ctx;
static gos_modal s;
static gos_orbits orbits;
static int every[SHEET_PATCHES];

static int setup(void **state) {
    GOS_UNUSED(state);
    ctx = gos_ctx_create();
    s = sheet_modal(ctx, MOST);
    for (int i = 0; i < SHEET_PATCHES; i++) {
        every[i] = i;
    }
    return gos__orbits_equal(ctx, &s, 14, 1e-7, &orbits);
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__orbits_free(ctx, &orbits);
    gos__modal_free(ctx, &s);
    gos_ctx_destroy(ctx);
    return 0;
}

/* 1.140 to 21.24 Hz on this mesh; modes 1, 4, 7, 11 and 14 move the centre */
static void test_modes(void **state) {
    GOS_UNUSED(state);
    near_rel(s.omega[0] / (2 * M_PI), 1.140, 5e-4);
    near_rel(s.omega[13] / (2 * M_PI), 21.24, 5e-4);
    static const int moving[5] = {0, 3, 6, 10, 13};
    int mode[14], n;
    gos__modal_moving(&s, 14, 1e-5, mode, &n);
    assert_int_equal(n, 5);
    assert_memory_equal(mode, moving, sizeof moving);
    for (int m = 0; m < 14; m++) {
        assert_true(fabs(s.phi[m]) > 1e-3 || fabs(s.phi[m]) < 1e-6);
    }
}

static void frequencies_of(int nx, int ny, double f[14]) {
    sheet fine = {0};
    bool *held = sheet_make(&fine, nx, ny);
    fe_lowest(fine.ctx, &fine.body->K, &fine.M, held, 14, f, NULL);
    for (int m = 0; m < 14; m++) {
        f[m] = sqrt(f[m]) / (2 * M_PI);
    }
    free(held);
    sheet_release(&fine);
}

/* A mesh of 80 x 112, or two coarser ones and their limit, and what CalculiX says of 40 x 56 S8R
 * (its S4 locks on so thin a sheet) */
static void test_fine_mesh(void **state) {
    GOS_UNUSED(state);
    static const double s8r[14] = {1.129923, 2.547504, 2.904120, 3.605341, 6.346193,
                                   7.226223, 7.820343, 10.04595, 12.61473, 13.16221,
                                   14.08964, 14.87390, 18.73612, 19.83637};
    double f[2][14];
    if (suite_long()) {
        frequencies_of(80, 112, f[0]);
        near_rel(f[0][0], 1.1306, 5e-5);
        near_rel(f[0][13], 19.865, 5e-5);
    } else { // elements are of second order: without what falls with it
        frequencies_of(15, 21, f[1]);
        frequencies_of(30, 42, f[0]);
        for (int m = 0; m < 14; m++) {
            f[0][m] = (4 * f[0][m] - f[1][m]) / 3;
        }
    }
    for (int m = 0; m < 14; m++) {
        print_message("    %.5f Hz, %.2e off\n", f[0][m], f[0][m] / s8r[m] - 1);
        near_rel(f[0][m], s8r[m], suite_long() ? 3e-3 : 1e-3);
    }
}

/* patches that are mirror images push every mode alike: in the plane on both faces, bending with
 * opposite signs */
static void test_symmetry(void **state) {
    GOS_UNUSED(state);
    double most = 0, x[SHEET_PATCHES][3];
    for (int p = 0; p < SHEET_PATCHES; p++) {
        for (int m = 0; m < COARSE; m++) {
            most = fmax(most, fabs(s.Kup[p * MOST + m]));
        }
        x[p][0] = p % SHEET_NX / 10.0;
        x[p][1] = p % SHEET_CELLS / SHEET_NX * 1.3 / 14;
        x[p][2] = p < SHEET_CELLS ? 6.5e-4 : -6.5e-4;
    }
    for (int p = 0; p < SHEET_PATCHES; p++) {
        for (int m = 0; m < 14; m++) {
            const double own = s.Kup[p * MOST + m];
            assert_true(fabs(own + s.Kup[(p + SHEET_CELLS) % SHEET_PATCHES * MOST + m]) <
                        1e-8 * most);
            assert_true(fabs(fabs(own) - fabs(s.Kup[orbits.first[orbits.of[p]] * MOST + m])) <
                        1e-8 * most);
        }
    }
    gos_orbits mirrored;
    fe_good(ctx, gos__orbits_mirrored(ctx, SHEET_PATCHES, (const double(*)[3])x, 1e-6, &mirrored));
    assert_int_equal(mirrored.n, ORBITS);
    assert_int_equal(orbits.n, ORBITS);
    for (int p = 0; p < SHEET_PATCHES; p++) {
        assert_int_equal(mirrored.of[p], orbits.of[p]);
        assert_int_equal(orbits.of[p], sheet_orbit(p));
    }
    gos__orbits_free(ctx, &mirrored);
}

static gos_saturated_response run(const gos_modal_design *d, int modes, double limit) {
    gos_loop l;
    gos_saturated_response c;
    const gos_saturated_options o = sheet_course(limit);
    fe_good(ctx, gos__modal_loop(ctx, &s, d, &s, modes, &l));
    fe_good(ctx, gos__saturated_run(ctx, &l, &o, &c));
    gos__loop_free(ctx, &l);
    return c;
}

static double abscissa(const gos_modal_design *d, int modes) {
    gos_loop l;
    gos_stability stability;
    fe_good(ctx, gos__modal_loop(ctx, &s, d, &s, modes, &l));
    fe_good(ctx, gos__loop_stability(ctx, &l, &stability, NULL));
    gos__loop_free(ctx, &l);
    return stability.abscissa;
}

/* the loop of a weight on the modes of the design */
static gos_status make(void *user, gos_ctx *mine, double k_Q, gos_loop *loop) {
    gos_modal_design d = *(const gos_modal_design *)user;
    d.k_Q = k_Q;
    return gos__modal_loop(mine, &s, &d, &s, d.part.nmode, loop);
}

static double find_weight(gos_modal_design *d) {
    const gos_saturated_options o = sheet_course(400);
    double weight;
    fe_good(ctx, gos__saturated_weight(ctx, make, d, &o, 400, 1e10, &weight));
    d->k_Q = weight;
    return weight;
}

/* without control 3.82 m/s^2 after the impact; with 24 patches and the observer 1.24 within 400 V,
   stable on the 14 modes of its design and not on 60 (spillover), nor with a capacitance 2 % too
   high in the observer */
static void test_published_design(void **state) {
    GOS_UNUSED(state);
    int chosen[24];
    double score[SHEET_PATCHES];
    gos_modal_design d = sheet_first_stage(every);
    near_rel(run(&d, 14, HUGE_VAL).command, 400, 1e-3);
    near_rel(find_weight(&d), SHEET_FIRST, 1e-3);
    sheet_choose(ctx, &s, &orbits, &d, score, chosen);
    for (int i = 0; i < SHEET_PATCHES; i++) {
        near_rel(score[i], score[orbits.first[orbits.of[i]]], 1e-5);
    }
    int chosen_orbits = 0;
    for (int i = 0; i < SHEET_PATCHES; i++) { // the best one is in the middle of the sheet
        assert_true(score[i] <= score[64] * (1 + 1e-6));
        chosen_orbits += i < 24 && orbits.of[chosen[i < 24 ? i : 0]] == orbits.of[64];
    }
    assert_int_equal(chosen_orbits, 8);
    d = sheet_second_stage(chosen);
    d.k_Q = 1e-6;
    near_rel(run(&d, 14, 400).rms, 3.82, 2e-3);
    d.k_Q = SHEET_SECOND;
    const gos_saturated_response c = run(&d, 14, 400);
    near_rel(c.command, 400, 1e-3);
    near_rel(c.rms, 1.24, 4e-3);
    near_rel(find_weight(&d), SHEET_SECOND, 1e-3);
    assert_true(abscissa(&d, 14) < -0.1);
    assert_true(abscissa(&d, 60) > 1);
    const double error[2] = {0.02, 0.05};
    double of_observer[2];
    fe_good(ctx, gos__capacitance_sweep(ctx, &s, &d, 14, true, 2, error, of_observer));
    assert_true(of_observer[0] > 0 && of_observer[1] > 0);
}

/* stable on 60 and 100 modes, for any capacitances of plant and observer */
static void check_robust(const gos_modal_design *d) {
    const double error[2] = {-0.05, 0.05};
    double sweep[2];
    for (int modes = COARSE; modes <= MOST; modes += MOST - COARSE) {
        for (int observer = 0; observer < 2; observer++) {
            fe_good(ctx, gos__capacitance_sweep(ctx, &s, d, modes, observer == 1, 2, error, sweep));
            assert_true(sweep[0] < -0.1 && sweep[1] < -0.1);
            near_rel(sweep[0], sweep[1], 1e-9);
        }
    }
}

/* driven above, measured below: no error of capacitance reaches the loop, which is stable with any
   number of modes. On 60 modes 10.97 m/s^2 are left without control; with as many patches as
   published (12 driven, 12 measured), with all places, and with what greed finds less than the 1.24
   of the published design on its own plant */
static void test_separate_electrodes(void **state) {
    GOS_UNUSED(state);
    sheet_rates r;
    sheet_make_rates(&orbits, 3, (const int[]){34, 33, 29}, 0, NULL, &r);
    assert_int_equal(r.design.part.ndrive, 12);
    near_rel(run(&r.design, COARSE, 400).rms, 10.97, 1e-3);
    r.design.gain = 6.4e6;
    gos_saturated_response c = run(&r.design, COARSE, 400);
    assert_true(c.rms < 1.24 && c.clipped > 0);
    near_rel(c.rms, 1.068, 3e-3);
    check_robust(&r.design);
    sheet_make_rates(&orbits, ORBITS, every, 6.4e6, NULL, &r);
    c = run(&r.design, COARSE, 400);
    near_rel(c.rms, 1.1639, 2e-3); // steps and tolerances five and a thousand times finer
    check_robust(&r.design);
    sheet_make_rates(&orbits, SHEET_GREEDY, sheet_greedy, SHEET_GREEDY_GAIN, sheet_greedy_factor,
                     &r);
    c = run(&r.design, COARSE, 400);
    print_message("    greed: %d driven, %.4f m/s^2, commands up to %.0f V\n", r.design.part.ndrive,
                  c.rms, c.command);
    assert_true(c.rms < 0.5);
    check_robust(&r.design);
}

/* greed by the cost of the published weight on the five modes that the impact moves, and all 6545
 * triples */
static void test_choices(void **state) {
    GOS_UNUSED(state);
    gos_orbit_cost c;
    int greedy[3], best[3];
    double of_greed, least;
    fe_good(ctx, gos__orbit_cost_create(ctx, &s, &orbits, 14, GOS_AIM_VELOCITY, 1e8, &c));
    assert_int_equal(c.nmode, 5);
    const gos_criterion quadratic = {.cost = gos__cost_quadratic, .user = &c};
    fe_good(ctx, gos__select_greedy(ctx, &orbits, &quadratic, 3, greedy, &of_greed));
    fe_good(ctx, gos__select_exhaustive(ctx, &orbits, &quadratic, 3, 2, best, &least));
    assert_true(least <= of_greed * (1 + 1e-9));
    assert_true(least > 0.9 * of_greed);
    // with limited voltages the same three orbits, or better ones
    const gos_criterion limited = {.cost = gos__cost_limited, .user = &c};
    double of_best, of_limited;
    c.run = sheet_course(400);
    c.run.tolerance = 1e-2;
    fe_good(ctx, gos__cost_limited(&c, ctx, 3, best, &of_best));
    fe_good(ctx, gos__select_greedy(ctx, &orbits, &limited, 3, greedy, &of_limited));
    assert_true(of_limited < of_best * 1.05);
    gos__orbit_cost_free(ctx, &c);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_fine_mesh),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_published_design),
        cmocka_unit_test(test_separate_electrodes),
        cmocka_unit_test(test_choices),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
