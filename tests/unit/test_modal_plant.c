/* Plants of modal data: against sums over modes, their static limits, and files of other
   programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "control/modal_file.h"
#include "support/context.h"
#include "support/folder.h"
#include "support/near_complex.h"
#include "support/suite.h"

static gos_modal modal;

enum { MODES = 5, CHANNELS = 4 };

static int setup(void **state) {
    GOS_UNUSED(state);
    static const double row[CHANNELS] = {1, -1, 0.4, -0.4};
    ctx = gos_ctx_create();
    if (!ctx || gos__modal_create(ctx, MODES, CHANNELS, &modal)) {
        return 1;
    }
    for (int i = 0; i < MODES; i++) {
        modal.omega[i] = 7 * (i + 1) * (i + 1);
        modal.zeta[i] = 0.01 * (i + 1);
        modal.phi[i] = i % 2 ? 0 : cos(i);
        for (int p = 0; p < CHANNELS; p++) { // channels 0 and 1, 2 and 3: two faces of a patch
            modal.Kup[p * MODES + i] = row[p] * (i + 1) * (p < 2 ? 1e-3 : 2e-3 - 7e-4 * i);
        }
    }
    for (int p = 0; p < CHANNELS; p++) {
        modal.capacitance[p] = 1e-7 * (p + 1);
    }
    return 0;
}

static int teardown(void **state) {
    GOS_UNUSED(state);
    gos__modal_free(ctx, &modal);
    gos_ctx_destroy(ctx);
    return 0;
}

static double complex pair(double re, double im) {
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* amplitude of mode i by its force */
static double complex mobility(int i, double w) {
    const double own = modal.omega[i];
    return 1 / (pair(own * own - w * w, 2 * modal.zeta[i] * own * w));
}

/* charges and acceleration by voltages and force are sums over the modes; a channel that is not
   driven has no charge of its own; what is left out appears in charges alone */
static void test_response(void **state) {
    GOS_UNUSED(state);
    const int drive[2] = {2, 0}, sense[2] = {0, 1};
    static const int few[2] = {0, 2};
    for (int kind = 0; kind < 3; kind++) {
        const gos_modal_part part = {.nmode = kind == 0 ? MODES : 2,
                                     .mode = kind == 0 ? NULL : few,
                                     .ndrive = 2,
                                     .drive = drive,
                                     .nsense = 2,
                                     .sense = sense,
                                     .residual = kind == 2};
        gos_plant p;
        need(gos__modal_plant(ctx, &modal, &part, &p));
        assert_int_equal(p.nu, 3);
        assert_int_equal(p.ny, 3);
        for (int f = 0; f < 4; f++) {
            const double w = f * 20;
            double H[18];
            need(gos__plant_response(ctx, &p, w, H));
            for (int j = 0; j < 3; j++) {
                double complex charge[2] = {0}, acceleration = 0;
                for (int i = 0; i < MODES; i++) {
                    const double push = j < 2 ? modal.Kup[drive[j] * MODES + i] : modal.phi[i];
                    const bool in = kind == 0 || i == 0 || i == 2;
                    const double complex z = in          ? push * mobility(i, w)
                                             : kind == 2 ? push * mobility(i, 0)
                                                         : 0;
                    for (int s = 0; s < 2; s++) {
                        charge[s] += modal.Kup[sense[s] * MODES + i] * z;
                    }
                    acceleration -= in ? w * w * modal.phi[i] * z : 0;
                }
                charge[0] += j == 1 ? modal.capacitance[0] : 0;
                for (int s = 0; s < 2; s++) {
                    near_complex_abs(pair(H[2 * (3 * j + s)], H[2 * (3 * j + s) + 1]), charge[s],
                                     1e-14);
                }
                near_complex_abs(pair(H[2 * (3 * j + 2)], H[2 * (3 * j + 2) + 1]), acceleration,
                                 1e-13);
            }
        }
        gos__plant_free(ctx, &p);
    }
}

/* a free structure stores more charge than a held one */
static void test_sign_of_charge(void **state) {
    GOS_UNUSED(state);
    const int one[1] = {3};
    gos_plant p;
    double H[8];
    need(gos__modal_plant(
        ctx, &modal,
        &(gos_modal_part){.nmode = MODES, .ndrive = 1, .drive = one, .nsense = 1, .sense = one},
        &p));
    need(gos__plant_response(ctx, &p, 0, H));
    assert_true(H[0] > modal.capacitance[3]);
    gos__plant_free(ctx, &p);
}

/* integrals of the three aims along a motion are what the weights say */
static void test_weights(void **state) {
    GOS_UNUSED(state);
    const int drive[2] = {1, 2}, mode[3] = {0, 2, 4};
    const gos_modal_part part = {.nmode = 3, .mode = mode, .ndrive = 2, .drive = drive};
    const double x[6] = {0.3, -1, 2, 0.7, 0.2, -0.9}, v[2] = {130, -40}, k_Q = 11;
    for (gos_modal_aim aim = GOS_AIM_DISPLACEMENT; aim <= GOS_AIM_ACCELERATION; aim++) {
        double Q[36], N[12], R[4], sum = 0, wanted = v[0] * v[0] + v[1] * v[1], a = 0;
        need(gos__modal_weights(ctx, &modal, &part, aim, k_Q, Q, N, R));
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                sum += x[i] * Q[6 * j + i] * x[j];
            }
            for (int k = 0; k < 2; k++) {
                sum += 2 * x[i] * N[6 * k + i] * v[k];
            }
        }
        for (int k = 0; k < 4; k++) {
            sum += v[k / 2] * R[k] * v[k % 2];
        }
        for (int i = 0; i < 3; i++) {
            const double w = modal.omega[mode[i]], phi = modal.phi[mode[i]];
            const double amplitude = aim == GOS_AIM_VELOCITY ? x[3 + i] : x[i];
            a += phi * (-w * w * x[i] - 2 * modal.zeta[mode[i]] * w * x[3 + i]);
            for (int k = 0; k < 2; k++) {
                a += phi * modal.Kup[drive[k] * MODES + mode[i]] * v[k];
            }
            wanted += aim == GOS_AIM_ACCELERATION ? 0 : k_Q * fabs(phi) * w * amplitude * amplitude;
        }
        wanted += aim == GOS_AIM_ACCELERATION ? k_Q * a * a : 0;
        near_complex_abs(sum / wanted, 1, 1e-13);
    }
}

static void test_intensities(void **state) {
    GOS_UNUSED(state);
    const int drive[2] = {1, 2}, sense[2] = {2, 3};
    const gos_modal_part part = {
        .nmode = 3, .ndrive = 2, .drive = drive, .nsense = 2, .sense = sense};
    double W[36], V[4];
    gos__modal_intensities(
        &modal, &part,
        &(gos_modal_noise){
            .force = 0.04, .floor = 1e-4, .charge = 3e-8, .capacitance = 0.05, .voltage = 2},
        W, V);
    near_complex_abs(W[3 * 6 + 3], 0.04 * modal.phi[0] * modal.phi[0] + 1e-4, 1e-17);
    near_complex_abs(W[5 * 6 + 3], 0.04 * modal.phi[0] * modal.phi[2], 1e-17);
    near_complex_abs(W[0], 0, 0);
    near_complex_abs(V[0], 9e-16 + 3e-8 * 3e-8, 1e-22); // 5 % of 3e-7 F at 2 V sqrt(s): 3e-8
    near_complex_abs(V[3], 9e-16, 1e-22);
    near_complex_abs(V[1], 0, 0);
}

static void test_moving_and_joined(void **state) {
    GOS_UNUSED(state);
    int mode[MODES], n;
    gos__modal_moving(&modal, 4, 1e-6, mode, &n);
    assert_int_equal(n, 2);
    assert_int_equal(mode[1], 2);
    const int group[CHANNELS] = {0, 0, -1, 1};
    double sign[CHANNELS];
    gos_modal joined;
    gos__modal_signs(&modal, n, mode, group, sign);
    assert_true(sign[0] == 1 && sign[1] == -1 && sign[3] == 1);
    need(gos__modal_join(ctx, &modal, 2, group, sign, &joined));
    near_complex_abs(joined.Kup[3], 2 * modal.Kup[3], 1e-18);
    near_complex_abs(joined.Kup[MODES + 2], modal.Kup[3 * MODES + 2], 0);
    near_complex_abs(joined.capacitance[0], 3e-7, 1e-20);
    near_complex_abs(joined.omega[4], modal.omega[4], 0);
    gos__modal_free(ctx, &joined);
    assert_int_equal(gos__modal_join(ctx, &modal, 1, group, sign, &joined), GOS_E_INPUT);
    gos__modal_free(ctx, &joined);
}

static void test_refusals(void **state) {
    GOS_UNUSED(state);
    const int bad[2] = {0, 4}, twice[2] = {1, 1}, good[1] = {0};
    const struct {
        gos_modal_part part;
        const char *says;
    } all[] = {
        {{.nmode = 6}, "only 5"},
        {{.nmode = 2, .mode = (int[]){0, 5}}, "mode 5"},
        {{.nmode = 1, .ndrive = 2, .drive = bad}, "driven channel 4"},
        {{.nmode = 1, .nsense = 2, .sense = twice}, "measured channel 1 is given twice"},
    };
    gos_plant p;
    for (int k = 0; k < GOS_COUNT(all); k++) {
        gos_ctx_clear(ctx);
        assert_int_equal(gos__modal_plant(ctx, &modal, &all[k].part, &p), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(ctx), all[k].says));
    }
    modal.omega[3] = 0;
    gos_ctx_clear(ctx);
    const gos_modal_part part = {.nmode = 1, .ndrive = 1, .drive = good};
    assert_int_equal(gos__modal_plant(ctx, &modal, &part, &p), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "positive frequencies"));
    modal.omega[3] = 7 * 16;
}

static void put(const char *name, const char *text) {
    FILE *f = fopen(folder_path(name), "w");
    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
}

static const char *const names[4] = {"freq_hz.csv", "phi_centre.csv", "Kup.csv", "capacitance.csv"};
static const char *const good_text[4] = {"# of a mesh of 10 x 14\nfreq_hz\n1.5\r\n\n 2\n",
                                         "0.5, -0.25\n", "1e-3;2e-3;3\n-1 -2\t-3",
                                         "a,b,c\n1e-7,2e-7,3e-7"};

static void test_files(void **state) {
    GOS_UNUSED(state);
    static const struct {
        int file;
        const char *text, *says;
    } wrong[] = {
        {0, "1.5\nzwei\n", "freq_hz.csv:2:1"},
        {0, "2\n\n1.5\n", "freq_hz.csv:3:1"},
        {0, "0\n1.5\n", "freq_hz.csv:1:1"},
        {0, "1,2\n3,4\n", "a single row or column"},
        {0, "# nothing\n", "no numbers"},
        {1, "0.5\n", "1 values for 2 modes"},
        {1, "0.5,nan\n", "phi_centre.csv:1:5"},
        {1, "0.5,1e999\n", "too large"},
        {2, "1,2,3\n4,5\n", "Kup.csv:2:1"},
        {2, "1,2,3\n", "one line per mode"},
        {2, "1,2,,3\n1,2,3\n", "Kup.csv:1:5"},
        {3, "1e-7,2e-7\n", "2 values for 3 columns"},
        {3, "1e-7,0,2e-7\n", "capacitances must be positive"},
    };
    gos_modal m;
    assert_int_equal(folder_make(NULL), 0);
    for (int k = -1; k < GOS_COUNT(wrong); k++) {
        for (int i = 0; i < 4; i++) {
            put(names[i], k >= 0 && wrong[k].file == i ? wrong[k].text : good_text[i]);
        }
        gos_ctx_clear(ctx);
        const gos_status status = gos__modal_read(ctx, folder, 0.01, (gos_loc){0}, NULL, &m);
        if (k >= 0) {
            assert_int_equal(status, GOS_E_INPUT);
            if (!strstr(gos_ctx_message(ctx), wrong[k].says)) {
                fail_msg("%s has not: %s", gos_ctx_message(ctx), wrong[k].says);
            }
            continue;
        }
        need(status);
        assert_int_equal(m.n, 2);
        assert_int_equal(m.np, 3);
        near_complex_abs(m.omega[1], 4 * M_PI, 1e-14);
        near_complex_abs(m.phi[1], -0.25, 0);
        near_complex_abs(m.Kup[2 * 2], 3, 0);
        near_complex_abs(m.Kup[1 * 2 + 1], -2, 0);
        near_complex_abs(m.capacitance[2], 3e-7, 0);
        near_complex_abs(m.zeta[0], 0.01, 0);
        gos__modal_free(ctx, &m);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(remove(folder_path(names[i])), 0);
    }
    gos_ctx_clear(ctx);
    assert_int_equal(
        gos__modal_read(ctx, folder, 0.01, (gos_loc){.file = "m.yaml", .line = 3}, "control", &m),
        GOS_E_FILE);
    assert_non_null(strstr(gos_ctx_message(ctx), "m.yaml:3"));
    assert_int_equal(folder_remove(NULL), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_response, context_clear),
        cmocka_unit_test_teardown(test_sign_of_charge, context_clear),
        cmocka_unit_test_teardown(test_weights, context_clear),
        cmocka_unit_test_teardown(test_intensities, context_clear),
        cmocka_unit_test_teardown(test_moving_and_joined, context_clear),
        cmocka_unit_test_teardown(test_refusals, context_clear),
        cmocka_unit_test_teardown(test_files, context_clear),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
SUITE_INTERNAL(suite)
