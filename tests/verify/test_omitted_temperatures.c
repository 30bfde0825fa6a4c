/* Reduced floating bodies whose temperature fields do not contain the response to a heat load:
   the omission of a plate heated on one face has a closed form, and is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* insulated, flux into the face y = height */
static const char model[] =
    "parameters: {w: 0.01, h: 0.1, q: 1000, end: 5000, rho: 1000, E: 1e9, k: 20, c: 500, nx: 1,\n"
    "  ny: 20}\n"
    "materials: {m: {density: rho, young: E, poisson: 0, conductivity: k, specific_heat: c,\n"
    "  expansion: 1e-5}}\n"
    "meshes: {b: {type: rectangle, size: [w, h], cells: [nx, ny], order: quadratic}}\n"
    "bodies:\n"
    "  bar: {type: floating, mesh: b, material: m, element: plane_stress, thickness: w,\n"
    "        reference: clamped, at: left, rotation_vector: [0.1, 0.2, 0.3],\n"
    "        reduce: {method: modes, order: 4}}\n"
    "joints: {c: {type: clamp, between: [ground, bar.frame]}}\n"
    "heat: {sun: {type: flux, value: q, on: bar.top}}\n"
    "probes: {T: {quantity: temperature, at: bar.top}}\n"
    "analysis: {end: end, step: end/100}\n"
    "floating_bodies: reduced\n";

static const char words[] = "of the temperature difference at the heat load 'sun'";

/* Part of q h / (3 k), face over mean, that the run lacks; *said: by the warning, *order: its
   remedy. */
static double omission(const char *settings, double h, double flux, double k, double rate,
                       double *said, int *order) {
    verify v;
    verify_text(&v, model, settings);
    *said = 0;
    *order = 0;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const char *text = gos_ctx_diag(v.ctx, i)->text, *at = strstr(text, "omit ");
        const char *remedy = strstr(text, "use order ");
        if (at && strstr(text, words)) {
            *said = strtod(at + 5, NULL);
            *order = remedy ? (int)strtol(remedy + 10, NULL, 10) : 0;
        }
    }
    verify_run(&v);
    const double T = verify_value(&v, v.state, "T.T"), mean = flux * v.opt.end / (rate * h);
    verify_close(&v);
    return 1 - (T - mean) / (flux * h / (3 * k));
}

/* n slowest fields: 1 - 6/pi^2 sum 1/i^2, i < n */
static void through_modes(void **state) {
    (void)state;
    static const char *const units[] = {
        "", "w=10 h=100 q=1 rho=1e-9 E=1e3 c=5e8 bodies.bar.reduce.order=4"};
    for (int i = 0; i < 2; i++) {
        const double h = i ? 100 : 0.1, q = i ? 1 : 1000, rate = i ? 0.5 : 5e5;
        char more[200];
        double said, left = 1;
        int order, none;
        for (int j = 1; j < 4; j++) {
            left -= 6 / (M_PI * M_PI * j * j);
        }
        const double run = omission(units[i], h, q, 20, rate, &said, &order);
        verify_near("omitted by the run", run, left, 1e-3);
        verify_near("omitted by the warning", said, left, 6e-3);
        (void)snprintf(more, sizeof more, "%s bodies.bar.reduce.order=%d", units[i], order);
        verify_within("with the proposed order", omission(more, h, q, 20, rate, &said, &none), 0,
                      0.05);
        assert_true(said == 0);
        (void)snprintf(more, sizeof more, "%s bodies.bar.reduce.order=%d", units[i], order - 1);
        assert_true(omission(more, h, q, 20, rate, &said, &none) > 0.05);
        assert_true(said > 0.05);
    }
}

/* The slow fields vary along a wide plate only. */
static void across_plate(void **state) {
    (void)state;
    static const char *const reduce[] = {
        "bodies.bar.reduce.method=modes", "bodies.bar.reduce.method=response_modes",
        "bodies.bar.reduce.method=krylov", "bodies.bar.reduce.method=auto"};
    for (int i = 0; i < 4; i++) {
        char settings[200];
        double said;
        int order;
        (void)snprintf(settings, sizeof settings, "w=0.3 h=0.02 nx=10 ny=3 %s", reduce[i]);
        const double run = omission(settings, 0.02, 1000, 20, 5e5, &said, &order);
        verify_near(reduce[i], run, i < 2 ? 1 : 0, 0.05);
        verify_near("said", said, i < 2 ? 1 : 0, 1e-12);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_modes),
        cmocka_unit_test(across_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
