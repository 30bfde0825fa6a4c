/* Damped modes of displacements and temperatures together: thermoelastic damping after Zener and
   Lifshitz, thermal roots of a rod, and every root against dense equations of first order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <complex.h>
#include <lapacke.h>

#include "linear/state_space.h"
#include "support/modes.h"
#include "support/suite.h"

/* A steel reed between pivots, in the plane; J temperatures through its depth h. Units: SI times
   `metre`, `kilogram`; axis x, y, z by rot. */
static const char reed[] =
    "parameters: {n: 10, L: 0.05, h: 0.0005, J: 5, T0: 293.15, ax: 1, ay: 0, az: 0,\n"
    "             nx: 0, ny: 0, nz: 1, M: 1, KG: 1}\n"
    "reference_temperature: T0\n"
    "materials: {st: {density: 7850*KG/M^3, young: 2.1e11*KG/M, poisson: 0.3,\n"
    "  conductivity: 50*KG*M, specific_heat: 460*M^2, expansion: 1.2e-5}}\n"
    "sections: {s: {type: rectangle, height: h*M, width: 2*h*M, depth_modes: J}}\n"
    "bodies: {rod: {type: ancf_cable, material: st, section: s, from: [0, 0, 0],\n"
    "  to: [L*ax*M, L*ay*M, L*az*M], elements: n, normal: [nx, ny, nz]}}\n"
    "joints: {c: {type: spherical, between: [ground, rod.start]},\n"
    "         d: {type: roller, between: [rod.end, ground], normal: [ny*az - nz*ay, nz*ax - nx*az, "
    "nx*ay - ny*ax]},\n"
    "         e: {type: point_on_plane, between: [rod.end, ground], normal: [nx, ny, nz]}}\n"
    "analysis: {type: dynamic, thermoelastic_heat: true}\n";

/* Relaxation of bending by conduction through the depth h: loss 2 zeta = Delta f(xi), Lifshitz and
   Roukes, Phys. Rev. B 61 (2000), eqs. 37 to 40; Zener's single relaxation is within 2 % of it */
static double lifshitz(double omega, double depth, double T0) {
    const double rho = 7850, c = 460, k = 50, E = 2.1e11, alpha = 1.2e-5;
    const double xi = depth * sqrt(omega * rho * c / (2 * k)), x3 = xi * xi * xi;
    const double f = 6 / (xi * xi) - 6 / x3 * (sinh(xi) + sin(xi)) / (cosh(xi) + cos(xi));
    return 0.5 * E * alpha * alpha * T0 / (rho * c) * f;
}

/* the mode whose damping is largest of the first few is the bending one in the plane of depth */
static gos_mode find_bending(const fixture *f, double omega) {
    enum { N = 6 };
    gos_mode mode[N], best = {0};
    int found;
    need(f->ctx, gos_linear_modes(f->ctx, f->linear, N, true, mode, &found));
    for (int i = 0; i < found; i++) {
        if (fabs(mode[i].omega - omega) < fabs(best.omega - omega)) {
            best = mode[i];
        }
    }
    return best;
}

static void zener(const char *const *names, const double *values, double depth, double length,
                  double T0) {
    fixture f = linear_model(reed, names, values);
    const double omega = M_PI * M_PI / (length * length) * depth * sqrt(2.1e11 / (12 * 7850.0));
    const gos_mode m = find_bending(&f, omega);
    // the rotary motion of slopes and the adiabatic stiffening are each below 1e-3
    near_rel_named("bending frequency", m.omega, omega, 2e-3);
    near_rel_named("thermoelastic damping", m.damping, lifshitz(m.omega, depth, T0), 1e-2);
    done(&f);
}

static void test_zener(void **unused) {
    (void)unused;
    zener(NULL, NULL, 0.0005, 0.05, 293.15);
    // hotter: damping in proportion to the absolute temperature
    zener((const char *const[]){"T0", NULL}, (const double[]){400}, 0.0005, 0.05, 400);
    // twice the size; half as deep, on the other side of the peak
    zener((const char *const[]){"L", "h", NULL}, (const double[]){0.1, 0.001}, 0.001, 0.1, 293.15);
    zener((const char *const[]){"h", NULL}, (const double[]){0.00025}, 0.00025, 0.05, 293.15);
}

/* turned to axes without zeros, and in millimetres, tonnes and seconds: the same roots */
static void test_directions_and_units(void **unused) {
    (void)unused;
    enum { N = 6, T = 4 };
    static const char *const names[] = {"ax", "ay", "az", "nx", "ny", "nz", "M", "KG", NULL};
    static const double values[4][8] = {{1, 0, 0, 0, 0, 1, 1, 1},
                                        {2. / 3, 2. / 3, 1. / 3, -2. / 3, 1. / 3, 2. / 3, 1, 1},
                                        {0, 0, 1, 0.6, 0.8, 0, 1, 1},
                                        {0, -1, 0, 0, 0, 1, 1000, 1e-3}};
    gos_mode first[N], mode[N];
    gos_root slow[T], root[T];
    for (int i = 0; i < GOS_COUNT(values); i++) {
        int found, nroots;
        fixture f = linear_model(reed, names, values[i]);
        need(f.ctx, gos_linear_coupled_modes(f.ctx, f.linear, N, i ? mode : first, &found, T,
                                             i ? root : slow, &nroots));
        assert_int_equal(found, N);
        assert_int_equal(nroots, T);
        for (int k = 0; k < N && i; k++) {
            near_abs_named("real part", mode[k].re, first[k].re, 1e-6 * fabs(first[k].re) + 1e-7);
            near_abs_named("imaginary part", mode[k].im, first[k].im, 1e-7 * first[N - 1].im);
        }
        for (int k = 0; k < T && i; k++) {
            near_abs_named("thermal eigenvalue", root[k].re, slow[k].re,
                           1e-7 * fabs(slow[T - 1].re));
        }
        done(&f);
    }
}

/* ---- against dense equations of first order -------------------------------------------------- */

typedef struct spectrum {
    int n;
    double *re, *im;
} spectrum;

static spectrum dense_spectrum(const fixture *f) {
    gos_state_space s;
    need(f->ctx, gos__state_space_make(f->ctx, f->linear, &s));
    spectrum d = {.n = s.n, .re = test_calloc((size_t)s.n, sizeof(double))};
    d.im = test_calloc((size_t)s.n, sizeof(double));
    int *pivot = test_calloc((size_t)s.n, sizeof *pivot);
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, s.n, s.n, s.E, s.n, pivot, s.A, s.n), 0);
    assert_int_equal(
        LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', s.n, s.A, s.n, d.re, d.im, NULL, 1, NULL, 1), 0);
    test_free(pivot);
    gos__state_space_free(f->ctx, &s);
    return d;
}

static void is_root(const spectrum *d, double re, double im, double relative) {
    double best = HUGE_VAL;
    for (int i = 0; i < d->n; i++) {
        best = fmin(best, hypot(d->re[i] - re, d->im[i] - im));
    }
    if (!(best <= relative * hypot(re, im))) {
        print_error("%.12g + %.12g i is off by %.3e, relative %.3e\n", re, im, best,
                    best / hypot(re, im));
        fail();
    }
}

/* Few and many unknowns (more than the whole space is taken for), a spring with dashpot, heat that
   is lost: each root is one of the dense equations, the slow ones are all there. */
static void against_dense(const char *text, double elements) {
    enum { N = 5, T = 6 };
    gos_mode mode[N];
    gos_root root[T];
    int found, nroots, slower = 0;
    fixture f = linear_model(text, (const char *const[]){"n", NULL}, &elements);
    need(f.ctx, gos_linear_coupled_modes(f.ctx, f.linear, N, mode, &found, T, root, &nroots));
    assert_int_equal(found, N);
    assert_int_equal(nroots, T);
    const spectrum d = dense_spectrum(&f);
    double fastest = 0;
    for (int i = 0; i < d.n; i++) {
        fastest = fmax(fastest, hypot(d.re[i], d.im[i]));
    }
    for (int i = 0; i < N; i++) {
        // dense roots are right to rounding of the fastest one
        is_root(&d, mode[i].re, mode[i].im, 1e-8 + 1e-14 * fastest / mode[i].im);
    }
    for (int i = 0; i < T; i++) {
        is_root(&d, root[i].re, root[i].im, 1e-6 + 1e-13 * fastest / fabs(root[i].re));
        assert_true(i == 0 || fabs(root[i].re) >= fabs(root[i - 1].re));
    }
    for (int i = 0; i < d.n; i++) {
        slower += hypot(d.re[i], d.im[i]) < 1.000001 * fabs(root[T - 1].re);
    }
    assert_int_equal(slower, T);
    test_free(d.re);
    test_free(d.im);
    done(&f);
}

static const char lossy[] =
    "parameters: {n: 8}\n"
    "materials: {st: {density: 7850, young: 2.1e11, poisson: 0.3, conductivity: 50,\n"
    "  specific_heat: 460, expansion: 1.2e-4, damping: {normal: 1.0e-6, shear: 1.0e-6}}}\n"
    "sections: {s: {type: rectangle, height: 0.002, width: 0.004, depth_modes: 3}}\n"
    "bodies: {rod: {type: ancf_cable, material: st, section: s, from: [0, 0, 0],\n"
    "  to: [0.3, 0, 0], elements: n}}\n"
    "joints: {c: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {s: {type: spring, between: [ground, rod.end], at: [0.3, 0.2, 0.1],\n"
    "  stiffness: 50, damping: 0.01}}\n"
    "heat: {a: {type: convection, coefficient: 2000, on: rod}}\n"
    "analysis: {type: dynamic, thermoelastic_heat: true}\n";

static void test_against_dense(void **unused) {
    (void)unused;
    against_dense(lossy, 8);
    against_dense(lossy, 32);
}

/* ---- fields apart, models of first order ----------------------------------------------------- */

/* without thermoelastic heat the rod's thermal roots are those of a rod insulated at its ends,
   -(i pi / L)^2 k / (rho c), and modes lose nothing */
static void test_apart(void **unused) {
    (void)unused;
    enum { N = 3, T = 3 };
    gos_mode mode[N];
    gos_root root[T];
    int found, nroots;
    char text[2000];
    snprintf(text, sizeof text, "%.*s}\n", (int)(strstr(reed, ", thermoelastic") - reed), reed);
    fixture f = linear_model(text, (const char *const[]){"n", NULL}, (const double[]){40});
    need(f.ctx, gos_linear_coupled_modes(f.ctx, f.linear, N, mode, &found, T, root, &nroots));
    assert_int_equal(nroots, T);
    for (int i = 0; i < N; i++) {
        near_abs_named("damping", mode[i].damping, 0, 1e-12);
    }
    near_abs_named("uniform temperature", root[0].re, 0, 1e-9);
    for (int i = 1; i < T; i++) {
        const double rate = pow(i * M_PI / 0.05, 2) * 50 / (7850.0 * 460);
        const double mesh = pow(i * M_PI / 40, 2) / 12; // linear temperatures, consistent capacity
        near_rel_named("thermal eigenvalue", root[i].re, -rate * (1 + mesh), 1e-5);
    }
    done(&f);
}

static void test_first_order(void **unused) {
    (void)unused;
    // x'' + 0.2 x' + 4 x = 0, and a state that decays with -3: not symmetric
    const int start[] = {0, 1, 3, 4}, row[] = {1, 0, 1, 2};
    const double value[] = {-4, 1, -0.2, -3};
    const gos_matrix_view A = {3, 3, 4, start, row, value};
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l;
    gos_root root[3];
    gos_mode mode[1];
    int found, nroots;
    need(ctx, gos_linear_from_matrices(ctx, &(gos_matrices){.A = &A}, &l));
    need(ctx, gos_linear_coupled_modes(ctx, l, 1, mode, &found, 3, root, &nroots));
    assert_int_equal(found, 0);
    assert_int_equal(nroots, 2);
    near_rel_named("decay", root[0].re, -0.1, 1e-14);
    near_rel_named("frequency", root[0].im, sqrt(4 - 0.01), 1e-14);
    near_rel_named("single root", root[1].re, -3, 1e-14);
    assert_int_equal(gos_linear_coupled_modes(ctx, l, 0, mode, &found, 0, root, &nroots),
                     GOS_E_USE);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zener),         cmocka_unit_test(test_directions_and_units),
        cmocka_unit_test(test_against_dense), cmocka_unit_test(test_apart),
        cmocka_unit_test(test_first_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
