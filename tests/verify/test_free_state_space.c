/* Equations of first order of craft that move freely: their roots are 0 where modes are, although
   the rounding of the stiffness of a shell is above the square of a controller's bandwidth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <lapacke.h>

#include "control/plant.h"
#include "linear/state_space.h"
#include "support/modes.h"
#include "support/suite.h"

#define TEXT 3000
#define ZERO 1e-6 // of the lowest elastic frequency

/* a hub of 0.2 kg with a shell of 0.2 x 0.08 x 0.001 m; damping in proportion to stiffness alone */
typedef struct craft {
    double length, mass; // units in a metre and a kilogram
    double turn[3];      // rotation vector of the whole
    bool hinge;          // on the ground
} craft;

/* exp of the cross product with w (row-major) */
static void rotation_of(const double w[3], double R[9]) {
    const double a = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double S[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3;
        const double square = S[3 * r] * S[c] + S[3 * r + 1] * S[3 + c] + S[3 * r + 2] * S[6 + c];
        R[i] = (r == c) + (a > 0 ? sin(a) / a * S[i] + (1 - cos(a)) / (a * a) * square : 0);
    }
}

static void write_craft(const craft *c, char *text) {
    const double at[3] = {0.05, -0.04, 0}, y[3] = {0, 1, 0}, m = c->mass, l = c->length;
    double R[9], p[3], a[3];
    rotation_of(c->turn, R);
    for (int i = 0; i < 3; i++) {
        p[i] = l * (R[3 * i] * at[0] + R[3 * i + 1] * at[1] + R[3 * i + 2] * at[2]);
        a[i] = R[3 * i] * y[0] + R[3 * i + 1] * y[1] + R[3 * i + 2] * y[2];
    }
    char hinge[200] = "";
    if (c->hinge) {
        (void)snprintf(hinge, sizeof hinge,
                       "  r: {type: revolute, between: [ground, h], axis: [%.17g, %.17g, %.17g]}\n",
                       a[0], a[1], a[2]);
    }
    (void)snprintf(
        text, TEXT,
        "materials: {a: {density: %.17g, young: %.17g, poisson: 0.3}}\n"
        "meshes: {g: {type: rectangle, size: [%.17g, %.17g], cells: [6, 2]}}\n"
        "bodies:\n"
        "  s: {type: floating, mesh: g, material: a, element: shell, thickness: %.17g,\n"
        "      position: [%.17g, %.17g, %.17g], rotation_vector: [%.17g, %.17g, %.17g],\n"
        "      reference: clamped, at: left, rayleigh: [0, 1.0e-3]}\n"
        "  h: {type: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g]}\n"
        "joints:\n"
        "  c: {type: clamp, between: [h, s.frame], at: [%.17g, %.17g, %.17g]}\n"
        "%s",
        2700 * m / (l * l * l), 7e10 * m / l, 0.2 * l, 0.08 * l, 0.001 * l, p[0], p[1], p[2],
        c->turn[0], c->turn[1], c->turn[2], 0.2 * m, 1e-4 * m * l * l, 1e-4 * m * l * l,
        1e-4 * m * l * l, p[0], p[1], p[2], hinge);
}

static double largest_of(int count, const double *re, const double *im, double below, int *n) {
    double most = 0;
    *n = 0;
    for (int i = 0; i < count; i++) {
        const double size = hypot(re[i], im[i]);
        *n += size <= below;
        most = size <= below ? fmax(most, size) : most;
    }
    return most;
}

/* `zeros` roots at 0 and no other below the lowest elastic mode, of A (n, n), which is spoilt */
static void check_roots(int n, double *A, int zeros, double omega) {
    double *re = test_calloc(2 * (size_t)n, sizeof *re), *im = re + n;
    int found;
    assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1),
                     0);
    const double most = largest_of(n, re, im, 0.5 * omega, &found);
    print_message("%d roots of 0: %.3g of %.6g rad/s\n", found, most, omega);
    assert_int_equal(found, zeros);
    assert_true(most <= ZERO * omega);
    test_free(re);
}

static void check(const craft *c, int free) {
    char text[TEXT];
    write_craft(c, text);
    fixture f = linear_model(text, NULL, NULL);
    gos_mode mode[8];
    int found;
    need(f.ctx, gos_linear_modes(f.ctx, f.linear, free + 1, false, mode, &found));
    assert_true(mode[free - 1].rigid && !mode[free].rigid);
    gos_plant plant;
    need(f.ctx, gos__plant_make(f.ctx, f.linear, &plant));
    check_roots(plant.n, plant.A, 2 * free, mode[free].omega);
    gos__plant_free(f.ctx, &plant);
    gos_state_space s;
    need(f.ctx, gos__state_space_make(f.ctx, f.linear, &s));
    lapack_int *pivot = test_calloc((size_t)s.n, sizeof *pivot);
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, s.n, s.n, s.E, s.n, pivot, s.A, s.n), 0);
    check_roots(s.n, s.A, 2 * free, mode[free].omega);
    test_free(pivot);
    gos__state_space_free(f.ctx, &s);
    done(&f);
}

static void test_roots(void **unused) {
    GOS_UNUSED(unused);
    for (int unit = 0; unit < 2; unit++) {
        for (int turned = 0; turned < 2; turned++) {
            craft c = {unit ? 1000 : 1, unit ? 1e-3 : 1, {0, 0, 0}, true};
            if (turned) {
                c.turn[0] = 0.3, c.turn[1] = -0.8, c.turn[2] = 1.1;
            }
            check(&c, 1);
            c.hinge = false;
            check(&c, 6);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_roots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
