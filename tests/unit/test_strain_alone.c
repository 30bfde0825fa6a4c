/* Residuals without heat, which give what is stored between steps, and those of what is stored
   alone: forces and strain energy are those of whole ones, to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/newton_matrix.h"
#include "support/suite.h"

/* cables that bend and are warm, in the sun and in air, and a spring that stores */
static const char model[] =
    "materials: {a: {density: 2000, young: 1.0e6, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "  expansion: 1.0e-3, absorptivity: 0.8, emissivity: 0.6, damping: {normal: 0.02, shear: 0}}}\n"
    "sections: {s: {type: rectangle, height: 0.03, width: 0.02}}\n"
    "bodies:\n"
    "  p: {type: ancf_cable, material: a, section: s, from: [0, 0, 0], to: [1, 0, 0], elements: "
    "5}\n"
    "  q: {type: ancf_cable, material: a, section: s, from: [1, 0, 0], to: [1, 1, 0], elements: "
    "3}\n"
    "joints: {j: {type: spherical, between: [p.end, q.start], temperature: true}}\n"
    "loads: {k: {type: spring, between: [p.start, q.end], stiffness: 30, damping: 2, free_length: "
    "1.2}}\n"
    "heat:\n"
    "  sun: {type: flux, value: 2.0e4, direction: [0.3, -1, 0.2], on: p}\n"
    "  air: {type: convection, coefficient: 20, on: q}\n"
    "gravity: [0, -9.81, 1]\n"
    "analysis: {end: 1}\n";

static void test_same(void **state) {
    (void)state;
    verify v;
    gos_work *w;
    random_at a;
    uint64_t seed = 11;
    verify_text(&v, model, NULL);
    verify_good(&v, gos__work_create(v.ctx, v.sys, &w));
    random_state(v.sys, &seed, 20, &a);
    const size_t n = (size_t)v.sys->n;
    double *r = calloc(2 * n, sizeof *r), *f = r + n;
    assert_non_null(r);
    gos_point_of x = {.t = 0.2,
                      .scale = 1,
                      .q = a.q,
                      .v = a.v,
                      .th = a.th,
                      .lam = a.lam,
                      .thd = a.thd,
                      .lamT = a.lamT};
    const gos_residual all = gos__residual_of(v.sys, r), some = {.q = f};
    gos_sums whole, part;
    verify_good(&v, gos__residual(w, &x, &all, &whole));
    verify_good(&v, gos__residual(w, &x, &some, &part));
    assert_true(whole.strain > 0 && whole.heat_in != 0 && whole.thermal != 0);
    assert_memory_equal(r, f, (size_t)v.sys->nq * sizeof *r);
    assert_true(part.strain == whole.strain && part.work == whole.work &&
                part.dissipated == whole.dissipated);
    assert_true(part.heat_in == 0 && part.thermal == 0 && part.heat_con == 0);
    for (size_t i = (size_t)v.sys->nq; i < n; i++) {
        assert_true(f[i] == 0); // nothing is written beside forces
    }
    x.a = a.a; // accelerations make forces, but no strain
    verify_good(&v, gos__residual(w, &x, &all, &whole));
    assert_true(part.strain == whole.strain);
    // what is stored alone: springs, but no forces of points, nor what their rates dissipate
    const gos_residual stored = {.q = f, .stored = true};
    gos_sums alone;
    verify_good(&v, gos__residual(w, &x, &stored, &alone));
    assert_true(alone.strain == whole.strain && alone.work == whole.work);
    assert_true(alone.dissipated > 0 && alone.dissipated < whole.dissipated);
    assert_true(memcmp(r, f, (size_t)v.sys->nq * sizeof *r) != 0);
    free(r);
    free(a.block);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
