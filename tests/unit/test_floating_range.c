/* How far states of a floating beam are from what its equations hold for, against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "floating/floating.h"
#include "support/items.h"
#include "support/suite.h"

/* the hub-beam's arm: EI = 8.977 N m^2, L = 1.8 m, EA = 1.72e7 N, first frequency 3.9093 rad/s */
static const char text[] =
    "floating_bodies: %s\n"
    "materials: {alu: {density: 2767, young: 6.895e10, poisson: 0.3}}\n"
    "sections: {bar: {type: general, area: 2.5e-4, Iy: 1.0e-9, Iz: 1.302e-10, J: 1.0e-9}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: alu, section: bar, from: [0, 0, 0], to: [1.8, 0, 0],\n"
    "        elements: 20, bending: y, torsion: rigid, coupling: %s,\n"
    "        reduce: {method: modes, order: 4, inputs: end.y, static: [end.x]}}\n";

/* with the amplitude k of which the end has the displacement u along c, or the rotation, and
 * spinning at w about each axis */
static gos_body_range range_of(const char *which, const char *coupling, bool turn, int c, double u,
                               double w) {
    char model[1500];
    fixture f;
    gos_body_range r;
    snprintf(model, sizeof model, text, which, coupling);
    assert_int_equal(make_with(&f, NULL, false, model), GOS_OK);
    const gos_body *b = f.b.body[0];
    const gos_floating_body *fb = b->par;
    const gos_sparse *A = turn ? &fb->flex->turn : &fb->flex->move;
    double(*e)[3] = calloc((size_t)f.b.nv, sizeof *e), (*v)[3] = calloc((size_t)f.b.nv, sizeof *v);
    for (int i = 0; i <= 20 && u != 0 && which[0] == 'w'; i++) { // linear along the beam
        for (int k = A->p[3 * i + c]; k < A->p[3 * i + c + 1]; k++) {
            const int at = b->derived->z[A->i[k]];
            e[at / 3][at % 3] = u * i / 20 / A->x[k];
        }
    }
    if (which[0] == 'r' && u != 0) { // the amplitude that stretches
        for (int k = A->p[60 + c]; k < A->p[60 + c + 1]; k++) {
            const int at = b->derived->z[A->i[k]];
            if (fabs(A->x[k]) > 1e-6) {
                e[at / 3][at % 3] = u / A->x[k];
            }
        }
    }
    for (int i = 0; i < 3; i++) { // rates w x a_i of the unit axes
        v[b->derived->axis + i][(i + 1) % 3] = w;
        v[b->derived->axis + i][(i + 2) % 3] = -w;
    }
    b->ops->range(b, e[0], v[0], NULL, &r);
    free(e);
    free(v);
    drop(&f);
    return r;
}

/* A uniform force N = 4 N over Euler's load of a cantilever, to which the largest change over
   combinations of modes comes near from below. The same with one static vector of the stretch. */
static void test_stiffening(void **state) {
    (void)state;
    const double EA = 6.895e10 * 2.5e-4, EI = 6.895e10 * 1.302e-10, N = 4, L = 1.8;
    const double want = N * L * L * 4 / (M_PI * M_PI * EI);
    for (int i = 0; i < 4; i++) {
        const gos_body_range r =
            range_of(i % 2 ? "reduced" : "whole", "zeroth", false, 0, (i < 2 ? N : -N) * L / EA, 0);
        assert_true(fabs(r.stiffening - want) <= 1e-3 * want);
        assert_true(r.rate == 0 && r.rotation < 1e-9);
    }
    // what the equations contain is no matter
    assert_true(range_of("whole", "first", false, 0, N * L / EA, 1).stiffening == 0);
    assert_true(range_of("whole", "first", false, 0, 0, 1).rate == 0);
}

/* rate about (1, 1, 1), over the first frequency; rotations of nodes */
static void test_rate_rotation(void **state) {
    (void)state;
    const gos_body_range r = range_of("whole", "zeroth", false, 0, 0, 2);
    assert_true(fabs(r.rate - 2 * sqrt(3) / 3.90934329) <= 1e-8);
    for (int i = 0; i < 2; i++) {
        const gos_body_range turned = range_of("whole", i ? "first" : "zeroth", true, 2, -0.3, 0);
        assert_true(fabs(turned.rotation - 0.3) <= 1e-12);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stiffening),
                                       cmocka_unit_test(test_rate_rotation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
