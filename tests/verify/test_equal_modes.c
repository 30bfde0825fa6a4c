/* Modes of equal frequency in bases: a square cantilever bends both ways with the same frequency,
   and a basis that takes one of two takes what inputs and outputs see, not any mixture that
   rounding has made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "linalg/align.h"
#include "linear_reduction/reduce.h"
#include "support/modes.h"
#include "support/suite.h"

static const char cantilever[] =
    "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3, damping: {normal: 1.0e-4, shear: "
    "0}}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
    "bodies: {b: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 20}}\n"
    "joints: {j: {type: clamp, between: [ground, b.start]}}\n"
    "loads: {f: {type: force, on: b.end, value: [0, 1, 0]}}\n"
    "probes: {tip: {at: b.end, quantity: displacement, direction: [0, 1, 0]}}\n";

/* response of the model reduced to an order, near its first two resonances (8.2 and 51 Hz) */
static void respond(const fixture *f, const char *method, int order, double *H) {
    static const char *const interface[] = {"b.node(20).position.y", "b.node(20).position.z"};
    const bool held = strcmp(method, "craig_bampton") == 0;
    const gos_linear_reduction_options options = {.method = method,
                                                  .order = order,
                                                  .interface = held ? interface : NULL,
                                                  .ninterface = held ? 2 : 0};
    const double omega[] = {45, 51.4, 320};
    gos_linear_reduction *r = NULL;
    need(f->ctx, gos_linear_reduce(f->ctx, f->linear, &options, &r));
    need(f->ctx, gos_linear_response(f->ctx, gos_linear_reduction_model(r), 3, omega, H));
    gos_linear_reduction_destroy(r);
}

/* Half of a pair of modes is all that a plane force needs: the other half changes nothing. */
static void test_half_a_pair(void **unused) {
    GOS_UNUSED(unused);
    // orders with half of a pair: one mode; three; a mode and the attachment; two held and a mode
    static const struct {
        const char *method;
        int order;
    } half[] = {{"modes", 1}, {"modes", 3}, {"free_interface", 2}, {"craig_bampton", 3}};
    fixture f = linear_model(cantilever, NULL, NULL);
    double full[6];
    const double omega[] = {45, 51.4, 320};
    need(f.ctx, gos_linear_response(f.ctx, f.linear, 3, omega, full));
    for (int i = 0; i < GOS_COUNT(half); i++) {
        double one[6], two[6];
        respond(&f, half[i].method, half[i].order, one);
        respond(&f, half[i].method, half[i].order + 1, two);
        for (int k = 0; k < 3; k++) {
            const double size = hypot(two[2 * k], two[2 * k + 1]);
            near_abs_named(half[i].method, one[2 * k], two[2 * k], 1e-8 * size);
            near_abs_named(half[i].method, one[2 * k + 1], two[2 * k + 1], 1e-8 * size);
        }
        // at its resonance the first mode is nearly all there is; held, it has another frequency
        const double far = hypot(one[2] - full[2], one[3] - full[3]);
        assert_true(far < (i == 3 ? 0.5 : 0.01) * hypot(full[2], full[3]));
    }
    done(&f);
}

/* the effective masses of a pair are along the axes */
static void test_masses(void **unused) {
    GOS_UNUSED(unused);
    fixture f = linear_model(cantilever, NULL, NULL);
    gos_mode mode[4];
    get_modes(&f, 4, false, mode);
    for (int k = 0; k < 4; k++) {
        near_rel_named("effective mass", mode[k].mass[1 + k % 2],
                       (k < 2 ? 0.613075 : 0.188300) * 0.78, 1e-3);
        assert_true(mode[k].mass[2 - k % 2] < 1e-12);
    }
    done(&f);
}

/* Three equal vectors and one other in any mixture; two rows, one of which sees the same as a
 * third. */
static void test_turn(void **unused) {
    GOS_UNUSED(unused);
    enum { N = 4 };
    const double c = cos(0.7), s = sin(0.7), lambda[N] = {1, 1, 1, 2};
    double X[N * N] = {c, s * 0.6, s * 0.8, 0, -s, c * 0.6, c * 0.8, 0,
                       0, -0.8,    0.6,     0, 0,  0,       0,       1};
    const double row[3][N] = {{0, 1, 0, 5}, {0, -2, 0, 1}, {1, 1, 0, 0}};
    gos_ctx *ctx = gos_ctx_create();
    gos_align a;
    assert_true(gos__align_needed(N, lambda) && !gos__align_needed(2, lambda + 2));
    need(ctx, gos__align_begin(ctx, N, N, X, 3, &a));
    for (int r = 0; r < 3; r++) {
        gos__align_row(&a, row[r]);
    }
    gos__align_turn(&a, lambda);
    gos__align_end(&a);
    const double want[N * N] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (int i = 0; i < N * N; i++) {
        // what no row sees has a sign of its own
        near_abs_named("turned", i / N == 2 ? fabs(X[i]) : X[i], want[i], 1e-14);
    }
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_a_pair),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
