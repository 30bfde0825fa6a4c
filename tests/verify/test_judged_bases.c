/* What is predicted of a floating body's basis is the error of all its vectors, those of the method and static ones, of loads that reach
   what is looked at. A moment that twists a sheet moves nothing in its middle line across it: relative to the rounding of that response errors
   were 3.8 to 1500 where every channel is right to 1e-3. Here the channels of the run's own system are compared, whole and reduced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/linear_models.h"
#include "support/suite.h"
#include "support/verify.h"

#define HERTZ (2 * M_PI)
#define ROUNDED                                                                                    \
    1e-6 // of responses of the system, whose sheet is 1e8 times stiffer along it than across it

static const char sheet[] =
    "materials: {al: {density: 2700, young: 7.0e10, poisson: 0.3}}\n"
    "meshes: {sheet: {type: rectangle, size: [1.2, 0.4], corner: [0, -0.2, 0], cells: [6, 2],\n"
    "  sets: {tip: {near: [1.2, 0, 0]}}}}\n"
    "bodies:\n"
    "  p: {type: floating, mesh: sheet, material: al, element: shell, thickness: 1.0e-3,\n"
    "    reference: clamped, at: left, rayleigh: [0.1, 1e-4], reduce: {%s,\n"
    "    band: [0.5, 48], inputs: [%s], outputs: [tip.z]}}\n"
    "joints: {hold: {type: clamp, between: [ground, p.frame]}}\n"
    "loads:\n"
    "  f: {type: force, on: p.tip, value: [0, 0, 1]}\n"
    "  m: {type: moment, on: p.tip, moment: [0, 1, 0]}\n"
    "probes: {tip: {at: p.tip, quantity: displacement}}\n"
    "analysis: {type: dynamic, end: 1, step: 1e-3}\n";

/* leaves one input, and the output in z, of all */
static void leave(gos_linear *l, const char *input) {
    gos_sparse *B = &l->block[GOS_BLOCK_B], *Y = &l->block[GOS_BLOCK_Y_q];
    int inputs = 0, outputs = 0;
    for (int j = 0; j < l->nu; j++) {
        const bool kept = strcmp(l->input[j].name, input) == 0;
        inputs += kept;
        for (int k = B->p[j]; k < B->p[j + 1]; k++) {
            B->x[k] *= kept;
        }
    }
    for (int k = 0; k < Y->nnz; k++) {
        Y->x[k] *= strcmp(l->output[Y->i[k]].name, "tip.z") == 0;
    }
    for (int i = 0; i < l->ny; i++) {
        outputs += strcmp(l->output[i].name, "tip.z") == 0;
    }
    assert_int_equal(inputs, 1);
    assert_int_equal(outputs, 1);
}

/* the system of one load; *predicted is what was told of its basis */
static gos_linear *channel(verify *v, const char *reduce, const char *inputs, const char *input,
                           const char *bodies, double *predicted) {
    char text[3000];
    gos_linear *l;
    snprintf(text, sizeof text, sheet, reduce, inputs);
    verify_text(v, text, bodies);
    for (int i = 0; i < gos_ctx_ndiag(v->ctx) && predicted; i++) {
        const char *error = strstr(gos_ctx_diag(v->ctx, i)->text, "predicted error ");
        *predicted = error ? strtod(error + strlen("predicted error "), NULL) : *predicted;
    }
    verify_good(v, gos_linearise(v->ctx, v->sys, v->state, &l));
    leave(l, input);
    return l;
}

/* the largest error of the band, of the largest response */
static double error_of(const char *reduce, const char *inputs, const char *input,
                       double *predicted) {
    verify w, r;
    gos_band_error e;
    gos_linear *whole = channel(&w, reduce, inputs, input, "floating_bodies=whole", NULL);
    gos_linear *reduced = channel(&r, reduce, inputs, input, "floating_bodies=reduced", predicted);
    linear_good(w.ctx, gos_linear_band_error(w.ctx, whole, reduced, 0.5 * HERTZ, 48 * HERTZ, &e));
    gos_linear_destroy(whole);
    gos_linear_destroy(reduced);
    verify_close(&w);
    verify_close(&r);
    return e.relative;
}

/* One output and two channels, each of largest response 1: both together are between 1 and sqrt 2, their error between the larger one and
   sqrt 2 times it. A third that no output sees changes nothing of that. */
static void test_predicted(void **unused) {
    static const char *const reduce[] = {
        "method: balanced_second, order: 6", "method: balanced_second, order: 12",
        "method: krylov, order: 8",          "method: irka_second, order: 6",
        "method: modes_static, order: 6",    "method: auto, order: 5",
    };
    static const char *const inputs[] = {"tip.z, tip.ry", "tip.z, tip.ry, tip.rx"};
    GOS_UNUSED(unused);
    for (int k = 0; k < GOS_COUNT(reduce) * GOS_COUNT(inputs); k++) {
        const char *method = reduce[k / 2], *loads = inputs[k % 2];
        double predicted = 0;
        const double force = error_of(method, loads, "f.z", &predicted);
        const double moment = error_of(method, loads, "m.y", &predicted);
        const double most = fmax(force, moment);
        print_message("%-34s %-22s predicted %.1e, force %.1e, moment %.1e\n", method, loads,
                      predicted, force, moment);
        assert_true(predicted > 0 && predicted < 0.1);
        assert_true(predicted * M_SQRT2 >= 0.95 * most - ROUNDED); // told to two digits
        assert_true(predicted <= 1.05 * M_SQRT2 * most);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_predicted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
