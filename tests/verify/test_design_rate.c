/* Designs of type collocated, and what designs tell of modes that they do not know: closed forms of
 * one and two modes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "gossamer/control.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/verify.h"

#include "support/matrix_files.h"

#define OMEGA 7.0
#define ZETA 0.02
#define KUP 2e-3
#define GAIN 4e5

/* electrodes: 1 and its other face, twice as large, at 2; 3 elsewhere */
static int tables(void **state) {
    char path[200];
    assert_int_equal(matrix_folder_make(state), 0);
    for (int modes = 1; modes <= 2; modes++) {
        (void)snprintf(path, sizeof path, "%s/m%d", matrix_folder, modes);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    matrix_text("m1/freq_hz.csv", "1.1140846016432673\n"); // 7 rad/s
    matrix_text("m1/phi_centre.csv", "0.4\n");
    matrix_text("m1/Kup.csv", "2e-3,-4e-3,1e-3\n");
    matrix_text("m1/capacitance.csv", "1e-7,2e-7,1e-7\n");
    matrix_text("m2/freq_hz.csv", "1.1140846016432673\n3.1830988618379067\n"); // 7 and 20 rad/s
    matrix_text("m2/phi_centre.csv", "0.4\n0.3\n");
    matrix_text("m2/Kup.csv", "2e-3,-4e-3,1e-3\n-1e-3,2e-3,1e-3\n");
    matrix_text("m2/capacitance.csv", "1e-7,2e-7,1e-7\n");
    return 0;
}

/* *told: the message of a refusal, "" without */
static gos_design *design(verify *v, int modes, const char *entry, char told[400]) {
    char text[2000], path[200];
    gos_design *d = NULL;
    (void)snprintf(text, sizeof text,
                   "bodies: {b: {type: modal, folder: m%d, zeta: %g}}\n"
                   "piezo: {p: {type: given, on: b}}\n"
                   "loads: {f: {type: force, on: b.centre, value: [0, 0, 0]}}\n"
                   "probes:\n"
                   "  u: {at: b.centre, quantity: displacement, direction: [0, 0, 1]}\n"
                   "  i1: {at: p(1), quantity: motional_current}\n"
                   "  i2: {at: p(2), quantity: motional_current}\n"
                   "  i3: {at: p(3), quantity: motional_current}\n"
                   "  q1: {at: p(1), quantity: motional_charge}\n"
                   "  Q1: {at: p(1), quantity: charge}\n"
                   "  Q2: {at: p(2), quantity: charge}\n"
                   "  Q3: {at: p(3), quantity: charge}\n"
                   "designs: {d: {%s}}\n"
                   "analysis: {end: 1}\n",
                   modes, ZETA, entry);
    matrix_text("model.yaml", text);
    (void)snprintf(path, sizeof path, "%s/model.yaml", matrix_folder);
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_read(v->ctx, path, &v->model));
    const gos_status status = gos_design_model(v->ctx, v->model, NULL, &d);
    if (told) {
        (void)snprintf(told, 400, "%s", status == GOS_OK ? "" : gos_ctx_message(v->ctx));
    } else {
        verify_good(v, status);
    }
    return d;
}

static void release(verify *v, gos_design *d) {
    gos_design_destroy(d);
    verify_close(v);
}

/* z'' + (2 zeta omega + g k^2) z' + omega^2 z = 0, whatever multiple of its own charge is
   measured */
static void test_rate(void **state) {
    GOS_UNUSED(state);
    static const char *const signal[] = {"i1", "i2"};
    for (int k = 0; k < 2; k++) {
        verify v;
        char entry[200];
        int n;
        (void)snprintf(entry, sizeof entry, "type: collocated, inputs: p(1), signals: %s, gain: %g",
                       signal[k], GAIN);
        gos_design *d = design(&v, 1, entry, NULL);
        const gos_root *pole = gos_design_poles(d, false, &n);
        const double damping = 2 * ZETA * OMEGA + GAIN * KUP * KUP;
        assert_int_equal(n, 1);
        near_rel(pole->re, -damping / 2, 1e-9);
        near_rel(pole->im, sqrt(OMEGA * OMEGA - damping * damping / 4), 1e-9);
        const gos_control_law *law = gos_design_law(d);
        assert_int_equal(law->n, 0);
        near_rel(law->D[0], k == 0 ? -GAIN : GAIN / 2, 1e-12);
        release(&v, d);
    }
}

/* with a corner a: (s^2 + 2 zeta omega s + omega^2) (s + a) + g a k^2 s = 0, from charges and from
 * currents */
static void test_corner(void **state) {
    GOS_UNUSED(state);
    static const char *const signal[] = {"q1", "Q2", "i1", "i2"};
    const double a = 2 * M_PI * 3;
    for (int k = 0; k < GOS_COUNT(signal); k++) {
        verify v;
        char entry[200];
        int n;
        (void)snprintf(entry, sizeof entry,
                       "type: collocated, inputs: p(1), signals: %s, gain: %g, corner: 3",
                       signal[k], GAIN);
        gos_design *d = design(&v, 1, entry, NULL);
        const gos_root *pole = gos_design_poles(d, false, &n);
        assert_int_equal(n, 2); // a pair and a real one
        for (int i = 0; i < n; i++) {
            // Horner with (re, im): c3 s^3 + ... of the cubic
            const double c[4] = {1, a + 2 * ZETA * OMEGA,
                                 OMEGA * OMEGA + 2 * ZETA * OMEGA * a + GAIN * a * KUP * KUP,
                                 OMEGA * OMEGA * a};
            double re = 0, im = 0, size = 0;
            for (int j = 0; j < 4; j++) {
                const double x = re * pole[i].re - im * pole[i].im + c[j];
                im = re * pole[i].im + im * pole[i].re;
                re = x;
                size = size * hypot(pole[i].re, pole[i].im) + fabs(c[j]);
            }
            assert_true(hypot(re, im) < 1e-10 * size);
        }
        release(&v, d);
    }
}

/* sampled loops tend to the continuous one, their error with the period */
static void test_sampled(void **state) {
    GOS_UNUSED(state);
    double off[2];
    verify v;
    gos_design_report r, s;
    const char *const entry = "type: collocated, inputs: p(1), signals: Q2, gain: 4e5, corner: 3";
    gos_design *d = design(&v, 1, entry, NULL);
    gos_design_get(d, &r);
    release(&v, d);
    for (int k = 0; k < 2; k++) {
        char sampled[200];
        (void)snprintf(sampled, sizeof sampled, "%s, sample: %g", entry, k ? 5e-4 : 1e-3);
        d = design(&v, 1, sampled, NULL);
        gos_design_get(d, &s);
        near_rel(gos_design_law(d)->period, k ? 5e-4 : 1e-3, 1e-12);
        off[k] = fabs(s.abscissa - r.abscissa);
        release(&v, d);
    }
    near_rel(off[0] / off[1], 2, 0.02);
    assert_true(off[1] < 0.01 * fabs(r.abscissa));
}

/* of two modes the second is not known to the design: it is braked, too; with decoupled modes each
 * by its own coupling */
static void test_modes(void **state) {
    GOS_UNUSED(state);
    verify v;
    int n;
    gos_design_report r;
    gos_design *d = design(&v, 2,
                           "type: collocated, inputs: p(1), signals: i2, gain: 1, design_modes: 1, "
                           "plant_modes: 2",
                           NULL);
    gos_design_get(d, &r);
    const gos_design_mode *m = gos_design_modes(d, &n);
    assert_int_equal(n, 2);
    assert_int_equal(r.modes, 1);
    static const double omega[] = {7, 20}, k[] = {2e-3, -1e-3};
    for (int i = 0; i < n; i++) { // a gain so small that it couples nothing
        near_rel(m[i].omega, omega[i], 1e-9);
        near_rel(m[i].damping, ZETA, 1e-9);
        near_rel(-m[i].pole.re - ZETA * omega[i], k[i] * k[i] / 2, 1e-4);
        near_rel(m[i].share, 1, 1e-9);
    }
    release(&v, d);
}

/* an observer with the static response of left-out modes: its part of the limited inputs is B -
 * L (D + k_s k_u / omega^2) */
static void test_residual(void **state) {
    GOS_UNUSED(state);
    verify v[2];
    gos_design *d[2];
    const char *const entry =
        "type: lqg, inputs: p(1), signals: Q3, weight: velocity, output: u, k_Q: 1e6, noise: 1e-6, "
        "disturbance: f.z, design_modes: 1, plant_modes: 2, residual: %s";
    char text[2][400];
    for (int k = 0; k < 2; k++) {
        (void)snprintf(text[k], sizeof text[k], entry, k ? "true" : "false");
        d[k] = design(&v[k], 2, text[k], NULL);
    }
    const gos_control_law *plain = gos_design_law(d[0]), *more = gos_design_law(d[1]);
    const double share = 1e-3 * -1e-3 / (20.0 * 20.0);
    for (int i = 0; i < 2; i++) {
        near_rel(more->B[i], plain->B[i], 1e-12);
        assert_true(fabs(more->E[i] - plain->E[i] + more->B[i] * share) <
                    1e-9 * fabs(more->B[i] * share) + 1e-18);
    }
    assert_true(fabs(more->B[1] * share) > 0);
    release(&v[0], d[0]);
    release(&v[1], d[1]);
}

static void refused(const char *entry, const char *why) {
    verify v;
    char told[400];
    gos_design *d = design(&v, 2, entry, told);
    if (d || !strstr(told, why)) {
        fail_msg("'%s' is reported as '%s'", entry, told);
    }
    release(&v, d);
}

static void test_refused(void **state) {
    GOS_UNUSED(state);
    refused("type: collocated, inputs: p(1), signals: i3, gain: 1",
            "no signal is collocated with 'p(1)'");
    refused("type: collocated, inputs: p(1), signals: q1, gain: 1", "'q1.value' is not a rate");
    refused("type: collocated, inputs: p(1), signals: Q1, gain: 1, corner: 3",
            "signal 'Q1.value' has direct feedthrough from 'p(1)'");
    refused("type: collocated, inputs: ['p(1)', 'p(3)'], signals: [i1, i3], gain: [1, 2, 3]",
            "gain has 3 numbers for 2 names");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),     cmocka_unit_test(test_corner),
        cmocka_unit_test(test_sampled),  cmocka_unit_test(test_modes),
        cmocka_unit_test(test_residual), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, tables, matrix_folder_remove);
}
SUITE(suite)
