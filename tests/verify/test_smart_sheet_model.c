/* The example smart-sheet: both stages of the published control designed from its model file.
   Figures: theory of multifield elements, section 5, and verify_smart_sheet, which has them from
   finite elements without a system. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/control.h"
#include "gossamer/io.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/verify.h"

enum { CHOSEN = 24, PATCHES = 280 };

static void open_file(verify *v, const char *file, const char *settings) {
    char path[400];
    *v = (verify){.ctx = gos_ctx_create()};
    (void)snprintf(path, sizeof path, GOS_SOURCE_DIR "/examples/smart-sheet/%s", file);
    verify_good(v, gos_model_read(v->ctx, path, &v->model));
    verify_set(v, settings);
}

typedef gos_status maker(gos_ctx *ctx, gos_model *model, const char *name, gos_design **design);

static gos_design *design_by(maker *make, verify *v, const char *name, const char *settings,
                             gos_design_report *report) {
    gos_design *d = NULL;
    open_file(v, "model.yaml", settings);
    verify_good(v, make(v->ctx, v->model, name, &d));
    gos_design_get(d, report);
    return d;
}

static gos_design *design(verify *v, const char *name, const char *settings,
                          gos_design_report *report) {
    return design_by(gos_design_model, v, name, settings, report);
}

static void release(verify *v, gos_design *d) {
    gos_design_destroy(d);
    verify_close(v);
}

/* the patches that the first stage takes are those that the second one drives and measures, however
 * many there are to be */
static void test_choice(void **state) {
    GOS_UNUSED(state);
    static const struct {
        int count;
        const char *first, *second;
    } stage[] = {{CHOSEN, NULL, "k_Q=1.87946e9"}, {8, "patches=8", "patches=8"}};
    for (int k = 0; k < (suite_long() ? 2 : 1); k++) {
        verify v, w;
        gos_design_report r, s;
        int n, m, found = 0;
        gos_design *first = design(&v, "choose", stage[k].first, &r),
                   *second = design(&w, "calm", stage[k].second, &s);
        near_rel(r.choose_k_Q, 1.9524e11, 0.01);
        near_rel(s.choose_k_Q, 1.9524e11, 0.01);
        assert_int_equal(r.candidates, PATCHES);
        assert_int_equal(r.inputs, stage[k].count);
        assert_int_equal(s.inputs, stage[k].count);
        assert_null(gos_design_law(first));
        const gos_design_input *all = gos_design_inputs(first, &n),
                               *again = gos_design_inputs(second, &m);
        const gos_control_law *law = gos_design_law(second);
        assert_int_equal(n, PATCHES);
        assert_int_equal(m, PATCHES);
        assert_int_equal(law->nu, stage[k].count);
        assert_int_equal(law->ny, stage[k].count);
        for (int i = 0; i < n; i++) {
            char charge[40];
            (void)snprintf(charge, sizeof charge, "%s.charge", all[i].name);
            assert_true(again[i].chosen == all[i].chosen);
            if (all[i].chosen) {
                assert_string_equal(law->input[found], all[i].name);
                assert_string_equal(law->signal[found++], charge);
            }
        }
        assert_int_equal(found, stage[k].count);
        release(&v, first);
        release(&w, second);
    }
}

/* stable on its own modes, unstable on 60, which is reported; with a capacitance 2 % off unstable
 * on its own */
static void test_published(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_design_report r;
    int n;
    gos_design *d = design_by(gos_design_show, &v, "calm", "plant_modes=60", &r);
    near_rel(r.k_Q, 1.87946e9, 0.01);
    assert_true(r.abscissa < -0.1 && r.plant_abscissa > 1);
    const char *none;
    const gos_design_history *course = gos_design_histories(d, &n, &none);
    assert_int_equal(n, 4);
    near_rel(course[0].rms, 3.82, 2e-3); // theory of multifield elements, and the runs below
    near_rel(course[1].rms, 1.2414, 2e-3);
    near_rel(course[1].command, 400, 1e-3);
    assert_true(course[3].rms > 100 && course[3].clipped > 0.5 &&
                !course[3].failure);       // driven to the limit for good
    assert_int_equal(course[1].ninput, 3); // of three orbits
    assert_int_equal(r.plant_modes, 60);
    bool told = false, spoilt = false;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        told = told || strstr(gos_ctx_diag(v.ctx, i)->text, "unstable with the plant of 60 modes");
    }
    assert_true(told);
    const gos_design_error *e = gos_design_errors(d, &n);
    for (int i = 0; i < n; i++) {
        spoilt = spoilt || (e[i].kind == GOS_ERROR_FEEDTHROUGH && fabs(e[i].error) == 0.02 &&
                            e[i].abscissa > 0);
    }
    assert_true(spoilt);
    const gos_control_law *law = gos_design_law(d);
    assert_int_equal(law->n, 28);
    assert_int_equal(law->ny, CHOSEN);
    assert_true(law->limit[0] == 400);
    assert_string_equal(law->signal[0], "patch(25).charge");
    release(&v, d);
}

/* theory 4.4: an observer with v_0 = 3e-6 bears 60 modes */
static void test_slow(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_design_report r;
    gos_design *d = design(&v, "calm", "k_Q=1.87946e9 noise=3e-6 plant_modes=60", &r);
    assert_true(r.abscissa < -0.1 && r.plant_abscissa < -0.1);
    release(&v, d);
}

/* The run of the model: RMS of 3 s behind the impact, 3.82 m/s^2 without control, 1.24 with it on
   14 modes, within 400 V. With control the short form ends at 0.6 s: what comes later adds less
   than 0.5 % to the mean of 3 s. */
static void course(const char *file, const char *settings, double end, double *rms,
                   double *voltage) {
    verify v;
    open_file(&v, file, settings);
    verify_good(&v, gos_model_read_controllers(v.ctx, v.model));
    verify_compile(&v);
    verify_start(&v);
    const double begin = 0.1105, every = 1e-3;
    double sum = 0;
    *voltage = 0;
    for (double t = begin; t < end; t += every) {
        const gos_state *x = verify_at(&v, t);
        const double a = verify_value(&v, x, "centre_acceleration.value");
        sum += a * a;
        *voltage = fmax(*voltage, fabs(verify_value(&v, x, "voltage_65.value")));
    }
    *rms = sqrt(sum * every / (3 - begin));
    verify_close(&v);
}

static void test_course(void **state) {
    GOS_UNUSED(state);
    double rms, voltage;
    if (suite_long()) { // test_published has the same from the plain modal plant
        course("model.yaml", "plant_modes=14 controllers={}", 3, &rms, &voltage);
        near_rel(rms, 3.82, 0.005);
        assert_true(voltage == 0);
    }
    course("model.yaml", "plant_modes=14", suite_long() ? 3 : 0.6, &rms, &voltage);
    near_rel(rms, 1.24, 0.01);
    assert_true(voltage > 100 && voltage <= 400 * (1 + 1e-9));
}

/* patches that measure at 0 V: 12 + 12 do better than the published 24 on the same 14 modes, with
   any capacitance; the plain modal plant of the design gives 0.866 */
static void test_sensors(void **state) {
    GOS_UNUSED(state);
    double rms[2], voltage;
    verify v;
    gos_design *d = NULL;
    gos_design_report r;
    int n;
    const char *none;
    open_file(&v, "sensors.yaml", NULL);
    verify_good(&v, gos_design_show(v.ctx, v.model, NULL, &d));
    gos_design_get(d, &r);
    assert_int_equal(r.inputs, 12);
    assert_true(r.abscissa < -0.1);
    const double wanted = gos_design_histories(d, &n, &none)[1].rms;
    near_rel(wanted, 0.866, 2e-3);
    const gos_design_error *e = gos_design_errors(d, &n);
    for (int i = 0; i < n; i++) {
        assert_true(e[i].kind != GOS_ERROR_FEEDTHROUGH);
    }
    release(&v, d);
    for (int k = !suite_long(); k < 2; k++) { // the short form runs with the error alone
        course("sensors.yaml", k ? "capacitance_error=0.05" : NULL, suite_long() ? 3 : 0.6, &rms[k],
               &voltage);
        near_rel(rms[k], wanted, 0.02);
        assert_true(voltage > 300 && voltage <= 400 * (1 + 1e-9));
    }
    if (suite_long()) {
        near_rel(rms[1], rms[0], 1e-9);
    }
}

/* ---- rates.yaml ------------------------------------------------------------------------------ */

/* stable with any gains in the same proportion on 60 and 100 modes, each mode of the plant damped
 * at least as without control */
static void test_rates(void **state) {
    GOS_UNUSED(state);
    for (int k = !suite_long(); k < 2; k++) { // the run of test_rates_course has 60
        verify v;
        gos_design *d = NULL;
        gos_design_report r;
        int n;
        open_file(&v, "rates.yaml", k ? "plant_modes=100" : NULL);
        verify_good(&v, gos_design_model(v.ctx, v.model, "calm", &d));
        gos_design_get(d, &r);
        assert_int_equal(r.plant_modes, k ? 100 : 60);
        assert_true(r.plant_abscissa < -0.05 && r.unstable == 0);
        near_rel(r.disk, 2, 1e-6);
        const gos_design_mode *m = gos_design_modes(d, &n);
        assert_int_equal(n, r.plant_modes);
        for (int i = 0; i < n; i++) {
            assert_true(m[i].pole.re < 0);
        }
        const gos_design_error *e = gos_design_errors(d, &n);
        for (int i = 0; i < n; i++) {
            assert_true(e[i].plant_abscissa < 0);
        }
        release(&v, d);
    }
}

/* RMS behind an impact of any length from 9 to 11 ms, on 60 and on 100 modes: below the 1.24 m/s^2
   that the publication reaches on 14. The plain modal plant, whose limits are followed exactly,
   gives 1.012 (60 modes, 10 ms), 0.987 (100, 10 ms), 0.980 (100, 9 ms), 1.099 (60, 11 ms); without
   control 10.97, 12.14, 11.80, 11.51. The short form has one of them and ends at 0.4 s: what comes
   later adds 0.4 to 0.7 % to the mean of 3 s */
static void test_rates_course(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *settings;
        double after, rms;
    } run[] = {{"plant_modes=60", 0.11, 1.012},
               {"plant_modes=100", 0.11, 0.987},
               {"plant_modes=100 duration=0.009", 0.109, 0.980},
               {"plant_modes=60 duration=0.011", 0.111, 1.099}};
    const double end = suite_long() ? 3 - 2e-4 : 0.4;
    for (int k = 0; k < (suite_long() ? GOS_COUNT(run) : 1); k++) {
        verify v;
        double sum = 0, voltage = 0;
        open_file(&v, "rates.yaml", run[k].settings);
        verify_good(&v, gos_model_read_controllers(v.ctx, v.model));
        verify_compile(&v);
        verify_start(&v);
        // where the force ends the acceleration jumps, and most of it is gone within a millisecond
        for (double t = run[k].after, dt = 5e-6; t < end; t += dt) {
            dt = t < run[k].after + 0.02 ? 5e-6 : 2e-4;
            const gos_state *x = verify_at(&v, t + dt / 2);
            const double a = verify_value(&v, x, "centre_acceleration.value");
            sum += a * a * dt;
            voltage = fmax(voltage, fabs(verify_value(&v, x, "voltage_34.value")));
        }
        verify_close(&v);
        const double rms = sqrt(sum / (3 - run[k].after));
        print_message("%s: %.4g m/s^2\n", run[k].settings, rms);
        assert_true(rms < 1.24 && voltage <= 400 * (1 + 1e-9) && voltage > 300);
        near_rel(rms, run[k].rms, 0.03);
    }
}

/* 36 patches with gains for 60 modes: 0.429 by the plain modal plant of the linear road, and stable
 * on more modes */
static void test_few(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_design *d = NULL;
    gos_design_report r;
    int n;
    const char *none;
    open_file(&v, "rates.yaml", NULL);
    verify_good(&v, gos_design_show(v.ctx, v.model, "few", &d));
    gos_design_get(d, &r);
    assert_true(r.plant_abscissa < -0.05 && r.inputs == 9);
    const gos_design_history *c = gos_design_histories(d, &n, &none);
    assert_int_equal(n, 4);
    near_rel(c[2].rms, 10.97, 2e-3);
    near_rel(c[3].rms, 0.429, 0.01);
    assert_true(c[3].rms < 0.5 && c[3].limit == 400);
    release(&v, d);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),  cmocka_unit_test(test_published),
        cmocka_unit_test(test_slow),    cmocka_unit_test(test_course),
        cmocka_unit_test(test_rates),   cmocka_unit_test(test_rates_course),
        cmocka_unit_test(test_sensors), cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
